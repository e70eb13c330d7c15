// Where two routes part: the line of a shader after which they have different values.
#pragma once

#include "tools/texlate/execution.h"

namespace texlate::cli {

/// Two routes of one shader that differ at a pixel.
struct PartingRequest {
  const RunArguments& arguments;
  const Execution& execution;
  executor::Route first, second;
  executor::Tolerance tolerance;
  uint32_t element;  // the pixel
};

/// A text of some lines, each ended: the line of the shader, and what each route has after it. Empty if that
/// cannot be found: only pixel shaders without subroutines are cut after a line and run again, and only if
/// the pixel executes at most a hundred lines that write a temporary register or the first output.
///
/// A cut shader is another program: a fault that only the whole one shows is not found. A line counts as it
/// is executed first.
std::string parting_text(const PartingRequest& request);

}  // namespace texlate::cli
