// The container of deko3d (Tegra X1): headers, then code and constants, each section padded to 256 bytes.
// docs/reference/maxwell-graphics.md 3.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "backend/maxwell/isa/program_header.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell {

enum class DkshStage : uint32_t { vertex, pixel, geometry, hull, domain, compute };

/// What binding a domain program tells the tessellator. The numbers are the engine's
/// (docs/reference/maxwell-graphics.md 3).
struct TessellationMode {
  enum class Domain : uint8_t { isoline, triangle, quad };
  enum class Spacing : uint8_t { integer, fractional_odd, fractional_even };
  enum class Primitives : uint8_t { points, lines, triangles_cw, triangles_ccw };
  Domain domain = Domain::isoline;
  Spacing spacing = Spacing::integer;
  Primitives primitives = Primitives::points;

  bool operator==(const TessellationMode&) const = default;
  /// Are all three numbers those of enumerators?
  bool is_known() const {
    return domain <= Domain::quad && spacing <= Spacing::fractional_even &&
           primitives <= Primitives::triangles_ccw;
  }
};

/// What a program needs, beside its code and its header.
struct DkshFacts {
  DkshStage stage = DkshStage::vertex;
  uint32_t registers = 0;                        // per thread: highest register plus one
  bool early_tests = false, per_sample = false;  // of a pixel program
  TessellationMode tessellator;                  // of a domain program
  // Compute.
  std::array<uint32_t, 3> threads{};  // of a block
  uint32_t shared_bytes = 0;          // per block
  uint32_t local_bytes = 0;           // per thread
  uint32_t call_stack_bytes = 0;      // of a warp
  uint32_t barriers = 0;              // numbered barriers that the code uses
};

struct DkshProgram : DkshFacts {
  explicit DkshProgram(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : words(memory), constants(memory) {}

  std::pmr::vector<uint64_t> words;      // groups of four, in a file that was read with its end
  uint32_t code_offset = 0;              // of the words, in a file that was read
  std::pmr::vector<uint32_t> constants;  // c[1]
  ProgramHeader header;                  // graphics stages
};

/// The memory that a warp needs for local memory and its call stack.
uint32_t scratch_bytes(const DkshProgram& program);

bool is_dksh(std::span<const uint8_t> file);

/// Appends the file. The words get the end of a program, a branch to itself and NOPs, unless they have it.
void write_dksh(const DkshProgram& program, std::pmr::string& out);

/// Reads the only program of a file. Errors name the offset; nothing outside the file is read, whatever it
/// contains.
bool read_dksh(std::span<const uint8_t> file, DkshProgram& out, Diagnostics& diagnostics);

/// The contents of the headers, as comments for a listing.
void print_program(const DkshProgram& program, std::string& out);

}  // namespace texlate::maxwell
