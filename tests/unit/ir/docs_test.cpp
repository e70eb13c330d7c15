// docs/ir.md matches the code: the table of operations is made from ir/ops.inc, and the examples parse.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ir/op.h"
#include "tests/support/ir_text.h"
#include "tests/support/paths.h"

namespace texlate::ir {
namespace {

constexpr std::string_view kStart = "<!-- operations -->\n";
constexpr std::string_view kEnd = "<!-- end of operations -->\n";

std::string path_of(const char* name) {
  return test::source_dir() + "/" + name;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string code_span(std::string_view text) {
  return text.empty() ? "" : "`" + std::string(text) + "`";
}

std::string traits_of(const OpInfo& operation) {
  static constexpr std::pair<OpTraits, std::string_view> kNames[] = {{kPure, "pure"},
                                                                     {kCommutative, "commutative"},
                                                                     {kReadsMemory, "reads"},
                                                                     {kWritesMemory, "writes"},
                                                                     {kControl, "control"},
                                                                     {kTerminator, "terminator"},
                                                                     {kConvergent, "convergent"},
                                                                     {kRounds, "rounds"},
                                                                     {kNearby, "nearby"}};
  std::string all;
  for (const auto& [trait, name] : kNames) {
    if (operation.has(trait)) all += (all.empty() ? "" : ", ") + std::string(name);
  }
  const bool inputs = operation.has(kFlushesInputs);
  const bool result = operation.has(kNeverDenormal);
  if (inputs || result)
    all += std::string(all.empty() ? "" : ", ") + (!result  ? "flushes inputs"
                                                   : inputs ? "flushes"
                                                            : "never denormal");
  return all;
}

/// Headings and notes are the comments of ops.inc; everything else is from the compiled table.
std::string table_of_operations() {
  const std::string source = read_file(path_of("ir/ops.inc"));
  std::string table;
  std::string comment;
  bool in_group = false;
  uint32_t next = 0;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string line = source.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("// ")) {
      if (in_group) comment.clear();
      in_group = false;
      comment += (comment.empty() ? "" : " ") + line.substr(3);
    } else if (line.starts_with("IR_OP(")) {
      if (!in_group) {
        table += "\n**" + comment.substr(0, std::min(comment.find(". "), comment.find(':'))) + "**\n\n";
        table += "| operation | results | operands | traits | note |\n|---|---|---|---|---|\n";
      }
      in_group = true;
      const OpInfo& operation = info(static_cast<Op>(next++));
      const size_t note = line.find("// ");
      table += "| `" + std::string(operation.text) + "` | " + code_span(operation.results) + " | " +
               code_span(operation.operands) + " | " + traits_of(operation) + " | " +
               (note == std::string::npos ? "" : line.substr(note + 3)) + " |\n";
    } else if (line.empty() && !in_group) {
      comment.clear();
    }
  }
  EXPECT_EQ(next, kOpCount) << "every row of ops.inc starts with IR_OP( at the start of a line";
  return table + "\n";
}

TEST(Docs, OperationsAreThoseOfTheTable) {
  const std::string path = path_of("docs/ir.md");
  const std::string text = read_file(path);
  const size_t start = text.find(kStart);
  const size_t end = text.find(kEnd);
  ASSERT_NE(start, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string expected =
      text.substr(0, start + kStart.size()) + table_of_operations() + text.substr(end);
  if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) std::ofstream(path, std::ios::binary) << expected;
  EXPECT_EQ(read_file(path), expected) << "run once with TEXLATE_UPDATE_DOCS=1";
}

TEST(Docs, TheExampleIsAModuleAsItPrints) {
  const std::string text = read_file(path_of("docs/ir.md"));
  const size_t start = text.find("```\nmodule ") + 4;
  const std::string example = text.substr(start, text.find("```", start) - start);
  Module module;
  parse_or_fail(example, module);
  verify_or_fail(module);
  EXPECT_EQ(to_text(module), example);
}

}  // namespace
}  // namespace texlate::ir
