#!/usr/bin/env bash
# cuda_host_test.sh TEXLATE SOURCE CMAKE WORK CUDA_INCLUDE FAKE: builds docs/examples/cuda_host with this texlate and draws pictures. FAKE is the
# folder of a libcuda.so.1 that runs kernels on the PTX machine, or empty: `surface` also runs with it. Exit status 77: there is no GPU for the rest.
set -u
texlate=$1 source=$2 cmake=$3 work=$4 include=$5 fake=$6
fail() { echo "cuda_host_test: $*" >&2; exit 1; }
rm -rf "$work"
"$cmake" -S "$source/docs/examples/cuda_host" -B "$work" -DTEXLATE="$texlate" -DCUDA_INCLUDE="$include" \
  -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" > "$work.log" 2>&1 && "$cmake" --build "$work" >> "$work.log" 2>&1 ||
  { cat "$work.log"; fail "the example does not build"; }
if [ -n "$fake" ]; then
  LD_LIBRARY_PATH=$fake "$work/surface" "$work" "$work/fake_surface.png" || fail "surface, on the PTX machine: status $?"
  [ -s "$work/fake_surface.png" ] || fail "no picture of the surface was written"
fi
"$work/surface" "$work" "$work/surface.png"
status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail "surface: status $status"
"$work/cuda_host" "$work/ld_edges.ptx" "$work/edges.png"
status=$?
[ $status -eq 0 ] && { [ -s "$work/edges.png" ] || fail "no picture was written"; }
exit $status
