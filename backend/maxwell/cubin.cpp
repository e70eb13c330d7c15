// The ELF file that the CUDA driver loads, section by section as ptxas of CUDA 12.4 writes it for a kernel of
// sm_50 to sm_53 (docs/maxwell.md; read with readelf and cuobjdump -elf).

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/kernel.h"
#include "backend/maxwell/select/select.h"

namespace texlate::maxwell {

namespace {

using namespace elf;

constexpr uint8_t kOsAbiCuda = 51;
constexpr uint8_t kAbiVersion = 7;
constexpr uint32_t kCudaVersion = 124;
constexpr uint32_t kFlagUnifiedTextures = 0x100;
constexpr uint32_t kFlag64BitAddresses = 0x400;

constexpr uint32_t kSymtab = 2, kStrtab = 3, kNobits = 8, kCudaInfo = 0x70000000;
constexpr uint64_t kWrite = 1, kAlloc = 2, kExecute = 4, kInfoLink = 0x40;
constexpr uint8_t kGlobalFunction = 0x12, kLocalSection = 3;
constexpr uint8_t kEntry = 0x10;  // st_other: STO_CUDA_ENTRY

/// Records of .nv.info: format, attribute, value or size. Those of errata (EIATTR_SW2393858_WAR and
/// EIATTR_SW1850030_WAR) are left out: they say that the code has ptxas's workarounds, NOPs that yield before
/// EXIT and BAR.
enum class Info : uint8_t {
  maximum_registers = 0x1b,
  parameter_bank = 0x0a,
  parameter = 0x17,
  parameter_size = 0x19,
  frame_size = 0x11,
  minimum_stack_size = 0x12,
  exit_offsets = 0x1c,
  group_id_offsets = 0x1d,
  branch_stack_size = 0x1e,
  required_threads = 0x10,
  register_count = 0x2f,
  api_version = 0x37,
  group_id_z_is_read = 0x04,
};
/// An entry of the branch stack and one for the waiting lanes, 16 bytes each.
constexpr uint32_t kBranchEntry = 32;
constexpr uint8_t kNoValue = 1, kHalfValue = 3, kSizedValue = 4;
constexpr uint64_t kProgramHeaderSize = 56;

class Bytes {
 public:
  explicit Bytes(std::pmr::memory_resource* memory) : data_(memory) {}

  template <typename T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    data_.append(raw, sizeof(T));
  }
  void put(std::string_view text) { data_.append(text); }
  void align(size_t alignment) { data_.resize((data_.size() + alignment - 1) / alignment * alignment, '\0'); }
  size_t size() const { return data_.size(); }
  std::string_view view() const { return data_; }

  void record(uint8_t format, Info attribute, size_t value) {
    put(format);
    put(static_cast<uint8_t>(attribute));
    put(static_cast<uint16_t>(value));
  }
  void sized(Info attribute, std::span<const uint32_t> values) {
    record(kSizedValue, attribute, 4 * values.size());
    for (const uint32_t value : values) put(value);
  }
  void sized(Info attribute, std::initializer_list<uint32_t> values) {
    sized(attribute, std::span(values.begin(), values.size()));
  }

 private:
  std::pmr::string data_;
};

struct Section : SectionHeader {  // with a size and no data: of memory that is not in the file
  std::pmr::string title, data;

  void fill(const Bytes& bytes) {
    data = bytes.view();
    size = data.size();
  }
};

class CubinWriter {
 public:
  CubinWriter(const Kernel& kernel, std::pmr::string& out)
      : kernel_(kernel), out_(out), memory_(out.get_allocator().resource()), sections_(memory_) {}

  void run() {
    add_sections();
    fill_symbols();
    fill_info();
    lay_out();
    write();
  }

 private:
  uint32_t add(std::string_view prefix, bool with_name, uint32_t type, uint64_t flags, uint64_t alignment,
               std::string_view data, uint64_t size = 0) {
    std::pmr::string title(prefix, memory_);
    if (with_name) title += kernel_.name;
    const SectionHeader header{
        .type = type, .flags = flags, .size = data.empty() ? size : data.size(), .alignment = alignment};
    sections_.push_back({header, std::move(title), std::pmr::string(data, memory_)});
    return static_cast<uint32_t>(sections_.size() - 1);
  }

  void add_sections() {
    add("", false, 0, 0, 0, {});
    section_names_ = add(".shstrtab", false, kStrtab, 0, 1, {});
    strings_ = add(".strtab", false, kStrtab, 0, 1, {});
    symbols_ = add(".symtab", false, kSymtab, 0, 8, {});
    info_ = add(kInfo, false, kCudaInfo, 0, 4, {});
    kernel_info_ = add(kKernelInfo, true, kCudaInfo, kInfoLink, 4, {});
    if (!kernel_.constants.empty()) {
      tables_ = add(kConstants, false, kProgbits, kAlloc, 4,
                    {reinterpret_cast<const char*>(kernel_.constants.data()), 4 * kernel_.constants.size()});
    }
    const std::pmr::string parameters(select::kParameterBase + kernel_.parameter_bytes, '\0', memory_);
    parameters_ = add(".nv.constant0.", true, kProgbits, kAlloc | kInfoLink, 4, parameters);
    std::pmr::string code(memory_);
    write_words(kernel_, code);
    code_ = add(kText, true, kProgbits,
                kAlloc | kExecute | static_cast<uint64_t>(kernel_.barriers) << kBarrierShift, 32, code);
    if (kernel_.shared_bytes != 0) {
      shared_ = add(kShared, true, kNobits, kWrite | kAlloc | kInfoLink, 16, {}, kernel_.shared_bytes);
    }
    sections_[kernel_info_].info = code_;
    sections_[parameters_].info = code_;
    if (shared_ != 0) sections_[shared_].info = code_;
  }

  /// Local symbols name sections; the kernel is the only global symbol.
  void fill_symbols() {
    Bytes names(memory_);
    Bytes table(memory_);
    names.put('\0');
    uint32_t count = 0;
    const auto put_symbol = [&](std::string_view name, uint8_t info, uint8_t other, uint32_t section,
                                uint64_t size) {
      table.put(name.empty() ? 0u : static_cast<uint32_t>(names.size()));
      table.put(info);
      table.put(other);
      table.put(static_cast<uint16_t>(section));
      table.put(uint64_t{0});
      table.put(size);
      if (!name.empty()) {
        names.put(name);
        names.put('\0');
      }
      return count++;
    };
    put_symbol({}, 0, 0, 0, 0);
    put_symbol(sections_[code_].title, kLocalSection, 0, code_, 0);
    if (shared_ != 0) put_symbol(sections_[shared_].title, kLocalSection, 0, shared_, 0);
    if (tables_ != 0) put_symbol(sections_[tables_].title, kLocalSection, 0, tables_, 0);
    parameter_symbol_ = put_symbol(sections_[parameters_].title, kLocalSection, 0, parameters_, 0);
    kernel_symbol_ = put_symbol(kernel_.name, kGlobalFunction, kEntry, code_, sections_[code_].size);
    Section& symbols = sections_[symbols_];
    symbols.fill(table);
    symbols.link = strings_;
    symbols.info = kernel_symbol_;  // the first global symbol
    symbols.entry_size = 24;
    sections_[strings_].fill(names);
    sections_[code_].link = symbols_;
    sections_[code_].info = kernel_.registers << kRegisterShift | kernel_symbol_;
  }

  void fill_info() {
    Bytes info(memory_);
    info.sized(Info::register_count, {kernel_symbol_, kernel_.registers});
    info.sized(Info::minimum_stack_size, {kernel_symbol_, kernel_.local_bytes});
    info.sized(Info::frame_size, {kernel_symbol_, kernel_.local_bytes});
    sections_[info_].fill(info);
    sections_[info_].link = symbols_;

    Bytes details(memory_);
    details.sized(Info::api_version, {kCudaVersion});
    details.sized(Info::parameter_bank,
                  {parameter_symbol_, select::kParameterBase | kernel_.parameter_bytes << 16});
    details.record(kHalfValue, Info::parameter_size, kernel_.parameter_bytes);
    // One parameter: number, place, size in words from bit 18 on, "not in a separate bank".
    constexpr uint32_t kParameterKind = 0x0001f000;
    details.sized(Info::parameter, {0, 0, kernel_.parameter_bytes / 4 << 20 | kParameterKind});
    details.record(kHalfValue, Info::maximum_registers, 255);
    std::pmr::vector<uint32_t> exits(memory_), group_ids(memory_);
    constexpr int32_t kGroupIdX = 0x25, kGroupIdZ = 0x27;
    bool reads_z = false;
    for (uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
      const Instruction& code = kernel_.instructions[i];
      if (opcode(code) == Opcode::exit) exits.push_back(instruction_address(i));
      const int32_t number = code.operands[1].value;
      if (opcode(code) != Opcode::s2r || number < kGroupIdX || number > kGroupIdZ) continue;
      group_ids.push_back(instruction_address(i));
      reads_z |= number == kGroupIdZ;
    }
    if (!group_ids.empty()) details.sized(Info::group_id_offsets, group_ids);
    if (!exits.empty()) details.sized(Info::exit_offsets, exits);
    if (reads_z) details.record(kNoValue, Info::group_id_z_is_read, 0);
    if (kernel_.branches != 0) details.sized(Info::branch_stack_size, {kBranchEntry * kernel_.branches});
    if (kernel_.threads[0] != 0) {
      details.sized(Info::required_threads, {kernel_.threads[0], kernel_.threads[1], kernel_.threads[2]});
    }
    Section& section = sections_[kernel_info_];
    section.fill(details);
    section.link = symbols_;
  }

  void lay_out() {
    Bytes names(memory_);
    names.put('\0');
    for (Section& section : sections_) {
      if (section.title.empty()) continue;
      section.name = static_cast<uint32_t>(names.size());
      names.put(std::string_view(section.title));
      names.put('\0');
    }
    sections_[section_names_].fill(names);
    uint64_t at = sizeof(FileHeader);
    for (size_t i = 1; i < sections_.size(); ++i) {
      Section& section = sections_[i];
      at = (at + section.alignment - 1) / section.alignment * section.alignment;
      section.offset = at;
      if (section.type != kNobits) at += section.size;
    }
  }

  void write_header(Bytes& bytes, uint64_t program_headers, uint64_t section_headers,
                    uint16_t segments) const {
    FileHeader header{};
    header.identity = {0x7f, 'E', 'L', 'F', 2, 1, 1, kOsAbiCuda, kAbiVersion};  // 64 bits, little endian, 1
    header.type = 2;                                                            // ET_EXEC
    header.machine = kMachineCuda;
    header.version = kCudaVersion;
    header.program_headers = program_headers;
    header.section_headers = section_headers;
    header.flags = kernel_.sm << 16 | kFlag64BitAddresses | kFlagUnifiedTextures | kernel_.sm;
    header.size = sizeof(FileHeader);
    header.program_header_size = kProgramHeaderSize;
    header.program_header_count = segments;
    header.section_header_size = sizeof(SectionHeader);
    header.section_count = static_cast<uint16_t>(sections_.size());
    header.names = static_cast<uint16_t>(section_names_);
    bytes.put(header);
  }

  void write() {
    const Section& first = sections_[tables_ != 0 ? tables_ : parameters_];
    const Section& code = sections_[code_];
    uint64_t end = code.offset + code.size;
    const uint64_t section_headers = (end + 7) / 8 * 8;
    const uint64_t program_headers = section_headers + sizeof(SectionHeader) * sections_.size();
    const uint16_t segments = shared_ != 0 ? 4 : 3;
    Bytes bytes(memory_);
    write_header(bytes, program_headers, section_headers, segments);
    for (size_t i = 1; i < sections_.size(); ++i) {
      const Section& section = sections_[i];
      if (section.type == kNobits) continue;
      bytes.align(section.alignment);
      bytes.put(std::string_view(section.data));
    }
    bytes.align(8);
    for (const SectionHeader& header : sections_) bytes.put(header);
    const auto segment = [&](uint32_t type, uint32_t flags, uint64_t offset, uint64_t size,
                             uint64_t in_memory) {
      bytes.put(type);
      bytes.put(flags);
      bytes.put(offset);
      bytes.put(uint64_t{0});
      bytes.put(uint64_t{0});
      bytes.put(size);
      bytes.put(in_memory);
      bytes.put(uint64_t{8});
    };
    constexpr uint32_t kLoad = 1, kHeaders = 6, kReadExecute = 5, kReadWrite = 6;
    const uint64_t own = kProgramHeaderSize * segments;
    segment(kHeaders, kReadExecute, program_headers, own, own);
    segment(kLoad, kReadExecute, first.offset, end - first.offset, end - first.offset);
    if (shared_ != 0) segment(kLoad, kReadWrite, sections_[shared_].offset, 0, sections_[shared_].size);
    segment(kLoad, kReadExecute, program_headers, own, own);
    out_.append(bytes.view());
  }

  const Kernel& kernel_;
  std::pmr::string& out_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Section> sections_;
  uint32_t section_names_ = 0, strings_ = 0, symbols_ = 0, info_ = 0, kernel_info_ = 0, parameters_ = 0,
           code_ = 0;
  uint32_t tables_ = 0, shared_ = 0;  // 0: none
  uint32_t kernel_symbol_ = 0, parameter_symbol_ = 0;
};

/// visit(attribute, value, payload) for each record of .nv.info; stops at one that the section cuts off.
template <typename Visit>
void visit_info(std::span<const uint8_t> records, Visit visit) {
  while (records.size() >= 4) {
    const auto attribute = static_cast<Info>(records[1]);
    const auto value = static_cast<uint16_t>(records[2] | records[3] << 8);
    const size_t size = records[0] == kSizedValue ? value : 0;
    if (size > records.size() - 4) return;
    std::array<uint32_t, 3> payload{};
    if (size != 0) std::memcpy(payload.data(), records.data() + 4, std::min(size, sizeof(payload)));
    visit(attribute, value, payload);
    records = records.subspan(4 + size);
  }
}

}  // namespace

ProgramFacts facts_of(const Cubin& cubin) {
  const CubinKernel& kernel = cubin.kernels.front();
  ProgramFacts facts;
  facts.name = kernel.name;
  facts.sm = cubin.sm;
  facts.registers = kernel.register_count;
  facts.barriers = kernel.barrier_count;
  facts.shared_bytes = kernel.shared_bytes;
  facts.constants.resize(cubin.constants.size() / 4);
  if (!facts.constants.empty())
    std::memcpy(facts.constants.data(), cubin.constants.data(), 4 * facts.constants.size());
  visit_info(cubin.info, [&](Info attribute, uint16_t, const std::array<uint32_t, 3>& payload) {
    if (attribute == Info::frame_size) facts.local_bytes = payload[1];
  });
  visit_info(kernel.info, [&](Info attribute, uint16_t value, const std::array<uint32_t, 3>& payload) {
    if (attribute == Info::parameter_size) facts.parameter_bytes = value;
    if (attribute == Info::branch_stack_size) facts.branches = payload[0] / kBranchEntry;
    if (attribute == Info::required_threads) facts.threads = payload;
  });
  return facts;
}

void write_cubin(const Kernel& kernel, std::pmr::string& out) {
  CubinWriter(kernel, out).run();
}

}  // namespace texlate::maxwell
