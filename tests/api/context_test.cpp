// texlate_context: it changes no result, keeps memory, and gives all of it back.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/api/aligned_memory.h"
#include "tests/api/translated.h"
#include "tests/support/paths.h"

namespace texlate {
namespace {

struct Caller {
  size_t calls = 0, live = 0;

  texlate_allocator allocator() { return {allocate, release, this}; }

 private:
  static void* allocate(void* user, size_t size, size_t alignment) {
    auto& caller = *static_cast<Caller*>(user);
    ++caller.calls;
    caller.live += size;
    return allocate_aligned(alignment, size);
  }
  static void release(void* user, void* memory, size_t size, size_t) {
    static_cast<Caller*>(user)->live -= size;
    free_aligned(memory);
  }
};

std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/shaders")) {
    if (entry.path().extension() != ".asm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::string translated(const api::Program& program, const char* target, texlate_context* context) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.explain = 1;
  options.reflect = 1;
  options.context = context;
  const api::Output output = program.translate(options);
  std::string all(output.data());
  all.append(output.reflection()).append(output.explanation_json());
  for (const api::Diagnostic& diagnostic : output.diagnostics()) all.append(diagnostic.message);
  return all;
}

constexpr std::string_view kSmall = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0,0,0,1.0)\nret\n";

TEST(Context, ChangesNoResult) {
  const api::Context context;
  for (const std::string& text : examples()) {
    const api::Program program(text);
    for (const char* target : {"spirv", "ptx", "maxwell", "dksh", "ir", "asm", "dxbc"})
      EXPECT_EQ(translated(program, target, context.get()), translated(program, target, nullptr)) << target;
  }
  // The text form of the IR is read into a module of its own.
  const api::Program program(kSmall);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ir";
  const api::Program ir(program.translate(options).data());
  ASSERT_TRUE(ir.ok());
  EXPECT_EQ(translated(ir, "spirv", context.get()), translated(ir, "spirv", nullptr));
}

TEST(Context, KeepsItsMemory) {
  Caller caller;
  const texlate_allocator allocator = caller.allocator();
  {
    const api::Context context(&allocator);
    const api::Program program(examples().front());
    for (int warm = 0; warm < 3; ++warm) translated(program, "spirv", context.get());
    const size_t calls = caller.calls;
    EXPECT_GT(caller.live, size_t{1000});
    for (int round = 0; round < 5; ++round) translated(program, "spirv", context.get());
    EXPECT_EQ(caller.calls, calls) << "nothing more is requested";
  }
  EXPECT_EQ(caller.live, 0u);
}

TEST(Context, ACallbackMayTranslateWithIt) {
  struct Nested {
    const api::Program program{kSmall};
    const api::Context context;
    std::string first;
    int different = 0, calls = 0;

    static void tell(void* self, const char*, const char*, size_t) {
      auto& nested = *static_cast<Nested*>(self);
      ++nested.calls;
      if (translated(nested.program, "spirv", nested.context.get()) != nested.first) ++nested.different;
    }
  } nested;
  nested.first = translated(nested.program, "spirv", nullptr);
  const api::Program outer(examples().front());
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ptx";
  options.context = nested.context.get();
  options.after_pass = Nested::tell;
  options.after_pass_user = &nested;
  const std::string with_callback(outer.translate(options).data());
  options.after_pass = nullptr;
  options.context = nullptr;
  EXPECT_EQ(with_callback, outer.translate(options).data());
  EXPECT_GT(nested.calls, 3);
  EXPECT_EQ(nested.different, 0);
}

TEST(Context, IsUsableAfterAnError) {
  const api::Context context;
  const api::Program bad(
      "gs_5_0\ndcl_inputprimitive point\ndcl_outputtopology pointlist\ndcl_maxout 1\nret\n");
  const api::Program good(kSmall);
  const std::string expected = translated(good, "ptx", nullptr);
  for (int round = 0; round < 3; ++round) {
    translated(bad, "ptx", context.get());
    EXPECT_EQ(translated(good, "ptx", context.get()), expected);
  }
}

TEST(Context, ProgramsAndOutputsOutliveIt) {
  const api::Program program(kSmall);
  texlate_context* context = nullptr;
  ASSERT_EQ(texlate_context_create(nullptr, &context), TEXLATE_OK);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.context = context;
  const api::Output output = program.translate(options);
  const std::string before(output.data());
  texlate_context_free(context);
  EXPECT_EQ(output.data(), before);
  options.context = nullptr;
  EXPECT_EQ(program.translate(options).data(), before);
}

TEST(Context, WrongArgumentsAreRefused) {
  EXPECT_EQ(texlate_context_create(nullptr, nullptr), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "context is null");
  texlate_context* context = nullptr;
  const texlate_allocator half = {nullptr, nullptr, nullptr};
  EXPECT_EQ(texlate_context_create(&half, &context), TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(context, nullptr);
  texlate_context_free(nullptr);
}

}  // namespace
}  // namespace texlate
