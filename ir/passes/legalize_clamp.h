// Floors of levels (`_cl`), for targets that have none and cannot be asked for the state of a sampler.
#pragma once

#include "ir/passes/legalize_level.h"

namespace texlate::ir {

class MeasuredFloors : TextureRewriter {
 public:
  MeasuredFloors(TextureRewrite& rewrite, SampleLevels& levels)
      : TextureRewriter(rewrite), levels_(levels), biases_(rewrite.module.memory()) {}

  /// Measures the bias of the samplers whose registers are known, at the start of the shader.
  void measure_biases();
  static bool has_floor_in_code(const AccessDraft& draft);
  void sample(AccessDraft& draft);

 private:
  /// The LOD bias of a (resource, sampler) pair, measured at the start of the shader.
  struct MeasuredBias {
    uint32_t resource, sampler;
    Value resource_index, sampler_index;  // constants, or kNoValue
    Value bias;
  };
  bool has_fixed_registers(const AccessDraft& draft) const;
  bool measures_bias(const AccessDraft& draft) const;
  Value known_bias(const AccessDraft& draft) const;
  Value pixel_position(uint32_t axis);
  Value query_level(const AccessDraft& draft, const Results& coordinates);
  Value measured_bias(AccessDraft& draft);
  void sample_above_floor(AccessDraft& draft);
  void replace_below(AccessDraft& draft, Value floor, Value lowest);
  void lengthen_gradients(AccessDraft& draft, Value lowest);

  SampleLevels& levels_;
  std::pmr::vector<MeasuredBias> biases_;
};

}  // namespace texlate::ir
