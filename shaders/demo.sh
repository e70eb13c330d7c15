#!/usr/bin/env bash
# make demo: translates the example shaders to PTX, Maxwell code and SPIR-V, runs the translations, and shows the results.
set -euo pipefail
cd "$(dirname "$0")/.."
texlate=${1:-build/bin/texlate}
out=build/demo
mkdir -p "$out"

say() { printf '\n%s\n\n' "$*"; }

say "The examples on three targets. Instructions of the shader and of its translations, and the size of the SPIR-V:"
printf '  %-20s %12s %12s %12s %18s\n' shader Direct3D PTX Maxwell SPIR-V
for shader in shaders/*.asm; do
  name=$(basename "$shader" .asm)
  "$texlate" translate "$shader" -o "$out/$name.ptx" --reflect "$out/$name.json"
  "$texlate" translate "$shader" --to maxwell -o "$out/$name.sass"
  "$texlate" translate "$shader" -o "$out/$name.spv"
  printf '  %-20s %12d %12d %12d %18s\n' "$name" "$(grep -cvE '^(//|dcl_|[pc]s_|$)' "$shader")" "$(grep -c ';$' "$out/$name.ptx")" \
    "$(grep -c ';$' "$out/$name.sass")" "$(stat -c %s "$out/$name.spv") bytes"
done

echo
echo "  PTX and Maxwell code are scalar: one instruction of four components becomes four. Kernels also read their inputs, write their outputs, and guard what the"
echo "  hardware leaves undefined. A comparison sampler (lambert, shadow_gather) does not exist in CUDA: its fetches, address modes and filter become code."

ptxas=$(command -v ptxas || true)
[ -n "$ptxas" ] || { [ -x /usr/local/cuda/bin/ptxas ] && ptxas=/usr/local/cuda/bin/ptxas; } || true
if [ -n "$ptxas" ]; then
  for file in "$out"/*.ptx; do "$ptxas" -arch=sm_75 -o /dev/null "$file"; done
  say "NVIDIA's ptxas accepts all of the PTX, and SPIRV-Tools all of the SPIR-V:"
else
  say "There is no ptxas here to judge the PTX. SPIRV-Tools judges the SPIR-V:"
fi
for file in "$out"/*.spv; do spirv-val --target-env vulkan1.3 "$file"; done
echo "  $(find "$out" -name '*.spv' | wc -l) modules are valid"

shader=shaders/ld_frame.asm
say "One load with an offset ($shader), in a viewport larger than the texture:"
grep ld_aoffimmi $shader | sed 's/^/  Direct3D  /'
grep -m1 ' tex\.' "$out/ld_frame.ptx" | sed 's/^\t/  PTX       /'
grep -m1 'TLD' "$out/ld_frame.sass" | sed 's/^.*\(@P\)/  Maxwell   \1/'
"$texlate" translate $shader -o "$out/ld_frame.spvasm"
grep -m1 OpImageFetch "$out/ld_frame.spvasm" | sed 's/^ */  SPIR-V    /'
say "Why PTX needs the guards:"
"$texlate" translate $shader -o "$out/ld_frame.ptx" --explain | sed 's/^/  /'

say "Each example is drawn by the interpreter of the IR and by the machines that execute its PTX and its Maxwell code. Pixels that differ:"
for shader in shaders/*.asm; do
  name=$(basename "$shader" .asm)
  printf '  %-20s ' "$name"
  "$texlate" diff "$shader" --scene "shaders/scenes/$name.json" --via ir,ptx,maxwell -o "$out/$name.png" --scale 2 |
    sed -n 's/^\(ir and [a-z]*\): \([0-9]* of [0-9]*\) differ/\1: \2/p' | paste -sd, | sed 's/,/, /'
done
say "The test cases in the examples, each within its stated tolerance (on a Vulkan driver too, if there is one):"
"$texlate" test shaders --jobs "$(nproc)" | tail -1 | sed 's/^/  /'

"$texlate" view shaders/ld_edges.asm --scene shaders/scenes/ld_edges.json -o "$out/ld_edges.html"
say "Look at $out/ld_frame.png (the pictures side by side) and $out/ld_edges.html (a shader and its translations, linked line by line)."
