// Everything that a program can be translated to, by name: the targets (backend/), and the program's own
// forms.
#pragma once

#include <span>
#include <string_view>

#include "backend/target.h"

namespace texlate::library {

struct OutputForm {
  enum class Kind : uint8_t {
    target,    // what a backend emits
    ir,        // the contract as IR text: before any target's gaps are closed
    assembly,  // text as fxc prints it
    dxbc,      // a container
  };
  std::string_view name;
  std::string_view title;   // for `--help`
  std::string_view suffix;  // of files, with the dot
  Kind kind = Kind::target;
  const backend::Target* target = nullptr;  // Kind::target
};

/// Targets first, in the order of TEXLATE_TARGETS.
std::span<const OutputForm> output_forms();
/// Null: nothing has this name.
const OutputForm* find_output_form(std::string_view name);
/// Null: no target has this name.
const backend::Target* find_target(std::string_view name);

}  // namespace texlate::library
