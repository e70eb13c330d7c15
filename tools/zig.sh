#!/bin/sh
# Installs the compiler for WebAssembly and macOS, PyPI's ziglang, into build/zig.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$root/build/zig/ziglang/zig" ] && exit 0
python3 -c 'import ziglang' 2> /dev/null && exit 0
if ! python3 -m pip install --quiet --target "$root/build/zig" ziglang==0.17.1; then
  echo "zig: PyPI cannot be reached" >&2
  exit 1
fi
