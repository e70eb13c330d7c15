#!/usr/bin/env bash
# Completions offer what they should; manual pages and docs/commands.md match the program.
set -u
. "$(dirname "$0")/checks.sh"
program=$texlate

# bash: the completions offered after some words.
"$program" completions bash > "$work/bash"
offers() {  # NAME EXPECTED WORDS...: the last word is being typed
  local name=$1 expected=$2
  shift 2
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _texlate; printf "%s\n" "${COMPREPLY[@]}"' - "$work/bash" "$@" > "$work/out"
  contains "$name" out "$expected"
}
offers bash-command translate texlate tra
offers bash-target spirv-text texlate translate a.asm --to spirv-
offers bash-target-after-equals spirv-text texlate translate a.asm --to = spirv-
offers bash-equals-alone spirv-text texlate translate a.asm --to =
offers bash-target-in-one-word --to=spirv-text texlate translate a.asm --to=spirv-
offers bash-form-of-a-flag json texlate translate a.asm --explain = j
offers bash-second-route ir,ptx texlate diff a.asm --via ir,p
offers bash-third-route ir,ptx,maxwell texlate diff a.asm --via = ir,ptx,m
[ "$(wc -l < "$work/out")" -eq 1 ] || { echo "FAILED bash-third-route: more than the route"; failed=1; }
offers bash-routes-in-one-word --via=ir,vulkan texlate diff a.asm --via=ir,vul
offers bash-option --reflect texlate translate --ref
offers bash-topic targets texlate help tar
offers bash-file README.md texlate info READ
[ "$(wc -l < "$work/out")" -eq 1 ] || { echo "FAILED bash-file: more than the file"; failed=1; }
offers bash-folder shaders texlate translate --out-dir shad
for shell in zsh fish; do
  "$program" completions $shell > "$work/$shell"
  command -v $shell > /dev/null || continue
  check $shell-syntax 0 $shell --no-exec "$work/$shell"
done
check other-shell 2 "$program" completions tcsh

# Every option of every command is in its manual page, and roff reports no problem.
for name in "" $("$program" help --format names); do
  "$program" help $name --format man > "$work/page"
  if [ -n "$name" ]; then
    "$program" $name --help | grep -oE -- '--[a-z][a-z-]+' | sort -u | while read -r option; do
      sed 's/\\-/-/g' "$work/page" | grep -qF -- "$option" || echo "$option"
    done > "$work/missing"
    [ ! -s "$work/missing" ] || { echo "FAILED manual of $name: not there:"; cat "$work/missing"; failed=1; }
  fi
  if command -v mandoc > /dev/null; then
    mandoc -Tlint -W error "$work/page" > "$work/complaints" || { echo "FAILED manual of '$name'"; cat "$work/complaints"; failed=1; }
  elif command -v groff > /dev/null; then
    groff -man -ww -Tutf8 -z "$work/page" 2> "$work/complaints"
    [ ! -s "$work/complaints" ] || { echo "FAILED manual of '$name'"; cat "$work/complaints"; failed=1; }
  fi
done

"$program" help --format markdown > "$work/commands.md"
if [ -n "${TEXLATE_UPDATE_DOCS:-}" ]; then cp "$work/commands.md" docs/commands.md; fi
diff "$work/commands.md" docs/commands.md > "$work/difference" \
  || { echo "FAILED docs/commands.md: TEXLATE_UPDATE_DOCS=1 writes it anew"; head -20 "$work/difference"; failed=1; }
finish
