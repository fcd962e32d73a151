#!/bin/sh
# The FIX examples with each other, for the tests: fix_client against fix_acceptor on a free port,
# in every version, and once with TLS. Each checks what the other sends against the dictionary.
#
#   run_fix_pair.sh FOLDER_OF_THE_EXAMPLES
set -eu
. "$(dirname "$0")/wait_for_port.sh"
folder=$(mktemp -d)
acceptor=
trap 'kill "$acceptor" 2>/dev/null || true; rm -rf "$folder"' EXIT

# pair VERSION [CERTIFICATE KEY]
pair() {
  version=$1
  shift
  : >"$folder/said"
  "$examples/fix_acceptor" 0 "$@" >"$folder/said" &
  acceptor=$!
  port=$(wait_for_port "$folder/said" 'listening on ')
  timeout 60 "$examples/fix_client" "$port" "$version" CLIENT1 ${1:+"$1"}
  wait "$acceptor"
  cat "$folder/said"
}

examples=$1
for version in FIX.4.0 FIX.4.1 FIX.4.2 FIX.4.3 FIX.4.4 FIX.5.0 FIX.5.0SP1 FIX.5.0SP2; do
  pair "$version"
done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -out "$folder/tls.pem" -keyout "$folder/tls.key" 2>/dev/null
pair FIX.4.4 "$folder/tls.pem" "$folder/tls.key"
