#!/usr/bin/env bash
# Runs the examples in each command's help literally, in a folder with the files that they name.
set -u
. "$(dirname "$0")/checks.sh"

texlate=$(realpath "$texlate")
PATH=$(dirname "$texlate"):$PATH
folder=$work/examples
mkdir -p "$folder" "$work/.config/fish/completions"
cp -r shaders "$folder/shaders"
cp shaders/ld_frame.asm "$folder/shader.asm"
cp shaders/ld_frame.asm "$folder/old.asm"
cp shaders/ld_frame.asm "$folder/new.asm"
cp shaders/blur3x3.asm "$folder/compute.asm"
(cd "$folder" && "$texlate" translate shader.asm --to cubin -o shader.cubin) || exit 1
sed 's|"\.\./|"shaders/|g' shaders/scenes/ld_frame.json > "$work/shader.json"
echo '{"uavs": {"u0": {"elements": 32}}, "kernel": {"block": [32]}}' > "$work/kernel.json"
cat > "$folder/kernel.ptx" <<'PTX'
.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  st.global.b32 [%rd2], %r0;
  ret;
}
PTX
cd "$folder" || exit 1
for suffix in dxbc sass cubin; do "$texlate" translate shader.asm -o "kernel.$suffix" || exit 1; done
cp kernel.dxbc shader.dxbc
"$texlate" run shader.asm -o golden.png > /dev/null || exit 1

count=0
for command in translate assemble disassemble info check run diff test view completions; do
  while IFS= read -r example; do
    count=$((count + 1))
    if [[ $example == *kernel.ptx* ]]; then cp "$work/kernel.json" scene.json; else cp "$work/shader.json" scene.json; fi
    HOME=$work bash -c "$example" > "$work/out" 2> "$work/err" < /dev/null ||
      { echo "FAILED $example: status $?"; cat "$work/err"; failed=1; }
  done < <("$texlate" "$command" --help | sed -n '/^Examples/,$s/^ *\(texlate .*\)$/\1/p')
done
[ "$count" -ge 20 ] || { echo "FAILED: only $count examples were found"; failed=1; }
finish
