#!/bin/sh
# Makes .cache/bench/fastify: the Fastify that `make bench` measures beside our server. Does nothing if it is there. Where
# it cannot be had it says so and succeeds: the benchmarks go without.
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
  echo "SKIPPED: the benchmarks go without Fastify: npm cannot install fastify@$version; $folder/install.log says why."
  exit 0
}
echo "Fastify: installed $version into $folder."
