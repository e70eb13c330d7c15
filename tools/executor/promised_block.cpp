#include "tools/executor/promised_block.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "backend/launch/launch_abi.h"
#include "ir/spelling.h"

namespace texlate::executor {

namespace {

using Json = nlohmann::json;
using Kind = PromisedWord::Kind;

std::optional<ir::BindingFact> fact_of(std::string_view name) {
  for (uint32_t i = 0; i <= static_cast<uint32_t>(ir::BindingFact::max_anisotropy); ++i) {
    if (ir::spelling(static_cast<ir::BindingFact>(i)) == name) return static_cast<ir::BindingFact>(i);
  }
  return std::nullopt;
}

/// The record of a register in the block; null: it has none.
const Json* find_record(const Json& reflection, const std::string& name) {
  for (const char* const list : {"resources", "samplers", "constant_buffers"}) {
    if (!reflection.contains(list)) continue;
    for (const Json& record : reflection[list]) {
      if (record.value("name", "") == name) return &record;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<PromisedWord> promised_words(const Json& reflection) {
  std::vector<PromisedWord> words;
  if (!reflection.contains("relies_on")) return words;
  for (const Json& known : reflection["relies_on"]) {
    if (known.value("launch", "") == "elements")
      words.push_back({Kind::equal, launch::stream_head::kCount, known.value("value", 0u), "elements"});
    if (!known.contains("register")) continue;
    const std::string name = known["register"];
    const Json* const record = find_record(reflection, name);
    if (record == nullptr) continue;
    const uint32_t offset = record->value("offset", 0u);
    if (known.contains("rows")) {
      words.push_back({Kind::at_least, offset + launch::constant_buffer_record::kRows,
                       known.value("rows", 0u), name + ": rows"});
      continue;
    }
    const auto fact = fact_of(known.value("fact", ""));
    if (!fact) continue;
    const uint32_t value = known.value("value", 0u);
    const std::string what = fmt::format("{}: {}", name, ir::spelling(*fact));
    if (*fact == ir::BindingFact::bound) {
      words.push_back({value != 0 ? Kind::handle : Kind::no_handle, offset, 0, what});
      continue;
    }
    words.push_back({Kind::equal, offset + launch::fact_offset(*fact), value, what});
  }
  return words;
}

}  // namespace texlate::executor
