// Small programs of words from NVIDIA's ptxas, with control words from the test.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

inline constexpr uint64_t kAddHighZero = 0x4c1008000517ff03;  // IADD.X R3, RZ, c[0x0][0x144]

/// The bits of a float.
inline uint32_t f(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// One instruction with its slot of the control word.
struct Word {
  uint64_t word;
  uint32_t stall = 15;
  uint32_t wait = 0;
  uint32_t write_barrier = 7, read_barrier = 7;
  uint32_t reuse = 0;
  bool yields = false;
};

inline std::vector<uint64_t> pack(const std::vector<Word>& code) {
  constexpr uint64_t kNop = 0x50b0000000070f00;
  std::vector<uint64_t> words;
  for (size_t at = 0; at < code.size(); at += 3) {
    uint64_t control = 0;
    std::array<uint64_t, 3> group{kNop, kNop, kNop};
    for (size_t slot = 0; slot < 3; ++slot) {
      Word w{kNop};
      if (at + slot < code.size()) w = code[at + slot];
      group[slot] = w.word;
      const uint64_t bits = w.stall | (w.yields ? 0u : 1u) << 4 | w.write_barrier << 5 | w.read_barrier << 8 |
                            w.wait << 11 | w.reuse << 17;
      control |= bits << (21 * slot);
    }
    words.push_back(control);
    words.insert(words.end(), group.begin(), group.end());
  }
  return words;
}

// Words from ptxas 12.4 for sm_52; the texts are nvdisasm's.
namespace word {
constexpr uint64_t kExit = 0xe30000000007000f;
constexpr uint64_t kThread = 0xf0c8000002170000;        // S2R R0, SR_TID.X
constexpr uint64_t kTimes4 = 0x3848000000270002;        // SHL R2, R0, 0x2
constexpr uint64_t kAddLow = 0x4c10800005070202;        // IADD R2.CC, R2, c[0x0][0x140]
constexpr uint64_t kAddHigh = 0x4c10080005170003;       // IADD.X R3, R0, c[0x0][0x144], R0 set to zero before
constexpr uint64_t kReciprocal = 0x5080000000470000;    // MUFU.RCP R0, R0
constexpr uint64_t kStore = 0xeedc200000070200;         // STG.E [R2], R0
constexpr uint64_t kLoad = 0xeed4200000070200;          // LDG.E R0, [R2]
constexpr uint64_t kZeroR0 = 0x5c9807800ff70000;        // MOV R0, RZ
constexpr uint64_t kZeroR2 = 0x5c9807800ff70002;        // MOV R2, RZ
constexpr uint64_t kZeroR3 = 0x5c9807800ff70003;        // MOV R3, RZ
constexpr uint64_t kOneR0 = 0x010000000017f000;         // MOV32I R0, 0x1
constexpr uint64_t kBaseLow = 0x4c98078005070002;       // MOV R2, c[0x0][0x140]
constexpr uint64_t kBaseHigh = 0x4c98078005170003;      // MOV R3, c[0x0][0x144]
constexpr uint64_t kBarrier = 0xf0a81b8000070000;       // BAR.SYNC 0x0
constexpr uint64_t kFence = 0xef98000000070000;         // MEMBAR.CTA
constexpr uint64_t kThreadBelow2 = 0x366203800027000f;  // ISETP.LT.U32.AND P1, PT, R0, 0x2, PT
}  // namespace word

/// 64 words of memory whose address is the only parameter; one block of 32 threads.
class Bench {
 public:
  explicit Bench(const std::vector<Word>& code, uint32_t registers = 16) {
    program_.words = pack(code);
    program_.registers = registers;
  }
  Report run(const MachineOptions& options = {}) {
    Machine machine(program_, options);
    const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(memory)));
    std::array<std::byte, 8> parameters;
    std::memcpy(parameters.data(), &address, 8);
    return machine.launch({1, 1, 1}, {32, 1, 1}, parameters);
  }
  std::array<uint32_t, 64> memory{};
  Program& program() { return program_; }

 private:
  Program program_;
};

inline bool has(const Report& report, FaultKind kind) {
  for (const Fault& fault : report.faults) {
    if (fault.kind == kind) return true;
  }
  return false;
}

}  // namespace texlate::sim::maxwell
