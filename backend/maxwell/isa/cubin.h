// Reads cubins: the ELF files that ptxas writes for sm_50 to sm_62.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell {

struct CubinKernel {
  std::string_view name;          // of the section ".text.NAME"; points into the file
  uint32_t register_count = 0;    // registers per thread
  uint32_t barrier_count = 0;     // numbered barriers that the code uses
  uint32_t file_offset = 0;       // of the code
  std::span<const uint8_t> code;  // points into the file
  // Only if the file has no other kernel.
  uint32_t shared_bytes = 0;      // of the section ".nv.shared.NAME"
  std::span<const uint8_t> info;  // the records of ".nv.info.NAME"
};

struct Cubin {
  explicit Cubin(std::pmr::memory_resource* memory = std::pmr::get_default_resource()) : kernels(memory) {}
  uint32_t sm = 0;  // 52 for sm_52
  std::pmr::vector<CubinKernel> kernels;
  // Only if there is one kernel.
  std::span<const uint8_t> info;       // the records of ".nv.info"
  std::span<const uint8_t> constants;  // constant bank 3
};

bool is_elf(std::span<const uint8_t> file);

/// Reads the code sections. Errors name the offset; nothing outside the file is read, whatever its headers
/// say.
bool read_cubin(std::span<const uint8_t> file, Cubin& out, Diagnostics& diagnostics);

}  // namespace texlate::maxwell
