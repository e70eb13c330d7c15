// Options as data: one table per command. The parser, `--help`, the man pages, the completions and
// docs/commands.md all use it.
#pragma once

#include <cstdint>
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

/// Makes an option valid only if another option has one of these values.
struct Condition {
  std::string_view option;  // "--to"
  std::vector<std::string> values;
};

/// The kind of completion for an option that has no choices.
enum class Completion : uint8_t { nothing, file, folder };

struct Option {
  std::string names;  // "-o,--output"; without a dash it is a positional argument, "SHADER"
  Destination to;
  std::string help;             // a phrase that begins with a capital letter, without a full stop
  std::string value = {};       // the name of the value in help: "FILE"; empty: a flag
  std::string_view topic = {};  // heading in the help; empty: at the beginning, without a heading
  std::vector<std::string> choices = {};
  std::string implied = {};  // the value of a bare `--explain`; others are given with `=`
  bool comma_list = false;   // for a list: `a,b` are two values
  double least = 0, most = std::numeric_limits<double>::max();
  Condition with = {};
  Completion completion = Completion::nothing;
  bool required = false;                     // for positional arguments
  std::optional<std::string> standard = {};  // the default; all_options() sets it

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

/// A command's options, including the common ones, with their defaults: what their destinations had the first
/// time that any table named them, before anything was parsed.
std::vector<Option> all_options(const Command& command);

enum class Parsed : uint8_t { good, help, wrong };

/// Reads words like those after a command's name, for options in a file. Returns false if they are wrong;
/// `problem` describes the error.
bool parse_words(std::string_view name, const std::vector<Option>& options, int argc, char** argv,
                 Given& given, std::string& problem);

/// Reads the arguments after the command's name into the destinations of its options. On an error, prints a
/// message that names the option that was probably meant.
Parsed parse(const Command& command, const std::vector<Option>& options, int argc, char** argv, Given& given);

}  // namespace texlate::cli
