// The page as one HTML file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace texlate::page {

/// A self-contained page that shows `data` (docs/playground.md) and needs no other file and no network. It
/// has no machines: what is not in the data it cannot compute.
std::string document(const std::string& title, const nlohmann::json& data);

/// Makes the playground (`make playground`) open with `data`. Returns false if the text is no playground.
bool put_into_playground(std::string& playground, const nlohmann::json& data);

}  // namespace texlate::page
