// Every format that a device can sample, decoded by the device as by the texture unit; and stores to those
// formats that it can store to.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tests/support/vulkan_table.h"
#include "tests/unit/texture_unit/texture_fixture.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using sim::Format;
using sim::Kind;

constexpr Format kFormats[] = {
#define TEXLATE_FORMAT(name, number, bytes, layout) Format::name,
#include "sim/texture_unit/format_table.inc"
#undef TEXLATE_FORMAT
};

bool is_missing(const std::string& message) {
  return message.find("cannot use") != std::string::npos ||
         message.find(" has no texture") != std::string::npos;
}

/// UNORM and SNORM within one ULP (Vulkan, Fixed-Point Data Conversions); sRGB within half a step of 8 bits,
/// as Direct3D allows (docs/reference/direct3d.md 3.2).
bool equals(const sim::FormatInfo& info, uint32_t expected, uint32_t result) {
  if (expected == result) return true;
  const float a = std::bit_cast<float>(expected), b = std::bit_cast<float>(result);
  if (std::isnan(a) && std::isnan(b)) return info.kind == Kind::float_;
  if (info.layout.srgb) return std::fabs(a - b) < 0.5 / 255;
  return (info.kind == Kind::unorm || info.kind == Kind::snorm) &&
         executor::ulp_distance(expected, result) <= 1;
}

TEST(VulkanFormats, AreDecodedAsByTheTextureUnit) {
  const auto robustness = robustness_here();
  TEXLATE_NEEDS_VULKAN(robustness);
  uint32_t decoded = 0;
  std::string missing;
  for (Format format : kFormats) {
    const sim::FormatInfo& info = sim::format_info(format);
    if (info.bytes == 0) continue;  // block-compressed: the texture unit rejects them
    sim::TextureDesc desc;
    desc.format = format;
    desc.size = {64, 4, 1};
    desc.mips = 3;
    sim::Texture texture = sim::make_texture(desc);
    std::mt19937 random(info.dxgi);
    for (std::byte& byte : texture.memory()) byte = static_cast<std::byte>(random());
    const char* type = info.kind == Kind::uint ? "uint" : info.kind == Kind::sint ? "sint" : "float";
    TableText text;
    text.in = 3;
    text.declarations = fmt::format("resource t0 texture2d {}\n", type);
    text.body = fmt::format("  %100..%103 = tex.fetch t0 texture2d {} coord(%0, %1) level(%2)\n", type);
    text.results = {"%100", "%101", "%102", "%103"};
    VulkanTable table(text);
    std::vector<uint32_t> rows;
    for (uint32_t mip = 0; mip < 3; ++mip)
      for (uint32_t y = 0; y < 4u >> mip; ++y)
        for (uint32_t x = 0; x < 64u >> mip; ++x) rows.insert(rows.end(), {x, y, mip});
    std::string complaint;
    const auto results = table.try_on_device(
        robustness, rows,
        [&](sim::Bindings& bindings) { bindings.resources(2)[0].texture = sim::TextureView::whole(texture); },
        complaint);
    if (!complaint.empty()) {
      EXPECT_TRUE(is_missing(complaint)) << complaint;
      missing += fmt::format(" {}", info.name);
      continue;
    }
    ++decoded;
    uint32_t reported = 0;
    for (size_t r = 0; r * 3 < rows.size(); ++r) {
      const sim::Word4 expected = texture.read(rows[r * 3 + 2], 0, rows[r * 3], rows[r * 3 + 1], 0);
      for (uint32_t c = 0; c < 4; ++c) {
        if (equals(info, expected[c], results[r * 4 + c]) || ++reported > 4) continue;
        ADD_FAILURE() << fmt::format("{} ({}), component {}: {:08x}, vulkan {:08x}", info.name,
                                     fmt::join(&rows[r * 3], &rows[r * 3] + 3, ", "), c, expected[c],
                                     results[r * 4 + c]);
      }
    }
  }
  fmt::print("{} formats decoded; the device or Vulkan lacks{}\n", decoded,
             missing.empty() ? " none" : missing);
  EXPECT_GE(decoded, 40u);
}

TEST(VulkanFormats, AreEncodedAsByTheTextureUnit) {
  const auto robustness = robustness_here();
  TEXLATE_NEEDS_VULKAN(robustness);
  uint32_t encoded = 0;
  for (Format format : kFormats) {
    const sim::FormatInfo& info = sim::format_info(format);
    if (info.bytes == 0 || info.layout.srgb) continue;
    sim::TextureDesc desc;
    desc.format = format;
    desc.size = {64, 1, 1};
    const char* type = info.kind == Kind::uint ? "uint" : info.kind == Kind::sint ? "sint" : "float";
    TableText text;
    text.declarations = fmt::format("uav u0 texture2d {}\n", type);
    // Values that every format represents exactly: 0, 1/2^n, 1; small integers.
    text.body =
        info.is_integer()
            ? fmt::format(
                  "  %100 = and %0, 3\n  surf.store u0 texture2d {} coord(%0, 0) value(%100, 1, %100, 2)\n",
                  type)
            : fmt::format(
                  "  %99 = and %0, 1\n  %100 = utof.u32 %99\n  surf.store u0 texture2d {} coord(%0, 0) "
                  "value(%100, 1.0f, 0.0f, %100)\n",
                  type);
    text.results = {"%0"};
    VulkanTable table(text);
    std::vector<uint32_t> rows;
    for (uint32_t x = 0; x < 64; ++x) rows.push_back(x);
    sim::Texture mine = sim::make_texture(desc), theirs = sim::make_texture(desc);
    std::string complaint;
    table.try_on_device(
        robustness, rows,
        [&](sim::Bindings& bindings) { bindings.resources(2)[0].texture = sim::TextureView::whole(theirs); },
        complaint);
    if (!complaint.empty()) continue;
    ++encoded;
    table.interpret(rows, [&](sim::Bindings& bindings) {
      bindings.resources(2)[0].texture = sim::TextureView::whole(mine);
    });
    EXPECT_TRUE(std::equal(mine.memory().begin(), mine.memory().end(), theirs.memory().begin())) << info.name;
  }
  fmt::print("{} formats encoded\n", encoded);
  EXPECT_GE(encoded, 15u);
}

}  // namespace
}  // namespace texlate
