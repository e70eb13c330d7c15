#include "tools/executor/dksh_link.h"

#include <gtest/gtest.h>

namespace texlate::executor {

namespace {

/// What is wrong with a draw of a vertex shader, shaders between and a pixel shader; empty: nothing.
std::string trouble_of(std::initializer_list<const char*> sources) {
  Pipeline pipeline;
  Diagnostics diagnostics;
  const Route route = Route::dksh;
  for (const char* source : sources) {
    auto stage = std::make_unique<PipelineStage>();
    if (!load_shader(source, stage->shader, {&route, 1}, diagnostics)) break;
    const auto place = static_cast<size_t>(std::ranges::find(kPipelineStages, stage->shader.contract.stage) -
                                           std::begin(kPipelineStages));
    pipeline.stages[place] = std::move(stage);
  }
  if (PipelineStage* domain = pipeline.stage(ir::Stage::domain))
    domain->shader.hull = &pipeline.stage(ir::Stage::hull)->shader;
  const bool good = diagnostics.error_count() == 0 && attributes_meet(pipeline, diagnostics);
  EXPECT_EQ(good, diagnostics.list().empty());
  return good ? std::string() : std::string(diagnostics.list().front().message);
}

constexpr const char* kVertex = R"(vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output_siv o2.x, clip_distance
dcl_output_siv o2.y, cull_distance
mov o0.xyzw, v0.xyzw
mov o1.xy, v0.xyxx
mov o2.x, v0.x
mov o2.y, v0.y
ret
)";

constexpr const char* kHull = R"(hs_5_0
hs_decls
dcl_input_control_point_count 1
dcl_output_control_point_count 1
dcl_tessellator_domain domain_isoline
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_line
hs_control_point_phase
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].y
dcl_output o0.xyzw
mov o0.xyzw, v[0][0].xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalLineDensityTessFactor
dcl_output_siv o1.x, finalLineDetailTessFactor
dcl_output o31.x
mov o0.x, l(1.0)
mov o1.x, l(2.0)
mov o31.x, l(3.0)
ret
)";

constexpr const char* kDomain = R"(ds_5_0
dcl_input_control_point_count 1
dcl_tessellator_domain domain_isoline
dcl_input vpc0.x
dcl_input vpc31.x
dcl_input vcp[1][0].xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
add o0.xyzw, vcp[0][0].xyzw, vpc0.xxxx
mov o1.xy, vpc31.xxxx
ret
)";

constexpr const char* kPixel = R"(ps_5_0
dcl_input_ps_siv linear noperspective v0.x, position
dcl_input_ps linear v1.xy
dcl_input_ps_sgv constant v2.x, primitive_id
dcl_output o0.xyzw
mov o0.xy, v1.xyxx
mov o0.z, v0.x
mov o0.w, v2.x
ret
)";

/// The vertex shader declares it a plain value.
constexpr const char* kPixelOfAnotherPosition = R"(ps_5_0
dcl_input_ps_siv linear noperspective v1.x, position
dcl_output o0.xyzw
mov o0.xyzw, v1.xxxx
ret
)";

/// The program reads z of the position, from a register that the vertex shader may have for something else.
constexpr const char* kPixelOfConservativeDepth = R"(ps_5_0
dcl_input_ps linear v1.x
dcl_output o0.xyzw
dcl_output oDepthGE
mov o0.xyzw, v1.xxxx
mov oDepthGE, v1.x
ret
)";
constexpr const char* kVertexOfManyValues = R"(vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v0.xyzw
mov o2.xyzw, v0.wzyx
ret
)";

}  // namespace

TEST(DkshLink, NeighborsMeet) {
  EXPECT_EQ(trouble_of({kVertex, kPixel}), "");
  EXPECT_EQ(trouble_of({kVertex, kHull, kDomain, kPixel}), "");
}

TEST(DkshLink, WhatOnlyTheTranslationReadsMeetsNothing) {
  EXPECT_EQ(trouble_of({kVertexOfManyValues, kPixelOfConservativeDepth}), "");
}

TEST(DkshLink, AComponentAtTwoAddressesIsAnError) {
  EXPECT_EQ(trouble_of({kVertex, kPixelOfAnotherPosition}),
            "the vertex program leaves register 1.x at a[0x090], but the pixel program reads it at a[0x070]");
}

// Patch constants and everything else are compared alike: by component, and only what both have.
TEST(DkshLink, ComponentsAreComparedByRegister) {
  using maxwell::graphics::Attribute;
  const ir::Parameter written{.reg = 3, .mask = 0b0110};
  ir::Parameter read{.reg = 3, .mask = 0b1111};
  const Attribute places{0x20, 0x24, 0x28, 0x2c};
  const auto meet = [&](const Attribute& other) {
    Diagnostics diagnostics;
    return attributes_meet({ir::Stage::hull, {&written, 1}, {&places, 1}},
                           {ir::Stage::domain, {&read, 1}, {&other, 1}}, diagnostics);
  };
  EXPECT_TRUE(meet({0, 0x24, 0x28, 0}));
  EXPECT_FALSE(meet({0, 0x24, 0x2c, 0}));
  EXPECT_FALSE(meet({0, 0x20, 0x28, 0}));
  EXPECT_TRUE(meet({0, maxwell::graphics::kNotUsed, 0x28, 0}));
  read.reg = 4;
  EXPECT_TRUE(meet({0, 0x20, 0x28, 0}));
}

}  // namespace texlate::executor
