#!/usr/bin/env bash
# Messages for people: wrong inputs, misspelt words, failed writes, ignored options, locations in files, colors, JSON.
set -u
. "$(dirname "$0")/checks.sh"

# says NAME STATUS TEXT COMMAND...: checks the status and the text on standard error.
says() {
  local name=$1 status=$2 text=$3
  shift 3
  check "$name" "$status" "$@"
  contains "$name" err "$text"
}
shader=shaders/ld_edges.asm

# Inputs of other kinds.
mistake() {  # NAME TEXT; the input is $work/NAME
  says "$1" 1 "$2" "$texlate" translate "$work/$1"
  empty "$1" out
}
: > "$work/nothing"
mistake nothing "the input is empty"
printf 'cbuffer C { float4 a; };\nfloat4 main(float4 p : SV_Position) : SV_Target { return a; }\n' > "$work/hlsl"
mistake hlsl "this looks like HLSL source: compile it first"
printf '#version 450\nvoid main() {}\n' > "$work/glsl"
mistake glsl "this looks like GLSL source"
"$texlate" translate $shader --to spirv -o "$work/spirv"
mistake spirv "this is a SPIR-V module"
"$texlate" translate $shader --to spirv-text -o "$work/spirv-text"
mistake spirv-text "this is SPIR-V assembly"
"$texlate" translate $shader --to ptx -o "$work/ptx"
mistake ptx "this is PTX"
"$texlate" translate $shader --to cubin -o "$work/cubin"
mistake cubin "this is an ELF file; if it is a cubin, 'texlate disassemble' reads it"
"$texlate" translate $shader --to maxwell -o "$work/maxwell"
mistake maxwell "this is a Maxwell listing: 'texlate assemble --isa maxwell' reads it"
"$texlate" disassemble "$work/cubin" | grep -v '^\.' > "$work/lines"
mistake lines "this is a Maxwell listing"
"$texlate" translate $shader --to maxwell-bin -o "$work/code"
mistake code "this is neither text nor a container; raw machine code is read by 'texlate disassemble --isa maxwell'"
"$texlate" translate $shader --to dksh -o "$work/dksh"
mistake dksh "this is a deko3d program, which 'texlate disassemble' reads"
printf '\x00\x03\xff\xff\x01\x00\x00\x02\x00\x08\x0f\x80\xff\xff\x00\x00' > "$work/direct3d9"
mistake direct3d9 "shader models 1 to 3 (Direct3D 9)"
printf 'ps_3_0\nmov oC0, c0\n' > "$work/ps_3_0"
mistake ps_3_0 "this shader model is not supported: expected 4.0, 4.1, 5.0 or 5.1"
printf 'BC\xc0\xde12345678' > "$work/bitcode"
mistake bitcode "LLVM bitcode"
iconv -f UTF-8 -t UTF-16 $shader > "$work/utf16"
mistake utf16 "this is UTF-16 text, which PowerShell's '>' writes: convert it with 'iconv -f UTF-16 -t UTF-8'"
iconv -f UTF-8 -t UTF-16LE $shader > "$work/utf16le"
mistake utf16le "this is UTF-16 text"
iconv -f UTF-8 -t UTF-16BE $shader > "$work/utf16be"
mistake utf16be "this is UTF-16 text"
"$texlate" assemble $shader -o "$work/dxbc" && sed 's/SHEX/DXIL/' "$work/dxbc" > "$work/dxil"
mistake dxil "a shader of model 6 (DXIL): texlate reads models 4.0 to 5.1; dxil-spirv and vkd3d-shader translate DXIL"
printf 'target triple = "dxil-ms-dx"\ndefine void @main() {\n' > "$work/llvm"
mistake llvm "this is LLVM assembly"
says missing 1 "nowhere.asm: error: cannot be read: No such file or directory" "$texlate" translate "$work/nowhere.asm"
says folder 1 "cannot be read: Is a directory" "$texlate" translate "$work"

# IR text is an input; features that it no longer has are refused by name.
"$texlate" translate $shader --to ir -o "$work/a.ir"
check ir-text 0 "$texlate" translate "$work/a.ir" -o "$work/from_ir.ptx"
cmp -s "$work/ptx" "$work/from_ir.ptx" || { echo "FAILED ir-text: the PTX differs"; failed=1; }
says ir-to-asm 1 "asm: IR text cannot be turned back into shader assembly" "$texlate" translate "$work/a.ir" --to asm
says ir-info 1 "not IR text" "$texlate" info "$work/a.ir"
sed 's/tex\.fetch/tex.fatch/' "$work/a.ir" > "$work/wrong.ir"
says ir-wrong 1 "unknown operation 'tex.fatch'" "$texlate" translate "$work/wrong.ir"
sed 's/ coord(/ guard(true) coord(/' "$work/a.ir" > "$work/guarded.ir"
says ir-guarded 1 "legalization adds guards; the module must have none" "$texlate" translate "$work/guarded.ir"
check print-after 0 "$texlate" translate $shader --print-after legalize_texture -o "$work/x.ptx"
contains print-after err "; after legalize_texture"
check print-machine 0 "$texlate" translate $shader --to maxwell --print-after schedule -o "$work/x.sass"
contains print-machine err "; after schedule"
contains print-machine err "block0:"
says pass-idle 0 "warning: --print-after: schedule has not run" \
  "$texlate" translate $shader --print-after schedule -o "$work/x.ptx"

# Misspelt words.
says no-command 2 "there is no command 'transalte'; did you mean translate?" "$texlate" transalte
says option-first 2 "a command must come before options such as --to" "$texlate" --to ptx
says option 2 "translate has no option --reflct; did you mean --reflect?" "$texlate" translate $shader --reflct x
says target 2 "did you mean spirv?" "$texlate" translate $shader --to spriv
says pass 2 "did you mean propagate_copies?" "$texlate" translate $shader --print-after propagate_copy
says topic 2 "did you mean targets?" "$texlate" help target
says no-input 2 "SHADER is missing" "$texlate" translate
says twice 2 "--to is given twice" "$texlate" translate $shader --to ptx --to ir
says number 2 "--jobs: 'two' is not a whole number from 1 to 256" "$texlate" translate $shader -j two
says range 2 "--scale: '65' is not a whole number from 1 to 64" "$texlate" run $shader --scale 65 -o x.png
says surplus 2 "only one FILE is allowed" "$texlate" assemble $shader $shader

# Options without effect.
says ignored-sm 2 "--sm can only be used with --to ptx, maxwell" "$texlate" translate $shader --to spirv --sm 90
says ignored-robustness 2 "--robustness can only be used with --to spirv or spirv-text, not ptx" "$texlate" translate $shader --robustness shader
says ignored-words 2 "--words can only be used with --isa maxwell, not d3d" "$texlate" disassemble "$work/dxbc" --words
says ignored-device 2 "--device can only be used with --via vulkan, not ir or ptx" "$texlate" diff $shader --device 0
says ignored-scale 2 "--scale needs -o OUT.png" "$texlate" run $shader --scale 2 -o "$work/x.json"
says ignored-gain 2 "--gain needs --output" "$texlate" diff $shader --gain 3
says one-route 2 "two routes are needed" "$texlate" diff $shader --via ir
says no-shader 2 "either a SHADER or a --pipeline is needed" "$texlate" run
says shader-and-pipeline 2 "either a SHADER or a --pipeline is needed" "$texlate" diff $shader --pipeline tests/stages/square.json
sed 's/"topology"/"Topology"/' tests/stages/square.json > "$work/key.json"
says pipeline-key 1 "unknown key 'Topology'" "$texlate" run --pipeline "$work/key.json"
pipeline_says() {  # NAME MESSAGE KEY VALUE: a pipeline's state that Direct3D does not allow
  sed "s/\"topology\"/\"$3\": $4, \"topology\"/" tests/stages/lines.json > "$work/$1.json"
  says "$1" 1 "$2" "$texlate" run --pipeline "$work/$1.json"
}
pipeline_says pipeline-bias "'depth_bias' must be a whole number" rasterizer '{"depth_bias": 0.5}'
pipeline_says pipeline-large-bias "'depth_bias' must be a whole number" rasterizer '{"depth_bias": 1e20}'
pipeline_says pipeline-clear "'clear' must be a number from 0 to 1" depth '{"clear": -1, "format": "d16"}'
pipeline_says pipeline-depth "'depth' must be two numbers from 0 to 1" viewport '{"depth": [2, -1]}'
pipeline_says pipeline-rectangle "'rectangle' must lie within" viewport '{"rectangle": [0, 8, 8, -8]}'
pipeline_says pipeline-large-rectangle "'rectangle' must lie within" viewport '{"rectangle": [0, 0, 1e30, 1]}'
pipeline_says pipeline-stencil "only the formats d24s8 and d32s8" depth '{"format": "d16", "stencil": {}}'
sed 's/"topology": "[a-z_]*"/"topology": "triangle_fan"/' tests/stages/lines.json > "$work/fan.json"
says pipeline-topology 1 "topology: 'triangle_fan' is not one of" "$texlate" run --pipeline "$work/fan.json"
pipeline_says pipeline-blend-op "blend.color.op: 'plus' is not one of" blend '{"color": {"op": "plus"}}'
pipeline_says pipeline-alpha "'source' of alpha cannot be a color" blend '{"alpha": {"source": "source_color"}}'
sed "s|\"shader\": \"|&$PWD/tests/stages/|; s|inverse_source_alpha|source1_alpha|" tests/stages/square.json > "$work/source1.json"
says pipeline-source1 1 "error: a 'source1' factor needs a pixel shader with o1" "$texlate" run --pipeline "$work/source1.json"
sed 's/"topology"/"control_points": 3, "topology"/' tests/stages/square.json > "$work/points.json"
says pipeline-points 1 "only patch_list has 'control_points'" "$texlate" run --pipeline "$work/points.json"
printf '{"known": {"launch": {"elements": 4294967264}}}' > "$work/known.json"
says known-elements 1 "elements" "$texlate" translate $shader --known "$work/known.json"
[ "$(grep -c error: "$work/err")" = 1 ] || { echo "FAILED known-elements: several errors"; failed=1; }
says two-in-one 2 "--explain and --diagnostics=json would both go to standard error" \
  "$texlate" translate $shader --explain --diagnostics=json
says passes-in-json 2 "--print-after and --diagnostics=json would both go to standard error" \
  "$texlate" translate $shader --print-after all --diagnostics=json -o "$work/x.ptx"
says ignored-explain 2 "--explain can only be used with --to ptx" "$texlate" translate $shader --to ir --explain
for target in dksh maxwell-bin; do
  says "ignored-entry-$target" 2 "--entry can only be used with --to ptx" "$texlate" translate $shader --to $target --entry shade
done
says function-threads 2 "--function and --max-threads cannot be combined" \
  "$texlate" translate $shader --to ptx --function --max-threads 64
says function-registers 2 "--function and --max-registers cannot be combined" \
  "$texlate" translate $shader --to ptx --function --max-registers 64
says ignored-threads 2 "--max-threads is for pixel and vertex shaders" "$texlate" translate shaders/blur3x3.asm --max-threads 64
says format-twice 2 "--uav-format: u0 is given twice" \
  "$texlate" translate shaders/blur3x3.asm --uav-format u0=rgba8_unorm --uav-format u0=rgba16_float
says ignored-derivatives 2 "--derivatives can only be used with --via ir, not --unguarded" \
  "$texlate" run $shader --unguarded --derivatives shared
says ignored-sm-of-view 2 "--sm can only be used with --to ptx or maxwell, not spirv-text" \
  "$texlate" view $shader --to spirv-text --sm 999 -o "$work/x.html"

# Words after -- are no options.
cp $shader "$work/-x.asm"
program=$(realpath "$texlate")
check end-of-options 0 bash -c 'cd "$1" && "$2" check -- -x.asm' - "$work" "$program"
says after-end 1 "--to: error: cannot be read" "$texlate" check -- --to
says second-mark 1 "error: cannot be read" "$texlate" check -- -- "$work/-x.asm"

# Names of output files.
# A file may have no more than a suffix.
mkdir -p "$work/bare"
check suffix-alone 0 "$texlate" translate $shader -o "$work/bare/.spv"
cmp -s "$work/bare/.spv" "$work/spirv" || { echo "FAILED suffix-alone: it is not SPIR-V"; failed=1; }
check suffix-decides 0 "$texlate" translate $shader -o "$work/by_suffix.spv"
cmp -s "$work/spirv" "$work/by_suffix.spv" || { echo "FAILED suffix-decides: no SPIR-V"; failed=1; }
says suffix-unknown 2 "no target has the suffix .xyz" "$texlate" translate $shader -o "$work/a.xyz"
says suffix-of-another 2 "has the suffix of spirv, but --to ptx was given" "$texlate" translate $shader --to ptx -o "$work/a.spv"
says suffix-of-run 2 "the output must be a .png or a .json" "$texlate" run $shader -o "$work/a.jpg"
says suffix-of-diff 2 "the contact sheet must be a .png" "$texlate" diff $shader -o "$work/a.jpg"
mkdir -p "$work/one" "$work/two"
cp $shader "$work/one/a.asm"; cp $shader "$work/two/a.asm"
says same-output 2 "would both be written to" "$texlate" translate "$work/one/a.asm" "$work/two/a.asm" --out-dir "$work/folder"
says own-input 2 "would be overwritten by the translation of" "$texlate" translate "$work/one/a.asm" --to asm --out-dir "$work/one"
says same-reflection 2 "--output and --reflect would both be written to" \
  "$texlate" translate $shader -o "$work/a.ptx" --reflect "$work/a.ptx"
says same-header 2 "--reflect and --emit-header would both be written to" \
  "$texlate" translate $shader -o "$work/a.ptx" --reflect "$work/a.h" --emit-header "$work/one/../a.h"
ln -sf a.asm "$work/one/b.asm"
says own-input-by-link 2 "would be overwritten by --output" \
  "$texlate" translate "$work/one/b.asm" --to asm -o "$work/one/a.asm"
check two-inputs-again 0 "$texlate" translate "$work/one/a.asm" "$work/one/b.asm" --to ptx --out-dir "$work/folder"
check two-inputs-again 0 "$texlate" translate "$work/one/a.asm" "$work/one/b.asm" --to ptx --out-dir "$work/folder"
cmp -s $shader "$work/one/a.asm" || { echo "FAILED own-input: it was overwritten"; failed=1; }

# Failed writes: status 1, or diff's own, and one message.
full() {  # NAME STATUS COMMAND...
  local name=$1 status=$2
  shift 2
  check "$name" "$status" bash -c '"$@" > /dev/full' - "$@"
  contains "$name" err "standard output: error: cannot be written: No space left on device"
}
full full-translate 1 "$texlate" translate $shader
full full-explain 1 "$texlate" translate $shader --explain -o "$work/x.ptx"
full full-assemble 1 "$texlate" assemble $shader
full full-disassemble 1 "$texlate" disassemble "$work/dxbc"
full full-info 1 "$texlate" info $shader
full full-run 1 "$texlate" run shaders/blur3x3.asm
full full-diff 1 "$texlate" diff shaders/blur3x3.asm
full full-test 1 "$texlate" test tests/cases/fold.ir
full full-help 1 "$texlate" help
full full-version 1 "$texlate" --version
full full-command-help 1 "$texlate" info --help
full full-completions 1 "$texlate" completions zsh
says full-file 1 "/dev/full: error: cannot be written: No space left on device" "$texlate" translate $shader -o /dev/full
says full-reflection 1 "/dev/full: error: cannot be written" "$texlate" translate $shader -o "$work/x.ptx" --reflect /dev/full
says no-folder 1 "cannot be written: No such file or directory" "$texlate" run $shader -o "$work/no/x.json"
says no-folder-png 1 "x.png: error: cannot be written: No such file or directory" "$texlate" run $shader -o "$work/no/x.png"

# Locations: errors in scenes and maps have that file's name and line.
printf '{\n  "textures": {\n    "t0": {"fromat": "r8_unorm"}}}\n' > "$work/scene.json"
says scene 1 "scene.json:3:12: error: unknown key 'fromat' in t0" "$texlate" run $shader --scene "$work/scene.json"
printf '{\n  "textures": {\n    "t0": {"format": "r9_unorm"}}}\n' > "$work/scene.json"
says scene-value 1 "scene.json:3:12: error: t0: 'r9_unorm' is not a supported format" "$texlate" run $shader --scene "$work/scene.json"
printf '{\n  "viewport": [1,\n' > "$work/scene.json"
says scene-json 1 "error: this is not valid JSON" "$texlate" run $shader --scene "$work/scene.json"
printf '{\n  "viewport": [1, 1]}\0garbage' > "$work/scene.json"
says scene-nul 1 "scene.json:2:22: error: this is not valid JSON: a NUL byte" "$texlate" run $shader --scene "$work/scene.json"
printf '{"bindings": []}\0' > "$work/map.json"
says map-nul 1 "map.json:1:17: error: this is not valid JSON: a NUL byte" "$texlate" translate $shader --to spirv --binding-map "$work/map.json"
python3 -c "n=100000; print('{\"viewport\":\n' + '[' * n + ']' * n + '}')" > "$work/scene.json"
says scene-deep 1 "scene.json:2:64: error: lists and objects are nested more than 64 deep" "$texlate" run $shader --scene "$work/scene.json"
echo '{"vertices": 2147483647}' > "$work/scene.json"
says scene-vertices 1 "scene.json:1:2: error: 'vertices' must be a whole number from 1 to 1048576, not 2147483647" \
  "$texlate" run $shader --scene "$work/scene.json"
printf '{"textures": {"t0":\n  {"size": [8, "x"]}}}\n' > "$work/scene.json"
says scene-type 1 "scene.json:2:16: error: item [1] of 'size' of t0 must be a whole number" "$texlate" run $shader --scene "$work/scene.json"
says scene-missing 1 "cannot be read: No such file" "$texlate" run $shader --scene "$work/none.json"
printf '{"bindings": [\n  {"register": "t0", "binding": 1},\n  {"register": "t1", "bindings": 1}]}\n' > "$work/map.json"
says map 1 "map.json:3:22: error: bindings[1] has an unknown key 'bindings'" \
  "$texlate" translate $shader --to spirv --binding-map "$work/map.json"

printf '{"bindings": [\n  {"register": "t0", "count": 4, "binding": 1},\n  {"register": "t3", "binding": 9}]}\n' > "$work/map.json"
says map-twice 1 "map.json:3:3: error: bindings[1] has a register that bindings[0] has, too" \
  "$texlate" translate $shader --to spirv --binding-map "$work/map.json"

# Known state: each key must suit what the shader declares, and nothing is said twice.
cat > "$work/views.asm" <<'END'
cs_5_0
dcl_resource_raw t0
dcl_resource_buffer (float,float,float,float) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_resource_structured t3, 16
dcl_uav_structured u0, 16
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, l(0), t0.xyzw
store_structured u0.xyzw, l(0), l(0), r0.xyzw
ret
END
# says_known NAME KNOWN MESSAGE
says_known() {
  printf '{"known": {\n%s}}\n' "$2" > "$work/known.json"
  says "$1" 1 "known.json:$3" "$texlate" translate "$work/views.asm" --to ptx --known "$work/known.json"
}
says_known known-raw '"t0": {"elements": 4}' "2:8: error: t0 is a raw_buffer, which has no 'elements'"
says_known known-typed '"t1": {"bytes": 4}' "2:8: error: t1 is a buffer, which has no 'bytes'"
says_known known-texture '"t2": {"elements": 4}' "2:8: error: t2 is a texture2d, which has no 'elements'"
says_known known-structured '"u0": {"bytes": 4}' "2:8: error: u0 is a structured_buffer, which has no 'bytes'"
says_known known-size '"t3": {"size": [4]}' "2:8: error: t3 is a structured_buffer, which has no 'size'"
says_known known-slices '"t2": {"slices": 4}' "2:8: error: t2 is a texture2d, which has no 'slices'"
says_known known-samples '"t2": {"samples": 4}' "2:8: error: t2 is a texture2d, which has no 'samples'"
says_known known-format '"t0": {"format": "r8_unorm"}' "2:8: error: t0 is a raw_buffer, which has no 'format'"
says_known known-range '"t0-3": {"elements": 4}' "2:10: error: t0 is a raw_buffer, which has no 'elements'"
says_known known-axes '"t2": {"size": [4, 4, 4]}' "2:8: error: t2 is a texture2d, whose 'size' has 2 numbers"
says_known known-unbound '"t2": {"bound": false, "size": [3]}' "2:1: error: nothing is bound, but more is known"
says_known known-mips '"t2": {"size": [4, 4], "mips": 4}' "2:1: error: mips is 4, but a texture of this size has 3 at most"
says_known known-again '"t2": {"size": [3]},
"t2-3": {"bound": true}' "3:1: error: 't2-3' says again what 't2' says of the same register"
says_known known-rows '"cb0": {"rows": 3},
"cb0-1": {"rows": 4}' "3:1: error: 'cb0-1' says again what 'cb0' says of the same register"
says_known known-specialize '"t2": {"format": "r8_unorm", "known": "specialize"}' "2:30: error: only sizes, slices, mips and samples"
printf '{"known": {"t0": {"bytes": 64}, "t1": {"elements": 4}, "t2": {"size": [4, 4], "mips": 2}, "t3": {"elements": 4},
  "t9": {"elements": 4, "slices": 2}, "cb0": {"rows": 3}, "cb0-1": {"values": [[1, 2, 3, 4]]}}}\n' > "$work/known.json"
for target in ptx dksh maxwell-bin; do
  check "known-$target" 0 "$texlate" translate "$work/views.asm" --to $target --known "$work/known.json" -o "$work/views.out"
done
cat > "$work/range.asm" <<'END'
cs_5_1
dcl_resource_raw T0[0:2], space=0
dcl_uav_structured U0[0:0], 16, space=0
dcl_input vThreadIDInGroup.x
dcl_temps 1
dcl_thread_group 3, 1, 1
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, l(0), T0[vThreadIDInGroup.x + 0].xyzw
store_structured U0[0].xyzw, vThreadIDInGroup.x, l(0), r0.xyzw
ret
END
echo '{"known": {"t0-2": {"bytes": 16}}}' > "$work/known.json"
printf '{"dispatch": [1], "textures": {"T0[0]": {"elements": 4}, "T0[1]": {"elements": 4}, "T0[2]": {"elements": 3}}}\n' > "$work/scene.json"
says known-of-range 1 "error: t2: bytes is 0xc, but the code relies on 0x10" \
  "$texlate" run "$work/range.asm" --known "$work/known.json" --scene "$work/scene.json" --via ptx
lacks known-of-range err "t0:"

# Control characters from files do not reach the terminal, and a byte of value 0 does not end a message.
printf '{"viewport": [4, 4], "a\\u0000b\\u001b[31mc": 1}\n' > "$work/scene.json"
says control-characters 1 "unknown key 'a b [31mc'" "$texlate" run $shader --scene "$work/scene.json"
[ "$(tail -c 1 "$work/err" | od -An -tx1 | tr -d ' ')" = 0a ] || { echo "FAILED control-characters: no end of line"; failed=1; }
lacks control-characters err "$(printf '\033')"

# The default of an option, not the value that this command line has given it.
check default-of-format 0 "$texlate" help --format markdown
contains default-of-format out "[text, man, markdown, names] (default: text)"
check default-in-manual 0 "$texlate" help help --format man
contains default-in-manual out "[text, man, markdown, names] (default: text)"
check default-of-color 0 "$texlate" help check --color=always
contains default-of-color out "[auto, always, never] (default: auto)"

# Memory that is not there. (A build with sanitizers needs more than the limit to start.)
scarce() { bash -c 'ulimit -v 400000; exec "$@"' - "$@"; }
if scarce "$texlate" --version > /dev/null 2>&1; then
  says out-of-memory 1 "out of memory" scarce "$texlate" check /dev/zero
  says out-of-memory-translate 1 "/dev/zero: error: out of memory" scarce "$texlate" translate /dev/zero
fi

# Colors only on request, and never with NO_COLOR.
escape=$(printf '\033[1;31m')
printf 'ps_5_0\ndcl_temps 1\nfrob r0.x\nret\n' > "$work/wrong.asm"
says color 1 "$escape" "$texlate" translate "$work/wrong.asm" --color=always
check no-color 1 "$texlate" translate "$work/wrong.asm"
if grep -qF "$escape" "$work/err"; then echo "FAILED no-color: escapes in a file"; failed=1; fi

if command -v script > /dev/null; then
  terminal() { env -u NO_COLOR TERM=xterm "$@" script -qec "'$texlate' translate '$work/wrong.asm'" /dev/null > "$work/out" < /dev/null; }
  terminal env
  contains terminal-color out "$escape"
  terminal env NO_COLOR=1
  contains terminal-no-color out "error: "
  if grep -qF "$escape" "$work/out"; then echo "FAILED terminal-no-color: colors though NO_COLOR stands"; failed=1; fi
  # Machine code and pictures do not go to a terminal, whether it is standard output or a named device; text does.
  printf 'ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1,0,0,1)\nret\n' > "$work/red.asm"
  for to in spirv dxbc cubin dksh maxwell-bin; do
    for where in "" "-o /dev/tty"; do
      script -qec "'$texlate' translate '$work/red.asm' --to $to $where; echo status \$?" /dev/null > "$work/out" < /dev/null
      contains terminal-binary-$to out "binary data would spoil the terminal"
      contains terminal-binary-status-$to out "status 1"
      if grep -qP '\x00' "$work/out"; then echo "FAILED terminal-binary-$to: zeros on the terminal"; failed=1; fi
    done
  done
  script -qec "'$texlate' translate '$work/red.asm' --to spirv-text" /dev/null > "$work/out" < /dev/null
  contains terminal-text out "OpCapability Shader"
  terminal env TERM=dumb
  if grep -qF "$escape" "$work/out"; then echo "FAILED terminal-dumb: colors on a dumb terminal"; failed=1; fi
fi

# JSON: each line is an object with the version.
check json 1 "$texlate" translate "$work/wrong.asm" "$work/nowhere.asm" --out-dir "$work/folder" --diagnostics=json
python3 - "$work/err" <<'PY' || { echo "FAILED json"; cat "$work/err"; failed=1; }
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert len(lines) >= 2 and all(line["schema"] == 1 and line["severity"] == "error" for line in lines)
assert lines[0]["line"] == 3 and lines[0]["column"] == 1 and lines[0]["file"].endswith("wrong.asm")
assert "line" not in lines[-1] and lines[-1]["file"].endswith("nowhere.asm")
PY
check json-usage 2 "$texlate" translate "$work/wrong.asm" --diagnostics=json --to nothing
python3 -c 'import json, sys; assert json.loads(open(sys.argv[1]).read())["file"] == "texlate"' "$work/err" \
  || { echo "FAILED json-usage"; failed=1; }
json_of() {  # NAME PYTHON-EXPRESSION over d
  python3 -c "import json, sys; d = json.load(open(sys.argv[1])); assert $2" "$work/out" || { echo "FAILED $1"; failed=1; }
}
check info-array 0 "$texlate" info --json $shader shaders/blur3x3.asm
json_of info-array 'len(d) == 2 and d[1]["file"] == "shaders/blur3x3.asm" and d[0]["schema"] == 1 and d[0]["profile"] == "ps_5_0"'
check info-one 0 "$texlate" info --json $shader
json_of info-one 'd["file"] == "shaders/ld_edges.asm" and d["schema"] == 1'
check gaps-array 0 "$texlate" translate $shader shaders/blur3x3.asm --explain=json --out-dir "$work/folder" -j 2
json_of gaps-array 'len(d) == 2 and d[0]["gaps"][0]["line"] == 14 and d[0]["target"] == "ptx"'
"$texlate" run shaders/blur3x3.asm -o "$work/r.json" > /dev/null && cp "$work/r.json" "$work/out"
json_of run-json 'd["schema"] == 1 and "u0" in d["uavs"]'

# Dependencies in make's format.
check depfile 0 "$texlate" translate "$work/one/a.asm" -o "$work/a b.ptx" --depfile "$work/a.d"
grep -qF "a\\ b.ptx: $work/one/a.asm" "$work/a.d" || { echo "FAILED depfile:"; cat "$work/a.d"; failed=1; }
odd='a\b:c$d#e.asm'
cp "$work/one/a.asm" "$work/$odd"
echo '{"capabilities": {"device": {"features": {}}}}' > "$work/profile.json"
"$texlate" translate "$work/$odd" -o "$work/odd.spv" --device-profile "$work/profile.json" --depfile "$work/odd.d"
grep -qF "/a\b\:c\$\$d\\#e.asm $work/profile.json" "$work/odd.d" || { echo "FAILED depfile-odd:"; cat "$work/odd.d"; failed=1; }

# diff: 0 equal, 1 different, 2 could not run.
check diff-equal 0 "$texlate" diff $shader --scene shaders/scenes/ld_edges.json --via ir,ptx,maxwell --against shaders/golden/ld_edges.png
check diff-different 1 "$texlate" diff $shader --scene shaders/scenes/ld_edges.json --via ir --against shaders/golden/ld_frame.png
check diff-picture 1 "$texlate" diff $shader --via ir --against shaders/golden/ld_edges.png
check diff-allowed 0 "$texlate" diff $shader --scene shaders/scenes/ld_frame.json --via ir --max-pixels 100000 --against shaders/golden/ld_edges.png
says diff-no-picture 2 "none.png: error: cannot be read as a PNG picture" "$texlate" diff $shader --against "$work/none.png"
says diff-missing 2 "cannot be read" "$texlate" diff "$work/nowhere.asm"
check diff-cut-off 2 "$texlate" diff $shader --budget 100

# Response files: words, quotes, comments; a backslash is a backslash.
cp $shader "$work/with blank.asm"
printf '# inputs\n"%s"\r\n--to ptx  -o\n%s\n' "$work/with blank.asm" "'$work/response.ptx'" > "$work/words"
check response 0 "$texlate" translate "@$work/words"
[ -s "$work/response.ptx" ] || { echo "FAILED response: no output"; failed=1; }
printf 'translate %s -o %s' $shader "$work/response.ir" > "$work/words"
check response-command 0 "$texlate" "@$work/words"
printf 'a\nb "c\n' > "$work/words"
check response-quote 2 "$texlate" check "@$work/words"
contains response-quote err "words:2: a quote is not closed"
check response-missing 2 "$texlate" check "@$work/missing"
contains response-missing err "missing cannot be read: No such file or directory (a file of this name is ./@$work/missing)"
cp $shader "$work/@shader.asm"
check response-name 0 "$texlate" check "$work/@shader.asm"

# Two outputs on standard output would be one text.
says stdout-twice 2 "--output and --reflect would both be written to standard output" "$texlate" translate $shader --to ptx --reflect -
says stdout-header 2 "--reflect and --emit-header would both be written to standard output" \
  "$texlate" translate $shader -o "$work/a.ptx" --reflect - --emit-header -
check stdout-once 0 "$texlate" translate $shader -o "$work/a.ptx" --reflect - --explain
python3 -m json.tool < "$work/out" > /dev/null || { echo "FAILED stdout-once: not JSON alone"; failed=1; }
contains stdout-once err "gaps closed"

# A suffix that is another target's.
"$texlate" translate $shader --to maxwell -o "$work/suffix.sass"
says suffix-ptx 2 "has the suffix of ptx, but the listing becomes maxwell-bin" "$texlate" assemble "$work/suffix.sass" -o "$work/q.ptx"
says suffix-cubin 2 "has the suffix of cubin, but the listing becomes dksh" \
  "$texlate" assemble "$work/suffix.sass" --to dksh -o "$work/q.cubin"
says suffix-dxbc 2 "has the suffix of cubin, but the listing becomes dxbc" "$texlate" assemble $shader -o "$work/q.cubin"
says suffix-png 2 "no Maxwell listing becomes a file with the suffix .png; name the target with --to" \
  "$texlate" assemble "$work/suffix.sass" -o "$work/q.png"
says suffix-dxbc-png 2 "has the suffix of .png, but the listing becomes dxbc" "$texlate" assemble $shader -o "$work/q.png"
says suffix-listing 2 "has the suffix of spirv, but the disassembly is asm" "$texlate" disassemble $shader -o "$work/q.spv"
"$texlate" assemble "$work/suffix.sass" -o "$work/suffix.cubin"
says suffix-sass 2 "has the suffix of asm, but the disassembly is maxwell" "$texlate" disassemble "$work/suffix.cubin" -o "$work/q.asm"
says suffix-into 2 "has the suffix of maxwell-bin, but the copy of '$work/suffix.cubin' is cubin" \
  "$texlate" assemble "$work/suffix.sass" --into "$work/suffix.cubin" -o "$work/q.bin"
for file in ptx cubin png spv asm bin; do
  [ ! -e "$work/q.$file" ] || { echo "FAILED suffix: q.$file was written"; failed=1; }
done
check suffix-other 0 "$texlate" assemble $shader -o "$work/q.cso"
(printf '\xef\xbb\xbf'; cat "$work/suffix.sass") > "$work/marked.sass"
check marked-listing 0 "$texlate" assemble "$work/marked.sass" -o "$work/marked.cubin"
says other-sm 1 "the listing is for sm_52, not for sm_50" "$texlate" assemble "$work/suffix.sass" --sm 50 -o "$work/q.cubin"
check suffix-named 0 "$texlate" assemble "$work/suffix.sass" --to cubin -o "$work/q.o"
says flag-value 2 "--optimize has no value" "$texlate" translate $shader --to spirv --optimize=false
says no-value 2 "--output: the value is missing" "$texlate" translate $shader -o
says no-picture 2 "README.md: error: cannot be read as a PNG picture" "$texlate" diff $shader --against README.md
lacks no-picture err "libpng"
says empty-name 2 "--output: the name is empty" "$texlate" translate $shader -o ""

# The named instruction set is not that of the file.
says isa-listing 2 "--isa d3d was given, but '$work/suffix.sass' is Maxwell assembly" \
  "$texlate" assemble --isa d3d "$work/suffix.sass"
says isa-code 2 "--isa d3d was given, but '$work/suffix.cubin' is machine code" \
  "$texlate" disassemble --isa d3d "$work/suffix.cubin"
says isa-container 2 "--isa maxwell was given, but '$work/q.cso' is a DXBC container" \
  "$texlate" disassemble --isa maxwell "$work/q.cso"
says isa-text 2 "is Maxwell assembly, which 'assemble' reads" "$texlate" disassemble --isa maxwell "$work/suffix.sass"

# Messages about a hull shader name its file.
sed 's/^ret.*/frob r0.x\n&/' shaders/surface/surface_hs.asm > "$work/unread_hs.asm"
says hull-unread 1 "unread_hs.asm:" "$texlate" translate shaders/surface/surface_ds.asm --hull "$work/unread_hs.asm" -o "$work/h.dksh"
sed '/^dcl_tessellator_partitioning/d' shaders/surface/surface_hs.asm > "$work/wrong_hs.asm"
says hull-wrong 1 "wrong_hs.asm:" "$texlate" translate shaders/surface/surface_ds.asm --hull "$work/wrong_hs.asm" -o "$work/h.dksh"
lacks hull-wrong err "surface_ds.asm"
# One for all inputs is for the domain shaders among them.
check hull-for-all 0 "$texlate" translate shaders/surface/surface_vs.asm shaders/surface/surface_ds.asm --to dksh --out-dir "$work/hull" \
  --hull shaders/surface/surface_hs.asm
says hull-of-vertex 2 "this is a vertex shader" "$texlate" translate shaders/surface/surface_vs.asm --hull shaders/surface/surface_hs.asm \
  -o "$work/h.dksh"

# What has no place in a deko3d program is named with its line.
refused_on_dksh() {  # NAME LINE TEXT; the shader is on standard input
  cat > "$work/$1.asm"
  says "$1" 1 "$1.asm:$2: error: $3" "$texlate" translate "$work/$1.asm" -o "$work/x.dksh"
}
printf 'ps_5_0\ndcl_output oStencilRef\nmov oStencilRef, l(1)\nret\n' | refused_on_dksh dksh-stencil 3:1 "mov: an output (stencil_ref)"
printf 'ps_5_0\ndcl_input_ps_siv linear v0.xy, clip_distance\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyxy\nret\n' |
  refused_on_dksh dksh-clip 4:1 "mov: an input (clip_distance)"
printf 'ps_5_1\ndcl_resource_texture2d (float,float,float,float) T0[0:*], space=0\ndcl_output o0.xyzw\n%s\nret\n' \
  'ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0,0,0,0), T0[3].xyzw' |
  refused_on_dksh dksh-range 4:1 "ld: range t0[0:4294967295] is too large"
printf 'ps_5_0\ndcl_input_ps linear v0.x\ndcl_output o0.xyzw\nprintf "%%s", v0.x\nerrorf "%%s", v0.x\nmov o0.xyzw, v0.xxxx\nret\n' > "$work/text.asm"
says printf-text 1 "text.asm:4:1: error: printf: the conversion '%s'" "$texlate" translate "$work/text.asm" --to spirv --printf -o "$work/x.spv"
contains printf-text err "text.asm:5:1: error: errorf: the conversion '%s'"

cat > "$work/semantics.asm" <<'END'
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
//
vs_5_0
dcl_input v0.xyz
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzz
ret
END
check dksh-semantics 0 "$texlate" translate "$work/semantics.asm" -o "$work/x.dksh" --reflect -
contains dksh-semantics out '"semantic": "SV_Position"'

# Limits of kernels are arguments.
says max-threads 2 "error: --max-threads is 100: not a multiple of 32" "$texlate" translate shaders/ld_edges.asm --to ptx --max-threads 100

# Binaries where nothing runs them.
says trace-binary 2 "--binary" "$texlate" trace $shader --binary "$work/frame.cubin"
check run-vertex 0 "$texlate" run shaders/surface/surface_vs.asm
lacks run-vertex out "OUT.png"

# Known formats of typed u# must be those of the scene; what is known as specialization constants is for SPIR-V.
cat > "$work/typed.asm" <<'END'
cs_5_0
dcl_constantbuffer cb0[1], immediateIndexed
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_thread_group 1, 1, 1
store_uav_typed u1.xyzw, l(0,0,0,0), cb0[0].xyzw
ret
END
echo '{"uavs": {"u1": {"format": "r8g8b8a8_unorm"}}}' > "$work/scene.json"
echo '{"known": {"u1": {"format": "r32g32b32a32_float"}}}' > "$work/known.json"
says known-format-run 1 "u1: its format is r8g8b8a8_unorm (28), but 2 is known" \
  "$texlate" run "$work/typed.asm" --scene "$work/scene.json" --known "$work/known.json"
echo '{"known": {"u1": {"format": "r8g8b8a8_unorm"}}}' > "$work/known.json"
check known-format-good 0 "$texlate" run "$work/typed.asm" --scene "$work/scene.json" --known "$work/known.json"
echo '{"known": {"u1": {"format": "r8g8b8a8_uint"}}}' > "$work/known.json"
says known-format-type 2 "--known: the format of u1 is one of integers, but the shader declares it with floats" \
  "$texlate" translate "$work/typed.asm" --to ptx --known "$work/known.json"
echo '{"known": {"cb0": {"values": [[1, 2, 3, 4]], "known": "specialize"}}}' > "$work/known.json"
says specialize-translate 2 "error: --known: ptx has no specialization constants" \
  "$texlate" translate "$work/typed.asm" --to ptx --known "$work/known.json"
says specialize-diff 2 "known.json: error: ptx has no specialization constants" \
  "$texlate" diff "$work/typed.asm" --via ir,ptx --known "$work/known.json"

finish
