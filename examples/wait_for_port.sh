# For the scripts beside it: what a program that begins to listen says.
#
#   port=$(wait_for_port FILE PREFIX)      the number behind PREFIX, at the beginning of a line of FILE
wait_for_port() {
  tries=0
  until port=$(sed -n "s/^$2\([0-9]*\).*/\1/p" "$1") && [ -n "$port" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { cat "$1" >&2; exit 1; }
    sleep 0.05
  done
  echo "$port"
}
