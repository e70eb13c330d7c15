// Compares the latency table (isa/latency.h) with the control words in all code that CUDA 12's ptxas emits
// for the kernels in kernels/: the instructions that it guards with barriers, and the least distance in
// cycles between a result of fixed latency and its reader. Skipped without ptxas.
#include <fstream>

#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/machine/line_access.h"
#include "ir/base/diagnostics.h"
#include "tests/support/maxwell_codec.h"
#include "tests/support/nvidia_judges.h"

namespace texlate::maxwell {
namespace {

const fs::path kListings = fs::path(test::source_dir()) / "tests/unit/maxwell/kernels";

/// The information in the control words about one opcode.
struct Demand {
  uint32_t count = 0, write_barriers = 0, read_barriers = 0;
  Latency table{};
};

/// Distances from a producer of fixed latency to arithmetic instructions that read its result.
struct Distances {
  uint32_t registers = 0, predicates = 0;  // number of samples
  unsigned least_register = 99, least_predicate = 99;
};

using Code = std::pmr::vector<Instruction>;

std::vector<Code> compile_kernels(const Folder& folder, const char* sm) {
  std::vector<Code> kernels;
  for (const fs::directory_entry& entry : fs::directory_iterator(kListings)) {
    if (entry.path().extension() != ".ptx") continue;
    if (entry.path().stem() == "half" && std::string(sm) != "sm_53") continue;  // half precision: sm_53 on
    const std::string cubin_path = (folder / (entry.path().stem().string() + ".cubin")).string();
    const ToolRun compiled = run((kJudges / "ptxas").string() + " -arch " + sm + " " + entry.path().string() +
                                 " -o " + cubin_path);
    EXPECT_EQ(compiled.status, 0) << compiled.output;
    std::ifstream stream(cubin_path, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    Cubin cubin;
    Diagnostics diagnostics;
    EXPECT_TRUE(
        read_cubin({reinterpret_cast<const uint8_t*>(content.data()), content.size()}, cubin, diagnostics));
    for (const CubinKernel& kernel : cubin.kernels) {
      std::vector<uint64_t> words(kernel.code.size() / 8);
      std::memcpy(words.data(), kernel.code.data(), kernel.code.size());
      EXPECT_TRUE(decode_program(words, kernels.emplace_back()));
    }
  }
  return kernels;
}

std::map<std::string, Demand> find_demands(const std::vector<Code>& kernels) {
  std::map<std::string, Demand> demands;
  for (const Code& code : kernels) {
    for (const Instruction& instruction : code) {
      Demand& demand = demands[std::string(opcode_info(opcode(instruction)).text)];
      ++demand.count;
      demand.table = latency(instruction);
      demand.write_barriers += instruction.control.write_barrier != Control::kNoBarrier ? 1 : 0;
      demand.read_barriers += instruction.control.read_barrier != Control::kNoBarrier ? 1 : 0;
    }
  }
  return demands;
}

bool is_arithmetic(const Instruction& instruction) {
  const LatencyClass c = opcode_info(opcode(instruction)).latency_class;
  return c == LatencyClass::alu || c == LatencyClass::alu_half_rate || c == LatencyClass::predicate;
}

/// Control flow begins a new section: results from outside it are not followed.
bool ends_stretch(const Instruction& instruction) {
  const LatencyClass c = opcode_info(opcode(instruction)).latency_class;
  return c == LatencyClass::control || c == LatencyClass::synchronise;
}

void measure(const Code& code, Distances& distances) {
  using machine::Place;
  std::vector<int64_t> written(machine::kAccessCount, -1);  // cycle of the last arithmetic writer
  int64_t now = 0;
  for (const Instruction& instruction : code) {
    machine::Instruction line;
    line.code = instruction;
    machine::LineAccess access;
    machine::find_access(line, facts(instruction), access);
    access.visit_reads([&](Place p) {
      if (written[p] < 0 || p == machine::kConditionCode) return;
      const unsigned distance = static_cast<unsigned>(now - written[p]);
      if (!machine::is_register(p)) {
        ++distances.predicates;
        distances.least_predicate = std::min(distances.least_predicate, distance);
      } else if (is_arithmetic(instruction)) {
        ++distances.registers;
        distances.least_register = std::min(distances.least_register, distance);
      }
    });
    access.visit_writes([&](Place p) { written[p] = is_arithmetic(instruction) ? now : -1; });
    now += instruction.control.stall;
    if (ends_stretch(instruction)) std::fill(written.begin(), written.end(), -1);
  }
}

TEST(LatencyTable, IsWhatPtxasDemands) {
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  const Folder folder;
  for (const char* sm : {"sm_52", "sm_53"}) {
    SCOPED_TRACE(sm);
    const std::vector<Code> kernels = compile_kernels(folder, sm);
    Distances distances;
    for (const Code& code : kernels) measure(code, distances);
    uint32_t read = 0, written = 0;
    for (const auto& [name, demand] : find_demands(kernels)) {
      SCOPED_TRACE(name);
      // The table guards everything that ptxas guards.
      EXPECT_TRUE(demand.write_barriers == 0 || demand.table.write_barrier);
      EXPECT_TRUE(demand.read_barriers == 0 || demand.table.read_barrier);
      read += demand.read_barriers;
      written += demand.write_barriers;
    }
    // The table's latencies equal the least distances that ptxas leaves.
    constexpr Latency kAlu = latency(LatencyClass::alu);
    EXPECT_EQ(distances.least_register, kAlu.result);
    EXPECT_EQ(distances.least_predicate, kAlu.predicate);
    EXPECT_GT(distances.registers, 300u);
    EXPECT_GT(distances.predicates, 100u);
    std::printf("%s: %u write and %u read barriers, %u registers and %u predicates read\n", sm, written, read,
                distances.registers, distances.predicates);
  }
}

// Sources of these are read late: ptxas guards the writes that overwrite them.
TEST(LatencyTable, SourcesOfVariableLatencyAreReadLate) {
  for (const Opcode op : {Opcode::mufu, Opcode::f2f, Opcode::f2i, Opcode::i2f, Opcode::shfl, Opcode::popc,
                          Opcode::dadd, Opcode::dmul, Opcode::dfma, Opcode::dsetp}) {
    EXPECT_TRUE(latency(opcode_info(op).latency_class).read_barrier) << opcode_info(op).text;
  }
}

}  // namespace
}  // namespace texlate::maxwell
