#!/bin/sh
# Makes .cache/node-24: the newest Node 24, from npm. Does nothing if it is there. Where it cannot be had it says so and
# succeeds: that run of the tests is skipped.
#
# npm's package `node` would fetch the program of this platform by an install script, which npm may be told not to run;
# the package of the platform itself needs none.
set -eu
cd "$(dirname "$0")/.."

folder=.cache/node-24
package="node-$(node -p 'process.platform')-$(node -p 'process.arch')"
program="$folder/bin/node"

skip() {
  echo "SKIPPED: the tests will not run on Node 24: $1"
  exit 0
}

if [ -x "$program" ] && version=$("$program" --version 2>/dev/null); then
  echo "Node 24: $folder has $version."
  exit 0
fi

mkdir -p "$folder/bin"
npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --prefer-offline "$package@24" \
  >"$folder/install.log" 2>&1 || skip "npm cannot install $package@24; $folder/install.log says why."
ln -sf "../node_modules/$package/bin/node" "$program"
version=$("$program" --version 2>/dev/null) || { rm "$program"; skip "$package@24 does not run on this machine."; }
echo "Node 24: installed $version into $folder."
