#include "backend/maxwell/containers.h"

#include <algorithm>
#include <cstring>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/dksh.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/kernel.h"
#include "backend/maxwell/select/select.h"

namespace texlate::maxwell {

namespace {

constexpr uint32_t kMostRegisters = 255;
const std::string kOnlyCode =
    "// The headers of this file have more than a listing can say: assemble --into puts code back into it\n";

/// The instructions; a word that is none counts as NOP.
void decode_program(std::span<const uint64_t> words, std::pmr::vector<Instruction>& out) {
  for (uint32_t at = 0; at < words.size() * 8; at += 8) {
    if (is_control_address(at)) continue;
    Instruction& instruction = out.emplace_back();
    if (!decode(words[at / 8], instruction)) instruction = make_instruction(Opcode::nop);
  }
}

Kernel kernel_of(const ProgramFacts& facts, std::span<const uint64_t> words,
                 std::pmr::memory_resource* memory) {
  Kernel kernel(memory);
  static_cast<ProgramFacts&>(kernel) = facts;
  kernel.words.assign(words.begin(), words.end());
  std::pmr::vector<Instruction> instructions(memory);
  decode_program(words, instructions);
  kernel.instructions.assign(instructions.begin(), instructions.end());
  return kernel;
}

ProgramFacts facts_of(const DkshProgram& program) {
  ProgramFacts facts;
  static_cast<DkshFacts&>(facts) = program;
  facts.constants.assign(program.constants.begin(), program.constants.end());
  if (program.stage == DkshStage::compute) return facts;
  const ProgramHeaderBytes header = encode_header(program.header);
  facts.header.resize(kProgramHeaderBytes / 4);
  std::memcpy(facts.header.data(), header.data(), header.size());
  return facts;
}

DkshProgram dksh_of(const ProgramFacts& facts, std::span<const uint64_t> words,
                    std::pmr::memory_resource* memory) {
  DkshProgram program(memory);
  static_cast<DkshFacts&>(program) = facts;
  program.words.assign(words.begin(), words.end());
  program.constants.assign(facts.constants.begin(), facts.constants.end());
  if (facts.stage == DkshStage::compute) return program;
  ProgramHeaderBytes header{};
  std::memcpy(header.data(), facts.header.data(), header.size());
  program.header = decode_header(header);
  return program;
}

/// One listed program against what a container requires of it.
class Checker {
 public:
  Checker(const ListedProgram& program, std::string_view container, Diagnostics& diagnostics)
      : program_(program), container_(container), diagnostics_(diagnostics) {}

  bool needs(std::span<const Directive> directives) {
    bool good = true;
    for (const Directive directive : directives) {
      if (program_.facts.has(directive)) continue;
      diagnostics_.error(program_.location, "a {} needs '{}'", container_, directive_name(directive));
      good = false;
    }
    return good;
  }

  bool has_enough_registers() {
    const SourceLocation place = program_.facts.place(Directive::registers);
    if (program_.facts.registers > kMostRegisters) {
      diagnostics_.error(place, "{} registers: a thread has at most {}", program_.facts.registers,
                         kMostRegisters);
      return false;
    }
    std::pmr::vector<Instruction> instructions;
    decode_program(program_.words, instructions);
    uint32_t used = 0;
    for (const Instruction& instruction : instructions) used = std::max(used, registers_of(instruction));
    if (used <= program_.facts.registers) return true;
    diagnostics_.error(place, "the code uses R{}, but the program has {} registers", used - 1,
                       program_.facts.registers);
    return false;
  }

  /// `sm`: what the caller asked for, or 0.
  bool is_cubin(uint32_t sm) {
    if (!needs(kCubinDirectives) || !has_enough_registers()) return false;
    const ProgramFacts& facts = program_.facts;
    constexpr uint32_t kMostParameters = 0x1000 - select::kParameterBase;
    if (!is_known_target(facts.sm))
      return fail(Directive::sm, fmt::format("sm_{} is not sm_50, sm_52 or sm_53", facts.sm));
    if (sm != 0 && sm != facts.sm)
      return fail(Directive::sm, fmt::format("the listing is for sm_{}, not for sm_{}", facts.sm, sm));
    if (facts.parameter_bytes > kMostParameters)
      return fail(Directive::parameters,
                  fmt::format("a block of parameters has at most {} bytes", kMostParameters));
    return true;
  }

  bool is_dksh() {
    if (!needs(kDkshDirectives) || !has_enough_registers()) return false;
    const ProgramFacts& facts = program_.facts;
    if (facts.stage == DkshStage::compute) return needs(std::array{Directive::threads});
    if (!needs(std::array{Directive::header})) return false;
    if (facts.stage == DkshStage::domain && !needs(std::array{Directive::tessellator})) return false;
    if (facts.stage != DkshStage::domain && facts.has(Directive::tessellator))
      return fail(Directive::tessellator, "only domain programs have a tessellator");
    if (facts.header.size() != kProgramHeaderBytes / 4)
      return fail(Directive::header, fmt::format("the header has {} words, not {}", facts.header.size(),
                                                 kProgramHeaderBytes / 4));
    if (facts_of(dksh_of(facts, {}, std::pmr::get_default_resource())).header != facts.header)
      return fail(Directive::header, "the header has bits that no field of this stage has");
    return true;
  }

 private:
  bool fail(Directive directive, std::string_view what) {
    diagnostics_.error(program_.facts.place(directive), "{}", what);
    return false;
  }

  const ListedProgram& program_;
  std::string_view container_;
  Diagnostics& diagnostics_;
};

/// Lists a program whose facts give the same file; `comment` precedes the directives.
bool list_if_same(std::span<const uint8_t> file, const ProgramFacts& facts, std::string_view rebuilt,
                  std::span<const Directive> always, std::string_view comment, std::string& out) {
  const auto as_byte = [](char c) { return static_cast<uint8_t>(c); };
  const std::string line = kernel_line(facts.name);
  if (line != ".kernel " + facts.name || !std::ranges::equal(rebuilt, file, {}, as_byte)) return false;
  out += line + '\n';
  out += comment;
  print_directives(facts, always, out);
  return true;
}

bool list_dksh(std::span<const uint8_t> file, std::string& out, Diagnostics& diagnostics,
               const DisassembleOptions& options) {
  DkshProgram program;
  if (!read_dksh(file, program, diagnostics)) return false;
  std::string comment;
  print_program(program, comment);
  const ProgramFacts facts = facts_of(program);
  std::pmr::string rebuilt;
  if (program.tessellator.is_known())
    write_dksh(dksh_of(facts, program.words, rebuilt.get_allocator().resource()), rebuilt);
  if (!list_if_same(file, facts, rebuilt, kDkshDirectives, comment, out)) out += kOnlyCode + comment;
  return disassemble_program(program.words, out, diagnostics, options);
}

bool list_cubin(std::span<const uint8_t> file, std::string& out, Diagnostics& diagnostics,
                const DisassembleOptions& options) {
  Cubin cubin;
  if (!read_cubin(file, cubin, diagnostics)) return false;
  if (cubin.kernels.size() == 1 && cubin.kernels.front().code.size() % 32 == 0) {
    const std::vector<uint64_t> words = to_words(cubin.kernels.front().code);
    const ProgramFacts facts = maxwell::facts_of(cubin);
    std::pmr::string rebuilt;
    write_cubin(kernel_of(facts, words, rebuilt.get_allocator().resource()), rebuilt);
    if (list_if_same(file, facts, rebuilt, kCubinDirectives, {}, out))
      return disassemble_program(words, out, diagnostics, options);
  }
  out += kOnlyCode;
  for (const CubinKernel& kernel : cubin.kernels) {
    out += fmt::format("{}  // sm_{}, {} registers\n", kernel_line(kernel.name), cubin.sm,
                       kernel.register_count);
    if (!disassemble_program(to_words(kernel.code), out, diagnostics, options)) return false;
  }
  return true;
}

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

bool assemble(std::string_view text, Container container, std::pmr::string& out, Diagnostics& diagnostics,
              const AssembleOptions& options) {
  std::vector<ListedProgram> programs;
  if (!assemble(text, programs, diagnostics, options)) return false;
  const std::string_view name = container == Container::cubin ? "cubin" : "deko3d program";
  if (programs.size() != 1 || programs.front().words.empty()) {
    diagnostics.error(programs.size() > 1 ? programs[1].location : SourceLocation{},
                      "the listing has {} programs: a {} is written from one", programs.size(), name);
    return false;
  }
  const ListedProgram& program = programs.front();
  Checker checker(program, name, diagnostics);
  std::pmr::memory_resource* const memory = out.get_allocator().resource();
  switch (container) {
    case Container::cubin:
      if (!checker.is_cubin(options.sm)) return false;
      write_cubin(kernel_of(program.facts, program.words, memory), out);
      return true;
    case Container::dksh:
      if (!checker.is_dksh()) return false;
      write_dksh(dksh_of(program.facts, program.words, memory), out);
      return true;
  }
  return false;
}

bool disassemble_file(std::span<const uint8_t> input, std::string& out, Diagnostics& diagnostics,
                      const DisassembleOptions& options) {
  if (is_dksh(input)) return list_dksh(input, out, diagnostics, options);
  return is_elf(input) ? list_cubin(input, out, diagnostics, options)
                       : disassemble(input, out, diagnostics, options);
}

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
