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
  /// The current access: its contract, which is being changed, and what the target promises for it.
  struct Work {
    const Instruction* instruction;
    AccessBuilder access;
    const TextureGuarantee* guarantee;
    Dimension dimension;  // Direct3D's; access.contract.dimension may become the stand-in
    Value guard = kNoValue;

    bool promises(Promise promise) const { return guarantee->has(promise); }
  };
  using Results = std::array<Value, 4>;

  // legalize_texture.cpp: the walk and the operations; each function reads as the operation's contract
  bool is_concern(const Instruction& instruction) const;
  bool is_native(const Instruction& instruction) const;
  bool has_any_concern() const;
  void legalize(const Instruction& instruction);
  void legalize_raster_position(const Instruction& instruction);
  void legalize_sample_evaluation(const Instruction& instruction);
  void legalize_fetch(Work& work);
  void legalize_sample(Work& work);
  void legalize_gather(Work& work);
  void legalize_surface(Work& work);
  void legalize_buffer(Work& work);
  void legalize_counter(Work& work);
  bool check_expressible(Work& work);
  bool gives_feedback(const Work& work) const;
  void finish(Work& work);
  static bool fills_missing(const Work& work);
  void substitute_dimension(Work& work);
  void fill_missing_components(Work& work, Results& results);

  // legalize_known.cpp
  Value fold_known(Op op, std::span<const Value> operands);
  void require(Work& work, Gap gap, Value condition);
  void leave_out(const Work& work, Gap gap);

  // legalize_guards.cpp
  void add_guard(Work& work, Value condition);
  Value both(Value guard, Value condition);
  void guard_bound(Work& work);
  bool is_compared_with_a_size(const Work& work) const;
  void guard_level(Work& work);
  void guard_coordinates(Work& work);
  void guard_slice(Work& work);
  void guard_sample(Work& work);
  void cut_byte_offset(Work& work, Slot slot);
  void limit_structure(Work& work);
  bool stays_together(const Work& work) const;
  void load_units(Work& work);
  void fold_offset(Work& work);
  void round_layer(Work& work);
  Value mip_size(Work& work, BindingFact fact, Value level);

  // legalize_level.cpp
  void make_level_explicit(Work& work);
  void derive_coordinates(Work& work);
  Value floor_of_level(Work& work);
  void clamp_level(Work& work);
  void scale_gradients(Work& work, Value bias);
  Value level_of_gradients(Work& work);
  void project_cube_gradients(Work& work, Results& u, Results& v);

  // legalize_clamp.cpp
  /// The LOD bias of a (resource, sampler) pair, measured at the start of the shader.
  struct MeasuredBias {
    uint32_t resource, sampler;
    Value resource_index, sampler_index;  // constants, or kNoValue
    Value bias;
  };
  bool has_fixed_registers(const Work& work) const;
  bool has_floor_in_code(const Work& work) const;
  bool measures_bias(const Work& work) const;
  void measure_biases();
  Value known_bias(const Work& work) const;
  Value pixel_position(uint32_t axis);
  Value query_level(const Work& work, const Results& coordinates);
  Value measured_bias(Work& work);
  void sample_above_floor(Work& work);
  void set_level(Work& work, Value level);
  void replace_below(Work& work, Value floor, Value lowest);
  void lengthen_gradients(Work& work, Value lowest);

  // legalize_anisotropy.cpp
  /// The probes of an anisotropic sample.
  struct Probes {
    Value level;                // before bias and clamps
    Value count;                // float
    std::array<Value, 2> axis;  // the line on which they are, in coordinates
  };
  using Results5 = std::array<Value, 5>;
  static bool is_anisotropic(const Work& work);
  Probes place_probes(Work& work);
  std::optional<Probes> spread_probes(Work& work);
  bool biases_anisotropy(const Work& work) const;
  void sample_with_bias(Work& work);
  Results5 read_once(Work& work);
  Results5 read_probes(Work& work, const Probes& probes);
  template <typename Read>
  Results5 average_probes(Work& work, const Probes& probes, uint32_t wanted, Read read);
  void finish_with(Work& work, Results5 results);

  /// A texel read by inserted code, and its residency status; kNoValue: not requested.
  struct Tap {
    Value texel = kNoValue;
    Value status = kNoValue;
  };
  using Taps = std::array<Tap, 4>;

  // legalize_compare.cpp
  bool calls_comparison(const Work& work) const;
  void rely_on_known_comparison(const Work& work);
  void compare_by_call(Work& work);
  void compare_by_hand(Work& work);
  void compare_gathered(Work& work);
  std::array<Value, 2> compare_mips(Work& work, const MipChoice& mips, Value reference, Value functions);
  std::array<Value, 2> compare_mip(Work& work, const MipChoice& mips, Value mip, Value reference,
                                   Value functions);
  Value status_of(const Footprint& footprint, const Taps& taps);
  Value quantized_reference(Work& work);
  Value quotient_of_steps(const Work& work, Value steps, float scale);
  Value function_mask(Work& work);
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
  Value level_of_access(Work& work);
  MipChoice choose_mips(Work& work);
  Value reduced_coordinate(Value coordinate, Value mode);
  AxisPosition axis_position(Value coordinate, Value size);
  AddressedTexel address_texel(Value mode, Value texel, Value size);
  Footprint make_footprint(Work& work, Value mip, Value linear);
  Value footprint_offset(Work& work, uint32_t axis);
  ResourceAccess tap_contract(const Work& work) const;
  Tap fetch_tap(Work& work, const Footprint& footprint, uint32_t tap, uint32_t component, Value bound);
  Value blend(const Footprint& footprint, const std::array<Value, 4>& taps);

  // legalize_cube.cpp
  /// Where a direction meets its face: (s, t) in -major..major, oriented as in Direct3D.
  struct FacePosition {
    Value z_major, y_major, negative;  // b1: which face
    Value s, t, major;
  };
  bool fetches_cubes(Dimension dimension) const;
  FacePosition position_on_face(Work& work);
  Footprint cube_footprint_of_mip(Work& work, const FacePosition& face, Value mip, Value linear);
  Taps fetch_cube_taps(Work& work, const FacePosition& face, const Footprint& footprint);
  void fill_cube_corner(const Footprint& footprint, std::array<Value, 4>& taps, Op join);

  // legalize_queries.cpp
  void legalize_size(Work& work);
  void guard_size(Work& work);
  Value guarded(Value guard, Value value);
  void legalize_samples(Work& work);
  void legalize_position(Work& work);
  void legalize_lod(Work& work);
  void legalize_buffer_size(Work& work);
  void gather_by_fetches(Work& work);

  // Helpers
  Value fact(const Work& work, BindingFact fact);
  Value sampler_fact(const Work& work, BindingFact fact);
  Value ask(const Work& work, Op op, Slot slot, BindingQuery query);
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
  void closed(const Work& work, Gap gap) {
    if (report_ == nullptr) return;
    report_->push_back({module_.location_of(*work.instruction), work.instruction->op, gap, true,
                        work.dimension, work.guarantee->source});
  }
  void refuse(const Work& work, std::string_view what);
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
