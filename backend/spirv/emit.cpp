// Values, instructions, and the module around them.

#include "backend/spirv/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backend/spirv/emitter.h"
#include "backend/spirv/vectorize.h"
#include "ir/base/zeroed.h"
#include "ir/passes/spill_exits.h"
#include "ir/passes/split_switches.h"
#include "ir/spelling.h"

namespace texlate::spirv {

Emitter::Emitter(const ir::Module& source, const Options& choices, Diagnostics& sink, HostInterface* host)
    : module_(source),
      arena_(source.memory()),
      options_(choices),
      diagnostics_(sink),
      host_(host),
      builder_(static_cast<uint32_t>(choices.version), source.memory()),
      body_(source.memory()),
      prologue_(source.memory()),
      functions_(source.memory()),
      errors_before_(sink.error_count()) {}

Id Emitter::emit(spv::Op op, Id type, std::span<const uint32_t> operands) {
  const Id id = builder_.new_id();
  uint32_t* const words = code_->start(op, operands.size() + 3);
  words[1] = type;
  words[2] = id;
  for (size_t i = 0; i < operands.size(); ++i) words[3 + i] = operands[i];
  return id;
}

Id Emitter::emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
  return emit(op, type, std::span<const uint32_t>(operands.begin(), operands.size()));
}

Id Emitter::extended(uint32_t instruction, Id type, std::initializer_list<Id> operands) {
  const Id id = builder_.new_id();
  uint32_t* const words = code_->start(spv::OpExtInst, operands.size() + 5);
  words[1] = type;
  words[2] = id;
  words[3] = builder_.glsl();
  words[4] = instruction;
  std::ranges::copy(operands, words + 5);
  return id;
}

Id Emitter::type_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean: return builder_.bool_type();
    case Scalar::uint: return builder_.uint_type();
    case Scalar::int_: return builder_.int_type();
    case Scalar::float_: return builder_.float_type();
  }
  return 0;
}

Id Emitter::as_bool(Value value) {
  Ids& ids = ids_[value];
  if (ids.uint == 0 && module_.is_constant(value))
    ids.uint = builder_.constant_bool(module_.values[value].bits != 0);
  return ids.uint;
}

Id Emitter::as_double(Value value) {
  Ids& ids = ids_[value];
  if (ids.float_ == 0 && module_.is_constant(value))
    ids.float_ = builder_.constant_double(module_.values[value].bits);
  return ids.float_;
}

Id Emitter::use(Value value, Kind kind) {
  Ids& ids = ids_[value];
  Id& wanted = kind == Kind::float_ ? ids.float_ : ids.uint;
  if (wanted != 0) return wanted;
  if (module_.is_constant(value)) {
    wanted = builder_.constant(type_of(kind), module_.constant_bits(value));
    return wanted;
  }
  // infer_types foresees every use; this one is for uses inside an operation's own expansion.
  return bitcast(type_of(kind), kind == Kind::float_ ? ids.uint : ids.float_);
}

void Emitter::define(Value value, Kind kind, Id id) {
  Ids& ids = ids_[value];
  (kind == Kind::float_ ? ids.float_ : ids.uint) = id;
  if (kind == Kind::float_ && (need_[value] & kNeedsUint) != 0) ids.uint = bitcast(builder_.uint_type(), id);
  if (kind == Kind::uint && (need_[value] & kNeedsFloat) != 0)
    ids.float_ = bitcast(builder_.float_type(), id);
}

void Emitter::refuse(const Instruction& instruction, std::string_view what) {
  diagnostics_.error(module_.location_of(instruction), "{} ({}) cannot be expressed on spirv", what,
                     ir::info(instruction.op).text);
  // What uses the result must find something.
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    const Value value = instruction.first_result + r;
    switch (module_.values[value].type) {
      case ir::Type::b1: define_bool(value, builder_.constant_bool(false)); break;
      case ir::Type::b64: define_double(value, builder_.constant_double(0)); break;
      case ir::Type::b32: ids_[value] = {real(0), constant(0)}; break;
    }
  }
}

void Emitter::refuse_system_value(const Instruction& instruction, ir::SystemValue which,
                                  std::string_view as) {
  refuse(instruction, std::string(ir::spelling(which)).append(" as ").append(as));
}

/// After each instruction: nothing can be made of a module that is too large.
bool Emitter::is_within_limits(const Instruction& instruction) {
  if (diagnostics_.full()) return false;
  std::string_view what;
  size_t count = 0, most = 0;
  if (body_.too_long() != 0) {
    what = "words of one instruction", count = body_.too_long(), most = kMostInstructionWords;
  } else if (open_.size() > kMostNesting) {
    what = "constructs inside of each other", count = open_.size(), most = kMostNesting;
  } else if (builder_.bound() > kMostIds) {
    what = "ids", count = builder_.bound(), most = kMostIds;
  } else {
    return true;
  }
  diagnostics_.error(module_.location_of(instruction), "{} {} ({}) are more than the {} of spirv", count,
                     what, ir::info(instruction.op).text, most);
  return false;
}

void Emitter::emit_line(const Instruction& instruction) {
  const SourceLocation location = module_.location_of(instruction);
  if (location.line == 0 || location.line == line_ || ir::info(instruction.op).has(ir::kControl)) return;
  line_ = location.line;
  effect(spv::OpLine, {source_name_, line_, location.column});
}

void Emitter::emit_instruction(const Instruction& instruction) {
  if (options_.debug) emit_line(instruction);
  const ir::OpInfo& info = ir::info(instruction.op);
  if (info.has(ir::kControl)) return emit_control(instruction);
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather:
    case Op::tex_lod:
    case Op::tex_size:
    case Op::tex_samples:
    case Op::surf_load:
    case Op::surf_store:
    case Op::surf_atomic: return emit_texture(instruction);
    case Op::buf_load:
    case Op::buf_store:
    case Op::buf_atomic: return emit_buffer(instruction);
    case Op::buf_size: return emit_buffer_size(instruction);
    case Op::counter: return emit_counter(instruction);
    default: break;
  }
  if (ir::is_arithmetic(info.family)) {
    if (product_at_.empty() || product_at_[current_] == kNoIndex) return emit_arithmetic(instruction);
    return emit_product(products_[product_at_[current_]]);
  }
  emit_memory(instruction);
}

// Direct3D's float rules (D3D11.3 3.1; docs/reference/direct3d.md 4.1), which Vulkan leaves to the
// implementation where nothing is said: 32 bits flush denormals, 64 bits keep them, both round to nearest
// even and keep signed zeros, INF and NaN. Only what the shader computes with is spoken of.
void Emitter::set_float_controls(Id entry) {
  if (!options_.float_controls && !options_.preserve_specials) return;
  builder_.require_extension("SPV_KHR_float_controls");
  auto mode = [&](spv::Capability capability, spv::ExecutionMode which, uint32_t width) {
    builder_.require(capability);
    builder_.execution_mode(entry, which, {width});
  };
  if (!options_.float_controls)
    return mode(spv::CapabilitySignedZeroInfNanPreserve, spv::ExecutionModeSignedZeroInfNanPreserve, 32);
  for (uint32_t width : {32u, 64u}) {
    if (width == 64 && !builder_.has_double()) continue;
    if (width == 32) mode(spv::CapabilityDenormFlushToZero, spv::ExecutionModeDenormFlushToZero, width);
    if (width == 64) mode(spv::CapabilityDenormPreserve, spv::ExecutionModeDenormPreserve, width);
    mode(spv::CapabilityRoundingModeRTE, spv::ExecutionModeRoundingModeRTE, width);
    mode(spv::CapabilitySignedZeroInfNanPreserve, spv::ExecutionModeSignedZeroInfNanPreserve, width);
  }
}

void Emitter::set_execution_modes(Id entry) {
  switch (module_.stage) {
    case ir::Stage::compute:
      builder_.execution_mode(entry, spv::ExecutionModeLocalSize,
                              {module_.thread_group[0], module_.thread_group[1], module_.thread_group[2]});
      break;
    case ir::Stage::pixel:
      builder_.execution_mode(entry, spv::ExecutionModeOriginUpperLeft);
      if (module_.early_depth_stencil) builder_.execution_mode(entry, spv::ExecutionModeEarlyFragmentTests);
      for (const ir::Parameter& parameter : module_.outputs) {
        switch (parameter.system_value) {
          case ir::SystemValue::depth:
            builder_.execution_mode(entry, spv::ExecutionModeDepthReplacing);
            break;
          case ir::SystemValue::depth_greater_equal:
            builder_.execution_mode(entry, spv::ExecutionModeDepthReplacing);
            builder_.execution_mode(entry, spv::ExecutionModeDepthGreater);
            break;
          case ir::SystemValue::depth_less_equal:
            builder_.execution_mode(entry, spv::ExecutionModeDepthReplacing);
            builder_.execution_mode(entry, spv::ExecutionModeDepthLess);
            break;
          case ir::SystemValue::stencil_ref:
            builder_.execution_mode(entry, spv::ExecutionModeStencilRefReplacingEXT);
            break;
          default: break;
        }
      }
      break;
    default: break;
  }
}

// Values of D3D10_SB_PRIMITIVE and D3D10_SB_PRIMITIVE_TOPOLOGY (d3d12TokenizedProgramFormat.hpp). Vulkan
// draws patches through tessellation only; a list of patches of 1, 2, 3, 4 or 6 vertices is one of another
// topology.
bool Emitter::set_geometry_modes(Id entry) {
  spv::ExecutionMode input, output;
  constexpr uint32_t kPatchOf0 = 7;
  const bool patches = module_.input_primitive > kPatchOf0;
  switch (module_.input_primitive) {
    case 1:
    case kPatchOf0 + 1: input = spv::ExecutionModeInputPoints; break;
    case 2:
    case kPatchOf0 + 2: input = spv::ExecutionModeInputLines; break;
    case 3:
    case kPatchOf0 + 3: input = spv::ExecutionModeTriangles; break;
    case 6:
    case kPatchOf0 + 4: input = spv::ExecutionModeInputLinesAdjacency; break;
    case 7:
    case kPatchOf0 + 6: input = spv::ExecutionModeInputTrianglesAdjacency; break;
    default:
      diagnostics_.error(
          {}, "a geometry shader that reads {} cannot be expressed on spirv",
          patches ? fmt::format("patches of {} control points", module_.input_primitive - kPatchOf0)
                  : "no primitive");
      return false;
  }
  switch (module_.output_topology) {
    case 3: output = spv::ExecutionModeOutputLineStrip; break;
    case 5: output = spv::ExecutionModeOutputTriangleStrip; break;
    default: output = spv::ExecutionModeOutputPoints; break;
  }
  builder_.execution_mode(entry, input);
  builder_.execution_mode(entry, output);
  builder_.execution_mode(entry, spv::ExecutionModeInvocations, {std::max(1u, module_.gs_instances)});
  builder_.execution_mode(entry, spv::ExecutionModeOutputVertices, {module_.max_vertex_count});
  return true;
}

bool Emitter::run(std::pmr::vector<uint32_t>& out) {
  spv::ExecutionModel model = spv::ExecutionModelGLCompute;
  switch (module_.stage) {
    case ir::Stage::compute: break;
    case ir::Stage::pixel: model = spv::ExecutionModelFragment; break;
    case ir::Stage::vertex: model = spv::ExecutionModelVertex; break;
    case ir::Stage::geometry:
      model = spv::ExecutionModelGeometry;
      builder_.require(spv::CapabilityGeometry);
      break;
    case ir::Stage::domain:
      model = spv::ExecutionModelTessellationEvaluation;
      builder_.require(spv::CapabilityTessellation);
      break;
    case ir::Stage::hull:
      model = spv::ExecutionModelTessellationControl;
      builder_.require(spv::CapabilityTessellation);
      break;
  }
  builder_.require(spv::CapabilityShader);
  ids_ = zeroed<Ids>(arena_, module_.values.size());
  declare_interface();
  find_structure();
  find_ordered_section();
  infer_types();
  declare_bindings();
  if (options_.debug) source_name_ = builder_.string(options_.source_name);
  const Id entry = builder_.new_id();
  set_execution_modes(entry);
  set_interlock_mode(entry);
  const bool is_hull = module_.stage == ir::Stage::hull;
  if (module_.stage == ir::Stage::geometry && !set_geometry_modes(entry)) return false;
  if ((is_hull || module_.stage == ir::Stage::domain) && !set_tessellation_modes(entry)) return false;
  body_.reserve(module_.code.size() * 6);
  block_ = builder_.entry_label();
  if (module_.stage == ir::Stage::vertex || module_.stage == ir::Stage::domain) store_point_size();
  for (current_ = 0; current_ < module_.code.size(); ++current_) {
    begin_ordered_section();
    emit_instruction(module_.code[current_]);
    end_ordered_section();
    if (is_within_limits(module_.code[current_])) continue;
    return false;
  }
  if (is_hull) emit_hull_entry();
  if (reached_) {
    store_outputs();
    effect(spv::OpReturn, {});
  }
  check_places();
  if (diagnostics_.error_count() != errors_before_) return false;
  if (const std::string excess = builder_.excess(options_.entry); !excess.empty()) {
    diagnostics_.error({}, "the module is too large for spirv: {}", excess);
    return false;
  }
  set_float_controls(entry);
  if (!options_.captures.empty()) builder_.execution_mode(entry, spv::ExecutionModeXfb);
  if (options_.names) builder_.name(entry, options_.entry);
  prologue_.append(body_);
  if (options_.vectors) vectorize(builder_, prologue_, module_.memory());
  builder_.assemble(out, model, entry, options_.entry, prologue_, functions_);
  return true;
}

void fit_limits(ir::Module& module) {
  ir::split_switches(module, kMostSwitchLabels);
  ir::spill_exits(module, kMostPhiEdges);
}

bool emit(const ir::Module& module, const Options& options, std::pmr::vector<uint32_t>& out,
          Diagnostics& diagnostics, HostInterface* host) {
  return Emitter(module, options, diagnostics, host).run(out);
}

}  // namespace texlate::spirv
