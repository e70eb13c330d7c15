// The tables in docs/guarantees.md are generated from those that legalization reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "backend/spirv/target.h"
#include "ir/passes/legalize.h"
#include "ir/spelling.h"
#include "library/output_forms.h"
#include "tests/support/paths.h"

namespace texlate {
namespace {

using namespace ir;

constexpr std::string_view kStart = "<!-- tables -->\n";
constexpr std::string_view kEnd = "<!-- end of tables -->\n";

struct Phrase {
  uint32_t promise;
  std::string_view text;
};
constexpr Phrase kOfTextures[] = {
    {kCoordinateRange, "coordinates out of range"},
    {kSliceRange, "slices out of range"},
    {kLevelRange, "mips out of range"},
    {kSampleRange, "samples out of range"},
    {kUnbound, "unbound slots"},
    {kMissing, "missing components"},
    {kConversion, "format conversion"},
    {kStoredRange, "stored values that the format cannot hold"},
    {kOffset, "offsets"},
    {kRunTimeOffset, "run-time offsets"},
    {kImplicitLevel, "implicit LOD"},
    {kBias, "bias"},
    {kGradient, "given derivatives"},
    {kFloatLayer, "rounding of array indices"},
    {kNearLayer, "array indices to nearest"},
    {kCompare, "comparison"},
    {kFeedback, "residency"},
    {kLodClamp, "LOD clamps per access (within the mips and the sampler's greatest LOD)"},
    {kLevelZero, "level 0"},
    {kByteOffset, "alignment of byte offsets"},
};
constexpr Phrase kOfArithmetic[] = {
    {kNative, "an instruction"},
    {kZeroDivisor, "division by 0"},
    {kZeroHarmless, "division by 0 is safe"},
    {kCountRange, "shift counts modulo 32"},
    {kFieldEnd, "fields past bit 31"},
    {kBelowOne, "less than 1"},
    {kSaturation, "saturation"},
    {kNanToZero, "NaN to 0"},
    {kOutsideHarmless, "numbers out of range are safe"},
    {kNanOperand, "the operand that is not NaN"},
    {kTowardZero, "toward zero"},
    {kSignBit, "only the sign bit changes"},
    {kAngleRange, "angles up to 100 pi"},
    {kHalfDenormal, "half denormals"},
    {kOneRounding, "one rounding"},
};
constexpr Phrase kOfMemory[] = {{kInRange, "out-of-bounds accesses"},
                                {kAligned, "alignment of byte offsets"}};

template <size_t kCount>
std::string phrases(const Phrase (&all)[kCount], uint32_t promises) {
  std::string text;
  for (const Phrase& phrase : all) {
    if ((promises & phrase.promise) != 0) text += (text.empty() ? "" : ", ") + std::string(phrase.text);
  }
  return text.empty() ? "-" : text;
}

std::string arithmetic(const ArithmeticTable& table) {
  std::string text = "| operation | Direct3D requires | promised | by |\n|---|---|---|---|\n";
  for (const ArithmeticContract& contract : kArithmeticContracts) {
    const Guarantee& guarantee = table.find(contract.op);
    text += "| `" + std::string(info(contract.op).text) + "` | " + phrases(kOfArithmetic, contract.demands) +
            " (" + std::string(contract.source) + ") | " + phrases(kOfArithmetic, guarantee.promises) +
            " | " + std::string(guarantee.source) + " |\n";
  }
  return text + "\n";
}

/// A row for all dimensions: a promise of the host that launches the kernel.
std::string promise_of_host(std::string_view what, bool holds, std::string_view promise) {
  return "| " + std::string(what) + " | | " +
         (holds ? std::string(promise) + " | docs/launch_abi.md" : "- |") + " |\n";
}

/// Dimensions of an operation share a row if the same document promises the same for them.
std::string textures(const GuaranteeTable& table) {
  struct Row {
    std::string dimensions;
    TextureGuarantee guarantee;
  };
  std::string text = "| operation | dimensions | promised | by |\n|---|---|---|---|\n";
  for (size_t i = 0; i < kResourceOps.size(); ++i) {
    std::vector<Row> rows;
    for (uint32_t d = 0; d < kDimensionCount; ++d) {
      const TextureGuarantee guarantee = table.find(kResourceOps[i], static_cast<Dimension>(d));
      if (!guarantee.has(kExists)) continue;
      Row* found = nullptr;
      for (Row& row : rows) {
        if (row.guarantee.promises == guarantee.promises && row.guarantee.source == guarantee.source)
          found = &row;
      }
      if (found == nullptr) found = &rows.emplace_back(Row{{}, guarantee});
      found->dimensions +=
          (found->dimensions.empty() ? "" : ", ") + std::string(spelling(static_cast<Dimension>(d)));
    }
    for (const Row& row : rows)
      text += "| `" + std::string(info(kResourceOps[i]).text) + "` | " + row.dimensions + " | " +
              phrases(kOfTextures, row.guarantee.promises) + " | " + std::string(row.guarantee.source) +
              " |\n";
  }
  if (table.structures_wrap) {
    text +=
        "| `buf.*` at structures that end beyond 2^32 bytes | structured_buffer | - | "
        "docs/reference/direct3d.md 1.3 |\n";
  }
  return text + "| properties of bindings | | " + phrases(kOfTextures, table.facts.promises) + " | " +
         std::string(table.facts.source) + " |\n" +
         promise_of_host("words of a structure's field", table.wide_buffers, "several at once") +
         promise_of_host("sizes of unbound slots", table.empty_when_unbound, "0") + "\n";
}

std::string memory(const MemoryTable& table) {
  const std::pair<std::string_view, const Guarantee*> kRows[] = {
      {"constant buffers", &table.constant_buffer},
      {"the immediate constant buffer", &table.table},
      {"x#", &table.local},
      {"g#", &table.shared},
      {"inputs with a run-time number", &table.input},
      {"vertices with a run-time number", &table.vertex},
      {"push constants", &table.push_constants},
      {"ranges of registers", &table.range}};
  std::string text = "| memory | promised | by |\n|---|---|---|\n";
  for (const auto& [name, guarantee] : kRows) {
    if (!guarantee->source.empty())
      text += "| " + std::string(name) + " | " + phrases(kOfMemory, guarantee->promises) + " | " +
              std::string(guarantee->source) + " |\n";
  }
  return text + "\n";
}

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The rows of `table` that `base` does not have, below the two lines of the table's head. If there are none,
/// one sentence.
std::string differences(std::string_view what, const std::string& table, const std::string& base,
                        std::string_view base_title) {
  const Lines rows = lines_of(table), known = lines_of(base);
  std::string head, text;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i < 2) {
      head += rows[i] + "\n";
    } else if (!rows[i].empty() && std::ranges::find(known, rows[i]) == known.end()) {
      text += rows[i] + "\n";
    }
  }
  const std::string start = std::string(what) + ": as for " + std::string(base_title);
  return text.empty() ? start + ".\n\n" : start + ", except:\n\n" + head + text + "\n";
}

struct Section {
  std::string_view title;
  Guarantees promises;
};

std::string section(const Section& own) {
  return "\n## " + std::string(own.title) + "\n\n" + textures(own.promises.texture) +
         memory(own.promises.memory) + arithmetic(own.promises.arithmetic);
}

/// The section of a target in the same folder as `base`: only the differences.
std::string section(const Section& own, const Section& base) {
  return "\n## " + std::string(own.title) + "\n\n" +
         differences("Resource accesses", textures(own.promises.texture), textures(base.promises.texture),
                     base.title) +
         differences("Memory", memory(own.promises.memory), memory(base.promises.memory), base.title) +
         differences("Arithmetic", arithmetic(own.promises.arithmetic), arithmetic(base.promises.arithmetic),
                     base.title);
}

std::string tables() {
  const auto promises = [](std::string_view name, const backend::Options& options) {
    return library::find_output_form(name)->target->promises(ir::Module(), options);
  };
  const backend::Options usual;
  spirv::TargetOptions guarded;
  guarded.emit.robustness = spirv::Robustness::shader;
  backend::Options shader;
  shader.own = &guarded;
  spirv::TargetOptions exact;
  exact.emit.float_controls = true;
  backend::Options controls;
  controls.own = &exact;
  const Section kernels = {"Maxwell kernels", promises("maxwell", usual)};
  const Section driver = {"SPIR-V, `--robustness driver`", promises("spirv", usual)};
  return section({"PTX", promises("ptx", usual)}) + section(kernels) +
         section({"Maxwell deko3d programs", promises("dksh", usual)}, kernels) + section(driver) +
         section({"SPIR-V, `--robustness shader`", promises("spirv", shader)}, driver) +
         section({"SPIR-V, `--float-controls`", promises("spirv", controls)}, driver);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Docs, GuaranteesAreThoseOfTheTables) {
  const std::string path = test::source_dir() + "/docs/guarantees.md";
  const std::string text = read_file(path);
  const size_t start = text.find(kStart), end = text.find(kEnd);
  ASSERT_NE(start, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string expected = text.substr(0, start + kStart.size()) + tables() + text.substr(end);
  if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) std::ofstream(path, std::ios::binary) << expected;
  EXPECT_EQ(read_file(path), expected) << "run once with TEXLATE_UPDATE_DOCS=1";
}

}  // namespace
}  // namespace texlate
