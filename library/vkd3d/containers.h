// DXBC containers as vkd3d-shader reads and writes them: the same checks in the same order, with the same
// status. A container that passes is read again by texlate, which checks what is inside.
#pragma once

#include <span>
#include <vector>

#include "library/vkd3d/messages.h"

namespace texlate::vkd3d {

constexpr uint32_t tag(const char (&name)[5]) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < 4; ++i) value |= static_cast<uint32_t>(static_cast<uint8_t>(name[i])) << 8 * i;
  return value;
}

inline constexpr size_t kContainerSizeAt = 24;

/// A container that was read. The sections point into the client's memory.
struct Container {
  uint32_t checksum[4] = {};
  uint32_t version = 0;
  uint32_t size = 0;  // as the header says, which nothing checks
  std::vector<DxbcSection> sections;

  /// The first section with this tag; null if there is none.
  const DxbcSection* find(uint32_t wanted) const;
};

enum class Digest : uint8_t { check, skip };

/// kOk, or kInvalidArgument and a message.
int read_container(const Code& code, Digest digest, Container& container, Messages& messages);

/// The container in the client's structure, with an array of sections in the client's memory.
int describe_container(const Container& container, DxbcDescription& description);

/// kInvalidArgument if the container has no shader of shader models 4 and 5 (chunk SHDR or SHEX), or one
/// whose length is not that of the chunk.
int check_shader_chunk(const Container& container, Messages& messages);

/// Copies the sections into a container in the client's memory. Each chunk begins at a multiple of 4, and the
/// container ends with the last one's data, as in vkd3d-shader.
int write_container(std::span<const DxbcSection> sections, Code& out);

}  // namespace texlate::vkd3d
