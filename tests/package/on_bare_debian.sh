#!/usr/bin/env bash
# What scripts/test-deb does on the bare Debian, in three steps: install, use (without a network), remove.
# The packages and the consumer projects are in /test.
set -euo pipefail
cd /test

die() { echo "on bare Debian: $*" >&2; exit 1; }
step() { echo "on bare Debian: $*"; }
quietly() { "$@" >/test/log 2>&1 || { cat /test/log >&2; die "failed: $*"; }; }
install() { quietly apt-get install -y --no-install-recommends "$@"; }

install_packages() {
  quietly apt-get update
  step "install the program alone"
  install ./damrak_*.deb
  [[ $(damrak --version) == $(dpkg-query -W -f '${Version}' damrak) ]] || die "another version"
  [[ ! -e /usr/lib/libdamrak_engine.a ]] || die "the program brings the library"
  [[ -z $(find /etc/systemd -name 'damrak*' 2>/dev/null) ]] || die "the service is enabled"
  [[ $(stat -c '%U:%G %a' /etc/damrak /etc/damrak/damrak.toml) == $'root:damrak 750\nroot:damrak 640' ]] ||
    die "others may read the configuration"
  step "install the library, and what the checks need"
  install ./libdamrak-dev_*.deb g++ cmake make
  install man-db zsh fish bash-completion systemd tshark util-linux
}

# Until the command succeeds, or patience is over.
eventually() {
  local looks
  for ((looks = 0; looks < ${DAMRAK_TEST_PATIENCE:-600} * 10; looks++)); do
    ! "$@" || return 0
    sleep 0.1 # real time: for a condition
  done
  return 1
}

trade() {
  step "run the exchange as its service does, trade, reload, stop"
  mkdir -p /var/lib/damrak
  chown damrak: /var/lib/damrak
  cd /var/lib/damrak
  # As the unit has it.
  local command
  command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/damrak.service)
  # shellcheck disable=SC2086
  setpriv --reuid damrak --regid damrak --clear-groups $command >/test/out 2>/test/err &
  local exchange=$!
  eventually grep -q '^ready' /test/out || die "the exchange did not start: $(cat /test/err)"
  damrak term >/test/trades <<<$'buy 100 AAPL 10.00\nsell 40 AAPL 10.00\nwait 1' ||
    die "trading failed: $(cat /test/trades)"
  grep -q 'order 1 accepted' /test/trades || die "no order was accepted: $(cat /test/trades)"
  kill -HUP "$exchange"
  eventually grep -q '^reloaded' /test/err || die "it did not reload: $(cat /test/err)"
  kill -TERM "$exchange"
  wait "$exchange" || die "the exchange did not stop in order: $(cat /test/err)"
  quietly damrak journal verify /var/lib/damrak
  cd /test
}

compile() {
  local component
  for component in engine codecs exchange client; do
    step "find_package(damrak COMPONENTS $component)"
    quietly cmake -S . -B "build-$component" -Dcomponent="$component" -DCMAKE_BUILD_TYPE=Release
    quietly cmake --build "build-$component"
    quietly "build-$component/consumer"
  done
}

read_pages() {
  step "man damrak, man damrak serve, completions, dissector, service"
  man damrak | grep -q 'an electronic exchange' || die "man damrak does not render"
  man damrak serve | grep -q -- '--binary-port' || die "man damrak serve does not render"
  bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader damrak
    COMP_WORDS=(damrak ser); COMP_CWORD=1; _damrak; [[ $COMPREPLY == serve ]]' || die "no completion in bash"
  [[ $(zsh -c 'autoload -Uz compinit; compinit -D -u; print -r -- $_comps[damrak]') == _damrak ]] ||
    die "no completion in zsh"
  fish -c "complete -C 'damrak ser'" | grep -q ^serve || die "no completion in fish"
  tshark -G protocols 2>/dev/null | grep -q damrak_binary || die "tshark does not have the dissector"
  systemd-analyze verify /usr/lib/systemd/system/damrak.service || die "the unit has faults"
  systemd-analyze security --offline=true damrak.service | tail -n 1
}

remove() {
  step "remove, and purge"
  quietly apt-get purge -y damrak libdamrak-dev
  [[ -d /var/lib/damrak ]] || die "the journal was removed"
  local left
  left=$(find / -xdev \( -path /proc -o -path /dev -o -path /test -o -path /var/lib/damrak -o -path /var/cache \) -prune -o \
    -name '*damrak*' -print)
  [[ -z $left ]] || die "left behind: $left"
}

case $1 in
  install) install_packages ;;
  use)
    trade
    compile
    read_pages
    ;;
  remove) remove ;;
esac
