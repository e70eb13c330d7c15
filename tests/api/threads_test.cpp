// Eight threads use the C interface at once. Each parses its own programs, translates them and one shared
// program to every target, and must get the same bytes as a single thread. `make threads` runs this under
// ThreadSanitizer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/paths.h"
#include "texlate/texlate.h"

namespace texlate {
namespace {

constexpr size_t kThreads = 8;
constexpr uint32_t kRounds = 4;

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < texlate_target_count(); ++i) {
    texlate_target_info info = {};
    info.struct_size = sizeof info;
    if (texlate_target_get_info(i, &info) == TEXLATE_OK) names.emplace_back(info.name);
  }
  return names;
}

std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/shaders")) {
    if (entry.path().extension() != ".asm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  texts.emplace_back("ps_5_0\nmov r0.x, nonsense\nret \n");
  return texts;
}

struct Handles {
  texlate_program* program = nullptr;
  explicit Handles(const std::string& text) { texlate_parse(text.data(), text.size(), nullptr, &program); }
  ~Handles() { texlate_program_free(program); }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

/// Status, bytes, reflection and the messages of one translation.
std::string translated(const texlate_program* program, const std::string& target,
                       texlate_context* context = nullptr) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target.c_str();
  options.reflect = 1;
  options.explain = 1;
  options.context = context;
  texlate_output* output = nullptr;
  std::string all = std::to_string(texlate_translate(program, &options, &output));
  if (output == nullptr) return all;
  size_t size = 0;
  if (const char* data = texlate_output_data(output, &size)) all.append(data, size);
  if (const char* json = texlate_output_reflection(output, &size)) all.append(json, size);
  for (size_t i = 0; i < texlate_output_diagnostic_count(output); ++i) {
    texlate_diagnostic diagnostic;
    if (texlate_output_diagnostic(output, i, &diagnostic) != 0)
      all.append(diagnostic.message, diagnostic.message_length);
  }
  texlate_output_free(output);
  return all;
}

TEST(Threads, EachGetsWhatOneAloneGets) {
  const std::vector<std::string> names = targets(), texts = examples();
  ASSERT_GE(names.size(), 5u);
  ASSERT_GE(texts.size(), 8u);
  std::vector<std::string> expected;  // by text, then target
  for (const std::string& text : texts) {
    const Handles own(text);
    for (const std::string& name : names) expected.push_back(translated(own.program, name));
  }
  const Handles shared(texts[0]);
  std::vector<uint32_t> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      texlate_context* context = nullptr;  // odd threads have one
      if (t % 2 == 1) wrong[t] += texlate_context_create(nullptr, &context) != TEXLATE_OK ? 1 : 0;
      for (uint32_t round = 0; round < kRounds; ++round) {
        for (size_t n = 0; n < texts.size(); ++n) {
          const size_t which = (n + t) % texts.size(), target = (n + t + round) % names.size();
          const Handles own(texts[which]);
          wrong[t] +=
              translated(own.program, names[target], context) != expected[which * names.size() + target];
          wrong[t] += translated(shared.program, names[target], context) != expected[target];
        }
      }
      texlate_context_free(context);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<uint32_t>(kThreads, 0));
}

}  // namespace
}  // namespace texlate
