// What a run wrote, as JSON, and its comparison with what was expected.
#pragma once

#include <string>

#include "tools/executor/comparison.h"
#include "tools/texlate/execution.h"

namespace texlate::cli {

/// Outputs of each element and unordered access views, as 32-bit words.
std::string outputs_json(const Execution& execution, const executor::RouteResult& result);

/// Compares with such a file. False: `difference` says what is different first, or why it could not be
/// compared.
bool has_outputs(std::string_view expected, const Execution& execution, const executor::RouteResult& result,
                 const executor::Tolerance& tolerance, std::string& difference);

}  // namespace texlate::cli
