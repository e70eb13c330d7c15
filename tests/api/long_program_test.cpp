// Long programs of every shape: what a translation holds at once, from the caller's allocator.

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/api/aligned_memory.h"
#include "tests/api/translated.h"

namespace texlate {
namespace {

class Peak {
 public:
  texlate_allocator allocator() { return {allocate, release, this}; }
  size_t most() const { return most_; }

 private:
  static void* allocate(void* user, size_t size, size_t alignment) {
    auto& peak = *static_cast<Peak*>(user);
    peak.live_ += size;
    peak.most_ = std::max(peak.most_, peak.live_);
    return allocate_aligned(alignment, size);
  }
  static void release(void* user, void* memory, size_t size, size_t) {
    static_cast<Peak*>(user)->live_ -= size;
    free_aligned(memory);
  }

  size_t live_ = 0, most_ = 0;
};

/// What is repeated, with % for a number that differs each time.
struct Shape {
  std::string_view name;
  size_t instructions;
  std::string_view text;
};

constexpr Shape kShapes[] = {
    {"straight", 4,
     "sample r2.xyzw, r0.xyxx, t0.xyzw, s0\n"
     "mad r0.xyzw, r2.xyzw, cb0[3].xyzw, r0.xyzw\n"
     "mad r1.xyzw, r0.wxyz, l(%.5, 0.25, 0.5, 2.0), r1.xyzw\n"
     "mad r0.xyzw, r1.zwxy, l(0.5, %.75, 2.0, 1.5), r0.xyzw\n"},
    {"ifs", 5,
     "lt r2.x, r0.x, l(%.5)\nif_nz r2.x\nmad r0.xyzw, r1.xyzw, cb0[3].xyzw, r0.xyzw\n"
     "add r1.y, r0.x, r1.z\nendif\n"},
    {"loops", 8,
     "mov r2.x, l(0)\nloop\nige r2.y, r2.x, l(%)\nbreakc_nz r2.y\n"
     "mad r0.xyzw, r1.xyzw, cb0[3].xyzw, r0.xyzw\nadd r1.y, r0.x, r1.z\niadd r2.x, r2.x, l(1)\nendloop\n"},
    {"textures", 2, "sample r2.xyzw, r0.xyxx, t0.xyzw, s0\nadd r0.xyzw, r0.xyzw, r2.xyzw\n"},
};

std::string long_shader(const Shape& shape, size_t instructions) {
  std::string text =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[4], immediateIndexed\n"
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 3\nmov r0.xyzw, v0.xyzw\nmov r1.xyzw, "
      "v0.yzwx\n";
  for (size_t i = 0; i < instructions / shape.instructions; ++i) {
    for (const char c : shape.text) c == '%' ? text.append(std::to_string(i)) : text.append(1, c);
  }
  return text + "add o0.xyzw, r0.xyzw, r1.xyzw\nret\n";
}

/// A program of 100,000 instructions stays below 256 MiB (docs/performance.md). What is requested is up to
/// twice as much as what is ever touched.
TEST(LongProgram, NeedsFewBytesForEachInstruction) {
  constexpr size_t kInstructions = 20000, kBytesEach = 5000;
  for (const Shape& shape : kShapes) {
    const std::string text = long_shader(shape, kInstructions);
    for (const char* const target : {"spirv", "ptx", "maxwell", "dksh"}) {
      Peak peak;
      const texlate_allocator allocator = peak.allocator();
      texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
      parse.allocator = &allocator;
      texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
      options.target = target;
      const api::Program program(text, &parse);
      const api::Output output = program.translate(options);
      EXPECT_TRUE(output.ok()) << shape.name << " to " << target;
      EXPECT_LT(peak.most() / kInstructions, kBytesEach) << shape.name << " to " << target;
      RecordProperty(std::string(shape.name) + "_" + target, static_cast<int>(peak.most() / kInstructions));
    }
  }
}

}  // namespace
}  // namespace texlate
