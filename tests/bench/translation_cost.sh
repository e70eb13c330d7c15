#!/bin/sh
# Machine instructions of translations, without reading files and parsing: callgrind's count for
# library::translate and the functions that it calls.
# usage: translation_cost.sh TEXLATE TARGET SHADER.asm ...
set -e
texlate=$1 target=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$work/profile" "$texlate" translate "$@" --to "$target" \
  --out-dir "$work" > /dev/null 2> "$work/log" || grep error "$work/log" || true
echo "shaders: $(ls "$work" | grep -vc '^profile$\|^log$'), bytes: $(cat "$work"/*."$target" 2> /dev/null | wc -c)"
callgrind_annotate --inclusive=yes --threshold=100 "$work/profile" |
  grep -E 'library::(translate|prepare)\(|close_gaps\(|write_module\(' | cut -c1-90
