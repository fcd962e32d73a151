#!/bin/sh
# The FIX examples with each other, for the tests: fix_client against fix_acceptor on a free port.
#
#   run_fix_pair.sh FOLDER_OF_THE_EXAMPLES
set -eu
. "$(dirname "$0")/wait_for_port.sh"
said=$(mktemp)
"$1/fix_acceptor" 0 >"$said" &
acceptor=$!
trap 'kill "$acceptor" 2>/dev/null || true; rm -f "$said"' EXIT
port=$(wait_for_port "$said" 'listening on ')
"$1/fix_client" "$port"
wait "$acceptor"
cat "$said"
