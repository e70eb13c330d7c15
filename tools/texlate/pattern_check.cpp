#include "tools/texlate/pattern_check.h"

#include <map>
#include <regex>

namespace texlate::cli {

namespace {

/// Replaces runs of blanks by one blank.
std::string canonical(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && !out.empty() && out.back() == ' ') continue;
    if (c != '\r') out += blank ? ' ' : c;
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(canonical(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

struct Position {
  size_t line = 0, column = 0;
  // clang-tidy 14 mistakes the 0 with which the compiler compares the ordering for a null pointer.
  auto operator<=>(const Position&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Found {
  Position begin, end;
};

using Variables = std::map<std::string, std::string, std::less<>>;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("^$\\.*+?()[]{}|/").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// A pattern as one regular expression, and the variables that it defines.
class Expression {
 public:
  /// Throws std::regex_error. Returns nothing if a variable is not defined: `missing` is its name.
  Expression(std::string_view pattern, const Variables& variables, std::string& missing) {
    std::string expression;
    for (size_t at = 0; at < pattern.size();) {
      const size_t open = std::min(pattern.find("{{", at), pattern.find("[[", at));
      const size_t end = std::min(open, pattern.size());
      expression += escaped(canonical(pattern.substr(at, end - at)));
      if (open == std::string_view::npos) break;
      const bool is_variable = pattern[open] == '[';
      const size_t close = find_close(pattern, open, is_variable);
      if (close == std::string_view::npos) throw std::regex_error(std::regex_constants::error_brack);
      const std::string_view inside = pattern.substr(open + 2, close - open - 2);
      expression += is_variable ? variable(inside, variables, missing) : add_group(inside);
      at = close + 2;
    }
    regex_ = std::regex(expression, std::regex::ECMAScript);
  }

  bool find(const std::string& line, size_t from, size_t& begin, size_t& end, std::smatch& match) const {
    const auto first = line.begin() + static_cast<ptrdiff_t>(from);
    const auto flags =
        from == 0 ? std::regex_constants::match_default : std::regex_constants::match_prev_avail;
    if (!std::regex_search(first, line.end(), match, regex_, flags)) return false;
    begin = from + static_cast<size_t>(match.position(0));
    end = begin + static_cast<size_t>(match.length(0));
    return true;
  }

  void define(const std::smatch& match, Variables& variables) const {
    for (const auto& [name, group] : defined_) variables[name] = match.str(group);
  }

 private:
  /// The end of the brackets. Brackets may be nested, as in [[N:[0-9]+]]; the last one counts.
  static size_t find_close(std::string_view pattern, size_t open, bool is_variable) {
    size_t close = pattern.find(is_variable ? "]]" : "}}", open + 2);
    const char bracket = is_variable ? ']' : '}';
    while (close != std::string_view::npos && close + 2 < pattern.size() && pattern[close + 2] == bracket)
      ++close;
    return close;
  }

  std::string add_group(std::string_view regex) {
    // Counts the groups of the pattern itself, to find those added here.
    groups_ += static_cast<size_t>(std::regex(std::string(regex)).mark_count());
    return "(?:" + std::string(regex) + ")";
  }

  std::string variable(std::string_view inside, const Variables& variables, std::string& missing) {
    const size_t colon = inside.find(':');
    if (colon != std::string_view::npos) {
      ++groups_;
      const std::string name(inside.substr(0, colon));
      defined_.emplace_back(name, groups_);
      const std::string regex(inside.substr(colon + 1));
      groups_ += static_cast<size_t>(std::regex(regex).mark_count());
      return "(" + regex + ")";
    }
    // Defined in the same pattern: a back reference.
    for (const auto& [name, group] : defined_) {
      if (name == inside) return "\\" + std::to_string(group) + "(?:)";
    }
    const auto known = variables.find(inside);
    if (known == variables.end()) {
      missing = inside;
      return {};
    }
    return escaped(known->second);
  }

  std::regex regex_;
  std::vector<std::pair<std::string, size_t>> defined_;
  size_t groups_ = 0;
};

class Checker {
 public:
  Checker(const std::vector<Check>& checks, std::string_view text, Diagnostics& diagnostics)
      : checks_(checks), lines_(lines_of(text)), diagnostics_(diagnostics) {}

  bool run() {
    if (!find_labels()) return false;
    for (size_t i = 0; i < checks_.size();) {
      if (checks_[i].kind == CheckKind::label) {
        if (!meet_pending(labels_[i].begin)) return false;
        last_ = labels_[i];
        ++i;
      } else if (checks_[i].kind == CheckKind::not_) {
        pending_.push_back(&checks_[i++]);
      } else if (!(checks_[i].kind == CheckKind::dag ? meet_group(i) : meet(i))) {
        return false;
      }
    }
    return meet_pending({lines_.size(), 0});
  }

 private:
  bool fail(const Check& check, const std::string& message, Position where) {
    diagnostics_.error(check.location, "{}: {}", check.spelling, message);
    if (where.line < lines_.size()) {
      diagnostics_.note({}, "searched from line {} of the output: {}", where.line + 1, lines_[where.line]);
    } else {
      diagnostics_.note({}, "searched at the end of the output");
    }
    return false;
  }

  /// The first match at or after `from` and before `to`. Also false for an invalid pattern: `wrong` says why.
  bool find(const Check& check, Position from, Position to, Found& found, std::string& wrong,
            bool define = true) {
    try {
      std::string missing;
      const Expression expression(check.pattern, variables_, missing);
      if (!missing.empty()) {
        wrong = fmt::format("no earlier pattern defines {}", missing);
        return false;
      }
      for (size_t line = from.line; line < lines_.size() && line <= to.line; ++line) {
        std::smatch match;
        const size_t start = line == from.line ? from.column : 0;
        if (start > lines_[line].size() ||
            !expression.find(lines_[line], start, found.begin.column, found.end.column, match))
          continue;
        found.begin.line = found.end.line = line;
        if (found.begin >= to) return false;
        if (define) expression.define(match, variables_);
        return true;
      }
    } catch (const std::regex_error&) {
      wrong = fmt::format("'{}' is not a valid pattern", check.pattern);
    }
    return false;
  }

  /// Matches labels first, so that the other checks cannot match in the next part.
  bool find_labels() {
    labels_.resize(checks_.size());
    Position from;
    for (size_t i = 0; i < checks_.size(); ++i) {
      if (checks_[i].kind != CheckKind::label) continue;
      std::string wrong = "no match in the output";
      if (!find(checks_[i], from, end(), labels_[i], wrong)) return fail(checks_[i], wrong, from);
      from = labels_[i].end;
    }
    return true;
  }

  Position end() const { return {lines_.size(), 0}; }
  /// The end of the part that contains `i`.
  Position limit(size_t i) const {
    for (; i < checks_.size(); ++i) {
      if (checks_[i].kind == CheckKind::label) return labels_[i].begin;
    }
    return end();
  }

  bool meet(size_t& i) {
    const Check& check = checks_[i];
    std::string wrong = "no match in the output";
    Found found;
    if (!find(check, last_.end, limit(i), found, wrong)) return fail(check, wrong, last_.end);
    if (check.kind == CheckKind::next && found.begin.line != last_.end.line + 1) {
      return fail(check,
                  fmt::format("found on line {}, not on the line after line {}", found.begin.line + 1,
                              last_.end.line + 1),
                  last_.end);
    }
    if (check.kind == CheckKind::same && found.begin.line != last_.end.line)
      return fail(check,
                  fmt::format("found on line {}, not on line {}", found.begin.line + 1, last_.end.line + 1),
                  last_.end);
    if (!meet_pending(found.begin)) return false;
    last_ = found;
    ++i;
    return true;
  }

  /// Neighboring DAGs: each takes the first match that no previous one has taken.
  bool meet_group(size_t& i) {
    std::vector<Found> taken;
    Position first = end(), last;
    for (; i < checks_.size() && checks_[i].kind == CheckKind::dag; ++i) {
      Found found;
      std::string wrong = "no match in the output";
      Position from = last_.end;
      for (bool overlaps = true; overlaps;) {
        if (!find(checks_[i], from, limit(i), found, wrong)) return fail(checks_[i], wrong, last_.end);
        overlaps = false;
        for (const Found& other : taken) {
          if (found.begin >= other.end || other.begin >= found.end) continue;
          overlaps = true;
          from = other.end;
        }
      }
      taken.push_back(found);
      first = std::min(first, found.begin);
      last = std::max(last, found.end);
    }
    if (!meet_pending(first)) return false;
    last_ = {first, last};
    return true;
  }

  /// Checks the NOTs since the last match: none may match before `to`.
  bool meet_pending(Position to) {
    for (const Check* check : pending_) {
      Found found;
      std::string wrong;
      if (find(*check, last_.end, to, found, wrong, false)) {
        diagnostics_.error(check->location, "{}: the output has a match", check->spelling);
        diagnostics_.note({}, "in line {} of the output: {}", found.begin.line + 1, lines_[found.begin.line]);
        return false;
      }
      if (!wrong.empty()) return fail(*check, wrong, last_.end);
    }
    pending_.clear();
    return true;
  }

  const std::vector<Check>& checks_;
  std::vector<std::string> lines_;
  Diagnostics& diagnostics_;
  std::vector<Found> labels_;
  std::vector<const Check*> pending_;
  Variables variables_;
  Found last_;
};

}  // namespace

void read_check(std::string_view line, std::string_view prefix, uint32_t line_number,
                std::vector<Check>& checks, Diagnostics& diagnostics) {
  struct Kind {
    std::string_view suffix;
    CheckKind kind;
  };
  static constexpr Kind kKinds[] = {{"", CheckKind::plain},     {"-NEXT", CheckKind::next},
                                    {"-SAME", CheckKind::same}, {"-NOT", CheckKind::not_},
                                    {"-DAG", CheckKind::dag},   {"-LABEL", CheckKind::label}};
  const size_t begin = line.find_first_not_of(" \t;/#");
  if (begin == std::string_view::npos || begin == 0 || !line.substr(begin).starts_with(prefix)) return;
  const std::string_view rest = line.substr(begin + prefix.size());
  const size_t colon = rest.find(':');
  if (colon == std::string_view::npos || rest.find_first_of(" \t") < colon || (colon != 0 && rest[0] != '-'))
    return;
  const auto location = SourceLocation::text(line_number, static_cast<uint32_t>(begin + 1),
                                             static_cast<uint32_t>(prefix.size() + colon));
  const std::string_view suffix = rest.substr(0, colon);
  for (const Kind& kind : kKinds) {
    if (kind.suffix != suffix) continue;
    std::string_view pattern = rest.substr(colon + 1);
    while (!pattern.empty() && (pattern.front() == ' ' || pattern.front() == '\t')) pattern.remove_prefix(1);
    while (!pattern.empty() && (pattern.back() == ' ' || pattern.back() == '\r')) pattern.remove_suffix(1);
    if (pattern.empty()) diagnostics.error(location, "{}{} has no pattern", prefix, suffix);
    const bool first = checks.empty() && (kind.kind == CheckKind::next || kind.kind == CheckKind::same);
    if (first) diagnostics.error(location, "{}{} needs a check before it", prefix, suffix);
    checks.push_back({kind.kind, std::string(pattern), fmt::format("{}{}", prefix, suffix), location});
    return;
  }
  diagnostics.error(location, "there is no check {}{}: the kinds are -NEXT, -SAME, -NOT, -DAG and -LABEL",
                    prefix, suffix);
}

bool check_text(const std::vector<Check>& checks, std::string_view text, Diagnostics& diagnostics) {
  return Checker(checks, text, diagnostics).run();
}

}  // namespace texlate::cli
