// Calls every entry point of the C interface with memory that runs out at the n-th allocation, for every n.
// The call must return TEXLATE_ERROR_MEMORY or the same result as with enough memory, and free everything.
// In one test the caller's allocator fails, in the other one the C++ runtime's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/api/aligned_memory.h"
#include "tests/api/failing_new.h"
#include "tests/unit/dxbc/definitions_chunk.h"
#include "texlate/texlate.h"

namespace texlate {
namespace {

constexpr std::string_view kPixel =
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// \\xff\\x80\\x0aNAME         0   xyzw        1     NONE   float   xyzw\n//\n"
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb2[3], dynamicIndexed\n"
    "dcl_sampler s1, mode_default\ndcl_resource_texture2d (float,float,float,float) "
    "t7\ndcl_resource_structured t8, 16\n"
    "dcl_uav_typed_texture2d (float,float,float,float) u1\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\n"
    "dcl_temps 2\ndcl_indexableTemp x0[4], 4\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t7.xyzw, s1\n"
    "ftou r1.xy, v1.zwzz\nloop \nuge r1.z, r1.x, l(4)\nbreakc_nz r1.z\nmov x0[r1.x + 0].xyzw, r0.xyzw\n"
    "iadd r1.x, r1.x, l(1)\nudiv r1.y, null, r1.y, r1.x\nendloop \n"
    "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.xyzw, r1.y, l(0), "
    "t8.xyzw\n"
    "store_uav_typed u1.xyzw, r1.xyyy, r0.xyzw\n"
    "add o0.xyzw, r0.xyzw, cb2[r1.y + 1].xyzw\nret \n";
constexpr std::string_view kCompute =
    "cs_5_0\ndcl_uav_structured u0, 8\ndcl_uav_raw u1\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_tgsm_raw g0, "
    "64\n"
    "dcl_thread_group 8, 1, 1\nstore_raw g0.x, l(4), vThreadID.x\nsync_g_t\nld_raw r0.x, l(4), g0.xxxx\n"
    "imm_atomic_alloc r0.y, u0\nswitch r0.x\ncase l(1)\nstore_raw u1.x, l(0), r0.x\nbreak \ndefault \nbreak "
    "\n"
    "endswitch \nret \n";
constexpr std::string_view kBroken = "ps_5_0\nmov r0.x, nonsense\nadd r9.x\nret \n";

struct Caller {
  int64_t left = -1;  // negative: unlimited
  int64_t live = 0;
};
void* allocate(void* user, size_t size, size_t alignment) {
  auto* caller = static_cast<Caller*>(user);
  if (caller->left == 0) return nullptr;
  if (caller->left > 0) --caller->left;
  ++caller->live;
  return allocate_aligned(alignment, size);
}
void release(void* user, void* memory, size_t, size_t) {
  --static_cast<Caller*>(user)->live;
  free_aligned(memory);
}

/// The result of one entry point.
struct Result {
  texlate_status status = TEXLATE_OK;
  std::string data;
};

std::string contents(const texlate_output* output) {
  size_t size = 0;
  const char* data = texlate_output_data(output, &size);
  std::string all = data != nullptr ? std::string(data, size) : std::string();
  if (const char* json = texlate_output_reflection(output, &size)) all.append(json, size);
  all += std::to_string(texlate_output_diagnostic_count(output));
  all += std::to_string(texlate_output_explanation_count(output));
  return all;
}

/// Parses `source` and calls `work` with the program.
Result with_program(std::string_view source, const texlate_allocator* allocator,
                    const std::function<texlate_status(texlate_program*, texlate_output**)>& work) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.allocator = allocator;
  Result result;
  texlate_program* program = nullptr;
  result.status = texlate_parse(source.data(), source.size(), &options, &program);
  if (result.status == TEXLATE_OK || result.status == TEXLATE_ERROR_INPUT) {
    texlate_output* output = nullptr;
    result.status = work(program, &output);
    const int64_t left = std::exchange(test::runtime_allocations_left, -1);
    if (output != nullptr) result.data = contents(output);
    test::runtime_allocations_left = left;
    texlate_output_free(output);
  }
  texlate_program_free(program);
  return result;
}

struct Entry {
  std::string name;
  std::function<Result(const texlate_allocator*)> call;
};

Result translate(std::string_view source, const std::string& target, const texlate_allocator* allocator,
                 texlate_context* context = nullptr) {
  return with_program(source, allocator, [&](texlate_program* program, texlate_output** output) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = target.c_str();
    options.reflect = 1;
    options.explain = 1;
    options.entry = "na\xffme";
    if (target == "ptx") options.entry = "name";
    options.context = context;
    return texlate_translate(program, &options, output);
  });
}

std::vector<Entry> entries() {
  std::vector<Entry> list;
  texlate_target_info info;
  info.struct_size = sizeof info;
  for (const auto& shader :
       {std::pair{"pixel", kPixel}, std::pair{"compute", kCompute}, std::pair{"broken", kBroken}}) {
    const auto name = shader.first;
    const auto source = shader.second;  // not a structured binding: clang 14 cannot capture one
    for (uint32_t i = 0; i < texlate_target_count(); ++i) {
      if (texlate_target_get_info(i, &info) != TEXLATE_OK) continue;
      const std::string target = info.name;
      list.push_back({std::string(name) + " to " + target, [source, target](const auto* allocator) {
                        return translate(source, target, allocator);
                      }});
    }
    list.push_back({std::string("check of ") + name, [source](const auto* allocator) {
                      return with_program(source, allocator,
                                          [](texlate_program* program, texlate_output** output) {
                                            return texlate_check(program, output);
                                          });
                    }});
    for (const int json : {0, 1}) {
      list.push_back({std::string("info of ") + name + (json != 0 ? " as JSON" : ""),
                      [source, json](const auto* allocator) {
                        return with_program(source, allocator,
                                            [&](texlate_program* program, texlate_output** output) {
                                              return texlate_info(program, json, output);
                                            });
                      }});
    }
  }
  std::string container;
  with_program(kPixel, nullptr, [&](texlate_program* program, texlate_output** output) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "dxbc";
    const texlate_status status = texlate_translate(program, &options, output);
    size_t size = 0;
    const char* data = texlate_output_data(*output, &size);
    container.assign(data, size);
    return status;
  });
  for (const std::string target : {"asm", "spirv", "ptx"}) {
    list.push_back({"container to " + target, [container, target](const auto* allocator) {
                      return translate(container, target, allocator);
                    }});
  }
  const auto defined = shader_with_definitions();
  const std::string names(reinterpret_cast<const char*>(defined.data()), defined.size());
  list.push_back({"definitions", [names](const texlate_allocator* allocator) {
                    return with_program(names, allocator, [](texlate_program* program, texlate_output**) {
                      texlate_definitions* definitions = nullptr;
                      const texlate_status status = texlate_definitions_read(program, &definitions);
                      texlate_definitions_free(definitions);
                      return status;
                    });
                  }});
  // The second translation with a context finds what the first one left, whether that succeeded or not.
  for (const std::string target : {"spirv", "ptx", "maxwell"}) {
    list.push_back({"twice with a context to " + target, [target](const auto* allocator) {
                      texlate_context* context = nullptr;
                      Result result;
                      result.status = texlate_context_create(allocator, &context);
                      if (result.status != TEXLATE_OK) return result;
                      translate(kPixel, target, allocator, context);
                      result = translate(kPixel, target, allocator, context);
                      texlate_context_free(context);
                      return result;
                    }});
  }
  list.push_back({"maxwell assembly", [](const texlate_allocator* allocator) {
                    texlate_maxwell_options options = TEXLATE_MAXWELL_OPTIONS_INIT;
                    options.allocator = allocator;
                    constexpr std::string_view kText = "MOV R0, R1;\nIADD R0, R1, R2;\nEXIT;\n";
                    texlate_output* output = nullptr;
                    Result result;
                    result.status = texlate_maxwell_assemble(kText.data(), kText.size(), &options, &output);
                    const int64_t left = std::exchange(test::runtime_allocations_left, -1);
                    if (output != nullptr) result.data = contents(output);
                    test::runtime_allocations_left = left;
                    texlate_output_free(output);
                    return result;
                  }});
  return list;
}

// The first test: later ones find what the first call has made.
TEST(AllocationFailure, NamesNeedNoMemory) {
  test::runtime_allocations_left = 0;
  const char* const pass = texlate_pass_name(0);
  const uint32_t targets = texlate_target_count();
  test::runtime_allocations_left = -1;
  EXPECT_STREQ(pass, "lower");
  EXPECT_GT(targets, 0u);
}

TEST(AllocationFailure, OfTheCallersAllocator) {
  uint64_t calls = 0;
  for (const Entry& entry : entries()) {
    const Result wanted = entry.call(nullptr);
    EXPECT_NE(wanted.status, TEXLATE_ERROR_INTERNAL) << entry.name;
    for (int64_t n = 0;; ++n, ++calls) {
      Caller caller{n, 0};
      const texlate_allocator allocator{allocate, release, &caller};
      const Result found = entry.call(&allocator);
      ASSERT_EQ(caller.live, 0) << entry.name << ", allocation " << n;
      if (found.status == TEXLATE_ERROR_MEMORY) continue;
      EXPECT_EQ(found.status, wanted.status) << entry.name << ", allocation " << n;
      EXPECT_EQ(found.data, wanted.data) << entry.name << ", allocation " << n;
      break;
    }
  }
  std::printf("%llu calls ran out of memory\n", static_cast<unsigned long long>(calls));
  EXPECT_GT(calls, 100u);
}

/// Builds without NDEBUG validate every module with SPIRV-Tools, which leaks what it has if operator new
/// throws.
#ifdef NDEBUG
constexpr bool kReleasesAll = true;
#else
constexpr bool kReleasesAll = false;
#endif

TEST(AllocationFailure, OfTheRuntimesAllocator) {
  uint64_t calls = 0;
  for (const Entry& entry : entries()) {
    const Result wanted = entry.call(nullptr);
    int64_t refused = 0;
    // SPIRV-Tools allocates thousands of times per call: first every n, from 300 on in growing steps.
    for (int64_t n = 0; n < 200000; n += n < 300 ? 1 : n / 50) {
      const int64_t live = test::runtime_allocations_live;
      test::runtime_allocations_left = n;
      Result found = entry.call(nullptr);
      const bool had_enough = test::runtime_allocations_left > 0;
      test::runtime_allocations_left = -1;
      ++calls;
      found.data.shrink_to_fit();
      const int64_t kept = found.data.capacity() > std::string().capacity() ? 1 : 0;
      if (kReleasesAll) {
        ASSERT_EQ(test::runtime_allocations_live - live, kept) << entry.name << ", allocation " << n;
      }
      if (found.status == TEXLATE_ERROR_MEMORY) {
        ++refused;
        continue;
      }
      ASSERT_EQ(found.status, wanted.status) << entry.name << ", allocation " << n;
      ASSERT_EQ(found.data, wanted.data) << entry.name << ", allocation " << n;
      if (had_enough) break;
    }
    EXPECT_GT(refused, 0) << entry.name;
  }
  std::printf("%llu calls ran out of the runtime's memory\n", static_cast<unsigned long long>(calls));
}

}  // namespace
}  // namespace texlate
