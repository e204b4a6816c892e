#!/bin/sh
# Installs a version of Node from npm into .cache/node-<version>, unless it is there: the newest one of the given version.
# If it cannot be installed, it prints the reason and succeeds: the tests on that version are skipped.
#
#   sh scripts/node.sh 24      # or 20.19
#
# npm's package `node` downloads the program in an install script, which npm can be configured not to run; the package of
# the platform needs none.
set -eu
cd "$(dirname "$0")/.."

wanted=$1
folder=".cache/node-$wanted"
package="node-$(node -p 'process.platform')-$(node -p 'process.arch')"
program="$folder/bin/node"

skip() {
  echo "SKIPPED: the tests on Node $wanted: $1"
  exit 0
}

if [ -x "$program" ] && version=$("$program" --version 2>/dev/null); then
  echo "Node $wanted: $folder has $version."
  exit 0
fi

mkdir -p "$folder/bin"
npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --prefer-offline "$package@$wanted" \
  >"$folder/install.log" 2>&1 || skip "npm cannot install $package@$wanted; see $folder/install.log."
ln -sf "../node_modules/$package/bin/node" "$program"
version=$("$program" --version 2>/dev/null) || { rm "$program"; skip "$package@$wanted does not run on this machine."; }
echo "Node $wanted: installed $version into $folder."
