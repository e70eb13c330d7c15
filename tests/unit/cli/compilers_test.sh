#!/usr/bin/env bash
# The output does not depend on the compiler that built the program: C++ leaves the order of a call's arguments to it, so arguments that emit code must
# be named before the call. Compares the program with another one, the second argument, that another compiler built from the same sources: `make test`
# leaves the one of g++, and `make checked`, which uses clang, runs this test.
set -u
. "$(dirname "$0")/checks.sh"
other=$2
[ -x "$other" ] || { echo "skipped: there is no $other"; exit 77; }
newer=$(find include frontend ir backend library -newer "$other" \( -name '*.cpp' -o -name '*.h' -o -name '*.inc' \) -print -quit)
[ -z "$newer" ] || { echo "skipped: $newer is newer than $other"; exit 77; }

inputs=(shaders/*.asm tests/cases/*.asm tests/cases/*.ir tests/fuzz/frontend/seeds/*.asm tests/fuzz/frontend/container_seeds/*.dxbc)
# What the program writes for all inputs, as one line for each file; errors are part of it.
digests() {  # PROGRAM OPTION...
  local folder
  folder=$(mktemp -d -p "$work")
  for input in "${inputs[@]}"; do
    local name=${input//\//_}
    # One after the other: an input that a target refuses must not hide the rest. Assertions of checked builds would also end here.
    "$1" translate "$input" "${@:2}" > "$folder/$name" 2> "$folder/$name.errors" || echo "status $?" >> "$folder/$name.errors"
  done
  (cd "$folder" && sha256sum -- *)
}
for options in "--to ptx" "--to ptx --sm 50" "--to maxwell" "--to dksh" "--to spirv" "--to spirv --robustness shader --debug" "--to ir" "--to asm" "--to dxbc"; do
  # shellcheck disable=SC2086
  digests "$texlate" $options > "$work/mine"
  # shellcheck disable=SC2086
  digests "$other" $options > "$work/others"
  diff "$work/others" "$work/mine" > "$work/difference" || { echo "FAILED $options: these differ:"; grep '^>' "$work/difference"; failed=1; }
  grep -q . "$work/mine" || { echo "FAILED $options: nothing was compared"; failed=1; }
done
finish
