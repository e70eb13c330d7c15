#!/bin/sh
# Installs NVIDIA's assembler and disassemblers (CUDA 12.4: ptxas, nvdisasm, cuobjdump), which still support sm_50 to sm_62, into build/judges/bin.
# They come from the triton 3.2.0 wheel on PyPI. Tests use them if they are there.
#   tools/judges.sh [BUILD_FOLDER]        default: build
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${1:-$root/build}/judges
wheel=triton-3.2.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
if [ -x "$target/bin/nvdisasm" ] && [ -x "$target/bin/ptxas" ] && [ -x "$target/bin/cuobjdump" ]; then
  echo "judges: already in $target/bin"
  exit 0
fi
mkdir -p "$target/bin"
if ! python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 \
    --platform manylinux2014_x86_64 --implementation cp --abi cp311 --dest "$target" triton==3.2.0; then
  echo "judges: PyPI cannot be reached; the tests that need NVIDIA's tools will say that they were skipped" >&2
  exit 1
fi
python3 - "$target" "$wheel" <<'PYTHON'
import os, sys, zipfile
target, wheel = sys.argv[1:]
with zipfile.ZipFile(os.path.join(target, wheel)) as archive:
    for tool in ("ptxas", "nvdisasm", "cuobjdump"):
        path = os.path.join(target, "bin", tool)
        with open(path, "wb") as out:
            out.write(archive.read("triton/backends/nvidia/bin/" + tool))
        os.chmod(path, 0o755)
PYTHON
rm -f "$target/$wheel"
"$target/bin/nvdisasm" --version | tail -1
