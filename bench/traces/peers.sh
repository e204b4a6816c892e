#!/bin/sh
# Creates virtual environments in .cache/phoenix and .cache/mlflow with the pinned packages of
# bench/traces/*-requirements.txt, about 1 GB each. Does nothing if the pins have not changed.
#
#   sh bench/traces/peers.sh           # both
#   sh bench/traces/peers.sh mlflow    # PYTHON=python3.12 sh bench/traces/peers.sh uses another interpreter
set -eu
cd "$(dirname "$0")/../.."

python=${PYTHON:-python3}

"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1 || {
  echo "SKIPPED: '$python' is not Python 3.10 or newer with the module venv. Install it, or set PYTHON." >&2
  exit 1
}

for name in ${*:-phoenix mlflow}; do
  folder=.cache/$name
  pins=bench/traces/$name-requirements.txt
  # A copy of the installed pins, written last, so that a broken installation is repeated.
  installed="$folder/requirements.txt"
  if [ -x "$folder/bin/$name" ] && cmp -s "$pins" "$installed"; then
    echo "$folder is up to date."
    continue
  fi
  echo "Installing $(grep -v '^#' "$pins") into $folder, which takes minutes ..."
  "$python" -m venv --clear "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$pins"
  cp "$pins" "$installed"
done
