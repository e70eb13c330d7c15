#!/usr/bin/env bash
# The output depends only on the input and the options: not on threads, the order of inputs, the folder, locale, time zone, or the addresses that the
# system gives.
set -u
. "$(dirname "$0")/checks.sh"
texlate=$(realpath "$texlate")

for target in ptx spirv cubin maxwell ir dxbc; do
  for jobs in 1 2 7; do
    check "$target-$jobs" 0 "$texlate" translate shaders/*.asm --to $target --out-dir "$work/$target/$jobs" -j $jobs
    diff -r "$work/$target/1" "$work/$target/$jobs" > "$work/difference" || { echo "FAILED $target -j $jobs"; cat "$work/difference"; failed=1; }
  done
done
check messages-1 0 "$texlate" translate shaders/*.asm --explain=json --out-dir "$work/e" -j 1
mv "$work/out" "$work/one"
check messages-7 0 "$texlate" translate shaders/*.asm --explain=json --out-dir "$work/e" -j 7
cmp -s "$work/one" "$work/out" || { echo "FAILED messages: their order depends on threads"; failed=1; }

mkdir -p "$work/elsewhere/deep"
cp shaders/*.asm "$work/elsewhere/deep"
cd "$work/elsewhere/deep" || exit 1
fixed=(setarch -R)  # where it is allowed
"${fixed[@]}" true 2> /dev/null || fixed=()
for name in *.asm; do
  check "elsewhere-$name" 0 env LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent "${fixed[@]}" "$texlate" translate "$name" -o here.ptx
  cmp -s here.ptx "$work/ptx/1/${name%.asm}.ptx" || { echo "FAILED elsewhere: $name"; failed=1; }
done
finish
