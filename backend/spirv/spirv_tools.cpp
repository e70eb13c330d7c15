#include "backend/spirv/spirv_tools.h"

#include <spirv-tools/libspirv.hpp>

namespace texlate::spirv {

bool validate(std::span<const uint32_t> words, std::string& message) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position, const char* text) {
    if (!message.empty()) message += '\n';
    message += std::to_string(position.index) + ": " + text;
  });
  return tools.Validate(words.data(), words.size());
}

std::string disassemble(std::span<const uint32_t> words) {
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1);
  std::string text;
  tools.Disassemble(words.data(), words.size(), &text,
                    SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES);
  return text;
}

}  // namespace texlate::spirv
