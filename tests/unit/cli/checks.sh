# Shared by the tests of the command line. The program is their first argument.
texlate=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME EXPECTED-STATUS COMMAND...: stdout in $work/out, stderr in $work/err
check() {
  local name=$1 expected=$2
  shift 2
  "$@" > "$work/out" 2> "$work/err" < /dev/null
  local status=$?
  if [ $status -ne "$expected" ]; then
    echo "FAILED $name: status $status, expected $expected"
    cat "$work/err"
    failed=1
  fi
}
contains() {  # NAME out|err TEXT
  grep -qF -- "$3" "$work/$2" || { echo "FAILED $1: no '$3' in $2:"; cat "$work/$2"; failed=1; }
}
lacks() {  # NAME out|err TEXT
  ! grep -qF -- "$3" "$work/$2" || { echo "FAILED $1: '$3' in $2:"; cat "$work/$2"; failed=1; }
}
# A misspelt helper would go unnoticed. (bash calls this in a subshell: a variable would be lost.)
command_not_found_handle() {
  echo "FAILED: no command $1" | tee "$work/unknown_command"
  return 127
}
empty() {  # NAME out|err
  [ ! -s "$work/$2" ] || { echo "FAILED $1: $2 is not empty:"; cat "$work/$2"; failed=1; }
}
finish() {
  [ ! -e "$work/unknown_command" ] || failed=1
  [ $failed -eq 0 ] && echo "all passed"
  exit $failed
}
