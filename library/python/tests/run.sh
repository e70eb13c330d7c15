#!/usr/bin/env bash
# run.sh LIBRARY PROGRAM: runs the tests of the module; 77 (skipped) without pytest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export TEXLATE_LIBRARY=$1 TEXLATE_PROGRAM=$2 PYTHONPATH=$here/.. PYTHONDONTWRITEBYTECODE=1 ASAN_OPTIONS=detect_leaks=0
# Debian's pytest is that of Debian's python3, which need not be the first on PATH.
for python in "${TEXLATE_PYTHON:-python3}" /usr/bin/python3; do
  if "$python" -c 'import pytest' 2> /dev/null; then break; fi
done
if ! "$python" -c 'import pytest' 2> /dev/null; then
  echo "skipped: there is no pytest (Debian: python3-pytest)"
  exit 77
fi
exec "$python" -m pytest -q -p no:cacheprovider "$here"
