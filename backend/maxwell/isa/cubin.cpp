#include "backend/maxwell/isa/cubin.h"
#include "ir/base/diagnostics.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace texlate::maxwell {
namespace {

using namespace elf;

constexpr uint32_t kBarrierMask = 0x7f;

template <typename T>
T read(std::span<const uint8_t> file, uint64_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

bool inside(std::span<const uint8_t> file, uint64_t offset, uint64_t size) {
  return offset <= file.size() && size <= file.size() - offset;
}

std::string_view name_at(std::span<const uint8_t> file, const SectionHeader& names, uint32_t index) {
  if (index >= names.size) return {};
  const char* begin = reinterpret_cast<const char*>(file.data() + names.offset + index);
  const void* end = std::memchr(begin, 0, names.size - index);
  return end == nullptr ? std::string_view() : std::string_view(begin, static_cast<const char*>(end));
}

/// What the section says about the file's only kernel.
void read_detail(std::span<const uint8_t> file, const SectionHeader& section, std::string_view name,
                 Cubin& out) {
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

template <typename... Args>
bool fail(Diagnostics& diagnostics, uint64_t at, fmt::format_string<Args...> format, Args&&... args) {
  diagnostics.error(SourceLocation::bytes(static_cast<uint32_t>(at)), format, std::forward<Args>(args)...);
  return false;
}

bool check_header(const FileHeader& header, Diagnostics& diagnostics) {
  if (header.identity[4] != 2 || header.identity[5] != 1)
    return fail(diagnostics, 4, "not a 64-bit little-endian ELF file");
  if (header.machine != kMachineCuda)
    return fail(diagnostics, offsetof(FileHeader, machine), "not a cubin: ELF machine {}, not {}",
                header.machine, kMachineCuda);
  const uint32_t sm = header.flags & 0xff;
  if (sm < 50 || sm > 62)
    return fail(diagnostics, offsetof(FileHeader, flags),
                "cubin is for sm_{}, which is not Maxwell or Pascal (sm_50 to sm_62)", sm);
  return true;
}

}  // namespace

bool is_elf(std::span<const uint8_t> file) {
  return file.size() >= 4 && std::memcmp(file.data(), "\177ELF", 4) == 0;
}

bool read_cubin(std::span<const uint8_t> file, Cubin& out, Diagnostics& diagnostics) {
  if (!is_elf(file)) return fail(diagnostics, 0, "not an ELF file");
  FileHeader header{};  // of a file that is cut off: not a 64-bit one
  if (file.size() >= sizeof(header)) header = read<FileHeader>(file, 0);
  if (!check_header(header, diagnostics)) return false;
  out.sm = header.flags & 0xff;
  const uint64_t table = header.section_headers;
  const uint16_t count = header.section_count;
  const auto section_at = [&](uint64_t i) {
    return read<SectionHeader>(file, table + i * sizeof(SectionHeader));
  };
  if (header.section_header_size != sizeof(SectionHeader) ||
      !inside(file, table, uint64_t{count} * sizeof(SectionHeader)))
    return fail(diagnostics, 40, "section headers lie outside the file");
  if (header.names >= count)
    return fail(diagnostics, 62, "section name table {} does not exist", header.names);
  const SectionHeader names = section_at(header.names);
  if (!inside(file, names.offset, names.size))
    return fail(diagnostics, 62, "section names lie outside the file");
  for (uint16_t i = 0; i < count; ++i) {
    const SectionHeader section = section_at(i);
    const std::string_view name = name_at(file, names, section.name);
    if (section.type != kProgbits || !name.starts_with(kText)) continue;
    if (!inside(file, section.offset, section.size))
      return fail(diagnostics, table + i * sizeof(SectionHeader), "section {} lies outside the file", name);
    CubinKernel kernel;
    kernel.name = name.substr(kText.size());
    kernel.register_count = section.info >> kRegisterShift;
    kernel.barrier_count = static_cast<uint32_t>(section.flags >> kBarrierShift) & kBarrierMask;
    kernel.file_offset = static_cast<uint32_t>(section.offset);
    kernel.code = file.subspan(section.offset, section.size);
    out.kernels.push_back(kernel);
  }
  if (out.kernels.size() != 1) return true;
  for (uint16_t i = 0; i < count; ++i) {
    const SectionHeader section = section_at(i);
    read_detail(file, section, name_at(file, names, section.name), out);
  }
  return true;
}

}  // namespace texlate::maxwell
