// The bytes of PNG files, by libpng or, where a system has none, by stb_image (CMakeLists.txt chooses).
#pragma once

#include <string>
#include <string_view>

namespace texlate::sim {

struct Picture;

/// Pictures of at most this many texels in each direction are read.
inline constexpr unsigned kMaxPngSize = 16384;

/// Four components of 8 or 16 bits, as stored (no gamma); opaque if the file has no alpha. Returns false if
/// this is no PNG file, or its picture is too large.
bool decode_png(std::string_view bytes, Picture& picture);

/// 8 bits per component; empty if there are no texels.
std::string encode_png(const Picture& picture);

}  // namespace texlate::sim
