#include "frontend/asm/line_parser.h"

namespace texlate::assembly {

using sm4::Instruction;
using sm4::OpcodeInfo;

namespace {

/// A suffix of a mnemonic and the trait that allows it.
struct Suffix {
  std::string_view name;
  uint32_t trait;
  void (*apply)(Instruction&);
};

constexpr Suffix kSuffixes[] = {
    {"sat", sm4::kSaturate, [](Instruction& i) { i.controls |= sm4::controls::kSaturate; }},
    {"nz", sm4::kTest, [](Instruction& i) { i.controls |= sm4::controls::kTestNonzero; }},
    {"z", sm4::kTest, [](Instruction&) {}},
    {"aoffimmi", sm4::kOffset, [](Instruction& i) { i.has_offset = true; }},
    {"indexable", sm4::kTexture, [](Instruction&) {}},
    {"uint", sm4::kResinfoReturn,
     [](Instruction& i) { i.controls |= static_cast<uint16_t>(sm4::ResinfoReturn::uint); }},
    {"rcpfloat", sm4::kResinfoReturn,
     [](Instruction& i) { i.controls |= static_cast<uint16_t>(sm4::ResinfoReturn::rcp_float); }},
    {"uint", sm4::kSampleinfoReturn, [](Instruction& i) { i.controls |= 1; }},
};

/// Mnemonic plus "_s" or "_cl_s": `ld_indexable_s` names ld_s.
const OpcodeInfo* find_feedback_variant(std::string_view mnemonic, std::string_view suffix) {
  char name[40];
  if (mnemonic.size() + suffix.size() + 1 > sizeof name) return nullptr;
  size_t n = mnemonic.copy(name, mnemonic.size());
  name[n++] = '_';
  n += suffix.copy(name + n, suffix.size());
  return sm4::find_mnemonic({name, n});
}

}  // namespace

bool LineParser::parse() {
  const size_t operand_count = program_.operands.size();
  const size_t word_count = program_.words.size();
  const bool good = parse_line();
  if (!good) {
    program_.operands.resize(operand_count);
    program_.operand_places.resize(operand_count);
    program_.words.resize(word_count);
  }
  return good;
}

bool LineParser::parse_line() {
  cursor_.skip_blanks();
  Instruction instruction;
  instruction.first_word = static_cast<uint32_t>(program_.words.size());
  std::string_view declared_suffix;
  if (!parse_mnemonic(instruction, declared_suffix)) return false;
  instruction.location = SourceLocation::text(cursor_.line, cursor_.column(mnemonic_.data()),
                                              static_cast<uint32_t>(cursor_.at - mnemonic_.data()));
  const bool declares = sm4::info(instruction.opcode).has(sm4::kDeclaration);
  const bool good = declares ? declaration_parser_.parse(instruction, mnemonic_, declared_suffix)
                             : parse_instruction(instruction);
  if (!good || !finish_line()) return false;
  if (declares) places_[0] = {};  // only those of instructions are kept
  instruction.first_operand = static_cast<uint32_t>(program_.operands.size());
  program_.operands.append(declares ? &declaration_parser_.operand() : operands_, instruction.operand_count);
  program_.operand_places.append(places_, instruction.operand_count);
  instruction.word_count = static_cast<uint32_t>(program_.words.size()) - instruction.first_word;
  program_.instructions.push_back(instruction);
  return true;
}

bool LineParser::parse_mnemonic(Instruction& instruction, std::string_view& declared_suffix) {
  mnemonic_ = cursor_.word();
  if (mnemonic_.empty()) {
    if (!cursor_.at_end()) ++cursor_.at;
    return cursor_.error(mnemonic_.data(), "expected an instruction or a declaration");
  }
  // The longest prefix that is a mnemonic. The rest are suffixes.
  std::string_view base = mnemonic_;
  const OpcodeInfo* info = sm4::find_mnemonic(base);
  while (info == nullptr) {
    size_t cut = base.rfind('_');
    if (cut == std::string_view::npos || cut == 0) {
      return cursor_.error(mnemonic_.data(), "unknown instruction '{}'", mnemonic_);
    }
    base = base.substr(0, cut);
    info = sm4::find_mnemonic(base);
  }
  instruction.opcode = info->opcode;
  if (base.size() == mnemonic_.size()) return true;
  std::string_view suffixes = mnemonic_.substr(base.size() + 1);
  if (info->has(sm4::kDeclaration)) {
    declared_suffix = suffixes;
    return true;
  }
  return parse_suffixes(instruction, suffixes, mnemonic_.data() + base.size() + 1);
}

bool LineParser::parse_suffixes(Instruction& instruction, std::string_view suffixes, const char* from) {
  while (!suffixes.empty()) {
    const size_t cut = suffixes.find('_');
    const std::string_view suffix = suffixes.substr(0, cut);
    if (!parse_suffix(instruction, suffix, from)) return false;
    if (cut == std::string_view::npos) break;
    from += cut + 1;
    suffixes.remove_prefix(cut + 1);
  }
  return true;
}

bool LineParser::parse_suffix(Instruction& instruction, std::string_view suffix, const char* from) {
  const OpcodeInfo& info = sm4::info(instruction.opcode);
  if (info.has(sm4::kSync)) {
    if (auto flag = sm4::find_keyword(sm4::kSyncFlagNames, suffix)) {
      instruction.controls |= static_cast<uint16_t>(*flag);
      return true;
    }
  }
  bool known = false;
  for (const Suffix& candidate : kSuffixes) {
    if (!sm4::equal_ignoring_case(candidate.name, suffix)) continue;
    known = true;
    if ((info.traits & candidate.trait) == 0) continue;
    candidate.apply(instruction);
    return true;
  }
  const bool has_feedback = sm4::equal_ignoring_case(suffix, "s");
  if (has_feedback || sm4::equal_ignoring_case(suffix, "cl")) {
    if (const OpcodeInfo* variant = find_feedback_variant(info.mnemonic, has_feedback ? "s" : "cl_s")) {
      instruction.opcode = variant->opcode;
      return true;
    }
    if (has_feedback && info.has(sm4::kFeedback)) return true;  // `sample_cl_indexable_s`
  }
  if (known) return cursor_.error(from, "{} does not allow '_{}'", info.mnemonic, suffix);
  return cursor_.error(mnemonic_.data(), "unknown instruction '{}'", mnemonic_);
}

// `[precise(xy)]`, `(u,v,w)`, `(texture2d)`, `(float,float,float,float)`, in any order, then `_uint`.
bool LineParser::parse_groups(Instruction& instruction) {
  const bool offset_announced = instruction.has_offset;
  instruction.has_offset = false;
  const char* from = cursor_.at;
  for (;;) {
    const char* before = cursor_.at;
    cursor_.skip_blanks();
    if (cursor_.peek() == '(') {
      if (!parse_group(instruction)) return false;
    } else if (cursor_.peek() == '[') {
      if (!parse_precise(instruction)) return false;
    } else {
      cursor_.at = before;
      break;
    }
  }
  if (offset_announced && !instruction.has_offset) {
    return cursor_.error(from, "expected '(u,v,w)' after '{}'", mnemonic_);
  }
  if (cursor_.peek() == '_') {
    const char* suffix = ++cursor_.at;
    return parse_suffixes(instruction, cursor_.word(), suffix);
  }
  return true;
}

bool LineParser::parse_group(Instruction& instruction) {
  const OpcodeInfo& info = sm4::info(instruction.opcode);
  const char* from = cursor_.at;
  ++cursor_.at;
  cursor_.skip_blanks();
  const char c = cursor_.peek();
  if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
    if (!info.has(sm4::kOffset)) {
      while (!cursor_.at_end() && cursor_.peek() != ')') ++cursor_.at;
      return cursor_.error(from, "{} does not allow an immediate offset", info.mnemonic);
    }
    return parse_offset(instruction);
  }
  if (!info.has(sm4::kTexture))
    return cursor_.error(from, "{} does not allow a resource dimension", info.mnemonic);
  const char* name_begin = cursor_.at;
  const std::string_view name = cursor_.word();
  if (auto dimension = sm4::find_keyword(sm4::kDimensionNames, name)) {
    instruction.has_dimension = true;
    instruction.dimension = static_cast<sm4::ResourceDimension>(*dimension);
    cursor_.skip_blanks();
    if (cursor_.take(',')) {  // structured_buffer, stride=48
      cursor_.skip_blanks();
      if (!sm4::equal_ignoring_case(cursor_.word(), "stride") || !cursor_.take('='))
        return cursor_.error(name_begin, "expected 'stride=' after the dimension");
      uint32_t stride = 0;
      if (!cursor_.parse_number("the stride", stride)) return false;
      if (stride > 0xffff) return cursor_.error(name_begin, "stride {} is too large", stride);
      instruction.stride = static_cast<uint16_t>(stride);
    } else if (cursor_.take('(')) {  // vkd3d prints the sample count of texture2dms
      uint32_t samples = 0;
      if (!cursor_.parse_number("the sample count", samples) ||
          !cursor_.expect(')', "after the sample count"))
        return false;
    }
    return cursor_.expect(')', "after the resource dimension");
  }
  cursor_.at = name_begin;
  uint32_t packed = 0;
  if (!parse_return_types(cursor_, packed)) return false;
  instruction.has_return_type = true;
  instruction.return_types = static_cast<uint16_t>(packed);
  return true;
}

bool LineParser::parse_offset(Instruction& instruction) {
  instruction.has_offset = true;
  for (uint32_t i = 0; i < 3; ++i) {
    cursor_.skip_blanks();
    const char* from = cursor_.at;
    uint32_t bits = 0;
    if (LiteralError status = read_literal(cursor_.at, cursor_.end, bits); status != LiteralError::none) {
      return cursor_.report(status, from);
    }
    const auto value = static_cast<int32_t>(bits);
    if (value < -8 || value > 7) return cursor_.error(from, "offset {} is outside -8..7", value);
    instruction.offset[i] = static_cast<int8_t>(value);
    if (i != 2 && !cursor_.expect(',', "between the three offsets (u,v,w)")) return false;
  }
  return cursor_.expect(')', "after the three offsets (u,v,w)");
}

bool LineParser::parse_precise(Instruction& instruction) {
  const char* from = cursor_.at;
  ++cursor_.at;
  if (!sm4::equal_ignoring_case(cursor_.word(), "precise"))
    return cursor_.error(from, "expected '[precise]'");
  uint32_t mask = 0xf;
  if (cursor_.take('(')) {
    mask = 0;
    for (; !cursor_.at_end() && cursor_.peek() != ')'; ++cursor_.at) {
      const size_t component = std::string_view("xyzw").find(cursor_.peek());
      if (component == std::string_view::npos)
        return cursor_.error(from, "expected components of xyzw in '[precise(...)]'");
      mask |= 1u << component;
    }
    if (!cursor_.expect(')', "after the components")) return false;
  }
  instruction.controls |= static_cast<uint16_t>(mask << sm4::controls::kPreciseShift);
  return cursor_.expect(']', "after 'precise'");
}

bool LineParser::parse_instruction(Instruction& instruction) {
  if (!parse_groups(instruction)) return false;
  const OpcodeInfo& info = sm4::info(instruction.opcode);
  if (info.has(sm4::kTest) && !mnemonic_.ends_with('z') && !mnemonic_.ends_with('Z')) {
    return cursor_.error(mnemonic_.data(), "expected '{0}_z' or '{0}_nz'", info.mnemonic);
  }
  if (info.has(sm4::kCallSite)) program_.words.push_back(0);
  for (uint32_t i = 0; i < info.operand_count; ++i) {
    if (cursor_.at_line_end()) {
      return cursor_.error(mnemonic_.data(), "{} takes {} operand{}, found {}", info.mnemonic,
                           uint32_t{info.operand_count}, info.operand_count == 1 ? "" : "s", i);
    }
    if (i != 0) {
      const char* from = cursor_.at;
      if (!cursor_.take(',')) return cursor_.error(from, "expected ',' after operand {}", i);
      cursor_.skip_blanks();
    }
    if (!operand_parser_.parse(info.shapes[i], operands_[i], places_[i])) return false;
  }
  instruction.operand_count = info.operand_count;
  cursor_.skip_blanks();
  if (cursor_.peek() == ',' || (info.operand_count == 0 && is_word_character(cursor_.peek()))) {
    return cursor_.error(mnemonic_.data(), "{} takes {} operand{}, found more", info.mnemonic,
                         uint32_t{info.operand_count}, info.operand_count == 1 ? "" : "s");
  }
  // fxc leaves a zero dword after the operands of these.
  const bool is_padded = info.has(sm4::kLodClamp) || (instruction.opcode == sm4::Opcode::samplepos &&
                                                      operands_[1].file == sm4::RegisterFile::resource);
  if (is_padded) program_.words.push_back(0);
  if (info.has(sm4::kCallSite)) {
    // fp#[array][call site]: the call site is a separate dword (docs/reference/direct3d.md 4.2)
    program_.words.back() = operands_[0].index_count == 3 ? operands_[0].index[2].immediate : 0;
    if (operands_[0].index_count == 3) operands_[0].index_count = 2;
  }
  return true;
}

bool LineParser::finish_line() {
  if (cursor_.take(';')) cursor_.skip_blanks();
  if (cursor_.at_line_end()) return true;
  const char* from = cursor_.at;
  cursor_.at = cursor_.end;
  return cursor_.error(from, "unexpected text after '{}'", mnemonic_);
}

}  // namespace texlate::assembly
