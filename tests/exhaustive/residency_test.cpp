// The residency status of accesses (D3D11.3 functional specification 5.9.4) to textures that lack tiles:
// fetches, samples and gathers around them, expanded comparisons, accesses that a guard suppresses, slots of
// a long range. The interpreter's texture unit is the reference.
#include <fmt/format.h>

#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::Format;

constexpr uint32_t kSize = 16;
constexpr uint32_t kElements = 1024;

/// 16 x 16 texels and their mips, except one tile of mip 0 and one of mip 1.
sim::Texture tiled_texture() {
  sim::TextureDesc desc;
  desc.format = Format::r32_float;
  desc.size = {kSize, kSize, 1};
  desc.mips = 0;
  sim::Texture texture = sim::make_texture(desc);
  for (size_t at = 0; at + 4 <= texture.memory().size(); at += 4) {
    const float value = static_cast<float>(at / 4 % 7) / 8;
    std::memcpy(texture.memory().data() + at, &value, sizeof value);
  }
  texture.unmap(0, 0, {4, 8, 0}, {8, 4, 1});
  texture.unmap(1, 0, {0, 0, 0}, {4, 2, 1});
  return texture;
}

/// v0: coordinates over the texture and a little around it, in texels or normalized; v0.z: a level.
std::vector<uint32_t> coordinates(bool is_fetch) {
  std::vector<uint32_t> planes(4 * kElements);
  for (uint32_t e = 0; e < kElements; ++e) {
    const uint32_t at[2] = {e % 32, e / 32};
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const float part = (static_cast<float>(at[axis]) + 0.37f) / 32;
      planes[axis * kElements + e] = is_fetch ? at[axis] * 18 / 32 - 1 : std::bit_cast<uint32_t>(part);
    }
    const uint32_t level = e % 5;
    planes[2 * kElements + e] = is_fetch ? level : std::bit_cast<uint32_t>(static_cast<float>(level) / 2);
  }
  return planes;
}

struct Outcome {
  uint32_t mapped = 0, unmapped = 0;
};

std::string body_of(const std::string& access) {
  return fmt::format("  %3..%7 = {} feedback\n  %8 = mapped %7\n", access);
}

/// `access`: reads into %3, and says in %8 what check_access_fully_mapped does. o0.x: its mask, o0.y: %3.
Outcome run_body(const std::string& access, bool is_fetch, bool bound = true, const char* range = "") {
  Routes routes(fmt::format(
      "module pixel 5.1 \"main\"\nresource t0 texture2d float{}\nsampler s0\ninput v0.xyzw\noutput o0.xyzw\n"
      "code {{\n  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n{}"
      "  %9 = mask %8\n  output o0.x, %9\n  output o0.y, %3\n}}\n",
      range, access));
  sim::Texture texture = tiled_texture();
  sim::Bindings bindings(routes.module());
  if (bound) bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
  sim::Sampler& sampler = bindings.samplers(0)[0];
  sampler.min_filter = sampler.mag_filter = sampler.mip_filter = sim::Filter::linear;
  const std::vector<uint32_t> planes = coordinates(is_fetch);
  sim::StreamLaunch launch;
  launch.count = kElements;
  launch.inputs = planes;
  const Routes::Outputs outputs = routes.run(bindings, launch);
  Outcome outcome;
  for (uint32_t e = 0; e < kElements; ++e) {
    if (outputs.undefined[e] != 0) continue;
    ++(outputs.contract[e] != 0 ? outcome.mapped : outcome.unmapped);
    EXPECT_EQ(outputs.legal[e], outputs.contract[e]) << access << ", element " << e;
    EXPECT_EQ(outputs.machine[e], outputs.contract[e]) << access << ", element " << e;
    EXPECT_EQ(outputs.machine[kElements + e], outputs.contract[kElements + e]) << access << ", element " << e;
    if (testing::Test::HasFailure()) break;
  }
  return outcome;
}
Outcome run(const std::string& access, bool is_fetch, bool bound = true, const char* range = "") {
  return run_body(body_of(access), is_fetch, bound, range);
}

TEST(Residency, OfEachAccess) {
  struct Case {
    const char* access;
    bool is_fetch;
  };
  constexpr Case kCases[] = {
      {"tex.fetch t0 texture2d float coord(%0, %1) level(0)", true},
      {"tex.fetch t0 texture2d float coord(%0, %1) level(%2)", true},
      {"tex.sample t0 s0 texture2d float coord(%0, %1) level(%2)", false},
      {"tex.sample t0 s0 texture2d float coord(%0, %1) level(0.0f)", false},
      {"tex.gather t0 s0 texture2d float coord(%0, %1) component(0)", false},
  };
  for (const Case& c : kCases) {
    const Outcome outcome = run(c.access, c.is_fetch);
    EXPECT_GT(outcome.mapped, 100u) << c.access;
    EXPECT_GT(outcome.unmapped, 20u) << c.access;
  }
}

// The HLSL compiler joins the statuses of several accesses by OR (D3D11.3 5.9.4.6): one that lacks tiles is
// enough.
TEST(Residency, OfSeveralAccesses) {
  const std::string mip0 = "tex.fetch t0 texture2d float coord(%0, %1) level(0)",
                    mip1 = "tex.fetch t0 texture2d float coord(%0, %1) level(1)";
  const Outcome first = run(mip0, true), second = run(mip1, true);
  // The tiles that are missing share no coordinates.
  const Outcome both = run_body(fmt::format("  %3..%7 = {} feedback\n  %10..%14 = {} feedback\n"
                                            "  %15 = or %7, %14\n  %8 = mapped %15\n",
                                            mip0, mip1),
                                true);
  EXPECT_GT(second.unmapped, 5u);
  EXPECT_EQ(both.unmapped, first.unmapped + second.unmapped);
}

// Nothing is read where nothing is bound, so nothing is missing.
TEST(Residency, OfASlotWhereNothingIsBound) {
  const Outcome outcome = run("tex.fetch t0 texture2d float coord(%0, %1) level(0)", true, false);
  EXPECT_EQ(outcome.mapped, kElements);
  EXPECT_EQ(outcome.unmapped, 0u);
}

// The handle comes from a table: registers past its end read nothing.
TEST(Residency, InALongRange) {
  const Outcome outcome = run("tex.fetch t0 texture2d float coord(%0, %1) level(0) resource_index(%2)", true,
                              true, " registers(0, 4294967295) space(0)");
  EXPECT_GT(outcome.mapped, 100u);
  EXPECT_GT(outcome.unmapped, 20u);
}

}  // namespace
}  // namespace texlate
