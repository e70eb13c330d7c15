#include "backend/maxwell/isa/replace_code.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/dksh.h"
#include "backend/maxwell/isa/table.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {

namespace {

/// A part of the file that is code.
struct Place {
  size_t offset = 0, size = 0;
  uint32_t registers = 0;  // that the headers promise
};

bool find_places(std::span<const uint8_t> file, std::vector<Place>& places, Diagnostics& diagnostics) {
  if (is_dksh(file)) {
    DkshProgram program;
    if (!read_dksh(file, program, diagnostics)) return false;
    places.push_back({program.code_offset, program.words.size() * 8, program.registers});
    return true;
  }
  Cubin cubin;
  if (!read_cubin(file, cubin, diagnostics)) return false;
  for (const CubinKernel& kernel : cubin.kernels)
    places.push_back({kernel.file_offset, kernel.code.size(), kernel.register_count});
  return true;
}

bool fits(std::span<const uint8_t> code, const Place& place, Diagnostics& diagnostics) {
  for (size_t at = 0; at + 8 <= code.size(); at += 8) {
    if (is_control_address(static_cast<uint32_t>(at))) continue;
    uint64_t word = 0;
    std::memcpy(&word, code.data() + at, 8);
    Instruction instruction;
    if (!decode(word, instruction) || registers_of(instruction) <= place.registers) continue;
    diagnostics.error(
        {}, "the instruction at {:#x} uses R{}, but the file's headers give the program {} registers", at,
        registers_of(instruction) - 1, place.registers);
    return false;
  }
  return true;
}

}  // namespace

bool replace_code(std::span<const uint8_t> code, std::span<uint8_t> file, Diagnostics& diagnostics) {
  std::vector<Place> places;
  if (!find_places(file, places, diagnostics)) return false;
  size_t total = 0;
  for (const Place& place : places) total += place.size;
  if (total != code.size()) {
    diagnostics.error({}, "the code has {} bytes, and that of the file {}: they must be equal", code.size(),
                      total);
    return false;
  }
  size_t at = 0;
  for (const Place& place : places) {
    if (!fits(code.subspan(at, place.size), place, diagnostics)) return false;
    at += place.size;
  }
  at = 0;
  for (const Place& place : places) {
    std::memcpy(file.data() + place.offset, code.data() + at, place.size);
    at += place.size;
  }
  return true;
}

}  // namespace texlate::maxwell
