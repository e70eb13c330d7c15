#include "frontend/asm/parser.h"

#include <cstring>

#include "frontend/asm/line_parser.h"
#include "frontend/asm/signature_parser.h"
#include "frontend/sm4/declaration.h"

namespace texlate::assembly {

namespace {

/// A line without the blanks around it.
std::string_view trimmed_line(Cursor& cursor) {
  cursor.skip_blanks();
  const char* end = cursor.end;
  while (end > cursor.at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\0')) --end;
  return {cursor.at, static_cast<size_t>(end - cursor.at)};
}

/// `ps_5_0`, alone on its line except for a comment. Any `xx_n_n` is a profile; `supported` is set if it is
/// one of the supported ones.
bool is_profile_line(std::string_view line, sm4::ProgramVersion& version, bool& supported) {
  constexpr size_t kLength = 6;
  if (line.size() < kLength || line[2] != '_' || line[4] != '_') return false;
  const std::string_view rest = line.substr(kLength);
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t' && rest[0] != ';' && rest[0] != '/') return false;
  const size_t comment = rest.find_first_not_of(" \t;");
  if (comment != std::string_view::npos && !rest.substr(comment).starts_with("//")) return false;
  const auto stage = sm4::find_keyword(sm4::kStageNames, line.substr(0, 2));
  const char major = line[3];
  const char minor = line[5];
  if (!stage || major < '1' || major > '9' || minor < '0' || minor > '9') return false;
  version = {static_cast<sm4::Stage>(*stage), static_cast<uint8_t>(major - '0'),
             static_cast<uint8_t>(minor - '0')};
  supported = (major == '4' || major == '5') && minor <= '1';
  return true;
}

constexpr std::string_view kOpensComment = "/*";
constexpr std::string_view kClosesComment = "*/";

/// True if the text after the line is in a C comment.
bool leaves_comment_open(std::string_view line, bool was_open) {
  if (line.find('*') == std::string_view::npos) return was_open;
  const size_t closed = line.rfind(kClosesComment);
  const size_t opened = line.rfind(kOpensComment);
  if (opened == std::string_view::npos || (!was_open && line.starts_with("//")))
    return was_open && closed == std::string_view::npos;
  return closed == std::string_view::npos || closed < opened;
}

/// Marks the end of a listing that is embedded in other text.
bool ends_listing(std::string_view line) {
  return line.starts_with("```") || line.starts_with("#endif") ||
         line.find(kClosesComment) != std::string_view::npos;
}

constexpr std::string_view kOpaqueData = "undecipherable custom data";

/// Custom data of a class that the disassembler cannot print. 3Dmigoto, and the exact form, add the dwords.
bool is_opaque_data(std::string_view line) {
  return line.starts_with(kOpaqueData) &&
         (line.size() == kOpaqueData.size() || line[kOpaqueData.size()] == ' ');
}

class Parser {
 public:
  Parser(std::string_view text, sm4::Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), lines_(cursor_, program) {
    cursor_.diagnostics = &diagnostics;
    cursor_.at = cursor_.end = cursor_.line_begin = text.data();
    cursor_.text_end = text.data() + text.size();
  }

  bool parse() {
    if (!find_profile()) return false;
    const uint32_t errors = diagnostics_.error_count();
    while (!ended_ && !diagnostics_.full() && next_line()) parse_line();
    if (diagnostics_.error_count() != errors || diagnostics_.full()) return false;
    if (program_.instructions.empty()) {
      diagnostics_.error(profile_location_, "the listing ends after its profile line");
      return false;
    }
    return true;
  }

 private:
  bool next_line() {
    if (!started_) {
      started_ = true;
      const char* begin = cursor_.at;
      const auto size = static_cast<size_t>(cursor_.text_end - begin);
      const void* newline = size != 0 ? std::memchr(begin, '\n', size) : nullptr;
      cursor_.end = newline != nullptr ? static_cast<const char*>(newline) : cursor_.text_end;
      cursor_.line = 1;
      return size != 0;
    }
    return cursor_.next_line();
  }

  // Skips to the profile line and collects signatures on the way. A level-9 listing (`ps_2_0`) may precede
  // it.
  bool find_profile() {
    SignatureParser signatures(program_);
    bool foreign = false;
    while (next_line()) {
      const std::string_view line = trimmed_line(cursor_);
      in_comment_ = leaves_comment_open(line, in_comment_);
      if (line.starts_with("//")) {
        signatures.feed(line.substr(2));
        continue;
      }
      signatures.end_table();
      sm4::ProgramVersion version;
      bool supported = false;
      if (!is_profile_line(line, version, supported)) continue;
      profile_location_ =
          SourceLocation::text(cursor_.line, static_cast<uint32_t>(cursor_.at - cursor_.line_begin) + 1, 6);
      if (supported) {
        program_.version = version;
        program_.version_location = profile_location_;
        signatures.set_stage(version.stage);
        reserve();
        return true;
      }
      foreign = true;
    }
    if (foreign) {
      diagnostics_.error(profile_location_,
                         "this shader model is not supported: expected 4.0, 4.1, 5.0 or 5.1");
    } else {
      diagnostics_.error(SourceLocation::text(1, 1),
                         "no shader listing found: expected a profile line such as 'ps_5_0'");
    }
    return false;
  }

  /// Makes one allocation sufficient for most listings: a line has some 40 characters and three operands.
  void reserve() {
    const auto size = static_cast<size_t>(cursor_.text_end - cursor_.end);
    program_.instructions.reserve(size / 40 + 16);
    program_.operands.reserve(size / 13 + 32);
  }

  void parse_line() {
    cursor_.skip_blanks();
    if (cursor_.at_end()) return;
    const char c = cursor_.peek();
    if (c == '/' || c == '#' || c == '`' || c == '*' || c == '~' || c == '\0') {
      if (skip_line(trimmed_line(cursor_))) return;
    }
    skip_line_number();
    if (c == 'u' && is_opaque_data(trimmed_line(cursor_))) return add_opaque_data(trimmed_line(cursor_));
    if ((cursor_.peek() == 'p' || cursor_.peek() == 'e') && lines_.parse_message()) return;
    lines_.parse();
  }

  /// Handles lines that are not instructions. Returns true if the line was one of them.
  bool skip_line(std::string_view line) {
    if (line.empty()) return true;
    if (line.starts_with("//")) {
      constexpr std::string_view kClosing = "// approximately ";
      if (line.size() > kClosing.size() &&
          sm4::equal_ignoring_case(line.substr(0, kClosing.size()), kClosing)) {
        const char* at = line.data() + kClosing.size();
        uint32_t slots = 0;
        if (read_literal(at, cursor_.end, slots) == LiteralError::none) program_.instruction_slots = slots;
        ended_ = true;
      }
      if (in_comment_ && ends_listing(line)) ended_ = true;
      return true;
    }
    if (ends_listing(line)) {
      ended_ = true;
      return true;
    }
    if (line.starts_with("#line") || line.starts_with("#if")) return true;
    return false;
  }

  void add_opaque_data(std::string_view line) {
    sm4::Instruction instruction;
    instruction.opcode = sm4::Opcode::custom_data;
    instruction.controls = sm4::kOpaqueCustomData;
    instruction.first_operand = static_cast<uint32_t>(program_.operands.size());
    instruction.first_word = static_cast<uint32_t>(program_.words.size());
    instruction.location = SourceLocation::text(cursor_.line, 1);
    read_opaque_words(line.substr(kOpaqueData.size()), instruction);
    program_.instructions.push_back(instruction);
  }

  /// The token, the number of dwords, and the others. If these are not the dwords of custom data, they are
  /// ignored.
  void read_opaque_words(std::string_view text, sm4::Instruction& instruction) {
    constexpr uint32_t kOpcodeBits = 0x7ff, kClassShift = 11, kMaxClass = 0xffff;
    const size_t first = program_.words.size();
    const char* at = text.data();
    const char* const end = at + text.size();
    uint32_t head[2] = {};
    uint32_t count = 0;
    for (; at != end; ++count) {
      while (at != end && *at == ' ') ++at;
      uint32_t word = 0;
      if (at == end || read_literal(at, end, word) != LiteralError::none) break;
      if (count < 2) {
        head[count] = word;
      } else {
        program_.words.push_back(word);
      }
    }
    const bool is_custom = (head[0] & kOpcodeBits) == static_cast<uint32_t>(sm4::Opcode::custom_data) &&
                           head[0] >> kClassShift <= kMaxClass;
    if (!is_custom || at != end || head[1] != count) return program_.words.resize(first);
    instruction.controls = static_cast<uint16_t>(head[0] >> kClassShift);
    instruction.word_count = count - 2;
  }

  /// `  12: add ...`, as disassemblers of debuggers print it.
  void skip_line_number() {
    const char* before = cursor_.at;
    while (cursor_.peek() >= '0' && cursor_.peek() <= '9') ++cursor_.at;
    if (cursor_.at == before || cursor_.peek() != ':') {
      cursor_.at = before;
      return;
    }
    ++cursor_.at;
    cursor_.skip_blanks();
  }

  sm4::Program& program_;
  Diagnostics& diagnostics_;
  Cursor cursor_;
  LineParser lines_;
  SourceLocation profile_location_;
  bool started_ = false;
  bool in_comment_ = false;  // the listing is in a C comment
  bool ended_ = false;
};

}  // namespace

bool parse(std::string_view text, sm4::Program& program, Diagnostics& diagnostics) {
  return Parser(without_byte_order_mark(text), program, diagnostics).parse();
}

}  // namespace texlate::assembly
