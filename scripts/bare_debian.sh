# Sourced by the scripts that try packages on a bare Debian. The system is built once, in build/debian-SUITE; changes to
# it stay in memory. Needs root, debootstrap and a Debian mirror: DEBIAN_MIRROR, or that of this machine.

# Starts the script that calls it again, with its arguments, where $root is that system. Mounts and processes end with
# the script.
enter_bare_debian() { # SUITE ARGUMENT…
  local base=build/debian-$1 mirror=${DEBIAN_MIRROR:-} work
  if [[ -z ${inside_bare_debian:-} ]]; then
    if [[ ! -e $base/.complete ]]; then
      [[ -n $mirror ]] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 -E '/debian/?$') ||
        mirror=http://deb.debian.org/debian
      echo "a bare Debian $1 into $base"
      rm -rf "$base"
      mkdir -p "$base"
      debootstrap --variant=minbase "$1" "$base" "$mirror" >"$base.log" 2>&1 || { tail -n 5 "$base.log" >&2; exit 1; }
      touch "$base/.complete"
    fi
    inside_bare_debian=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "${@:2}"
  fi
  work=$(mktemp -d)
  mount -t tmpfs tmpfs "$work"
  mkdir "$work"/{upper,work,root}
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/work" "$work/root"
  export root=$work/root
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mkdir -p "$root/test"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
}

in_root() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
    ${http_proxy:+http_proxy="$http_proxy"} DEBIAN_FRONTEND=noninteractive "$@"
}
export -f in_root

# In a network of its own: the ports of this machine may be taken, and nothing can be fetched.
in_lonely_root() {
  unshare --net bash -c 'ip link set lo up && in_root "$@"' bash "$@"
}
