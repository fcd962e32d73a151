#!/usr/bin/env bash
# Installs a build into an empty folder as the packages are made, and looks at what is there.
#
#   tests/package/check.sh BUILD_FOLDER
#
# Shells, manual pages and the systemd unit are checked with the programs that this machine has.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() { echo "package: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null || { echo "package: not checked, $1 is not installed: $2"; return 1; }; }

for component in program system development_documents engine codecs sessions ordering client \
    market_data gateways exchange; do
  DESTDIR=$work cmake --install "$build" --prefix /usr --component "$component" >"$work/log" || die "$(cat "$work/log")"
done
for file in /usr/bin/damrak /usr/lib/systemd/system/damrak.service /etc/damrak/damrak.toml \
  /usr/share/bash-completion/completions/damrak /usr/share/zsh/vendor-completions/_damrak \
  /usr/share/fish/vendor_completions.d/damrak.fish /usr/share/doc/damrak/copyright \
  /usr/share/doc/libdamrak-dev/copyright /usr/include/damrak/engine/engine.hpp; do
  [[ -s $work$file ]] || die "$file is missing"
done
for pattern in '/usr/lib/*/wireshark/plugins/damrak_binary.lua' '/usr/lib*/cmake/damrak/damrakConfig.cmake' \
  '/usr/lib*/libdamrak_engine.a'; do
  compgen -G "$work$pattern" >/dev/null || die "$pattern is missing"
done
damrak=$work/usr/bin/damrak

# Every command has a page, which has every option and renders without a warning.
commands_in() { sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\).*/\1/p'; }
flags_in() { grep -oE '^ +-[-a-zA-Z0-9,]+' | tr -d ' ' | tr , '\n'; }
pages=$work/usr/share/man/man1
check_page() { # COMMAND…
  local help name flag command
  help=$("$damrak" "$@" --help)
  printf -v name -- '-%s' damrak "$@"
  name=${name#-}
  [[ -s $pages/$name.1 ]] || die "there is no page $name(1)"
  [[ -z $(man --warnings -l "$pages/$name.1" 2>&1 >"$work/page") ]] || die "$name(1) does not render"
  for flag in $(flags_in <<<"$help"); do
    grep -qE -- "(^|[ ,])$flag([ ,]|$)" "$work/page" || die "$name(1) does not have $flag"
  done
  for command in $(commands_in <<<"$help"); do check_page "$@" "$command"; done
}
if has help2man "manual pages" && has man "manual pages"; then
  MANWIDTH=200 check_page
fi

"$damrak" serve --config "$work/etc/damrak/damrak.toml" --print-config >"$work/config"
grep -q 'directory = "/var/lib/damrak"' "$work/config" || die "the configuration has no data directory"

if has systemd-analyze "systemd unit"; then
  # The program and the user are not on this machine.
  sed -e "s|/usr/bin/damrak|$damrak|" -e '/^User=\|^Group=\|^Documentation=/d' \
    "$work/usr/lib/systemd/system/damrak.service" >"$work/damrak.service"
  systemd-analyze verify "$work/damrak.service" || die "the systemd unit has faults"
  systemd-analyze security --offline=true --threshold=20 "$work/damrak.service" >"$work/exposure" ||
    die "the service is too exposed: $(tail -n 1 "$work/exposure")"
fi

for script in "$here"/packaging/debian/{preinst,postinst,prerm,postrm}; do
  sh -n "$script" || die "$script is no shell script"
done
echo "package: as it should be"
