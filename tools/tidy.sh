#!/usr/bin/env bash
# clang-tidy (checks: .clang-tidy) over the C++ files named, or over those that the last 25 commits changed; `tidy.sh --all`: all of
# them. It parses with flags of its own: the compile database's are GCC's.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh checked
if [ "${1:-}" = --all ]; then
  mapfile -t files < <(git ls-files 'frontend/*.cpp' 'ir/*.cpp' 'backend/*.cpp' 'library/*.cpp' 'sim/*.cpp' 'tools/*.cpp')
elif [ $# -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(git log -n 25 --no-merges --diff-filter=AMR --name-only --format= -- \
    'frontend/*.cpp' 'ir/*.cpp' 'backend/*.cpp' 'library/*.cpp' 'sim/*.cpp' 'tools/*.cpp' | sort -u | xargs -r ls 2>/dev/null)
fi
[ ${#files[@]} -gt 0 ] || { echo "tidy: no file to look at"; exit 0; }
echo "tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 4 -P "$(nproc)" sh -c 'clang-tidy-14 --quiet "$@" -- -std=c++20 -I. -Iinclude 2>/dev/null' tidy
