// The walk over the accesses, and a function for each operation that reads as the operation's contract.
#pragma once

#include "ir/passes/footprint.h"
#include "ir/passes/legalize_anisotropy.h"
#include "ir/passes/legalize_clamp.h"
#include "ir/passes/legalize_compare.h"
#include "ir/passes/legalize_level.h"

namespace texlate::ir {

class TextureLegalizer : TextureRewriter {
 public:
  explicit TextureLegalizer(TextureRewrite& rewrite)
      : TextureRewriter(rewrite),
        levels_(rewrite),
        anisotropy_(rewrite, levels_),
        texels_(rewrite, levels_),
        comparisons_(rewrite, levels_, anisotropy_, texels_),
        floors_(rewrite, levels_) {}

  bool run();

 private:
  // legalize_texture.cpp
  bool is_concern(const Instruction& instruction) const;
  bool is_native(const Instruction& instruction) const;
  bool has_any_concern() const;
  void survey();
  void remap_operands(const Instruction& instruction);
  void legalize(const Instruction& instruction);
  void legalize_fetch(AccessDraft& draft);
  void legalize_sample(AccessDraft& draft);
  void legalize_gather(AccessDraft& draft);
  void legalize_surface(AccessDraft& draft);
  void legalize_counter(AccessDraft& draft);
  bool check_expressible(AccessDraft& draft);
  bool gives_feedback(const AccessDraft& draft) const;
  void substitute_dimension(AccessDraft& draft);

  // legalize_guards.cpp
  void guard_level(AccessDraft& draft);
  void guard_coordinates(AccessDraft& draft);
  void guard_slice(AccessDraft& draft);
  void guard_sample(AccessDraft& draft);
  void fold_offset(AccessDraft& draft);
  void round_layer(AccessDraft& draft);
  void legalize_buffer(AccessDraft& draft);
  void cut_byte_offset(AccessDraft& draft, Slot slot);
  void limit_structure(AccessDraft& draft);
  bool stays_together(const AccessDraft& draft) const;
  void load_units(AccessDraft& draft);

  // legalize_queries.cpp
  void legalize_size(AccessDraft& draft);
  void guard_size(AccessDraft& draft);
  Value guarded(Value guard, Value value);
  void legalize_samples(AccessDraft& draft);
  void legalize_position(AccessDraft& draft);
  void legalize_lod(AccessDraft& draft);
  void legalize_buffer_size(AccessDraft& draft);
  void gather_by_fetches(AccessDraft& draft);
  void legalize_raster_position(const Instruction& instruction);
  void legalize_sample_evaluation(const Instruction& instruction);
  void legalize_centroid_evaluation(const Instruction& instruction);
  void evaluate_at_sample(const Instruction& instruction, Value sample);

  SampleLevels levels_;
  AnisotropicSamples anisotropy_;
  TexelReader texels_;
  Comparisons comparisons_;
  MeasuredFloors floors_;
};

}  // namespace texlate::ir
