// What a kernel relies on (docs/known_state.md), as words of the parameter block that a host fills in itself.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace texlate::executor {

struct PromisedWord {
  enum class Kind : uint8_t { equal, at_least, handle, no_handle };
  Kind kind = Kind::equal;
  uint32_t offset = 0;  // in the block; of handles: of 8 bytes
  uint32_t value = 0;
  std::string what;  // "t0: width"
};

/// Of the reflection of a kernel whose block is its parameter. Facts that are not in the block, such as the
/// contents of constant buffers, are left out.
std::vector<PromisedWord> promised_words(const nlohmann::json& reflection);

}  // namespace texlate::executor
