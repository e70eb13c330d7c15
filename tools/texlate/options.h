// Options as data: one table per command. The parser, `--help`, the man pages, the completions and
// docs/commands.md all use it.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace texlate::cli {

/// The destination of a value. A flag sets its bool, or its int in a structure of the library. A list
/// receives one value each time the option is given.
using Destination =
    std::variant<bool*, int*, std::string*, std::vector<std::string>*, uint32_t*, uint64_t*, double*>;

/// Words that an option accepts. Those that the library knows are only collected when they are asked for: a
/// call has fifty options, and gives three of them.
class Words {
 public:
  using Source = std::vector<std::string> (*)();

  Words() = default;
  Words(std::initializer_list<std::string_view> words) : words_(words) {}
  template <std::convertible_to<Source> From>
  Words(From source) : source_(source) {}

  bool empty() const { return words_.empty() && source_ == nullptr; }
  std::vector<std::string> list() const {
    return source_ != nullptr ? source_() : std::vector<std::string>(words_.begin(), words_.end());
  }

 private:
  std::vector<std::string_view> words_;
  Source source_ = nullptr;
};

/// Makes an option valid only if another option has one of these values.
struct Condition {
  std::string_view option;  // "--to"
  Words values;
};

/// The kind of completion for an option that has no choices.
enum class Completion : uint8_t { nothing, file, folder };

struct Option {
  std::string_view names;  // "-o,--output"; without a dash it is a positional argument, "SHADER"
  Destination to;
  std::string_view help;        // a phrase that begins with a capital letter, without a full stop
  std::string_view value = {};  // the name of the value in help: "FILE"; empty: a flag
  std::string_view topic = {};  // heading in the help; empty: at the beginning, without a heading
  Words choices = {};
  std::string_view implied = {};  // the value of a bare `--explain`; others are given with `=`
  bool comma_list = false;        // for a list: `a,b` are two values
  double least = 0, most = std::numeric_limits<double>::max();
  Condition with = {};
  Completion completion = Completion::nothing;
  bool required = false;  // for positional arguments
  /// The default. documented_options() sets it; a table does for what its help is printed with.
  std::optional<std::string> standard = {};

  bool is_argument() const { return names.front() != '-'; }
  bool is_flag() const { return std::holds_alternative<bool*>(to) || std::holds_alternative<int*>(to); }
  bool is_list() const { return std::holds_alternative<std::vector<std::string>*>(to); }
  /// The longest name: "--output".
  std::string_view long_name() const;
};

struct Example {
  std::string_view command;
  std::string_view purpose;
};

struct ExitStatus {
  int status;
  std::string_view meaning;
};

/// The options that were on the command line, by their long names.
class Given {
 public:
  bool has(std::string_view long_name) const;
  void add(std::string_view long_name) { names_.emplace_back(long_name); }

 private:
  std::vector<std::string> names_;
};

struct Command {
  std::string_view name;
  std::string_view summary;      // one line: "Translate shaders"
  std::string_view description;  // paragraphs, separated by empty lines
  std::vector<Option> (*options)();
  int (*run)(const Given& given);
  /// Gives options the values that follow from others, before conditions are checked. Returns false if a
  /// message was printed. May be null.
  bool (*settle)(const Given& given) = nullptr;
  std::vector<ExitStatus> statuses;
  std::vector<Example> examples;
};

/// The options that every command has: --color, --diagnostics, --help.
std::vector<Option> common_options();

/// What an option's destination has, as text. Empty: nothing that the help should mention.
std::string value_text(const Option& option);

/// A command's options, including the common ones.
std::vector<Option> all_options(const Command& command);
/// The same with their defaults, which their destinations have until something is parsed: what they had when
/// this was called for them first.
std::vector<Option> documented_options(const Command& command);

enum class Parsed : uint8_t { good, help, wrong };

/// Reads words like those after a command's name, for options in a file. Returns false if they are wrong;
/// `problem` describes the error.
bool parse_words(std::string_view name, const std::vector<Option>& options, int argc, char** argv,
                 Given& given, std::string& problem);

/// Reads the arguments after the command's name into the destinations of its options. On an error, prints a
/// message that names the option that was probably meant.
Parsed parse(const Command& command, const std::vector<Option>& options, int argc, char** argv, Given& given);

}  // namespace texlate::cli
