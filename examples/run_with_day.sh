#!/bin/sh
# An example that reads a recorded day, for the tests: one that is generated and archived here.
#
#   run_with_day.sh PROGRAM EXAMPLE SYMBOL...        EXAMPLE is called with the day and the rest
set -eu
program=$1
example=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" generate day.itch --messages 20000 --symbols 1
"$program" archive import day.itch
"$example" day.dar "$@"
