// Messages to Direct3D's debug layer: HLSL's printf() and errorf(). They are custom data of class
// kShaderMessage, whose operands are those of an Instruction and whose words are
//
//   message id, format, length of the text in bytes, the text with a final zero byte, padded with zeros
//
// (d3d12TokenizedProgramFormat.hpp, D3D11_SB_SHADER_MESSAGE_*; the counts of the token stream follow from
// these).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

inline constexpr uint32_t kMessageHead = 3;  // words before the text
inline constexpr uint32_t kMaxMessageOperands = 32;

struct ShaderMessage {
  bool is_error = false;  // errorf
  bool formats = false;   // the text contains conversions for the operands, as in C
};

/// The number of words of a text with this many bytes.
constexpr uint32_t message_text_words(uint32_t bytes) {
  return bytes / 4 + 1;
}

/// Absent if the words are not those of a message.
std::optional<ShaderMessage> find_message(std::span<const uint32_t> words);
/// The text of a message.
void append_message_text(std::span<const uint32_t> words, std::pmr::string& out);
/// Appends the words of a message to the program's.
void add_message_words(const ShaderMessage& message, std::string_view text, Program& program);

}  // namespace texlate::sm4
