#!/usr/bin/env bash
# What `make demo` shows while it builds.
# first_look.sh kept: a shader, and what this repository keeps as its translation; nothing needs to be built.
# first_look.sh BUILD: the same translation by BUILD/libtexlate.so, through the C++ host of docs/examples, and whether it is equal.
set -euo pipefail
cd "$(dirname "$0")/.."
shader=shaders/ld_frame.asm golden=shaders/golden/ld_frame.ptx

first_load() { # the first load of a PTX file, with the tests before it
  local line
  line=$(grep -nm1 '^	@%p[0-9]* tex' "$1" | cut -d: -f1)
  sed -n "$((line - 8)),${line}p" "$1"
}

if [ "$1" = kept ]; then
  echo "In $shader, a load whose offset steps out of the texture. Direct3D: outside reads 0. PTX: undefined."
  echo
  grep -m1 'ld_aoffimmi' $shader | sed 's/^/  /'
  echo
  echo "In PTX, as $golden has it: the hardware never sees a load outside."
  echo
  first_load $golden
  echo
  echo "Now the library is built, which makes this again (two to three minutes on two cores), then the executors."
  exit 0
fi

work=$1/demo
mkdir -p "$work"
${CXX:-c++} -std=c++20 -O1 -Iinclude docs/examples/cpp_host/main.cpp -L"$1" -ltexlate -Wl,-rpath,"$(cd "$1" && pwd)" -o "$work/cpp_host"
"$work/cpp_host" $shader > "$work/first_look.txt"
grep -v '^// line ' "$work/first_look.txt" > "$work/first_look.ptx"
if cmp -s "$work/first_look.ptx" $golden; then
  echo "libtexlate.so is built. It translates $shader to the same bytes, and says what it closed:"
  grep '^// line ' "$work/first_look.txt" | head -5 | sed 's/^/  /'
else
  echo "libtexlate.so is built, and translates $shader to something else than $golden:" >&2
  diff "$work/first_look.ptx" $golden | head -5 >&2
  exit 1
fi
echo
echo "Now the executors are built, which draw what a translation means."
