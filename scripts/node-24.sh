#!/bin/sh
# Installs the newest Node 24 from npm into .cache/node-24, unless it is there. If it cannot be installed, it prints the
# reason and succeeds: the tests on Node 24 are skipped.
#
# npm's package `node` downloads the program in an install script, which npm can be configured not to run; the package of
# the platform needs none.
set -eu
cd "$(dirname "$0")/.."

folder=.cache/node-24
package="node-$(node -p 'process.platform')-$(node -p 'process.arch')"
program="$folder/bin/node"

skip() {
  echo "SKIPPED: the tests on Node 24: $1"
  exit 0
}

if [ -x "$program" ] && version=$("$program" --version 2>/dev/null); then
  echo "Node 24: $folder has $version."
  exit 0
fi

mkdir -p "$folder/bin"
npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --prefer-offline "$package@24" \
  >"$folder/install.log" 2>&1 || skip "npm cannot install $package@24; see $folder/install.log."
ln -sf "../node_modules/$package/bin/node" "$program"
version=$("$program" --version 2>/dev/null) || { rm "$program"; skip "$package@24 does not run on this machine."; }
echo "Node 24: installed $version into $folder."
