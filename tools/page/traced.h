// One pixel, vertex or thread, line by line, for the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/executor/trace.h"

namespace texlate::page {

/// {"place", "lines": [{"line", "live"?: false, "writes": [[register, values]], "accesses"?, "guards"?}],
/// "left_out", "nan"?, "infinity"?: {"index", "register"}, "discarded", "cut_off"}. `line` is the line in the
/// source.
nlohmann::json trace_json(const executor::Trace& trace, const sm4::Program& program,
                          const std::string& place);

}  // namespace texlate::page
