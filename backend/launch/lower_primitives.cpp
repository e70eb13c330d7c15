// Domain and geometry shaders. Both stay what they are for an emitter: a thread runs one element, threads
// past the last one write nothing, and outputs are planes with a word for each element.

#include "backend/launch/lower_primitives.h"

#include <bit>

#include "backend/launch/stage_lowering.h"
#include "ir/base/input_primitive.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"

namespace texlate::launch {

namespace {

namespace head = primitive_head;

// ---- a thread per domain point

class DomainLowering final : StageLowering {
 public:
  using StageLowering::StageLowering;

  void run() {
    patch_ = emit(Op::input, {}, domain_plane::kPatch);
    ids_ = add_place(head::kIds, false);
    const Place constants = add_place(head::kConstants, false);
    const Value patches = number(ids_, head::kPrimitivesFact);
    constants_ = constant_planes(constants, patches, patch_);
    points_ = vertex_planes(add_place(head::kVertices, false), plane_count(module_.inputs),
                            module_.input_control_points, patches, patch_);
    lower_all();
    module_.code.swap(code_);
  }

 private:
  void lower(const Instruction& instruction) override {
    switch (instruction.op) {
      case Op::input: return replace(instruction, load_vertex(points_, instruction));
      case Op::patch_input: return replace(instruction, load_constant(constants_, instruction));
      case Op::system_value: return replace(instruction, system_value(instruction));
      default: return builder_.append(instruction);
    }
  }

  Value system_value(const Instruction& instruction) {
    const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
    const uint32_t component = instruction.payload % 4;
    if (value == ir::SystemValue::domain_point && component < domain_plane::kPatch)
      return emit(Op::input, {}, component);
    if (value == ir::SystemValue::primitive_register && component == 0) return primitive_id(ids_, patch_);
    return word(0);
  }

  Value patch_ = ir::kNoValue;
  Place ids_ = 0;
  VertexPlanes points_, constants_;
};

// ---- a thread per primitive and instance of a geometry shader

class GeometryLowering final : StageLowering {
 public:
  GeometryLowering(ir::Module& module, Layout& layout, Diagnostics& diagnostics)
      : StageLowering(module, &layout), diagnostics_(diagnostics) {
    for (const ir::Parameter& output : module.outputs)
      output_words_ += static_cast<uint32_t>(std::popcount(output.mask));
  }

  /// False, with an error, if the code would be too long.
  bool run() {
    begin();
    lower_all();
    module_.code.swap(code_);
    module_.inputs.clear();
    module_.outputs.clear();
    module_.outputs.emplace_back().mask = 1;  // o0.x: the number of vertices
    return written_words_ <= kMostOutputWords;
  }

 private:
  // Registers of the kernel beside o#: construct_ssa makes values of them.
  static constexpr uint32_t kCount = 8 * ir::kSpecialRegister;  // vertices that were emitted
  static constexpr uint32_t kOpen = kCount + 1;                 // streams with a vertex since the last cut

  void begin() {
    thread_ = ask(ir::SystemValue::thread_id);
    divide_thread();
    ids_ = add_place(head::kIds, false);
    emitted_ = add_place(head::kEmitted, true);
    tags_ = add_place(head::kTags, true);
    const Place first = add_place(head::kFirst, false);
    const Value primitives = number(ids_, head::kPrimitivesFact);
    vertices_ = vertex_planes(add_place(head::kVertices, false), plane_count(module_.inputs),
                              vertices_per_primitive(module_), primitives, primitive_);
    slots_ = number(ids_, head::kSlotsFact);
    is_kept_ = is_given(emitted_);
    is_tagged_ = is_given(tags_);
    // Without a list of first slots, a thread's vertices are as many slots apart as there are threads.
    const Value is_listed = is_given(first);
    const Value threads = number(add_place(head::kThreadsPlace, false), head::kThreadsFact);
    first_slot_ = load(first, thread_, 0, is_listed, thread_);
    slot_step_ = emit(Op::select, {is_listed, word(1), threads});
  }

  /// For a write of all outputs. One error, where there are too many.
  bool has_room(const Instruction& instruction) {
    const bool had_room = written_words_ <= kMostOutputWords;
    written_words_ += output_words_;
    if (written_words_ <= kMostOutputWords || !had_room) return had_room;
    diagnostics_.error(module_.location_of(instruction),
                       "emissions, and outputs with a computed register, have more than {} output words",
                       kMostOutputWords);
    return false;
  }

  // The quotient by multiplication with the reciprocal, rounded down, is exact or one too small.
  void divide_thread() {
    const uint32_t instances = std::max(module_.gs_instances, 1u);
    primitive_ = thread_;
    instance_ = word(0);
    if (instances == 1) return;
    const auto reciprocal = static_cast<uint32_t>((uint64_t{1} << 32) / instances);
    const Value quotient = emit(Op::umulhi, {thread_, word(reciprocal)});
    const Value rest = emit(Op::isub, {thread_, emit(Op::imul, {quotient, word(instances)})});
    const Value is_less = emit(Op::uge, {rest, word(instances)});
    primitive_ = emit(Op::select, {is_less, emit(Op::iadd, {quotient, word(1)}), quotient});
    instance_ = emit(Op::select, {is_less, emit(Op::isub, {rest, word(instances)}), rest});
  }

  void lower(const Instruction& instruction) override {
    switch (instruction.op) {
      case Op::input: return replace(instruction, load_vertex(vertices_, instruction));
      case Op::output:
        if (!instruction.has(ir::kIndexOperand) || has_room(instruction)) keep_output(instruction);
        return;
      case Op::emit:
        if (has_room(instruction)) emit_vertex(instruction.payload);
        return;
      case Op::cut: {
        const Value open = emit(Op::reg_load, {}, kOpen);
        emit(Op::reg_store, {emit(Op::and_, {open, word(~(1u << instruction.payload))})}, kOpen);
        return;
      }
      case Op::system_value: return replace(instruction, system_value(instruction));
      default: return builder_.append(instruction);
    }
  }

  Value system_value(const Instruction& instruction) {
    const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
    if (instruction.payload % 4 != 0) return word(0);
    if (value == ir::SystemValue::gs_instance_id) return instance_;
    return value == ir::SystemValue::primitive_register ? primitive_id(ids_, primitive_) : word(0);
  }

  // Emissions beyond the declared count are dropped. After each, all outputs are undefined (D3D11.3
  // functional specification 13.3, 13.4): here they are 0.
  void emit_vertex(uint32_t stream) {
    const Value count = emit(Op::reg_load, {}, kCount);
    mark(Op::if_, {emit(Op::ult, {count, word(module_.max_vertex_count)})});
    const Value slot = emit(Op::imad, {count, slot_step_, first_slot_});
    for_components(module_.outputs, [&](const ir::Parameter& parameter, uint32_t i, uint32_t c) {
      if (parameter.stream != stream || is_repeated(i, c)) return;
      const uint32_t plane = output_plane_register(module_, i) * 4 + c;
      const Value value = emit(Op::reg_load, {}, parameter.reg * 4 + c);
      store(emitted_, word_of(word(plane), slots_, slot), value, is_kept_);
    });
    const Value open = emit(Op::reg_load, {}, kOpen);
    const Value is_open = emit(Op::and_, {open, word(1u << stream)});
    const Value tag = emit(Op::select, {emit(Op::ieq, {is_open, word(0)}),
                                        word(stream | vertex_tag::kStartsStrip), word(stream)});
    store(tags_, slot, tag, is_tagged_);
    emit(Op::reg_store, {emit(Op::or_, {open, word(1u << stream)})}, kOpen);
    const Value next = emit(Op::iadd, {count, word(1)});
    emit(Op::reg_store, {next}, kCount);
    emit(Op::output, {next}, 0);
    end_if();
    for_components(module_.outputs, [&](const ir::Parameter& parameter, uint32_t, uint32_t c) {
      emit(Op::reg_store, {word(0)}, parameter.reg * 4 + c);
    });
  }

  /// Has an earlier declaration of the stream this component, too?
  bool is_repeated(uint32_t parameter, uint32_t component) const {
    const ir::Parameter& own = module_.outputs[parameter];
    for (uint32_t i = 0; i < parameter; ++i) {
      const ir::Parameter& other = module_.outputs[i];
      if (other.stream == own.stream && other.reg == own.reg && other.has(component)) return true;
    }
    return false;
  }

  Diagnostics& diagnostics_;
  uint32_t output_words_ = 0;   // of all declared outputs
  uint64_t written_words_ = 0;  // by the code so far
  Value thread_ = ir::kNoValue, primitive_ = ir::kNoValue, instance_ = ir::kNoValue;
  Place ids_ = 0, emitted_ = 0, tags_ = 0;
  VertexPlanes vertices_;
  Value slots_ = ir::kNoValue, first_slot_ = ir::kNoValue, slot_step_ = ir::kNoValue;
  Value is_kept_ = ir::kNoValue, is_tagged_ = ir::kNoValue;
};

}  // namespace

uint32_t vertices_per_primitive(const ir::Module& module) {
  if (module.stage != ir::Stage::geometry) return module.input_control_points;
  // A shader that does not say what it reads has points.
  return module.input_primitive == 0 ? 1 : vertices_of_input_primitive(module.input_primitive);
}

bool lower_primitives(ir::Module& module, Layout& layout, Diagnostics& diagnostics) {
  if (module.stage == ir::Stage::hull) lower_hull(module, layout);
  if (module.stage == ir::Stage::domain) DomainLowering(module, &layout).run();
  if (module.stage == ir::Stage::geometry && !GeometryLowering(module, layout, diagnostics).run())
    return false;
  if (!ir::construct_ssa(module, diagnostics)) return false;
  ir::optimize(module);
  return true;
}

}  // namespace texlate::launch
