// Writes a View as HTML.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "texlate/texlate.h"
#include "tools/texlate/markup.h"
#include "tools/texlate/view.h"

namespace texlate::cli {

namespace {

/// Escapes text for HTML: markup, and U+FFFD for bytes that are not printable.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const std::string_view entity = entity_of(c); !entity.empty()) {
      out += entity;
    } else if (c == '\t') {
      out += "    ";
    } else if (is_printable(c)) {
      out += c;
    } else {
      out += "&#xfffd;";
    }
  }
  return out;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// The position of the mnemonic: after results, control columns (`--:-:1:-:2`) and predicates (`@%p1`).
size_t mnemonic_of(std::string_view code, size_t begin) {
  if (const size_t equals = code.find(" = "); equals != std::string_view::npos) return equals + 3;
  for (;;) {
    const size_t end = std::min(code.find(' ', begin), code.size());
    const std::string_view word = code.substr(begin, end - begin);
    const size_t next = code.find_first_not_of(' ', end);
    const bool columns = std::count(word.begin(), word.end(), ':') > 1;
    if (next == std::string_view::npos || !(columns || word.starts_with('@'))) return begin;
    begin = next;
  }
}

/// A line with its comment and mnemonic marked up.
std::string marked(std::string_view line) {
  size_t comment = std::min(line.find("//"), line.find("; "));
  if (line.starts_with(";")) comment = 0;
  const std::string_view code = line.substr(0, comment);
  size_t begin = code.find_first_not_of(" \t");
  std::string out;
  if (begin == std::string_view::npos) {
    out = html(code);
  } else {
    begin = mnemonic_of(code, begin);
    size_t end = begin;
    while (end < code.size() && is_word(code[end])) ++end;
    out = fmt::format("{}<b>{}</b>{}", html(code.substr(0, begin)), html(code.substr(begin, end - begin)),
                      html(code.substr(end)));
  }
  if (comment != std::string_view::npos) out += fmt::format("<i>{}</i>", html(line.substr(comment)));
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) out += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

/// The number of gaps closed for a source line, by target.
using GapCounts = std::map<uint32_t, size_t>;

std::string pane_html(const ViewPane& pane, bool is_source, const GapCounts& counts) {
  std::string out = fmt::format(
      "<section class=\"pane\" id=\"{}\"{}><h2>{} <small>{} lines</small></h2>\n<div class=\"code\">\n",
      pane.id, pane.shown ? "" : " hidden", html(pane.title), pane.lines.size());
  if (!pane.failure.empty()) out += fmt::format("<p class=\"failure\">{}</p>\n", html(pane.failure));
  uint32_t number = 0;
  for (const ViewLine& line : pane.lines) {
    ++number;
    const auto gaps = counts.find(line.source);
    const bool mark = is_source && line.source != 0 && gaps != counts.end();
    const std::string link = line.source != 0 ? fmt::format(" data-l=\"{}\"", line.source) : std::string();
    const std::string dot = mark ? fmt::format("<u title=\"{} closed {}\">{}</u>", gaps->second,
                                               gaps->second == 1 ? "gap" : "gaps", gaps->second)
                                 : "<u></u>";
    out += fmt::format("<div class=\"l\"{}><s>{}</s>{}<code>{}</code></div>\n", link, number,
                       is_source ? dot : "", marked(line.text));
  }
  return out + "</div></section>\n";
}

std::string gaps_html(const View& view) {
  std::string out = fmt::format(
      "<section class=\"pane\" id=\"gaps\"><h2>Closed gaps <small>{}</small></h2>\n<div class=\"code\">\n",
      view.gaps.size());
  if (view.gaps.empty())
    out += "<p class=\"none\">The targets promise everything that the shader needs.</p>\n";
  for (const ViewGap& gap : view.gaps) {
    out += fmt::format(
        "<div class=\"gap\"{}><s>{}</s><p><em>{}</em> <b>{}</b>: {} <small>({} "
        "{})</small></p></div>\n",
        gap.source != 0 ? fmt::format(" data-l=\"{}\"", gap.source) : "", gap.source, html(gap.target),
        html(gap.operation), html(gap.done), html(gap.lack), html(gap.document));
  }
  return out + "</div></section>\n";
}

std::string pictures_html(const View& view) {
  if (view.pictures.empty() && view.verdicts.empty()) return {};
  std::string out = "<section class=\"pane\" id=\"pictures\"><h2>Pictures</h2>\n<div class=\"pictures\">\n";
  for (const ViewPicture& picture : view.pictures)
    out += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        html(picture.label), base64(picture.png));
  for (const std::string& verdict : view.verdicts) out += fmt::format("<p>{}</p>\n", html(verdict));
  return out + "</div></section>\n";
}

std::string button(std::string_view id, std::string_view title, bool shown) {
  return fmt::format("<button data-pane=\"{}\" aria-pressed=\"{}\">{}</button>\n", id,
                     shown ? "true" : "false", html(title));
}

}  // namespace

std::string view_page(const View& view) {
  GapCounts counts;
  for (const ViewGap& gap : view.gaps) ++counts[gap.source];
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n"
      "<meta name=\"generator\" content=\"texlate {}\">\n<title>{} - "
      "texlate</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n"
      "<h1>{}</h1><span>{}</span>\n<nav>\n",
      texlate_version(), html(view.title), view_style(), html(view.title), html(view.summary));
  for (const ViewPane& pane : view.panes) out += button(pane.id, pane.title, pane.shown);
  out += button("gaps", "Closed gaps", true);
  const std::string pictures = pictures_html(view);
  if (!pictures.empty()) out += button("pictures", "Pictures", true);
  out += "<button id=\"theme\" title=\"light or dark\">&#9680;</button>\n</nav>\n</header>\n<main>\n";
  for (size_t i = 0; i < view.panes.size(); ++i) out += pane_html(view.panes[i], i == 0, counts);
  out += gaps_html(view) + pictures;
  return out +
         fmt::format(
             "</main>\n<footer>Point at a line to see its translation; click to pin it, Escape to unpin it, "
             "arrow keys for the next line. texlate {}</footer>\n<script>\n{}</script>\n</body>\n</html>\n",
             texlate_version(), view_script());
}

}  // namespace texlate::cli
