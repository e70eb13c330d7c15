// texlate completions: the completions for bash, zsh and fish.

#include <fmt/format.h>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/help.h"

namespace texlate::cli {

namespace {

std::string g_shell;

std::vector<std::string> names_of(const Option& option) {
  std::vector<std::string> names;
  const size_t comma = option.names.find(',');
  if (comma != std::string::npos) names.emplace_back(option.names.substr(0, comma));
  names.emplace_back(option.long_name());
  return names;
}

/// The words after `help` and `completions`: their arguments are not files.
std::vector<std::string> argument_words(const Command& command) {
  std::vector<std::string> words;
  for (const Option& option : command.options()) {
    if (option.is_argument()) std::ranges::move(option.choices.list(), std::back_inserter(words));
  }
  if (command.name != "help") return words;
  for (const Command& one : commands()) words.emplace_back(one.name);
  for (const Topic& topic : topics()) words.emplace_back(topic.name);
  return words;
}

std::string command_words() {
  std::vector<std::string> words;
  for (const Command& command : commands()) words.emplace_back(command.name);
  return fmt::format("{}", fmt::join(words, " "));
}

/// "diff:--via|diff:-v", one pattern for each name of the option, each followed by `sign`.
std::string bash_patterns(const Command& command, const Option& option, std::string_view sign) {
  std::vector<std::string> patterns;
  for (const std::string& name : names_of(option))
    patterns.push_back(fmt::format("{}:{}{}", command.name, name, sign));
  return fmt::format("{}", fmt::join(patterns, "|"));
}

/// The lines that find which option a value belongs to, and its part before the one that is being typed.
std::string bash_values() {
  std::string lists;
  for (const Command& command : commands()) {
    for (const Option& option : documented_options(command)) {
      if (!option.is_argument() && option.comma_list)
        lists += (lists.empty() ? "" : "|") + bash_patterns(command, option, "");
    }
  }
  std::string out =
      "  # --to=s: bash usually breaks words at the equals sign.\n"
      "  if [ \"$word\" = = ]; then\n"
      "    sign== word=\n"
      "  elif [ \"$before\" = = ]; then\n"
      "    sign== before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  elif [[ $word == --*=* ]]; then\n"
      "    sign== before=${word%%=*} word=${word#*=}\n"
      "    prefix=$before=\n"
      "  fi\n";
  if (lists.empty()) return out;
  return out + fmt::format(
                   "  case $command:$before in\n"
                   "    {}) [[ $word == *,* ]] && prefix+=${{word%,*}}, && word=${{word##*,}} ;;\n"
                   "  esac\n",
                   lists);
}

std::string bash_script() {
  std::string out = fmt::format(
      "# bash completion of texlate; made by 'texlate completions bash'\n"
      "_texlate() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} "
      "command=${{COMP_WORDS[1]}} sign= prefix=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "{}"
      "  case $command:$before$sign in\n",
      command_words(), bash_values());
  for (const Command& command : commands()) {
    for (const Option& option : documented_options(command)) {
      if (option.is_argument() || option.is_flag()) continue;
      // A value that may be left out is never a word of its own.
      std::string patterns = bash_patterns(command, option, "=");
      if (option.implied.empty()) patterns += fmt::format("|{}", bash_patterns(command, option, ""));
      const std::string words = option.choices.empty()
                                    ? option.completion == Completion::folder ? "-d"
                                      : option.completion == Completion::file ? "-f"
                                                                              : "-W ''"
                                    : fmt::format("-W \"{}\"", fmt::join(option.choices.list(), " "));
      out += fmt::format("    {}) COMPREPLY=($(compgen -P \"$prefix\" {} -- \"$word\")); return ;;\n",
                         patterns, words);
    }
  }
  out += "  esac\n  case $command:$word in\n";
  for (const Command& command : commands()) {
    std::vector<std::string> words;
    for (const Option& option : documented_options(command)) {
      if (!option.is_argument()) words.emplace_back(option.long_name());
    }
    out += fmt::format("    {}:-*) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n", command.name,
                       fmt::join(words, " "));
    if (const auto own = argument_words(command); !own.empty())
      out += fmt::format("    {}:*) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n", command.name,
                         fmt::join(own, " "));
  }
  return out +
         "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _texlate "
         "texlate\n";
}

/// Quotes for single quotes; in zsh, brackets and colons are also special.
std::string quoted(std::string_view text, bool zsh) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (zsh && (c == '[' || c == ']' || c == ':' || c == '\\')) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_action(const Option& option) {
  if (option.comma_list)
    return fmt::format("_values -s , {} {}", option.value, fmt::join(option.choices.list(), " "));
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices.list(), " "));
  return option.completion == Completion::folder ? "_files -/"
         : option.completion == Completion::file ? "_files"
                                                 : " ";
}

std::string zsh_script() {
  std::string out =
      "#compdef texlate\n# zsh completion of texlate; made by 'texlate completions zsh'\n_texlate() {\n  "
      "local -a commands\n  commands=(\n";
  for (const Command& command : commands())
    out += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary, true));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  local "
      "command=$words[2]\n"
      "  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command& command : commands()) {
    out += fmt::format("    {})\n      _arguments", command.name);
    for (const Option& option : documented_options(command)) {
      const std::string help = quoted(option.help, true);
      if (option.is_argument()) {
        const auto own = argument_words(command);
        out += fmt::format(" \\\n        '{}:{}:{}'", option.is_list() ? "*" : "1", option.names,
                           own.empty() ? "_files" : fmt::format("({})", fmt::join(own, " ")));
        continue;
      }
      const std::string star = option.is_list() ? "*" : "";
      for (const std::string& name : names_of(option)) {
        if (option.is_flag()) {
          out += fmt::format(" \\\n        '{}{}[{}]'", star, name, help);
          continue;
        }
        // `--to=` takes its value after a blank, too; `=-` and `::`: only after `=`, and it may be left out.
        const bool may_lack = !option.implied.empty();
        const std::string_view sign = !name.starts_with("--") ? "" : may_lack ? "=-" : "=";
        out += fmt::format(" \\\n        '{}{}{}[{}]{}{}:{}'", star, name, sign, help, may_lack ? "::" : ":",
                           quoted(option.value.empty() ? std::string_view("value") : option.value, true),
                           zsh_action(option));
      }
    }
    out += "\n      ;;\n";
  }
  return out + "  esac\n}\n_texlate \"$@\"\n";
}

std::string fish_script() {
  std::string out =
      "# fish completion of texlate; made by 'texlate completions fish'\ncomplete -c texlate -n "
      "__fish_use_subcommand -f\n";
  for (const Command& command : commands())
    out += fmt::format("complete -c texlate -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                       quoted(command.summary, false));
  for (const Command& command : commands()) {
    const std::string start =
        fmt::format("complete -c texlate -n '__fish_seen_subcommand_from {}'", command.name);
    if (const auto own = argument_words(command); !own.empty())
      out += fmt::format("{} -f -a '{}'\n", start, fmt::join(own, " "));
    for (const Option& option : documented_options(command)) {
      if (option.is_argument()) continue;
      out += start;
      for (const std::string& name : names_of(option))
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.is_flag() && option.implied.empty()) {
        const std::string choices = fmt::format("{}", fmt::join(option.choices.list(), " "));
        out += choices.empty()     ? option.completion == Completion::nothing ? " -x" : " -r"
               : option.comma_list ? fmt::format(" -x -a '(__fish_append , {})'", choices)
                                   : fmt::format(" -x -a '{}'", choices);
      }
      out += fmt::format(" -d '{}'\n", quoted(option.help, false));
    }
  }
  return out;
}

int run_completions(const Given&) {
  return write_file("-", completion_script(g_shell)) ? kExitGood : kExitInput;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  return shell == "bash" ? bash_script() : shell == "zsh" ? zsh_script() : fish_script();
}

Command completions_command() {
  return {
      .name = "completions",
      .summary = "Write a script with which bash, zsh or fish completes commands and options",
      .description =
          "The scripts are installed with the program. In a build tree: source <(texlate completions bash).",
      .options =
          [] {
            return std::vector<Option>{{.names = "SHELL",
                                        .to = &g_shell,
                                        .help = "bash, zsh or fish",
                                        .value = "SHELL",
                                        .choices = {"bash", "zsh", "fish"},
                                        .required = true}};
          },
      .run = run_completions,
      .statuses = {{kExitGood, "success"}, {kExitUsage, "the shell is not one of these"}},
      .examples = {{"texlate completions fish > ~/.config/fish/completions/texlate.fish", "for one user"}}};
}

}  // namespace texlate::cli
