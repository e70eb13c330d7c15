// The parts of ELF's 64-bit form that a cubin has (System V ABI, edition 4.1, chapter 4, "Object Files", with
// the sizes of the 64-bit classes). Not the system's elf.h, which Windows and macOS do not have.
#pragma once

#include <cstdint>

namespace texlate::sim::maxwell::elf {

inline constexpr char kMagic[4] = {0x7f, 'E', 'L', 'F'};
inline constexpr uint32_t kClass = 4;  // index in Header::ident
inline constexpr uint8_t kClass64 = 2;

struct Header {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, program_offset, section_offset;
  uint32_t flags;
  uint16_t header_size, program_entry_size, program_count, section_entry_size, section_count,
      section_of_names;
};

inline constexpr uint32_t kNoBits = 8;  // SHT_NOBITS
struct Section {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entry_size;
};

struct Symbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;
  bool is_function() const { return (info & 0xf) == 2; }  // STT_FUNC
};

struct Relocation {  // without an addend
  uint64_t offset, info;
  uint32_t symbol() const { return static_cast<uint32_t>(info >> 32); }
  uint32_t type() const { return static_cast<uint32_t>(info); }
};

static_assert(sizeof(Header) == 64 && sizeof(Section) == 64 && sizeof(Symbol) == 24 &&
              sizeof(Relocation) == 16);

}  // namespace texlate::sim::maxwell::elf
