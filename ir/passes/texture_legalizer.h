// State and helpers that the parts of legalize_texture share.
#pragma once

#include <array>
#include <optional>

#include "ir/builder.h"
#include "ir/passes/footprint.h"
#include "ir/passes/known_values.h"
#include "ir/passes/legalize_texture.h"

namespace texlate::ir {

class TextureLegalizer {
 public:
  TextureLegalizer(Module& target, const GuaranteeTable& guarantees, Diagnostics& sink,
                   std::pmr::vector<ClosedGap>* report, KnownFacts* known);

  bool run();

 private:
  /// An access on its way to the target: its contract, which the rules change one after the other, and what
  /// the target promises for it.
  struct AccessDraft {
    const Instruction* instruction;
    AccessBuilder access;
    TextureGuarantee guarantee;
    Dimension dimension;  // Direct3D's; access.contract.dimension may become the stand-in
    Value guard = kNoValue;

    bool promises(Promise promise) const { return guarantee.has(promise); }
  };
  using Results = std::array<Value, 4>;

  // legalize_texture.cpp: the walk and the operations; each function reads as the operation's contract
  bool is_concern(const Instruction& instruction) const;
  bool is_native(const Instruction& instruction) const;
  bool has_any_concern() const;
  AccessDraft draft_of(const Instruction& instruction);
  void legalize(const Instruction& instruction);
  void legalize_raster_position(const Instruction& instruction);
  void legalize_sample_evaluation(const Instruction& instruction);
  void legalize_centroid_evaluation(const Instruction& instruction);
  void evaluate_at_sample(const Instruction& instruction, Value sample);
  void legalize_fetch(AccessDraft& draft);
  void legalize_sample(AccessDraft& draft);
  void legalize_gather(AccessDraft& draft);
  void legalize_surface(AccessDraft& draft);
  void legalize_buffer(AccessDraft& draft);
  void legalize_counter(AccessDraft& draft);
  bool check_expressible(AccessDraft& draft);
  bool gives_feedback(const AccessDraft& draft) const;
  void set_fallback(AccessDraft& draft);
  void finish(AccessDraft& draft);
  static bool fills_missing(const AccessDraft& draft);
  void substitute_dimension(AccessDraft& draft);
  void fill_missing_components(AccessDraft& draft, Results& results);

  // legalize_known.cpp
  Value fold_known(Op op, std::span<const Value> operands);
  void require(AccessDraft& draft, Gap gap, Value condition);
  void leave_out(const AccessDraft& draft, Gap gap);

  // legalize_guards.cpp
  void add_guard(AccessDraft& draft, Value condition);
  Value both(Value guard, Value condition);
  void guard_bound(AccessDraft& draft);
  bool is_compared_with_a_size(const AccessDraft& draft) const;
  void guard_level(AccessDraft& draft);
  void guard_coordinates(AccessDraft& draft);
  void guard_slice(AccessDraft& draft);
  void guard_sample(AccessDraft& draft);
  void cut_byte_offset(AccessDraft& draft, Slot slot);
  void limit_structure(AccessDraft& draft);
  bool stays_together(const AccessDraft& draft) const;
  void load_units(AccessDraft& draft);
  void fold_offset(AccessDraft& draft);
  void round_layer(AccessDraft& draft);
  Value mip_size(AccessDraft& draft, BindingFact fact, Value level);

  // legalize_level.cpp
  void make_level_explicit(AccessDraft& draft);
  void derive_coordinates(AccessDraft& draft);
  Value is_floor_in_view(AccessDraft& draft);
  Value floor_of_level(AccessDraft& draft);
  void guard_floor(AccessDraft& draft);
  void clamp_level(AccessDraft& draft);
  void scale_gradients(AccessDraft& draft, Value bias);
  Value level_of_gradients(AccessDraft& draft);
  void project_cube_gradients(AccessDraft& draft, Results& u, Results& v);

  // legalize_clamp.cpp
  /// The LOD bias of a (resource, sampler) pair, measured at the start of the shader.
  struct MeasuredBias {
    uint32_t resource, sampler;
    Value resource_index, sampler_index;  // constants, or kNoValue
    Value bias;
  };
  bool has_fixed_registers(const AccessDraft& draft) const;
  bool has_floor_in_code(const AccessDraft& draft) const;
  bool measures_bias(const AccessDraft& draft) const;
  void measure_biases();
  Value known_bias(const AccessDraft& draft) const;
  Value pixel_position(uint32_t axis);
  Value query_level(const AccessDraft& draft, const Results& coordinates);
  Value measured_bias(AccessDraft& draft);
  void sample_above_floor(AccessDraft& draft);
  void set_level(AccessDraft& draft, Value level);
  void replace_below(AccessDraft& draft, Value floor, Value lowest);
  void lengthen_gradients(AccessDraft& draft, Value lowest);

  // legalize_anisotropy.cpp
  /// The probes of an anisotropic sample.
  struct Probes {
    Value level;                // before bias and clamps
    Value count;                // float
    std::array<Value, 2> axis;  // the line on which they are, in coordinates
  };
  using Results5 = std::array<Value, 5>;
  static bool is_anisotropic(const AccessDraft& draft);
  Probes place_probes(AccessDraft& draft);
  std::optional<Probes> spread_probes(AccessDraft& draft);
  bool biases_anisotropy(const AccessDraft& draft) const;
  void sample_with_bias(AccessDraft& draft);
  Results5 read_once(AccessDraft& draft);
  Results5 read_probes(AccessDraft& draft, const Probes& probes);
  template <typename Read>
  Results5 average_probes(AccessDraft& draft, const Probes& probes, uint32_t wanted, Read read);
  void finish_with(AccessDraft& draft, Results5 results);

  /// A texel read by inserted code, and its residency status; kNoValue: not requested.
  struct Tap {
    Value texel = kNoValue;
    Value status = kNoValue;
  };
  using Taps = std::array<Tap, 4>;

  // legalize_compare.cpp
  bool calls_comparison(const AccessDraft& draft) const;
  void rely_on_known_comparison(const AccessDraft& draft);
  void compare_by_call(AccessDraft& draft);
  void compare_by_hand(AccessDraft& draft);
  void compare_gathered(AccessDraft& draft);
  std::array<Value, 2> compare_mips(AccessDraft& draft, const MipChoice& mips, Value reference,
                                    Value functions);
  std::array<Value, 2> compare_mip(AccessDraft& draft, const MipChoice& mips, Value mip, Value reference,
                                   Value functions);
  Value status_of(const Footprint& footprint, const Taps& taps);
  Value quantized_reference(AccessDraft& draft);
  Value nearest_step(Value value, Value scale);
  Value quotient_of_steps(Value steps, float scale);
  Value function_mask(AccessDraft& draft);
  Value passes_known(uint32_t functions, Value reference, Value texel);
  Value passes(Value functions, Value reference, Value texel);

  // footprint.cpp
  struct AxisPosition {
    Value point;     // s32: the texel of a point sample
    Value first;     // s32: the first texel of a linear sample
    Value fraction;  // and the weight of the second one
  };
  struct AddressedTexel {
    Value texel;
    Value inside;  // b1
  };
  Value level_of_access(AccessDraft& draft);
  MipChoice choose_mips(AccessDraft& draft);
  Value reduced_coordinate(Value coordinate, Value mode);
  AxisPosition axis_position(Value coordinate, Value size);
  AddressedTexel address_texel(Value mode, Value texel, Value size);
  Footprint make_footprint(AccessDraft& draft, Value mip, Value linear);
  Value footprint_offset(AccessDraft& draft, uint32_t axis);
  ResourceAccess tap_contract(const AccessDraft& draft) const;
  Value border_of_view(AccessDraft& draft, Value border);
  Tap fetch_tap(AccessDraft& draft, const Footprint& footprint, uint32_t tap, uint32_t component,
                Value bound);
  Value blend(const Footprint& footprint, const std::array<Value, 4>& taps);

  // legalize_cube.cpp
  /// Where a direction meets its face: (s, t) in -major..major, oriented as in Direct3D.
  struct FacePosition {
    Value z_major, y_major, negative;  // b1: which face
    Value s, t, major;
  };
  bool fetches_cubes(Dimension dimension) const;
  FacePosition position_on_face(AccessDraft& draft);
  Footprint cube_footprint_of_mip(AccessDraft& draft, const FacePosition& face, Value mip, Value linear);
  Taps fetch_cube_taps(AccessDraft& draft, const FacePosition& face, const Footprint& footprint);
  void fill_cube_corner(const Footprint& footprint, std::array<Value, 4>& taps, Op join);

  // legalize_queries.cpp
  void legalize_size(AccessDraft& draft);
  void guard_size(AccessDraft& draft);
  Value guarded(Value guard, Value value);
  void legalize_samples(AccessDraft& draft);
  void legalize_position(AccessDraft& draft);
  void legalize_lod(AccessDraft& draft);
  void legalize_buffer_size(AccessDraft& draft);
  void gather_by_fetches(AccessDraft& draft);

  // Helpers
  Value fact(const AccessDraft& draft, BindingFact fact);
  Value sampler_fact(const AccessDraft& draft, BindingFact fact);
  Value ask(const AccessDraft& draft, Op op, Slot slot, BindingQuery query);
  Value emit(Op op, std::initializer_list<Value> operands, uint32_t payload = 0) {
    if (facts_ != nullptr) {
      const Value known = fold_known(op, {operands.begin(), operands.size()});
      if (known != kNoValue) return known;
    }
    return builder_.emit(op, operands, payload);
  }
  Value emit(Op op, std::span<const Value> operands) { return builder_.emit(op, operands); }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value real(float value) { return module_.constant_float(value); }
  /// The constant 0 or -0 of a float.
  bool is_zero(Value value) const {
    return module_.is_constant(value) && (module_.constant_bits(value) & 0x7fffffffu) == 0;
  }
  /// Does any operand of the original code use this value?
  bool is_used(Value value);
  void closed(const AccessDraft& draft, Gap gap) {
    if (report_ == nullptr) return;
    report_->push_back({module_.location_of(*draft.instruction), draft.instruction->op, gap, true,
                        draft.dimension, draft.guarantee.source});
  }
  void refuse(const AccessDraft& draft, std::string_view what);
  void replace_result(Value result, Value by);
  void replace_results(const Instruction& instruction, std::span<const Value> results);
  void remap_operands(const Instruction& instruction);

  Module& module_;
  const GuaranteeTable& table_;
  Diagnostics& diagnostics_;
  std::pmr::vector<ClosedGap>* report_;
  Code code_;
  Builder builder_;
  std::pmr::vector<uint8_t> used_;  // by value, filled by the first is_used()
  std::pmr::vector<MeasuredBias> biases_;
  Buffer<Value> replacement_;  // by value: its replacement; empty while nothing is replaced
  std::pmr::monotonic_buffer_resource scratch_;
  std::optional<KnownValues> known_;  // for byte offsets and the indices of structures
  KnownFacts* facts_;                 // null: nothing is known
  uint32_t asked_ = 0;                // bit BindingFact: known ones that the current guard asked for
  bool calls_comparisons_ = false;
  uint32_t errors_before_;
};

}  // namespace texlate::ir
