// Reads pipelines from JSON (docs/scene.md, "Pipelines").
#pragma once

#include "tools/executor/pipeline.h"

namespace texlate::executor {

/// File names are relative to `folder`. Returns false with errors, which have locations in `json`.
/// `files` gets all files that were read.
bool read_pipeline(std::string_view json, const std::string& folder, std::span<const Route> routes,
                   Pipeline& pipeline, std::vector<std::string>& files, Diagnostics& diagnostics);

}  // namespace texlate::executor
