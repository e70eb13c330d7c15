#include "backend/maxwell/isa/dksh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backend/maxwell/isa/program.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {

namespace {

constexpr uint32_t kMagic = 0x48534b44;  // "DKSH"
constexpr uint32_t kFileHeader = 24, kProgramRecord = 64, kSectionAlignment = 256;
/// Graphics: the program header begins here, so that the code begins at 0x80.
constexpr uint32_t kHeaderPlace = 0x30;
constexpr uint32_t kWarp = 32;
/// What uam writes for a compute program.
constexpr uint32_t kComputeCallStack = 0x800;

// Byte offsets of the words in the program's record.
enum Record : uint32_t {
  type = 0,
  entry = 4,
  register_count = 8,
  constants_offset = 12,
  constants_size = 16,
  scratch = 20,
  by_stage = 24,
};

constexpr uint32_t align(uint32_t value, uint32_t to) {
  return (value + to - 1) / to * to;
}

void put32(std::pmr::string& out, size_t at, uint32_t value) {
  std::memcpy(out.data() + at, &value, 4);
}

uint32_t get32(std::span<const uint8_t> file, size_t at) {
  uint32_t value;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

constexpr uint32_t kSpacingAt = 4, kPrimitivesAt = 8;

uint32_t mode_word(const TessellationMode& mode) {
  return static_cast<uint32_t>(mode.domain) | static_cast<uint32_t>(mode.spacing) << kSpacingAt |
         static_cast<uint32_t>(mode.primitives) << kPrimitivesAt;
}

TessellationMode mode_of(uint32_t word) {
  TessellationMode mode;
  mode.domain = static_cast<TessellationMode::Domain>(word & 0xf);
  mode.spacing = static_cast<TessellationMode::Spacing>(word >> kSpacingAt & 0xf);
  mode.primitives = static_cast<TessellationMode::Primitives>(word >> kPrimitivesAt & 0xf);
  return mode;
}

std::string describe(const TessellationMode& mode) {
  constexpr std::string_view kDomains[] = {"isolines", "triangles", "quads"};
  constexpr std::string_view kSpacings[] = {"integer", "fractional odd", "fractional even"};
  constexpr std::string_view kPrimitives[] = {"points", "lines", "clockwise triangles",
                                              "counter-clockwise triangles"};
  const auto name = [](std::span<const std::string_view> names, auto value) {
    const size_t number = static_cast<size_t>(value);
    return number < names.size() ? names[number] : std::string_view("unknown");
  };
  return fmt::format("{}, {} spacing, {}", name(kDomains, mode.domain), name(kSpacings, mode.spacing),
                     name(kPrimitives, mode.primitives));
}

void put_stage_fields(const DkshProgram& program, std::pmr::string& out, size_t at) {
  switch (program.stage) {
    case DkshStage::pixel: {
      out[at + 1] = program.early_tests ? 1 : 0;
      out[at + 3] = program.per_sample ? 1 : 0;
      // As in uam's output: no document names these registers of the 3D engine.
      uint32_t targets = 0;
      for (const uint8_t mask : program.header.targets) targets += mask != 0 ? 1 : 0;
      const bool depth = program.header.writes_depth;
      put32(out, at + 20, targets >= 3 && !depth ? 0x20806080u : 0x087f6080u);
      put32(out, at + 24, depth ? 0x11u : 0u);
      return;
    }
    case DkshStage::compute:
      for (uint32_t i = 0; i < 3; ++i) put32(out, at + 4 * i, program.threads[i]);
      put32(out, at + 12, align(program.shared_bytes, 256));
      put32(out, at + 16, program.local_bytes);
      put32(out, at + 24, std::max(program.call_stack_bytes, kComputeCallStack));
      put32(out, at + 28, program.barriers);
      return;
    case DkshStage::domain: put32(out, at, mode_word(program.tessellator)); return;
    // Geometry programs that pass vertices through by a table are not made.
    case DkshStage::vertex:
    case DkshStage::geometry:
    case DkshStage::hull: return;
  }
}

class DkshReader {
 public:
  DkshReader(std::span<const uint8_t> file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  bool fail(uint64_t offset, const char* what) {
    const uint64_t at = std::min<uint64_t>(offset, file_.size());
    diagnostics_.error(SourceLocation::bytes(static_cast<uint32_t>(at)), "{}", what);
    return false;
  }

  bool read(DkshProgram& out) {
    if (file_.size() < kFileHeader) return fail(0, "the file ends within its header");
    const uint32_t control = get32(file_, 8), code = get32(file_, 12), records = get32(file_, 16);
    if (get32(file_, 4) != kFileHeader) return fail(4, "the file header is not 24 bytes long");
    if (get32(file_, 20) != 1) return fail(20, "the file does not hold exactly one program");
    if (records > file_.size() || file_.size() - records < kProgramRecord)
      return fail(16, "the program record lies outside the file");
    if (control > file_.size() || code > file_.size() - control)
      return fail(8, "a section lies outside the file");
    return read_program(records, file_.subspan(control, code), control, out);
  }

 private:
  bool read_program(uint32_t record, std::span<const uint8_t> section, uint32_t begin, DkshProgram& out) {
    const uint32_t stage = get32(file_, record + Record::type);
    if (stage > static_cast<uint32_t>(DkshStage::compute)) return fail(record, "unknown stage");
    out.stage = static_cast<DkshStage>(stage);
    out.registers = get32(file_, record + Record::register_count);
    const bool compute = out.stage == DkshStage::compute;
    const uint32_t entry = get32(file_, record + Record::entry);
    const uint32_t skipped = compute ? 0 : kProgramHeaderBytes;
    if (entry % 16 != 0 || entry > section.size() || section.size() - entry < skipped ||
        (entry + skipped) % 32 != 0)
      return fail(record + Record::entry, "the entry point lies outside the code or is not aligned");
    const uint32_t first = entry + skipped;
    const uint32_t constants = get32(file_, record + Record::constants_offset);
    const uint32_t size = get32(file_, record + Record::constants_size);
    if (constants > section.size() || section.size() - constants < size)
      return fail(record + Record::constants_offset, "the constants lie outside the code section");
    if (!compute) out.header = decode_header(section.subspan(entry).first<kProgramHeaderBytes>());
    out.code_offset = begin + first;
    const uint32_t end = size != 0 && constants >= first ? constants : static_cast<uint32_t>(section.size());
    out.words.resize((end - first) / 32 * 4);
    if (!out.words.empty()) std::memcpy(out.words.data(), section.data() + first, out.words.size() * 8);
    // The section's padding: groups of zeros, which no program contains.
    while (out.words.size() >= 4 &&
           std::all_of(out.words.end() - 4, out.words.end(), [](uint64_t word) { return word == 0; })) {
      out.words.resize(out.words.size() - 4);
    }
    if (out.words.empty()) return fail(begin + first, "the program has no code");
    out.constants.resize(size / 4);
    if (size >= 4) std::memcpy(out.constants.data(), section.data() + constants, size / 4 * 4);
    read_stage_fields(record + Record::by_stage, out);
    return true;
  }

  void read_stage_fields(size_t at, DkshProgram& out) {
    if (out.stage == DkshStage::pixel) {
      out.early_tests = file_[at + 1] != 0;
      out.per_sample = file_[at + 3] != 0;
    }
    if (out.stage == DkshStage::domain) out.tessellator = mode_of(get32(file_, at));
    if (out.stage != DkshStage::compute) return;
    for (uint32_t i = 0; i < 3; ++i) out.threads[i] = get32(file_, at + 4 * i);
    out.shared_bytes = get32(file_, at + 12);
    out.local_bytes = get32(file_, at + 16);
    out.call_stack_bytes = get32(file_, at + 24);
    out.barriers = get32(file_, at + 28);
  }

  std::span<const uint8_t> file_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool is_dksh(std::span<const uint8_t> file) {
  return file.size() >= 4 && get32(file, 0) == kMagic;
}

void write_dksh(const DkshProgram& program, std::pmr::string& out) {
  const bool compute = program.stage == DkshStage::compute;
  const std::span<const uint64_t> words = program.words, end = end_of_program(words);
  const uint32_t first = compute ? 0 : kHeaderPlace + kProgramHeaderBytes;
  const uint32_t code_end = first + static_cast<uint32_t>((words.size() + end.size()) * 8);
  const uint32_t constant_bytes = static_cast<uint32_t>(program.constants.size() * 4);
  const uint32_t constants = constant_bytes == 0 ? 0 : align(code_end, kSectionAlignment);
  const uint32_t code_size =
      align(constant_bytes == 0 ? code_end : constants + constant_bytes, kSectionAlignment);
  const uint32_t control_size = align(kFileHeader + kProgramRecord, kSectionAlignment);

  const size_t base = out.size();
  out.resize(base + control_size + code_size, '\0');
  const uint32_t file_header[] = {kMagic, kFileHeader, control_size, code_size, kFileHeader, 1};
  for (uint32_t i = 0; i < 6; ++i) put32(out, base + 4 * i, file_header[i]);

  const size_t record = base + kFileHeader;
  put32(out, record + Record::type, static_cast<uint32_t>(program.stage));
  put32(out, record + Record::entry, compute ? 0 : kHeaderPlace);
  put32(out, record + Record::register_count, std::max(4u, program.registers));
  put32(out, record + Record::constants_offset, constants);
  put32(out, record + Record::constants_size, constant_bytes);
  put32(out, record + Record::scratch, scratch_bytes(program));
  put_stage_fields(program, out, record + Record::by_stage);

  char* section = out.data() + base + control_size;
  if (!compute) {
    const ProgramHeaderBytes header = encode_header(program.header);
    std::memcpy(section + kHeaderPlace, header.data(), header.size());
  }
  std::memcpy(section + first, words.data(), words.size() * 8);
  // The program may have an end already.
  if (!end.empty()) std::memcpy(section + first + words.size() * 8, end.data(), end.size() * 8);
  if (constant_bytes != 0) std::memcpy(section + constants, program.constants.data(), constant_bytes);
}

uint32_t scratch_bytes(const DkshProgram& program) {
  if (program.stage != DkshStage::compute)
    return program.header.local_bytes * kWarp + program.header.call_stack_bytes;
  return program.local_bytes * kWarp + std::max(program.call_stack_bytes, kComputeCallStack);
}

bool read_dksh(std::span<const uint8_t> file, DkshProgram& out, Diagnostics& diagnostics) {
  return DkshReader(file, diagnostics).read(out);
}

void print_program(const DkshProgram& program, std::string& out) {
  out += fmt::format("// .dksh, {} registers", program.registers);
  if (!program.constants.empty())
    out += fmt::format(", {} bytes of constants in c[0x1]", 4 * program.constants.size());
  out += '\n';
  if (program.stage != DkshStage::compute) {
    if (program.early_tests) out += "// early fragment tests\n";
    if (program.stage == DkshStage::domain) out += fmt::format("// {}\n", describe(program.tessellator));
    if (program.per_sample) out += "// once for each sample\n";
    return print_header(program.header, out);
  }
  out += fmt::format(
      "// compute program, blocks of {} x {} x {}, {} bytes shared, {} bytes local, {} barriers\n",
      program.threads[0], program.threads[1], program.threads[2], program.shared_bytes, program.local_bytes,
      program.barriers);
}

}  // namespace texlate::maxwell
