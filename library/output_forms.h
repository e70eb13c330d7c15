// All output forms of a program, by name: the targets (backend/), and the forms of the program
// itself.
#pragma once

#include <span>
#include <string_view>

#include "backend/target.h"

namespace texlate::library {

struct OutputForm {
  enum class Kind : uint8_t {
    target,    // emitted by a backend
    ir,        // the contract as IR text, before the gaps of any target are closed
    assembly,  // text as fxc prints it
    dxbc,      // a container
  };
  std::string_view name;
  std::string_view title;   // for `--help`
  std::string_view suffix;  // file name suffix, with the dot
  Kind kind = Kind::target;
  const backend::Target* target = nullptr;  // Kind::target
};

/// What a target writes.
constexpr OutputForm form_of(const backend::Target& target) {
  return {target.name, target.title, target.suffix, OutputForm::Kind::target, &target};
}

/// Targets first, in the order of TEXLATE_TARGETS.
std::span<const OutputForm> output_forms();
/// Null if there is no such form.
const OutputForm* find_output_form(std::string_view name);
/// Null if there is no such target.
const backend::Target* find_target(std::string_view name);

}  // namespace texlate::library
