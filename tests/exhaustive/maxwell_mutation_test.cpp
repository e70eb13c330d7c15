// The Maxwell machine is a judge only if it detects errors: control words and operands of good code are
// changed one by one, and the machine must report it. The code is what this project emits, and what NVIDIA's
// ptxas makes of the PTX (skipped without `make judges`).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "sim/maxwell/instruction.h"
#include "tests/exhaustive/schedule_model.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"
#include "tools/executor/sass_route.h"
#include "tools/executor/shader.h"

namespace texlate {
namespace {

namespace mx = sim::maxwell;

/// shaders/ld_edges.asm with its scene.
struct Example {
  explicit Example(executor::Route route) {
    const std::string folder = test::source_dir() + "/shaders/";
    const executor::Route routes[] = {executor::Route::ir, route};
    good = executor::load_shader(test::read_file(folder + "ld_edges.asm"), shader, routes, diagnostics);
    if (good)
      scene = sim::Scene::make(test::read_file(folder + "scenes/ld_edges.json"), folder + "scenes",
                               shader.contract, diagnostics);
    good = good && scene != nullptr;
    if (!good) return;
    module = route == executor::Route::maxwell ? &shader.legal_maxwell : &shader.legal;
    const auto make = route == executor::Route::maxwell ? executor::make_maxwell : executor::make_sass;
    good = make(*module, scene->bindings(), kernel, diagnostics);
  }

  mx::Program& program() { return kernel.cubin.program; }

  mx::Report run() {
    mx::MachineOptions options;
    options.max_lane_instructions = uint64_t{1} << 24;  // a mutation may run forever
    std::vector<uint32_t> outputs(size_t{sim::output_plane_count(shader.contract)} * scene->element_count());
    std::vector<uint32_t> written(scene->element_count());
    const std::vector<uint32_t> covered(scene->element_count(), 1);  // so that coverage is read
    sim::StreamLaunch launch;
    launch.inputs = scene->inputs();
    launch.outputs = outputs;
    launch.written = written;
    launch.covered = covered;
    launch.samples = scene->samples();
    launch.count = scene->element_count();
    return executor::run_sass(kernel, *module, scene->bindings(), launch, options);
  }

  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  const ir::Module* module = nullptr;
  executor::SassKernel kernel;
  Diagnostics diagnostics;
  bool good = false;
};

bool any_hazard(const mx::Report& report) {
  return std::any_of(report.faults.begin(), report.faults.end(),
                     [](const mx::Fault& fault) { return mx::is_hazard(fault.kind); });
}

constexpr uint64_t slot_bit(uint32_t index, uint32_t bit) {
  return uint64_t{1} << (21 * (index % 3) + bit);
}
uint64_t& control_of(mx::Program& program, uint32_t index) {
  return program.words[index / 3 * 4];
}
uint64_t& word_of(mx::Program& program, uint32_t index) {
  return program.words[index / 3 * 4 + 1 + index % 3];
}

struct Tally {
  uint32_t made = 0, seen = 0;
  void add(bool reported) {
    ++made;
    seen += reported ? 1 : 0;
  }
};

/// Lowers stalls, removes waits and barriers, one by one. The machine must report each change that does harm;
/// for each change that it does not report, the static model must prove that something else covers it.
void mutate_schedule(Example& example) {
  ASSERT_TRUE(example.good);
  ASSERT_TRUE(example.run().ok()) << example.run().describe();
  Tally stalls, waits, results, sources;
  mx::Program& program = example.program();
  const std::vector<mx::Instruction> code = mx::decode_program(program.words);
  ASSERT_TRUE(test::ScheduleModel(code).is_safe());
  for (uint32_t index = 0; index < code.size() && code[index].opcode != mx::Opcode::nop; ++index) {
    uint64_t& word = control_of(program, index);
    const uint64_t before = word;
    const auto try_with = [&](uint64_t changed, const char* what, Tally& tally) {
      word = changed;
      const bool reported = any_hazard(example.run());
      const bool safe = test::ScheduleModel(mx::decode_program(program.words)).is_safe();
      word = before;
      EXPECT_EQ(reported, !safe) << fmt::format("{:#06x} {}: {}", code[index].address, code[index].name(),
                                                what);
      tally.add(reported);
    };
    const mx::Control& control = code[index].control;
    if (control.stall != 0) try_with(before - slot_bit(index, 0), "a stall lowered", stalls);
    if (control.wait_mask != 0) try_with(before & ~(slot_bit(index, 11) * 63), "no wait", waits);
    if (control.write_barrier != mx::kNoBarrier)
      try_with(before | slot_bit(index, 5) * 7, "no barrier for the result", results);
    if (control.read_barrier != mx::kNoBarrier)
      try_with(before | slot_bit(index, 8) * 7, "no barrier for the sources", sources);
  }
  fmt::print(
      "reported: {} of {} stalls, {} of {} waits, {} of {} results' barriers, {} of {} sources' barriers\n",
      stalls.seen, stalls.made, waits.seen, waits.made, results.seen, results.made, sources.seen,
      sources.made);
  for (const Tally& tally : {stalls, waits, results}) EXPECT_GT(tally.seen, 4u);
}

TEST(MaxwellMutations, SchedulesOfTexlate) {
  Example example(executor::Route::maxwell);
  mutate_schedule(example);
}

TEST(MaxwellMutations, SchedulesOfPtxas) {
  if (executor::find_ptxas().empty()) GTEST_SKIP() << "ptxas of CUDA 12 is not here: make judges";
  Example example(executor::Route::sass);
  mutate_schedule(example);
}

/// The register fields of a word: Rd, Ra, Rb.
constexpr uint32_t kFields[] = {0, 8, 20};

/// Does an operand of several registers start at another register in the second?
bool moves_vector(const mx::Instruction& a, const mx::Instruction& b) {
  const auto differs = [](const auto& x, const auto& y, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
      if (x[k].count > 1 && x[k].first != y[k].first) return true;
    }
    return false;
  };
  return a.read_count == b.read_count && a.write_count == b.write_count &&
         (differs(a.reads, b.reads, a.read_count) || differs(a.writes, b.writes, a.write_count));
}

TEST(MaxwellMutations, MisalignedVectors) {
  Example example(executor::Route::maxwell);
  ASSERT_TRUE(example.good);
  Tally vectors;
  mx::Program& program = example.program();
  const std::vector<mx::Instruction> code = mx::decode_program(program.words);
  for (uint32_t index = 0; index < code.size() && code[index].opcode != mx::Opcode::exit; ++index) {
    const mx::Instruction& instruction = code[index];
    for (const uint32_t field : kFields) {
      uint64_t& word = word_of(program, index);
      const uint64_t before = word;
      word += uint64_t{1} << field;
      if (!moves_vector(instruction, mx::decode(word, instruction.control, instruction.address))) {
        word = before;
        continue;
      }
      const mx::Report report = example.run();
      word = before;
      const bool reported =
          std::any_of(report.faults.begin(), report.faults.end(), [&](const mx::Fault& fault) {
            return fault.kind == mx::FaultKind::bad_operand && fault.address == instruction.address;
          });
      EXPECT_TRUE(reported) << fmt::format("{:#06x} {}, field at bit {}", instruction.address,
                                           instruction.name(), field);
      vectors.add(reported);
    }
  }
  fmt::print("reported: {} of {} misaligned vectors\n", vectors.seen, vectors.made);
  EXPECT_GT(vectors.made, 4u);
}

}  // namespace
}  // namespace texlate
