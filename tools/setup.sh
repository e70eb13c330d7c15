#!/usr/bin/env bash
# Installs the Debian packages that building, testing and running texlate need; does nothing when they are there.
# `setup.sh checked`: those of the presets checked and fuzz, of `make format` and `make tidy` too.
set -euo pipefail

packages=(
  build-essential cmake ninja-build            # the build
  libfmt-dev libcli11-dev nlohmann-json3-dev   # text, command line, JSON
  libpng-dev                                   # pictures in and out
  spirv-headers spirv-tools libvulkan-dev mesa-vulkan-drivers glslang-dev glslang-tools  # SPIR-V and its judges
  libgtest-dev libgmock-dev libbenchmark-dev   # tests and benches
  libvkd3d-dev vkd3d-compiler                  # a second opinion on DXBC
  python3                                      # tests of the program as a whole
)

# clang, libFuzzer and the sanitizers' run time; the format; the linter
[ "${1:-}" = checked ] && packages+=(clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
