// Every listing of the corpus to SPIR-V, checked by SPIRV-Tools' validator for Vulkan 1.1; prints the table.
// The text form is that of spirv-dis.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "backend/spirv/spirv_tools.h"
#include "backend/spirv/target.h"
#include "frontend/asm/parser.h"
#include "frontend/dxbc/read.h"
#include "ir/passes/limit_stores.h"
#include "ir/verifier.h"
#include "library/pipeline.h"
#include "tests/corpus/corpus.h"
#include "tests/support/spirv_meaning.h"
#include "tests/support/spirv_text.h"

namespace texlate {
namespace {

struct Row {
  uint32_t shaders = 0, valid = 0, refused = 0, invalid = 0;
  std::vector<size_t> words;
};

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::error) return std::string(diagnostic.message);
  }
  return "no error";
}

/// Everything that is refused, and why the refusal is right.
constexpr std::string_view kRefused[] = {
    // break_code of vkd3d's tests (twice): a break that is not in a loop or switch
    "break outside loop and switch",
    // a listing that a mod tool changed: r16 with dcl_temps 16
    "r16 is beyond dcl_temps 16",
    // cbuffer-52 of vkd3d's tests: the compiler omitted the declaration of T0
    "t0[0] is not declared, in ld",
    // a geometry shader's is_front_face: Vulkan's rasterizer alone decides it
    "is_front_face as an output cannot be expressed on spirv",
};

/// The only shader with interfaces has fp0[253] of two classes.
constexpr lower::ClassInstance kInstances[] = {{0, 0, 0, 0, 0, 0}, {1, 1, 0, 1, 1, 1}};

struct Folder {
  const char* name;
  const char* extension;
};
// The containers of pairs are the same shaders as their listings.
constexpr Folder kFolders[] = {{"games", ".asm"},
                               {"pairs", ".asm"},
                               {"hlsl_suite", ".dxbc"},
                               {"fxc_suite", ".dxbc"},
                               {"dxbc_suite", ".dxbc"}};

class SpirvCorpus : public ::testing::TestWithParam<spirv::Robustness> {};

TEST_P(SpirvCorpus, EveryListingIsValidOrRefused) {
  TEXLATE_NEEDS_CORPUS();
  static constexpr const char* kStages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
  std::map<std::string, Row> table;
  std::map<std::string, uint32_t> reasons;
  uint32_t shown = 0, unread = 0;
  for (const auto& [folder, extension] : kFolders) {
    for (const auto& path : corpus::files(folder, extension)) {
      std::pmr::monotonic_buffer_resource arena(1 << 20);
      Diagnostics diagnostics(&arena);
      sm4::Program program(&arena);
      const std::string source = corpus::read(path);
      dxbc::Container container(&arena);
      const bool read = std::string_view(extension) == ".asm"
                            ? assembly::parse(source, program, diagnostics)
                            : dxbc::read(std::as_bytes(std::span(source)), container, program, diagnostics);
      if (!read) {
        ++unread;
        continue;
      }
      Row& row = table[kStages[static_cast<uint32_t>(program.version.stage)]];
      ++row.shaders;
      ir::Module module(&arena);
      spirv::TargetOptions own;
      own.emit.robustness = GetParam();
      library::TranslateOptions options;
      options.to = "spirv";
      options.backend.own = &own;
      options.classes = kInstances;
      const backend::Target& target = *library::find_target(options.to);
      library::Emitted emitted(&arena);
      bool good = library::prepare(program, &target, options, module, diagnostics);
      if (good) {
        EXPECT_TRUE(ir::verify(module, diagnostics)) << path << first_error(diagnostics);
        good = library::emit(module, target, options.backend, emitted, diagnostics);
      }
      if (!good) {
        ++row.refused;
        ++reasons[first_error(diagnostics)];
        EXPECT_TRUE(diagnostics.has_errors()) << path;
        continue;
      }
      // Joined operations must give the same results as the scalar ones.
      std::pmr::vector<uint32_t> words(emitted.data.size() / sizeof(uint32_t), &arena);
      std::memcpy(words.data(), emitted.data.data(), emitted.data.size());
      own.emit.vectors = false;
      own.emit.names = false;
      std::pmr::vector<uint32_t> scalar(&arena);
      if (ir::has_limited_stores(module, {}, nullptr, {})) ir::limit_stores(module, {});
      EXPECT_TRUE(spirv::emit(module, own.emit, scalar, diagnostics)) << path;
      EXPECT_TRUE(spirv::meaning(words) == spirv::meaning(scalar)) << path;
      std::pmr::string text;
      EXPECT_TRUE(spirv::disassemble(words, text)) << path;
      EXPECT_TRUE(std::string_view(text) == spirv::text_of_spirv_tools(words)) << path;
      std::string message;
      if (spirv::validate(words, message)) {
        ++row.valid;
        row.words.push_back(words.size());
        continue;
      }
      ++row.invalid;
      if (++shown <= 20) ADD_FAILURE() << path.filename() << ": " << message.substr(0, 300);
    }
  }
  std::printf("%u files are no shaders or cannot be read\nstage shaders valid refused invalid median words\n",
              unread);
  for (auto& [stage, row] : table) {
    std::sort(row.words.begin(), row.words.end());
    std::printf("%-5s %7u %5u %7u %7u %12zu\n", stage.c_str(), row.shaders, row.valid, row.refused,
                row.invalid, row.words.empty() ? 0 : row.words[row.words.size() / 2]);
    EXPECT_EQ(row.invalid, 0u) << stage;
  }
  std::vector<std::pair<uint32_t, std::string>> sorted;
  for (const auto& [reason, count] : reasons) {
    EXPECT_NE(std::ranges::find(kRefused, reason), std::end(kRefused)) << reason;
    sorted.push_back({count, reason});
  }
  std::sort(sorted.rbegin(), sorted.rend());
  for (const auto& [count, reason] : sorted) std::printf("%5u %s\n", count, reason.c_str());
}

INSTANTIATE_TEST_SUITE_P(Robustness, SpirvCorpus,
                         ::testing::Values(spirv::Robustness::driver, spirv::Robustness::shader),
                         [](const auto& instance) {
                           return instance.param == spirv::Robustness::driver ? "driver" : "shader";
                         });

}  // namespace
}  // namespace texlate
