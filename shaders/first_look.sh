#!/usr/bin/env bash
# Prints what `make demo` shows while it builds.
# first_look.sh kept: a shader, and its translation as this repository contains it; nothing needs to be built.
# first_look.sh BUILD: translates the same shader with BUILD/libtexlate.so and the C++ host of docs/examples, and compares the two.
set -euo pipefail
cd "$(dirname "$0")/.."
shader=shaders/ld_frame.asm golden=shaders/golden/ld_frame.ptx

first_load() { # prints the first load of a PTX file and the tests before it
  local line
  line=$(grep -nm1 '^	@%p[0-9]* tex' "$1" | cut -d: -f1)
  sed -n "$((line - 8)),${line}p" "$1"
}

if [ "$1" = kept ]; then
  echo "$shader has a load whose offset leads outside the texture. In Direct3D it reads 0; in PTX it is undefined."
  echo
  grep -m1 'ld_aoffimmi' $shader | sed 's/^/  /'
  echo
  echo "The PTX in $golden tests the coordinates first, so that the hardware never executes such a load:"
  echo
  first_load $golden
  echo
  echo "Next, the library that made this translation is built (two to three minutes on two cores), then the executors."
  exit 0
fi

work=$1/demo
mkdir -p "$work"
${CXX:-c++} -std=c++20 -O1 -Iinclude docs/examples/cpp_host/main.cpp -L"$1" -ltexlate -Wl,-rpath,"$(cd "$1" && pwd)" -o "$work/cpp_host"
"$work/cpp_host" $shader > "$work/first_look.txt"
grep -v '^// line ' "$work/first_look.txt" > "$work/first_look.ptx"
if cmp -s "$work/first_look.ptx" $golden; then
  echo "libtexlate.so is built. It translates $shader to the same bytes, and lists the guards:"
  grep -m5 '^// line ' "$work/first_look.txt" | sed 's/^/  /'
else
  echo "libtexlate.so is built, but its translation of $shader differs from $golden:" >&2
  diff "$work/first_look.ptx" $golden | sed -n 1,5p >&2
  exit 1
fi
echo
echo "Next, the executors are built: they run translations and draw the result."
