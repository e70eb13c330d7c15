#!/usr/bin/env bash
# Breaks the code in one place at a time, in a copy of the tree, and sees whether a test turns red:
#   tests/exhaustive/mutations.sh [pattern]      only mutations whose line matches the pattern
# The list is mutations.txt. Prints a line a mutation and exits with 1 when one survives. Half a minute a mutation on a
# free core.
set -u
cd "$(dirname "$0")/../.."
tree=$PWD/build/mutants/tree
build=$PWD/build/mutants/build
# The quick ones first; legalize_test, which reads what the pass writes, last.
tests="random_assembly_test live_lanes_test memory_edges_test arithmetic_edges_test fetch_vectors_test unordered_access_test sampling_test fetch_edges_test legalize_test"
mkdir -p "$tree" "$build"
# Only what differs is copied, so that a second run builds little.
git ls-files -co --exclude-standard | while read -r file; do
  cmp -s "$file" "$tree/$file" && continue
  mkdir -p "$tree/$(dirname "$file")"
  cp "$file" "$tree/$file"
done
# What a mutation leaves unused is not its fault.
unused="-Wno-error=unused-variable -Wno-error=unused-but-set-variable -Wno-error=unused-parameter -Wno-error=unused-function"
cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTEXLATE_BUILD_BENCHMARKS=OFF -DCMAKE_CXX_FLAGS="$unused" \
  ${TEXLATE_COMPILER_LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER=$TEXLATE_COMPILER_LAUNCHER} > "$build/log" 2>&1 || { cat "$build/log"; exit 1; }

compile() { nice cmake --build "$build" --target $tests > "$build/log" 2>&1; }
# The first test that is red, or nothing.
red_test() {
  local name
  for name in $tests; do
    (cd "$tree" && exec timeout 300 "$build/bin/$name" --gtest_brief=1 --gtest_fail_fast) > "$build/$name.out" 2>&1 && continue
    local which
    which=$(grep -m1 -oE '^\[  FAILED  \] [A-Za-z0-9_./]+' "$build/$name.out" | sed 's/.*\] //')
    echo "${which:-$name}"
    return
  done
}

compile || { tail -30 "$build/log"; exit 1; }
red=$(red_test)
[ -z "$red" ] || { echo "$red is red before anything was broken"; exit 1; }
survivors=0 count=0
while IFS='|' read -r name file substitution; do
  name=$(sed 's/ *$//' <<< "$name")
  file=$(tr -d ' ' <<< "$file")
  cp "$tree/$file" "$build/original"
  perl -0pi -e "${substitution# }" "$tree/$file"
  count=$((count + 1))
  if cmp -s "$tree/$file" "$build/original"; then
    verdict="NOT APPLIED: the code has changed, mend mutations.txt"
    survivors=$((survivors + 1))
  elif ! compile; then
    verdict="NOT COMPILED: $(grep -m1 -oE 'error: .*' "$build/log")"
    survivors=$((survivors + 1))
  else
    red=$(red_test)
    verdict=${red:+red: $red}
    [ -n "$red" ] || { verdict="SURVIVED"; survivors=$((survivors + 1)); }
  fi
  printf '%-38s %s\n' "$name" "$verdict"
  cp "$build/original" "$tree/$file"
done < <(grep -vE '^(#|$)' tests/exhaustive/mutations.txt | grep -E -- "${1:-}" | sed -E 's/ +\| /|/; s/ \| /|/')
echo "$((count - survivors)) of $count mutations found"
[ "$survivors" -eq 0 ]
