#include "tools/executor/picture.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "tools/executor/label.h"

namespace texlate::executor {

namespace {

constexpr uint32_t kGap = 4;
constexpr uint16_t kPoisonColor[] = {255, 0, 255, 255};

const ir::Parameter* first_color(const Shader& shader) {
  for (const ir::Parameter& parameter : shader.contract.outputs) {
    if (parameter.reg < ir::kSpecialRegister) return &parameter;
  }
  return shader.contract.outputs.empty() ? nullptr : &shader.contract.outputs[0];
}

uint16_t to_byte(uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  return static_cast<uint16_t>((value > 0 ? std::min(value, 1.0f) : 0.0f) * 255.0f + 0.5f);
}

}  // namespace

sim::Picture picture_of(const Shader& shader, const sim::Scene& scene, const RouteResult& result) {
  sim::Picture picture{scene.width(), scene.height(), 8, {}};
  picture.texels.assign(size_t{picture.width} * picture.height * 4, 255);
  const ir::Parameter* output = first_color(shader);
  if (output == nullptr) return picture;
  const uint32_t count = scene.element_count();
  const size_t first = size_t{sim::output_plane_register(shader.contract, *output)} * 4;
  for (uint32_t e = 0; e < count; ++e) {
    const auto [x, y] = scene.pixel_of(e);
    if (x >= picture.width || y >= picture.height) continue;
    uint16_t* texel = &picture.texels[(size_t{y} * picture.width + x) * 4];
    for (uint32_t c = 0; c < 4; ++c) {
      const bool there = ((output->mask >> c) & 1) != 0;
      if (result.written[e] == 0) {
        texel[c] = c == 3 ? 255 : (x / 4 + y / 4) % 2 == 0 ? 96 : 128;
      } else {
        texel[c] = there ? to_byte(result.outputs[(first + c) * count + e]) : c == 3 ? 255 : 0;
      }
    }
  }
  for (uint32_t e : result.troubled) {
    const auto [x, y] = scene.pixel_of(e);
    if (x >= picture.width || y >= picture.height) continue;
    std::copy_n(kPoisonColor, 4, &picture.texels[(size_t{y} * picture.width + x) * 4]);
  }
  return picture;
}

std::optional<sim::Picture> picture_of_uav(const Shader& shader, const sim::Scene& scene) {
  for (uint32_t i = 0; i < shader.contract.resources.size(); ++i) {
    const ir::Resource& resource = shader.contract.resources[i];
    if (!resource.is_uav || resource.dimension != ir::Dimension::texture2d) continue;
    const sim::TextureView& view = scene.bindings().resources(i)[0].texture;
    if (!view.bound() || sim::format_info(view.format).is_integer()) continue;
    const sim::Extent size = view.size(0);
    sim::Picture picture{size.width, size.height, 8, {}};
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x) {
        sim::Access access;
        for (uint32_t word : sim::load_texel(view, 0, 0, x, y, 0, 0, access))
          picture.texels.push_back(to_byte(word));
      }
    }
    return picture;
  }
  return std::nullopt;
}

sim::Picture enlarged(const sim::Picture& picture, uint32_t factor) {
  sim::Picture large{picture.width * factor, picture.height * factor, picture.bits, {}};
  large.texels.reserve(size_t{large.width} * large.height * 4);
  for (uint32_t y = 0; y < large.height; ++y) {
    for (uint32_t x = 0; x < large.width; ++x) {
      const uint16_t* texel = &picture.texels[(size_t{y / factor} * picture.width + x / factor) * 4];
      large.texels.insert(large.texels.end(), texel, texel + 4);
    }
  }
  return large;
}

sim::Picture difference_of(const sim::Picture& a, const sim::Picture& b, uint32_t gain) {
  sim::Picture picture = a;
  for (size_t i = 0; i < picture.texels.size(); ++i) {
    const auto difference = static_cast<uint32_t>(std::abs(int{a.texels[i]} - int{b.texels[i]}));
    picture.texels[i] = i % 4 == 3 ? 255 : static_cast<uint16_t>(std::min(difference * gain, 255u));
  }
  return picture;
}

sim::Picture contact_sheet(std::span<const Labeled> pictures) {
  sim::Picture sheet;
  const auto cell_width = [](const Labeled& one) {
    return std::max(one.picture.width, label_width(one.label));
  };
  for (const Labeled& one : pictures) {
    sheet.width += cell_width(one) + (sheet.width == 0 ? 0 : kGap);
    sheet.height = std::max(sheet.height, one.picture.height + kLabelHeight);
  }
  sheet.texels.assign(size_t{sheet.width} * sheet.height * 4, 32);
  for (size_t i = 3; i < sheet.texels.size(); i += 4) sheet.texels[i] = 255;
  uint32_t left = 0;
  for (const Labeled& one : pictures) {
    draw_label(one.label, left, sheet);
    for (uint32_t y = 0; y < one.picture.height; ++y) {
      const size_t row = size_t{y + kLabelHeight} * sheet.width + left;
      std::copy_n(one.picture.texels.begin() + static_cast<ptrdiff_t>(size_t{y} * one.picture.width * 4),
                  one.picture.width * 4, sheet.texels.begin() + static_cast<ptrdiff_t>(row * 4));
    }
    left += cell_width(one) + kGap;
  }
  return sheet;
}

uint64_t different_texels(const sim::Picture& a, const sim::Picture& b, uint32_t steps) {
  if (a.width != b.width || a.height != b.height) return std::max(a.texels.size(), b.texels.size()) / 4;
  uint64_t count = 0;
  for (size_t i = 0; i < a.texels.size(); i += 4) {
    bool differs = false;
    for (size_t c = i; c < i + 4; ++c)
      differs |= static_cast<uint32_t>(std::abs(int{a.texels[c]} - int{b.texels[c]})) > steps;
    count += differs ? 1 : 0;
  }
  return count;
}

}  // namespace texlate::executor
