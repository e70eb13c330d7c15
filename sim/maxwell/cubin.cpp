#include "sim/maxwell/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sim/maxwell/elf_format.h"

namespace texlate::sim::maxwell {

namespace {

// Attributes of .nv.info, as `cuobjdump -elf` names them.
constexpr uint8_t kRegisterCount = 0x2f, kFrameSize = 0x11, kMinStackSize = 0x12, kParameterBank = 0x0a;
constexpr uint8_t kWordFormat = 4;  // size: next two bytes; 1, 2, 3: zero, one, two bytes of value

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  uint32_t flags() const { return header_.flags; }
  bool open(std::string& error) {
    if (!copy(0, header_) || std::memcmp(header_.ident, elf::kMagic, sizeof elf::kMagic) != 0 ||
        header_.ident[elf::kClass] != elf::kClass64) {
      error = "not a 64-bit ELF file";
      return false;
    }
    for (uint32_t s = 0; s < header_.section_count; ++s) {
      elf::Section section;
      if (!copy(header_.section_offset + uint64_t{s} * header_.section_entry_size, section)) {
        error = "a section header lies outside the file";
        return false;
      }
      sections_.push_back(section);
    }
    if (header_.section_of_names >= sections_.size()) {
      error = "no section names";
      return false;
    }
    return true;
  }

  std::string_view name(const elf::Section& section) const {
    return text_at(sections_[header_.section_of_names], section.name);
  }
  std::string_view text_at(const elf::Section& strings, uint64_t offset) const {
    const std::span<const std::byte> bytes = contents(strings);
    if (offset >= bytes.size()) return {};
    const auto* first = reinterpret_cast<const char*>(bytes.data()) + offset;
    const auto* end = static_cast<const char*>(std::memchr(first, 0, bytes.size() - offset));
    return end == nullptr ? std::string_view() : std::string_view(first, static_cast<size_t>(end - first));
  }
  std::span<const std::byte> contents(const elf::Section& section) const {
    if (section.type == elf::kNoBits || section.offset > file_.size() ||
        section.size > file_.size() - section.offset) {
      return {};
    }
    return file_.subspan(section.offset, section.size);
  }
  const elf::Section* find(std::string_view wanted) const {
    for (const elf::Section& section : sections_) {
      if (name(section) == wanted) return &section;
    }
    return nullptr;
  }
  const std::vector<elf::Section>& sections() const { return sections_; }

 private:
  template <typename T>
  bool copy(uint64_t offset, T& value) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return true;
  }
  std::span<const std::byte> file_;
  elf::Header header_;
  std::vector<elf::Section> sections_;
};

uint32_t word_at(std::span<const std::byte> bytes, size_t at) {
  uint32_t value = 0;
  if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

// Calls f(attribute, value) for each attribute of an info section.
template <typename F>
void for_each_attribute(std::span<const std::byte> info, F f) {
  for (size_t at = 0; at + 4 <= info.size();) {
    const auto format = static_cast<uint8_t>(info[at]), attribute = static_cast<uint8_t>(info[at + 1]);
    uint16_t size = 0;
    std::memcpy(&size, info.data() + at + 2, 2);
    at += 4;
    if (format != kWordFormat) continue;
    if (size > info.size() - at) return;
    f(attribute, info.subspan(at, size));
    at += size;
  }
}

struct Kernel {
  std::string name;
  uint32_t symbol = 0;  // index in the symbol table
};

// The symbol of the kernel's code, which .nv.info uses to refer to the kernel.
uint32_t symbol_of(const Reader& reader, std::string_view name) {
  const elf::Section* table = reader.find(".symtab");
  const elf::Section* strings = reader.find(".strtab");
  if (table == nullptr || strings == nullptr) return ~0u;
  const std::span<const std::byte> bytes = reader.contents(*table);
  for (uint32_t s = 0; (s + 1) * sizeof(elf::Symbol) <= bytes.size(); ++s) {
    elf::Symbol symbol;
    std::memcpy(&symbol, bytes.data() + s * sizeof(elf::Symbol), sizeof(symbol));
    if (reader.text_at(*strings, symbol.name) == name && symbol.is_function()) return s;
  }
  return ~0u;
}

constexpr uint32_t kAddress64 = 2;   // R_CUDA_64: the symbol's address plus the stored value
constexpr uint32_t kModuleBank = 4;  // where ptxas stores addresses of variables

// Sections of global memory become `globals`. Records the words of constant bank 4 that refer to them.
bool read_globals(const Reader& reader, Program& program, std::string& error) {
  std::vector<uint32_t> global_of(reader.sections().size(), ~0u);
  for (size_t s = 0; s < reader.sections().size(); ++s) {
    const elf::Section& section = reader.sections()[s];
    if (reader.name(section) != ".nv.global" && reader.name(section) != ".nv.global.init") continue;
    global_of[s] = static_cast<uint32_t>(program.globals.size());
    const std::span<const std::byte> bytes = reader.contents(section);
    program.globals.emplace_back(bytes.begin(), bytes.end()).resize(section.size);
  }
  const elf::Section* relocations = reader.find(".rel.nv.constant4");
  const elf::Section* symbols = reader.find(".symtab");
  if (relocations == nullptr || symbols == nullptr) return true;
  const std::span<const std::byte> bytes = reader.contents(*relocations), table = reader.contents(*symbols);
  for (size_t at = 0; at + sizeof(elf::Relocation) <= bytes.size(); at += sizeof(elf::Relocation)) {
    elf::Relocation relocation;
    std::memcpy(&relocation, bytes.data() + at, sizeof(relocation));
    const uint64_t index = relocation.symbol() * sizeof(elf::Symbol);
    elf::Symbol symbol{};
    if (index + sizeof(symbol) <= table.size()) std::memcpy(&symbol, table.data() + index, sizeof(symbol));
    std::vector<std::byte>& bank = program.banks[kModuleBank];
    if (relocation.type() != kAddress64 || symbol.section >= global_of.size() ||
        global_of[symbol.section] == ~0u || bank.size() < 8 || relocation.offset > bank.size() - 8) {
      error = "a relocation of constant bank 4 that the reader cannot apply";
      return false;
    }
    uint64_t addend = 0;
    std::memcpy(&addend, bank.data() + relocation.offset, sizeof(addend));
    program.addresses.push_back({kModuleBank, static_cast<uint32_t>(relocation.offset),
                                 global_of[symbol.section], symbol.value + addend});
  }
  return true;
}

}  // namespace

bool read_cubin(std::span<const std::byte> file, std::string_view kernel, Cubin& result, std::string& error) {
  Reader reader(file);
  if (!reader.open(error)) return false;
  constexpr std::string_view kText = ".text.";
  const elf::Section* text = nullptr;
  for (const elf::Section& section : reader.sections()) {
    const std::string_view name = reader.name(section);
    if (name.substr(0, kText.size()) != kText) continue;
    if (!kernel.empty() && name.substr(kText.size()) != kernel) continue;
    text = &section;
    result.kernel = name.substr(kText.size());
    break;
  }
  if (text == nullptr) {
    error = kernel.empty() ? "it has no kernel" : fmt::format("it has no kernel {}", kernel);
    return false;
  }
  for (const char* kind : {".rel.text.", ".rela.text."}) {
    const elf::Section* relocations = reader.find(kind + result.kernel);
    if (relocations == nullptr || relocations->size == 0) continue;
    error = fmt::format("{}{} holds relocations", kind, result.kernel);
    return false;
  }
  Program& program = result.program;
  const std::span<const std::byte> code = reader.contents(*text);
  program.words.assign((code.size() + 31) / 32 * 4, 0);
  std::memcpy(program.words.data(), code.data(), code.size());
  program.registers = static_cast<uint32_t>(text->info >> 24);
  constexpr uint32_t kTegra = 53;
  if ((reader.flags() & 0xff) == kTegra) program.block_registers = kBlockRegistersOfTegra;
  // The compiler records the number of registers used; a thread gets them in groups of eight.
  program.registers = std::min(255u, std::max(1u, program.registers));

  const uint32_t symbol = symbol_of(reader, result.kernel);
  if (const elf::Section* info = reader.find(".nv.info")) {
    for_each_attribute(reader.contents(*info), [&](uint8_t attribute, std::span<const std::byte> value) {
      if (word_at(value, 0) != symbol) return;
      if (attribute == kRegisterCount) program.registers = std::min(255u, word_at(value, 4));
      if (attribute == kFrameSize || attribute == kMinStackSize)
        program.local_bytes = std::max(program.local_bytes, (word_at(value, 4) + 15) & ~15u);
    });
  }
  if (const elf::Section* info = reader.find(".nv.info." + result.kernel)) {
    for_each_attribute(reader.contents(*info), [&](uint8_t attribute, std::span<const std::byte> value) {
      if (attribute == kParameterBank) result.parameter_bytes = word_at(value, 4) >> 16;
    });
  }
  if (const elf::Section* shared = reader.find(".nv.shared." + result.kernel))
    program.shared_bytes = static_cast<uint32_t>(shared->size);
  // Constants that the compiler made for this kernel (bank 2 and up), and those of the module.
  for (uint32_t bank = 1; bank < program.banks.size(); ++bank) {
    const elf::Section* section = reader.find(fmt::format(".nv.constant{}.{}", bank, result.kernel));
    if (section == nullptr) section = reader.find(fmt::format(".nv.constant{}", bank));
    if (section == nullptr) continue;
    const std::span<const std::byte> bytes = reader.contents(*section);
    program.banks[bank].assign(bytes.begin(), bytes.end());
  }
  return read_globals(reader, program, error);
}

}  // namespace texlate::sim::maxwell
