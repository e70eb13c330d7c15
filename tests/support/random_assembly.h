// Random shader-model 5.0 programs: assembly text that parses and passes the validator, with bindings for
// everything that it reads and writes. Lanes do not race: each writes its own elements, and they share data
// through barriers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/assembly_machine.h"

namespace texlate::test {

struct RandomAssembly {
  std::string text;
  sm4::Stage stage = sm4::Stage::pixel;
  MachineBindings bindings;
  std::vector<Lane> lanes;          // with their inputs; of one thread group
  std::array<uint32_t, 3> group{};  // threads, compute
  uint32_t input_registers = 0;     // v0 .. ; pixel and vertex
  uint32_t output_registers = 0;    // o0 ..
  bool allocates = false;           // imm_atomic_alloc on u4, not imm_atomic_consume
};

/// The program for a seed is the same on every machine.
RandomAssembly make_random_assembly(uint64_t seed);

}  // namespace texlate::test
