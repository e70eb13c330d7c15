#include <cstring>
#include <memory>
#include <vector>

#include "sim/scene/png_codec.h"
#include "sim/scene/png_file.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>  // NOLINT: not ours
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>  // NOLINT: not ours
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace texlate::sim {

static_assert(STBI_MAX_DIMENSIONS == kMaxPngSize);

namespace {

struct Free {
  void operator()(void* memory) const { stbi_image_free(memory); }
};

template <typename Texel>
bool take(Texel* loaded, int width, int height, Picture& picture) {
  const std::unique_ptr<Texel, Free> memory(loaded);
  if (loaded == nullptr) return false;
  picture.width = static_cast<uint32_t>(width);
  picture.height = static_cast<uint32_t>(height);
  picture.bits = 8 * sizeof(Texel);
  picture.texels.assign(loaded, loaded + size_t{picture.width} * picture.height * 4);
  return true;
}

void append(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<size_t>(size));
}

}  // namespace

bool decode_png(std::string_view bytes, Picture& picture) {
  if (bytes.size() > INT32_MAX) return false;
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, components = 0;
  if (stbi_is_16_bit_from_memory(data, size) != 0) {
    stbi_us* const texels = stbi_load_16_from_memory(data, size, &width, &height, &components, 4);
    return take(texels, width, height, picture);
  }
  stbi_uc* const texels = stbi_load_from_memory(data, size, &width, &height, &components, 4);
  return take(texels, width, height, picture);
}

std::string encode_png(const Picture& picture) {
  const std::vector<unsigned char> texels(picture.texels.begin(), picture.texels.end());
  std::string bytes;
  if (texels.empty()) return bytes;
  const auto width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
  if (stbi_write_png_to_func(append, &bytes, width, height, 4, texels.data(), 4 * width) == 0) bytes.clear();
  return bytes;
}

}  // namespace texlate::sim
