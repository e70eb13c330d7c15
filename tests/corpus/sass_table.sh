#!/usr/bin/env bash
# Runs every pixel, vertex and compute shader of ../shared/corpus/games by the routes ir, ptx and sass (the output of
# NVIDIA's ptxas for the PTX and sm_52, on the Maxwell machine) and prints how many agree and which do not:
#   tests/corpus/sass_table.sh [build/bin/texlate] [every-nth]
# Requires `make judges`. Exits with 1 if the machine reports a hazard or does not support a word; differences of values
# are only listed, with their size.
set -u
cd "$(dirname "$0")/../.."
texlate=${1:-build/bin/texlate} every=${2:-1}
games=../shared/corpus/games
[ -d "$games" ] || { echo "skipped: $games is not here"; exit 77; }
[ -x "$texlate" ] || { echo "no $texlate: build first"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export texlate work

run_one() {
  local name output
  name=$(basename "$1" .asm)
  output=$(timeout 600 "$texlate" diff "$1" --via ir,ptx,sass 2>&1)
  local status=$?
  if [ $status -eq 0 ]; then
    echo "equal $name"
  elif grep -E '^(sass: )?0x' <<< "$output" | grep -q 'uninitialized: ' && ! grep -E '^(sass: )?0x' <<< "$output" | grep -qv 'uninitialized: ' &&
    ! grep -E ' differ$' <<< "$output" | grep -qv ': 0 of '; then
    # ptxas moves a load before the test that the load depends on: an unwritten value is read, and not used.
    echo "explained $name"
  elif grep -q "^sass: 0x" <<< "$output"; then
    echo "reported $name: $(grep -m1 '^sass: 0x' <<< "$output" | cut -c7-)"
  elif [ $status -eq 2 ] && grep -q 'nothing to compare' <<< "$output"; then
    echo "undefined $name"
  elif grep -q " differ$" <<< "$output" && timeout 600 "$texlate" diff "$1" --via sass,maxwell > /dev/null 2>&1; then
    # ptxas divides the directions of cubes before the fetch, as this project's own Maxwell target does; the PTX machine does not.
    echo "explained $name"
  elif grep -q " differ$" <<< "$output"; then
    echo "different $name: $(grep -m1 'components, at most' <<< "$output")"
  else
    echo "refused $name: $(grep -m1 'error' <<< "$output" | sed 's/.*error: //')"
  fi
}
export -f run_one

find "$games" -name '*.asm' | sort | awk -v n="$every" 'NR % n == 0' |
  xargs -P "$(nproc)" -I{} bash -c 'run_one "$1"' _ {} > "$work/results"
for kind in equal explained undefined different reported refused; do
  echo "$kind: $(grep -c "^$kind" "$work/results")"
done
grep -E '^(different|reported)' "$work/results"
! grep -q '^reported' "$work/results"
