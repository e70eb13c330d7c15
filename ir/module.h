// The texture IR: scalar, structured SSA over flat arrays.
//
// A module is one list of instructions in program order. Control flow is expressed by markers (if/else/endif,
// loop/endloop, switch/case/endswitch); a region is the code between two markers. A value is a number;
// Module::values describes it. Values are defined once and used in the region of their definition or
// inside it; they leave a construct through the results of its end marker. See docs/ir.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/base/buffer.h"
#include "ir/base/diagnostics.h"
#include "ir/base/index.h"
#include "ir/known_state.h"
#include "ir/op.h"
#include "ir/resource.h"

namespace texlate::ir {

using Value = Index<struct ValueTag>;  // into Module::values
inline constexpr Value kFirstValue(0);
inline constexpr Value kNoValue(0xffffffffu);

struct ValueInfo {
  uint64_t bits = 0;  // constants: the value; b32 in the low half, b1 as 0 or 1
  Type type = Type::b32;
  bool is_constant = false;
  uint8_t maker = 0;  // for FoldingBuilder: what gives it (folding::Maker), if that is known
};

inline constexpr uint32_t kNoName = 0xffffffffu;  // an offset into Module::names: there is no name

enum InstructionFlags : uint8_t {
  kPrecise = 1 << 0,        // not to be reassociated or contracted
  kVertexOperand = 1 << 1,  // input: the first operand is the vertex or control point
  kIndexOperand = 1 << 2,   // input, output: an operand is added to the register number
  kNonUniform = 1 << 3,     // cb.load, binding, bound: the index into the 5.1 range may differ between lanes
  kGuarded = 1 << 4,  // memory: one more operand, the last, a b1; false: loads give 0, nothing is written
};

struct Instruction {
  Op op = Op::return_;
  uint8_t flags = 0;
  uint16_t result_count = 0;  // results are the values first_result, first_result + 1, ...
  uint32_t operand_count = 0;
  uint32_t first_operand = 0;  // in Module::operands
  Value first_result = kNoValue;
  uint32_t payload = 0;   // see Payload
  uint32_t location = 0;  // of the source instruction, see Module::location_of; 0: none

  bool has(InstructionFlags flag) const { return (flags & flag) != 0; }
};

using Code = Buffer<Instruction>;  // a list of instructions

enum class Stage : uint8_t { pixel, vertex, geometry, hull, domain, compute };

/// Values of D3D10_SB_NAME where Direct3D numbers them; the rest are special input and output registers.
enum class SystemValue : uint8_t {
  none = 0,
  position = 1,
  clip_distance = 2,
  cull_distance = 3,
  render_target_array_index = 4,
  viewport_array_index = 5,
  vertex_id = 6,
  primitive_id = 7,
  instance_id = 8,
  is_front_face = 9,
  sample_index = 10,
  quad_edge_u0 = 11,
  quad_edge_v0 = 12,
  quad_edge_u1 = 13,
  quad_edge_v1 = 14,
  quad_inside_u = 15,
  quad_inside_v = 16,
  tri_edge_u = 17,
  tri_edge_v = 18,
  tri_edge_w = 19,
  tri_inside = 20,
  line_detail = 21,
  line_density = 22,
  thread_id = 32,
  thread_group_id,
  thread_id_in_group,
  thread_id_in_group_flattened,
  coverage,
  inner_coverage,
  depth,
  depth_greater_equal,
  depth_less_equal,
  stencil_ref,
  coverage_out,
  output_control_point_id,
  fork_instance_id,
  join_instance_id,
  gs_instance_id,
  domain_point,
  primitive_register,
};

enum class Interpolation : uint8_t {
  undefined,
  constant,
  linear,
  linear_centroid,
  linear_noperspective,
  linear_noperspective_centroid,
  linear_sample,
  linear_noperspective_sample,
};
constexpr bool is_at_sample(Interpolation interpolation) {
  return interpolation == Interpolation::linear_sample ||
         interpolation == Interpolation::linear_noperspective_sample;
}
constexpr bool is_at_centroid(Interpolation interpolation) {
  return interpolation == Interpolation::linear_centroid ||
         interpolation == Interpolation::linear_noperspective_centroid;
}
constexpr bool is_noperspective(Interpolation interpolation) {
  return interpolation == Interpolation::linear_noperspective ||
         interpolation == Interpolation::linear_noperspective_centroid ||
         interpolation == Interpolation::linear_noperspective_sample;
}

/// One declared input or output register (or special output such as oDepth).
struct Parameter {
  uint32_t reg = 0;  // register number; special registers: 0x100 + SystemValue
  uint8_t mask = 0xf;
  SystemValue system_value = SystemValue::none;
  Interpolation interpolation = Interpolation::undefined;
  uint8_t component_type = 0;  // 1 uint, 2 int, 3 float; 0 not known
  uint8_t stream = 0;
  uint32_t array_size = 0;      // vertices or control points; 0: not an array
  uint32_t semantic = kNoName;  // offset into Module::names of "NAME\0"
  uint32_t semantic_index = 0;

  constexpr bool has(uint32_t component) const { return (mask >> component & 1) != 0; }
};
/// Whether a pixel shader that declares the input runs once for each sample.
constexpr bool is_per_sample(const Parameter& input) {
  return input.system_value == SystemValue::sample_index || is_at_sample(input.interpolation);
}
/// Registers of special inputs and outputs (oDepth, oMask ...). The payload of `output` is (kSpecialRegister
/// + value) * 4.
inline constexpr uint32_t kSpecialRegister = 0x100;

struct LocalArray {
  uint32_t rows;
  uint32_t components;
};  // x#
struct SharedArray {
  uint32_t bytes;
  uint32_t stride;
};  // g#; stride 0: raw
struct ConstantTable {
  uint32_t first_word;
  uint32_t rows;
};  // the icb and tables that passes add; four words a row

enum class HullPhase : uint8_t { control_point, fork, join };
struct HullPhaseInfo {
  HullPhase kind;
  uint32_t instance_count;
};

enum BarrierFlags : uint32_t {
  kBarrierThreads = 1,
  kBarrierShared = 2,
  kBarrierUavGroup = 4,
  kBarrierUavGlobal = 8,
};

struct Module {
  explicit Module(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  Stage stage = Stage::pixel;
  uint8_t shader_model = 50;
  std::pmr::string name;  // of the entry point

  Code code;
  Buffer<Value> operands;  // the operands of all instructions
  Buffer<ValueInfo> values;
  Buffer<ResourceAccess> accesses;

  std::pmr::vector<Resource> resources;
  std::pmr::vector<Sampler> samplers;
  std::pmr::vector<ConstantBuffer> constant_buffers;
  std::pmr::vector<Parameter> inputs;
  std::pmr::vector<Parameter> outputs;
  std::pmr::vector<Parameter> patch_constants;
  std::pmr::vector<LocalArray> locals;
  std::pmr::vector<SharedArray> shared;
  std::pmr::vector<ConstantTable> tables;
  std::pmr::vector<uint32_t> table_words;
  std::pmr::vector<HullPhaseInfo> phases;
  std::pmr::vector<char> names;               // NUL-terminated strings
  Buffer<SourceLocation> locations;           // of instructions, counted from 1
  Reliance relied;                            // what the code relies on, if the host gave known state
  std::pmr::vector<Specialized> specialized;  // what it asks of the pipeline's creation

  uint32_t register_count = 0;  // r# before SSA construction
  uint32_t thread_group[3] = {1, 1, 1};
  bool early_depth_stencil = false;
  bool refactoring_allowed = false;
  uint32_t input_primitive = 0, output_topology = 0, max_vertex_count = 0, gs_instances = 1;
  uint32_t input_control_points = 0, output_control_points = 0;
  uint32_t tessellator_domain = 0, tessellator_partitioning = 0, tessellator_output = 0;
  float max_tessellation_factor = 64.0f;

  std::pmr::memory_resource* memory() const { return code.memory(); }

  std::span<const Value> operands_of(const Instruction& instruction) const {
    return {operands.data() + instruction.first_operand, instruction.operand_count};
  }
  std::span<Value> operands_of(const Instruction& instruction) {
    return {operands.data() + instruction.first_operand, instruction.operand_count};
  }
  SourceLocation location_of(const Instruction& instruction) const {
    return instruction.location != 0 ? locations[instruction.location - 1] : SourceLocation{};
  }
  const ResourceAccess& access_of(const Instruction& instruction) const {
    return accesses[instruction.payload];
  }
  /// The operand in `slot`, kNoValue where the access has none.
  Value operand(const Instruction& instruction, Slot slot) const {
    const ResourceAccess& access = accesses[instruction.payload];
    return access.has(slot) ? operands[instruction.first_operand + access.position(slot)] : kNoValue;
  }

  /// The predicate of a guarded access to a resource or to the shader's own memory; kNoValue if it has none.
  Value guard_of(const Instruction& instruction) const {
    if (info(instruction.op).has(kResource)) return operand(instruction, Slot::guard);
    if (!instruction.has(kGuarded)) return kNoValue;
    return operands[instruction.first_operand + instruction.operand_count - 1];
  }

  bool is_constant(Value value) const { return value != kNoValue && values[value].is_constant; }
  bool is_constant(Value value, uint64_t bits) const {
    return is_constant(value) && values[value].bits == bits;
  }
  uint32_t constant_bits(Value value) const { return static_cast<uint32_t>(values[value].bits); }

  /// The constant of this type and value. Equal constants have the same number.
  Value constant(uint32_t bits) { return constant(Type::b32, bits); }
  Value constant_float(float value);
  Value constant_b1(bool value) { return constant(Type::b1, value ? 1 : 0); }
  Value constant64(uint64_t bits) { return constant(Type::b64, bits); }
  Value constant(Type type, uint64_t bits);

  /// Becomes the other module, which keeps its declarations and gives away its code and what belongs to the
  /// code. Both have the same memory.
  void take_code(Module& from);
  /// Gives the memory of the code back. Declarations stay.
  void drop_code();

  /// Returns the number of a location, for Instruction::location.
  uint32_t add_location(SourceLocation location);

  /// The value that is made next: all before it exist.
  Value next_value() const { return Value(values.size()); }
  /// `count` fresh values of a type; returns the first.
  Value new_values(Type type, uint32_t count = 1);

  std::string_view name_at(uint32_t offset) const {
    return offset == kNoName ? std::string_view{} : std::string_view(names.data() + offset);
  }

 private:
  // Hash table of constants with open addressing: value numbers, kNoValue where empty.
  Buffer<Value> constant_slots_;
  uint32_t constant_count_ = 0;
  void grow_constants();
};
/// Whether a pixel shader runs once for each sample.
inline bool runs_per_sample(const Module& module) {
  return std::ranges::any_of(module.inputs, [](const Parameter& input) { return is_per_sample(input); });
}

}  // namespace texlate::ir
