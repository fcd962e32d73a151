#!/usr/bin/env bash
# Uses the library as other projects do: installs each component from a build folder and finds it with
# find_package, and takes the engine in with add_subdirectory, without a build type. The latter compiles only
# the consumer, unless DAMRAK_TEST_SIZE is whole: the engine's sources are those of the build folder.
#
#   tests/consumers/check.sh BUILD_FOLDER COMPILER FLAGS [LAUNCHER]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 compiler=$2 flags=$3 launcher=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
configure() { quietly cmake -G Ninja -S "$here" -B "$@" -DCMAKE_CXX_COMPILER="$compiler"; }
without=()
for package in fmt ZLIB OpenSSL Boost pugixml tsl-robin-map PkgConfig; do
  without+=(-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON)
done

install_with_needs() { # PREFIX COMPONENT
  case $2 in
    codecs) install_with_needs "$1" engine ;;
    sessions) install_with_needs "$1" codecs ;;
    ordering | client) install_with_needs "$1" sessions ;;
    market_data) install_with_needs "$1" ordering ;;
    gateways) install_with_needs "$1" market_data ;;
    exchange) install_with_needs "$1" gateways ;;
  esac
  quietly cmake --install "$build" --prefix "$1" --component "$2"
}
for component in engine codecs exchange client; do
  prefix=$work/prefix-$component
  install_with_needs "$prefix" "$component"
  absent=()
  [[ $component != engine ]] || absent=("${without[@]}")
  configure "$work/$component" -Dcomponent="$component" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_FLAGS="$flags" "${absent[@]}"
  quietly cmake --build "$work/$component"
  (cd "$work" && quietly "$work/$component/consumer")
  echo "find_package: $component"
done
if (configure "$work/absent" -Dcomponent=exchange -DCMAKE_PREFIX_PATH="$work/prefix-client") 2>/dev/null; then
  echo "a component that is not installed was found" >&2
  exit 1
fi

configure "$work/inside" -Dcomponent=engine -DDAMRAK_SOURCE_DIR="$here/../.." "${without[@]}" \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"
if grep '"command"' "$work/inside/compile_commands.json" | grep -v -- ' -o CMakeFiles/consumer' | grep -qv -- ' -O3 '; then
  echo "without a build type the library is not optimised" >&2
  exit 1
fi
if [[ ${DAMRAK_TEST_SIZE:-} == whole ]]; then
  quietly cmake --build "$work/inside"
  quietly "$work/inside/consumer"
  [[ $(cd "$work/inside/damrak" && echo *.a) == libdamrak_engine.a ]]
else
  quietly cmake --build "$work/inside" --target CMakeFiles/consumer.dir/engine.cpp.o
  libraries=$(ninja -C "$work/inside" -t inputs consumer | grep -o '[^/]*\.a$' | sort -u || true)
  [[ $libraries == libdamrak_engine.a ]] || { echo "the consumer of the engine links $libraries" >&2; exit 1; }
fi
echo "add_subdirectory: engine"
