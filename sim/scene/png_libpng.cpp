#include <png.h>

#include <csetjmp>
#include <cstring>
#include <vector>

#include "sim/scene/png_codec.h"
#include "sim/scene/png_file.h"

namespace texlate::sim {

namespace {

void ignore_warning(png_structp, png_const_charp) {}

/// Without a message: libpng's own goes to standard error.
[[noreturn]] void leave_quietly(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

void read_bytes(png_structp png, png_bytep to, png_size_t count) {
  auto& left = *static_cast<std::string_view*>(png_get_io_ptr(png));
  if (left.size() < count) png_error(png, "the file ends early");
  std::memcpy(to, left.data(), count);
  left.remove_prefix(count);
}

// libpng leaves by longjmp: nothing here may own memory.
bool read_header(png_structp png, png_infop info, std::string_view& left, Picture& picture) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &left, read_bytes);
  png_set_user_limits(png, kMaxPngSize, kMaxPngSize);
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

bool decode_png(std::string_view bytes, Picture& picture) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, leave_quietly, ignore_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  bool good = info != nullptr && read_header(png, info, bytes, picture);
  if (good) {
    const size_t row_bytes = png_get_rowbytes(png, info);
    std::vector<png_byte> memory(row_bytes * picture.height);
    std::vector<png_bytep> rows(picture.height);
    for (uint32_t y = 0; y < picture.height; ++y) rows[y] = memory.data() + row_bytes * y;
    good = read_rows(png, rows.data());
    picture.texels.resize(size_t{picture.width} * picture.height * 4);
    const size_t stride = picture.bits == 16 ? 2 : 1;
    for (size_t i = 0; good && i < picture.texels.size(); ++i) {
      const png_byte* at = rows[i / 4 / picture.width] + i % (size_t{4} * picture.width) * stride;
      picture.texels[i] = picture.bits == 16 ? static_cast<uint16_t>((at[0] << 8) | at[1]) : at[0];
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
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

}  // namespace texlate::sim
