#!/bin/sh
# Installs Fastify into .cache/bench/fastify, for `make bench`, unless it is there. If it cannot be installed, it prints the
# reason and succeeds: the benchmarks run without it.
set -eu
cd "$(dirname "$0")/.."

folder=.cache/bench/fastify
version=5.12.8
manifest="$folder/node_modules/fastify/package.json"

if [ -f "$manifest" ] && grep -q "\"version\": \"$version\"" "$manifest"; then
  echo "Fastify: $folder has $version."
  exit 0
fi

mkdir -p "$folder"
npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --prefer-offline "fastify@$version" \
  >"$folder/install.log" 2>&1 || {
  echo "SKIPPED: benchmarks run without Fastify: npm cannot install fastify@$version; see $folder/install.log."
  exit 0
}
echo "Fastify: installed $version into $folder."
