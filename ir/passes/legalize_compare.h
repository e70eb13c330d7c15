// Comparisons by code, for targets whose sampling cannot compare.
#pragma once

#include "ir/passes/footprint.h"
#include "ir/passes/legalize_anisotropy.h"

namespace texlate::ir {

class Comparisons : TextureRewriter {
 public:
  Comparisons(TextureRewrite& rewrite, SampleLevels& levels, AnisotropicSamples& anisotropy,
              TexelReader& texels)
      : TextureRewriter(rewrite), levels_(levels), anisotropy_(anisotropy), texels_(texels) {}

  /// Before the first access: does the module have so many that they call routines?
  void count();
  void compare(AccessDraft& draft);
  void compare_gathered(AccessDraft& draft);

  /// The reference as it is compared with texels of the view.
  Value quantized_reference(AccessDraft& draft);
  /// The sampler's function for passes().
  Value function_mask(AccessDraft& draft);
  Value passes(Value functions, Value reference, Value texel);

 private:
  bool calls_comparison(const AccessDraft& draft) const;
  void rely_on_known_comparison(const AccessDraft& draft);
  void compare_by_call(AccessDraft& draft);
  void compare_in_code(AccessDraft& draft);
  std::array<Value, 2> compare_mips(AccessDraft& draft, const MipChoice& mips, Value reference,
                                    Value functions);
  std::array<Value, 2> compare_mip(AccessDraft& draft, const MipChoice& mips, Value mip, Value reference,
                                   Value functions);
  Value nearest_step(Value value, Value scale);
  Value quotient_of_steps(Value steps, float scale);
  Value passes_known(uint32_t functions, Value reference, Value texel);

  SampleLevels& levels_;
  AnisotropicSamples& anisotropy_;
  TexelReader& texels_;
  bool calls_ = false;
};

}  // namespace texlate::ir
