// The machine functions of the example shaders: after each pass the text parses back, and the function keeps
// every rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory_resource>

#include "backend/maxwell/machine/pass_log.h"
#include "backend/maxwell/machine/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/examples.h"
#include "tests/support/support.h"
#include "tests/unit/maxwell_machine/parse_text.h"

namespace texlate::maxwell::machine::test {
namespace {

struct Checked {
  unsigned functions = 0;
  std::string wrong;

  static void after(void* self, std::string_view pass, std::string_view text) {
    if (std::ranges::find(kPassNames, pass) == std::end(kPassNames)) return;  // it prints IR
    Checked& checked = *static_cast<Checked*>(self);
    ++checked.functions;
    if (checked.wrong.empty()) checked.wrong = check(pass, text);
  }

  static std::string check(std::string_view pass, std::string_view text) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    Layout layout(&memory);
    Diagnostics diagnostics;
    const bool is_lines = text.starts_with("lines");
    const bool good =
        is_lines ? parse(text, function, layout, diagnostics) : parse(text, function, diagnostics);
    if (!good) return std::string(pass) + ": " + std::string(diagnostics.list().front().message);
    const FunctionViolation broken = is_lines ? verify(layout) : verify(function);
    if (broken.rule != FunctionRule::none) return violation_text({pass, broken});
    std::string again;
    if (is_lines) {
      print(function, layout, again);
    } else {
      print(function, again);
    }
    return again == text ? "" : std::string(pass) + ": read as another function";
  }
};

TEST(MachineExamples, ParseBackAfterEveryPass) {
  for (const std::string_view target : {"maxwell", "dksh"}) {
    for (const std::string& name : texlate::test::example_names()) {
      Checked checked;
      const PassText observer{Checked::after, &checked};
      library::TranslateOptions options;
      options.to = target;
      options.backend.pass_text = &observer;
      const std::string listing = texlate::test::read_file(texlate::test::kShaders + "/" + name + ".asm");
      const texlate::test::Outcome outcome = texlate::test::translate(listing, options);
      ASSERT_TRUE(outcome.ok) << name << ": " << outcome.diagnostics;
      EXPECT_GE(checked.functions, std::size(kPassNames) - 1) << name << ": all but spilling";
      EXPECT_EQ(checked.wrong, "") << target << ", " << name;
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
