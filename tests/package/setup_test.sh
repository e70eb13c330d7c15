#!/usr/bin/env bash
# tools/setup.sh, which every target of the Makefile runs first: it installs only for root. $1: the script.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

stub() { printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1" && chmod +x "$work/bin/$1"; }
mkdir "$work/bin"
stub dpkg-query 'echo not-installed'
stub apt-get "echo apt-get \"\$@\" >> $work/calls"
stub sudo "echo sudo \"\$@\" >> $work/calls"

# run USER-ID: sets `status`, `said` and `calls`.
run() {
  stub id "echo $1"
  : > "$work/calls"
  said=$(PATH="$work/bin:$PATH" bash "$script" 2>&1 < /dev/null)
  status=$?
  calls=$(cat "$work/calls")
}

script=$1
run 1000
[ "$status" -eq 1 ] || fail "status $status without root"
[ -z "$calls" ] || fail "without root it called: $calls"
case $said in
  *"sudo apt-get install --no-install-recommends build-essential "*) ;;
  *) fail "without root it said: $said" ;;
esac

run 0
[ "$status" -eq 0 ] || fail "status $status as root: $said"
case $calls in
  *"apt-get install "*build-essential*) ;;
  *) fail "as root it called: $calls" ;;
esac
case $calls in *sudo*) fail "as root it called: $calls" ;; esac

stub dpkg-query 'echo installed'
run 1000
[ "$status" -eq 0 ] && [ -z "$said$calls" ] || fail "with all packages: status $status, $said, $calls"

[ "$failures" -eq 0 ]
