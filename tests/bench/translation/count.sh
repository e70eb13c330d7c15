#!/bin/sh
# Machine instructions of translations: callgrind's count for translate_all() of translation_bench, whose
# other arguments follow. The count of a rep stosb or rep movsb is its bytes, so glibc is told not to use them.
# usage: count.sh TRANSLATION_BENCH [--to TARGET | --vkd3d LIBRARY] --list FILE ...
# PROFILE=FILE keeps the profile, for callgrind_annotate.
set -e
bench=$1
shift
profile=${PROFILE:-$(mktemp)}
GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=0x7fffffff:glibc.cpu.x86_rep_movsb_threshold=0x7fffffff \
  valgrind --tool=callgrind --callgrind-out-file="$profile" --toggle-collect='*translate_all*' "$bench" --once "$@" 2> "$profile.log"
sed -n 's/.*Collected : /machine instructions: /p' "$profile.log"
rm -f "$profile.log"
[ -n "$PROFILE" ] || rm -f "$profile"
