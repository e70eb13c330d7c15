#include "tools/page/traced.h"

#include <nlohmann/json.hpp>

namespace texlate::page {

namespace {

using Json = nlohmann::json;

Json special(const executor::SpecialValue& found) {
  return {{"index", found.line}, {"register", found.write.reg + "." + "xyzw"[found.write.component]}};
}

Json line_json(const executor::TracedLine& line, const sm4::Program& program) {
  Json json = {{"line", program.instructions[line.instruction].location.line}, {"writes", Json::array()}};
  for (const executor::RegisterWrite& write : executor::register_writes(line.writes))
    json["writes"].push_back(Json::array({write.reg, write.values}));
  if (!line.is_live) json["live"] = false;
  if (!line.accesses.empty()) json["accesses"] = line.accesses;
  if (!line.guards.empty()) json["guards"] = line.guards;
  return json;
}

}  // namespace

Json trace_json(const executor::Trace& trace, const sm4::Program& program, const std::string& place) {
  Json json = {{"place", place},
               {"lines", Json::array()},
               {"left_out", trace.left_out},
               {"discarded", !trace.is_live},
               {"cut_off", trace.cut_off}};
  for (const executor::TracedLine& line : trace.lines) json["lines"].push_back(line_json(line, program));
  if (trace.nan) json["nan"] = special(*trace.nan);
  if (trace.infinity) json["infinity"] = special(*trace.infinity);
  return json;
}

}  // namespace texlate::page
