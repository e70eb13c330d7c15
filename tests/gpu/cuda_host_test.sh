#!/usr/bin/env bash
# cuda_host_test.sh TEXLATE SOURCE CMAKE WORK CUDA_INCLUDE: builds docs/examples/cuda_host with this texlate and draws a picture. Exit
# status 77: there is no GPU, so nothing was drawn.
set -u
texlate=$1 source=$2 cmake=$3 work=$4 include=$5
fail() { echo "cuda_host_test: $*" >&2; exit 1; }
rm -rf "$work"
"$cmake" -S "$source/docs/examples/cuda_host" -B "$work" -DTEXLATE="$texlate" -DCUDA_INCLUDE="$include" \
  -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" > "$work.log" 2>&1 && "$cmake" --build "$work" >> "$work.log" 2>&1 ||
  { cat "$work.log"; fail "the example does not build"; }
"$work/cuda_host" "$work/ld_edges.ptx" "$work/edges.png"
status=$?
[ $status -eq 0 ] && { [ -s "$work/edges.png" ] || fail "no picture was written"; }
exit $status
