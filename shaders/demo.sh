#!/usr/bin/env bash
# make demo: translates the example shaders and shows what came out.
set -euo pipefail
cd "$(dirname "$0")/.."
texlate=${1:-build/bin/texlate}
out=build/demo
mkdir -p "$out"

ptxas=$(command -v ptxas || true)
[ -n "$ptxas" ] || { [ -x /usr/local/cuda/bin/ptxas ] && ptxas=/usr/local/cuda/bin/ptxas; } || true

for shader in shaders/*.asm; do
  name=$(basename "$shader" .asm)
  "$texlate" translate "$shader" --to ptx --reflect "$out/$name.json" -o "$out/$name.ptx"
  verdict="written (no ptxas here to judge it)"
  if [ -n "$ptxas" ]; then
    "$ptxas" -arch=sm_75 -o /dev/null "$out/$name.ptx" && verdict="accepted by ptxas"
  fi
  printf '%-24s %4d instructions -> %4d lines of PTX, %s\n' "$name" \
    "$(grep -cvE '^(//|dcl_|[pc]s_)' "$shader")" "$(grep -c ';' "$out/$name.ptx")" "$verdict"
done

echo
echo "shaders/ld_edges.asm, and what had to be done so that PTX means what Direct3D means:"
echo
"$texlate" translate shaders/ld_edges.asm --to ptx --explain -o "$out/ld_edges.ptx" | sed 's/^/  /'
echo
echo "the first load of it in PTX ($out/ld_edges.ptx):"
echo
sed -n '/^\t@%p[0-9]* tex/{=;q}' "$out/ld_edges.ptx" > "$out/line"
line=$(head -1 "$out/line")
rm -f "$out/line"
sed -n "$((line - 18)),$((line))p" "$out/ld_edges.ptx"
