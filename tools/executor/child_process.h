// Work that may take the process with it: drivers crash on shaders.
#pragma once

#include <functional>
#include <string>

namespace texlate::executor {

/// Runs `work` in a child process and waits for it. False when the child was killed; `death` says how:
/// "SIGSEGV (Segmentation fault)". What `work` changes stays in the child. To be called before the process
/// has threads.
bool survives(const std::function<void()>& work, std::string& death);

}  // namespace texlate::executor
