// lower_deko3d, tested on text. What the code does is tested by execution: dksh_stages_test, stage_edges_test
// and tests/differential compare it with the interpreter, which reads inputs and runs phases itself.

#include "backend/maxwell/graphics/lower_deko3d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/ir_text.h"

namespace texlate::maxwell::graphics {
namespace {

using testing::HasSubstr;

/// The body after the pass, or its errors.
std::string lowered(std::string_view declarations, std::string_view body) {
  ir::Module module;
  ir::parse_or_fail("module " + std::string(declarations) + "code {\n" + std::string(body) + "}\n", module);
  ir::verify_or_fail(module);
  Layout layout(module.memory());
  Diagnostics diagnostics;
  EXPECT_TRUE(make_layout(module, {}, layout, diagnostics)) << ir::to_text(diagnostics);
  if (!lower_deko3d(module, layout, diagnostics)) return ir::to_text(diagnostics);
  ir::verify_or_fail(module);
  return "\n" + ir::body_of(module);
}

TEST(LowerDeko3d, ResultsOfPixelsAreRegisters) {
  EXPECT_EQ(lowered(R"(pixel 5.0 "main"
input v1.xy linear
input v2.x sv(sample_index)
output o0.xy
output o2.x
output depth.x sv(depth)
)",
                    R"(
  %0 = input v1.x
  output o0.x, %0
  %1 = input v2.x
  %2 = ine %1, 0
  if %2
    output o0.y, 1
  else
    output depth.x, 2
  endif
  return
)"),
            R"(
  %0 = input v9.x
  %1 = input sample_index.x
  %2 = ine %1, 0
  if %2
  else yields(1, 0)
  %3, %4 = endif yields(0, 2)
  output o0.x, %0
  output o0.y, %3
  output o1.x, 0
  output o2.y, %4
  return
)");
}

// All that are read, next to each other, so that one instruction can load them.
TEST(LowerDeko3d, ComponentsOfAVertexAreReadTogether) {
  EXPECT_EQ(lowered(R"(vertex 5.0 "main"
input v3.xyzw
output o0.xyzw sv(position)
output o1.x
)",
                    R"(
  %0 = input v3.w
  %1 = fadd.f32 %0, 1.0f
  %2 = input v3.x
  output o1.x, %2
  output o0.w, %1
  return
)"),
            R"(
  %0 = input v11.x
  %1 = input v11.w
  %2 = fadd.f32 %1, 1.0f
  output o7.x, 0
  output o7.y, 0
  output o7.z, 0
  output o7.w, %2
  output o9.x, %0
  return
)");
}

// Every return writes them; the code in between passes them on.
TEST(LowerDeko3d, EveryReturnWritesAllOutputs) {
  EXPECT_EQ(lowered(R"(vertex 5.0 "main"
input v0.x
output o0.xy
)",
                    R"(
  %0 = input v0.x
  output o0.x, %0
  %1 = ine %0, 0
  if %1
    return
  else
  endif
  output o0.y, 1
  return
)"),
            R"(
  %0 = input v8.x
  %1 = ine %0, 0
  if %1
    output o8.x, %0
    output o8.y, 0
    return
  else
  endif
  output o8.x, %0
  output o8.y, 1
  return
)");
}

TEST(LowerDeko3d, OutputsOfAStreamAreWrittenBeforeItsVertex) {
  EXPECT_EQ(lowered(R"(geometry 5.0 "main"
input_primitive 1
input v0.xyzw array(1)
output o0.x
output o0.y stream(1)
)",
                    R"(
  %0 = input v0.x vertex(0)
  output o0.x, %0
  output o0.y, 7
  emit 0
  output o0.y, 8
  emit 1
  return
)"),
            R"(
  %0 = input v8.x vertex(0)
  output o8.x, %0
  emit 0
  output o8.y, 8
  emit 1
  return
)");
}

TEST(LowerDeko3d, PhasesAreConstructs) {
  EXPECT_EQ(lowered(R"(hull 5.0 "main"
output_control_points 3
input v0.xy array(3)
output o0.xy
patch_constant p0.x sv(tri_edge_u)
patch_constant p1.x sv(tri_edge_v)
patch_constant p2.xy
phase 0 control_point instances(1)
phase 1 fork instances(2)
phase 2 join instances(1)
)",
                    R"(
  phase 0
  %0 = sysval output_control_point_id.x
  %1 = input v0.x vertex(%0)
  output o0.x, %1
  return
  phase 1
  %2 = sysval fork_instance_id.x
  patch.output p0.x index(%2), 1.0f
  return
  phase 2
  %3 = patch.input vpc1.x
  patch.output p2.y, %3
  %4 = vocp.input vocp0.x vertex(2)
  patch.output p2.x, %4
  return
)"),
            R"(
  %0 = sysval output_control_point_id.x
  %1 = input v8.x vertex(%0)
  output o8.x, %1
  output o8.y, 0
  %2 = ieq %0, 0
  if %2
    %3, %4, %5 = loop init(-1, 0, 0)
      %6 = iadd %3, 1
      %7 = uge.u32 %6, 2
      if %7
        break yields(%4, %5)
      else
      endif
      %8 = ieq %6, 0
      %9 = select.b32 %8, 1.0f, %4
      %10 = ieq %6, 1
      %11 = select.b32 %10, 1.0f, %5
    %12, %13 = endloop yields(%6, %9, %11)
    %14 = vocp.input vocp8.x vertex(2)
    patch.output p0.x, %12
    patch.output p0.y, %13
    patch.output p4.x, %14
    patch.output p4.y, %13
  else
  endif
  return
)");
}

TEST(LowerDeko3d, DomainPointsAndPatches) {
  EXPECT_EQ(lowered(R"(domain 5.0 "main"
tessellator_domain 2
input v0.xyzw array(3)
patch_constant p0.x sv(tri_edge_u)
patch_constant p1.x
patch_constant p2.x
output o0.xyzw sv(position)
)",
                    R"(
  %0 = sysval domain_point.z
  output o0.x, %0
  %1 = patch.input vpc0.x
  %2 = patch.input vpc1.x index(%1)
  output o0.y, %2
  %3 = input v0.z vertex(2)
  %4 = input v0.y vertex(2)
  %5 = fadd.f32 %3, %4
  output o0.z, %5
  return
)"),
            R"(
  %0 = vocp.input vocp47.x vertex(0)
  %1 = vocp.input vocp47.y vertex(0)
  %2 = fadd.f32 [precise] %0, %1
  %3 = fneg.f32 %2
  %4 = fadd.f32 [precise] %3, 1.0f
  %5 = input v0.x
  %6 = umin.u32 %5, 1
  %7 = input v3.x index(%6)
  %8 = input v8.y vertex(2)
  %9 = input v8.z vertex(2)
  %10 = fadd.f32 %8, %9
  output o7.x, %4
  output o7.y, %7
  output o7.z, %10
  output o7.w, 0
  return
)");
}

// One query of the header for all facts of a texture; of a cube array it counts cubes.
TEST(LowerDeko3d, FactsOfATextureAreOneQuery) {
  EXPECT_EQ(lowered(R"(compute 5.0 "main"
thread_group 1 1 1
resource t0 texturecubearray float
resource t1 structured_buffer mixed stride(12)
resource t2 buffer float
uav u0 raw_buffer mixed
)",
                    R"(
  %0 = binding t0.width
  %1 = binding t0.layers
  %2 = binding t1.width
  %3 = iadd %0, %1
  %4 = iadd %2, %3
  %5 = binding t2.width
  %6 = iadd %4, %5
  buf.store u0 raw_buffer mixed coord(0) value(%6) mask(1)
  return
)"),
            R"(
  %0..%3 = tex.size t0 texturecubearray float
  %4 = binding t1.bytes
  %5 = umulhi.u32 %4, 0xaaaaaaab
  %6 = shr.u32 %5, 3
  %7 = iadd %0, %2
  %8 = iadd %7, %6
  %9 = binding t2.width
  %10 = iadd %8, %9
  buf.store u0 raw_buffer mixed coord(0) value(%10) mask(1)
  return
)");
}

TEST(LowerDeko3d, RefusesComputedRegistersOfPixels) {
  EXPECT_THAT(lowered("pixel 5.0 \"main\"\ninput v0.x linear\ninput v1.x linear\noutput o0.x\n",
                      "  %0 = input v0.x\n  %1 = input v0.x index(%0)\n  output o0.x, %1\n  return\n"),
              HasSubstr("a run-time input register number cannot be expressed"));
}

TEST(LowerDeko3d, HasALimit) {
  std::string body = "  %0 = input v0.x\n  %1 = ine %0, 0\n";
  for (int i = 0; i < 16500; ++i) body += "  if %1\n  return\n  else\n  endif\n";
  EXPECT_THAT(lowered("vertex 5.0 \"main\"\ninput v0.x\noutput o0.xyzw\n", body + "  return\n"),
              HasSubstr("more than 65536 output words"));
}

}  // namespace
}  // namespace texlate::maxwell::graphics
