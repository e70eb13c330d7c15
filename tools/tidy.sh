#!/usr/bin/env bash
# Runs clang-tidy (checks: .clang-tidy) over all sources of the program.
# `tidy.sh FILE...`: checks these files. `tidy.sh --changed`: checks the files that the last 25 commits changed.
# Does not use the flags of the compile database, which are g++'s. Three files are generated: build first.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh checked

generated=build/library grammar=build/backend/spirv page=build/tools/page
if [ ! -f "$generated/library/target_list.h" ]; then
  echo "tidy: $generated/library/target_list.h is missing: run 'make configure' first" >&2
  exit 1
fi

for file in "$grammar/grammar.inc" "$page/page.inc"; do
  if [ ! -f "$file" ]; then
    echo "tidy: $file is missing: run 'make build' first" >&2
    exit 1
  fi
done

# windows.cpp needs the headers of Windows: `make windows` compiles it.
sources=('frontend/*.cpp' 'ir/*.cpp' 'backend/*.cpp' 'library/*.cpp' 'sim/*.cpp' 'tools/*.cpp' ':!ir/base/platform/windows.cpp')
if [ "${1:-}" = --changed ]; then
  list=$(git log -n 25 --no-merges --diff-filter=AMR --name-only --format= -- "${sources[@]}" | sort -u)
  list=$(for file in $list; do [ ! -f "$file" ] || echo "$file"; done)
elif [ $# -gt 0 ]; then
  list=$(printf '%s\n' "$@")
else
  list=$(git ls-files -- "${sources[@]}")
fi
[ -n "$list" ] || { echo "tidy: no files to check"; exit 0; }
echo "tidy: $(wc -l <<< "$list") files"

# Prints the output for each file in one piece, and only if clang-tidy fails: on a finding, a missing header or file, or a crash.
check() {
  local output
  output=$(clang-tidy-14 --quiet --config-file=.clang-tidy "$1" -- -std=c++20 -I. -Iinclude -I"$2" -I"$3" -I"$4" -isystem /usr/include/vkd3d \
    -DTEXLATE_JUDGES='""' -DTEXLATE_VKD3D_VERSION='""' 2>&1) && return 0
  echo "tidy: $1 failed (status $?)"
  grep -vE '^[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated\.$' <<< "$output"
  return 1
}
export -f check
xargs -d '\n' -P "${TIDY_JOBS:-$(nproc)}" -I FILE bash -c 'check "$1" "$2" "$3" "$4"' tidy FILE "$generated" "$grammar" "$page" <<< "$list"
