#include "tools/page/document.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/texlate/markup.h"

namespace texlate::page {

namespace {

constexpr std::string_view kPage =
#include "page.inc"  // made by assemble.cmake
    ;

constexpr std::string_view kTitle = "@TITLE@";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const std::string_view entity = cli::entity_of(c);
    if (entity.empty()) out += c;
    out += entity;
  }
  return out;
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
  const size_t at = text.find(mark);
  if (at != text.npos) text.replace(at, mark.size(), by);
}

/// For a script element, which "</script>" would end and "<!--" would change.
std::string script_text(const nlohmann::json& data) {
  const std::string json = data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string document(const std::string& title, const nlohmann::json& data) {
  std::string page(kPage);
  while (page.find(kTitle) != page.npos) replace(page, kTitle, escaped(title));
  replace(page, "@MACHINES@", "");
  replace(page, "@EDITOR@\n", "");
  replace(page, "@DATA@", script_text(data));  // last: the data may contain the marks
  return page;
}

bool put_into_playground(std::string& playground, const nlohmann::json& data) {
  constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
  const size_t begin = playground.find(kBegin);
  const size_t end = begin == playground.npos ? begin : playground.find("</script>", begin);
  if (end == playground.npos) return false;
  playground.replace(begin + kBegin.size(), end - begin - kBegin.size(), script_text(data));
  return true;
}

}  // namespace texlate::page
