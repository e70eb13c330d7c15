// Machine functions to finished programs: time per function of 1,000 to 100,000 instructions. The rate in the
// last column should not depend on the size.
#include <benchmark/benchmark.h>

#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/program.h"
#include "tests/unit/maxwell_machine/random_function.h"

namespace texlate::maxwell::machine {
namespace {

void finish_function(benchmark::State& state, unsigned depth) {
  const unsigned size = static_cast<unsigned>(state.range(0));
  std::pmr::monotonic_buffer_resource source_memory;
  Function source(&source_memory);
  std::vector<test::SideEffect> effects;
  test::make_random_function(7, {.size = size, .depth = depth}, source, effects);
  for (auto _ : state) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    function.values = source.values;
    function.instructions = source.instructions;
    function.operands = source.operands;
    function.blocks = source.blocks;
    Program program(&memory);
    if (finish(function, {}, program) != FinishError::none) state.SkipWithError("does not finish");
    benchmark::DoNotOptimize(program.instructions.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(size));
}

void BM_StraightCode(benchmark::State& state) {
  finish_function(state, 0);
}
void BM_ControlFlow(benchmark::State& state) {
  finish_function(state, 4);
}
BENCHMARK(BM_StraightCode)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ControlFlow)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace texlate::maxwell::machine
