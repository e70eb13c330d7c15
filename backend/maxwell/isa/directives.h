// What a listing says about a program beside its instructions: the facts from which a cubin or .dksh is
// written (backend/maxwell/containers.h). Each is a line of its own after the program's `.kernel` line:
//
//   .kernel blur
//   .sm 52
//   .registers 12
//   .parameters 320
//
// One table (directives.inc) holds them; the parser, the printer and the messages read it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/maxwell/isa/dksh.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {

enum class Directive : uint8_t {
#define DIRECTIVE(name, member, expected) name,
#include "backend/maxwell/isa/directives.inc"
#undef DIRECTIVE
  count_
};
constexpr size_t kDirectiveCount = static_cast<size_t>(Directive::count_);

/// Those of a .dksh, most of which a cubin has, too.
struct ProgramFacts : DkshFacts {
  std::string name = "main";  // of the kernel
  uint32_t sm = 0;
  uint32_t parameter_bytes = 0;     // cubin: of the parameter block
  uint32_t branches = 0;            // cubin: entries of the branch stack at once
  std::vector<uint32_t> header;     // dksh: the 20 words before a graphics program
  std::vector<uint32_t> constants;  // cubin: c[0x3], dksh: c[0x1]

  /// Where each was given; no line: not given.
  std::array<SourceLocation, kDirectiveCount> places{};
  SourceLocation place(Directive which) const { return places[static_cast<size_t>(which)]; }
  bool has(Directive which) const { return place(which).line != 0; }
};

/// What a cubin needs, and what a .dksh needs.
inline constexpr std::array kCubinDirectives = {Directive::sm, Directive::registers, Directive::parameters};
inline constexpr std::array kDkshDirectives = {Directive::stage, Directive::registers};

std::string_view directive_name(Directive which);

/// Is this the first word of a directive's line?
bool is_directive(std::string_view word);

/// Reads a line without comment and surrounding white space. Returns false after an error, located at `at`
/// and the columns after it.
bool parse_directive(std::string_view line, SourceLocation at, ProgramFacts& facts, Diagnostics& diagnostics);

/// The lines of all facts that are not 0, and of those in `always`. The tessellation mode of a domain program
/// must be known.
void print_directives(const ProgramFacts& facts, std::span<const Directive> always, std::string& out);

}  // namespace texlate::maxwell
