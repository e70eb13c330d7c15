#include "tools/texlate/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "ir/base/number_text.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/suggestion.h"

namespace texlate::cli {

namespace {

/// The command line's text for one option, before it is checked.
struct Raw {
  std::vector<std::string> values;
  std::string implied;  // for an option with an optional value
  CLI::Option* option = nullptr;
};

std::string alternatives(const std::vector<std::string>& words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

void declare(CLI::App& app, const Option& option, Raw& raw) {
  if (option.is_flag()) {
    raw.option = app.add_flag(std::string(option.names));
    return;
  }
  if (!option.implied.empty()) {
    // `--explain` or `--explain=json`: a word after a space is an argument.
    raw.option = app.add_flag(fmt::format("{}{{{}}}", option.names, option.implied), raw.implied);
    return;
  }
  raw.option = app.add_option(std::string(option.names), raw.values);
  raw.option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (!option.is_argument()) raw.option->expected(1)->allow_extra_args(false);
}

/// Can one of the words be this option? CLI11 compares each option that it is told of with all others, so it
/// is only told of these: a command has fifty options, and a call three.
bool may_be_among(std::span<char* const> words, const Option& option) {
  const auto is_meant = [](std::string_view word, std::string_view name) {
    if (name.starts_with("--")) return word.starts_with(name);
    return word.starts_with('-') && word.find(name[1], 1) != word.npos;  // -o, -oFILE, -qo
  };
  for (std::string_view names = option.names; !names.empty();) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (std::ranges::any_of(words, [&](std::string_view word) { return is_meant(word, name); })) return true;
  }
  return false;
}

std::string range_of(const Option& option) {
  if (option.most != std::numeric_limits<double>::max())
    return fmt::format("from {:g} to {:g}", option.least, option.most);
  return fmt::format("of at least {:g}", option.least);
}

/// Stores one value at its destination. Returns false if the option does not accept it.
class Store {
 public:
  Store(const Option& option, const std::string& value, std::string& problem)
      : option_(option), value_(value), problem_(problem) {}

  bool operator()(bool* flag) const { return *flag = true; }
  bool operator()(int* flag) const { return (*flag = 1) != 0; }
  bool operator()(std::string* text) const {
    if (!is_choice()) return false;
    *text = value_;
    return true;
  }
  bool operator()(std::vector<std::string>* list) const {
    if (!is_choice()) return false;
    list->push_back(value_);
    return true;
  }
  bool operator()(uint32_t* number) const { return store(number, "whole number"); }
  bool operator()(uint64_t* number) const { return store(number, "whole number"); }
  bool operator()(double* number) const { return store(number, "number"); }

 private:
  bool is_choice() const {
    if (value_.empty() && option_.completion != Completion::nothing) {
      problem_ = fmt::format("{}: the name is empty", option_.long_name());
      return false;
    }
    if (option_.choices.empty()) return true;
    const std::vector<std::string> choices = option_.choices.list();
    if (std::find(choices.begin(), choices.end(), value_) != choices.end()) return true;
    const std::string meant = suggestion(value_, choices);
    problem_ = fmt::format("{}: '{}' is not one of its values: {}{}", option_.long_name(), value_,
                           alternatives(choices), meant);
    return false;
  }
  template <typename Number>
  bool store(Number* number, const char* what) const {
    Number converted{};
    if (read_number(value_, converted) && static_cast<double>(converted) >= option_.least &&
        static_cast<double>(converted) <= option_.most) {
      *number = converted;
      return true;
    }
    problem_ = fmt::format("{}: '{}' is not a {} {}", option_.long_name(), value_, what, range_of(option_));
    return false;
  }

  const Option& option_;
  const std::string& value_;
  std::string& problem_;
};

std::vector<std::string> split(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    for (size_t begin = 0; begin <= value.size();) {
      const size_t end = std::min(value.find(',', begin), value.size());
      parts.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return parts;
}

bool take(const Option& option, const Raw& raw, Given& given, std::string& problem) {
  if (raw.option == nullptr || raw.option->count() == 0) {
    if (!option.required) return true;
    problem = fmt::format("{} is missing: {}", option.names, option.help);
    return false;
  }
  given.add(option.long_name());
  if (option.is_flag()) {
    if (std::ranges::all_of(raw.option->results(), [](const std::string& value) { return value == "true"; }))
      return std::visit(Store(option, {}, problem), option.to);
    problem = fmt::format("{} has no value", option.long_name());
    return false;
  }
  std::vector<std::string> values = option.implied.empty() ? raw.values : std::vector{raw.implied};
  if (option.comma_list) values = split(values);
  if (values.size() > 1 && !option.is_list()) {
    problem = option.is_argument()
                  ? fmt::format("only one {} is allowed: unexpected '{}'", option.names, values[1])
                  : fmt::format("{} is given twice", option.long_name());
    return false;
  }
  if (const auto* list = std::get_if<std::vector<std::string>*>(&option.to))
    (*list)->clear();  // the default is replaced
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::visit(Store(option, value, problem), option.to);
  });
}

/// Words that no option accepted: misspelt options, or too many arguments.
bool refuse_rest(std::vector<std::string> rest, const std::vector<Option>& options, std::string_view command,
                 std::string& problem) {
  // The first `--` ends the options: CLI11 obeys it, but also returns it.
  if (const auto mark = std::find(rest.begin(), rest.end(), "--"); mark != rest.end()) rest.erase(mark);
  if (rest.empty()) return true;
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (!option.is_argument()) names.emplace_back(option.long_name());
  }
  const std::string word = rest[0].substr(0, rest[0].find('='));
  if (word.starts_with("-") && word.size() > 1) {
    problem = fmt::format("{} has no option {}{}", command, word, suggestion(word, names));
  } else {
    problem = fmt::format("unexpected argument '{}'", rest[0]);
  }
  return false;
}

std::vector<std::string> values_of(const Option& option) {
  if (const auto* text = std::get_if<std::string*>(&option.to)) return {**text};
  if (const auto* list = std::get_if<std::vector<std::string>*>(&option.to)) return **list;
  return {};
}

/// Reports an option that would have no effect, because giving it is a mistake.
bool check_conditions(const std::vector<Option>& options, const Given& given, std::string& problem) {
  for (const Option& option : options) {
    if (option.with.option.empty() || !given.has(option.long_name())) continue;
    const auto other = std::find_if(options.begin(), options.end(),
                                    [&](const Option& one) { return one.long_name() == option.with.option; });
    if (other == options.end()) continue;
    const std::vector<std::string> values = values_of(*other), wanted = option.with.values.list();
    const auto fits = [&](const std::string& value) {
      return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
    };
    if (std::any_of(values.begin(), values.end(), fits)) continue;
    problem = fmt::format("{} can only be used with {} {}, not {}", option.long_name(), other->long_name(),
                          alternatives(wanted), alternatives(values));
    return false;
  }
  return true;
}

std::string raw_value(const std::vector<Option>& options, const std::vector<Raw>& raw, std::string_view name,
                      const char* otherwise) {
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i].long_name() == name && !raw[i].values.empty()) return raw[i].values[0];
  }
  return otherwise;
}

}  // namespace

std::string_view Option::long_name() const {
  return names.substr(names.rfind(',') + 1);
}

bool Given::has(std::string_view long_name) const {
  return std::find(names_.begin(), names_.end(), long_name) != names_.end();
}

namespace {

struct CommonArguments {
  std::string color = "auto";
  std::string diagnostics = "text";
  bool help = false;
};
CommonArguments g_common;

}  // namespace

std::vector<Option> common_options() {
  constexpr std::string_view kTopic = "Messages";
  return {
      {.names = "--color",
       .to = &g_common.color,
       .help = "When messages are colored; auto: on terminals, unless NO_COLOR is set in the environment",
       .value = "WHEN",
       .topic = kTopic,
       .choices = {"auto", "always", "never"},
       .standard = "auto"},
      {.names = "--diagnostics",
       .to = &g_common.diagnostics,
       .help = "Print messages as text, or as one JSON object per line ('texlate help messages')",
       .value = "FORM",
       .topic = kTopic,
       .choices = {"text", "json"},
       .standard = "text"},
      {.names = "-h,--help", .to = &g_common.help, .help = "Show this help", .topic = kTopic},
  };
}

std::string value_text(const Option& option) {
  if (const auto* text = std::get_if<std::string*>(&option.to)) return **text;
  if (const auto* list = std::get_if<std::vector<std::string>*>(&option.to)) {
    std::string values;
    for (const std::string& one : **list) values += (values.empty() ? "" : ",") + one;
    return values;
  }
  const auto* number = std::get_if<uint32_t*>(&option.to);
  return number != nullptr && **number != 0 ? std::to_string(**number) : std::string();
}

std::vector<Option> all_options(const Command& command) {
  std::vector<Option> options = command.options();
  for (Option& option : common_options()) options.push_back(std::move(option));
  return options;
}

std::vector<Option> documented_options(const Command& command) {
  static std::map<const void*, std::string> defaults;  // by destination
  std::vector<Option> options = all_options(command);
  for (Option& option : options) {
    if (option.standard) continue;
    const void* const place = std::visit([](auto* to) -> const void* { return to; }, option.to);
    option.standard = defaults.emplace(place, value_text(option)).first->second;
  }
  return options;
}

namespace {

/// The part that both functions below share. If help is requested, `help` is set and nothing else is checked.
bool read_words(std::string_view name, const std::vector<Option>& options, int argc, char** argv,
                Given& given, bool& help, std::string& problem) {
  CLI::App app;
  app.allow_extras();
  app.set_help_flag();
  std::vector<Raw> raw(options.size());
  app.add_flag("-h,--help", help);
  const std::span<char* const> words(argv, static_cast<size_t>(argc));
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i].names == "-h,--help") continue;
    if (options[i].is_argument() || may_be_among(words, options[i])) declare(app, options[i], raw[i]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view text = error.what();  // begins with the name of the option
    problem = fmt::format("{}: the value is missing", text.substr(0, text.find(':')));
    return false;
  } catch (const CLI::ParseError& error) {
    problem = error.what();
    return false;
  }
  if (help) return true;
  // First the options that determine how errors are printed.
  const std::string color = raw_value(options, raw, "--color", ""),
                    form = raw_value(options, raw, "--diagnostics", "");
  if (!color.empty() || !form.empty())
    choose_message_style(color.empty() ? "auto" : color, form.empty() ? "text" : form);
  if (!refuse_rest(app.remaining(), options, name, problem)) return false;
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i].names != "-h,--help" && !take(options[i], raw[i], given, problem)) return false;
  }
  return true;
}

}  // namespace

bool parse_words(std::string_view name, const std::vector<Option>& options, int argc, char** argv,
                 Given& given, std::string& problem) {
  bool help = false;
  if (!read_words(name, options, argc, argv, given, help, problem)) return false;
  if (help) problem = "--help is only for the command line";
  return !help && check_conditions(options, given, problem);
}

Parsed parse(const Command& command, const std::vector<Option>& options, int argc, char** argv,
             Given& given) {
  bool help = false;
  std::string problem;
  const bool read = read_words(command.name, options, argc, argv, given, help, problem);
  if (read && help) return Parsed::help;
  if (read && command.settle != nullptr && !command.settle(given)) return Parsed::wrong;
  if (read && check_conditions(options, given, problem)) return Parsed::good;
  usage_error(problem);
  return Parsed::wrong;
}

}  // namespace texlate::cli
