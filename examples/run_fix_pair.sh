#!/bin/sh
# The FIX examples with each other, for the tests: fix_client against fix_acceptor on a free port,
# in every version. Each checks what the other sends against the dictionary of the version.
#
#   run_fix_pair.sh FOLDER_OF_THE_EXAMPLES
set -eu
. "$(dirname "$0")/wait_for_port.sh"
said=$(mktemp)
acceptor=
trap 'kill "$acceptor" 2>/dev/null || true; rm -f "$said"' EXIT
for version in FIX.4.0 FIX.4.1 FIX.4.2 FIX.4.3 FIX.4.4 FIX.5.0 FIX.5.0SP1 FIX.5.0SP2; do
  : >"$said"
  "$1/fix_acceptor" 0 >"$said" &
  acceptor=$!
  port=$(wait_for_port "$said" 'listening on ')
  timeout 60 "$1/fix_client" "$port" "$version"
  wait "$acceptor"
  cat "$said"
done
