#!/bin/sh
# The FIX examples with each other, for the tests: fix_client against fix_acceptor on a free port.
#
#   run_fix_pair.sh FOLDER_OF_THE_EXAMPLES
set -eu
said=$(mktemp)
"$1/fix_acceptor" 0 >"$said" &
acceptor=$!
trap 'kill "$acceptor" 2>/dev/null || true; rm -f "$said"' EXIT
tries=0
until port=$(sed -n 's/^listening on //p' "$said") && [ -n "$port" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] || { echo "fix_acceptor does not listen" >&2; exit 1; }
  sleep 0.05
done
"$1/fix_client" "$port"
wait "$acceptor"
cat "$said"
