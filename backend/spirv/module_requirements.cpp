#include "backend/spirv/module_requirements.h"

#include <cstring>
#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/grammar.h"

namespace texlate::spirv {

void list_requirements(std::span<const uint32_t> words, HostInterface& host) {
  constexpr size_t kHeaderWords = 5;
  // Both are at the beginning (SPIR-V 2.4 "Logical Layout of a Module").
  for (size_t at = kHeaderWords; at < words.size(); at += words[at] >> spv::WordCountShift) {
    const uint32_t opcode = words[at] & spv::OpCodeMask;
    if (opcode == spv::OpCapability) {
      host.capabilities.push_back(grammar::capability_name(words[at + 1]));
    } else if (opcode == spv::OpExtension) {
      host.extensions.emplace_back(reinterpret_cast<const char*>(&words[at + 1]));
    } else {
      return;
    }
  }
}

}  // namespace texlate::spirv
