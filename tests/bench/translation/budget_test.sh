#!/bin/sh
# What translating our own shaders costs, in machine instructions (callgrind), against budget.txt: a change that costs more than
# 3 % fails. Counts do not depend on the load of the machine, but on the compiler, so budget.txt names the one that it is for.
# usage: budget_test.sh TRANSLATION_BENCH COMPILER     Status 77: not judged here, with the reason.
# TEXLATE_UPDATE_BUDGET=1 writes budget.txt anew.
set -e
bench=$1 compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
budget=$here/budget.txt
cd "$here/../../.."
command -v valgrind > /dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
for_compiler=$(sed -n 's/^compiler //p' "$budget")
[ "$compiler" = "$for_compiler" ] || { echo "skipped: the figures are for $for_compiler, this is $compiler"; exit 77; }

list=$(mktemp)
trap 'rm -f "$list"' EXIT
# Not the small ones of tests/golden, of which there are many and which come and go.
find shaders tests -name '*.asm' -not -path 'tests/golden/*' | LC_ALL=C sort > "$list"
count() {
  "$here/count.sh" "$bench" --to "$1" --list "$list" | sed -n 's/machine instructions: //p'
}

if [ -n "$TEXLATE_UPDATE_BUDGET" ]; then
  new=$(while read -r word rest; do
    case $word in
      target) echo "target ${rest% *} $(count "${rest% *}")" ;;
      *) echo "$word${rest:+ $rest}" ;;
    esac
  done < "$budget")
  echo "$new" > "$budget"
  exit 0
fi

failed=0
while read -r word target allowed; do
  [ "$word" = target ] || continue
  now=$(count "$target")
  [ -n "$now" ] || { echo "$target: callgrind counted nothing"; exit 1; }
  awk -v target="$target" -v now="$now" -v allowed="$allowed" 'BEGIN {
    change = (now / allowed - 1) * 100
    printf "%-8s %11d, budget %11d: %+.2f %%\n", target, now, allowed, change
    if (change < -3) print "  less than before: TEXLATE_UPDATE_BUDGET=1 makes this the budget"
    exit change > 3 }' || failed=1
done < "$budget"
[ $failed = 0 ] || echo "a change may cost 3 %; if it is worth more, say why in its commit and run this with TEXLATE_UPDATE_BUDGET=1"
exit $failed
