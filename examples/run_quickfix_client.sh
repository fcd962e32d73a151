#!/bin/sh
# The QuickFIX client with an exchange of its own, for the tests, both as configured in quickfix/
# except for port and folders. Runs in the root of the tree, where the dictionaries are found.
#
#   run_quickfix_client.sh PROGRAM CLIENT
set -eu
here=$(dirname "$0")
. "$here/wait_for_port.sh"
data=$(mktemp -d)
"$1" serve --config "$here/quickfix/exchange.toml" --fix-port 0 --http-port off \
  --data "$data/exchange" >"$data/said" 2>&1 &
exchange=$!
trap 'kill "$exchange" 2>/dev/null || true; wait "$exchange" || true; rm -rf "$data"' EXIT
port=$(wait_for_port "$data/said" "ready fix=")
sed -e "s/^SocketConnectPort=.*/SocketConnectPort=$port/" \
  -e "s#^FileStorePath=.*#FileStorePath=$data/store#" \
  "$here/quickfix/client.cfg" >"$data/client.cfg"
# Twice: the second run continues the sequence numbers of the first.
for run in first second; do
  printf 'buy 100 TEST 10.00\nwait 1\ncancel\nwait 1\n' |
    timeout 60 "$2" "$data/client.cfg" >"$data/$run"
  cat "$data/$run"
  grep -q '^report 150=0 39=0 ' "$data/$run"
  grep -q '^report 150=4 39=4 ' "$data/$run"
done
