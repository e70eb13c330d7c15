#include "tools/texlate/progress_bar.h"

#include <fmt/format.h>

#include <cstdio>

#include "ir/base/platform/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

std::string g_bars = "auto";

bool are_shown() {
  if (g_bars != "auto") return g_bars == "always";
  return platform::is_terminal(stderr) && !message_style().json;
}

}  // namespace

void choose_progress(std::string_view bars) {
  g_bars = bars;
}

ProgressBar::ProgressBar(std::string_view name) : name_(name), shown_(are_shown()) {}

void ProgressBar::update(double share, std::string_view text) {
  if (!shown_) return;
  const int percent = static_cast<int>(share * 100);
  std::string bar =
      fmt::format("{} [{:<40}] {:>3}%{}{}", name_, std::string(static_cast<size_t>(percent) * 40 / 100, '#'),
                  percent, text.empty() ? "" : " ", text);
  if (bar == drawn_) return;
  fmt::print(stderr, "\r{}\033[K", bar);
  std::fflush(stderr);
  drawn_ = std::move(bar);
}

void ProgressBar::hide() {
  if (drawn_.empty()) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_.clear();
}

}  // namespace texlate::cli
