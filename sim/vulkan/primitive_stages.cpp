#include "sim/vulkan/primitive_stages.h"

#include "sim/vulkan/stage_writer.h"

namespace texlate::sim::vulkan {

namespace {

/// The variables of the interface between the two stages.
class PatchStage : public StageWriter {
 public:
  PatchStage(const PatchRecords& records, uint32_t set, bool is_written, spv::StorageClass storage)
      : records_(records), storage_(storage) {
    capability(spv::CapabilityShader);
    capability(spv::CapabilityTessellation);
    add_words(set, is_written);
    patch_ = load_builtin(spv::BuiltInPrimitiveId);
  }

  Id load_builtin(spv::BuiltIn which) {
    return emit(spv::OpLoad, uint, {builtin(spv::StorageClassInput, uint, which)});
  }
  Id sum(Id a, Id b) { return emit(spv::OpIAdd, uint, {a, b}); }
  Id product(Id a, uint32_t b) { return emit(spv::OpIMul, uint, {a, constant(uint, b)}); }
  Id point_record(Id point) {
    const Id index = sum(product(patch_, records_.points), point);
    return sum(product(index, records_.point_words), constant(uint, records_.first_point));
  }
  Id patch_record() {
    return sum(product(patch_, records_.patch_words), constant(uint, records_.first_patch));
  }

  /// Calls move(pointer to a component, its kind, its number in the record) for each component of the
  /// variables of a point (`index`: its number) or of a patch (`index` 0).
  template <typename Move>
  void for_each_component(std::span<const InterfaceVariable> variables, Id index, Move move) {
    uint32_t next = index == 0 ? PatchRecords::kHeader : 0;
    for (const InterfaceVariable& variable : variables) {
      if (variable.is_builtin || variable.is_patch != (index == 0)) continue;
      const Id type = vector(scalar(variable.kind), variable.components);
      const Id whole = index == 0 ? type : global(spv::OpTypeArray, {type, constant(uint, records_.points)});
      const Id made = StageWriter::variable(storage_, whole);
      decorate({made, spv::DecorationLocation, variable.number});
      if (variable.component != 0) decorate({made, spv::DecorationComponent, variable.component});
      if (index == 0) decorate({made, spv::DecorationPatch});
      const Id to = pointer(storage_, scalar(variable.kind));
      for (uint32_t c = 0; c < variable.components; ++c) {
        const Id part = constant(uint, c);
        Id place = made;
        if (index != 0 && variable.components > 1) place = emit(spv::OpAccessChain, to, {made, index, part});
        if (index != 0 && variable.components == 1) place = emit(spv::OpAccessChain, to, {made, index});
        if (index == 0 && variable.components > 1) place = emit(spv::OpAccessChain, to, {made, part});
        move(place, variable.kind, next++);
      }
    }
  }

  /// The same for the tessellation levels.
  template <typename Move>
  void for_each_level(Move move) {
    uint32_t next = 0;
    for (const bool inner : {false, true}) {
      const uint32_t count = inner ? PatchRecords::kInner : PatchRecords::kOuter;
      const Id made = builtin(storage_, global(spv::OpTypeArray, {real, constant(uint, count)}),
                              inner ? spv::BuiltInTessLevelInner : spv::BuiltInTessLevelOuter);
      decorate({made, spv::DecorationPatch});
      const Id to = pointer(storage_, real);
      for (uint32_t i = 0; i < count; ++i)
        move(emit(spv::OpAccessChain, to, {made, constant(uint, i)}), ScalarKind::float_, next++);
    }
  }

 private:
  const PatchRecords& records_;
  const spv::StorageClass storage_;
  Id patch_ = 0;
};

spv::ExecutionMode mode_of(Spacing spacing) {
  switch (spacing) {
    case Spacing::equal: return spv::ExecutionModeSpacingEqual;
    case Spacing::fractional_odd: return spv::ExecutionModeSpacingFractionalOdd;
    case Spacing::fractional_even: return spv::ExecutionModeSpacingFractionalEven;
  }
  return spv::ExecutionModeSpacingEqual;
}

}  // namespace

void PatchRecords::add(const InterfaceVariable& variable) {
  if (!variable.is_builtin) (variable.is_patch ? patch_words : point_words) += variable.components;
}

std::vector<uint32_t> make_hull_stage(std::span<const InterfaceVariable> inputs, const PatchRecords& records,
                                      Spacing spacing, uint32_t set) {
  PatchStage stage(records, set, false, spv::StorageClassOutput);
  const Id point = stage.load_builtin(spv::BuiltInInvocationId);
  const auto fill_from = [&](Id record) {
    return [&stage, record](Id place, ScalarKind kind, uint32_t number) {
      const Id word = stage.word(stage.sum(record, stage.constant(stage.uint, number)));
      stage.effect(spv::OpStore, {place, stage.as(kind, word)});
    };
  };
  stage.for_each_component(inputs, point, fill_from(stage.point_record(point)));
  const Id patch = stage.patch_record();
  stage.for_each_component(inputs, 0, fill_from(patch));
  stage.for_each_level(fill_from(patch));
  const StageWriter::Mode modes[] = {{spv::ExecutionModeOutputVertices, {std::max(1u, records.points)}},
                                     {mode_of(spacing)},
                                     {spv::ExecutionModeVertexOrderCw},
                                     {spv::ExecutionModePointMode}};
  return stage.finish(spv::ExecutionModelTessellationControl, modes);
}

std::vector<uint32_t> make_observing_stage(std::span<const InterfaceVariable> outputs,
                                           const PatchRecords& records, uint32_t set) {
  PatchStage stage(records, set, true, spv::StorageClassInput);
  const auto store_to = [&](Id record) {
    return [&stage, record](Id place, ScalarKind kind, uint32_t number) {
      const Id value = stage.emit(spv::OpLoad, stage.scalar(kind), {place});
      stage.store_word(stage.sum(record, stage.constant(stage.uint, number)), stage.bits(kind, value));
    };
  };
  const Id patch = stage.patch_record();
  stage.for_each_component(outputs, 0, store_to(patch));
  stage.for_each_level(store_to(patch));
  stage.store_word(stage.sum(patch, stage.constant(stage.uint, PatchRecords::kMark)),
                   stage.constant(stage.uint, 1));
  const Id point = stage.begin_loop(records.points);
  stage.for_each_component(outputs, point, store_to(stage.point_record(point)));
  stage.end_loop();
  return stage.finish(spv::ExecutionModelTessellationEvaluation);
}

}  // namespace texlate::sim::vulkan
