#include <fmt/format.h>

#include <iterator>

#include "frontend/asm/escape.h"
#include "frontend/asm/printer.h"
#include "frontend/sm4/spelling.h"

namespace texlate::assembly {

using sm4::SignatureElement;

namespace {

enum class Direction : uint8_t { input, output };

std::string mask_text(uint8_t mask) {
  std::string text = "    ";
  for (uint32_t i = 0; i < 4; ++i) {
    if ((mask >> i) & 1) text[i] = "xyzw"[i];
  }
  return text;
}

/// Registers outside the o# and v# files, with the system value that the chunk omits.
struct SpecialRegister {
  std::string_view semantic;
  std::string_view register_name;
  uint32_t system_value;  // D3D_NAME
};
constexpr SpecialRegister kSpecialRegisters[] = {
    {"SV_Depth", "oDepth", 65},
    {"SV_DepthGreaterEqual", "oDepthGE", 67},
    {"SV_DepthLessEqual", "oDepthLE", 68},
    {"SV_Coverage", "oMask", 66},
    {"SV_StencilRef", "oStencilRef", 69},
    {"SV_PrimitiveID", "primID", 7},
    {"SV_Target", "", 64},
};

const SpecialRegister* find_special(std::string_view semantic) {
  for (const SpecialRegister& special : kSpecialRegisters) {
    if (sm4::equal_ignoring_case(special.semantic, semantic)) return &special;
  }
  return nullptr;
}

std::string_view format_name(const SignatureElement& element) {
  if (element.min_precision != 0) return spell(sm4::kMinPrecisionNames, element.min_precision);
  const std::string_view name = spell(sm4::kComponentTypeNames, element.component_type);
  return name.empty() ? "unknown" : name;
}

void print_row(const SignatureElement& element, Direction direction, bool streams, Dialect dialect,
               std::pmr::string& out) {
  const SpecialRegister* special = find_special(element.semantic_name);
  const bool no_register = element.register_index == sm4::kNoRegister;
  const bool stored = element.system_value != 0 || special == nullptr || direction == Direction::input;
  const std::string_view system_value =
      spell(sm4::kSignatureValueNames, stored ? element.system_value : special->system_value);
  const uint8_t used = direction == Direction::output
                           ? static_cast<uint8_t>(~element.used_mask & 0xf & element.mask)
                           : element.used_mask;
  std::pmr::string name(out.get_allocator());
  if (streams) fmt::format_to(std::back_inserter(name), "m{}:", element.stream);
  append_escaped(element.semantic_name, name);
  auto to = std::back_inserter(out);
  const int format_width = dialect == Dialect::june_2010 ? 6 : 7;
  fmt::format_to(to, "// {:<20} {:>5}", std::string_view(name), element.semantic_index);
  if (no_register) {
    fmt::format_to(to, "    N/A {:>8} {:>8} {:>{}} {:>6}\n",
                   special != nullptr ? special->register_name : "special", system_value,
                   format_name(element), format_width, used != 0 ? "YES" : "NO");
  } else {
    fmt::format_to(to, "   {} {:>8} {:>8} {:>{}}   {}\n", mask_text(element.mask), element.register_index,
                   system_value, format_name(element), format_width, mask_text(used));
  }
}

void print_table(std::string_view title, const std::pmr::vector<SignatureElement>& elements,
                 Direction direction, Dialect dialect, std::pmr::string& out) {
  out += "// ";
  out += title;
  out += " signature:\n//\n";
  // The format column became one wider with minimum precision (min2_8f has seven letters).
  out += dialect == Dialect::june_2010
             ? "// Name                 Index   Mask Register SysValue Format   Used\n"
               "// -------------------- ----- ------ -------- -------- ------ ------\n"
             : "// Name                 Index   Mask Register SysValue  Format   Used\n"
               "// -------------------- ----- ------ -------- -------- ------- ------\n";
  if (elements.empty()) {
    out += "// no ";
    out += title;
    out += '\n';
  }
  bool streams = false;
  for (const SignatureElement& element : elements) streams |= element.stream != 0;
  for (const SignatureElement& element : elements) print_row(element, direction, streams, dialect, out);
  if (!elements.empty()) out += "//\n";
}

}  // namespace

void print_signatures(const sm4::Program& program, Dialect dialect, std::pmr::string& out) {
  if (!program.patch_constant_signature.empty()) {
    const bool hull = program.version.stage == sm4::Stage::hull;
    print_table("Patch Constant", program.patch_constant_signature,
                hull ? Direction::output : Direction::input, dialect, out);
    out += "//\n";
  }
  print_table("Input", program.input_signature, Direction::input, dialect, out);
  out += "//\n";
  print_table("Output", program.output_signature, Direction::output, dialect, out);
}

}  // namespace texlate::assembly
