#!/bin/sh
# The example of an engine of one's own, for the tests: in C++, in Python, and with a trade too few.
#
#   run_own_engine.sh EXAMPLE
set -eu
example=$1
engine=$(dirname "$0")/own_engine/my_engine.py
orders=5000
"$example" "" $orders
"$example" orders $orders | python3 "$engine" | "$example" check $orders
if "$example" orders $orders | python3 "$engine" | sed 100d | "$example" check $orders; then
  echo "a missing trade was not found" >&2
  exit 1
fi
