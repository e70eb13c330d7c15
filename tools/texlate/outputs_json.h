// The outputs of a run as JSON, and their comparison with expected ones.
#pragma once

#include <string>

#include "tools/executor/comparison.h"
#include "tools/texlate/execution.h"

namespace texlate::cli {

/// Outputs of each element and unordered access views, as 32-bit words.
std::string outputs_json(const Execution& execution, const executor::RouteResult& result);

/// Compares with such a file. Returns false if they differ or cannot be compared; `difference` describes the
/// first difference or the reason.
bool has_outputs(std::string_view expected, const Execution& execution, const executor::RouteResult& result,
                 const executor::Tolerance& tolerance, std::string& difference);

}  // namespace texlate::cli
