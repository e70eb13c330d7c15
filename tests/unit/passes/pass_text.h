// Tests of passes as text: the body before and the body after.
#pragma once

#include "tests/support/ir_text.h"

namespace texlate::ir {

/// The body that a pass makes from another one; both are verified.
template <typename Run>
std::string after(Run pass, std::string_view body, Form form = Form::ssa) {
  Module module;
  parse_or_fail(with_body(body), module);
  verify_or_fail(module, form);
  pass(module);
  verify_or_fail(module);
  return body_of(module);
}

/// A body as it is printed, so that expectations may number their values freely.
inline std::string body(std::string_view text) {
  Module module;
  parse_or_fail(with_body(text), module);
  return body_of(module);
}

}  // namespace texlate::ir
