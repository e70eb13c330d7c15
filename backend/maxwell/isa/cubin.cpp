#include "backend/maxwell/isa/cubin.h"
#include "ir/base/diagnostics.h"

#include <cstring>

namespace texlate::maxwell {
namespace {

// ELF-64, little endian (System V ABI, "ELF header", "Section header"); the machine number of CUDA is 190.
constexpr uint32_t kHeaderSize = 64;
constexpr uint32_t kSectionHeaderSize = 64;
constexpr uint16_t kMachineCuda = 190;
constexpr uint32_t kSectionProgramBits = 1;
constexpr unsigned kBarrierShift = 20;  // sh_flags of the code: number of barriers
constexpr uint32_t kBarrierMask = 0x7f;
constexpr std::string_view kTextPrefix = ".text.", kInfo = ".nv.info", kKernelInfo = ".nv.info.",
                           kConstants = ".nv.constant3", kShared = ".nv.shared.";

template <typename T>
T read(std::span<const uint8_t> file, uint64_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

bool inside(std::span<const uint8_t> file, uint64_t offset, uint64_t size) {
  return offset <= file.size() && size <= file.size() - offset;
}

struct Section {
  uint32_t name = 0;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t info = 0;
};

Section read_section(std::span<const uint8_t> file, uint64_t at) {
  return {read<uint32_t>(file, at),      read<uint32_t>(file, at + 4),  read<uint64_t>(file, at + 8),
          read<uint64_t>(file, at + 24), read<uint64_t>(file, at + 32), read<uint32_t>(file, at + 44)};
}

std::string_view name_at(std::span<const uint8_t> file, const Section& names, uint32_t index) {
  if (index >= names.size) return {};
  const char* begin = reinterpret_cast<const char*>(file.data() + names.offset + index);
  const void* end = std::memchr(begin, 0, names.size - index);
  return end == nullptr ? std::string_view() : std::string_view(begin, static_cast<const char*>(end));
}

/// What the section says about the file's only kernel.
void read_detail(std::span<const uint8_t> file, const Section& section, std::string_view name, Cubin& out) {
  CubinKernel& kernel = out.kernels.front();
  const auto is_kernels = [&](std::string_view prefix) {
    return name.starts_with(prefix) && name.substr(prefix.size()) == kernel.name;
  };
  if (is_kernels(kShared)) kernel.shared_bytes = static_cast<uint32_t>(section.size);
  if (!inside(file, section.offset, section.size)) return;
  const std::span<const uint8_t> data = file.subspan(section.offset, section.size);
  if (name == kInfo) out.info = data;
  if (name == kConstants) out.constants = data;
  if (is_kernels(kKernelInfo)) kernel.info = data;
}

bool check_header(std::span<const uint8_t> file, Diagnostics& diagnostics) {
  if (file.size() < kHeaderSize || file[4] != 2 || file[5] != 1) {
    diagnostics.error(SourceLocation::bytes(4), "not a 64-bit little-endian ELF file");
    return false;
  }
  if (read<uint16_t>(file, 18) != kMachineCuda) {
    diagnostics.error(SourceLocation::bytes(18), "not a cubin: ELF machine {}, not {}",
                      read<uint16_t>(file, 18), kMachineCuda);
    return false;
  }
  const uint32_t sm = read<uint32_t>(file, 48) & 0xff;
  if (sm < 50 || sm > 62) {
    diagnostics.error(SourceLocation::bytes(48),
                      "cubin is for sm_{}, which is not Maxwell or Pascal (sm_50 to sm_62)", sm);
    return false;
  }
  return true;
}

}  // namespace

bool is_elf(std::span<const uint8_t> file) {
  return file.size() >= 4 && std::memcmp(file.data(), "\177ELF", 4) == 0;
}

bool read_cubin(std::span<const uint8_t> file, Cubin& out, Diagnostics& diagnostics) {
  if (!is_elf(file)) {
    diagnostics.error(SourceLocation::bytes(0), "not an ELF file");
    return false;
  }
  if (!check_header(file, diagnostics)) return false;
  out.sm = read<uint32_t>(file, 48) & 0xff;
  const uint64_t table = read<uint64_t>(file, 40);
  const uint16_t entry_size = read<uint16_t>(file, 58);
  const uint16_t count = read<uint16_t>(file, 60);
  const uint16_t names_index = read<uint16_t>(file, 62);
  if (entry_size != kSectionHeaderSize || !inside(file, table, uint64_t{count} * kSectionHeaderSize)) {
    diagnostics.error(SourceLocation::bytes(40), "section headers lie outside the file");
    return false;
  }
  if (names_index >= count) {
    diagnostics.error(SourceLocation::bytes(62), "section name table {} does not exist", names_index);
    return false;
  }
  const Section names = read_section(file, table + uint64_t{names_index} * kSectionHeaderSize);
  if (!inside(file, names.offset, names.size)) {
    diagnostics.error(SourceLocation::bytes(62), "section names lie outside the file");
    return false;
  }
  for (uint16_t i = 0; i < count; ++i) {
    const uint64_t at = table + uint64_t{i} * kSectionHeaderSize;
    const Section section = read_section(file, at);
    const std::string_view name = name_at(file, names, section.name);
    if (section.type != kSectionProgramBits || !name.starts_with(kTextPrefix)) continue;
    if (!inside(file, section.offset, section.size)) {
      diagnostics.error(SourceLocation::bytes(static_cast<uint32_t>(at)), "section {} lies outside the file",
                        name);
      return false;
    }
    CubinKernel kernel;
    kernel.name = name.substr(kTextPrefix.size());
    kernel.register_count = section.info >> 24;  // as in cuobjdump -elf: REG in the upper byte of sh_info
    kernel.barrier_count = static_cast<uint32_t>(section.flags >> kBarrierShift) & kBarrierMask;
    kernel.file_offset = static_cast<uint32_t>(section.offset);
    kernel.code = file.subspan(section.offset, section.size);
    out.kernels.push_back(kernel);
  }
  if (out.kernels.size() != 1) return true;
  for (uint16_t i = 0; i < count; ++i) {
    const Section section = read_section(file, table + uint64_t{i} * kSectionHeaderSize);
    read_detail(file, section, name_at(file, names, section.name), out);
  }
  return true;
}

}  // namespace texlate::maxwell
