// What reflections say about a shader, whatever the target.
#pragma once

#include "ir/base/json_writer.h"
#include "ir/module.h"

namespace texlate::ir {

/// Writes members into the open object: "stage", "shader_model", and of pixel shaders "early_depth".
void write_shader(JsonWriter& json, const Module& module);

/// "semantic" and "semantic_index", if the parameter has a name.
void write_semantic(JsonWriter& json, const Module& module, const Parameter& parameter);

}  // namespace texlate::ir
