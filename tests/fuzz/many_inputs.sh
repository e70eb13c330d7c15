#!/usr/bin/env bash
# many_inputs.sh N [ENTRY ...]: runs N inputs per entry (all entries, or those named) by libFuzzer without sanitizers, with
# assertions, which is several times as fast. Then runs the inputs that it kept, which reach different code, once under both
# sanitizers. Prints one line per entry: inputs, inputs per second, inputs kept. Ends with status 1 when an entry found something;
# the input is in FOUND.
set -euo pipefail
cd "$(dirname "$0")/../.."
number=${1:?usage: many_inputs.sh N [ENTRY ...]}
shift
found=${FOUND:-build/found}
seeds=tests/fuzz/frontend

# An entry, the longest input, the folders with its seeds.
entries=(
  "fuzz_dxbc_container 2048 $seeds/container_seeds"
  "fuzz_token_decoder 1024 $seeds/container_seeds"
  "fuzz_asm_parser 1024 $seeds/seeds"
  "fuzz_asm_round_trip 1024 $seeds/seeds"
  "fuzz_every_target 1024 $seeds/container_seeds $seeds/seeds"
  "fuzz_vkd3d 4096 $seeds/container_seeds"
  "fuzz_scene 512 tests/fuzz/program/scenes"
  "fuzz_binding_map 512 tests/fuzz/program/maps"
  "ir_text_fuzzer 1024 shaders/golden"
  "maxwell_fuzz_libfuzzer 512"
  "maxwell_machine_fuzz_libfuzzer 512"
  "sim_ptx_fuzzer 1024"
)

for preset in fuzz-fast fuzz; do
  cmake --preset $preset > build.log 2>&1 || { cat build.log; exit 1; }
  rm -f build.log
  cmake --build --preset $preset
done

status=0
for line in "${entries[@]}"; do
  read -r entry length folders <<< "$line"
  [ $# -eq 0 ] || [[ " $* " == *" $entry "* ]] || continue
  kept=$found/$entry
  mkdir -p "$kept"
  # shellcheck disable=SC2086
  "build/fuzz-fast/bin/$entry" -runs="$number" -max_len="$length" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$kept." "$kept" $folders > "$kept.log" 2>&1 || { status=1; echo "FAILED $entry: see $kept.log"; }
  "build/fuzz/bin/$entry" -runs=0 -timeout=60 -rss_limit_mb=4096 -artifact_prefix="$kept." "$kept" > "$kept.checked.log" 2>&1 ||
    { status=1; echo "FAILED $entry under the sanitizers: see $kept.checked.log"; }
  figure() { sed -n "s/^stat::$1: *//p" "$kept.log"; }
  echo "$entry: $(figure number_of_executed_units) inputs, $(figure average_exec_per_sec) a second, $(find "$kept" -type f | wc -l) kept"
done
exit $status
