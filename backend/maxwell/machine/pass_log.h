// What is done after each pass: an observer gets the text form, and builds with assertions verify it.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "backend/maxwell/machine/layout.h"
#include "backend/maxwell/machine/verify.h"
#include "ir/base/pass_text.h"

namespace texlate::maxwell::machine {

/// The names that an observer receives. The first is instruction selection, which fills the function. A name
/// is that of the pass's file, and of its function except for `schedule`.
inline constexpr std::string_view kSelect = "select", kSchedule = "schedule", kSpill = "spill",
                                  kAllocateRegisters = "allocate_registers", kLayOut = "lay_out",
                                  kScheduleLines = "schedule_lines", kAssignControl = "assign_control",
                                  kAddIssueHints = "add_issue_hints";
inline constexpr std::string_view kPassNames[] = {kSelect,
                                                  "empty_unreachable_blocks",
                                                  "convert_branches",
                                                  "remove_dead_code",
                                                  "merge_accesses",
                                                  "split_constants",
                                                  kSchedule,
                                                  kSpill,
                                                  kAllocateRegisters,
                                                  kLayOut,
                                                  kScheduleLines,
                                                  kAssignControl,
                                                  kAddIssueHints};

class PassLog {
 public:
  PassLog(const PassText* observer, bool verifies, std::pmr::memory_resource* memory)
      : observer_(observer), verifies_(verifies), held_(memory) {}

  /// A log of passes that are an attempt: it keeps their texts until take() says that the attempt counts.
  PassLog attempt() const {
    PassLog log(observer_, verifies_, held_.get_allocator().resource());
    log.is_attempt_ = true;
    return log;
  }
  void take(PassLog& attempt);

  void after(std::string_view pass, Function& function);
  void after(std::string_view pass, Function& function, const Layout& layout);

  /// The first rule that a pass has broken.
  const PassViolation& violation() const { return violation_; }
  bool ok() const { return violation_.violation.rule == FunctionRule::none; }

 private:
  struct Held {
    std::string_view pass;
    std::string text;
  };
  bool is_observed() const { return observer_ != nullptr && observer_->after != nullptr; }
  void report(std::string_view pass, std::string text);

  const PassText* observer_;
  bool verifies_;
  bool is_attempt_ = false;
  PassViolation violation_;
  std::pmr::vector<Held> held_;
};

}  // namespace texlate::maxwell::machine
