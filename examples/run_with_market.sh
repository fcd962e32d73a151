#!/bin/sh
# An example that follows the market of a running exchange, for the tests: one of its own, with the
# demo market, on free ports.
#
#   run_with_market.sh PROGRAM EXAMPLE GATEWAY...       EXAMPLE is called with the ports of these gateways
set -eu
. "$(dirname "$0")/wait_for_port.sh"
program=$1
example=$2
shift 2
data=$(mktemp -d)
options=
for gateway in binary itch "$@"; do
  case $options in *"--$gateway-port"*) ;; *) options="$options --$gateway-port 0" ;; esac
done
"$program" serve --demo-market $options --only binary itch "$@" \
  --data "$data" >"$data/said" 2>&1 &
exchange=$!
trap 'kill "$exchange" 2>/dev/null || true; wait "$exchange" || true; rm -rf "$data"' EXIT
wait_for_port "$data/said" "ready binary=" >/dev/null
ports=
for gateway in "$@"; do ports="$ports $(sed -n "s/^ready .*$gateway=\([0-9]*\).*/\1/p" "$data/said")"; done
"$example" $ports
