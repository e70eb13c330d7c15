// Recognizes inputs that are not shaders of models 4 and 5, and names the tools that read them.
#pragma once

#include <string_view>

namespace texlate::library {

/// Returns a message if the first bytes show that the input is certainly not a shader of models 4 and 5.
/// Fast, because it is called for every input.
std::string_view foreign_bytes(std::string_view bytes);

/// The same for a text in which no listing was found.
std::string_view foreign_text(std::string_view text);

/// True for the IR's text form: a `module` line, after comments and empty lines.
bool is_ir_text(std::string_view bytes);

}  // namespace texlate::library
