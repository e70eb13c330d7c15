#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/shader_message.h"

namespace texlate::dxbc {

using sm4::ComponentCount;
using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::Selection;

namespace {

class Encoder {
 public:
  Encoder(const sm4::Program& program, std::pmr::vector<uint32_t>& out, Diagnostics& diagnostics)
      : program_(program), out_(out), diagnostics_(diagnostics) {}

  bool run() {
    const size_t begin = out_.size();
    const sm4::ProgramVersion& version = program_.version;
    out_.push_back(tokens::kVersionStage.put(static_cast<uint32_t>(version.stage)) |
                   tokens::kVersionMajor.put(version.major) | tokens::kVersionMinor.put(version.minor));
    out_.push_back(0);
    for (const Instruction& instruction : program_.instructions) {
      if (!encode_instruction(instruction)) good_ = false;
    }
    out_[begin + 1] = static_cast<uint32_t>(out_.size() - begin);
    return good_;
  }

 private:
  bool encode_instruction(const Instruction& instruction) {
    if (instruction.opcode == Opcode::custom_data) {
      if (is_message(instruction)) return encode_message(instruction);
      out_.push_back(tokens::kOpcode.put(static_cast<uint32_t>(instruction.opcode)) |
                     tokens::kCustomClass.put(instruction.controls));
      out_.push_back(instruction.word_count + 2);
      append_words(instruction);
      return true;
    }
    const size_t first = out_.size();
    out_.push_back(0);
    const uint32_t extended = encode_extended(instruction);
    const bool call_site = sm4::info(instruction.opcode).has(sm4::kCallSite);
    if (call_site) append_words(instruction);
    for (const Operand& operand : program_.operands_of(instruction)) encode_operand(operand);
    if (!call_site) append_words(instruction);
    uint32_t length = static_cast<uint32_t>(out_.size() - first);
    uint32_t long_form = 0;
    if (length > tokens::kMaxLength) {
      if (instruction.opcode != Opcode::dcl_interface && instruction.opcode != Opcode::dcl_function_table) {
        diagnostics_.error(instruction.location, "{} takes {} dwords, more than an instruction can have",
                           sm4::info(instruction.opcode).mnemonic, length);
        return false;
      }
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(first) + 1, length + 1);
      long_form = tokens::kExtended;
      length = 0;
    }
    out_[first] = tokens::kOpcode.put(static_cast<uint32_t>(instruction.opcode)) |
                  tokens::kControls.put(instruction.controls) | tokens::kLength.put(length) | extended |
                  long_form;
    return true;
  }

  bool is_message(const Instruction& instruction) const {
    return instruction.controls == sm4::kShaderMessage && sm4::find_message(program_.words_of(instruction));
  }

  bool encode_message(const Instruction& instruction) {
    const auto words = program_.words_of(instruction);
    const size_t first = out_.size();
    out_.push_back(tokens::kOpcode.put(static_cast<uint32_t>(instruction.opcode)) |
                   tokens::kCustomClass.put(instruction.controls));
    out_.push_back(0);
    out_.insert(out_.end(), words.begin(), words.begin() + sm4::kMessageHead);
    out_.push_back(instruction.operand_count);
    out_.push_back(0);
    const size_t operands = out_.size();
    for (const Operand& operand : program_.operands_of(instruction)) encode_operand(operand);
    out_[operands - 1] = static_cast<uint32_t>(out_.size() - operands);
    out_.insert(out_.end(), words.begin() + sm4::kMessageHead, words.end());
    out_[first + 1] = static_cast<uint32_t>(out_.size() - first);
    return true;
  }

  /// Appends the extended opcode tokens, always in the order 1, 2, 3. Returns the bit that announces them.
  uint32_t encode_extended(const Instruction& instruction) {
    const size_t first = out_.size();
    if (instruction.has_offset) {
      uint32_t token = tokens::kSampleControls;
      for (uint32_t i = 0; i < 3; ++i)
        token |= tokens::kOffsets[i].put(static_cast<uint32_t>(instruction.offset[i]));
      out_.push_back(token);
    }
    if (instruction.has_dimension) {
      out_.push_back(tokens::kResourceDimension |
                     tokens::kDimension.put(static_cast<uint32_t>(instruction.dimension)) |
                     tokens::kStride.put(instruction.stride));
    }
    if (instruction.has_return_type) {
      out_.push_back(tokens::kResourceReturnType | tokens::kReturnTypes.put(instruction.return_types));
    }
    for (size_t i = first; i + 1 < out_.size(); ++i) out_[i] |= tokens::kExtended;
    return out_.size() != first ? tokens::kExtended : 0;
  }

  void append_words(const Instruction& instruction) {
    const auto words = program_.words_of(instruction);
    out_.insert(out_.end(), words.begin(), words.end());
  }

  void encode_operand(const Operand& operand) {
    uint32_t token = tokens::kComponentCount.put(static_cast<uint32_t>(operand.component_count)) |
                     tokens::kFile.put(static_cast<uint32_t>(operand.file));
    if (operand.component_count == ComponentCount::four) {
      token |=
          tokens::kSelection.put(static_cast<uint32_t>(operand.selection)) |
          (operand.selection == Selection::mask ? tokens::kMask : tokens::kSwizzle).put(operand.components);
    }
    const uint32_t modifier = tokens::kModifier.put(static_cast<uint32_t>(operand.modifier)) |
                              tokens::kMinPrecision.put(static_cast<uint32_t>(operand.min_precision)) |
                              tokens::kNonUniform.put(operand.non_uniform);
    if (modifier != 0) token |= tokens::kExtended;
    if (!operand.is_immediate()) {
      token |= tokens::kIndexDimension.put(operand.index_count);
      for (uint32_t i = 0; i < operand.index_count; ++i)
        token |= tokens::kIndexForms[i].put(index_form(operand, i));
    }
    out_.push_back(token);
    if (modifier != 0) out_.push_back(tokens::kOperandModifierType | modifier);
    if (operand.is_immediate()) return append_immediates(operand);
    for (uint32_t i = 0; i < operand.index_count; ++i) encode_index(operand, i);
  }

  static uint32_t index_form(const Operand& operand, uint32_t i) {
    const bool relative = operand.index[i].relative != sm4::kNoOperand;
    const bool wide = operand.index_form(i) == sm4::IndexForm::wide;
    if (!relative) return wide ? tokens::kImmediate64 : tokens::kImmediate32;
    if (operand.index_form(i) == sm4::IndexForm::relative_only) return tokens::kRelative;
    return wide ? tokens::kImmediate64PlusRelative : tokens::kImmediate32PlusRelative;
  }

  void encode_index(const Operand& operand, uint32_t i) {
    const uint32_t form = index_form(operand, i);
    if (form == tokens::kImmediate64 || form == tokens::kImmediate64PlusRelative) out_.push_back(0);
    if (form != tokens::kRelative) out_.push_back(operand.index[i].immediate);
    if (form >= tokens::kRelative) encode_operand(program_.operands[operand.index[i].relative]);
  }

  void append_immediates(const Operand& operand) {
    const size_t scalar = operand.file == sm4::RegisterFile::immediate64 ? 2 : 1;
    const size_t count = operand.component_count == ComponentCount::four  ? 4
                         : operand.component_count == ComponentCount::one ? scalar
                                                                          : 0;
    out_.insert(out_.end(), operand.immediate.begin(),
                operand.immediate.begin() + static_cast<std::ptrdiff_t>(count));
  }

  const sm4::Program& program_;
  std::pmr::vector<uint32_t>& out_;
  Diagnostics& diagnostics_;
  bool good_ = true;
};

}  // namespace

bool encode_tokens(const sm4::Program& program, std::pmr::vector<uint32_t>& out, Diagnostics& diagnostics) {
  return Encoder(program, out, diagnostics).run();
}

}  // namespace texlate::dxbc
