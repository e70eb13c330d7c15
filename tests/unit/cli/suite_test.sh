#!/usr/bin/env bash
# texlate test: cases of every kind pass, and each fails if its expectation is not met; reports; --update.
set -u
. "$(dirname "$0")/checks.sh"

check cases 0 "$texlate" test tests/cases
count=$(sed -n 's/^\([0-9]*\) passed, 0 failed$/\1/p' "$work/out")
[ "${count:-0}" -ge 14 ] || { echo "FAILED cases: fewer than 14 passed"; cat "$work/out"; failed=1; }
# In separate processes: the same report, in the same order.
"$texlate" test tests/cases > "$work/alone"
check parallel 0 "$texlate" test tests/cases --jobs 3
cmp "$work/alone" "$work/out" || { echo "FAILED parallel: another report"; failed=1; }
check tap 0 "$texlate" test tests/cases --format tap
contains tap out "TAP version 14"
contains tap out "1..$count"
check junit 0 "$texlate" test tests/cases/refused.asm --junit "$work/junit.xml"
python3 - "$work/junit.xml" <<'PY' || { echo "FAILED junit"; failed=1; }
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()[0]
assert suite.get("tests") == "1" and suite.get("failures") == "0", suite.attrib
PY

# A filter is part of a step's name; * stands for anything.
check filter 0 "$texlate" test tests/cases --filter 'patterns*--via ir,ptx' --filter refused
contains filter out "2 passed, 0 failed"
lacks filter out "sidecar"
check filter-nothing 2 "$texlate" test tests/cases --filter no-such-step
contains filter-nothing err "no step has a name that --filter fits"
# --quiet prints what failed, and one bar for everything.
check quiet 0 "$texlate" test tests/cases --quiet
[ "$(cat "$work/out")" = "$count passed, 0 failed" ] || { echo "FAILED quiet: more than the counts"; cat "$work/out"; failed=1; }
empty quiet err
check progress 0 "$texlate" test tests/cases -q --progress always --jobs 2
contains progress err "100% $count of $count, 0 failed"
check progress-alone 2 "$texlate" test tests/cases --progress always
contains progress-alone err "--progress needs --quiet"

head='ps_5_0
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps constant v0.xy
dcl_output o0.xyzw
dcl_temps 1
mov r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyzw, t0.xyzw
ret'
# fails NAME TEXT LINES: a case with these lines fails with this text.
fails() {
  printf '%s\n%s\n' "$head" "$3" > "$work/case.asm"
  check "$1" 1 "$texlate" test "$work/case.asm"
  contains "$1" out "$2"
}
fails pattern "case.asm:11:4: error: CHECK: no match in the output" $'// TEST: translate\n// CHECK: bar.sync'
fails no-pattern "there is no line CHECK:" '// TEST: translate --to ptx'
fails no-prefix "there is no line SPV:" '// TEST: translate --to ptx --check SPV'
fails no-error "an error is expected, but the shader was translated" $'// TEST: error\n// CHECK: r1'
fails no-kind "did you mean translate?" '// TEST: transalte'
fails no-option "did you mean --expect?" '// TEST: translate --expct x'
fails no-file "gold.ptx cannot be read: No such file or directory (--update writes it)" '// TEST: translate --expect gold.ptx'
fails no-picture "cannot be read as a PNG picture (--update writes it)" '// TEST: run --picture gold.png'
fails one-route "nothing to compare" '// TEST: run --via ir'

# --update creates files, which are compared from then on.
printf '%s\n%s\n' "$head" '// TEST: translate --expect gold.ptx --expect-reflection gold.json
// TEST: run --via ir,ptx,maxwell --picture gold.png --buffers buffers.json' > "$work/case.asm"
check update 0 "$texlate" test "$work/case.asm" --update
contains update out "2 updated"
check updated 0 "$texlate" test "$work/case.asm"
contains updated out "2 passed, 0 failed"
sed -i 's/add.s32/sub.s32/; 5d' "$work/gold.ptx"
check file-differs 1 "$texlate" test "$work/case.asm"
contains file-differs out "gold.ptx differs (--update rewrites it)"
contains file-differs out "line 5:"
sed -i 's/mov r0.xy, v0.xyxx/mov r0.xy, l(-1,4,0,0)/' "$work/case.asm"
check run-differs 1 "$texlate" test "$work/case.asm" --sheets "$work/sheets" --format tap --junit "$work/junit.xml"
contains run-differs out "not ok 2"
contains run-differs out "gold.png"
contains run-differs out "buffers.json: word 0 of o0.x is"
[ -s "$work/sheets/case_11.png" ] || { echo "FAILED run-differs: no contact sheet"; failed=1; }
grep -q '<testsuite name="texlate" tests="2" failures="2"' "$work/junit.xml" || { echo "FAILED run-differs: JUnit"; failed=1; }

# --update does not write what the test reads.
cp "$work/gold.png" "$work/input.png"
printf '%s\n' ps_5_0 'dcl_resource_texture2d (float,float,float,float) t0' 'dcl_output o0.xyzw' \
  'mov o0.xyzw, l(0.25,0.5,0.75,1)' ret '// TEST: run --scene input.json --picture input.png' > "$work/input.asm"
size=$(od -An -tu1 -j16 -N8 "$work/input.png" | awk '{print $4 + 256 * $3 ", " $8 + 256 * $7}')
printf '{"textures": {"t0": {"png": "input.png", "size": [%s]}}}' "$size" > "$work/input.json"
check update-input 1 "$texlate" test "$work/input.asm" --update
contains update-input out "input.png is an input of this test: it cannot be written"
cmp -s "$work/gold.png" "$work/input.png" || { echo "FAILED update-input: the texture was overwritten"; failed=1; }
rm "$work/input.asm"

# Negative integers have the bits of NaNs, but -2 is not -1.
printf '{"dispatch": [1, 1, 1], "uavs": {"u0": {"elements": 1, "format": "r32_sint"}}}' > "$work/one.json"
printf '%s\n' cs_5_0 'dcl_uav_typed_buffer (sint,sint,sint,sint) u0' 'dcl_thread_group 1, 1, 1' \
  'store_uav_typed u0.xyzw, l(0,0,0,0), l(-2,-2,-2,-2)' ret \
  '// TEST: run --scene one.json --via ir,ptx --buffers one.out.json' > "$work/one.asm"
check integer-written 0 "$texlate" test "$work/one.asm" --update
check integer-equal 0 "$texlate" test "$work/one.asm"
sed -i 's/l(-2,-2,-2,-2)/l(-1,-1,-1,-1)/' "$work/one.asm"
check integer-differs 1 "$texlate" test "$work/one.asm"
contains integer-differs out "word 0 of u0 is"

# A process that is killed fails its step and the following ones, but not the other files.
mkdir "$work/killed"
printf '%s\n%s\n' "${head/mov r0.zw/loop
mov r0.x, r0.x
endloop
mov r0.zw}" '// TEST: translate --to ptx
// CHECK: ret
// TEST: run --via ir,ptx
// TEST: translate --to ptx' > "$work/killed/a.asm"
printf '%s\n%s\n' "$head" $'// TEST: translate --to ptx\n// CHECK: ret' > "$work/killed/b.asm"
cpu_limited() { (ulimit -St 1 && exec "$@"); }
check killed 1 cpu_limited "$texlate" test "$work/killed" --jobs 2
contains killed out "was killed by SIGXCPU"
contains killed out "not run: an earlier step of this file ended the process"
contains killed out "2 passed, 2 failed"

# A Vulkan device without a feature that the shader needs: the step is skipped, and another route is still compared.
swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json
if [ -e "$swiftshader" ]; then
  sed '/TEST:/,$d' tests/cases/exchange_floats.asm > "$work/exchange.asm"
  cp tests/cases/exchange_floats.json "$work"
  printf '%s\n' '// TEST: run --scene exchange_floats.json --via ir,vulkan --robustness shader' \
    '// TEST: run --scene exchange_floats.json --via ir,vulkan,ptx --robustness shader' >> "$work/exchange.asm"
  export VK_ICD_FILENAMES=$swiftshader TEXLATE_VULKAN_DEVICE=SwiftShader
  check unfit 0 "$texlate" test "$work/exchange.asm"
  unset VK_ICD_FILENAMES TEXLATE_VULKAN_DEVICE
  contains unfit out "lacks shaderImageFloat32Atomics, which the shader needs)"
  contains unfit out "1 passed, 0 failed, 1 skipped"
fi

mkdir "$work/none"
check nothing 2 "$texlate" test "$work/none"
contains nothing err "there are no cases in"
printf '{"shader": "a.asm", "test": []}' > "$work/bad.test.json"
check sidecar 2 "$texlate" test "$work/bad.test.json"
contains sidecar err "bad.test.json:1:21: error: a case must have 'schema'"
finish
