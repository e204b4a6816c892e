#!/bin/sh
# Installs servers of other protocols into .cache/bench, for `make bench`, unless they are there: both versions of the MCP
# TypeScript SDK, and OpenEnv. If one cannot be installed, it prints the reason and succeeds: the benchmarks run without
# it.
#
#   sh scripts/bench-peers.sh          # PYTHON=python3.12 sh scripts/bench-peers.sh uses another interpreter
set -eu
cd "$(dirname "$0")/.."

cache=.cache/bench
zod=zod@4.6.7

# npm_peer FOLDER PACKAGE@VERSION...
npm_peer() {
  name=$1
  shift
  folder="$cache/$name"
  packages="$* $zod"
  if [ -f "$folder/installed.txt" ] && [ "$(cat "$folder/installed.txt")" = "$packages" ]; then
    echo "$name: $folder is up to date."
    return
  fi
  rm -rf "$folder"
  mkdir -p "$folder"
  # shellcheck disable=SC2086
  if npm install --prefix "$folder" --no-save --no-package-lock --no-audit --no-fund --prefer-offline --ignore-scripts \
    $packages >"$folder/install.log" 2>&1; then
    echo "$packages" >"$folder/installed.txt"
    echo "$name: installed $packages into $folder."
  else
    rm -rf "$folder/node_modules"
    echo "SKIPPED: benchmarks run without $name: npm cannot install $packages; see $folder/install.log."
  fi
}

openenv() {
  folder="$cache/openenv"
  pins=bench/servers/openenv-requirements.txt
  python=${PYTHON:-python3}
  # A copy of the pins, written last, so that a broken installation is repeated.
  if cmp -s "$pins" "$folder/requirements.txt"; then
    echo "openenv: $folder is up to date."
    return
  fi
  if "$python" -m venv --clear "$folder" >"$cache/openenv.log" 2>&1 &&
    "$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --requirement "$pins" \
      >>"$cache/openenv.log" 2>&1 &&
    # Compiles the modules that a server needs: otherwise the first one would take half a minute to start.
    "$folder/bin/python" -c 'import openenv.core.env_server.http_server, uvicorn' >>"$cache/openenv.log" 2>&1; then
    cp "$pins" "$folder/requirements.txt"
    echo "openenv: installed $(grep '^openenv==' "$pins") into $folder."
  else
    rm -rf "$folder"
    echo "SKIPPED: benchmarks run without openenv: $python cannot create $folder; see $cache/openenv.log."
  fi
}

mkdir -p "$cache"
npm_peer mcp-v1 @modelcontextprotocol/sdk@1.32.2
npm_peer mcp-v2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2
openenv
