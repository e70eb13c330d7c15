// Lowers texture instructions to accesses that carry Direct3D's contract (D3D11.3 22.4;
// docs/reference/direct3d.md 1.1 to 1.4).
//
// Nothing here depends on what a target can do: addresses, level rule, offset, comparison and component
// selection go into the access as the instruction specifies them. ir/passes/legalize_texture adds what a
// target lacks.

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"

namespace texlate::lower {

namespace {

using ir::AccessBuilder;
using ir::Dimension;
using ir::LodRule;
using ir::Slot;
using sm4::Instruction;
using sm4::Operand;
using sm4::RegisterFile;

/// Iterates over source operands in the order of the instruction. Skips destination and residency
/// status.
class Sources {
 public:
  Sources(Lowering& lowering, const Instruction& instruction)
      : lowering_(lowering), instruction_(instruction), next_(is_feedback() ? 2 : 1) {}
  bool is_feedback() const { return sm4::info(instruction_.opcode).has(sm4::kFeedback); }
  const Operand& take() { return lowering_.operand(instruction_, next_++); }

 private:
  Lowering& lowering_;
  const Instruction& instruction_;
  uint32_t next_;
};

uint32_t array_lane(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture1d_array: return 1;
    case Dimension::texture_cube_array: return 3;
    default: return 2;
  }
}

uint8_t address_lanes(Dimension dimension) {
  uint32_t lanes = (1u << ir::coordinate_count(dimension)) - 1u;
  if (ir::is_array(dimension)) lanes |= 1u << array_lane(dimension);
  return static_cast<uint8_t>(lanes);
}

void set_address(AccessBuilder& access, const Lanes& lanes) {
  const Dimension dimension = access.contract.dimension;
  for (uint32_t i = 0; i < ir::coordinate_count(dimension); ++i) access.set(Slot::coordinate0 + i, lanes[i]);
  if (ir::is_array(dimension)) access.set(Slot::layer, lanes[array_lane(dimension)]);
}

/// `_aoffimmi`: only for the axes that the dimension has (unused ones are ignored even if nonzero), and none
/// for (0,0,0).
void set_offset(AccessBuilder& access, const Instruction& instruction) {
  if (!instruction.has_offset) return;
  for (uint32_t i = 0; i < ir::offset_count(access.contract.dimension); ++i) {
    access.contract.offset[i] = instruction.offset[i];
    if (instruction.offset[i] != 0) access.contract.has_offset = true;
  }
}

bool bind_sampler(Lowering& lowering, const Instruction& instruction, const Operand& operand,
                  AccessBuilder& access) {
  uint32_t id;
  if (!lowering.register_number(operand.index[0], id)) {
    lowering.unsupported(instruction, operand, "uses a run-time s# number, which needs shader model 5.1");
    return false;
  }
  if (operand.index[0].relative != sm4::kNoOperand) declare_sampler(lowering, instruction, id);
  if (!lowering.samplers.has(id)) {
    lowering.unsupported(instruction, operand, "uses an undeclared sampler");
    return false;
  }
  access.contract.sampler = lowering.samplers[id];
  access.contract.gather_component = operand.component_count == sm4::ComponentCount::four
                                         ? static_cast<uint8_t>(operand.source_component(0))
                                         : 0;
  access.contract.non_uniform |= operand.non_uniform;
  if (operand.index_count >= 2) {
    const ir::Sampler& range = lowering.module.samplers[access.contract.sampler];
    if (range.is_range()) {
      const Value index = lowering.load_index(operand.index[1]);
      access.set(Slot::sampler_index, lowering.emit(Op::isub, {index, lowering.constant(range.lower_bound)}));
    }
  }
  return true;
}

Lanes lanes_from(Value first) {
  return {first, first + 1, first + 2, first + 3};
}

/// Emits the access and stores its results and, for `_s`, the residency status.
void finish(Lowering& lowering, const Instruction& instruction, AccessBuilder& access, Op op,
            const Operand& resource) {
  const bool feedback = sm4::info(instruction.opcode).has(sm4::kFeedback);
  access.contract.feedback = feedback && lowering.operand(instruction, 1).file != RegisterFile::null;
  store_results_and_status(lowering, instruction, resource, access.emit(lowering.builder, op),
                           access.contract.feedback);
}

constexpr auto kLevelOf = by_opcode(kSamples);

/// The level rule of a sample instruction and its operands. Operands come in the order bias | lod | ddx, ddy
/// | reference, then the clamp (docs/reference/direct3d.md 1.2).
void set_level(Lowering& lowering, const Instruction& instruction, AccessBuilder& access, Sources& sources) {
  access.contract.lod = kLevelOf[static_cast<uint32_t>(instruction.opcode)];
  switch (access.contract.lod) {
    case LodRule::bias:
    case LodRule::level: access.set(Slot::lod, lowering.load_scalar(sources.take(), Reading::float_)); break;
    case LodRule::gradient: {
      const uint32_t axes = ir::coordinate_count(access.contract.dimension);
      const uint8_t mask = static_cast<uint8_t>((1u << axes) - 1u);
      const Lanes ddx = lowering.load(sources.take(), mask, Reading::float_);
      const Lanes ddy = lowering.load(sources.take(), mask, Reading::float_);
      for (uint32_t i = 0; i < axes; ++i) {
        access.set(Slot::ddx0 + i, ddx[i]);
        access.set(Slot::ddy0 + i, ddy[i]);
      }
      break;
    }
    case LodRule::none:
    case LodRule::implicit:
    case LodRule::zero: break;
  }
  if (sm4::info(instruction.opcode).has(sm4::kCompare)) {
    access.contract.compare = true;
    access.set(Slot::reference, lowering.load_scalar(sources.take(), Reading::float_));
  }
  if (sm4::info(instruction.opcode).has(sm4::kLodClamp)) {
    const Operand& clamp = sources.take();
    const bool no_clamp =
        clamp.file == RegisterFile::null || (clamp.is_immediate() && clamp.immediate[0] == 0);
    if (!no_clamp) access.set(Slot::lod_clamp, lowering.load_scalar(clamp, Reading::float_));
  }
}

/// resinfo's (x, y, z, w) as floats. `_rcpFloat` converts sizes to reciprocals, except the array size and the
/// mip count. Components that the dimension does not have remain 0 (docs/reference/direct3d.md 1.4, resinfo).
Lanes resinfo_as_floats(Lowering& lowering, Lanes sizes, Dimension dimension, bool reciprocal) {
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  for (uint32_t i = 0; i < 4; ++i) {
    sizes[i] = lowering.emit(Op::utof, {sizes[i]});
    if (reciprocal && i < axes) sizes[i] = lowering.emit(Op::frcp, {sizes[i]});
  }
  return sizes;
}

}  // namespace

bool bind_resource(Lowering& lowering, const Instruction& instruction, const Operand& operand,
                   AccessBuilder& access) {
  const SlotMap& map =
      operand.file == RegisterFile::unordered_access_view ? lowering.views : lowering.resources;
  uint32_t id;
  if (!lowering.register_number(operand.index[0], id)) {
    lowering.unsupported(instruction, operand,
                         "uses a run-time t# or u# number, which needs shader model 5.1");
    return false;
  }
  const bool may_be_undeclared = operand.index[0].relative != sm4::kNoOperand || lowering.program.lenient;
  if (may_be_undeclared && operand.file == RegisterFile::resource) declare_texture(lowering, instruction, id);
  if (!map.has(id)) {
    lowering.unsupported(instruction, operand, "uses an undeclared resource");
    return false;
  }
  access.contract.resource = map[id];
  const ir::Resource& resource = lowering.module.resources[access.contract.resource];
  access.contract.dimension = resource.dimension;
  access.contract.type = resource.component_types[0];
  access.contract.non_uniform |= operand.non_uniform;
  if (operand.index_count >= 2 && resource.is_range()) {
    const uint32_t lower_bound = resource.lower_bound;
    const Value index = lowering.load_index(operand.index[1]);
    access.set(Slot::resource_index, lowering.emit(Op::isub, {index, lowering.constant(lower_bound)}));
  }
  return true;
}

void store_results(Lowering& lowering, const Instruction& instruction, const Operand& resource,
                   Lanes results) {
  Lanes lanes;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    // A t# without components (some atomics, lod in old files) is read without a swizzle.
    const bool swizzled = resource.component_count == sm4::ComponentCount::four;
    lanes[lane] = results[swizzled ? resource.source_component(lane) : lane];
  }
  lowering.store(instruction, lowering.operand(instruction, 0), lanes);
}

void store_results_and_status(Lowering& lowering, const Instruction& instruction, const Operand& resource,
                              Value first, bool has_status) {
  if (!has_status) return store_results(lowering, instruction, resource, lanes_from(first));
  const Operand& destination = lowering.operand(instruction, 1);
  const Value index = lowering.load_destination_index(destination);
  store_results(lowering, instruction, resource, lanes_from(first));
  const Value status = first + 4;
  Instruction plain = instruction;
  plain.controls = 0;  // it is not saturated
  lowering.store(plain, destination, {status, status, status, status}, index);
}

void set_integer_address(Lowering& lowering, AccessBuilder& access, const Operand& address) {
  set_address(access, lowering.load(address, address_lanes(access.contract.dimension), Reading::integer));
}

void lower_ld(Lowering& lowering, const Instruction& instruction) {
  constexpr uint32_t kMipLane = 3;  // always w, even for 1D (docs/reference/direct3d.md 1.1)
  AccessBuilder access;
  Sources sources(lowering, instruction);
  const Operand& address = sources.take();
  const Operand& resource = sources.take();
  if (!bind_resource(lowering, instruction, resource, access)) return;
  const Dimension dimension = access.contract.dimension;
  if (ir::is_cube(dimension)) return lowering.unsupported(instruction, resource, "cannot read a cube");
  const bool has_level = dimension != Dimension::buffer && !ir::is_multisampled(dimension);
  const uint8_t lanes = static_cast<uint8_t>(address_lanes(dimension) | (has_level ? 1u << kMipLane : 0u));
  const Lanes values = lowering.load(address, lanes, Reading::integer);
  set_address(access, values);
  if (has_level) {
    access.contract.lod = LodRule::level;
    access.set(Slot::lod, values[kMipLane]);
  }
  if (instruction.opcode == Opcode::ldms || instruction.opcode == Opcode::ldms_s) {
    if (!ir::is_multisampled(dimension)) {
      return lowering.unsupported(instruction, resource, "needs a multisampled texture");
    }
    access.set(Slot::sample, lowering.load_scalar(sources.take(), Reading::integer));
  } else if (ir::is_multisampled(dimension)) {
    return lowering.unsupported(instruction, resource, "cannot read a multisampled texture (use ldms)");
  }
  set_offset(access, instruction);
  finish(lowering, instruction, access, Op::tex_fetch, resource);
}

void lower_sample(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  Sources sources(lowering, instruction);
  const Operand& address = sources.take();
  const Operand& resource = sources.take();
  const Operand& sampler = sources.take();
  if (!bind_resource(lowering, instruction, resource, access)) return;
  if (!bind_sampler(lowering, instruction, sampler, access)) return;
  if (ir::is_buffer(access.contract.dimension) || ir::is_multisampled(access.contract.dimension)) {
    return lowering.unsupported(instruction, resource, "cannot sample a buffer or a multisampled texture");
  }
  access.contract.gather_component = 0;
  set_address(access, lowering.load(address, address_lanes(access.contract.dimension), Reading::float_));
  set_level(lowering, instruction, access, sources);
  set_offset(access, instruction);
  finish(lowering, instruction, access, Op::tex_sample, resource);
}

void lower_gather(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  Sources sources(lowering, instruction);
  const Operand& address = sources.take();
  const bool run_time_offset =
      instruction.opcode == Opcode::gather4_po || instruction.opcode == Opcode::gather4_po_s ||
      instruction.opcode == Opcode::gather4_po_c || instruction.opcode == Opcode::gather4_po_c_s;
  const Operand* offset = run_time_offset ? &sources.take() : nullptr;
  const Operand& resource = sources.take();
  const Operand& sampler = sources.take();
  if (!bind_resource(lowering, instruction, resource, access)) return;
  if (!bind_sampler(lowering, instruction, sampler, access)) return;
  const Dimension dimension = access.contract.dimension;
  if (dimension != Dimension::texture2d && dimension != Dimension::texture2d_array &&
      !ir::is_cube(dimension)) {
    return lowering.unsupported(instruction, resource, "only gathers from 2D textures and cubes");
  }
  set_address(access, lowering.load(address, address_lanes(dimension), Reading::float_));
  if (offset != nullptr) {
    const Lanes values = lowering.load(*offset, 0x3, Reading::integer);
    access.set(Slot::offset0, values[0]);
    access.set(Slot::offset1, values[1]);
  }
  if (sm4::info(instruction.opcode).has(sm4::kCompare)) {
    access.contract.compare = true;
    access.contract.gather_component = 0;  // a comparison reads red
    access.set(Slot::reference, lowering.load_scalar(sources.take(), Reading::float_));
  }
  set_offset(access, instruction);
  finish(lowering, instruction, access, Op::tex_gather, resource);
}

void lower_lod(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  Sources sources(lowering, instruction);
  const Operand& address = sources.take();
  const Operand& resource = sources.take();
  const Operand& sampler = sources.take();
  if (!bind_resource(lowering, instruction, resource, access)) return;
  if (!bind_sampler(lowering, instruction, sampler, access)) return;
  access.contract.gather_component = 0;
  access.contract.lod = LodRule::implicit;
  const uint32_t axes = ir::coordinate_count(access.contract.dimension);
  const Lanes values = lowering.load(address, static_cast<uint8_t>((1u << axes) - 1u), Reading::float_);
  for (uint32_t i = 0; i < axes; ++i) access.set(Slot::coordinate0 + i, values[i]);
  const Value first = access.emit(lowering.builder, Op::tex_lod);
  const Value zero = lowering.constant(0);
  store_results(lowering, instruction, resource, {first, first + 1, zero, zero});
}

void lower_resinfo(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  const Operand& resource = lowering.operand(instruction, 2);
  if (!bind_resource(lowering, instruction, resource, access)) return;
  if (ir::is_buffer(access.contract.dimension))
    return lowering.unsupported(instruction, resource, "cannot be used on buffers (use bufinfo)");
  access.contract.lod = LodRule::level;
  access.set(Slot::lod, lowering.load_scalar(lowering.operand(instruction, 1), Reading::integer));
  const Lanes sizes = lanes_from(access.emit(lowering.builder, Op::tex_size));
  if (instruction.resinfo_return() == sm4::ResinfoReturn::uint) {
    return store_results(lowering, instruction, resource, sizes);
  }
  const bool reciprocal = instruction.resinfo_return() == sm4::ResinfoReturn::rcp_float;
  store_results(lowering, instruction, resource,
                resinfo_as_floats(lowering, sizes, access.contract.dimension, reciprocal));
}

void lower_sampleinfo(Lowering& lowering, const Instruction& instruction) {
  const Operand& resource = lowering.operand(instruction, 1);
  Value count;
  if (resource.file == RegisterFile::rasterizer) {
    count = lowering.emit(Op::raster_samples);
  } else {
    AccessBuilder access;
    if (!bind_resource(lowering, instruction, resource, access)) return;
    count = access.emit(lowering.builder, Op::tex_samples);
  }
  const bool integer = instruction.resinfo_return() != sm4::ResinfoReturn::float_;  // bit 11: _uint
  if (!integer) count = lowering.emit(Op::utof, {count});
  const Value zero = lowering.constant(0);
  store_results(lowering, instruction, resource, {count, zero, zero, zero});
}

void lower_samplepos(Lowering& lowering, const Instruction& instruction) {
  const Operand& resource = lowering.operand(instruction, 1);
  const Value index = lowering.load_scalar(lowering.operand(instruction, 2), Reading::integer);
  Value first;
  if (resource.file == RegisterFile::rasterizer) {
    first = lowering.emit(Op::raster_position, {index});
  } else {
    AccessBuilder access;
    if (!bind_resource(lowering, instruction, resource, access)) return;
    access.set(Slot::sample, index);
    first = access.emit(lowering.builder, Op::sample_position);
  }
  const Value zero = lowering.constant(0);
  store_results(lowering, instruction, resource, {first, first + 1, zero, zero});
}

void lower_bufinfo(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  const Operand& resource = lowering.operand(instruction, 1);
  if (!bind_resource(lowering, instruction, resource, access)) return;
  // The same integer in every component, regardless of the swizzle (docs/reference/direct3d.md 1.4, bufinfo).
  const Value size = access.emit(lowering.builder, Op::buf_size);
  lowering.store(instruction, lowering.operand(instruction, 0), {size, size, size, size});
}

void lower_check_access(Lowering& lowering, const Instruction& instruction) {
  const Value status = lowering.load_scalar(lowering.operand(instruction, 1), Reading::integer);
  const Value all = lowering.emit(Op::mask, {lowering.emit(Op::mapped, {status})});
  lowering.store(instruction, lowering.operand(instruction, 0), {all, all, all, all});
}

namespace {

constexpr auto kEvaluationOf = by_opcode(kEvaluations);

/// Is the component of v# the same everywhere in the primitive?
bool is_constant_input(const Lowering& lowering, uint32_t payload) {
  return std::ranges::any_of(lowering.module.inputs, [payload](const ir::Parameter& input) {
    return input.reg == payload / 4 && (input.mask >> payload % 4 & 1) != 0 &&
           input.interpolation == ir::Interpolation::constant;
  });
}

}  // namespace

void lower_eval(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  const Operand& input = lowering.operand(instruction, 1);
  if (input.file != RegisterFile::input || input.index_count != 1) {
    return lowering.unsupported(instruction, input, "needs a v#");
  }
  // v[r0.x + 2]: each register of the range is evaluated, and one of the results is selected.
  uint32_t first = input.index[0].immediate, count = 1;
  Value chosen = ir::kNoValue;
  if (input.index[0].relative != sm4::kNoOperand) {
    const Lowering::IndexRange* range = lowering.index_range(input.file, first);
    if (range == nullptr)
      return lowering.unsupported(instruction, input,
                                  "needs a dcl_indexrange for its run-time register number");
    chosen = lowering.load_index(input.index[0]);
    first = range->first;
    count = range->count;
  }
  const Op op = kEvaluationOf[static_cast<uint32_t>(instruction.opcode)];
  // The position: an offset, a sample index, or none.
  const size_t where_count = ir::info(op).operands.size();
  Lanes where = kNoLanes;
  if (where_count == 2) where = lowering.load(lowering.operand(instruction, 2), 0x3, Reading::integer);
  if (where_count == 1) where[0] = lowering.load_scalar(lowering.operand(instruction, 2), Reading::integer);
  Lanes results = kNoLanes;
  for (uint32_t i = 0; i < count; ++i) {
    Value is_it = ir::kNoValue;
    if (i != 0) is_it = lowering.emit(Op::ieq, {chosen, lowering.constant(first + i)});
    for (uint32_t lane = 0; lane < 4; ++lane) {
      if (((destination.write_mask() >> lane) & 1) == 0) continue;
      const uint32_t payload = (first + i) * 4 + input.source_component(lane);
      const Value value =
          is_constant_input(lowering, payload)
              ? lowering.emit(Op::input, {}, payload)
              : lowering.builder.emit(op, std::span<const Value>(where.data(), where_count), payload);
      results[lane] = i == 0 ? value : lowering.emit(Op::select, {is_it, value, results[lane]});
    }
  }
  lowering.store(instruction, destination, results);
}

}  // namespace texlate::lower
