#include <cstring>

#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/declaration_form.h"
#include "frontend/sm4/shader_message.h"

namespace texlate::dxbc {

using sm4::ComponentCount;
using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::RegisterFile;
using sm4::Selection;

namespace {

/// The limit is x0[x0[x0[r0.x]]]: real streams have one level, and recursion on hostile input must be
/// bounded.
constexpr uint32_t kMaxIndexDepth = 3;

/// The operands of a declaration in the stream.
constexpr uint32_t declared_operand_count(std::string_view pieces) {
  uint32_t count = 0;
  for (char piece : pieces) {
    const auto kind = static_cast<sm4::DeclarationPiece>(piece);
    count += kind == sm4::DeclarationPiece::operand || kind == sm4::DeclarationPiece::range ||
             kind == sm4::DeclarationPiece::constant_buffer;
  }
  return count;
}

/// Tables of interfaces may be longer than 127 dwords; the next dword then holds their length.
constexpr bool has_long_form(Opcode opcode) {
  return opcode == Opcode::dcl_interface || opcode == Opcode::dcl_function_table;
}

/// What the decoder asks about the opcode of each instruction, together.
struct OpcodeForm {
  bool is_known;
  bool has_call_site;
  uint8_t operands;
};
constexpr std::array<OpcodeForm, sm4::kOpcodeLimit> kOpcodeForms = [] {
  std::array<OpcodeForm, sm4::kOpcodeLimit> forms{};
  const auto pieces =
      sm4::detail::make_declaration_forms();  // g++ 12 does not read the table made from it here
  for (uint32_t i = 0; i < sm4::kOpcodeLimit; ++i) {
    const sm4::OpcodeInfo& info = sm4::kOpcodeTable[i];
    forms[i] = {sm4::is_opcode(i), info.has(sm4::kCallSite),
                info.has(sm4::kDeclaration) ? static_cast<uint8_t>(declared_operand_count(pieces[i]))
                                            : info.operand_count};
  }
  return forms;
}();

/// Files of registers, that is, of operands with indices.
constexpr uint64_t kRegisterFiles = [] {
  uint64_t files = (uint64_t{1} << sm4::kRegisterFileLimit) - 1;
  for (const RegisterFile literal : {RegisterFile::immediate32, RegisterFile::immediate64})
    files &= ~(uint64_t{1} << static_cast<uint32_t>(literal));
  return files;
}();

class Decoder {
 public:
  Decoder(std::span<const std::byte> code, uint32_t base, sm4::Program& program, Diagnostics& diagnostics)
      : code_(code.data()),
        dwords_(static_cast<uint32_t>(code.size() / 4)),
        base_(base),
        program_(program),
        diagnostics_(diagnostics) {}

  bool run() {
    if (!read_header()) return false;
    const uint32_t errors = diagnostics_.error_count();
    // An instruction has five to seven dwords on average, and an operand at least two, but for registers
    // without an index.
    program_.instructions.reserve(dwords_ / 4);
    program_.operands.reserve(dwords_ / 2);
    while (at_ < dwords_ && !diagnostics_.full()) {
      if (!decode_instruction()) break;
    }
    return diagnostics_.error_count() == errors && !diagnostics_.full();
  }

 private:
  uint32_t dword(uint32_t i) const {
    uint32_t value = 0;
    std::memcpy(&value, code_ + size_t{i} * 4, 4);
    return value;
  }
  SourceLocation location(uint32_t i) const { return SourceLocation::bytes(base_ + i * 4); }

  bool read_header() {
    if (dwords_ < 2) {
      diagnostics_.error(location(0), "the token stream has no version and length");
      return false;
    }
    const uint32_t version = dword(0);
    const uint32_t stage = tokens::kVersionStage.get(version);
    const uint32_t major = tokens::kVersionMajor.get(version);
    const uint32_t minor = tokens::kVersionMinor.get(version);
    if (stage > 5 || (major != 4 && major != 5) || minor > 1) {
      diagnostics_.error(location(0),
                         "unsupported program version 0x{:08x}: expected shader model 4.0, 4.1, 5.0 or 5.1",
                         version);
      return false;
    }
    program_.version = {static_cast<sm4::Stage>(stage), static_cast<uint8_t>(major),
                        static_cast<uint8_t>(minor)};
    program_.version_location = location(0);
    const uint32_t length = dword(1);
    if (length < 2 || length > dwords_) {
      diagnostics_.error(location(1),
                         "the token stream header gives a length of {} dwords, but the input has {}", length,
                         dwords_);
      return false;
    }
    dwords_ = length;
    at_ = 2;
    return true;
  }

  /// Returns false if the rest of the stream cannot be decoded.
  bool decode_instruction() {
    const uint32_t first = at_;
    const uint32_t token = dword(first);
    const uint32_t number = tokens::kOpcode.get(token);
    if (number == static_cast<uint32_t>(Opcode::custom_data)) return decode_custom_data();
    uint32_t length = tokens::kLength.get(token);
    const bool known = number < sm4::kOpcodeLimit && kOpcodeForms[number].is_known;
    if (known && length == 0 && (token & tokens::kExtended) != 0 &&
        has_long_form(static_cast<Opcode>(number)) && first + 1 < dwords_) {
      length = dword(first + 1);
    }
    if (length == 0 || length > dwords_ - first) {
      diagnostics_.error(location(first), "an instruction of {} dwords does not fit into the stream", length);
      return false;
    }
    at_ = first + 1;
    end_ = first + length;
    if (!known) {
      diagnostics_.error(location(first), "unknown opcode {}", number);
      at_ = first + length;
      return true;
    }
    static constexpr Instruction kBlankInstruction{};
    Instruction& instruction = *program_.instructions.extend(1);
    instruction = kBlankInstruction;
    instruction.opcode = static_cast<Opcode>(number);
    instruction.location = location(first);
    const size_t operand_mark = program_.operands.size();
    const size_t word_mark = program_.words.size();
    if (!decode_body(token, instruction)) {
      program_.instructions.pop_back();
      diagnostics_.note(location(first), "in {}, instruction or declaration number {} of the stream",
                        sm4::info(static_cast<Opcode>(number)).mnemonic,
                        ++refused_ + program_.instructions.size());
      program_.operands.resize(operand_mark);
      program_.words.resize(word_mark);
    }
    at_ = first + length;  // not the end of the operands: compilers leave extra dwords (samplepos)
    return true;
  }

  bool decode_custom_data() {
    const uint32_t first = at_;
    const uint32_t length = first + 1 < dwords_ ? dword(first + 1) : 0;
    const uint32_t kind = tokens::kCustomClass.get(dword(first));
    if (length < 2 || length > dwords_ - first) {
      diagnostics_.error(location(first), "custom data of {} dwords does not fit into the stream", length);
      return false;
    }
    at_ = first + length;
    if (kind > 0xffff) {
      diagnostics_.error(location(first), "unknown class {} of custom data", kind);
      return true;
    }
    Instruction instruction;
    instruction.opcode = Opcode::custom_data;
    instruction.controls = static_cast<uint16_t>(kind);
    instruction.location = location(first);
    instruction.first_operand = static_cast<uint32_t>(program_.operands.size());
    if (kind == sm4::kShaderMessage && decode_message(instruction, first + 2, first + length)) {
      program_.instructions.push_back(instruction);
      return true;
    }
    append_words(instruction, first + 2, first + length);
    if (kind == sm4::kShaderMessage && sm4::find_message(program_.words_of(instruction))) {
      // These words would stand for another message.
      diagnostics_.error(location(first), "the header of a shader message is wrong");
      return true;
    }
    program_.instructions.push_back(instruction);
    return true;
  }

  /// Id, format, length of the text, number of operands, their dwords, operands, text. Returns false, without
  /// a diagnostic, if the dwords from `from` on are anything else: they are kept as they are.
  bool decode_message(Instruction& instruction, uint32_t from, uint32_t to) {
    constexpr uint32_t kHead = 5;
    if (to - from <= kHead) return false;
    const uint32_t bytes = dword(from + 2), count = dword(from + 3), length = dword(from + 4);
    const uint32_t rest = to - from - kHead;
    if (bytes / 4 >= rest || length != rest - sm4::message_text_words(bytes) ||
        count > sm4::kMaxMessageOperands)
      return false;
    const size_t operand_mark = program_.operands.size();
    Diagnostics quiet(program_.memory());
    Decoder inner({code_, size_t{dwords_} * 4}, base_, program_, quiet);
    inner.at_ = from + kHead;
    inner.end_ = inner.at_ + length;
    Operand operands[sm4::kMaxMessageOperands];
    bool good = true;
    for (uint32_t i = 0; i < count && good; ++i) good = inner.decode_operand(operands[i], 0);
    instruction.first_word = static_cast<uint32_t>(program_.words.size());
    instruction.word_count = sm4::kMessageHead + sm4::message_text_words(bytes);
    for (uint32_t i = 0; i < sm4::kMessageHead; ++i) program_.words.push_back(dword(from + i));
    for (uint32_t i = to - sm4::message_text_words(bytes); i < to; ++i) program_.words.push_back(dword(i));
    if (!good || inner.at_ != inner.end_ || !sm4::find_message(program_.words_of(instruction))) {
      program_.operands.resize(operand_mark);
      program_.words.resize(instruction.first_word);
      return false;
    }
    instruction.first_operand = static_cast<uint32_t>(program_.operands.size());
    instruction.operand_count = static_cast<uint8_t>(count);
    program_.operands.append(operands, count);
    return true;
  }

  void append_words(Instruction& instruction, uint32_t from, uint32_t to) {
    instruction.first_word = static_cast<uint32_t>(program_.words.size());
    instruction.word_count = to - from;
    if (from == to) return;
    program_.words.resize(program_.words.size() + instruction.word_count);
    std::memcpy(program_.words.data() + instruction.first_word, code_ + size_t{from} * 4,
                size_t{instruction.word_count} * 4);
  }

  static constexpr Operand kBlank{};
  static constexpr Operand kPlainRegister = [] {
    Operand operand;
    operand.component_count = ComponentCount::four;
    operand.index_count = 1;
    return operand;
  }();

  bool decode_body(uint32_t token, Instruction& instruction) {
    instruction.controls = static_cast<uint16_t>(tokens::kControls.get(token));
    if ((token & tokens::kExtended) != 0 && !decode_extended(instruction)) return false;
    const uint32_t call_site = at_;
    const OpcodeForm& form = kOpcodeForms[static_cast<uint32_t>(instruction.opcode)];
    const bool has_call_site = form.has_call_site;
    if (has_call_site) ++at_;
    const uint32_t count = form.operands;
    if (!decode_operands(count)) return false;
    instruction.operand_count = static_cast<uint8_t>(count);
    instruction.first_operand = static_cast<uint32_t>(program_.operands.size()) - count;
    if (has_call_site) {
      append_words(instruction, call_site, call_site + 1);
    } else if (at_ != end_) {
      append_words(instruction, at_, end_);
    }
    return true;
  }

  /// Appends the operands of an instruction, each after the registers of its indices.
  bool decode_operands(uint32_t count) {
    Operand* const operands = program_.operands.extend(count);
    uint32_t done = 0;
    while (done < count) {
      done += decode_plain_registers(operands + done, count - done);
      if (done == count || has_register_index()) break;
      std::memcpy(static_cast<void*>(&operands[done]), &kBlank, sizeof(Operand));  // not field by field
      if (!decode_operand(operands[done++], 0)) return false;
    }
    if (done == count) return true;
    // The registers have to come first.
    std::memcpy(static_cast<void*>(operands_), operands, done * sizeof(Operand));
    program_.operands.shrink(count);
    for (; done < count; ++done) {
      operands_[done] = kBlank;
      if (!decode_operand(operands_[done], 0)) return false;
    }
    program_.operands.append(operands_, count);
    return true;
  }

  /// May some index of the operand that comes next be a register?
  bool has_register_index() const {
    using namespace tokens;
    constexpr uint32_t kRegister = kIndexForms[0].put(6) | kIndexForms[1].put(6) | kIndexForms[2].put(6);
    return at_ < end_ && (dword(at_) & kRegister) != 0;
  }

  bool decode_extended(Instruction& instruction) {
    if (has_long_form(instruction.opcode)) {
      if (at_ >= end_) {
        diagnostics_.error(instruction.location, "the length of {} is missing",
                           sm4::info(instruction.opcode).mnemonic);
        return false;
      }
      ++at_;  // the length, which is already known
      return true;
    }
    bool more = true;
    while (more) {
      if (at_ >= end_) {
        diagnostics_.error(instruction.location, "an extended opcode token is missing");
        return false;
      }
      const uint32_t token = dword(at_++);
      more = (token & tokens::kExtended) != 0;
      switch (tokens::kExtendedType.get(token)) {
        case tokens::kSampleControls:
          instruction.has_offset = true;
          for (uint32_t i = 0; i < 3; ++i) {
            const auto value = static_cast<int32_t>(tokens::kOffsets[i].get(token));
            instruction.offset[i] = static_cast<int8_t>(value >= 8 ? value - 16 : value);
          }
          break;
        case tokens::kResourceDimension:
          instruction.has_dimension = true;
          instruction.dimension = static_cast<sm4::ResourceDimension>(tokens::kDimension.get(token));
          instruction.stride = static_cast<uint16_t>(tokens::kStride.get(token));
          break;
        case tokens::kResourceReturnType:
          instruction.has_return_type = true;
          instruction.return_types = static_cast<uint16_t>(tokens::kReturnTypes.get(token));
          break;
        default:
          diagnostics_.error(location(at_ - 1), "unknown extended opcode token of type {}",
                             tokens::kExtendedType.get(token));
          return false;
      }
    }
    return true;
  }

  static constexpr uint32_t kAnyForm =
      tokens::kIndexForms[0].put(7) | tokens::kIndexForms[1].put(7) | tokens::kIndexForms[2].put(7);

  bool missing_dword() {
    diagnostics_.error(location(end_ - 1), "an operand runs past the end of its instruction");
    return false;
  }

  bool decode_operand(Operand& operand, uint32_t depth) {
    if (at_ >= end_) return missing_dword();
    const uint32_t token = dword(at_++);
    const uint32_t file = tokens::kFile.get(token);
    const uint32_t count = tokens::kComponentCount.get(token);
    if (file >= sm4::kRegisterFileLimit) {
      diagnostics_.error(location(at_ - 1), "unknown register file {}", file);
      return false;
    }
    operand.file = static_cast<RegisterFile>(file);
    operand.component_count = static_cast<ComponentCount>(count);
    if (count == 3) {
      diagnostics_.error(location(at_ - 1), "an operand has more than four components");
      return false;
    }
    if (count == static_cast<uint32_t>(ComponentCount::four) && !decode_components(token, operand))
      return false;
    if ((token & tokens::kExtended) != 0 && !decode_extended_operand(operand)) return false;
    if (operand.is_immediate()) return decode_immediates(operand);
    operand.index_count = static_cast<uint8_t>(tokens::kIndexDimension.get(token));
    if ((token & kAnyForm) == 0) {  // most indices are immediates of 32 bits
      if (operand.index_count > end_ - at_) return missing_dword();
      for (uint32_t i = 0; i < operand.index_count; ++i) operand.index[i].immediate = dword(at_++);
      return true;
    }
    for (uint32_t i = 0; i < operand.index_count; ++i) {
      if (!decode_index(tokens::kIndexForms[i].get(token), i, operand, depth)) return false;
    }
    return true;
  }

  /// Most operands are a register with four components, one index, and no modifiers. Decodes those that come
  /// next, at most `count`, and returns their number.
  uint32_t decode_plain_registers(Operand* operands, uint32_t count) {
    using namespace tokens;
    constexpr uint32_t kLongFile = kFile.put(0xc0);  // 64 and more
    constexpr uint32_t kAsked =
        kComponentCount.put(3) | kIndexDimension.put(3) | kIndexForms[0].put(7) | kExtended | kLongFile;
    constexpr uint32_t kPlain =
        kComponentCount.put(static_cast<uint32_t>(ComponentCount::four)) | kIndexDimension.put(1);
    // By selection; none: it is unknown.
    static constexpr uint8_t kComponents[4] = {(1 << kMask.width) - 1, (1 << kSwizzle.width) - 1,
                                               (1 << kSelect.width) - 1, 0};
    uint32_t at = at_, decoded = 0;
    for (; decoded < count && end_ - at >= 2; ++decoded, at += 2) {
      const uint32_t token = dword(at), file = kFile.get(token), selection = kSelection.get(token);
      const uint8_t components = kComponents[selection];
      if ((token & kAsked) != kPlain || (kRegisterFiles >> file & 1) == 0 || components == 0) break;
      Operand& operand = operands[decoded];
      std::memcpy(static_cast<void*>(&operand), &kPlainRegister, sizeof(Operand));
      operand.file = static_cast<RegisterFile>(file);
      operand.selection = static_cast<Selection>(selection);
      operand.components = static_cast<uint8_t>(token >> kMask.shift & components);
      operand.index[0].immediate = dword(at + 1);
    }
    at_ = at;
    return decoded;
  }

  bool decode_components(uint32_t token, Operand& operand) {
    operand.selection = static_cast<Selection>(tokens::kSelection.get(token));
    switch (operand.selection) {
      case Selection::mask: operand.components = static_cast<uint8_t>(tokens::kMask.get(token)); return true;
      case Selection::swizzle:
        operand.components = static_cast<uint8_t>(tokens::kSwizzle.get(token));
        return true;
      case Selection::select:
        operand.components = static_cast<uint8_t>(tokens::kSelect.get(token));
        return true;
    }
    diagnostics_.error(location(at_ - 1), "unknown component selection");
    return false;
  }

  bool decode_extended_operand(Operand& operand) {
    if (at_ >= end_) return missing_dword();
    const uint32_t token = dword(at_++);
    if (tokens::kExtendedType.get(token) != tokens::kOperandModifierType ||
        (token & tokens::kExtended) != 0) {
      diagnostics_.error(location(at_ - 1), "unknown extended operand token 0x{:08x}", token);
      return false;
    }
    const uint32_t modifier = tokens::kModifier.get(token);
    const uint32_t precision = tokens::kMinPrecision.get(token);
    if (modifier > 3 || precision == 3 || precision > 5) {
      diagnostics_.error(location(at_ - 1), "unknown operand modifier 0x{:08x}", token);
      return false;
    }
    operand.modifier = static_cast<sm4::OperandModifier>(modifier);
    operand.min_precision = static_cast<sm4::MinPrecision>(precision);
    operand.non_uniform = static_cast<uint8_t>(tokens::kNonUniform.get(token)) & 1;
    return true;
  }

  bool decode_immediates(Operand& operand) {
    operand.immediate = {};
    const uint32_t scalar = operand.file == RegisterFile::immediate64 ? 2 : 1;
    const uint32_t count = operand.component_count == ComponentCount::four  ? 4
                           : operand.component_count == ComponentCount::one ? scalar
                                                                            : 0;
    if (count > end_ - at_) return missing_dword();
    std::memcpy(operand.immediate.data(), code_ + size_t{at_} * 4, size_t{count} * 4);
    at_ += count;
    return true;
  }

  bool decode_index(uint32_t form, uint32_t i, Operand& operand, uint32_t depth) {
    if (form > tokens::kImmediate64PlusRelative) {
      diagnostics_.error(location(at_ - 1), "unknown representation {} of a register index", form);
      return false;
    }
    sm4::OperandIndex index;
    if (form == tokens::kImmediate64 || form == tokens::kImmediate64PlusRelative) {
      if (end_ - at_ < 2) return missing_dword();
      if (dword(at_) != 0) {
        diagnostics_.error(location(at_), "a register index that does not fit into 32 bits");
        return false;
      }
      index.immediate = dword(at_ + 1);
      at_ += 2;
      operand.set_index_form(i, sm4::IndexForm::wide);
    } else if (form != tokens::kRelative) {
      if (at_ >= end_) return missing_dword();
      index.immediate = dword(at_++);
    }
    if (form >= tokens::kRelative) {
      if (form == tokens::kRelative) operand.set_index_form(i, sm4::IndexForm::relative_only);
      if (depth == kMaxIndexDepth) {
        diagnostics_.error(location(at_ - 1), "register indices are nested too deeply");
        return false;
      }
      Operand relative;
      if (!decode_operand(relative, depth + 1)) return false;
      if (relative.is_immediate()) {
        diagnostics_.error(location(at_ - 1), "a literal cannot be the register of an index");
        return false;
      }
      index.relative = static_cast<uint32_t>(program_.operands.size());
      program_.operands.push_back(relative);
    }
    operand.index[i] = index;
    return true;
  }

  const std::byte* code_;
  uint32_t dwords_;
  uint32_t base_;
  sm4::Program& program_;
  Diagnostics& diagnostics_;
  Operand operands_[sm4::kMaxOperands];  // operands of the instruction being decoded
  uint32_t at_ = 0;
  uint32_t end_ = 0;      // end of the instruction
  uint32_t refused_ = 0;  // number of instructions that could not be decoded
};

}  // namespace

bool decode_tokens(std::span<const std::byte> code, uint32_t base, sm4::Program& program,
                   Diagnostics& diagnostics) {
  return Decoder(code, base, program, diagnostics).run();
}

bool is_token_stream(std::span<const std::byte> bytes) {
  if (bytes.size() < 8) return false;
  uint32_t header[2];
  std::memcpy(header, bytes.data(), sizeof header);
  const uint32_t major = tokens::kVersionMajor.get(header[0]);
  return tokens::kVersionStage.get(header[0]) <= 5 && (header[0] & 0xff00) == 0 &&
         (major == 4 || major == 5) && tokens::kVersionMinor.get(header[0]) <= 1 && header[1] >= 2;
}

}  // namespace texlate::dxbc
