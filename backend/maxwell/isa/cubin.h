// Reads cubins: the ELF files that ptxas writes for sm_50 to sm_62.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell {

/// ELF of 64 bits, little endian (System V ABI, chapter 4), and what NVIDIA adds.
namespace elf {

struct FileHeader {
  std::array<uint8_t, 16> identity;
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, program_headers, section_headers;
  uint32_t flags;
  uint16_t size, program_header_size, program_header_count, section_header_size, section_count, names;
};
struct SectionHeader {
  uint32_t name = 0, type = 0;
  uint64_t flags = 0, address = 0, offset = 0, size = 0;
  uint32_t link = 0, info = 0;
  uint64_t alignment = 0, entry_size = 0;
};
static_assert(sizeof(FileHeader) == 64 && sizeof(SectionHeader) == 64);

inline constexpr uint16_t kMachineCuda = 190;
inline constexpr uint32_t kProgbits = 1;
inline constexpr unsigned kBarrierShift = 20;   // flags of the code: number of barriers
inline constexpr unsigned kRegisterShift = 24;  // info of the code: number of registers
inline constexpr std::string_view kText = ".text.", kInfo = ".nv.info", kKernelInfo = ".nv.info.",
                                  kConstants = ".nv.constant3", kShared = ".nv.shared.";

}  // namespace elf

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
