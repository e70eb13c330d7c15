#include "backend/maxwell/machine/pass_log.h"

#include "backend/maxwell/machine/text.h"

namespace texlate::maxwell::machine {

void PassLog::after(std::string_view pass, Function& function) {
  if (verifies_ && ok()) violation_ = {pass, verify(function)};
  if (!is_observed()) return;
  std::string text;
  print(function, text);
  report(pass, std::move(text));
}

void PassLog::after(std::string_view pass, Function& function, const Layout& layout) {
  if (verifies_ && ok()) violation_ = {pass, verify(layout)};
  if (!is_observed()) return;
  std::string text;
  print(function, layout, text);
  report(pass, std::move(text));
}

void PassLog::take(PassLog& attempt) {
  if (ok()) violation_ = attempt.violation_;
  for (Held& held : attempt.held_) report(held.pass, std::move(held.text));
  attempt.held_.clear();
}

void PassLog::report(std::string_view pass, std::string text) {
  if (is_attempt_) {
    held_.push_back({pass, std::move(text)});
  } else {
    observer_->after(observer_->user, pass, text);
  }
}

}  // namespace texlate::maxwell::machine
