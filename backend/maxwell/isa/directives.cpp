#include "backend/maxwell/isa/directives.h"

#include <algorithm>
#include <string>
#include <variant>

#include "ir/base/characters.h"
#include "ir/base/number_text.h"

namespace texlate::maxwell {

namespace {

using Number = uint32_t ProgramFacts::*;
using Three = std::array<uint32_t, 3> ProgramFacts::*;
using Flag = bool ProgramFacts::*;
using Words = std::vector<uint32_t> ProgramFacts::*;  // may be on several lines
using Stage = DkshStage ProgramFacts::*;
using Mode = TessellationMode ProgramFacts::*;  // three words

struct Row {
  Directive directive;
  std::string_view name;
  std::variant<Number, Three, Flag, Words, Stage, Mode> member;
  std::string_view expected;  // for messages
};

constexpr Row kRows[] = {
#define DIRECTIVE(name, member, expected) {Directive::name, "." #name, &ProgramFacts::member, expected},
#include "backend/maxwell/isa/directives.inc"
#undef DIRECTIVE
};

struct StageName {
  DkshStage stage;
  std::string_view name;
};
constexpr StageName kStages[] = {
    {DkshStage::vertex, "vertex"}, {DkshStage::pixel, "pixel"},   {DkshStage::geometry, "geometry"},
    {DkshStage::hull, "hull"},     {DkshStage::domain, "domain"}, {DkshStage::compute, "compute"},
};

// By the enumerators of TessellationMode.
constexpr std::string_view kDomainWords[] = {"isoline", "triangle", "quad"};
constexpr std::string_view kSpacingWords[] = {"integer", "fractional_odd", "fractional_even"};
constexpr std::string_view kPrimitiveWords[] = {"points", "lines", "triangles_cw", "triangles_ccw"};

const Row* find(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? nullptr : found;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" \t,"), text.size()));
}

std::string_view without(std::string_view text, size_t count) {
  text.remove_prefix(count);
  while (!text.empty() && (is_space(text.front()) || text.front() == ',')) text.remove_prefix(1);
  return text;
}

/// Takes the next number away from the text.
bool take_number(std::string_view& text, uint32_t& value, int base) {
  std::string_view word = first_word(text);
  const size_t length = word.size();
  if (base == 16 && !take(word, "0x")) return false;
  if (!read_number(word, value, base)) return false;
  text = without(text, length);
  return true;
}

/// Reads what follows the name into the member; false: it is not what the directive takes.
struct FactReader {
  std::string_view text;
  ProgramFacts& facts;

  bool operator()(Number member) { return take_number(text, facts.*member, 10) && text.empty(); }
  bool operator()(Three member) {
    for (uint32_t& number : facts.*member)
      if (!take_number(text, number, 10)) return false;
    return text.empty();
  }
  bool operator()(Flag member) {
    facts.*member = true;
    return text.empty();
  }
  bool operator()(Words member) {
    if (text.empty()) return false;
    while (!text.empty()) {
      uint32_t word = 0;
      if (!take_number(text, word, 16)) return false;
      (facts.*member).push_back(word);
    }
    return true;
  }
  bool operator()(Stage member) {
    const auto* const found = std::ranges::find(kStages, text, &StageName::name);
    if (found == std::end(kStages)) return false;
    facts.*member = found->stage;
    return true;
  }
  bool operator()(Mode member) {
    TessellationMode& mode = facts.*member;
    return take_word(kDomainWords, mode.domain) && take_word(kSpacingWords, mode.spacing) &&
           take_word(kPrimitiveWords, mode.primitives) && text.empty();
  }

 private:
  template <typename Value>
  bool take_word(std::span<const std::string_view> words, Value& value) {
    const std::string_view word = first_word(text);
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) return false;
    value = static_cast<Value>(found - words.begin());
    text = without(text, word.size());
    return true;
  }
};

struct Printer {
  const ProgramFacts& facts;
  std::string_view name;
  bool always;
  std::string& out;

  void operator()(Number member) const {
    if (always || facts.*member != 0) line(std::to_string(facts.*member));
  }
  void operator()(Three member) const {
    const auto& [x, y, z] = facts.*member;
    if (always || x != 0) line(std::to_string(x), std::to_string(y), std::to_string(z));
  }
  void operator()(Flag member) const {
    if (facts.*member) line();
  }
  void operator()(Words member) const {
    constexpr size_t kOnLine = 8;
    const std::vector<uint32_t>& words = facts.*member;
    for (size_t i = 0; i < words.size(); ++i) {
      if (i % kOnLine == 0) out += name;
      char text[] = " 0x00000000";
      for (unsigned digit = 0; digit < 8; ++digit)
        text[3 + digit] = "0123456789abcdef"[words[i] >> (28 - 4 * digit) & 15];
      out += std::string_view(text, 11);
      if (i % kOnLine == kOnLine - 1 || i + 1 == words.size()) out += '\n';
    }
  }
  void operator()(Stage member) const {
    if (!always) return;
    const auto* const found = std::ranges::find(kStages, facts.*member, &StageName::stage);
    if (found != std::end(kStages)) line(found->name);
  }
  void operator()(Mode member) const {
    if (facts.stage != DkshStage::domain) return;
    const TessellationMode& mode = facts.*member;
    line(kDomainWords[static_cast<size_t>(mode.domain)], kSpacingWords[static_cast<size_t>(mode.spacing)],
         kPrimitiveWords[static_cast<size_t>(mode.primitives)]);
  }
  template <typename... Word>
  void line(const Word&... words) const {
    out += name;
    ((out += ' ', out += words), ...);
    out += '\n';
  }
};

}  // namespace

std::string_view directive_name(Directive which) {
  return kRows[static_cast<size_t>(which)].name;
}

bool is_directive(std::string_view word) {
  return find(word) != nullptr;
}

bool parse_directive(std::string_view line, SourceLocation at, ProgramFacts& facts,
                     Diagnostics& diagnostics) {
  const std::string_view name = first_word(line);
  at.length = static_cast<uint32_t>(line.size());
  const Row* const row = find(name);
  if (row == nullptr) {
    diagnostics.error(at, "unknown directive '{}'", name);
    return false;
  }
  SourceLocation& place = facts.places[static_cast<size_t>(row->directive)];
  if (place.line != 0 && !std::holds_alternative<Words>(row->member)) {
    diagnostics.error(at, "'{}' is given twice, first on line {}", name, place.line);
    return false;
  }
  if (!std::visit(FactReader{without(line, name.size()), facts}, row->member)) {
    diagnostics.error(at, "'{}' takes {}", name, row->expected);
    return false;
  }
  if (place.line == 0) place = at;
  return true;
}

void print_directives(const ProgramFacts& facts, std::span<const Directive> always, std::string& out) {
  for (const Row& row : kRows) {
    const bool is_always = std::ranges::find(always, row.directive) != always.end();
    std::visit(Printer{facts, row.name, is_always, out}, row.member);
  }
}

}  // namespace texlate::maxwell
