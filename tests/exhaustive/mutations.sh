#!/usr/bin/env bash
# Breaks the code in one place at a time, in a copy of the tree, and checks whether a test fails:
#   tests/exhaustive/mutations.sh [pattern]      only mutations whose line matches the pattern
#   tests/exhaustive/mutations.sh --apply        only checks that each still applies; takes a second
# The list is mutations.txt, which names the tests that are built and run for each. Prints one line per mutation and exits with 1
# when one survives. A mutation takes some seconds on a free core, because one file is compiled and few programs are linked.
#   TEXLATE_COMPILER_LAUNCHER=ccache   takes objects that were compiled before from a cache
#   TEXLATE_JOBS=1                     number of parallel compilers
set -u
cd "$(dirname "$0")/../.."
list=$PWD/tests/exhaustive/mutations.txt
tree=$PWD/build/mutants/tree
build=$tree/build
jobs=${TEXLATE_JOBS:-$(nproc)}

# name|file|substitution|tests, one per line
mutations() {
  awk '/^tests: /{tests = substr($0, 8)} !/^(#|$|tests: )/{sub(/ +\| +/, "|"); sub(/ +\| +/, "|"); print $0 "\t" tests}' "$list"
}

if [ "${1:-}" = --apply ]; then
  bad=0
  while IFS=$'\t' read -r line _; do
    IFS='|' read -r name file substitution <<< "$line"
    perl -0pe "$substitution" "$file" | cmp -s - "$file" && { echo "$name: does not apply to $file"; bad=$((bad + 1)); }
  done < <(mutations)
  echo "$(mutations | wc -l) mutations, $bad do not apply"
  [ "$bad" -eq 0 ]
  exit
fi

mkdir -p "$build"
# Only files that differ are copied, so that a second run builds little.
git ls-files -co --exclude-standard | while read -r file; do
  cmp -s "$file" "$tree/$file" && continue
  mkdir -p "$tree/$(dirname "$file")"
  cp "$file" "$tree/$file"
done
# A mutation may leave names unused, which must not be an error. The cache accepts objects of the tree itself.
unused="-Wno-error=unused-variable -Wno-error=unused-but-set-variable -Wno-error=unused-parameter -Wno-error=unused-function"
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1 CCACHE_IGNOREOPTIONS='-Wno-error=*'
cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DTEXLATE_BUILD_BENCHMARKS=OFF \
  -DCMAKE_CXX_FLAGS="$unused" -DTEXLATE_TEST_OPTIONS=-O1 \
  ${TEXLATE_COMPILER_LAUNCHER:+-DCMAKE_C_COMPILER_LAUNCHER=$TEXLATE_COMPILER_LAUNCHER -DCMAKE_CXX_COMPILER_LAUNCHER=$TEXLATE_COMPILER_LAUNCHER} \
  > "$build/log" 2>&1 || { cat "$build/log"; exit 1; }

compile() { nice cmake --build "$build" --parallel "$jobs" --target "$@" > "$build/log" 2>&1; }
# The first of these tests that fails, or nothing. The limit is on processor time: on a busy machine a test that is only slow must
# not count as failed.
red_test() {
  local name which
  for name in "$@"; do
    (cd "$tree" && ulimit -t 300 && exec nice "$build/bin/$name" --gtest_brief=1 --gtest_fail_fast) > "$build/$name.out" 2>&1 && continue
    which=$(grep -m1 -oE '^\[  FAILED  \] [A-Za-z0-9_./]+' "$build/$name.out" | sed 's/.*\] //')
    echo "${which:-$name}"
    return
  done
}

survivors=0 count=0 ready=""
declare -A green  # tests that are green while nothing is broken
while IFS=$'\t' read -r line tests; do
  IFS='|' read -r name file substitution <<< "$line"
  if [ "$tests" != "$ready" ]; then
    # shellcheck disable=SC2086
    compile $tests || { tail -30 "$build/log"; exit 1; }
    for test in $tests; do
      [ -n "${green[$test]:-}" ] && continue
      red=$(red_test "$test")
      [ -z "$red" ] || { echo "$red is red before anything was broken"; exit 1; }
      green[$test]=1
    done
    ready=$tests
  fi
  cp "$tree/$file" "$build/original"
  perl -0pi -e "$substitution" "$tree/$file"
  count=$((count + 1))
  if cmp -s "$tree/$file" "$build/original"; then
    verdict="NOT APPLIED: the code has changed, mend mutations.txt"
    survivors=$((survivors + 1))
  else
    # One after the other: the first test detects most mutations.
    verdict="SURVIVED"
    for test in $tests; do
      if ! compile "$test"; then
        verdict="NOT COMPILED: $(grep -m1 -oE 'error: .*' "$build/log")"
        break
      fi
      red=$(red_test "$test")
      [ -z "$red" ] || { verdict="red: $red"; break; }
    done
    [[ $verdict == red:* ]] || survivors=$((survivors + 1))
  fi
  printf '%-38s %s\n' "$name" "$verdict"
  cp "$build/original" "$tree/$file"
done < <(mutations | grep -E -- "${1:-}")
echo "$((count - survivors)) of $count mutations found"
[ "$survivors" -eq 0 ]
