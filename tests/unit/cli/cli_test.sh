#!/usr/bin/env bash
# The command line: exit statuses, destinations of output and diagnostics, several inputs at once.
set -u
. "$(dirname "$0")/checks.sh"

check help 0 "$texlate" --help
contains help out "translate"
check subcommand-help 0 "$texlate" translate --help
contains subcommand-help out "--out-dir"
check version 0 "$texlate" --version
contains version out "texlate 0.3.0"
# The topmost version of the change log is that of the program, with its date once it is released.
grep -m1 '^## ' CHANGELOG.md > "$work/top"
grep -qxE "## $(sed -n 's/^texlate //p' "$work/out" | sed 's/\./\\./g') - (20[0-9]{2}-[01][0-9]-[0-3][0-9]|not released yet)" "$work/top" \
  || { echo "FAILED version: the top of CHANGELOG.md is '$(cat "$work/top")'"; failed=1; }
check no-command 2 "$texlate"
check unknown-option 2 "$texlate" translate shaders/ld_edges.asm --frobnicate
check unknown-target 2 "$texlate" translate shaders/ld_edges.asm --to elf
check several-without-folder 2 "$texlate" translate shaders/ld_edges.asm shaders/blur3x3.asm
check output-and-folder 2 "$texlate" translate shaders/ld_edges.asm -o "$work/x" --out-dir "$work"
check sm-of-spirv 2 "$texlate" translate shaders/ld_edges.asm --to spirv --sm 90
contains sm-of-spirv err "--sm can only be used with --to ptx"
# The suffix of the output selects the target before the options of targets are checked.
check spirv-version-by-suffix 0 "$texlate" translate shaders/ld_edges.asm --spirv-version 1.4 -o "$work/x.spv"
check sm-by-suffix 2 "$texlate" translate shaders/ld_edges.asm --sm 53 -o "$work/x.spv"
contains sm-by-suffix err "--sm can only be used with --to ptx, maxwell, cubin, maxwell-bin or dksh, not spirv"
check max-threads-by-suffix 2 "$texlate" translate shaders/ld_edges.asm --max-threads 64 -o "$work/x.cubin"
check uav-format-of-ir 2 "$texlate" translate shaders/ld_edges.asm --to ir --uav-format u0=r32_uint
contains uav-format-of-ir err "--uav-format can only be used with --to ptx, "
check reflect-of-ir 2 "$texlate" translate shaders/ld_edges.asm --to ir --reflect "$work/x.json"
check bad-class 2 "$texlate" translate shaders/blur3x3.asm --class fp0=1
for format in rgb8_unorm rgba8_float rgba7_unorm rgba32_unorm; do
  check "bad-uav-format-$format" 2 "$texlate" translate shaders/blur3x3.asm --uav-format "u0=$format"
  contains "bad-uav-format-$format" err "'u0=$format' is not a UAV format such as u0=rgba8_unorm"
done

check to-stdout 0 "$texlate" translate shaders/ld_edges.asm
contains to-stdout out ".visible .entry main("
empty to-stdout err
# PTX from other compilers runs only on the PTX machine.
cat > "$work/foreign.ptx" <<'PTX'
.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
.reg .b32 %r<3>;
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
st.global.u32 [%rd1], %r1;
ret;
}
PTX
echo '{"dispatch": [1], "uavs": {"u0": {"elements": 1}}, "kernel": {"block": [1], "arguments": {"n": 77}}}' > "$work/foreign.json"
check run-foreign 0 "$texlate" run "$work/foreign.ptx" --scene "$work/foreign.json"
contains run-foreign out "0000004d"
check run-foreign-needs-values 1 "$texlate" run "$work/foreign.ptx"
contains run-foreign-needs-values err "foreign.ptx:4:48: error: parameter n has no value"
check run-foreign-elsewhere 1 "$texlate" run "$work/foreign.ptx" --via sass
contains run-foreign-elsewhere err "this is PTX, which only route ptx can run, not sass"
check explain 0 "$texlate" translate shaders/ld_edges.asm --explain -o "$work/x.ptx"
contains explain out "shaders/ld_edges.asm:14: ld_aoffimmi_indexable(-8,0,0)"
contains explain out "offset added to the coordinates"
# Every gap of a target: its location, its promise, and the document that defines nothing.
cat > "$work/gaps.asm" <<'ASM'
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_structured t1, 16
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
dcl_indexableTemp x0[4], 4
udiv r0.x, r0.y, v1.x, v1.y
ishl r0.z, v1.x, v1.y
mov x0[0].x, r0.x
mov x0[1].x, r0.y
mov x0[2].x, r0.z
mov x0[3].x, l(0)
mov r1.x, v1.z
mov r0.x, x0[r1.x + 0].x
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.y, v1.x, l(4), t1.xxxx
resinfo_indexable(texture2d)(float,float,float,float)_uint r0.z, v1.w, t0.xyzw
mov r1.xyzw, v1.xyzw
ld_indexable(texture2d)(float,float,float,float) r0.w, r1.xyzw, t0.xyzw
sample_indexable(texture2d)(float,float,float,float) r2.xyzw, v0.xyxx, t0.xyzw, s0
add o0.xyzw, r0.xyzw, r2.xyzw
ret
ASM
check explain-ptx 0 "$texlate" translate "$work/gaps.asm" --explain -o "$work/x.ptx"
contains explain-ptx out "gaps.asm:11: udiv r0.x, r0.y, v1.x, v1.y"
contains explain-ptx out "udiv.u32: divisor compared with 0: the result is then 0xffffffff (not promised by PTX ISA 9.7.1.8 div)"
contains explain-ptx out "shl: shift count masked with 31 (not promised by PTX ISA 9.7.8.8 shl)"
contains explain-ptx out "local.load: row or offset compared with the size: out of bounds reads 0 and writes nothing (not promised by PTX ISA 9.7.9.8 ld.local"
contains explain-ptx out "buf.load: coordinates compared with the size"
contains explain-ptx out "tex.size: result for missing mips and unbound slots taken from the properties of the binding"
contains explain-ptx out "tex.fetch: mip compared with the number of mips"
contains explain-ptx out "tex.sample: derivatives over the quad computed explicitly"
cat > "$work/view.asm" << 'ASM'
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_input vThreadID.xy
dcl_thread_group 8, 8, 1
store_uav_typed u0.xyzw, vThreadID.xyyy, l(0.25,0.5,0.75,1.0)
ret
ASM
check explain-view 0 "$texlate" translate "$work/view.asm" --to ptx --explain -o "$work/x.ptx"
contains explain-view out "surf.store: texels packed and unpacked in code, for the format of the view"
check explain-view-dksh 0 "$texlate" translate "$work/view.asm" --to dksh --explain -o "$work/x.dksh"
lacks explain-view-dksh out "texels packed"
check explain-shader 0 "$texlate" translate "$work/gaps.asm" --to spirv --robustness shader --explain -o "$work/x.spv"
contains explain-shader out "udiv.u32: divisor compared with 0: the result is then 0xffffffff (not promised by SPIR-V 3.42.13 OpUDiv)"
contains explain-shader out "shl: shift count masked with 31 (not promised by SPIR-V 3.42.14 OpShiftLeftLogical)"
contains explain-shader out "(not promised by SPIR-V 3.42.8 OpAccessChain)"
contains explain-shader out "buf.load: slot tested"
contains explain-shader out "tex.size: mip compared with the number of mips (not promised by SPIR-V 3.42.10 (image queries))"
contains explain-shader out "tex.fetch: coordinates compared with the size"
contains explain-shader out "tex.sample: slot tested"
# The driver guarantees what robustness2 defines, but nothing about arithmetic.
# In a container the instruction is disassembled; equal explanations stand together; the last line counts.
"$texlate" assemble shaders/ld_edges.asm -o "$work/edges.dxbc"
check explain-container 0 "$texlate" translate "$work/edges.dxbc" --explain -o "$work/x.ptx"
contains explain-container out "edges.dxbc: offset 0x110: ld_aoffimmi_indexable(-8,0,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw"
contains explain-container out "edges.dxbc: 16 gaps closed at 4 instructions"
[ "$(grep -c 'tex.fetch: slot tested' "$work/out")" -eq 1 ] || { echo "FAILED explain-container: a sentence stands more than once"; failed=1; }
check explain-driver 0 "$texlate" translate "$work/gaps.asm" --to spirv --explain -o "$work/x.spv"
contains explain-driver out "udiv.u32: divisor compared"
contains explain-driver out "buf.load: index limited"
if grep -v "buf.load: index limited" "$work/out" | grep -q "tex.fetch:\|buf.load:\|tex.sample:"; then echo "FAILED explain-driver: promised, and yet closed"; failed=1; fi
check explain-json 0 "$texlate" translate "$work/gaps.asm" --explain=json -o "$work/x.ptx"
contains explain-json out '{"line": 11, "column": 1, "op": "udiv.u32", "gap": "zero_divisor", "promise": "0xffffffff from a division by 0", "source": "PTX ISA 9.7.1.8 div", "done": "divisor compared with 0: the result is then 0xffffffff"}'
check explain-bad 2 "$texlate" translate "$work/gaps.asm" --explain=xml
check explain-blank 2 "$texlate" translate "$work/gaps.asm" --explain json -o "$work/x.ptx"
contains explain-blank err "'json' is taken for an input: the form belongs to the option, --explain=json"
check reflect 0 "$texlate" translate shaders/shadow_gather.asm --sm 80 --entry shade --reflect "$work/r.json" -o "$work/x.ptx"
grep -q '"entry": "shade"' "$work/r.json" || { echo "FAILED reflect: entry"; failed=1; }
grep -q '^.target sm_80$' "$work/x.ptx" || { echo "FAILED reflect: target"; failed=1; }
# A name that is empty or has control characters is refused by all targets. In other programs' files a name cannot end the line that it is on.
for target in ptx maxwell cubin spirv spirv-text; do
  check "entry-empty-$target" 2 "$texlate" translate shaders/ld_edges.asm --to $target --entry ''
  contains "entry-empty-$target" err "error: --entry is empty"
  check "entry-of-two-lines-$target" 2 "$texlate" translate shaders/ld_edges.asm --to $target --entry $'a\nb'
  contains "entry-of-two-lines-$target" err "entry has the control character 0x0a"
done
check entry-of-three 0 "$texlate" translate shaders/ld_edges.asm --entry aXb -o "$work/name.cubin"
python3 -c 'import sys; p = sys.argv[1]; b = open(p, "rb").read(); open(p, "wb").write(b.replace(b"aXb", b"a\nb"))' "$work/name.cubin"
check entry-of-two-lines-listed 0 "$texlate" disassemble "$work/name.cubin" -o "$work/listed.sass"
check entry-of-two-lines-again 0 "$texlate" assemble --isa maxwell "$work/listed.sass" -o "$work/again.bin"
# Class linkage: calls a method of the bound class.
cat > "$work/class.asm" <<'ASM'
ps_5_0
dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface fp1[1][1] = {ft0}
dcl_output o0.x
dcl_temps 1
fcall fp1[0][0]
mov o0.x, r0.x
ret
label fb0
mov r0.x, this[1].y
ret
ASM
check class 0 "$texlate" translate "$work/class.asm" --to ir --class "fp1=ft0,cb2[77]"
contains class out "output o0.x, 77"
check no-class 1 "$texlate" translate "$work/class.asm" --to ir
contains no-class err "needs a class instance for fp1 (texlate translate --class)"
check class-twice 2 "$texlate" translate "$work/class.asm" --to ir --class fp1=ft0 --class fp2=ft0 --class fp1=ft1
contains class-twice err "--class: classes[0] and [2] both name slot fp1"
check class-run 0 "$texlate" run "$work/class.asm" --class "fp1=ft0,cb2[77]" -o "$work/class.json"
grep -A1 '"o0.x"' "$work/class.json" | grep -q '^ *77,' || { echo "FAILED class-run: not the method of ft0"; failed=1; }
check class-diff 0 "$texlate" diff "$work/class.asm" --class "fp1=ft0,cb2[77]" --via ir,ptx,maxwell
check class-view 0 "$texlate" view "$work/class.asm" --class "fp1=ft0,cb2[77]" -o "$work/class.html"
check class-run-form 1 "$texlate" run "$work/class.asm" --class "fp1"
contains class-run-form err "'fp1' is not a class instance such as fp0=ft1"
check class-run-without-interface 1 "$texlate" run shaders/ld_frame.asm --class fp1=ft0
contains class-run-without-interface err "slot fp1, but the shader declares no interface"
check class-without-interface 2 "$texlate" translate shaders/blur3x3.asm --class fp1=ft0
contains class-without-interface err "--class: classes[0] names slot fp1, but the shader declares no interface"

# SPIR-V: binding map, debug lines, versions.
cat > "$work/map.json" <<'JSON'
{"bindings": [{"register": "cb0", "as": "push-constants", "offset": 16},
              {"register": "t0", "count": 8, "set": 3, "binding": 40}],
 "combined": [{"texture": "t1", "sampler": "s0", "set": 1, "binding": 9}]}
JSON
check binding-map 0 "$texlate" translate shaders/ld_edges.asm --to spirv-text --binding-map "$work/map.json" --debug \
  --spirv-version 1.5 --validate --reflect "$work/r.json"
contains binding-map out "OpDecorate %t0 DescriptorSet 3"
contains binding-map out "OpDecorate %t0 Binding 40"
contains binding-map out "OpLine"
contains binding-map out "; Version: 1.5"
grep -q '"binding": 40' "$work/r.json" || { echo "FAILED binding-map reflection"; cat "$work/r.json"; failed=1; }
check robust-shader 0 "$texlate" translate shaders/ld_edges.asm --to spirv-text --robustness shader --optimize
contains robust-shader out "SpecId"
bad_map() {  # NAME JSON MESSAGE
  printf '%s' "$2" > "$work/bad.json"
  check "$1" 1 "$texlate" translate shaders/ld_edges.asm --to spirv --binding-map "$work/bad.json"
  contains "$1" err "$3"
}
bad_map map-no-json '{' "this is not valid JSON"
bad_map map-number '{"bindings": [{"register": "t0", "binding": 1e999}]}' "a number is too large"
bad_map map-key '{"binding": []}' "unknown key 'binding'"
bad_map map-entry-key '{"bindings": [{"register": "t0", "bindings": 1}]}' "bindings[0] has an unknown key"
bad_map map-register '{"bindings": [{"register": "r0", "binding": 1}]}' "a register such as"
bad_map map-negative '{"bindings": [{"register": "t0", "binding": -1}]}' "needs 'binding', a number"
bad_map map-push '{"bindings": [{"register": "cb0", "as": "push-constants", "offset": 6}]}' "not a multiple of 4"
bad_map map-as '{"bindings": [{"register": "s0", "as": "texel-buffer", "binding": 1}]}' "an 'as' that is not one of"
bad_map map-special '{"bindings": [{"register": "t0", "as": "specialization", "id": 6}]}' "has an 'id' but is not specialization constants"
bad_map map-special-set '{"bindings": [{"register": "cb0", "as": "specialization", "id": 6, "set": 1}]}' "cannot have 'set'"

# A device that lacks something: a list of features, or what vulkaninfo writes.
cat > "$work/discard.asm" <<'END'
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyz
dcl_output o0.xyzw
discard_nz v0.x
mov o0.xyzw, v0.xyzz
ret
END
check without 0 "$texlate" translate "$work/discard.asm" --to spirv-text --without shaderDemoteToHelperInvocation
contains without out "OpKill"
check without-what 2 "$texlate" translate "$work/discard.asm" --to spirv-text --without shaderFloat64,discards
contains without-what err "'discards' is not a feature that matters"
check without-robustness 2 "$texlate" translate "$work/discard.asm" --to spirv-text --without nullDescriptor
contains without-robustness err "'nullDescriptor' is one of the features that --robustness shader does without"
for list in ,shaderFloat64 imageCubeArray,,shaderFloat64 ,discards shaderFloat64, ,; do
  check without-empty 2 "$texlate" translate "$work/discard.asm" --to spirv-text --without "$list"
  contains without-empty err "'' is not a feature that matters"
  check without-empty-run 1 "$texlate" run "$work/discard.asm" --via vulkan --without "$list"
  contains without-empty-run err "--without: '' is not a feature that matters"
done
cat > "$work/device.json" <<'END'
{"capabilities": {"device": {
  "extensions": {"VK_EXT_shader_stencil_export": 1},
  "features": {"VkPhysicalDeviceFeatures": {"shaderFloat64": false},
               "VkPhysicalDeviceVulkan13Features": {"shaderDemoteToHelperInvocation": true}},
  "properties": {"VkPhysicalDeviceProperties": {"limits": {"maxFragmentInputComponents": 3, "maxComputeWorkGroupSize": [1, 2, 3]}}}}}}
END
check profile 1 "$texlate" translate "$work/discard.asm" --to spirv-text --device-profile "$work/device.json"
contains profile err "4 components that the pixel shader reads: the device has maxFragmentInputComponents 3"
sed 's/"maxFragmentInputComponents": 3/"maxFragmentInputComponents": 64/' "$work/device.json" > "$work/larger.json"
check profile-larger 0 "$texlate" translate "$work/discard.asm" --to spirv-text --device-profile "$work/larger.json"
contains profile-larger out "OpDemoteToHelperInvocation"
# What flushes denormals of 32 bits flushes those of 64 bits, too, where both go together.
cat > "$work/doubles.asm" <<'END'
ps_5_0
dcl_globalFlags enableDoublePrecisionFloatOps
dcl_input_ps constant v0.xyzw
dcl_output o0.xy
dadd o0.xy, v0.xyxy, v0.zwzw
ret
END
for independence in ALL NONE 1; do
  case $independence in 1) value=1 ;; *) value=\"VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_$independence\" ;; esac
  echo '{"capabilities": {"device": {
    "features": {"VkPhysicalDeviceFeatures": {"shaderFloat64": true}},
    "properties": {"VkPhysicalDeviceFloatControlsProperties": {
      "denormBehaviorIndependence": '$value',
      "shaderDenormFlushToZeroFloat32": true, "shaderDenormPreserveFloat64": true}}}}}' > "$work/$independence.json"
  check denormals-$independence 0 "$texlate" translate "$work/doubles.asm" --to spirv-text --float-controls --device-profile "$work/$independence.json"
  contains denormals-$independence out "DenormFlushToZero 32"
  if [ $independence = NONE ]; then
    lacks denormals-NONE out "DenormPreserve"
  else
    contains denormals-$independence out "DenormPreserve 64"
  fi
done
echo '{"features": {}}' > "$work/none.json"
check profile-none 1 "$texlate" translate "$work/discard.asm" --to spirv-text --device-profile "$work/none.json"
contains profile-none err "this is no Vulkan profile"
check debug-info 0 "$texlate" translate "$work/discard.asm" --to spirv-text --debug-info --validate
contains debug-info out "DebugLine"
contains debug-info out "discard_nz v0.x"

printf '{"combined": [{"texture": "t0", "sampler": "s0", "binding": 1}, {"texture": "t0", "sampler": "s0", "binding": 2}]}' > "$work/bad.json"
check map-twice 2 "$texlate" translate shaders/ld_edges.asm --to spirv --binding-map "$work/bad.json"
contains map-twice err "error: --binding-map $work/bad.json: combined[0] and [1] both name"
lacks map-twice err "bug in texlate"
check map-missing 1 "$texlate" translate shaders/ld_edges.asm --to spirv --binding-map "$work/no_such_map.json"
contains map-missing err "no_such_map.json: error: cannot be read"
bad_map map-pair '{"combined": [{"texture": "s0", "sampler": "s0", "binding": 1}]}' "combined[0] needs 'texture'"

check stdin 0 bash -c "'$texlate' translate - --to asm < shaders/ld_edges.asm"
contains stdin out "ps_5_0"
check many 0 "$texlate" translate shaders/*.asm --out-dir "$work/many" -j 2
[ "$(ls "$work/many" | wc -l)" -eq "$(ls shaders/*.asm | wc -l)" ] || { echo "FAILED many: files"; failed=1; }

printf 'ps_5_0\ndcl_temps 1\nmov r0.x, r0.y\nfrob r0.x, r0.y\nret \n' > "$work/wrong.asm"
check wrong-input 1 "$texlate" translate "$work/wrong.asm"
contains wrong-input err "wrong.asm:4:1: error: "
contains wrong-input err "    frob r0.x, r0.y"
contains wrong-input err "    ^~~~"
empty wrong-input out
check missing-file 1 "$texlate" translate "$work/nowhere.asm"
contains missing-file err "cannot be read"
check one-wrong-of-two 1 "$texlate" translate shaders/ld_edges.asm "$work/wrong.asm" --out-dir "$work/two"
[ -s "$work/two/ld_edges.ptx" ] && [ ! -e "$work/two/wrong.ptx" ] || { echo "FAILED one-wrong-of-two: files"; failed=1; }
check unknown-sm 2 "$texlate" translate shaders/ld_edges.asm --sm 42
contains unknown-sm err "error: --sm is 42, which ptx does not have; it has 50, 52, 53, 60,"

printf 'TEXS RZ, R0, R19, R29, 0x1, 2D, RG;\nTEXS.DC R4, R0, R8, R19, 0x2, 2D, RGBA;\n' > "$work/t.sass"
check assemble-maxwell 0 "$texlate" assemble --isa maxwell "$work/t.sass" -o "$work/t.bin"
[ "$(stat -c %s "$work/t.bin")" -eq 32 ] || { echo "FAILED assemble-maxwell: size"; failed=1; }
check disassemble-maxwell 0 "$texlate" disassemble --isa maxwell --words "$work/t.bin"
contains disassemble-maxwell out "TEXS.DC R4, R0, R8, R19, 0x2, 2D, RGBA;"
contains disassemble-maxwell out "0xd890002041370800"
# Files of machine code are recognized by their first bytes.
"$texlate" translate shaders/ld_frame.asm -o "$work/frame.cubin" && "$texlate" translate shaders/ld_frame.asm -o "$work/frame.dksh"
for file in cubin dksh; do
  check "disassemble-$file" 0 "$texlate" disassemble "$work/frame.$file"
  contains "disassemble-$file" out "TLDS.LZ"
  check "disassemble-$file-words" 0 "$texlate" disassemble "$work/frame.$file" --words
  contains "disassemble-$file-words" out "// 0x"
  check "disassemble-$file-literals" 2 "$texlate" disassemble "$work/frame.$file" --exact-literals
  contains "disassemble-$file-literals" err "--exact-literals can only be used with --isa d3d, not maxwell"
done
# A listing assembles without --isa; to a file by its directives, or with --into to a copy of the file that it came from.
for file in cubin dksh; do
  "$texlate" disassemble "$work/frame.$file" -o "$work/frame.$file.sass"
  check "assemble-$file-listing" 0 "$texlate" assemble "$work/frame.$file.sass" -o "$work/t.bin"
  check "assemble-$file-whole" 0 "$texlate" assemble "$work/frame.$file.sass" -o "$work/whole.$file"
  cmp -s "$work/frame.$file" "$work/whole.$file" || { echo "FAILED assemble-$file-whole: another file"; failed=1; }
  check "assemble-$file-to" 0 "$texlate" assemble "$work/frame.$file.sass" --to "$file" -o "$work/whole"
  cmp -s "$work/frame.$file" "$work/whole" || { echo "FAILED assemble-$file-to: another file"; failed=1; }
  grep -v '^\.registers' "$work/frame.$file.sass" > "$work/fewer.sass"
  check "assemble-$file-fewer" 1 "$texlate" assemble "$work/fewer.sass" -o "$work/x.$file"
  contains "assemble-$file-fewer" err "needs '.registers'"
  check "assemble-$file-both" 2 "$texlate" assemble "$work/frame.$file.sass" --to "$file" --into "$work/frame.$file" -o "$work/x.$file"
  contains "assemble-$file-both" err "--to cannot be used with --into"
  check "assemble-$file" 0 "$texlate" assemble "$work/frame.$file.sass" --into "$work/frame.$file" -o "$work/again.$file"
  cmp -s "$work/frame.$file" "$work/again.$file" || { echo "FAILED assemble-$file: another file"; failed=1; }
  # An edited instruction, one too many, and a register that the headers do not allow.
  sed '0,/ \(FADD\|FMUL\|FFMA\|MOV\)[^;]*;/s// NOP;/' "$work/frame.$file.sass" > "$work/edited.sass"
  check "assemble-$file-edited" 0 "$texlate" assemble "$work/edited.sass" --into "$work/frame.$file" -o "$work/edited.$file"
  check "assemble-$file-edited-back" 0 "$texlate" disassemble "$work/edited.$file"
  contains "assemble-$file-edited-back" out " NOP;"
  cmp -s "$work/out" "$work/edited.sass" || { echo "FAILED assemble-$file-edited-back: another listing"; failed=1; }
  { cat "$work/frame.$file.sass"; printf 'NOP;\nNOP;\nNOP;\nNOP;\n'; } > "$work/longer.sass"
  check "assemble-$file-longer" 1 "$texlate" assemble "$work/longer.sass" --into "$work/frame.$file" -o "$work/x.$file"
  contains "assemble-$file-longer" err "they must be equal"
  sed '0,/ EXIT;/s// MOV R200, R0;/' "$work/frame.$file.sass" > "$work/large.sass"
  check "assemble-$file-register" 1 "$texlate" assemble "$work/large.sass" --into "$work/frame.$file" -o "$work/x.$file"
  contains "assemble-$file-register" err "uses R200"
done
# The shader says what the slots of such a file are.
for pair in maxwell:cubin dksh:dksh; do
  route=${pair%:*} file=${pair#*:}
  check "translated-$file" 0 "$texlate" run shaders/ld_frame.asm --via "$route" -o "$work/translated.json"
  check "binary-$file" 0 "$texlate" run shaders/ld_frame.asm --binary "$work/frame.$file" -o "$work/binary.json"
  cmp -s "$work/translated.json" "$work/binary.json" || { echo "FAILED binary-$file: other outputs"; failed=1; }
  check "binary-$file-diff" 0 "$texlate" diff shaders/ld_frame.asm --via "ir,$route" --binary "$work/frame.$file"
  contains "binary-$file-diff" out "0 of"
  # Without one of its instructions the code is another one.
  sed '0,/FADD\|FMUL\|FFMA\|MOV/s/\(FADD\|FMUL\|FFMA\|MOV\)[^;]*;/NOP;/' "$work/frame.$file.sass" > "$work/edited.sass"
  "$texlate" assemble "$work/edited.sass" --into "$work/frame.$file" -o "$work/edited.$file"
  check "binary-$file-edited" 1 "$texlate" diff shaders/ld_frame.asm --via "ir,$route" --binary "$work/edited.$file"
  check "binary-$file-elsewhere" 2 "$texlate" diff shaders/ld_frame.asm --via ir,ptx --binary "$work/frame.$file"
  contains "binary-$file-elsewhere" err "is run by route $route, which is not among those of --via"
done
check cube-of-hardware 1 "$texlate" diff shaders/cube_sphere.asm --scene shaders/scenes/cube_sphere.json --via ir,dksh
contains cube-of-hardware out "they part at shaders/cube_sphere.asm:22: sample_indexable(texturecube)"
contains cube-of-hardware out "    dksh: r1.xyz = "
contains cube-of-hardware out "for example --absolute 0.05 (docs/dksh.md)"
check dksh-binds 0 "$texlate" translate shaders/ld_frame.asm --explain -o "$work/explained.dksh"
contains dksh-binds out "the host must bind every slot (not promised by docs/dksh.md: deko3d has no unbound slots)"
# Domain shaders of one call with a hull shader for all and one for a single input.
sed 's/partitioning_fractional_odd/partitioning_integer/' shaders/surface/surface_hs.asm > "$work/integer_hs.asm"
cp shaders/surface/surface_ds.asm "$work/other_ds.asm"
check hull-by-input 0 "$texlate" translate shaders/surface/surface_ds.asm "$work/other_ds.asm" --to dksh --out-dir "$work/hulls" \
  --hull "$work/other_ds.asm=$work/integer_hs.asm" --hull shaders/surface/surface_hs.asm
check hull-of-all 0 "$texlate" translate shaders/surface/surface_ds.asm --hull shaders/surface/surface_hs.asm -o "$work/odd.dksh"
check hull-integer 0 "$texlate" translate "$work/other_ds.asm" --hull "$work/integer_hs.asm" -o "$work/integer.dksh"
cmp -s "$work/hulls/surface_ds.dksh" "$work/odd.dksh" || { echo "FAILED hull-by-input: not the hull shader of all"; failed=1; }
cmp -s "$work/hulls/other_ds.dksh" "$work/integer.dksh" || { echo "FAILED hull-by-input: not its own hull shader"; failed=1; }
cmp -s "$work/odd.dksh" "$work/integer.dksh" && { echo "FAILED hull-by-input: the partitioning has no effect"; failed=1; }
check binary-of-another 1 "$texlate" run shaders/lambert.asm --binary "$work/frame.cubin"
contains binary-of-another err "it was made from another shader"
"$texlate" translate shaders/sobel.asm -o "$work/groups.dksh"
check binary-of-another-stage 1 "$texlate" run shaders/ld_frame.asm --binary "$work/groups.dksh"
contains binary-of-another-stage err "of another stage than the shader"
check binary-of-text 1 "$texlate" run shaders/ld_frame.asm --binary README.md
contains binary-of-text err "neither a cubin nor a deko3d program"
check binary-missing 1 "$texlate" run shaders/ld_frame.asm --binary "$work/nothing"
contains binary-missing err "cannot be read"
check run-cubin 1 "$texlate" run "$work/frame.cubin"
contains run-cubin err "'texlate run SHADER --binary FILE' runs it"
check assemble-into-text 1 "$texlate" assemble "$work/frame.cubin.sass" --into README.md -o "$work/x.cubin"
contains assemble-into-text err "neither a cubin nor a deko3d program"
check assemble-into-d3d 2 "$texlate" assemble shaders/ld_edges.asm --into "$work/frame.cubin" -o "$work/x.cubin"
contains assemble-into-d3d err "--into can only be used with --isa maxwell, not d3d"
check assemble-strict-listing 2 "$texlate" assemble --strict "$work/frame.cubin.sass"
contains assemble-strict-listing err "is Maxwell assembly"
: > "$work/empty"
for command in assemble disassemble; do
  check "$command-empty" 1 "$texlate" $command --isa maxwell "$work/empty"
  contains "$command-empty" err "empty: error: the input is empty"
done
printf 'TEXS R1, R0, R8, R19, 0x2, 2D, RGBA;\n' > "$work/unaligned.sass"
check unaligned-maxwell 1 "$texlate" assemble --isa maxwell "$work/unaligned.sass" -o "$work/t.bin"
contains unaligned-maxwell err "unaligned.sass:1:6: error: "
check unconstrained-maxwell 0 "$texlate" assemble --isa maxwell --unconstrained "$work/unaligned.sass" -o "$work/t.bin"

check assemble 0 "$texlate" assemble shaders/ld_edges.asm -o "$work/ld_edges.dxbc"
check disassemble 0 "$texlate" disassemble "$work/ld_edges.dxbc"
contains disassemble out "ld_aoffimmi_indexable(-8,0,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw"
check translate-container 0 "$texlate" translate "$work/ld_edges.dxbc"
contains translate-container out "tex.level.2d.v4.f32.s32"

check info 0 "$texlate" info "$work/ld_edges.dxbc"
contains info out "ps_5_0"
check info-json 0 "$texlate" info --json shaders/blur3x3.asm
contains info-json out '"cs_5_0"'
check check-good 0 "$texlate" check shaders/*.asm "$work/ld_edges.dxbc" --strict
empty check-good err
printf 'ps_5_0\ndcl_output o0.xyzw\ndcl_temps 1\nmov o0.xyzw, r1.xyzw\nret \n' > "$work/undeclared.asm"
check check-undeclared 1 "$texlate" check "$work/undeclared.asm"
contains check-undeclared err "undeclared.asm:4:"
check translate-undeclared 1 "$texlate" translate "$work/undeclared.asm"
contains translate-undeclared err "undeclared.asm:4:"
printf 'X' | dd of="$work/ld_edges.dxbc" bs=1 seek=6 conv=notrunc 2> /dev/null
for command in check info disassemble assemble translate; do
  check "$command-digest-warning" 0 "$texlate" $command "$work/ld_edges.dxbc"
  contains "$command-digest-warning" err "ld_edges.dxbc:0x4: warning: the container's digest is wrong"
  check "$command-digest-strict" 1 "$texlate" $command --strict "$work/ld_edges.dxbc"
  contains "$command-digest-strict" err "ld_edges.dxbc:0x4: error: the container's digest is wrong"
  empty "$command-digest-strict" out
done

check vulkan-no-device 1 "$texlate" run shaders/ld_edges.asm --via vulkan --device "no such device"
contains vulkan-no-device err "error: vulkan: "
# The examples on a driver, if there is one. Tolerances: ULP if only UNORM decoding, interpolation and fused multiplication depend on the device;
# otherwise the possible error of a filter with 8 bits of weights and of mips blended with 4 bits (mipmapPrecisionBits).
if "$texlate" run shaders/ld_edges.asm --via vulkan > "$work/vulkan.out" 2> "$work/vulkan.err"; then
  for robustness in driver shader; do
    for example in blur3x3:0.000002 ld_edges:0.000002 ld_frame:0.000002 loop_dynamic_cb:0.000002 gather_sobel:0.000002 \
                   cube_sphere:0.02 sample_offset_bias:0.02 mip_rings:0.125; do
      name=${example%:*}
      check "vulkan-$robustness-$name" 0 "$texlate" diff "shaders/$name.asm" --scene "shaders/scenes/$name.json" \
        --via ir,vulkan --robustness "$robustness" --absolute "${example#*:}"
    done
    check "vulkan-$robustness-shadow_gather" 0 "$texlate" diff shaders/shadow_gather.asm --via ir,vulkan --robustness "$robustness"
  done
else
  [ "$(wc -l < "$work/vulkan.err")" -eq 1 ] || { echo "FAILED vulkan: more than one line"; failed=1; }
  echo "skipped on Vulkan: $(cat "$work/vulkan.err")"
fi

check run-picture 0 "$texlate" run shaders/ld_frame.asm --scene shaders/scenes/ld_frame.json --scale 2 -o "$work/frame.png"
[ -s "$work/frame.png" ] || { echo "FAILED run-picture: no picture"; failed=1; }
check run-unguarded 0 "$texlate" run shaders/ld_frame.asm --scene shaders/scenes/ld_frame.json --unguarded -o "$work/frame.png"
contains run-unguarded err "poison_store"
check run-uav-picture 0 "$texlate" run shaders/blur3x3.asm --scene shaders/scenes/blur3x3.json -o "$work/blur.png"
check run-json 0 "$texlate" run shaders/blur3x3.asm --via ptx -o "$work/blur.json"
check diff 0 "$texlate" diff shaders/gather_sobel.asm --scene shaders/scenes/gather_sobel.json -o "$work/sheet.png"
contains diff out "ir and ptx: 0 of 6400 differ"
check diff-random 0 "$texlate" diff shaders/shadow_gather.asm --random 5 --seed 3 --via ir,ptx,maxwell
contains diff-random out "5 random scenes from seed 3: no differences in "
# docs/dksh.md: the LOD of a cube comes from differences of other coordinates. The scene that is kept shows it again.
check diff-random-keep 1 "$texlate" diff shaders/cube_sphere.asm --random 50 --via ir,dksh --keep "$work/kept.json"
contains diff-random-keep out "Again: texlate diff shaders/cube_sphere.asm --scene $work/kept.json --via ir,dksh"
difference=$(grep " differ$" "$work/out")
check diff-random-again 1 "$texlate" diff shaders/cube_sphere.asm --scene "$work/kept.json" --via ir,dksh
contains diff-random-again out "$difference"
check diff-random-scene 2 "$texlate" diff shaders/cube_sphere.asm --random 5 --scene "$work/kept.json"
contains diff-random-scene err "--random makes its own scenes: it does not go with --scene"
check diff-seed 2 "$texlate" diff shaders/cube_sphere.asm --seed 5
contains diff-seed err "--seed needs --random"
# The order of pixels is open. No route that knows it takes part.
printf '%s\n' ps_5_0 'dcl_uav_raw u1' 'dcl_output o0.xyzw' 'dcl_temps 1' 'imm_atomic_iadd r0.x, u1, l(0), l(1)' \
  'utof o0.xyzw, r0.xxxx' ret > "$work/order.asm"
# Two shaders on one scene.
check diff-two 0 "$texlate" diff shaders/gather_sobel.asm shaders/gather_sobel.asm --scene shaders/scenes/gather_sobel.json --via ir,ptx -o "$work/sheet.png"
contains diff-two out "shaders/gather_sobel.asm: ir and shaders/gather_sobel.asm: ptx: 0 of 6400 differ"
sed 's/(-8,-8,0)/(-7,-8,0)/' shaders/ld_frame.asm > "$work/other.asm"
check diff-changed 1 "$texlate" diff shaders/ld_frame.asm "$work/other.asm" --scene shaders/scenes/ld_frame.json --via ir
contains diff-changed out "shaders/ld_frame.asm and $work/other.asm: 3881 of 9216 differ"
contains diff-changed out "texlate trace shaders/ld_frame.asm --scene shaders/scenes/ld_frame.json --pixel 7,8"
check diff-stages 2 "$texlate" diff shaders/ld_frame.asm shaders/blur3x3.asm --via ir
contains diff-stages err "cannot be compared with shaders/ld_frame.asm: the shaders are of different stages"
check diff-three 2 "$texlate" diff a.asm b.asm c.asm
contains diff-three err "only two shaders can be compared: unexpected 'c.asm'"

check trace 0 "$texlate" trace shaders/ld_edges.asm --scene shaders/scenes/ld_edges.json --pixel 3,4
contains trace out "t0 (3 - 8, 4) level 0: outside 80 x 80, no texel is read"
contains trace out "ptx: the guard of tex.fetch is false: nothing is read"
contains trace out "r2.xyzw = 0.23137255, 0.145098045, 0.333333343, 1"
check trace-thread 0 "$texlate" trace shaders/blur3x3.asm --thread 9,1 --guards none
contains trace-thread out "thread (9, 1, 0), number 9 of group (1, 0, 0)"
check trace-outside 2 "$texlate" trace shaders/ld_edges.asm --pixel 64,0
contains trace-outside err "(64, 0) is outside the viewport of 64 x 64"
check trace-kind 2 "$texlate" trace shaders/ld_edges.asm --thread 1
contains trace-kind err "pixel shaders have --pixel"
printf '%s\n' gs_5_0 'dcl_inputprimitive point' 'dcl_stream m0' 'dcl_outputtopology pointlist' 'dcl_maxout 1' ret > "$work/points.asm"
check trace-stage 2 "$texlate" trace "$work/points.asm" --guards none
contains trace-stage err "only pixel, vertex and compute shaders can be traced"
check trace-form 2 "$texlate" trace shaders/ld_edges.asm --pixel 3
contains trace-form err "--pixel: '3' is not of the form X,Y"

check diff-order 2 "$texlate" diff "$work/order.asm" --via ptx,maxwell
contains diff-order out "ptx and maxwell: nothing to compare, 5120 skipped as undefined in Direct3D (race)"
printf '%s\n' ps_5_0 'dcl_output o0.xyzw' 'dcl_output o1.xyzw' 'mov o0.xyzw, l(1,0,0,1)' ret > "$work/unwritten.asm"
check diff-unwritten 0 "$texlate" diff "$work/unwritten.asm" --via ptx,maxwell
contains diff-unwritten out "0 of 4096 differ, 16384 components skipped that the shader does not write"
printf '%s\n' '.version 6.3' '.target sm_75' '.address_size 64' '.visible .entry k(.param .u64 u0) {' '.reg .b32 %r<3>; .reg .b64 %d1;' \
  'ld.param.u64 %d1,[u0];' 'st.global.u32 [%d1],%r1;' 'ret;' '}' > "$work/poison.ptx"
check run-poison 1 "$texlate" run "$work/poison.ptx" -o "$work/poison.json"
contains run-poison err "error: line 7, lane 0"
[ -s "$work/poison.json" ] || { echo "FAILED run-poison: no output"; failed=1; }
check uav-format-of-nothing 0 "$texlate" translate shaders/blur3x3.asm --to ptx --uav-format u7=rgba8_unorm -o "$work/blur.ptx"
contains uav-format-of-nothing err "warning: --uav-format: the shader has no typed u7"
printf '%s\n' cs_5_1 'dcl_uav_typed_buffer (uint,uint,uint,uint) U0[2:4], space=0' 'dcl_thread_group 1, 1, 1' \
  'store_uav_typed U0[3].xyzw, l(0,0,0,0), l(300,0,0,0)' ret > "$work/range.asm"
check uav-format-of-register 0 "$texlate" translate "$work/range.asm" --to ptx --uav-format u3=r8_uint -o "$work/range.ptx"
contains uav-format-of-register err "the shader has no typed u3; the format of register u3 is that of its range, u0"
printf '{"uavs": {"U0[2]": null, "U0[3]": {"format": "r8_uint"}, "U0[4]": {"format": "r16_uint"}}}' > "$work/range.json"
check ranges-of-one-format 2 "$texlate" diff "$work/range.asm" --scene "$work/range.json" --via ir,ptx
contains ranges-of-one-format err "ptx stores all registers of u0 in one format, but that of register 3 is r8_uint and that of 4 r16_uint"
check dksh-refuses-once 1 "$texlate" translate tests/cases/clamped_levels.asm --to dksh -o "$work/clamped.dksh"
contains dksh-refuses-once err "cannot be expressed on dksh"
[ "$(grep -c ':27:1: error' "$work/err")" = 1 ] || { echo "FAILED dksh-refuses-once"; failed=1; }
printf '{"textures": {"t0": {"fromat": "r8_unorm"}}}' > "$work/bad.json"
check bad-scene 1 "$texlate" run shaders/ld_frame.asm --scene "$work/bad.json"
contains bad-scene err "unknown key 'fromat' in t0"

finish
