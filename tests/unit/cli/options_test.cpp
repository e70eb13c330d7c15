#include "tools/texlate/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tools/texlate/commands.h"
#include "tools/texlate/help.h"
#include "tools/texlate/step_options.h"

namespace texlate::cli {
namespace {

const Option* find(const std::vector<Option>& options, std::string_view name) {
  for (const Option& option : options) {
    if (option.long_name() == name) return &option;
  }
  return nullptr;
}

/// Rules for every table of options.
void check_table(const std::vector<Option>& options) {
  std::set<std::string_view> names;
  for (const Option& option : options) {
    SCOPED_TRACE(option.names);
    EXPECT_TRUE(names.insert(option.long_name()).second) << "twice in one table";
    EXPECT_FALSE(option.help.empty());
    EXPECT_FALSE(option.help.ends_with('.')) << "a phrase, the man page adds the full stop";
    EXPECT_EQ(option.value.empty(), option.is_flag()) << "what has a value names it";
    if (option.with.option.empty()) continue;
    const Option* const other = find(options, option.with.option);
    ASSERT_NE(other, nullptr) << "the condition names an option of the same table";
    EXPECT_FALSE(option.with.values.list().empty());
    const std::vector<std::string> choices = other->choices.list();
    for (const std::string& value : option.with.values.list())
      EXPECT_NE(std::find(choices.begin(), choices.end(), value), choices.end()) << value;
  }
}

TEST(Options, TablesOfAllCommandsAreConsistent) {
  for (const Command& command : commands()) {
    SCOPED_TRACE(command.name);
    check_table(documented_options(command));
    EXPECT_FALSE(command.statuses.empty());
    EXPECT_FALSE(command.summary.ends_with('.'));
  }
}

TEST(Options, TablesOfStepsAreConsistent) {
  for (const StepKind kind : {StepKind::translate, StepKind::golden, StepKind::error, StepKind::run}) {
    StepArguments arguments;
    check_table(step_options(kind, arguments));
  }
}

TEST(Options, HelpHasEveryOption) {
  for (const Command& command : commands()) {
    const std::string help = command_help(command);
    for (const Option& option : documented_options(command))
      EXPECT_NE(help.find(option.long_name()), std::string::npos) << command.name << " " << option.names;
  }
}

/// Reads words with a small table. Returns the problem, or nothing.
std::string read(std::vector<std::string> words, std::string* text = nullptr,
                 std::vector<std::string>* list = nullptr) {
  std::string form = "a", name, problem;
  std::vector<std::string> values = {"default"};
  uint32_t number = 0;
  const std::vector<Option> options = {
      {.names = "-f,--form", .to = &form, .help = "F", .value = "F", .choices = {"a", "b"}},
      {.names = "--name", .to = &name, .help = "N", .value = "N", .with = {"--form", {"b"}}},
      {.names = "--list", .to = &values, .help = "L", .value = "L", .comma_list = true},
      {.names = "-n,--number", .to = &number, .help = "N", .value = "N", .least = 2, .most = 4},
  };
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  Given given;
  const bool good = parse_words("test", options, static_cast<int>(argv.size()), argv.data(), given, problem);
  EXPECT_EQ(good, problem.empty());
  if (text != nullptr) *text = name;
  if (list != nullptr) *list = values;
  return problem;
}

TEST(Options, AreReadIntoTheirPlaces) {
  std::string text;
  std::vector<std::string> list;
  EXPECT_EQ(read({"-fb", "--name=x", "--list", "1,2", "--list", "3", "-n", "4"}, &text, &list), "");
  EXPECT_EQ(text, "x");
  EXPECT_EQ(list, (std::vector<std::string>{"1", "2", "3"}))
      << "what is given takes the place of the default";
  EXPECT_EQ(read({}, &text, &list), "");
  EXPECT_EQ(list, std::vector<std::string>{"default"});
}

TEST(Options, DefaultsAreThoseBeforeParsing) {
  const Command* const command = find_command("help");
  ASSERT_NE(command, nullptr);
  const std::vector<Option> before = documented_options(*command);
  const Option* const format = find(before, "--format");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->standard, "text");
  std::string& place = *std::get<std::string*>(format->to);
  place = "markdown";  // as the parser does
  const std::vector<Option> after = documented_options(*command);
  EXPECT_EQ(find(after, "--format")->standard, "text");
  EXPECT_NE(explained(*find(after, "--format"), after).find("(default: text)"), std::string::npos);
  place = "text";
}

TEST(Options, ProblemsAreTold) {
  EXPECT_EQ(read({"--form", "c"}), "--form: 'c' is not one of its values: a or b; did you mean a?");
  EXPECT_EQ(read({"--name", "x"}), "--name can only be used with --form b, not a");
  EXPECT_EQ(read({"--nmae", "x"}), "test has no option --nmae; did you mean --name?");
  EXPECT_EQ(read({"--number", "5"}), "--number: '5' is not a whole number from 2 to 4");
  EXPECT_EQ(read({"--number", "0x3"}), "--number: '0x3' is not a whole number from 2 to 4");
  EXPECT_EQ(read({"--form", "a", "--form", "b"}), "--form is given twice");
  EXPECT_EQ(read({"word"}), "unexpected argument 'word'");
  EXPECT_EQ(read({"--form", "b", "--", "word"}), "unexpected argument 'word'") << "-- ends the options";
  EXPECT_EQ(read({"--form", "b", "--"}), "");
  EXPECT_NE(read({"--form"}), "");
  EXPECT_NE(read({"--help"}), "");
}

}  // namespace
}  // namespace texlate::cli
