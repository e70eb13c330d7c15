#!/bin/sh
# `make bench`: translation_bench over other people's shaders if they are next to the checkout
# (docs/conventions.md), otherwise over the examples.
# usage: bench.sh TRANSLATION_BENCH OUT_DIR
# VKD3D: libvkd3d-shaders to compare with, separated by spaces; TO: texlate's targets; ROUNDS.
set -e
cd "$(dirname "$0")/../../.."
list=$2/translation_bench.list
if [ -d ../shared/corpus ]; then
  { find ../shared/corpus -name '*.dxbc'; find ../shared/corpus/games -name '*.asm'; } | sort > "$list"
else
  find shaders -name '*.asm' | sort > "$list"
fi
set -- "$1" "$2" --list "$list" --rounds "${ROUNDS:-15}" --json "$2/translation_bench.json" --svg "$2/translation_bench.svg"
for target in ${TO:-spirv}; do set -- "$@" --to "$target"; done
for library in ${VKD3D:-libvkd3d-shader.so.1}; do set -- "$@" --vkd3d "$library"; done
bench=$1 out=$2
shift 2
"$bench" "$@"
echo "also in $out/translation_bench.json and $out/translation_bench.svg"
