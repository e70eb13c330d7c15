// Descriptors of 5.1 ranges whose index differs between invocations: what accesses them has the decoration,
// and the module declares the capability of their kind (Vulkan, VUID-RuntimeSpirv-NonUniform-06274).
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Robustness kRobustness[] = {Robustness::driver, Robustness::shader};

/// A pixel shader; r0.x differs between invocations. The body writes to r1.
FromListing translated(std::string declarations, std::string body, const Options& options) {
  return FromListing("ps_5_1\ndcl_globalFlags refactoringAllowed\n" + declarations +
                         "dcl_input_ps constant v1.x\ndcl_output o0.xyzw\ndcl_temps 2\nmov r0.x, v1.x\n"
                         "mov r1.xyzw, l(0,0,0,0)\n" +
                         body + "utof o0.xyzw, r1.xyzw\nret\n",
                     options);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// Does an instruction of this kind access a resource through its first operand (the pointer or the image)?
bool accesses(const std::string& op) {
  return op == "OpArrayLength" || op.starts_with("OpAtomic") || op.starts_with("OpImageQuery") ||
         op == "OpImageTexelPointer" || op == "OpImageFetch" || op == "OpImageRead";
}

/// The accesses of a module's text, by whether what they access is decorated.
struct Accesses {
  explicit Accesses(const std::string& text) {
    std::set<std::string> decorated;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string result, equals, op, type, operand;
      words >> result >> equals >> op >> type >> operand;
      if (result == "OpDecorate" && op == "NonUniform") decorated.insert(equals);
      if (!accesses(op)) continue;
      (decorated.contains(operand) ? marked : plain).push_back(op);
    }
  }
  std::vector<std::string> marked, plain;  // the instructions
};

struct Case {
  const char* name;
  const char* declaration;
  const char* body;        // @: the index into the range
  const char* capability;  // without "ArrayNonUniformIndexing"
  uint32_t accesses;       // that a driver's robustness leaves
};

constexpr Case kCases[] = {
    {"resinfo", "dcl_resource_texture2d (float,float,float,float) T0[0:*], space=0\n",
     "resinfo_indexable(texture2d)(float,float,float,float)_uint r1.xyzw, l(0), T0[@].xyzw { nonuniform }\n",
     "SampledImage", 2},
    {"sampleinfo", "dcl_resource_texture2dms(4) (float,float,float,float) T0[0:7], space=0\n",
     "sampleinfo_uint r1.x, T0[@].x { nonuniform }\n", "SampledImage", 1},
    {"resinfo of a view", "dcl_uav_typed_texture2d (uint,uint,uint,uint) U0[0:3], space=0\n",
     "resinfo_indexable(texture2d)(uint,uint,uint,uint)_uint r1.xyzw, l(0), U0[@].xyzw { nonuniform }\n",
     "StorageImage", 1},
    {"bufinfo", "dcl_resource_raw T0[0:*], space=0\n",
     "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, T0[@].x { nonuniform }\n", "StorageBuffer",
     1},
    {"bufinfo of structures", "dcl_uav_structured U0[0:3], 16, space=0\n",
     "bufinfo_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.x, U0[@].x { nonuniform "
     "}\n",
     "StorageBuffer", 1},
    {"bufinfo of texels", "dcl_resource_buffer (float,float,float,float) T0[0:7], space=0\n",
     "bufinfo_indexable(buffer)(float,float,float,float) r1.x, T0[@].x { nonuniform }\n",
     "UniformTexelBuffer", 1},
    // The image's pointer and the texel's.
    {"atomic on an image", "dcl_uav_typed_texture2d (uint,uint,uint,uint) U0[0:*], space=0\n",
     "imm_atomic_iadd r1.x, U0[@] { nonuniform }, r0.xxxx, l(1)\n", "StorageImage", 2},
    {"atomic on texels", "dcl_uav_typed_buffer (sint,sint,sint,sint) U0[0:3], space=0\n",
     "imm_atomic_imax r1.x, U0[@] { nonuniform }, r0.x, l(1)\n", "StorageTexelBuffer", 2},
    {"atomic on words", "dcl_uav_raw U0[0:3], space=0\n",
     "imm_atomic_iadd r1.x, U0[@] { nonuniform }, l(4), l(1)\n", "StorageBuffer", 1},
    {"counter", "dcl_uav_structured_opc U0[0:3], 16, space=0\n",
     "imm_atomic_alloc r1.x, U0[@] { nonuniform }\n", "StorageBuffer", 1},
    {"fetch", "dcl_resource_texture2d (uint,uint,uint,uint) T0[0:7], space=0\n",
     "ld_indexable(texture2d)(uint,uint,uint,uint) r1.xyzw, l(1,2,0,0), T0[@].xyzw { nonuniform }\n",
     "SampledImage", 1},
};

FromListing translated(const Case& each, std::string_view index, std::string_view mark,
                       Robustness robustness) {
  Options options;
  options.robustness = robustness;
  const std::string body = replaced(replaced(each.body, "@", index), " { nonuniform }", mark);
  return translated(each.declaration, body, options);
}

TEST(NonUniformDescriptors, EveryAccessIsDecorated) {
  for (const Robustness robustness : kRobustness) {
    for (const Case& each : kCases) {
      SCOPED_TRACE(each.name);
      const FromListing made = translated(each, "r0.x + 0", " { nonuniform }", robustness);
      ASSERT_FALSE(made.text.empty()) << made.messages;
      const Accesses found(made.text);
      EXPECT_THAT(found.plain, ::testing::IsEmpty()) << made.text;
      // Guards add queries.
      if (robustness == Robustness::driver) {
        EXPECT_EQ(found.marked.size(), each.accesses) << made.text;
      } else {
        EXPECT_GE(found.marked.size(), each.accesses) << made.text;
      }
      EXPECT_EQ(made.count("OpCapability ShaderNonUniform"), 1u) << made.text;
      EXPECT_EQ(made.count(std::string("OpCapability ") + each.capability + "ArrayNonUniformIndexing"), 1u)
          << made.text;
      EXPECT_THAT(made.text, Not(HasSubstr("ArrayDynamicIndexing"))) << "no access is left that needs it";
    }
  }
}

TEST(NonUniformDescriptors, GuardsAskAboutTheSameDescriptor) {
  const Case& image = kCases[6];
  ASSERT_STREQ(image.name, "atomic on an image");
  const FromListing made = translated(image, "r0.x + 0", " { nonuniform }", Robustness::shader);
  EXPECT_THAT(Accesses(made.text).marked, ::testing::Contains("OpImageQuerySize")) << made.text;
  EXPECT_THAT(ir::to_text(made.module), HasSubstr(") non_uniform")) << "properties of the binding";
}

TEST(NonUniformDescriptors, WhatIsNotMarkedIsUniform) {
  for (const Robustness robustness : kRobustness) {
    for (const Case& each : kCases) {
      SCOPED_TRACE(each.name);
      const FromListing made = translated(each, "r0.x + 0", "", robustness);
      ASSERT_FALSE(made.text.empty()) << made.messages;
      EXPECT_EQ(made.count("NonUniform"), 0u) << made.text;
      EXPECT_THAT(made.text, HasSubstr("ArrayDynamicIndexing"));
    }
  }
}

TEST(NonUniformDescriptors, AMarkedConstantIsUniform) {
  for (const Robustness robustness : kRobustness) {
    for (const Case& each : kCases) {
      SCOPED_TRACE(each.name);
      const FromListing made = translated(each, "2", " { nonuniform }", robustness);
      ASSERT_FALSE(made.text.empty()) << made.messages;
      EXPECT_EQ(made.count("NonUniform"), 0u) << made.text;
      EXPECT_THAT(made.text, Not(HasSubstr("ArrayDynamicIndexing"))) << made.text;
    }
  }
}

// The host may pass counters and buffers of words as texel buffers.
TEST(NonUniformDescriptors, CountersAndWordsInTexelBuffers) {
  const BindingEntry entries[] = {{RegisterClass::counter, 0, 0, {0, 40, Passing::texel_buffer}, 4},
                                  {RegisterClass::view, 1, 0, {1, 41, Passing::texel_buffer}, 4}};
  for (const Robustness robustness : kRobustness) {
    Options options;
    options.robustness = robustness;
    options.bindings = {entries, {}};
    const FromListing made = translated(
        "dcl_uav_structured_opc U0[0:3], 16, space=0\ndcl_uav_raw U1[0:3], space=1\n",
        "imm_atomic_alloc r1.x, U0[r0.x + 0] { nonuniform }\n"
        "imm_atomic_iadd r1.y, U1[r0.x + 0] { nonuniform }, l(4), l(1)\n"
        "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.z, U1[r0.x + 0].x { nonuniform }\n",
        options);
    ASSERT_FALSE(made.text.empty()) << made.messages;
    const Accesses found(made.text);
    EXPECT_THAT(found.plain, ::testing::IsEmpty()) << made.text;
    EXPECT_EQ(std::ranges::count(found.marked, "OpImageTexelPointer"), 2) << made.text;
    EXPECT_EQ(std::ranges::count(found.marked, "OpAtomicIAdd"), 2) << made.text;
    EXPECT_GE(std::ranges::count(found.marked, "OpImageQuerySize"), 1) << made.text;
    EXPECT_EQ(made.count("OpCapability StorageTexelBufferArrayNonUniformIndexing"), 1u) << made.text;
  }
}

TEST(NonUniformDescriptors, TheTextFormKeepsTheMark) {
  const std::string text =
      "module pixel 5.1 \"main\"\nresource t0 texture2d float registers(0, 7)\ncode {\n"
      "  %0 = sysval coverage.x\n  %1 = binding t0.width index(%0) non_uniform\n"
      "  %2 = binding t0.height index(%0)\n  %3: b1 = bound t0.bound index(%0) non_uniform\n}\n";
  ir::Module module;
  Diagnostics diagnostics;
  ASSERT_TRUE(ir::parse(text, module, diagnostics)) << ir::to_text(diagnostics, text);
  ir::verify_or_fail(module);
  const std::string printed = ir::to_text(module);
  EXPECT_THAT(printed, HasSubstr("binding t0.width index(%0) non_uniform\n"));
  EXPECT_THAT(printed, HasSubstr("binding t0.height index(%0)\n"));
  EXPECT_THAT(printed, HasSubstr("bound t0.bound index(%0) non_uniform\n"));
}

}  // namespace
}  // namespace texlate::spirv
