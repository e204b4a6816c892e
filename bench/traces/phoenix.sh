#!/bin/sh
# Makes .cache/phoenix: a virtual environment with what bench/traces/phoenix-requirements.txt pins, about 1 GB.
# Does nothing if it is there and the pins are the same.
#
#   sh bench/traces/phoenix.sh      # PYTHON=python3.12 sh bench/traces/phoenix.sh takes another interpreter
set -eu
cd "$(dirname "$0")/../.."

folder=.cache/phoenix
pins=bench/traces/phoenix-requirements.txt
# A copy of the pins that were installed last; written at the end, so that a broken installation is made anew.
installed="$folder/requirements.txt"
python=${PYTHON:-python3}

if [ -x "$folder/bin/phoenix" ] && cmp -s "$pins" "$installed"; then
  echo "Phoenix: $folder is up to date."
  exit 0
fi

"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1 || {
  echo "SKIPPED: '$python' is no Python 3.10 or newer with the module venv. Install one, or set PYTHON." >&2
  exit 1
}

echo "Phoenix: installing $(grep -v '^#' "$pins") into $folder, which takes minutes ..."
"$python" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$pins"
cp "$pins" "$installed"
echo "Phoenix: ready."
