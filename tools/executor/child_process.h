// Runs work that may crash the process: drivers crash on some shaders.
#pragma once

#include "ir/base/platform/process.h"

namespace texlate::executor {

using platform::Child;
using platform::start_child;
using platform::wait_for_child;

/// Runs `work` in a child process and waits for it. Returns false in the same cases as wait_for_child().
bool survives(const std::function<void()>& work, std::string& death);

}  // namespace texlate::executor
