// Hull, domain and geometry shaders on the interpreter.
#include <numeric>

#include "tests/unit/sim_ir/run_text.h"

namespace texlate::sim {
namespace {

constexpr uint32_t bit(Undefined reason) {
  return static_cast<uint32_t>(reason);
}

/// A module and what runs it.
struct TextModule {
  explicit TextModule(std::string_view text) {
    ir::parse_or_fail(text, module);
    ir::verify_or_fail(module);
    Diagnostics diagnostics;
    interpreter = Interpreter::create(module, diagnostics);
    EXPECT_NE(interpreter, nullptr) << ir::to_text(diagnostics);
  }
  ir::Module module;
  std::unique_ptr<Interpreter> interpreter;
};

// ---- geometry ----

EmittedVertices emitted_by(std::string_view header, std::string_view body, PrimitiveInputs primitives) {
  TextModule text("module geometry 5.0 \"main\"\ninput_primitive 3\noutput_topology 5\n" +
                  std::string(header) + "code {\n" + std::string(body) + "}\n");
  EmittedVertices emitted;
  text.interpreter->run(Bindings(text.module), GeometryLaunch{primitives, &emitted});
  return emitted;
}

std::vector<uint32_t> words_of(const EmittedVertices& emitted, uint32_t plane) {
  std::vector<uint32_t> words;
  for (size_t v = 0; v < emitted.vertices.size(); ++v)
    words.push_back(emitted.words[v * emitted.planes + plane]);
  return words;
}

TEST(GeometryShader, ReadsItsVerticesAndEmitsInOrder) {
  // Two triangles in two instances: 8 emissions with v[k].x, in the order of primitive and instance.
  const std::vector<uint32_t> planes = {1, 2, 3, 4, 5, 6};
  const std::vector<uint32_t> ids = {70, 80};
  const EmittedVertices emitted =
      emitted_by("gs_instances 2\nmax_vertex_count 2\ninput v0.x array(3)\noutput o0.xyz\n",
                 "  %0 = sysval gs_instance_id.x\n  %1 = sysval primitive_register.x\n"
                 "  %2 = input v0.x vertex(%0)\n  output o0.x, %2\n  output o0.y, %1\n  emit 0\n"
                 "  %3 = input v0.x vertex(2)\n  output o0.x, %3\n  output o0.z, %0\n  emit 0\n",
                 {2, 3, planes, ids});
  EXPECT_EQ(words_of(emitted, 0), (std::vector<uint32_t>{1, 3, 2, 3, 4, 6, 5, 6}));
  EXPECT_EQ(words_of(emitted, 1), (std::vector<uint32_t>{70, 0, 70, 0, 80, 0, 80, 0}));
  EXPECT_EQ(words_of(emitted, 2), (std::vector<uint32_t>{0, 0, 0, 1, 0, 0, 0, 1}));
  ASSERT_EQ(emitted.vertices.size(), 8u);
  EXPECT_EQ(emitted.vertices[3].primitive, 0u);
  EXPECT_EQ(emitted.vertices[3].instance, 1u);
  // What was written before an emission is undefined after it.
  EXPECT_EQ(emitted.written[1 * emitted.planes + 1], 0);
  EXPECT_EQ(emitted.written[1 * emitted.planes + 2], 1);
}

TEST(GeometryShader, CutsStartStripsAlsoOfEmptyOnes) {
  const EmittedVertices emitted = emitted_by(
      "max_vertex_count 8\noutput o0.x\n",
      "  cut 0\n  cut 0\n  emit 0\n  emit 0\n  cut 0\n  cut 0\n  emit 0\n  cut 0\n", {1, 3, {}, {}});
  ASSERT_EQ(emitted.vertices.size(), 3u);
  EXPECT_TRUE(emitted.vertices[0].starts_strip);
  EXPECT_FALSE(emitted.vertices[1].starts_strip);
  EXPECT_TRUE(emitted.vertices[2].starts_strip);
}

TEST(GeometryShader, StreamsHaveStripsOfTheirOwn) {
  const EmittedVertices emitted =
      emitted_by("max_vertex_count 8\noutput o0.x\noutput o0.x stream(3)\n",
                 "  output o0.x, 5\n  emit 3\n  emit 0\n  cut 0\n  output o0.x, 6\n  emit 3\n  emit 0\n",
                 {1, 1, {}, {}});
  ASSERT_EQ(emitted.vertices.size(), 4u);
  EXPECT_EQ(emitted.vertices[0].stream, 3u);
  EXPECT_EQ(words_of(emitted, 0), (std::vector<uint32_t>{5, 0, 6, 0}));
  EXPECT_FALSE(emitted.vertices[2].starts_strip) << "stream 3 was not cut";
  EXPECT_TRUE(emitted.vertices[3].starts_strip);
}

TEST(GeometryShader, EmissionsBeyondTheDeclaredCountAreDropped) {
  const std::string_view loop =
      "  %0 = loop init(0)\n    %1 = uge.u32 %0, 40\n    if %1\n      break\n    else\n    endif\n"
      "    output o0.x, %0\n    emit 0\n    %2 = iadd %0, 1\n  endloop yields(%2)\n";
  EXPECT_EQ(emitted_by("max_vertex_count 40\noutput o0.x\n", loop, {1, 3, {}, {}}).vertices.size(), 40u);
  const EmittedVertices emitted = emitted_by("max_vertex_count 3\noutput o0.x\n", loop, {2, 3, {}, {}});
  EXPECT_EQ(words_of(emitted, 0), (std::vector<uint32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(GeometryShader, HasAsManyInstancesAsDeclared) {
  const EmittedVertices emitted =
      emitted_by("gs_instances 32\nmax_vertex_count 1\noutput o0.x\n",
                 "  %0 = sysval gs_instance_id.x\n  output o0.x, %0\n  emit 0\n", {3, 1, {}, {}});
  ASSERT_EQ(emitted.vertices.size(), 96u);
  EXPECT_EQ(words_of(emitted, 0)[95], 31u);
  EXPECT_EQ(emitted.vertices[95].primitive, 2u);
}

TEST(GeometryShader, AVertexOutOfRangeIsUndefined) {
  const std::vector<uint32_t> planes = {1, 2, 3};
  for (const char* index : {"3", "-1", "0x80000000"}) {
    const EmittedVertices emitted =
        emitted_by("max_vertex_count 1\ninput v0.x array(3)\noutput o0.x\n",
                   "  %0 = input v0.x vertex(" + std::string(index) + ")\n  output o0.x, %0\n  emit 0\n",
                   {1, 3, planes, {}});
    ASSERT_EQ(emitted.vertices.size(), 1u);
    EXPECT_EQ(emitted.vertices[0].undefined, bit(Undefined::vertex_index)) << index;
    EXPECT_EQ(emitted.words[0], 0u);
  }
}

// ---- hull ----

constexpr std::string_view kHullHeader =
    "module hull 5.0 \"main\"\ninput_control_points 3\noutput_control_points 4\ntessellator_domain 3\n"
    "tessellator_partitioning 1\ntessellator_output 3\ninput v0.x array(3)\noutput o0.xy\n"
    "patch_constant p0.xyz\npatch_constant p1.x\n";

struct HullRun {
  HullRun(std::string_view phases, std::string_view body, uint32_t patches = 2)
      : text(std::string(kHullHeader) + std::string(phases) + "code {\n" + std::string(body) + "}\n"),
        inputs(size_t{patches} * 3),
        points(size_t{8} * patches * 4),
        constants(size_t{8} * patches),
        undefined(patches) {
    std::iota(inputs.begin(), inputs.end(), 10u);
    text.interpreter->run(Bindings(text.module),
                          HullLaunch{{patches, 3, inputs, {}}, points, constants, undefined});
  }
  TextModule text;
  std::vector<uint32_t> inputs, points, constants, undefined;
};

constexpr std::string_view kCopyPoints =
    "  phase 0\n  %0 = sysval output_control_point_id.x\n  %1 = umin.u32 %0, 2\n  %2 = input v0.x "
    "vertex(%1)\n"
    "  output o0.x, %2\n  output o0.y, %0\n  return\n";

TEST(HullShader, RunsPhasesInOrder) {
  const HullRun run(
      "phase 0 control_point instances(1)\nphase 1 fork instances(3)\nphase 2 join instances(1)\n",
      std::string(kCopyPoints) +
          // fork: p0[instance] = x of output control point `instance` + 100
          "  phase 1\n  %3 = sysval fork_instance_id.x\n  %4 = vocp.input vocp0.x vertex(%3)\n  %5 = iadd "
          "%4, "
          "100\n"
          "  %6 = ieq %3, 0\n  if %6\n    patch.output p0.x, %5\n  else\n    %7 = ieq %3, 1\n    if %7\n"
          "      patch.output p0.y, %5\n    else\n      patch.output p0.z, %5\n    endif\n  endif\n  return\n"
          // join: the sum of the three
          "  phase 2\n  %8 = patch.input vpc0.x\n  %9 = patch.input vpc0.y\n  %10 = patch.input vpc0.z\n"
          "  %11 = iadd %8, %9\n  %12 = iadd %10, %11\n  patch.output p1.x, %12\n  return\n");
  // Plane 0: four points of each patch.
  EXPECT_EQ((std::vector<uint32_t>{run.points.begin(), run.points.begin() + 16}),
            (std::vector<uint32_t>{10, 11, 12, 12, 13, 14, 15, 15, 0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ((std::vector<uint32_t>{run.constants.begin(), run.constants.begin() + 10}),
            (std::vector<uint32_t>{110, 113, 111, 114, 112, 115, 0, 0, 333, 342}));
  EXPECT_EQ(run.undefined, (std::vector<uint32_t>{0, 0}));
}

TEST(HullShader, RunsAHundredInstances) {
  const HullRun run("phase 0 control_point instances(1)\nphase 1 fork instances(99)\n",
                    std::string(kCopyPoints) +
                        "  phase 1\n  %3 = sysval fork_instance_id.x\n  %4 = ieq %3, 98\n  if %4\n"
                        "    patch.output p1.x, %3\n  else\n  endif\n  return\n",
                    1);
  EXPECT_EQ(run.constants[4], 98u);
}

TEST(HullShader, ReturnEndsAPhaseAlone) {
  const HullRun run(
      "phase 0 control_point instances(1)\nphase 1 fork instances(1)\nphase 2 join instances(1)\n",
      std::string(kCopyPoints) +
          "  phase 1\n  if true\n    patch.output p0.x, 1\n    return\n  else\n  endif\n"
          "  patch.output p0.x, 2\n  return\n  phase 2\n  patch.output p0.y, 3\n  return\n",
      1);
  EXPECT_EQ(run.constants[0], 1u);
  EXPECT_EQ(run.constants[1], 3u);
}

TEST(HullShader, NoticesWhatIsUndefined) {
  const auto undefined = [](std::string_view kind, std::string_view body) {
    return HullRun("phase 0 control_point instances(1)\nphase 1 " + std::string(kind) + "\n",
                   std::string(kCopyPoints) + "  phase 1\n" + std::string(body) + "  return\n", 1)
        .undefined[0];
  };
  const std::string id = "  %3 = sysval fork_instance_id.x\n", join_id = "  %3 = sysval join_instance_id.x\n";
  EXPECT_EQ(undefined("join instances(1)", "  %3 = patch.input vpc0.x\n  patch.output p1.x, %3\n"),
            bit(Undefined::uninitialized));
  EXPECT_EQ(undefined("fork instances(2)", id + "  patch.output p0.x, %3\n"), bit(Undefined::race));
  EXPECT_EQ(undefined("fork instances(2)", id + "  patch.output p0.x, 7\n"), 0u) << "the same value";
  EXPECT_EQ(
      undefined("join instances(40)", join_id + "  %4 = patch.input vpc0.x\n  patch.output p0.x, %3\n") &
          bit(Undefined::race),
      bit(Undefined::race));
  EXPECT_EQ(undefined("fork instances(1)", "  %3 = vocp.input vocp0.x vertex(4)\n  patch.output p0.x, %3\n"),
            bit(Undefined::vertex_index));
}

// ---- domain ----

TEST(DomainShader, ReadsControlPointsConstantsAndItsLocation) {
  TextModule text(
      "module domain 5.0 \"main\"\ninput_control_points 2\ntessellator_domain 2\ninput v0.x array(2)\n"
      "patch_constant p0.xy\noutput o0.xyzw\noutput o1.x\ncode {\n  %0 = sysval domain_point.x\n"
      "  %1 = sysval domain_point.z\n  %2 = input v0.x vertex(1)\n  %3 = patch.input vpc0.y\n"
      "  %4 = sysval primitive_register.x\n  output o0.x, %0\n  output o0.y, %1\n  output o0.z, %2\n"
      "  output o0.w, %3\n  output o1.x, %4\n}\n");
  constexpr uint32_t kPoints = 70;  // more than the interpreter runs at a time
  const std::vector<uint32_t> points = {1, 2, 3, 4}, constants = {50, 60, 70, 80}, ids = {7, 9};
  std::vector<uint32_t> patch(kPoints), locations(size_t{3} * kPoints), outputs(size_t{8} * kPoints);
  for (uint32_t i = 0; i < kPoints; ++i) patch[i] = i % 2;
  std::iota(locations.begin(), locations.end(), 1000u);
  text.interpreter->run(Bindings(text.module),
                        DomainLaunch{{2, 2, points, ids}, constants, kPoints, patch, locations, outputs, {}});
  for (uint32_t i = 0; i < kPoints; ++i) {
    EXPECT_EQ(outputs[i], 1000 + i);
    EXPECT_EQ(outputs[kPoints + i], 1000 + 2 * kPoints + i);
    EXPECT_EQ(outputs[2 * kPoints + i], i % 2 == 0 ? 2u : 4u);
    EXPECT_EQ(outputs[3 * kPoints + i], i % 2 == 0 ? 70u : 80u);
    EXPECT_EQ(outputs[4 * kPoints + i], i % 2 == 0 ? 7u : 9u);
  }
}

}  // namespace
}  // namespace texlate::sim
