#!/usr/bin/env bash
# texlate_add_shaders(): translates once, and again only if a file changes on which the translation depends.
set -u
. "$(dirname "$0")/checks.sh"
command -v ninja > /dev/null || exit 77
root=$(pwd)
build=$work/build
mkdir -p "$build" "$work/shaders"
cp shaders/ld_edges.asm shaders/blur3x3.asm "$work/shaders"
echo '{"bindings": [{"register": "t0", "set": 3, "binding": 40}]}' > "$build/map.json"

check configure 0 cmake -G Ninja -S tests/shader_project -B "$build" "-DTEXLATE_MODULE=$root/tools/cmake/texlate_shaders.cmake" \
  "-DTEXLATE_PROGRAM=$(realpath "$texlate")" "-DSHADERS=$work/shaders"
check build 0 cmake --build "$build"
for file in ld_edges.ptx ld_edges.json blur3x3.ptx spirv/ld_edges.spv maxwell/ld_edges.sass cubin/ld_edges.cubin maxwell-bin/ld_edges.bin \
            spirv-text/ld_edges.spvasm ir/ld_edges.ir asm/ld_edges.asm dxbc/ld_edges.dxbc; do
  [ -s "$build/$file" ] || { echo "FAILED build: no $file"; failed=1; }
done
# Relative folders are in the build folder.
for folder in maxwell asm; do
  [ ! -e "tests/shader_project/$folder" ] || { echo "FAILED build: $folder is in the source tree"; rmdir "tests/shader_project/$folder"; failed=1; }
done
# The suffixes are those that the program uses.
"$texlate" help targets > "$work/targets"
python3 - "$work/targets" tools/cmake/texlate_shaders.cmake <<'PY' || { echo "FAILED suffixes"; failed=1; }
import re, sys
program = dict(re.findall(r"^  ([a-z-]+) .*\((\.[a-z]+)\)$", open(sys.argv[1]).read(), re.M))
words = re.search(r"set\(suffixes ([^)]*)\)", open(sys.argv[2]).read()).group(1).split()
module = dict(zip(words[::2], words[1::2]))
assert program == module, (program, module)
PY

check again 0 cmake --build "$build"
contains again out "no work to do"
before=$(stat -c %Y%s "$build/blur3x3.ptx"; sha1sum "$build/spirv/ld_edges.spv")
echo '{"bindings": [{"register": "t0", "set": 3, "binding": 41}]}' > "$build/map.json"
check map-changed 0 cmake --build "$build"
contains map-changed out "[1/1]"
[ "$before" != "$(stat -c %Y%s "$build/blur3x3.ptx"; sha1sum "$build/spirv/ld_edges.spv")" ] || { echo "FAILED map-changed: the module is the old one"; failed=1; }
echo 'frob' > "$work/shaders/blur3x3.asm"
check broken 1 cmake --build "$build"
contains broken out "blur3x3.asm"
finish
