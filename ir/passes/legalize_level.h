// The level of a sample, where the target does not find it as Direct3D does.
#pragma once

#include "ir/passes/texture_rewriter.h"

namespace texlate::ir {

class SampleLevels : TextureRewriter {
 public:
  using TextureRewriter::TextureRewriter;

  /// Gives the access a level or derivatives in place of what the target lacks.
  void make_level_explicit(AccessDraft& draft);
  void derive_coordinates(AccessDraft& draft);
  void scale_gradients(AccessDraft& draft, Value bias);
  Value level_of_gradients(AccessDraft& draft);
  Value level_of_access(AccessDraft& draft);
  Value floor_of_level(AccessDraft& draft);
  void guard_floor(AccessDraft& draft);

 private:
  Value is_floor_in_view(AccessDraft& draft);
  void clamp_level(AccessDraft& draft);
  void project_cube_gradients(AccessDraft& draft, Results& x, Results& y);
};

}  // namespace texlate::ir
