// A bar on standard error that shows how much of some work is done.
#pragma once

#include <string>
#include <string_view>

namespace texlate::cli {

/// Shown on terminals, unless messages are JSON. Redrawn for each percent, and removed at the end.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view name);
  ~ProgressBar() { hide(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double share, std::string_view text = {});
  /// Removes the bar until the next update, so that something else can be printed.
  void hide();

 private:
  std::string name_, drawn_;
  bool shown_;
};

/// `bars` is auto (on terminals), always or never; set once, before the first bar.
void choose_progress(std::string_view bars);

}  // namespace texlate::cli
