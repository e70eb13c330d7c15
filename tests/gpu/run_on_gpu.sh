#!/usr/bin/env bash
# Runs on this machine's GPU, through the CUDA driver (--via cuda), what other tests run on the PTX machine, and writes a report:
#   tests/gpu/run_on_gpu.sh [BUILD] [REPORT]        (build, build/gpu_report.txt)
# It runs the examples, the suites of arithmetic, edges, sampling and unordered access, and the corpus if it is there. The interpreter
# is the reference for each. TEXLATE_EVERY and TEXLATE_CORPUS_STRIDE=20 run a share.
#
# An example "agrees" if every bit does; it "rounds" if it agrees within the tolerance that its own case states for the Vulkan driver
# (the comment TEST: run ... --via ir,vulkan --absolute), whose filters and transcendental functions are those of the hardware too;
# otherwise it "DIFFERS": that is a defect. "LOST" means that a kernel failed and the driver ran nothing more.
# Exit status: 0 if nothing differs, 1 if something does, 77 if there is no GPU; the report then says that nothing was run.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:-build}
report=${2:-$build/gpu_report.txt}
texlate=${TEXLATE:-$build/bin/texlate}
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

# The command's output without what is the same in every run.
show_log() { grep -vE '^\[ +(OK|RUN)|^\[--|^$' "$work/log" | head -40 | sed 's/^/    /' >> "$report"; }
# conclude NAME STATUS SECONDS: writes one line to the report, and the command's output if it failed.
conclude() {
  case $2 in
    0) say "agrees   $1 ($3 s)"; return ;;
    77) say "skipped  $1: $(tail -1 "$work/log")"; return ;;
    76) say "LOST     $1 ($3 s): a kernel failed, and the driver ran nothing after it" ;;
    *) say "DIFFERS  $1 (status $2, $3 s)" ;;
  esac
  show_log
  wrong=$((wrong + 1))
}
# check NAME COMMAND ...
check() {
  local name=$1 start=$SECONDS
  shift
  "$@" > "$work/log" 2>&1
  conclude "$name" $? $((SECONDS - start))
}
# tolerance SHADER: of its case for the Vulkan driver, or 0.
tolerance() {
  local found
  found=$(sed -n 's|^// TEST: run .*--via ir,vulkan --absolute \([0-9.e-]*\)$|\1|p' "$1" | head -1)
  echo "${found:-0}"
}
example() {
  local shader=$1 name start=$SECONDS allowed status
  name=$(basename "$shader" .asm)
  local scene=shaders/scenes/$name.json words=()
  [ -f "$scene" ] && words=(--scene "$scene")
  "$texlate" diff "$shader" "${words[@]}" --via ir,cuda --absolute 0 > "$work/log" 2>&1
  status=$?
  if grep -q '^cuda: the kernel failed' "$work/log"; then
    status=76
  elif [ $status -eq 1 ]; then
    allowed=$(tolerance "$shader")
    if "$texlate" diff "$shader" "${words[@]}" --via ir,cuda --absolute "$allowed" > "$work/near" 2>&1; then
      say "rounds   example $name ($((SECONDS - start)) s): $(sed -n 's/^  \([0-9]* components, .*\)/\1/p' "$work/log"); $allowed is allowed"
      return
    fi
  fi
  conclude "example $name" $status $((SECONDS - start))
}

for shader in shaders/*.asm; do example "$shader"; done
for suite in arithmetic_edges fetch_edges fetch_vectors memory_edges sampling unordered_access live_lanes; do
  if [ -x "$build/bin/${suite}_test" ]; then
    check "suite $suite" env TEXLATE_MACHINE=cuda "$build/bin/${suite}_test"
  else
    say "not built: suite $suite"
  fi
done
check "corpus" env TEXLATE_CORPUS_VIA=cuda tests/corpus/run_corpus.sh "$texlate"
say "$([ $wrong -eq 0 ] && echo "nothing differs" || echo "$wrong of these differ"); report: $report"
[ $wrong -eq 0 ]
