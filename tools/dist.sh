#!/usr/bin/env bash
# dist.sh [BUILD]: what a release consists of, in build/dist: an archive of the sources of HEAD, Debian packages (checked by lintian), wheels, a zip for
# Windows, archives for ARM64 Linux and macOS, the playground (if `make windows`, `arm64`, `macos` and `playground` have built them), and SHA256SUMS. Then
# all of it is used as those would who get it. What is left out is named. The packages and this system's wheel are made from the build folder BUILD;
# without it, from build/package, where the files are optimized together.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/build/dist
version=$(sed -nE 's/^project\(texlate VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
grep -q "^## $version - " CHANGELOG.md || { echo "dist: CHANGELOG.md has no date for $version" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out"
skip() { echo "left out: $*"; }

name=texlate-$version
git archive --format=tar --prefix="$name/" HEAD | gzip -9n > "$out/$name.tar.gz"
git diff --quiet HEAD || echo "note: $name.tar.gz is the last commit; the other files have your changes, too"

build=$root/${1:-build/package}
[ $# -gt 0 ] || cmake --preset package > "$out/configure.log" || { cat "$out/configure.log"; exit 1; }
cmake -B "$build" -DCMAKE_INSTALL_PREFIX=/usr > "$out/configure.log" || { cat "$out/configure.log"; exit 1; }
cmake --build "$build" --target texlate_installed
(cd "$build" && rm -rf packages && cpack -G DEB > "$out/cpack.log") || { cat "$out/cpack.log"; exit 1; }
cp "$build"/packages/*.deb "$out"
rm "$out"/*.log
if command -v lintian > /dev/null; then
  lintian --no-cfg --fail-on error --display-level ">=error" "$out"/*.deb
else
  skip "lintian (no lintian here)"
fi

python3 library/python/make_wheel.py --build "$build" --out "$out"
# A folder as it is unpacked: program, library, headers, CMake package, documents.
for system in windows arm64 macos; do
  program=build/$system/bin/texlate
  if [ ! -e $program ] && [ ! -e $program.exe ]; then
    skip "$system (make $system)"
    continue
  fi
  grep -q '^CMAKE_BUILD_TYPE:.*=Release$' "build/$system/CMakeCache.txt" || { skip "$system (built with little optimization: make $system)"; continue; }
  staged=$(mktemp -d)
  cmake --install "build/$system" --strip --prefix "$staged/$name-$system" > "$staged/log" || { cat "$staged/log"; exit 1; }
  if [ $system = windows ]; then
    (cd "$staged" && python3 -m zipfile -c "$out/$name-windows-x86_64.zip" "$name-$system")
  else
    archive=$name-linux-arm64
    [ $system = macos ] && archive=$name-macos-arm64
    tar -C "$staged" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$archive.tar.gz" "$name-$system"
  fi
  rm -rf "$staged"
  python3 library/python/make_wheel.py --build "build/$system" --out "$out"
done
if [ -e build/wasm/playground.html ] && grep -q '^CMAKE_BUILD_TYPE:.*=Release$' build/wasm/CMakeCache.txt; then
  cp build/wasm/playground.html "$out/$name-playground.html"
else
  skip "the playground (make playground)"
fi
(cd "$out" && sha256sum -- * > SHA256SUMS && cat SHA256SUMS)
tests/package/dist_test.sh "$out" "$root"
