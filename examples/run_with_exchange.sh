#!/bin/sh
# An example that needs a running exchange, for the tests: with one of its own, on a free port.
#
#   run_with_exchange.sh PROGRAM GATEWAY EXAMPLE        EXAMPLE is called with the port of that gateway
set -eu
. "$(dirname "$0")/wait_for_port.sh"
data=$(mktemp -d)
"$1" serve --only "$2" "--$2-port" 0 --data "$data" >"$data/said" 2>&1 &
exchange=$!
trap 'kill "$exchange" 2>/dev/null || true; wait "$exchange" || true; rm -rf "$data"' EXIT
port=$(wait_for_port "$data/said" "ready $2=")
"$3" "$port"
