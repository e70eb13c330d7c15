#!/usr/bin/env bash
# Translates every listing of ../shared/corpus/games to PTX and prints the results by stage:
#   tests/corpus/ptx_table.sh [build/bin/texlate]
# If ptxas is available, it assembles every translation for sm_75. Exits with 1 when a translation crashes, ends with a status
# other than 0 or 1, or is refused by ptxas, and when fewer than 70 % of the pixel and compute shaders are translated.
set -u
cd "$(dirname "$0")/../.."
texlate=${1:-build/bin/texlate}
games=../shared/corpus/games
[ -d "$games" ] || { echo "skipped: $games is not here"; exit 77; }
[ -x "$texlate" ] || { echo "no $texlate: build first"; exit 1; }
ptxas=$(command -v ptxas || true)
[ -n "$ptxas" ] || { [ -x /usr/local/cuda/bin/ptxas ] && ptxas=/usr/local/cuda/bin/ptxas; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export texlate ptxas work

translate_one() {
  local file=$1 name
  name=$(basename "$file" .asm)
  local stage
  stage=$(grep -a -m1 -oE '^[[:space:]]*[pvghdc]s_[45]_[01]' "$file" | tr -d '[:space:]' | cut -c1-2)
  "$texlate" translate "$file" --to ptx -o "$work/$name.ptx" 2> "$work/$name.err"
  local status=$?
  if [ $status -eq 0 ]; then
    if [ -z "$ptxas" ]; then
      echo "$stage translated"
    elif "$ptxas" -arch=sm_75 -o /dev/null "$work/$name.ptx" > "$work/$name.log" 2>&1; then
      echo "$stage accepted"
    else
      echo "$stage refused-by-ptxas $name"
    fi
  elif [ $status -eq 1 ] && grep -q 'error: ' "$work/$name.err"; then
    echo "$stage error $name: $(grep -m1 'error: ' "$work/$name.err" | sed 's/.*error: //')"
  else
    echo "$stage crash $name (status $status)"
  fi
}
export -f translate_one

find "$games" -name '*.asm' | sort | xargs -P "$(nproc)" -I{} bash -c 'translate_one "$1"' _ {} > "$work/results"

echo "stage  shaders  through  clear error  refused  crashed"
for stage in ps cs vs gs hs ds; do
  count() { grep -cE "^$stage ($1)" "$work/results"; }
  all=$(count '.*')
  [ "$all" -eq 0 ] || printf '%-5s %8d %8d %12d %8d %8d\n' "$stage" "$all" "$(count 'accepted|translated')" "$(count error)" \
    "$(count refused-by-ptxas)" "$(count crash)"
done
echo
echo "clear errors:"
grep -E '^.. error' "$work/results" | sed 's/^.. error [^:]*: /  /' | sort | uniq -c | sort -rn

bad=$(grep -cE '^.. (refused-by-ptxas|crash)' "$work/results")
grep -E '^.. (refused-by-ptxas|crash)' "$work/results"
through=$(grep -cE '^(ps|cs) (accepted|translated)' "$work/results")
all=$(grep -cE '^(ps|cs) ' "$work/results")
echo
echo "pixel and compute shaders through: $through of $all"
[ "$bad" -eq 0 ] && [ $((through * 100)) -ge $((all * 70)) ]
