#!/usr/bin/env bash
# Installs the Debian packages needed to build, test and run texlate, after listing them, if root runs it; anybody else gets the command that does. Does
# nothing if they are all present. Without apt, it lists what is needed, and succeeds if the programs for the build are present.
# `setup.sh checked`: also those of the presets checked and fuzz, of `make format` and of `make tidy`.
# `setup.sh windows`, `arm64`, `i386`, `macos`, `wasm`: the compilers of these presets, what their build needs, and what runs their programs here.
# `setup.sh playground`: the same for the page, and the browser that tests it.
# `setup.sh dist`: what checks packages.
# `setup.sh --list`: prints what is missing and installs nothing.
set -euo pipefail

packages=(
  build-essential cmake ninja-build            # the build
  libfmt-dev libcli11-dev nlohmann-json3-dev   # text, command line, JSON
  libpng-dev                                   # pictures in and out
  spirv-headers spirv-tools libvulkan-dev libvulkan-volk-dev mesa-vulkan-drivers vulkan-validationlayers glslang-dev glslang-tools  # SPIR-V and its judges
  libgtest-dev libgmock-dev libbenchmark-dev   # tests and benches
  libvkd3d-dev vkd3d-compiler                  # a second opinion on DXBC, and what our libvkd3d-shader.so.1 stands in for
  python3                                      # tests of the program as a whole
)

# clang, libFuzzer and the sanitizers' run time; a linker that takes a sixth of the time for these large programs; the format; the linter;
# clients of vkd3d-shader and what takes pictures of them; what tests the Python module
[ "${1:-}" = checked ] &&
  packages+=(clang-14 libclang-rt-14-dev mold clang-format-14 clang-tidy-14 vkd3d-demos xvfb x11-apps imagemagick python3-pytest)

# Libraries of which the headers are enough, and the sources of GoogleTest.
cross=(cmake ninja-build build-essential libfmt-dev spirv-headers libcli11-dev nlohmann-json3-dev libstb-dev libvulkan-dev googletest python3)
case ${1:-} in
  windows) packages=("${cross[@]}" g++-mingw-w64-x86-64-posix wine64) ;;
  arm64) packages=("${cross[@]}" g++-aarch64-linux-gnu qemu-user) ;;
  i386) packages=("${cross[@]}" g++-i686-linux-gnu) ;;
  macos) packages=("${cross[@]}" python3-pip) ;;
  wasm) packages=(cmake ninja-build libfmt-dev spirv-headers nlohmann-json3-dev libstb-dev libvulkan-dev python3 python3-pip nodejs) ;;
  playground) packages=(cmake ninja-build libfmt-dev spirv-headers nlohmann-json3-dev libstb-dev libvulkan-dev python3 python3-pip nodejs chromium libjs-codemirror) ;;
  dist) packages+=(dpkg-dev fakeroot file lintian debootstrap python3-venv) ;;
esac

say() { printf '%s\n' "$*" >&2; }

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  missing=()
  for program in c++ cmake ninja; do command -v $program > /dev/null || missing+=($program); done
  if [ ${#missing[@]} -ne 0 ]; then
    say "There is no apt here, and these programs are missing: ${missing[*]}."
    say "texlate needs, by the names of Debian 12's packages: ${packages[*]}"
    exit 1
  fi
  exit 0  # CMake reports the library that it does not find
fi

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ "${1:-}" = --list ]; then
  printf '%s\n' "${missing[@]}"
  exit 0
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  say "These packages are missing: ${missing[*]}"
  say "Install them with: sudo apt-get install --no-install-recommends ${missing[*]}"
  exit 1
fi
say "These packages are missing and will be installed now (Ctrl-C to stop): ${missing[*]}"
[ -t 0 ] && [ -t 2 ] && sleep 3
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
