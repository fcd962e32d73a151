#!/bin/sh
# An example that needs a running exchange, for the tests: with one of its own, on a free port.
#
#   run_with_exchange.sh PROGRAM EXAMPLE        EXAMPLE is called with the port of the binary door
set -eu
data=$(mktemp -d)
"$1" serve --only binary --binary-port 0 --data "$data" >"$data/said" 2>&1 &
exchange=$!
trap 'kill "$exchange" 2>/dev/null || true; wait "$exchange" || true; rm -rf "$data"' EXIT
tries=0
until port=$(sed -n 's/^ready binary=//p' "$data/said") && [ -n "$port" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { cat "$data/said" >&2; exit 1; }
  sleep 0.05
done
"$2" "$port"
