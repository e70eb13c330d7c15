// Assembles a module from its parts.

#include "backend/spirv/emit.h"

#include "backend/spirv/constant_buffers.h"
#include "backend/spirv/control_flow.h"
#include "backend/spirv/debug_info.h"
#include "backend/spirv/discards.h"
#include "backend/spirv/execution_modes.h"
#include "backend/spirv/families.h"
#include "backend/spirv/ordered_section.h"
#include "ir/passes/spill_exits.h"
#include "ir/passes/split_switches.h"

namespace texlate::spirv {

namespace {

/// What is known about a module before anything is written, each analysis after those that it depends on.
struct Analysis {
  Analysis(const ir::Module& module, const Options& options, std::pmr::monotonic_buffer_resource& arena)
      : elements(arena), found(arena), layouts(&arena), products(arena) {
    plan_interface(module, options.captures, elements);
    places = find_places(module, options.bindings, arena);
    survey(module, elements, arena, found);
    plan_constant_buffers(module, found, places, layouts);
    if (options.vectors) find_products(module, found, products);
    note_constant_components(module, found, layouts);
  }

  InterfaceElements elements;
  RegisterPlaces places;
  Survey found;
  ConstantLayouts layouts;
  Products products;
};

/// The parts, and the walk over the instructions.
class Emitter : private Writer {
 public:
  explicit Emitter(Core& core)
      : Writer(core),
        core_(core),
        known_(core.module, core.options, core.arena),
        interface_(core, known_.elements),
        outputs_(core, interface_, known_.found.control),
        report_(core, known_.places),
        push_constants_(core, known_.places, report_),
        bindings_(core, known_.found.uses, known_.places, report_, push_constants_),
        constant_buffers_(core, known_.layouts, known_.places, report_, push_constants_),
        control_flow_(core, known_.found.control),
        ordered_(core),
        discards_(core),
        debug_info_(core),
        hull_(core, interface_, outputs_, bindings_),
        arithmetic_(core, known_.products),
        textures_(core, bindings_),
        buffers_(core, bindings_),
        memory_(core),
        inputs_(core, interface_, outputs_, hull_),
        effects_(core) {
    core.code = known_.found.code;
    values_.set(known_.found.types, known_.found.needs, core.code.size());
  }

  bool run(std::pmr::vector<uint32_t>& out);

 private:
  bool emit_code(Id entry);
  void emit_instruction(const Instruction& instruction);
  void emit_control(const Instruction& instruction);
  void emit_other(const Instruction& instruction);
  void emit_fact(const Instruction& instruction, Fact which);
  bool is_within_limits(const Instruction& instruction);
  void check_device();

  Core& core_;
  Analysis known_;
  Interface interface_;
  Outputs outputs_;
  DescriptorReport report_;
  PushConstants push_constants_;
  Bindings bindings_;
  ConstantBuffers constant_buffers_;
  ControlFlow control_flow_;
  OrderedSection ordered_;
  Discards discards_;
  DebugInfo debug_info_;
  HullPhases hull_;
  Arithmetic arithmetic_;
  Textures textures_;
  Buffers buffers_;
  Memory memory_;
  Inputs inputs_;
  Effects effects_;
  Id source_name_ = Id::none;
};

/// Called after each instruction: a module that is too large cannot be written.
bool Emitter::is_within_limits(const Instruction& instruction) {
  if (diagnostics_.full()) return false;
  std::string_view what;
  size_t count = 0, most = 0;
  if (body_.too_long() != 0) {
    what = "words in one instruction", count = body_.too_long(), most = kMostInstructionWords;
  } else if (control_flow_.depth() > kMostNesting) {
    what = "nested constructs", count = control_flow_.depth(), most = kMostNesting;
  } else if (builder_.bound() > kMostIds) {
    what = "ids", count = builder_.bound(), most = kMostIds;
  } else {
    return true;
  }
  diagnostics_.error(module_.location_of(instruction), "{} {}: spirv allows only {}", count, what, most);
  return false;
}

void Emitter::emit_control(const Instruction& instruction) {
  outputs_.store_of_block();
  if (instruction.op == Op::return_) {
    if (body_.reached()) {
      ordered_.leave();
      discards_.leave();
      effect(spv::OpReturn, {});
    }
    return body_.end_block();
  }
  if (instruction.op == Op::phase) {
    const Id function = hull_.start_phase(instruction.payload);
    return debug_info_.begin_function(function, hull_phase_name(module_.phases[instruction.payload].kind));
  }
  control_flow_.emit(instruction);
}

void Emitter::emit_instruction(const Instruction& instruction) {
  const ir::OpInfo& info = ir::info(instruction.op);
  if (options_.debug_info) {
    debug_info_.at(instruction);
  } else if (options_.debug && !info.has(ir::kControl)) {
    const SourceLocation at = module_.location_of(instruction);
    if (at.line != 0) body_.line(source_name_, at.line, at.column);
  }
  if (info.has(ir::kControl)) return emit_control(instruction);
  if (ir::is_arithmetic(info.family)) return arithmetic_.emit(instruction);
  emit_other(instruction);
}

void Emitter::emit_other(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::surf_load: return textures_.emit_fetch(instruction);
    case Op::tex_sample: return textures_.emit_sample(instruction);
    case Op::tex_gather: return textures_.emit_gather(instruction);
    case Op::tex_lod: return textures_.emit_lod(instruction);
    case Op::tex_size: return textures_.emit_size(instruction);
    case Op::tex_samples: return bindings_.emit_fact(instruction, ir::BindingFact::samples);
    case Op::mapped: return textures_.emit_mapped(instruction);
    case Op::surf_store: return textures_.emit_store(instruction);
    case Op::surf_atomic: return textures_.emit_atomic(instruction);
    case Op::buf_load: return buffers_.emit_load(instruction);
    case Op::buf_store: return buffers_.emit_store(instruction);
    case Op::buf_atomic: return buffers_.emit_atomic(instruction);
    case Op::buf_size: return bindings_.emit_fact(instruction, ir::BindingFact::width);
    case Op::counter: return buffers_.emit_counter(instruction);
    case Op::cb_load: return constant_buffers_.emit_load(instruction);
    case Op::table_load: return memory_.emit_table_load(instruction);
    case Op::local_load:
    case Op::local_store: return memory_.emit_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return memory_.emit_shared(instruction);
    case Op::barrier: return memory_.emit_barrier(instruction);
    case Op::input: return inputs_.emit_input(instruction);
    case Op::patch_input: return inputs_.emit_patch_input(instruction);
    case Op::output_control_point: return inputs_.emit_output_control_point(instruction);
    case Op::system_value: return inputs_.emit_system_value(instruction);
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid: return inputs_.emit_evaluation(instruction);
    case Op::output: return outputs_.emit_output(instruction);
    case Op::patch_output: return outputs_.emit_patch_output(instruction);
    case Op::emit:
    case Op::cut: return outputs_.emit_vertex(instruction);
    case Op::binding:
    case Op::bound: return bindings_.emit_query(instruction);
    case Op::specialized: return emit_fact(instruction, Fact::known);
    case Op::raster_samples: return emit_fact(instruction, Fact::raster_samples);
    case Op::cycle_counter: return effects_.emit_cycle_counter(instruction);
    case Op::discard: return discards_.emit(instruction);
    case Op::message: return effects_.emit_message(instruction);
    case Op::sample_position:
    case Op::raster_position:
    case Op::cb_rows:
    case Op::address:
#define IR_COVERED_interface
#define IR_COVERED_memory
#define IR_COVERED_texture
#define IR_COVERED_surface
#define IR_COVERED_buffer
#define IR_COVERED_binding
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return refuse(instruction, "this operation");
  }
}

/// What the host tells the pipeline that is no property of a resource.
void Emitter::emit_fact(const Instruction& instruction, Fact which) {
  define(instruction.first_result, Kind::uint, report_.fact(which, instruction.payload));
}

bool Emitter::emit_code(Id entry) {
  const size_t count = code_.size();
  current_ = 0;
  if (module_.stage != ir::Stage::hull) {
    debug_info_.begin_function(entry, options_.entry);
    // What survey() has moved to the front.
    for (; current_ < count && reads_entry(code_[current_]); ++current_) emit_other(code_[current_]);
  }
  // Arithmetic concerns neither sections nor the flag of discarded pixels.
  const bool is_plain = !options_.debug && !options_.debug_info && !ordered_.exists();
  for (; current_ < count; ++current_) {
    const Instruction& instruction = code_[current_];
    if (is_plain && ir::is_arithmetic(instruction.op)) {
      arithmetic_.emit(instruction);
      if (builder_.bound() <= kMostIds) [[likely]]
        continue;
    } else {
      ordered_.begin();
      discards_.begin(instruction);
      emit_instruction(instruction);
      discards_.end(instruction);
      ordered_.end();
    }
    if (!is_within_limits(code_[current_])) return false;
  }
  if (module_.stage == ir::Stage::hull) hull_.emit_entry();
  if (body_.reached()) {
    outputs_.store();
    discards_.leave();
    effect(spv::OpReturn, {});
  }
  return true;
}

/// Everything that the module requires must be there.
void Emitter::check_device() {
  const auto location = [&](uint32_t position) {
    return position < code_.size() ? module_.location_of(code_[position]) : SourceLocation{};
  };
  const auto refuse = [&](Feature feature, SourceLocation where) {
    diagnostics_.error(where, "{} needs {}, which the device lacks: it cannot be expressed on spirv",
                       row_of(feature).what, row_of(feature).name);
  };
  for (const Required& required : builder_.required()) {
    const auto feature = feature_of(required.capability);
    if (feature && !device_has(*feature)) refuse(*feature, location(required.position));
  }
  const auto check = [&](Feature feature, const Instruction* user) {
    if (user != nullptr) refuse(feature, module_.location_of(*user));
  };
  const auto stores = feature_of_stores(module_.stage);
  if (stores && !device_has(*stores)) check(*stores, first_store(module_));
  if (!device_has(Feature::float_atomics)) check(Feature::float_atomics, first_float_atomic(module_));
}

bool Emitter::run(std::pmr::vector<uint32_t>& out) {
  const uint32_t errors_before = diagnostics_.error_count();
  const ir::Stage stage = module_.stage;
  const bool tessellates = stage == ir::Stage::hull || stage == ir::Stage::domain;
  if (stage == ir::Stage::geometry) builder_.require(spv::CapabilityGeometry);
  if (tessellates) builder_.require(spv::CapabilityTessellation);
  builder_.require(spv::CapabilityShader);
  interface_.declare();
  if (options_.debug && !options_.debug_info) source_name_ = builder_.string(options_.source_name);
  const Id entry = builder_.new_id();
  ExecutionModes modes(core_, entry);
  if (!modes.set_stage()) return false;
  ordered_.find(entry);
  body_.reserve(code_.size() * 6);
  debug_info_.declare();
  if (!emit_code(entry)) return false;
  report_.check();
  modes.set_float_controls();
  check_device();
  if (diagnostics_.error_count() != errors_before) return false;
  if (const std::string excess = builder_.excess(options_.entry); !excess.empty()) {
    diagnostics_.error({}, "the module is too large for spirv: {}", excess);
    return false;
  }
  if (!options_.captures.empty()) builder_.execution_mode(entry, spv::ExecutionModeXfb);
  if (options_.names) builder_.name(entry, options_.entry);
  const Words& blocks = values_.finish_function();
  builder_.assemble(out, execution_model(stage), entry, options_.entry, blocks, hull_.functions());
  return true;
}

}  // namespace

void fit_limits(ir::Module& module) {
  ir::split_switches(module, kMostSwitchLabels);
  ir::spill_exits(module, kMostPhiEdges);
}

bool emit(const ir::Module& module, const Options& options, std::pmr::vector<uint32_t>& out,
          Diagnostics& diagnostics, HostInterface* host) {
  Core core(module, options, diagnostics, host);
  return Emitter(core).run(out);
}

}  // namespace texlate::spirv
