// Inputs that are something else: what they are, and who reads them.
#pragma once

#include <string_view>

namespace texlate::library {

/// A message, from the first bytes, if the input is certainly not a shader of models 4 and 5; else nothing.
/// Quick: asked of every input.
std::string_view foreign_bytes(std::string_view bytes);

/// The same for a text in which no listing was found.
std::string_view foreign_text(std::string_view text);

/// Is it the IR's text form: a `module` line, after comments and empty lines?
bool is_ir_text(std::string_view bytes);

}  // namespace texlate::library
