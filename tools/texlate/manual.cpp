// Manual pages and docs/commands.md.

#include <fmt/format.h>

#include "texlate/texlate.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/help.h"

namespace texlate::cli {

namespace {

/// Escapes text for roff: backslashes, hyphens (otherwise typeset as dashes that cannot be copied), and lines
/// that would begin with a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string page_start(const std::string& name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"texlate {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(upper(name)), texlate_version(), roff(name), roff(summary));
}

std::string roff_paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string roff_entry(std::string_view left, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(left), roff(text));
}

std::string main_page() {
  std::string out =
      page_start("texlate", "translate Direct3D shader programs to PTX, Maxwell machine code and SPIR-V");
  out += ".SH SYNOPSIS\n.B texlate\n.I COMMAND\n[\\fIOPTION\\fR]... \\fIFILE\\fR...\n.SH DESCRIPTION\n";
  out += roff_paragraphs(
      "Translates Direct3D shaders (models 4.0 to 5.1, as fxc prints them or as DXBC containers) so that the "
      "result means exactly what Direct3D says. It can also run them without a GPU and compare what "
      "different translations draw.");
  out += ".SH COMMANDS\n";
  for (const Command& command : commands()) out += roff_entry(command.name, command.summary);
  for (const Topic& topic : topics()) {
    out += fmt::format(".SH {}\n.PP\n.nf\n{}.fi\n", roff(upper(topic.name)), roff(topic.text()));
  }
  out += ".SH SEE ALSO\n";
  for (const Command& command : commands()) out += fmt::format(".BR texlate\\-{} (1)\n", roff(command.name));
  return out;
}

std::string command_page(const Command& command) {
  const std::vector<Option> options = documented_options(command);
  std::string summary(command.summary);
  summary[0] =
      static_cast<char>(summary[0] >= 'A' && summary[0] <= 'Z' ? summary[0] - 'A' + 'a' : summary[0]);
  std::string out = page_start("texlate-" + std::string(command.name), summary);
  out += ".SH SYNOPSIS\n" + roff(usage_line(command, options)) + "\n.SH DESCRIPTION\n" +
         roff(command.summary) + ".\n" + roff_paragraphs(command.description);
  out += ".SH OPTIONS\n";
  for (const std::string_view heading : headings(options)) {
    bool has_title = heading.empty();
    for (const Option& option : options) {
      if (option.topic != heading) continue;
      if (!has_title) out += fmt::format(".SS {}\n", roff(heading));
      has_title = true;
      out += roff_entry(spelled(option), explained(option, options) + ".");
    }
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitStatus& status : command.statuses)
    out += roff_entry(std::to_string(status.status), status.meaning);
  if (!command.examples.empty()) out += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) out += roff_entry(example.command, example.purpose);
  return out + ".SH SEE ALSO\n.BR texlate (1)\n";
}

/// Text for a cell or an item, with `|` and `<` escaped.
std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_') out += '\\';
    if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string manual_page(const Command* command) {
  return command == nullptr ? main_page() : command_page(*command);
}

std::string command_reference() {
  std::string out =
      "# Commands\n\nThis page is the output of `texlate help --format markdown`; a test keeps it up to "
      "date. `texlate help COMMAND` and the manual pages say the same.\n\n| command | |\n|---|---|\n";
  for (const Command& command : commands())
    out += fmt::format("| [`{0}`](#texlate-{0}) | {1} |\n", command.name, markdown(command.summary));
  for (const Command& command : commands()) {
    const std::vector<Option> options = documented_options(command);
    out += fmt::format("\n## texlate {}\n\n{}.\n\n```\n{}\n```\n\n", command.name, markdown(command.summary),
                       usage_line(command, options));
    if (!command.description.empty()) out += markdown(command.description) + "\n\n";
    out += "| option | |\n|---|---|\n";
    for (const std::string_view heading : headings(options)) {
      if (heading == "Messages") continue;
      for (const Option& option : options) {
        if (option.topic == heading)
          out += fmt::format("| `{}` | {} |\n", spelled(option), markdown(explained(option, options)));
      }
    }
    out += "\n| exit status | |\n|---|---|\n";
    for (const ExitStatus& status : command.statuses)
      out += fmt::format("| {} | {} |\n", status.status, markdown(status.meaning));
  }
  out += "\nEvery command has `--color`, `--diagnostics` and `--help`.\n";
  for (const Topic& topic : topics()) out += fmt::format("\n## {}\n\n```\n{}```\n", topic.name, topic.text());
  return out;
}

}  // namespace texlate::cli
