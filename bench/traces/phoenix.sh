#!/bin/sh
# Creates a virtual environment in .cache/phoenix with the pinned packages of bench/traces/phoenix-requirements.txt, about
# 1 GB. Does nothing if the pins have not changed.
#
#   sh bench/traces/phoenix.sh      # PYTHON=python3.12 sh bench/traces/phoenix.sh uses another interpreter
set -eu
cd "$(dirname "$0")/../.."

folder=.cache/phoenix
pins=bench/traces/phoenix-requirements.txt
# A copy of the installed pins, written last, so that a broken installation is repeated.
installed="$folder/requirements.txt"
python=${PYTHON:-python3}

if [ -x "$folder/bin/phoenix" ] && cmp -s "$pins" "$installed"; then
  echo "Phoenix: $folder is up to date."
  exit 0
fi

"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1 || {
  echo "SKIPPED: '$python' is not Python 3.10 or newer with the module venv. Install it, or set PYTHON." >&2
  exit 1
}

echo "Phoenix: installing $(grep -v '^#' "$pins") into $folder, which takes minutes ..."
"$python" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$pins"
cp "$pins" "$installed"
echo "Phoenix: ready."
