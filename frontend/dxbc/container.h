// The DXBC container: a digest, then chunks (docs/reference/direct3d.md 5.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/dxbc/digest.h"
#include "ir/base/buffer.h"
#include "ir/base/diagnostics.h"

namespace texlate::dxbc {

/// Four characters as a dword, first character lowest.
constexpr uint32_t fourcc(std::string_view name) {
  return static_cast<uint32_t>(static_cast<uint8_t>(name[0])) |
         static_cast<uint32_t>(static_cast<uint8_t>(name[1])) << 8 |
         static_cast<uint32_t>(static_cast<uint8_t>(name[2])) << 16 |
         static_cast<uint32_t>(static_cast<uint8_t>(name[3])) << 24;
}

inline constexpr uint32_t kContainerTag = fourcc("DXBC");
inline constexpr uint32_t kCodeTag4 = fourcc("SHDR");
inline constexpr uint32_t kCodeTag5 = fourcc("SHEX");
inline constexpr uint32_t kStatisticsTag = fourcc("STAT");
inline constexpr uint32_t kResourceTag = fourcc("RDEF");
inline constexpr uint32_t kFeatureTag = fourcc("SFI0");
inline constexpr uint32_t kLevel9Tag = fourcc("Aon9");

/// The position of a chunk in Container::bytes.
struct Chunk {
  uint32_t tag = 0;
  uint32_t offset = 0;  // of the data, after the chunk's header
  uint32_t size = 0;    // of the data, in bytes
};

struct Container {
  explicit Container(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : bytes(memory), chunks(memory) {}

  Buffer<std::byte> bytes;         // the whole input
  std::pmr::vector<Chunk> chunks;  // in the order of the offset table
  bool digest_matches = false;     // false also if it was not checked
  bool bare = false;               // the input was a token stream without a container; there are no chunks

  std::span<const std::byte> data(const Chunk& chunk) const {
    return {bytes.data() + chunk.offset, chunk.size};
  }
  const Chunk* find(uint32_t tag) const {
    for (const Chunk& chunk : chunks) {
      if (chunk.tag == tag) return &chunk;
    }
    return nullptr;
  }
};

/// True if the bytes start like a container.
bool is_container(std::span<const std::byte> bytes);

/// How the digest of a container is checked.
enum class DigestCheck : uint8_t {
  warn,     // a wrong one is a warning
  require,  // a wrong one is an error
  ignore,   // not checked: the caller has done so, as Direct3D's runtime does for drivers
};

/// Reads the structure: sizes, chunk table, digest.
bool read_container(std::span<const std::byte> bytes, DigestCheck check, Container& container,
                    Diagnostics& diagnostics);

/// Appends a dword to the data of a chunk.
void append_dword(uint32_t value, std::pmr::vector<std::byte>& out);

/// A chunk to write.
struct ChunkData {
  uint32_t tag;
  std::span<const std::byte> data;
};

/// Appends a container with these chunks in this order, and its digest.
void write_container(std::span<const ChunkData> chunks, std::pmr::vector<std::byte>& out);

}  // namespace texlate::dxbc
