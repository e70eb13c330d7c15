#include "library/vkd3d/containers.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "frontend/dxbc/digest.h"

namespace texlate::vkd3d {

namespace {

constexpr uint32_t kContainer = tag("DXBC");
constexpr size_t kContainerHeader = 32;  // tag, digest, version, size, number of chunks
constexpr size_t kChunkHeader = 8;       // tag, size
constexpr size_t kDigestAt = 4, kVersionAt = 20, kCountAt = 28;
// Where vkd3d-shader begins chunks, and what it writes between them.
constexpr size_t kAlignment = 4;
constexpr int kFiller = 0xab;

uint32_t word(const Code& code, size_t at) {
  uint32_t value;
  std::memcpy(&value, static_cast<const char*>(code.code) + at, sizeof value);
  return value;
}

dxbc::Digest digest_of(const void* bytes, size_t size) {
  return dxbc::digest_of({static_cast<const std::byte*>(bytes), size});
}

size_t aligned(size_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

std::string hexadecimal(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

int read_sections(const Code& code, Container& container, Messages& messages) {
  const uint32_t count = word(code, kCountAt);
  if (count > (code.size - kContainerHeader) / 4) {
    messages.error(MessageCode::chunk_offset,
                   "the table of " + std::to_string(count) + " chunks does not fit into the container");
    return kInvalidArgument;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t offset = word(code, kContainerHeader + size_t{4} * i);
    if (offset > code.size - kChunkHeader) {
      messages.error(MessageCode::chunk_offset, "chunk " + std::to_string(i) + " begins at byte " +
                                                    std::to_string(offset) + ", outside the container");
      return kInvalidArgument;
    }
    const uint32_t size = word(code, offset + size_t{4});
    if (size > code.size - kChunkHeader - offset) {
      messages.error(MessageCode::chunk_size, "chunk " + std::to_string(i) + " has " + std::to_string(size) +
                                                  " bytes, more than the container has left");
      return kInvalidArgument;
    }
    const char* const data = static_cast<const char*>(code.code) + offset + kChunkHeader;
    container.sections.push_back({word(code, offset), {data, size}});
  }
  return kOk;
}

}  // namespace

const DxbcSection* Container::find(uint32_t wanted) const {
  for (const DxbcSection& section : sections) {
    if (section.tag == wanted) return &section;
  }
  return nullptr;
}

int read_container(const Code& code, Digest digest, Container& container, Messages& messages) {
  if (code.size < kContainerHeader) {
    messages.error(MessageCode::container_size,
                   "a container has at least 32 bytes, and this one has " + std::to_string(code.size));
    return kInvalidArgument;
  }
  if (word(code, 0) != kContainer) {
    messages.error(MessageCode::container_tag, "this is not a DXBC container: it begins with " +
                                                   hexadecimal(word(code, 0)) + " instead of \"DXBC\"");
    return kInvalidArgument;
  }
  std::memcpy(container.checksum, static_cast<const char*>(code.code) + kDigestAt, sizeof container.checksum);
  if (digest == Digest::check) {
    const dxbc::Digest right = digest_of(code.code, code.size);
    if (std::memcmp(right.data(), container.checksum, sizeof container.checksum) != 0) {
      messages.error(MessageCode::container_digest, "the container's digest is not that of its bytes");
      return kInvalidArgument;
    }
  }
  container.version = word(code, kVersionAt);
  if (container.version != 1) {
    messages.error(MessageCode::container_version,
                   "the container's version is " + hexadecimal(container.version) + ", not 1.0");
    return kInvalidArgument;
  }
  container.size = word(code, kContainerSizeAt);
  return read_sections(code, container, messages);
}

int describe_container(const Container& container, DxbcDescription& description) {
  description = {};
  const size_t count = container.sections.size();
  if (count != 0) {
    void* const memory = std::malloc(sizeof(DxbcSection) * count);
    if (memory == nullptr) return kOutOfMemory;
    std::memcpy(memory, container.sections.data(), sizeof(DxbcSection) * count);
    description.sections = static_cast<DxbcSection*>(memory);
  }
  description.tag = kContainer;
  std::memcpy(description.checksum, container.checksum, sizeof description.checksum);
  description.version = container.version;
  description.size = container.size;
  description.section_count = count;
  return kOk;
}

int check_shader_chunk(const Container& container, Messages& messages) {
  const DxbcSection* shader = nullptr;
  for (const DxbcSection& section : container.sections) {
    if (section.tag == tag("SHDR") || section.tag == tag("SHEX")) shader = &section;
  }
  if (shader == nullptr || shader->data.size < 8) {
    messages.error(MessageCode::program, "the container has no shader (chunk SHDR or SHEX)");
    return kInvalidArgument;
  }
  const uint32_t tokens = word(shader->data, 4);
  if (tokens >= 2 && tokens <= shader->data.size / 4) return kOk;
  messages.error(MessageCode::program,
                 "the shader's chunk does not hold its " + std::to_string(tokens) + " tokens");
  return kInvalidArgument;
}

int write_container(std::span<const DxbcSection> sections, Code& out) {
  uint64_t size = kContainerHeader + 4 * sections.size();
  for (const DxbcSection& section : sections) {
    size = aligned(size) + kChunkHeader + section.data.size;
    if (section.data.size > UINT32_MAX || size > UINT32_MAX) return kInvalidArgument;
  }
  if (size > UINT32_MAX) return kInvalidArgument;
  char* const bytes = static_cast<char*>(std::malloc(size));
  if (bytes == nullptr) return kOutOfMemory;
  std::memset(bytes, kFiller, size);
  const auto put = [&](size_t at, uint32_t value) { std::memcpy(bytes + at, &value, sizeof value); };
  put(0, kContainer);
  put(kVersionAt, 1);
  put(kContainerSizeAt, static_cast<uint32_t>(size));
  put(kCountAt, static_cast<uint32_t>(sections.size()));
  size_t at = kContainerHeader + 4 * sections.size();
  for (size_t i = 0; i < sections.size(); ++i) {
    at = aligned(at);
    put(kContainerHeader + 4 * i, static_cast<uint32_t>(at));
    put(at, sections[i].tag);
    put(at + 4, static_cast<uint32_t>(sections[i].data.size));
    if (sections[i].data.size != 0)
      std::memcpy(bytes + at + kChunkHeader, sections[i].data.code, sections[i].data.size);
    at += kChunkHeader + sections[i].data.size;
  }
  const dxbc::Digest digest = digest_of(bytes, size);
  std::memcpy(bytes + kDigestAt, digest.data(), sizeof digest);
  out = {bytes, size};
  return kOk;
}

}  // namespace texlate::vkd3d
