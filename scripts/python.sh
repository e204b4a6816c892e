#!/bin/sh
# Creates a virtual environment in .cache/python with the pinned packages of test/interop/requirements.txt, and with those
# of requirements-alone.txt, which are installed without dependencies (gigabytes) and for any version of Python. Does
# nothing if the pins have not changed. Without Python it prints the reason and succeeds: the tests are skipped.
#
#   sh scripts/python.sh            # PYTHON=python3.12 sh scripts/python.sh uses another interpreter
set -eu
cd "$(dirname "$0")/.."

folder=.cache/python
pins=test/interop/requirements.txt
alone=test/interop/requirements-alone.txt
# A copy of the installed pins, written last, so that a broken installation is repeated.
installed="$folder/requirements.txt"
python=${PYTHON:-python3}

skip() {
  echo "SKIPPED: the tests with Python clients: $1"
  exit 0
}

if [ -x "$folder/bin/python" ] && cat "$pins" "$alone" | cmp -s - "$installed"; then
  echo "Python clients: $folder is up to date."
  exit 0
fi

command -v "$python" >/dev/null 2>&1 || skip "'$python' is not installed. Install Python 3.11 or newer, or set PYTHON."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 ||
  skip "'$python' is $("$python" --version 2>&1 || true). Install Python 3.11 or newer, or set PYTHON."
"$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
  skip "'$python' lacks the module venv. Install it, on Debian with: apt install python3-venv"

# Python compiles modules when it imports them: the tests import few of these packages' modules.
echo "Python clients: installing $(cat "$pins" "$alone" | grep -v '^#' | tr '\n' ' ')into $folder ..."
"$python" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --requirement "$pins" || {
  skip "pip could not install $pins, see above. Is there a network? Then run again: sh scripts/python.sh"
}
"$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --no-deps --ignore-requires-python \
  --requirement "$alone" || {
  skip "pip could not install $alone, see above. Is there a network? Then run again: sh scripts/python.sh"
}
cat "$pins" "$alone" > "$installed"
echo "Python clients: ready."
