#!/bin/sh
# Installs the programs that read the files of deploy/ into .cache/deploy-tools/bin, unless they are there. If one cannot
# be installed, it prints the reason, and the tests that need it are skipped.
#
#   nginx, haproxy        from Debian 12, unpacked with their libraries; nothing is installed or started on the system
#   nginx-1.30            from Debian sid: `sticky learn` needs 1.29.6 or newer
#   kubernetes-validate   a Python package with the schemas of Kubernetes
set -eu
cd "$(dirname "$0")/.."

folder=$PWD/.cache/deploy-tools
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$folder/bin"

skip() {
  echo "SKIPPED: the tests with $1 will not run: $2"
}

# Runs apt for a release of Debian with separate state: needs no root, and does not change the system's package lists.
apt() {
  release=$1
  program=$2
  shift 2
  "apt-$program" -qq -o APT::Sandbox::User="$(id -un)" -o Dir::State::lists="$folder/$release/lists" \
    -o Dir::State::status="$folder/$release/status" -o Dir::Cache="$folder/$release/cache" \
    -o Dir::Etc::sourcelist="$folder/$release/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

# Downloads and unpacks packages of a release.
unpack() {
  release=$1
  shift
  mkdir -p "$folder/$release/lists/partial" "$folder/$release/cache/archives/partial" "$folder/$release/packages"
  echo "deb [signed-by=$keyring] http://deb.debian.org/debian $release main" >"$folder/$release/sources.list"
  : >"$folder/$release/status"
  apt "$release" get update && (cd "$folder/$release/packages" && apt "$release" get download "$@") || return 1
  for package in "$folder/$release/packages"/*.deb; do dpkg -x "$package" "$folder/$release/root" || return 1; done
  rm -r "$folder/$release/packages" "$folder/$release/lists"
}

# Creates a command that runs an unpacked program with its own libraries instead of those of the system.
command_for() {
  root=$folder/$2/root
  loader=$(find "$root" -name 'ld-linux*.so.*' | head -n 1)
  libraries=$(find "$root" -name 'libc.so.6' -printf '%h\n' | head -n 1)
  libraries=$libraries:$(find "$root/usr/lib" -mindepth 1 -maxdepth 1 -name '*-linux-gnu*' | head -n 1)
  printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$libraries" "$root/usr/sbin/$3" \
    >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
  "$folder/bin/$1" -v >/dev/null 2>&1 || { rm "$folder/bin/$1"; return 1; }
}

fetch() {
  release=$1
  shift
  command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 || { echo 'apt-get is not installed'; return 1; }
  [ -f "$keyring" ] || { echo "$keyring does not exist"; return 1; }
  unpack "$release" "$@" >"$folder/$release.log" 2>&1 || { echo "see $folder/$release.log"; return 1; }
}

if [ ! -x "$folder/bin/nginx" ] || [ ! -x "$folder/bin/haproxy" ]; then
  if reason=$(fetch bookworm nginx haproxy libc6 libgcc-s1 libcrypt1 libpcre2-8-0 libssl3 zlib1g liblua5.3-0 libstdc++6 \
    libopentracing-c-wrapper0 libopentracing1 libsystemd0 libcap2 libgcrypt20 libgpg-error0 liblz4-1 liblzma5 libzstd1); then
    command_for nginx bookworm nginx || skip nginx 'the unpacked program does not start'
    command_for haproxy bookworm haproxy || skip haproxy 'the unpacked program does not start'
  else
    skip 'nginx and haproxy' "$reason"
  fi
fi

if [ ! -x "$folder/bin/nginx-1.30" ]; then
  if reason=$(fetch sid nginx libc6 libcrypt1 libpcre2-8-0 libssl3t64 zlib1g libzstd1); then
    command_for nginx-1.30 sid nginx || skip 'nginx 1.29.6 or newer' 'the unpacked program does not start'
  else
    skip 'nginx 1.29.6 or newer' "$reason"
  fi
fi

if [ ! -x "$folder/bin/kubernetes-validate" ]; then
  python=${PYTHON:-python3}
  log=$folder/kubernetes.log
  if "$python" -m venv --clear "$folder/python" >"$log" 2>&1 &&
    "$folder/python/bin/python" -m pip install --quiet --disable-pip-version-check kubernetes-validate==1.37.0 >>"$log" 2>&1; then
    ln -sf ../python/bin/kubernetes-validate "$folder/bin/kubernetes-validate"
  else
    skip 'the schemas of Kubernetes' "see $log"
  fi
fi

echo "Programs for deploy/: $(ls "$folder/bin" | tr '\n' ' ')in $folder/bin."
