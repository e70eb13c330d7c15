#!/usr/bin/env bash
# Files that a command writes: never one that it also reads, never two results in one, nothing lost if a write fails.
set -u
. "$(dirname "$0")/checks.sh"

cp shaders/ld_edges.asm "$work/a.asm"
keeps() {  # NAME STATUS TEXT FILE COMMAND...: the command fails with this text, and the file has the same bytes as before
  local name=$1 status=$2 text=$3 file=$4
  shift 4
  cp "$file" "$work/before"
  check "$name" "$status" "$@"
  contains "$name" err "$text"
  cmp -s "$file" "$work/before" || { echo "FAILED $name: $file was changed or removed"; failed=1; cp "$work/before" "$file"; }
}

# One file for two purposes.
says_twice() {  # NAME TEXT COMMAND...: refused before anything is written
  local name=$1 text=$2
  shift 2
  check "$name" 2 "$@"
  contains "$name" err "$text"
  [ ! -e "$work/b.ptx" ] || { echo "FAILED $name: something was written"; failed=1; rm "$work/b.ptx"; }
}
echo '{"bindings": [{"register": "t0", "binding": 1}]}' > "$work/map.json"
echo '{"viewport": [4, 4]}' > "$work/scene.json"
"$texlate" run "$work/a.asm" -o "$work/x.png" > /dev/null
cp tests/cases/fold.ir "$work/case.ir"
cp "$work/a.asm" "$work/page.html"
keeps depfile-over-input 2 "a.asm' would be overwritten by --depfile" "$work/a.asm" \
  "$texlate" translate "$work/a.asm" -o "$work/b.ptx" --depfile "$work/a.asm"
keeps header-over-input 2 "a.asm' would be overwritten by --emit-header" "$work/a.asm" \
  "$texlate" translate "$work/a.asm" -o "$work/b.ptx" --emit-header "$work/a.asm"
keeps reflection-over-map 2 "map.json' would be overwritten by --reflect" "$work/map.json" \
  "$texlate" translate "$work/a.asm" --to spirv -o "$work/b.spv" --binding-map "$work/map.json" --reflect "$work/map.json"
keeps run-over-scene 2 "scene.json' would be overwritten by --output" "$work/scene.json" \
  "$texlate" run "$work/a.asm" --scene "$work/scene.json" -o "$work/scene.json"
echo '{"viewport": [4, 4], "textures": {"t0": {"png": "x.png"}}}' > "$work/pictures.json"
echo '{"textures": {"t0": {"raw": "x.json", "format": "r8_unorm", "size": [21, 1], "mips": 1}}}' > "$work/contents.json"
cp "$work/scene.json" "$work/x.json"
keeps run-over-texture 2 "x.png' would be overwritten by --output" "$work/x.png" \
  "$texlate" run "$work/a.asm" --scene "$work/pictures.json" -o "$work/x.png"
keeps run-over-contents 2 "x.json' would be overwritten by --output" "$work/x.json" \
  "$texlate" run "$work/a.asm" --scene "$work/contents.json" -o "$work/x.json"
keeps diff-over-texture 2 "x.png' would be overwritten by --output" "$work/x.png" \
  "$texlate" diff "$work/a.asm" --via ir --against "$work/y.png" --scene "$work/pictures.json" -o "$work/x.png"
keeps diff-over-picture 2 "x.png' would be overwritten by --output" "$work/x.png" \
  "$texlate" diff "$work/a.asm" --via ir --against "$work/x.png" -o "$work/x.png"
keeps assemble-over-input 2 "a.asm' would be overwritten by --output" "$work/a.asm" "$texlate" assemble "$work/a.asm" -o "$work/a.asm"
keeps view-over-input 2 "page.html' would be overwritten by --output" "$work/page.html" \
  "$texlate" view "$work/page.html" -o "$work/page.html"
keeps junit-over-case 2 "case.ir' would be overwritten by --junit" "$work/case.ir" "$texlate" test "$work/case.ir" --junit "$work/case.ir"
says_twice depfile-over-output "--output and --depfile would both be written to" \
  "$texlate" translate "$work/a.asm" -o "$work/b.ptx" --depfile "$work/b.ptx"
says_twice depfile-over-reflection "--reflect and --depfile would both be written to" \
  "$texlate" translate "$work/a.asm" -o "$work/b.ptx" --reflect "$work/b.json" --depfile "$work/b.json"
# Both names are relative, and the file does not exist yet.
program=$(realpath "$texlate")
says_twice other-spelling "--output and --depfile would both be written to" \
  bash -c 'cd "$1" && "$2" translate a.asm -o b.ptx --depfile ./b.ptx' - "$work" "$program"

# A file that cannot be opened is left as it was. (A program that runs cannot be written to, even by root.)
cp "$BASH" "$work/busy.ptx"
coproc running { exec "$work/busy.ptx" -c 'echo ready; read -r'; }
if read -r answer <&"${running[0]}" && [ "$answer" = ready ]; then
  keeps busy 1 "cannot be written: Text file busy" "$work/busy.ptx" "$texlate" translate "$work/a.asm" -o "$work/busy.ptx"
  keeps busy-reflection 1 "cannot be written: Text file busy" "$work/busy.ptx" \
    "$texlate" translate "$work/a.asm" -o "$work/c.ptx" --reflect "$work/busy.ptx"
  echo >&"${running[1]}"
  wait "$running_PID"
else
  echo "busy is skipped: programs in $work cannot be executed"
fi
if [ "$(id -u)" -ne 0 ]; then
  echo old > "$work/protected.ptx"
  chmod 0444 "$work/protected.ptx"
  keeps protected 1 "cannot be written: Permission denied" "$work/protected.ptx" \
    "$texlate" translate "$work/a.asm" -o "$work/protected.ptx"
fi
# What was begun does not remain. (At most 1024 bytes may be written to a file.)
check partial 1 bash -c 'ulimit -f 1; trap "" XFSZ; exec "$@"' - "$texlate" translate "$work/a.asm" -o "$work/partial.ptx"
contains partial err "cannot be written: File too large"
[ ! -e "$work/partial.ptx" ] || { echo "FAILED partial: a part remains"; failed=1; }

# The translation is written last: if it is there, everything is.
for option in --reflect --emit-header --depfile; do
  check "last$option" 1 "$texlate" translate "$work/a.asm" -o "$work/last.ptx" "$option" "$work/nodir/side"
  [ ! -e "$work/last.ptx" ] || { echo "FAILED last$option: the translation was written"; failed=1; rm "$work/last.ptx"; }
done

# Standard input is no file for make.
"$texlate" translate - -o "$work/stdin.ptx" --depfile "$work/stdin.d" < "$work/a.asm"
printf '%s/stdin.ptx:\n' "$work" | cmp -s - "$work/stdin.d" || { echo "FAILED depfile-stdin:"; cat "$work/stdin.d"; failed=1; }

# A run that was cut off has no result.
check cut-off 1 "$texlate" run "$work/a.asm" --budget 10 -o "$work/cut_off.json"
contains cut-off err "error: cut off: the budget of lane instructions (--budget) is used up"
[ ! -e "$work/cut_off.json" ] || { echo "FAILED cut-off: a partial result was written"; failed=1; }
check cut-off-ptx 1 "$texlate" run "$work/a.asm" --via ptx --budget 10
contains cut-off-ptx err "the instruction budget is used up"

# The C header: comments that the shader cannot end, every declaration of a register, a guard for each shader.
cat > "$work/names.asm" <<'ASM'
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// A*/B                     0   xy          0     NONE   float   xy  
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
mov o0.xyzw, v0.xyxy
ret
ASM
cat > "$work/parts.asm" <<'ASM'
vs_5_0
dcl_input v0.xyz
dcl_input v0.w
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzw
ret
ASM
cat > "$work/strides.asm" <<'ASM'
cs_5_0
dcl_resource_structured t0, 20
dcl_resource_structured t1, 48
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_structured_indexable(structured_buffer, stride=20)(mixed,mixed,mixed,mixed) r0.x, l(0), l(0), t0.xxxx
ld_structured_indexable(structured_buffer, stride=48)(mixed,mixed,mixed,mixed) r0.y, l(0), l(0), t1.xxxx
store_raw u0.xy, l(0), r0.xyxx
ret
ASM
for name in names parts strides; do
  check "header-$name" 0 "$texlate" translate "$work/$name.asm" -o "$work/$name.ptx" --emit-header "$work/$name.h"
  cp "$work/$name.h" "$work/out"
  lacks "header-$name" out '*/B'
done
contains header-strides out "texlate_buffer t0; /* structured_buffer, memory, aligned to 4 */"
contains header-strides out "texlate_buffer t1; /* structured_buffer, memory, aligned to 16 */"
contains header-strides out "texlate_buffer u0; /* raw_buffer, memory, aligned to 16 */"
# Kernels of Maxwell have the same block.
check header-cubin 0 "$texlate" translate "$work/parts.asm" --to cubin -o "$work/parts.cubin" --emit-header "$work/cubin.h"
grep -q '^} main_parameters;$' "$work/cubin.h" || { echo "FAILED header-cubin: no block"; failed=1; }
cp "$work/parts.h" "$work/out"
contains header-parts out "MAIN_INPUT0 = 0, /* plane of x; mask 0x7 undefined; mask 0x8 undefined */"
if cmp -s <(grep '^#ifndef TEXLATE_LAUNCH_MAIN' "$work/names.h") <(grep '^#ifndef TEXLATE_LAUNCH_MAIN' "$work/parts.h"); then
  echo "FAILED header-guards: two shaders have the same guard"
  failed=1
fi
if command -v cc > /dev/null; then
  printf '#include "names.h"\n#include "names.h"\nint main(void) { return MAIN_INPUT0; }\n' > "$work/one.c"
  check header-compiles 0 cc -std=c11 -Wall -Werror -fsyntax-only "$work/one.c"
  printf '#include "names.h"\n#include "parts.h"\nint main(void) { return MAIN_INPUT0; }\n' > "$work/both.c"
  check header-collides 1 cc -std=c11 -fsyntax-only "$work/both.c"
fi
# Without a container there are no names of constant buffers.
check header-of-text 1 "$texlate" translate "$work/a.asm" --to spirv -o "$work/text.spv" --emit-header "$work/text.h"
contains header-of-text err "a.asm: error: --emit-header has nothing to write"
[ ! -e "$work/text.spv" ] && [ ! -e "$work/text.h" ] || { echo "FAILED header-of-text: files were written"; failed=1; }
finish
