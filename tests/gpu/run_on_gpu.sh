#!/usr/bin/env bash
# Runs on this machine's GPU, through the CUDA driver (--via cuda), what other tests run on the PTX machine, and writes a report:
#   tests/gpu/run_on_gpu.sh [BUILD] [REPORT]        (build, build/gpu_report.txt)
# It runs the examples, the suites of arithmetic, edges, sampling and unordered access, and the corpus if it is there. The interpreter
# is the reference for each. TEXLATE_EVERY and TEXLATE_CORPUS_STRIDE=20 run a share. Exit status: 0 if all agree, 1 if something
# differs, 77 if there is no GPU; the report then says that nothing was run.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:-build}
report=${2:-$build/gpu_report.txt}
texlate=$build/bin/texlate
[ -x "$texlate" ] || { echo "no $texlate: build first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "$*" | tee -a "$report"; }
: > "$report"
say "texlate on a GPU, $(date -u +%FT%TZ), $("$texlate" --version | head -1)"
"$texlate" run shaders/ld_edges.asm --via cuda > "$work/first" 2>&1
status=$?
if [ $status -eq 2 ]; then
  say "not run: $(sed 's/.*error: cuda: //' "$work/first")"
  exit 77
fi
say "GPU: $(sed -n 's/.* s on //p' "$work/first")"
wrong=0

# check NAME COMMAND ...: writes one line to the report, and the command's output if it fails.
check() {
  local name=$1 start=$SECONDS
  shift
  "$@" > "$work/log" 2>&1
  local status=$?
  case $status in
    0) say "agrees   $name ($((SECONDS - start)) s)" ;;
    77) say "skipped  $name: $(tail -1 "$work/log")" ;;
    *) say "DIFFERS  $name (status $status, $((SECONDS - start)) s)"
       grep -vE '^\[ +(OK|RUN)|^\[--|^$' "$work/log" | head -40 | sed 's/^/    /' >> "$report"
       wrong=$((wrong + 1)) ;;
  esac
}

for shader in shaders/*.asm; do
  check "example $(basename "$shader" .asm)" "$texlate" diff "$shader" --via ir,cuda
done
for suite in arithmetic_edges fetch_edges fetch_vectors memory_edges sampling unordered_access live_lanes; do
  if [ -x "$build/bin/${suite}_test" ]; then
    check "suite $suite" env TEXLATE_MACHINE=cuda "$build/bin/${suite}_test"
  else
    say "not built: suite $suite"
  fi
done
check "corpus" env TEXLATE_CORPUS_VIA=cuda tests/corpus/run_corpus.sh "$texlate"
say "$([ $wrong -eq 0 ] && echo "everything agrees" || echo "$wrong of these differ"); report: $report"
[ $wrong -eq 0 ]
