#!/usr/bin/env bash
# Runs clang-tidy (checks: .clang-tidy) over all sources of the program.
# `tidy.sh FILE...`: checks these files, each alone. `tidy.sh --changed`: checks the files that the last 25 commits changed, each alone: what a file
# uses without including it is then found.
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

# Most of the time for a file goes into the headers that it includes. So up to 32 files of a folder are checked as one if all are; where their names
# collide, the halves of the batch are.
most=32
[ $# -eq 0 ] || most=1
tidy() {  # FILE FOLDER...
  # That a source includes sources is what a batch is for.
  clang-tidy-14 --quiet --config-file=.clang-tidy --checks=-bugprone-suspicious-include "$1" -- -std=c++20 -I. -Iinclude "${@:2}" \
    -isystem /usr/include/vkd3d -DTEXLATE_JUDGES='""' -DTEXLATE_VKD3D_VERSION='""' 2>&1
}
# Prints the output for each batch in one piece, and only if clang-tidy fails: on a finding, a missing header or file, or a crash.
check() {  # BATCH FOLDER...
  local output count result=0
  output=$(tidy "$@") && return 0
  count=$(wc -l < "$1")
  if [ "$count" -gt 1 ] && grep -q 'clang-diagnostic-error' <<< "$output"; then
    head -n $((count / 2)) "$1" > "${1%.cpp}a.cpp"
    tail -n +$((count / 2 + 1)) "$1" > "${1%.cpp}b.cpp"
    for half in a b; do check "${1%.cpp}$half.cpp" "${@:2}" || result=1; done
    return $result
  fi
  echo "tidy: findings in $(sed 's/.*"\(.*\)"/\1/' "$1" | paste -sd ' ')"
  grep -vE '^[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated\.$' <<< "$output"
  return 1
}
export -f tidy check

batches=$(mktemp -d)
trap 'rm -rf "$batches"' EXIT
awk -v to="$batches" -v most=$most '
  { folder = $0; sub("/[^/]*$", "", folder) }
  folder != last || count == most { close(file); file = sprintf("%s/%03d.cpp", to, ++number); count = 0; last = folder }
  { ++count; printf "#include \"%s\"\n", $0 > file }' <<< "$list"
! grep -nE '^#include ".*\.cpp"' $list || { echo "tidy: a source includes another"; exit 1; }
printf '%s\n' "$batches"/*.cpp |
  xargs -d '\n' -P "${TIDY_JOBS:-$(nproc)}" -I FILE bash -c 'check "$1" "-I$2" "-I$3" "-I$4"' tidy FILE "$generated" "$grammar" "$page"
