// The digest of a DXBC container: MD5 with different padding (docs/reference/direct3d.md 5.4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace texlate::dxbc {

using Digest = std::array<uint32_t, 4>;

/// Digest of a whole container, over everything after the digest (bytes 20 to the end).
/// `container` has at least 20 bytes.
Digest digest_of(std::span<const std::byte> container);

}  // namespace texlate::dxbc
