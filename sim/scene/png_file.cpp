#include "sim/scene/png_file.h"

#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "ir/base/diagnostics.h"

namespace texlate::sim {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

void ignore_warning(png_structp, png_const_charp) {}

// libpng leaves by longjmp: nothing here may own memory.
bool read_header(png_structp png, png_infop info, std::FILE* file, Picture& picture) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_init_io(png, file);
  png_set_user_limits(png, 16384, 16384);
  png_read_info(png, info);
  picture.width = png_get_image_width(png, info);
  picture.height = png_get_image_height(png, info);
  picture.bits = png_get_bit_depth(png, info) == 16 ? 16 : 8;
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, picture.bits == 16 ? 0xffff : 0xff, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

bool read_rows(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_image(png, rows);
  return true;
}

}  // namespace

bool read_png(const std::string& path, Picture& picture, Diagnostics& diagnostics) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return diagnostics.error({}, "{} cannot be read", path), false;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  bool good = info != nullptr && read_header(png, info, file.get(), picture);
  if (good) {
    const size_t bytes = png_get_rowbytes(png, info);
    std::vector<png_byte> memory(bytes * picture.height);
    std::vector<png_bytep> rows(picture.height);
    for (uint32_t y = 0; y < picture.height; ++y) rows[y] = memory.data() + bytes * y;
    good = read_rows(png, rows.data());
    picture.texels.resize(size_t{picture.width} * picture.height * 4);
    const size_t stride = picture.bits == 16 ? 2 : 1;
    for (size_t i = 0; good && i < picture.texels.size(); ++i) {
      const png_byte* at = rows[i / 4 / picture.width] + i % (size_t{4} * picture.width) * stride;
      picture.texels[i] = picture.bits == 16 ? static_cast<uint16_t>((at[0] << 8) | at[1]) : at[0];
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!good) diagnostics.error({}, "{} is not a PNG picture of at most 16384 x 16384 texels", path);
  return good;
}

std::string encode_png(const Picture& picture) {
  std::vector<png_byte> texels(picture.texels.begin(), picture.texels.end());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  std::string bytes;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, texels.data(), 0, nullptr) == 0) return bytes;
  bytes.resize(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, texels.data(), 0, nullptr) == 0) size = 0;
  bytes.resize(size);
  return bytes;
}

bool write_png(const std::string& path, const Picture& picture, Diagnostics& diagnostics) {
  const std::string bytes = encode_png(picture);
  if (bytes.empty())
    return diagnostics.error({}, "{} cannot be written: the picture has no texels", path), false;
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const bool whole = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = errno;
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (whole && closed) return true;
  if (whole) error = errno;
  std::error_code ignored;
  if (file != nullptr && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  diagnostics.error({}, "{} cannot be written: {}", path, std::strerror(error));
  return false;
}

}  // namespace texlate::sim
