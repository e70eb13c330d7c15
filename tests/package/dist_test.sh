#!/usr/bin/env bash
# dist_test.sh DIST SOURCE: uses what `make dist` wrote as those would who get it: unpacks the sources and configures them, installs the Debian packages
# into a minimal Debian system and removes them, installs the wheel into a fresh environment, and runs the programs for other systems. What
# this machine cannot do is named.
set -euo pipefail
dist=$(realpath "$1") source=$(realpath "$2")
version=$(sed -nE 's/^project\(texlate VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "dist_test: $*" >&2; exit 1; }
skip() { echo "not tested: $*"; }
shader=shaders/lambert.asm scene=shaders/scenes/lambert.json
words() { head -c 4 "$1" | od -An -tx1 | tr -d ' \n'; }
spirv_magic=03022307

(cd "$dist" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS does not fit"

tar -C "$work" -xf "$dist/texlate-$version.tar.gz"
cmake -S "$work/texlate-$version" -B "$work/build" -DTEXLATE_BUILD_TESTS=OFF > "$work/log" 2>&1 || { cat "$work/log"; fail "the source archive cannot be configured"; }
echo "source archive: configures"

# The packages, in a Debian system that has nothing but what every Debian system has.
debian_packages() {
  local root=$work/debian
  debootstrap --variant=minbase bookworm "$root" > "$work/debootstrap" 2>&1 || { tail -3 "$work/debootstrap"; skip "Debian packages (debootstrap failed)"; return 0; }
  inside() { DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@" > "$work/log" 2>&1 || { tail -20 "$work/log"; fail "in a minimal Debian: $*"; }; }
  cp "$dist"/*.deb "$source/$shader" "$source/$scene" "$root/tmp"
  find "$root" -xdev -path "$root/tmp" -prune -o -name '*texlate*' -print > "$work/before"
  inside sh -c 'apt-get install -y --no-install-recommends /tmp/*.deb'
  inside texlate --version
  grep -qF "$version" "$work/log" || fail "in a minimal Debian, texlate --version says: $(cat "$work/log")"
  inside texlate translate /tmp/lambert.asm --to spirv -o /tmp/lambert.spv
  [ "$(words "$root/tmp/lambert.spv")" = $spirv_magic ] || fail "in a minimal Debian, texlate writes no SPIR-V"
  inside sh -c 'apt-get install -y --no-install-recommends gcc libc6-dev pkgconf'
  cp "$source/docs/examples/plain_c/main.c" "$root/tmp"
  inside sh -c 'gcc /tmp/main.c $(pkg-config --cflags --libs texlate) -o /tmp/host && /tmp/host'
  grep -q 'status 0' "$work/log" || fail "a program that uses the packaged library says: $(cat "$work/log")"
  inside sh -c 'apt-get purge -y "texlate" "libtexlate*"'
  find "$root" -xdev \( -path "$root/tmp" -o -path "$root/var/log" \) -prune -o -name '*texlate*' -print > "$work/after"
  diff "$work/before" "$work/after" || fail "removing the packages leaves files behind"
  echo "Debian packages: installed, used and removed in a minimal Debian 12"
}
if [ "$(id -u)" -ne 0 ]; then
  skip "Debian packages (only root can change into another root folder)"
elif ! command -v debootstrap > /dev/null; then
  skip "Debian packages (no debootstrap)"
else
  debian_packages
fi

# The wheel, without the network and without any other package.
if python3 -m venv "$work/python" > "$work/log" 2>&1; then
  "$work/python/bin/pip" install --quiet --no-index --disable-pip-version-check "$dist"/texlate-*-manylinux_*_"$(uname -m)".whl || fail "pip cannot install the wheel"
  # The example in the module's README.
  awk '/^```/ {inside = !inside; python = $0 == "```python"; n += inside && python; next} inside && python && n == 1' "$source/library/python/README.md" > "$work/example.py"
  mkdir "$work/example"
  cp "$source/tests/fuzz/frontend/container_seeds/fetch.dxbc" "$work/example/water.dxbc"
  (cd "$work/example" && env -u PYTHONPATH -u TEXLATE_LIBRARY -u TEXLATE_PROGRAM "$work/python/bin/python" ../example.py) || fail "the example of library/python/README.md fails"
  [ "$(words "$work/example/water.spv")" = $spirv_magic ] || fail "the wheel's module writes no SPIR-V"
  [ "$(words "$work/example/orange.png")" = 89504e47 ] || fail "the wheel's module writes no picture"
  "$work/python/bin/texlate" translate "$source/$shader" -o "$work/wheel.ptx"
  grep -q '^\.visible \.entry' "$work/wheel.ptx" || fail "the wheel's program writes no PTX"
  echo "wheel: installed in a fresh environment; its module writes SPIR-V and a picture, its program PTX"
else
  skip "the wheel (python3 has no venv)"
fi

# other NAME ARCHIVE PROGRAM EMULATOR...: the program of an archive for another system makes the bytes that this system's makes.
other() {
  local name=$1 archive=$2 program=$3
  shift 3
  [ -e "$archive" ] || { skip "$name (not in $dist)"; return 0; }
  mkdir "$work/$name"
  case $archive in
    *.zip) python3 -m zipfile -e "$archive" "$work/$name" ;;
    *) tar -C "$work/$name" -xf "$archive" ;;
  esac
  program=$(echo "$work/$name"/*/bin/"$program")
  [ -e "$program" ] || fail "$archive has no program"
  [ $# -gt 0 ] || { skip "$name: $(basename "$archive") is unpacked, but nothing here runs its program"; return 0; }
  command -v "$1" > /dev/null || { skip "$name (no $1)"; return 0; }
  chmod +x "$program"
  for target in spirv ptx maxwell; do
    (cd "$source" && "$@" "$program" translate $shader --to $target -o "$work/$name.$target" && build/package/bin/texlate translate $shader --to $target -o "$work/native.$target")
    cmp "$work/$name.$target" "$work/native.$target" || fail "$name: other bytes for $target"
  done
  (cd "$source" && "$@" "$program" run $shader --scene $scene -o "$work/$name.png") || fail "$name: cannot run $shader"
  echo "$name: translates $shader to the same bytes and draws its picture"
}
other windows "$dist/texlate-$version-windows-x86_64.zip" texlate.exe "$source/tools/wine.sh"
other arm64 "$dist/texlate-$version-linux-arm64.tar.gz" texlate qemu-aarch64 -L /usr/aarch64-linux-gnu
other macos "$dist/texlate-$version-macos-arm64.tar.gz" texlate
