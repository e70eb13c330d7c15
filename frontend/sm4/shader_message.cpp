#include "frontend/sm4/shader_message.h"

namespace texlate::sm4 {

namespace {

constexpr uint32_t kMessageId = 0x00200102;  // D3D11_SB_SHADER_MESSAGE_ID_MESSAGE
constexpr uint32_t kErrorId = 0x00200103;    // D3D11_SB_SHADER_MESSAGE_ID_ERROR
constexpr uint32_t kPrintfFormat = 1;        // D3D11_SB_SHADER_MESSAGE_FORMAT_ANSI_PRINTF; 0: text

char byte_at(std::span<const uint32_t> words, uint32_t i) {
  return static_cast<char>(words[kMessageHead + i / 4] >> (8 * (i % 4)));
}

}  // namespace

std::optional<ShaderMessage> find_message(std::span<const uint32_t> words) {
  if (words.size() <= kMessageHead) return {};
  const uint32_t bytes = words[2];
  const bool known = (words[0] == kMessageId || words[0] == kErrorId) && words[1] <= kPrintfFormat;
  if (!known || bytes / 4 >= words.size() || words.size() != kMessageHead + message_text_words(bytes))
    return {};
  // Text cannot show what follows a zero byte.
  for (uint32_t i = 0; i < message_text_words(bytes) * 4; ++i) {
    if ((byte_at(words, i) == '\0') != (i >= bytes)) return {};
  }
  return ShaderMessage{words[0] == kErrorId, words[1] == kPrintfFormat};
}

void append_message_text(std::span<const uint32_t> words, std::pmr::string& out) {
  for (uint32_t i = 0; i < words[2]; ++i) out += byte_at(words, i);
}

void add_message_words(const ShaderMessage& message, std::string_view text, Program& program) {
  const auto bytes = static_cast<uint32_t>(text.size());
  program.words.push_back(message.is_error ? kErrorId : kMessageId);
  program.words.push_back(message.formats ? kPrintfFormat : 0);
  program.words.push_back(bytes);
  const size_t first = program.words.size();
  program.words.resize(first + message_text_words(bytes));
  for (uint32_t i = 0; i < bytes; ++i)
    program.words[first + i / 4] |= uint32_t{static_cast<unsigned char>(text[i])} << (8 * (i % 4));
}

}  // namespace texlate::sm4
