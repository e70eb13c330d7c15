// Anisotropic samples as averages of isotropic ones, where the target's own operation cannot be given the
// level beside the derivatives.
#pragma once

#include "ir/passes/legalize_level.h"

namespace texlate::ir {

/// The probes of an anisotropic sample.
struct Probes {
  Value level;                // before bias and clamps
  Value count;                // float
  std::array<Value, 2> axis;  // the line on which they are, in coordinates
};

class AnisotropicSamples : TextureRewriter {
 public:
  AnisotropicSamples(TextureRewrite& rewrite, SampleLevels& levels)
      : TextureRewriter(rewrite), levels_(levels) {}

  static bool is_anisotropic(const AccessDraft& draft);
  Probes place_probes(AccessDraft& draft);
  std::optional<Probes> spread_probes(AccessDraft& draft);
  bool biases_anisotropy(const AccessDraft& draft) const;
  void sample_with_bias(AccessDraft& draft);
  Results5 read_probes(AccessDraft& draft, const Probes& probes);
  template <typename Read>
  Results5 average_probes(AccessDraft& draft, const Probes& probes, uint32_t wanted, Read read);

 private:
  SampleLevels& levels_;
};

/// Averages `read(draft)`, with the coordinates of each probe in turn: the components in the mask `wanted`,
/// and the joined residency statuses (the fifth result) if requested.
template <typename Read>
TextureRewriter::Results5 AnisotropicSamples::average_probes(AccessDraft& draft, const Probes& probes,
                                                             uint32_t wanted, Read read) {
  std::array<Value, 6> entry = {real(0.0f)};
  uint32_t count = 1;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((wanted >> i & 1) != 0) entry[count++] = real(0.0f);
  }
  const uint32_t sums = count - 1;
  const bool feedback = draft.access.contract.feedback;
  if (feedback) entry[count++] = word(kAllMapped);
  const Value share = emit(Op::frcp, {probes.count});
  const Value carried = builder_.emit_variadic(Op::loop, std::span(entry).first(count), count);
  const Value step = carried;

  // Probe n of N is (n + 0.5) / N - 0.5 of the axis away from the center.
  const Value along = emit(Op::ffma, {emit(Op::fadd, {step, real(0.5f)}), share, real(-0.5f)});
  AccessDraft at = draft;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const Slot slot = Slot::coordinate0 + axis;
    at.access.set(slot, emit(Op::ffma, {probes.axis[axis], along, draft.access.get(slot)}));
  }
  const Results5 values = read(at);

  std::array<Value, 6> next = {emit(Op::fadd, {step, real(1.0f)})};
  uint32_t n = 1;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((wanted >> i & 1) == 0) continue;
    next[n] = emit(Op::ffma, {values[i], share, carried + n});
    ++n;
  }
  if (feedback) next[n] = emit(Op::or_, {carried + n, values[4]});
  emit(Op::if_, {emit(Op::fge, {next[0], probes.count})});
  builder_.emit(Op::break_, std::span(next).subspan(1, count - 1));
  emit(Op::else_, {});
  emit(Op::endif, {});
  const Value first = builder_.emit_variadic(Op::endloop, std::span(next).first(count), count - 1);

  Results5 results;
  results.fill(word(0));
  n = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((wanted >> i & 1) != 0) results[i] = first + n++;
  }
  if (feedback) results[4] = first + sums;
  return results;
}

}  // namespace texlate::ir
