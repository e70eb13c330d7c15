#!/usr/bin/env bash
# portable.sh [SYSTEM...]: builds texlate for the other systems that can run here (windows, arm64, i386, wasm; all of them if none is named), with less
# optimization than `make windows` and so on, and runs what a user of each would: the examples on Windows, the page in a browser. Every system must make
# the bytes that this one makes, and so must the builds that TEXLATE_MUST_COMPARE names besides. For ARM64 and 32-bit x86 it is only the library, so that
# this takes half an hour at most: `make arm64` and `make i386` run the examples and the unit tests, too.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- windows arm64 i386 wasm

build() {  # PRESET TARGET...
  local preset=$1
  shift
  tools/setup.sh "$preset"
  # Not Release, in which some files are always compiled with -O3. tools/dist.sh packs only Release.
  cmake --preset "$preset" -D CMAKE_BUILD_TYPE=MinSizeRel -D CMAKE_CXX_FLAGS_MINSIZEREL="-O1 -DNDEBUG" > build/portable.log || { cat build/portable.log; exit 1; }
  cmake --build --preset "$preset" --target "$@"
}
tests=same_bytes_test
for system; do
  case $system in
    windows)
      build windows texlate texlate_shared digests
      ctest --preset windows -L portable
      ;;
    arm64 | i386) build "$system" digests ;;
    wasm)
      tools/setup.sh playground
      tools/zig.sh
      tools/node.sh
      build wasm playground digests
      tests="$tests|playground_test"
      ;;
    *)
      echo "portable: there is no system '$system'; there are windows, arm64, i386 and wasm" >&2
      exit 2
      ;;
  esac
done
cmake --build --preset release --target texlate digests
TEXLATE_MUST_COMPARE="$* ${TEXLATE_MUST_COMPARE:-}" ctest --preset release -R "^($tests)\$"
