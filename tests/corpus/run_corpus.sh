#!/usr/bin/env bash
# Runs every pixel and compute shader of ../shared/corpus that translates to PTX by all routes on the default scene, and prints
# the results:
#   tests/corpus/run_corpus.sh [build/bin/texlate]
# TEXLATE_CORPUS_VIA=cuda runs them on a GPU instead of the PTX machine.
# Exits with 1 when a shader differs, when a route reports a problem, when it crashes, or when it cannot be run although it
# translates, and when fewer run to their end than before; with 77 if ../shared does not exist. Shaders that do not end within the
# budget on the default scene count as cut off; TEXLATE_CORPUS_BUDGET changes it. TEXLATE_CORPUS_STRIDE=20 runs every 20th shader.
set -u
# Fewer shaders that run to their end, or more that are cut off, are a regression. Raise the first number when the corpus grows.
least_run=2224 most_cut_off=0
cd "$(dirname "$0")/../.."
texlate=${1:-build/bin/texlate}
corpus=../shared/corpus
[ -d "$corpus" ] || { echo "skipped: $corpus is not here"; exit 77; }
[ -x "$texlate" ] || { echo "no $texlate: build first"; exit 1; }
budget=${TEXLATE_CORPUS_BUDGET:-100000000}
stride=${TEXLATE_CORPUS_STRIDE:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
via=${TEXLATE_CORPUS_VIA:-ptx}
export texlate budget work via

run_one() {
  local file=$1 name folder stage
  name=$(basename "$file")
  folder=$(basename "$(dirname "$file")")
  stage=$("$texlate" info "$file" 2> /dev/null | grep -m1 -oE '\b(ps|cs)_[45]_[01]\b' | cut -c1-2)
  [ -n "$stage" ] || return 0
  local out=$work/$folder.$name
  "$texlate" translate "$file" --to ptx -o "$out.ptx" 2> /dev/null || { echo "$folder $stage untranslated $name"; return 0; }
  timeout 300 "$texlate" diff "$file" --via "ir,$via" --budget "$budget" > "$out" 2>&1
  local status=$?
  # Filters, LODs and transcendental functions of hardware are less exact.
  if [ $status -eq 1 ] && [ "$via" = cuda ] &&
    timeout 300 "$texlate" diff "$file" --via "ir,$via" --budget "$budget" --tolerance 64 --absolute 0.02 > "$out" 2>&1; then
    echo "$folder $stage rounds $name"
    status=0
  fi
  # Derivatives in varying control flow: pixels of a quad that diverge, in several orders.
  if [ $status -eq 0 ] && [ "$via" = ptx ] && grep -q vote.sync "$out.ptx"; then
    echo "$folder $stage parts $name"
    timeout 300 "$texlate" diff "$file" --budget "$budget" --scene tests/corpus/scatter.json --schedules 6 >> "$out" 2>&1
    status=$?
  fi
  rm -f "$out.ptx"
  local undefined=
  grep -q 'skipped as undefined' "$out" && undefined="-in-part"
  if [ $status -eq 0 ]; then
    echo "$folder $stage agreed$undefined $name $(grep -m1 -oE 'Direct3D \(.*\)' "$out")"
  elif grep -q 'cut off: ' "$out"; then
    echo "$folder $stage cut-off $name"
  elif [ $status -eq 2 ] && grep -q 'nothing to compare' "$out"; then
    echo "$folder $stage undefined $name"
  elif [ $status -gt 1 ]; then
    echo "$folder $stage crashed $name (status $status)"
  elif grep -q 'error: ' "$out"; then
    echo "$folder $stage refused $name: $(grep -m1 'error: ' "$out" | sed 's/.*error: //')"
  else
    echo "$folder $stage differs $name: $(grep -vE '^(ir|ptx|cuda): [0-9]' "$out" | tr -s '\n' ' ' | cut -c1-300)"
  fi
}
export -f run_one

find "$corpus" \( -name '*.asm' -o -name '*.dxbc' \) | sort | awk -v stride="$stride" 'NR % stride == 0' |
  xargs -P "$(nproc)" -I{} bash -c 'run_one "$1"' _ {} > "$work/results"

printf '%-12s %-5s %10s %6s %7s %9s %8s %7s %7s %8s %7s\n' folder stage translated agreed 'in part' undefined 'cut off' differ refused crashed 'not yet'
for folder in $(cut -d' ' -f1 "$work/results" | sort -u); do
  for stage in ps cs; do
    count() { grep -cE "^$folder $stage ($1) " "$work/results"; }
    all=$(($(count '[a-z-]*') - $(count 'parts|rounds')))
    [ "$all" -eq 0 ] && continue
    printf '%-12s %-5s %10d %6d %7d %9d %8d %7d %7d %8d %7d\n' "$folder" $stage $((all - $(count untranslated))) "$(count agreed)" \
      "$(count agreed-in-part)" "$(count undefined)" "$(count cut-off)" "$(count differs)" "$(count refused)" "$(count crashed)" "$(count untranslated)"
  done
done
echo
echo "agreed: every bit of every output; in part: all but what Direct3D leaves undefined; undefined: nothing else was left, or nothing is written; not yet: a clear error when translating"
echo
grep -E '^[a-z_]+ .. agreed-in-part' "$work/results" | sed 's/.*Direct3D (\(.*\))/\1/' | sort | uniq -c | sort -rn
grep -E '^[a-z_]+ .. (cut-off|differs|refused|crashed)' "$work/results"
run=$(grep -cE '^[a-z_]+ .. (agreed(-in-part)?|undefined) ' "$work/results")
cut_off=$(grep -cE '^[a-z_]+ .. cut-off ' "$work/results")
echo "$(grep -cE '^[a-z_]+ .. parts ' "$work/results") of them have derivatives in varying flow"
echo "$run shaders ran to their end by both routes, $cut_off cut off, in $SECONDS s"
if [ "$stride" -eq 1 ] && { [ "$run" -lt "$least_run" ] || [ "$cut_off" -gt "$most_cut_off" ]; }; then
  echo "expected: at least $least_run, and at most $most_cut_off cut off"
  exit 1
fi
! grep -qE '^[a-z_]+ .. (differs|refused|crashed) ' "$work/results"
