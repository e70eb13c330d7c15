#!/usr/bin/env bash
# Builds texlate for the other systems that can run here, with less optimization than `make windows` and so on, and runs what a user of each would: the
# examples on Windows, the page in a browser. Every system must make the bytes that this one makes.
# For ARM64 and 32-bit x86 it is only the library, so that this takes half an hour at most: `make arm64` and `make i386` run the examples, too.
set -euo pipefail
cd "$(dirname "$0")/.."
for system in windows arm64 i386 playground wasm; do tools/setup.sh $system; done
tools/zig.sh
tools/node.sh

build() {  # PRESET TARGET...
  local preset=$1
  shift
  # Not Release, in which some files are always compiled with -O3. tools/dist.sh packs only Release.
  cmake --preset "$preset" -D CMAKE_BUILD_TYPE=MinSizeRel -D CMAKE_CXX_FLAGS_MINSIZEREL="-O1 -DNDEBUG" > build/portable.log || { cat build/portable.log; exit 1; }
  cmake --build --preset "$preset" --target "$@"
}
build windows texlate texlate_shared digests
build arm64 digests
build i386 digests
build wasm playground digests
ctest --preset windows -L portable
cmake --build --preset release --target texlate digests
TEXLATE_MUST_COMPARE="windows arm64 i386 wasm ${TEXLATE_MUST_COMPARE:-}" ctest --preset release -R '^(same_bytes_test|playground_test)$'
