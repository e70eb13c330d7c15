#include "ir/module_json.h"

#include "ir/early_depth.h"
#include "ir/spelling.h"

namespace texlate::ir {

void write_shader(JsonWriter& json, const Module& module) {
  json.field("stage", spelling(module.stage));
  json.field("shader_model", module.shader_model);
  if (module.stage == Stage::pixel) json.field("early_depth", spelling(early_depth(module)));
}

void write_semantic(JsonWriter& json, const Module& module, const Parameter& parameter) {
  if (parameter.semantic == kNoName) return;
  json.field("semantic", module.name_at(parameter.semantic));
  json.field("semantic_index", parameter.semantic_index);
}

}  // namespace texlate::ir
