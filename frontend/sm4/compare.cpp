#include "frontend/sm4/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/sm4/declaration_form.h"

namespace texlate::sm4 {

namespace {

/// Bits of Instruction::controls that have a meaning. Compilers leave others set in some declarations (vkd3d:
/// a dimension in dcl_uav_raw). Text and drivers ignore these.
uint16_t significant_controls(Opcode opcode) {
  if (!info(opcode).has(kDeclaration) || opcode == Opcode::custom_data) return 0xffff;
  if (opcode == Opcode::dcl_input_ps_sgv) return 0;  // the interpolation is always constant, printed or not
  uint32_t bits = 0;
  for (char piece : declaration_pieces(opcode)) {
    switch (static_cast<DeclarationPiece>(piece)) {
      case DeclarationPiece::dimension: bits |= 0xfff; break;
      case DeclarationPiece::uav_flags:
        bits |=
            controls::kUavGloballyCoherent | controls::kUavRasterizerOrdered | controls::kUavOrderedCounter;
        break;
      case DeclarationPiece::access_pattern:
      case DeclarationPiece::interface_: bits |= 1; break;
      case DeclarationPiece::sampler_mode:
      case DeclarationPiece::interpolation: bits |= 0xf; break;
      case DeclarationPiece::global_flags: bits |= 0x1fff; break;
      case DeclarationPiece::input_primitive:
      case DeclarationPiece::output_topology:
      case DeclarationPiece::control_points:
      case DeclarationPiece::tessellator_domain:
      case DeclarationPiece::tessellator_partitioning:
      case DeclarationPiece::tessellator_output: bits |= 0x7f; break;
      default: break;
    }
  }
  return static_cast<uint16_t>(bits);
}

/// Registers whose component count in a declaration has no meaning: fxc writes none or four, vkd3d one.
bool has_free_component_count(const Operand& operand) {
  const ComponentCount count = info(operand.file).default_count;
  return count != ComponentCount::four &&
         (operand.component_count != ComponentCount::four || operand.components == kIdentitySwizzle);
}

class Comparison {
 public:
  Comparison(const Program& a, const Program& b, const CompareOptions& options)
      : a_(a), b_(b), options_(options) {}

  std::optional<Difference> find() {
    const size_t count = std::min(a_.instructions.size(), b_.instructions.size());
    for (size_t i = 0; i < count; ++i) {
      if (const char* what = instruction(a_.instructions[i], b_.instructions[i])) return Difference{i, what};
    }
    return {};
  }

  std::string run() {
    if (a_.version != b_.version) return "the versions differ";
    if (const auto found = find()) {
      const size_t i = found->instruction;
      return fmt::format(
          "instruction {}: {} differs: {} versus {} (lines {} and {}, offsets 0x{:x} and 0x{:x})", i,
          found->what, info(a_.instructions[i].opcode).mnemonic, info(b_.instructions[i].opcode).mnemonic,
          a_.instructions[i].location.line, b_.instructions[i].location.line,
          a_.instructions[i].location.offset, b_.instructions[i].location.offset);
    }
    if (a_.instructions.size() != b_.instructions.size()) {
      return fmt::format("{} instructions versus {}", a_.instructions.size(), b_.instructions.size());
    }
    return {};
  }

 private:
  const char* instruction(const Instruction& a, const Instruction& b) {
    if (a.opcode != b.opcode) return "the opcode";
    if (((a.controls ^ b.controls) & significant_controls(a.opcode)) != 0) return "a control bit";
    if (a.has_offset != b.has_offset || !std::equal(a.offset, a.offset + 3, b.offset)) return "the offset";
    if (a.has_dimension != b.has_dimension || a.dimension != b.dimension || a.stride != b.stride)
      return "the dimension";
    if (a.has_return_type != b.has_return_type || a.return_types != b.return_types) return "a return type";
    if (a.operand_count != b.operand_count) return "the operand count";
    for (uint32_t i = 0; i < a.operand_count; ++i) {
      if (const char* what = operand(a_.operands[a.first_operand + i], b_.operands[b.first_operand + i],
                                     info(a.opcode).has(kDeclaration))) {
        return what;
      }
    }
    return words(a, b);
  }

  const char* words(const Instruction& a, const Instruction& b) {
    const OpcodeInfo& opcode = info(a.opcode);
    auto left = a_.words_of(a);
    auto right = b_.words_of(b);
    if (!opcode.has(kDeclaration)) {  // all but call sites is padding (fxc's samplepos has an extra dword)
      const size_t significant = opcode.has(kCallSite) ? 1 : 0;
      left = left.first(std::min(left.size(), significant));
      right = right.first(std::min(right.size(), significant));
    }
    const bool literal = a.opcode == Opcode::custom_data || a.opcode == Opcode::dcl_hs_max_tessfactor;
    if (left.size() != right.size()) return "the number of trailing dwords";
    if (options_.ignore_literals && literal) return nullptr;
    return std::equal(left.begin(), left.end(), right.begin()) ? nullptr : "a trailing dword";
  }

  const char* operand(const Operand& a, const Operand& b, bool declared) {
    if (a.file != b.file) return "a register file";
    const bool free_count = declared && has_free_component_count(a) && has_free_component_count(b);
    if (!free_count && a.component_count != b.component_count) return "a component count";
    if (a.modifier != b.modifier) return "an operand modifier";
    if (a.min_precision != b.min_precision) return "a minimum precision";
    if (a.non_uniform != b.non_uniform) return "a nonuniform mark";
    if (a.is_immediate()) {
      if (options_.ignore_literals) return nullptr;
      const size_t count = a.component_count == ComponentCount::four ? 4 : 1;
      return std::equal(a.immediate.begin(), a.immediate.begin() + count, b.immediate.begin()) ? nullptr
                                                                                               : "a literal";
    }
    if (!free_count && (a.selection != b.selection || a.components != b.components))
      return "a mask or swizzle";
    if (a.index_count != b.index_count) return "the number of indices";
    for (uint32_t i = 0; i < a.index_count; ++i) {
      if (a.index[i].immediate != b.index[i].immediate) return "an index";
      const bool relative = a.index[i].relative != kNoOperand;
      if (relative != (b.index[i].relative != kNoOperand)) return "a relative index";
      if (!relative) continue;
      if (const char* what =
              operand(a_.operands[a.index[i].relative], b_.operands[b.index[i].relative], false)) {
        return what;
      }
    }
    return nullptr;
  }

  const Program& a_;
  const Program& b_;
  const CompareOptions& options_;
};

}  // namespace

std::optional<Difference> find_difference(const Program& a, const Program& b, const CompareOptions& options) {
  return Comparison(a, b, options).find();
}

std::string difference(const Program& a, const Program& b, const CompareOptions& options) {
  return Comparison(a, b, options).run();
}

}  // namespace texlate::sm4
