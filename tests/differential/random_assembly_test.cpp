// Tests lowering with random programs. The assembly interpreter, which does not use the IR, runs each one.
// The IR interpreter runs what lowering makes of it. The results must be equal.
//
//   random_assembly_test                                      10,000 programs
//   TEXLATE_RANDOM_PROGRAMS=1000000 random_assembly_test      as many as asked for
//   TEXLATE_RANDOM_SEED=123 TEXLATE_RANDOM_PROGRAMS=1 ...     one again; its text is printed if it fails
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "frontend/asm/parser.h"
#include "tests/support/assembly_routes.h"
#include "tests/support/environment.h"

namespace texlate::test {
namespace {

/// The samplers, which the text does not describe.
std::string describe(const MachineBindings& bindings) {
  std::string text;
  for (const auto& [slot, sampler] : bindings.samplers) {
    text += fmt::format("// s{}: {}, address {} {} {}, mip {}, comparison {}\n", slot,
                        sampler.linear ? "linear" : "point", static_cast<int>(sampler.address[0]),
                        static_cast<int>(sampler.address[1]), static_cast<int>(sampler.address[2]),
                        sampler.mip, sampler.comparison);
  }
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Removes lines from the program as long as the results still differ.
void reduce(RandomAssembly& random, bool optimized) {
  std::vector<std::string> lines;
  std::istringstream stream(random.text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const auto differs = [&](const std::vector<std::string>& some) {
    random.text = joined(some);
    try {
      const RouteResult result = compare_with_ir(random, optimized);
      return result.words != 0 && !result.difference.empty();
    } catch (const std::out_of_range&) {
      return false;  // a declaration that the machine relies on was removed
    }
  };
  for (size_t chunk = lines.size() / 2; chunk != 0;) {
    bool smaller = false;
    for (size_t first = 0; first + chunk <= lines.size();) {
      std::vector<std::string> without = lines;
      without.erase(without.begin() + static_cast<ptrdiff_t>(first),
                    without.begin() + static_cast<ptrdiff_t>(first + chunk));
      if (differs(without)) {
        lines = without;
        smaller = true;
      } else {
        ++first;
      }
    }
    if (!smaller || chunk != 1) chunk = chunk == 1 ? 0 : chunk > 40 ? chunk / 2 : chunk - 1;
  }
  random.text = joined(lines);
}

TEST(RandomAssembly, MeansTheSameLowered) {
  const uint64_t count = from_environment("TEXLATE_RANDOM_PROGRAMS", 10000);
  const uint64_t first = from_environment("TEXLATE_RANDOM_SEED", 1);
  uint64_t outcomes[4] = {};
  uint64_t words = 0;
  uint64_t open = 0;
  int reported = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    RandomAssembly random = make_random_assembly(seed);
    // Every other program is optimized: the seeds that differ show whether lowering or the passes are wrong.
    const RouteResult result = compare_with_ir(random, seed % 2 == 0);
    ++outcomes[static_cast<size_t>(result.outcome)];
    words += result.words;
    open += result.open_words;
    if (result.difference.empty()) continue;
    if (++reported <= 12 && result.words != 0) reduce(random, seed % 2 == 0);
    ADD_FAILURE() << "seed " << seed << ": " << result.difference << describe(random.bindings) << random.text;
    if (reported == 40) break;
  }
  std::printf(
      "%llu programs: %llu ran to the end, %llu met what Direct3D leaves open, %llu were too long; "
      "%llu words compared, %llu open\n",
      static_cast<unsigned long long>(count), static_cast<unsigned long long>(outcomes[0]),
      static_cast<unsigned long long>(outcomes[1]), static_cast<unsigned long long>(outcomes[2]),
      static_cast<unsigned long long>(words), static_cast<unsigned long long>(open));
  if (count < 1000) return;
  // The test proves nothing if few programs run to the end or few words are compared.
  EXPECT_GT(outcomes[0], count / 2);
  EXPECT_GT(words, 40 * outcomes[0]);
}

/// Instructions of these stages that the generator does not make, with the reasons.
const std::set<sm4::Opcode> kLeftOut = {
    // Residency: no resource of the machine is tiled.
    sm4::Opcode::gather4_s,
    sm4::Opcode::gather4_c_s,
    sm4::Opcode::gather4_po_s,
    sm4::Opcode::gather4_po_c_s,
    sm4::Opcode::ld_s,
    sm4::Opcode::ldms_s,
    sm4::Opcode::ld_uav_typed_s,
    sm4::Opcode::ld_raw_s,
    sm4::Opcode::ld_structured_s,
    sm4::Opcode::sample_l_s,
    sm4::Opcode::sample_c_lz_s,
    sm4::Opcode::sample_cl_s,
    sm4::Opcode::sample_b_cl_s,
    sm4::Opcode::sample_d_cl_s,
    sm4::Opcode::sample_c_cl_s,
    sm4::Opcode::check_access_fully_mapped,
    // Levels and sample positions, which Direct3D defines with tolerances or leaves to the rasterizer.
    sm4::Opcode::lod,
    sm4::Opcode::samplepos,
    sm4::Opcode::eval_snapped,
    sm4::Opcode::eval_sample_index,
    sm4::Opcode::eval_centroid,
    // Instructions of the debug layer and of class linkage.
    sm4::Opcode::abort_,
    sm4::Opcode::debug_break,
    sm4::Opcode::fcall,
    // Has no effect.
    sm4::Opcode::nop,
};

TEST(RandomAssembly, HasEveryInstructionOfItsStages) {
  std::set<sm4::Opcode> seen;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(assembly::parse(make_random_assembly(seed).text, program, diagnostics)) << seed;
    for (const sm4::Instruction& instruction : program.instructions) seen.insert(instruction.opcode);
  }
  constexpr uint32_t kStages = sm4::kPixel | sm4::kVertex | sm4::kCompute;
  for (const sm4::OpcodeInfo& info : sm4::kOpcodeTable) {
    if (info.mnemonic.empty() || info.has(sm4::kDeclaration) || (info.stages & kStages) == 0) continue;
    if (kLeftOut.contains(info.opcode)) continue;
    EXPECT_TRUE(seen.contains(info.opcode)) << info.mnemonic;
  }
}

}  // namespace
}  // namespace texlate::test
