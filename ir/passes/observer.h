// An observer of the module after each pass, for debugging.
#pragma once

#include <string_view>

#include "ir/module.h"

namespace texlate::ir {

struct PassObserver {
  void (*after)(void* user, std::string_view pass, const Module& module) = nullptr;
  void* user = nullptr;
};

/// Calls the observer, if there is one.
inline void notify(const PassObserver* observer, std::string_view pass, const Module& module) {
  if (observer != nullptr && observer->after != nullptr) observer->after(observer->user, pass, module);
}

}  // namespace texlate::ir
