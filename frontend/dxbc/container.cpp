#include "frontend/dxbc/container.h"

#include <cstring>

#include "frontend/dxbc/byte_reader.h"

namespace texlate::dxbc {

namespace {

constexpr uint32_t kHeaderSize = 32;
constexpr uint32_t kDigestOffset = 4;
constexpr uint32_t kVersionOffset = 20;
constexpr uint32_t kSizeOffset = 24;
constexpr uint32_t kCountOffset = 28;
constexpr uint32_t kChunkHeaderSize = 8;
constexpr uint32_t kMaxChunks = 1024;  // real containers have up to ten
constexpr size_t kMaxContainer = size_t{1} << 30;

}  // namespace

bool is_container(std::span<const std::byte> bytes) {
  return ByteReader(bytes).dword(0) == kContainerTag;
}

bool read_container(std::span<const std::byte> bytes, DigestCheck check, Container& container,
                    Diagnostics& diagnostics) {
  const ByteReader reader(bytes);
  if (bytes.size() < kHeaderSize) {
    diagnostics.error(SourceLocation::bytes(0), "a container has at least {} bytes, found {}", kHeaderSize,
                      bytes.size());
    return false;
  }
  if (reader.dword(0) != kContainerTag) {
    diagnostics.error(SourceLocation::bytes(0), "not a DXBC container");
    return false;
  }
  const uint32_t size = reader.dword(kSizeOffset);
  if (size < kHeaderSize || size > bytes.size() || size > kMaxContainer) {
    diagnostics.error(SourceLocation::bytes(kSizeOffset),
                      "the container header gives a size of {} bytes, but the input has {}", size,
                      bytes.size());
    return false;
  }
  if (size < bytes.size()) {
    diagnostics.warning(SourceLocation::bytes(size), "{} bytes after the container are ignored",
                        bytes.size() - size);
    bytes = bytes.first(size);
  }
  const uint32_t count = reader.dword(kCountOffset);
  if (count > kMaxChunks || !reader.has(kHeaderSize, uint64_t{count} * 4) || kHeaderSize + count * 4 > size) {
    diagnostics.error(SourceLocation::bytes(kCountOffset), "{} chunks do not fit into the container", count);
    return false;
  }
  container.bytes.clear();
  container.bytes.append(bytes);
  uint64_t used = kHeaderSize + uint64_t{count} * 4;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t entry = kHeaderSize + 4 * i;
    const uint32_t offset = reader.dword(entry);
    if (offset > size || size - offset < kChunkHeaderSize) {
      diagnostics.error(SourceLocation::bytes(entry), "chunk {} starts at 0x{:x}, outside the container", i,
                        offset);
      return false;
    }
    const Chunk chunk{reader.dword(offset), offset + kChunkHeaderSize, reader.dword(offset + 4)};
    if (chunk.size > size - chunk.offset) {
      diagnostics.error(SourceLocation::bytes(offset + 4),
                        "chunk {} has {} bytes, more than the container holds", i, chunk.size);
      return false;
    }
    used += kChunkHeaderSize + uint64_t{chunk.size};
    if (used > size) {
      diagnostics.error(SourceLocation::bytes(entry), "chunk {} overlaps other chunks", i);
      return false;
    }
    container.chunks.push_back(chunk);
  }
  if (check == DigestCheck::ignore) return true;
  const Digest digest = digest_of(bytes);
  container.digest_matches = std::memcmp(digest.data(), bytes.data() + kDigestOffset, sizeof digest) == 0;
  if (container.digest_matches) return true;
  const bool required = check == DigestCheck::require;
  diagnostics.add(required ? Severity::error : Severity::warning, SourceLocation::bytes(kDigestOffset),
                  "the container's digest is wrong");
  return !required;
}

void append_dword(uint32_t value, std::pmr::vector<std::byte>& out) {
  std::byte bytes[4];
  std::memcpy(bytes, &value, 4);
  out.insert(out.end(), bytes, bytes + 4);
}

void write_container(std::span<const ChunkData> chunks, std::pmr::vector<std::byte>& out) {
  const size_t begin = out.size();
  const auto dword = [&out](uint32_t value) { append_dword(value, out); };
  size_t size = kHeaderSize + 4 * chunks.size();
  for (const ChunkData& chunk : chunks) size += kChunkHeaderSize + chunk.data.size();
  out.reserve(begin + size);
  dword(kContainerTag);
  for (int i = 0; i < 4; ++i) dword(0);
  dword(1);
  dword(static_cast<uint32_t>(size));
  dword(static_cast<uint32_t>(chunks.size()));
  size_t offset = kHeaderSize + 4 * chunks.size();
  for (const ChunkData& chunk : chunks) {
    dword(static_cast<uint32_t>(offset));
    offset += kChunkHeaderSize + chunk.data.size();
  }
  for (const ChunkData& chunk : chunks) {
    dword(chunk.tag);
    dword(static_cast<uint32_t>(chunk.data.size()));
    out.insert(out.end(), chunk.data.begin(), chunk.data.end());
  }
  static_assert(kVersionOffset == kDigestOffset + sizeof(Digest));
  const Digest digest = digest_of(std::span<const std::byte>(out).subspan(begin));
  std::memcpy(out.data() + begin + kDigestOffset, digest.data(), sizeof digest);
}

}  // namespace texlate::dxbc
