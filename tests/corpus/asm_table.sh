#!/usr/bin/env bash
# Reads every listing of ../shared/corpus/games and prints it as assembly again; lists the ones that could not be read:
#   tests/corpus/asm_table.sh [build/bin/texlate]
set -u
cd "$(dirname "$0")/../.."
texlate=${1:-build/bin/texlate}
games=../shared/corpus/games
[ -d "$games" ] || { echo "skipped: $games is not here"; exit 77; }
total=0
good=0
crashed=0
for file in "$games"/*.asm; do
  total=$((total + 1))
  message=$("$texlate" translate "$file" --to asm -o /dev/null 2>&1)
  case $? in
    0) good=$((good + 1)) ;;
    1) echo "$message" | grep -m1 'error: ' | sed "s|$games/|  |" ;;
    *) crashed=$((crashed + 1)); echo "  crashed: $file" ;;
  esac
done
echo "read: $good of $total"
[ "$crashed" -eq 0 ]
