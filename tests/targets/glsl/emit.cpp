// `main`: values are variables named by their type and number (f12, i13, b14), four results of one access are
// a vector (r15.x to r15.w). Regions of the IR are blocks of GLSL, whose scopes are the same.

#include "tests/targets/glsl/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tests/targets/glsl/interface.h"
#include "tests/targets/glsl/operations.h"

namespace texlate::glsl {

namespace {

using ir::Dimension;
using ir::Instruction;
using ir::LodRule;
using ir::Op;
using ir::ResourceAccess;
using ir::Slot;
using ir::Value;

class Emitter {
 public:
  Emitter(const ir::Module& module, const ir::Structure& structure, const ValueKinds& kinds,
          Diagnostics& diagnostics, std::pmr::string& text)
      : module_(module),
        structure_(structure),
        kinds_(kinds),
        diagnostics_(diagnostics),
        text_(text),
        lanes_(module.values.size(), Lane{}, module.memory()) {}

  void write() {
    text_ += "\nvoid main() {\n";
    for (index_ = 0; index_ < module_.code.size(); ++index_) emit(module_.code[index_]);
    text_ += "}\n";
  }

 private:
  /// Of a result that is a component of a vector, or the same as another value.
  struct Lane {
    Value base = ir::kNoValue;
    uint8_t component = kSame;
    static constexpr uint8_t kSame = 4;
  };

  // ---- text ----

  /// The first statement of a source line names it.
  void line(std::string_view statement) {
    text_.append(2 * size_t{depth_}, ' ').append(statement);
    const uint32_t source = module_.location_of(module_.code[index_]).line;
    if (source != 0 && source != source_line_) text_ += fmt::format("  // line {}", source);
    source_line_ = source != 0 ? source : source_line_;
    text_ += '\n';
  }
  void refuse(const Instruction& instruction, std::string_view what) {
    diagnostics_.error(module_.location_of(instruction), "{} cannot be expressed on glsl", what);
  }

  std::string name(Value value) const {
    const Lane lane = lanes_[value];
    if (lane.base != ir::kNoValue && lane.component != Lane::kSame)
      return fmt::format("r{}.{}", lane.base.number(), "xyzw"[lane.component]);
    return fmt::format("{}{}", "ifb"[static_cast<uint32_t>(kinds_.of[value])],
                       (lane.base != ir::kNoValue ? lane.base : value).number());
  }
  std::string use(Value value, Kind kind) const {
    if (value == ir::kNoValue) return literal(kind, 0);
    if (module_.is_constant(value)) return literal(kind, module_.constant_bits(value));
    if (kinds_.of[value] == kind) return name(value);
    return fmt::format("{}({})", kind == Kind::float_ ? "uintBitsToFloat" : "floatBitsToUint", name(value));
  }
  std::string operand(const Instruction& instruction, uint32_t position, Kind passed = Kind::uint) const {
    return use(module_.operands_of(instruction)[position],
               operand_kind(module_, instruction, position, passed));
  }
  std::string slot(const Instruction& instruction, Slot which, Kind kind) const {
    return use(module_.operand(instruction, which), kind);
  }
  std::string as_int(Value value) const {
    if (module_.is_constant(value))
      return fmt::format("{}", static_cast<int32_t>(module_.constant_bits(value)));
    return fmt::format("int({})", use(value, Kind::uint));
  }
  /// "vec2(a, b)"; of one part "a", of equal ones "vec2(a)".
  static std::string vector(std::string_view prefix, std::span<const std::string> parts) {
    if (parts.size() == 1) return parts[0];
    if (std::ranges::count(parts, parts[0]) == static_cast<ptrdiff_t>(parts.size()))
      return fmt::format("{}vec{}({})", prefix, parts.size(), parts[0]);
    return fmt::format("{}vec{}({})", prefix, parts.size(), fmt::join(parts, ", "));
  }

  /// A variable for the only result.
  void define(const Instruction& instruction, std::string_view expression) {
    const Value result = instruction.first_result;
    const bool exact = ir::info(instruction.op).has(ir::kRounds) &&
                       (instruction.has(ir::kPrecise) || !module_.refactoring_allowed);
    line(fmt::format("{}{} {} = {};", exact ? "precise " : "", scalar_type(kinds_.of[result]), name(result),
                     expression));
  }
  /// A vector for all results. With a guard, others in its place; `either`: both are computed.
  void define_vector(const Instruction& instruction, uint32_t size, std::string_view expression,
                     bool either = false) {
    const Value first = instruction.first_result, guard = module_.guard_of(instruction);
    const Kind kind = kinds_.of[first];
    const std::string type = fmt::format("{}vec{}", vector_prefix(kind), size);
    std::string chosen(expression);
    if (guard != ir::kNoValue) {
      std::array<std::string, 4> parts;
      for (uint32_t i = 0; i < 4; ++i)
        parts[i] = ir::info(instruction.op).has(ir::kResource) ? slot(instruction, Slot::fallback0 + i, kind)
                                                               : literal(kind, 0);
      const std::string other = vector(vector_prefix(kind), parts), condition = use(guard, Kind::boolean);
      chosen = either ? fmt::format("mix({}, {}, bvec4({}))", other, expression, condition)
                      : fmt::format("{} ? {} : {}", condition, expression, other);
    }
    line(fmt::format("{} r{} = {};", type, first.number(), chosen));
    for (uint32_t i = 0; i < size; ++i) lanes_[first + i] = {first, static_cast<uint8_t>(i)};
  }

  // ---- arithmetic, by the table ----

  void emit_arithmetic(const Instruction& instruction) {
    const std::string_view text = kTextOf[static_cast<uint32_t>(instruction.op)];
    const bool is_double = ir::info(instruction.op).family == ir::Family::float64;
    if (text.empty()) return refuse(instruction, is_double ? "double precision" : "this operation");
    std::string expression;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        expression += text[i];
        continue;
      }
      expression +=
          operand(instruction, static_cast<uint32_t>(text[++i] - '0'), kinds_.of[instruction.first_result]);
    }
    define(instruction, expression);
  }

  // ---- textures and images ----

  /// Texels as `ivec2(int(i1), int(i2))`.
  std::string texel_place(const Instruction& instruction) const {
    std::vector<std::string> parts;
    for (uint32_t i = 0; i < ir::coordinate_count(module_.access_of(instruction).dimension); ++i)
      parts.push_back(as_int(module_.operand(instruction, Slot::coordinate0 + i)));
    if (const Value layer = module_.operand(instruction, Slot::layer); layer != ir::kNoValue)
      parts.push_back(as_int(layer));
    return vector("i", parts);
  }

  /// Normalized coordinates, the layer, and the reference if the function has it among them
  /// (GLSL 4.50 8.9.2).
  std::string place(const Instruction& instruction, bool has_reference) const {
    const ResourceAccess& access = module_.access_of(instruction);
    std::vector<std::string> parts = axes(instruction, Slot::coordinate0);
    if (instruction.op == Op::tex_lod) return vector("", parts);  // the layer has no part in a level
    if (const Value layer = module_.operand(instruction, Slot::layer); layer != ir::kNoValue)
      parts.push_back(access.layer_is_integer ? fmt::format("float({})", use(layer, Kind::uint))
                                              : use(layer, Kind::float_));
    if (has_reference && access.dimension == Dimension::texture1d) parts.push_back("0.0");
    if (has_reference) parts.push_back(slot(instruction, Slot::reference, Kind::float_));
    return vector("", parts);
  }
  std::vector<std::string> axes(const Instruction& instruction, Slot first) const {
    std::vector<std::string> parts;
    for (uint32_t i = 0; i < ir::coordinate_count(module_.access_of(instruction).dimension); ++i)
      parts.push_back(slot(instruction, first + i, Kind::float_));
    return parts;
  }
  std::string offset(const Instruction& instruction) const {
    const ResourceAccess& access = module_.access_of(instruction);
    std::vector<std::string> parts;
    for (uint32_t i = 0; i < ir::offset_count(access.dimension); ++i) {
      const Value given = module_.operand(instruction, Slot::offset0 + std::min(i, 1u));
      // Of an offset at run time the low six bits count.
      parts.push_back(access.has_offset ? fmt::format("{}", access.offset[i])
                                        : fmt::format("bitfieldExtract({}, 0, 6)", as_int(given)));
    }
    return vector("i", parts);
  }
  /// "sampler2D(t0, s0)"
  std::string pair(const ResourceAccess& access) const {
    const ir::Resource& resource = module_.resources[access.resource];
    return fmt::format("{}sampler{}{}({}, s{})", texel_prefix(resource), dimension_name(access.dimension),
                       access.compare ? "Shadow" : "", name_of(resource),
                       module_.samplers[access.sampler].id);
  }

  /// `call` gives a texel in the type of the resource: signed integers become unsigned ones.
  void define_texel(const Instruction& instruction, const std::string& call, bool either) {
    const bool is_signed = texel_prefix(module_.resources[module_.access_of(instruction).resource]) == "i";
    define_vector(instruction, 4, is_signed ? fmt::format("uvec4({})", call) : call, either);
  }

  void emit_fetch(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const std::string name = name_of(module_.resources[access.resource]);
    if (instruction.op == Op::surf_load)
      return define_texel(instruction, fmt::format("imageLoad({}, {})", name, texel_place(instruction)),
                          false);
    std::string last;
    const Value sample = module_.operand(instruction, Slot::sample),
                level = module_.operand(instruction, Slot::lod);
    if (sample != ir::kNoValue) last = ", " + as_int(sample);
    if (level != ir::kNoValue) last = ", " + as_int(level);
    define_texel(instruction, fmt::format("texelFetch({}, {}{})", name, texel_place(instruction), last),
                 false);
  }

  // texture, textureLod, textureGrad and their forms with an offset: the level, then the offset, then the
  // bias.
  void emit_sample(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const bool is_apart = access.compare && access.dimension == Dimension::texture_cube_array;
    const bool is_plain =
        access.dimension == Dimension::texture1d || access.dimension == Dimension::texture2d;
    const bool has_level = access.lod == LodRule::level || access.lod == LodRule::zero;
    const bool is_odd = has_level || access.lod == LodRule::bias || access.has_offset;
    if (access.compare && (is_apart || !is_plain) &&
        (is_odd || (is_apart && access.lod != LodRule::implicit)))
      return refuse(instruction, fmt::format("a comparison with this level or offset on a {}",
                                             dimension_name(access.dimension)));
    std::string name = "texture";
    std::vector<std::string> arguments{pair(access), place(instruction, access.compare && !is_apart)};
    if (is_apart) arguments.push_back(slot(instruction, Slot::reference, Kind::float_));
    if (has_level) {
      name += "Lod";
      arguments.push_back(access.lod == LodRule::zero ? "0.0" : slot(instruction, Slot::lod, Kind::float_));
    }
    if (access.lod == LodRule::gradient) {
      name += "Grad";
      for (const Slot first : {Slot::ddx0, Slot::ddy0})
        arguments.push_back(vector("", axes(instruction, first)));
    }
    if (access.has_offset) {
      name += "Offset";
      arguments.push_back(offset(instruction));
    }
    if (access.lod == LodRule::bias) arguments.push_back(slot(instruction, Slot::lod, Kind::float_));
    const std::string call = fmt::format("{}({})", name, fmt::join(arguments, ", "));
    // Derivatives must not be under a condition: what a failed guard replaces is computed, too.
    define_texel(instruction, access.compare ? fmt::format("vec4({})", call) : call, true);
  }

  void emit_gather(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const bool has_offset = access.has_offset || access.has(Slot::offset0);
    std::vector<std::string> arguments{pair(access), place(instruction, false)};
    if (access.compare) arguments.push_back(slot(instruction, Slot::reference, Kind::float_));
    if (has_offset) arguments.push_back(offset(instruction));
    if (!access.compare) arguments.push_back(fmt::format("{}", access.gather_component));
    define_texel(instruction,
                 fmt::format("textureGather{}({})", has_offset ? "Offset" : "", fmt::join(arguments, ", ")),
                 true);
  }

  void emit_store(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const ir::Resource& resource = module_.resources[access.resource];
    std::array<std::string, 4> parts;
    for (uint32_t i = 0; i < 4; ++i)
      parts[i] = slot(instruction, Slot::value0 + i, texel_kind(module_, access));
    const Value guard = module_.guard_of(instruction);
    line(fmt::format("{}imageStore({}, {}, {});",
                     guard != ir::kNoValue ? fmt::format("if ({}) ", use(guard, Kind::boolean)) : "",
                     name_of(resource), texel_place(instruction), vector(texel_prefix(resource), parts)));
  }

  void emit_access(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const bool samples = access.sampler != ResourceAccess::kNoSampler;
    if (module_.resources[access.resource].is_range() ||
        (samples && module_.samplers[access.sampler].is_range()))
      return refuse(instruction, "a range of registers");
    if (access.has(Slot::lod_clamp)) return refuse(instruction, "a floor of the level");
    switch (instruction.op) {
      case Op::tex_fetch:
      case Op::surf_load: return emit_fetch(instruction);
      case Op::tex_sample: return emit_sample(instruction);
      case Op::tex_gather: return emit_gather(instruction);
      case Op::surf_store: return emit_store(instruction);
      case Op::tex_lod:
        return define_vector(instruction, 2,
                             fmt::format("textureQueryLod({}, {})", pair(access), place(instruction, false)));
      case Op::tex_size:  // made of properties of the binding
      case Op::tex_samples:
      case Op::sample_position:
      case Op::surf_atomic:
      case Op::mapped:
#define IR_COVERED_texture
#define IR_COVERED_surface
#include "ir/op_cases.inc"
        return refuse(instruction, "this access");
    }
  }

  // ---- memory, inputs and outputs ----

  void emit_memory(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::cb_load: {
        const ir::ConstantBuffer& buffer = module_.constant_buffers[instruction.payload];
        const Value row = module_.operands_of(instruction)[0];
        const bool is_constant = module_.is_constant(row);
        if (buffer.is_range()) return refuse(instruction, "a range of registers");
        if (buffer.rows == 0 && !is_constant) return refuse(instruction, "a buffer of unknown size");
        return define_vector(
            instruction, 4,
            fmt::format("cb{}[{}]", buffer.id, is_constant ? as_int(row) : use(row, Kind::uint)));
      }
      case Op::table_load:
      case Op::local_load:
      case Op::local_store: return refuse(instruction, "an array");
      case Op::shared_load:
      case Op::shared_store:
      case Op::shared_atomic: return refuse(instruction, "memory of a thread group");
      case Op::cb_rows:
#define IR_COVERED_memory
#include "ir/op_cases.inc"
        return refuse(instruction, "the size of a constant buffer");
    }
  }

  void emit_interface(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::input: return define_place(instruction, input_text(module_, instruction));
      case Op::system_value:
        return define_place(
            instruction,
            system_value_text(module_.stage, static_cast<ir::SystemValue>(instruction.payload / 4),
                              instruction.payload % 4, false));
      case Op::output: {
        const std::string place = output_text(module_, instruction);
        if (place.empty()) return refuse(instruction, "this output");
        return line(fmt::format("{} = {};", place, operand(instruction, instruction.operand_count - 1)));
      }
      case Op::patch_input:
      case Op::output_control_point:
      case Op::patch_output:
      case Op::cycle_counter:
      case Op::eval_snapped:
      case Op::eval_sample:
      case Op::eval_centroid:
      case Op::raster_samples:
      case Op::raster_position:
#define IR_COVERED_interface
#include "ir/op_cases.inc"
        return refuse(instruction, "this input or output");
    }
  }
  void define_place(const Instruction& instruction, const std::string& place) {
    if (place.empty()) return refuse(instruction, "this input or property");
    define(instruction, place);
  }

  // ---- control flow ----

  void open(std::string_view statement) {
    line(statement);
    ++depth_;
  }
  void close(std::string_view text) {
    --depth_;
    line(text);
  }
  /// Variables for the results of the construct that opens here.
  void declare_results(const Instruction& marker) {
    for (Value v = marker.first_result; v < marker.first_result + marker.result_count; ++v)
      line(fmt::format("{} {};", scalar_type(kinds_.of[v]), name(v)));
  }
  /// All at once: a loop may pass on its own values in another order.
  void pass_values() {
    const uint32_t receiver = receiver_of(module_, structure_, index_);
    if (receiver == ir::Structure::kNoIndex) return;
    const Value first = module_.code[receiver].first_result;
    const std::span<const Value> values = module_.operands_of(module_.code[index_]);
    bool crosses = false;
    for (uint32_t r = 0; r < values.size(); ++r)
      crosses |= values[r] >= first && values[r] - first < values.size() && values[r] != first + r;
    const auto assign = [&](auto target, auto value) {
      for (uint32_t r = 0; r < values.size(); ++r)
        if (values[r] != first + r)
          line(fmt::format("{} = {};", target(first + r), value(first + r, values[r])));
    };
    const auto plain = [&](Value to, Value from) { return use(from, kinds_.of[to]); };
    const bool is_new = module_.code[index_].op == Op::loop;
    const auto own = [&](Value to) {
      return is_new ? fmt::format("{} {}", scalar_type(kinds_.of[to]), name(to)) : name(to);
    };
    if (!crosses) return assign(own, plain);
    assign([&](Value to) { return fmt::format("{} next_{}", scalar_type(kinds_.of[to]), name(to)); }, plain);
    assign(own, [&](Value to, Value) { return "next_" + name(to); });
  }

  void emit_label(const Instruction& instruction) {
    const auto is_label = [&](uint32_t i) {
      return module_.code[i].op == Op::case_ || module_.code[i].op == Op::default_;
    };
    if (!is_label(index_ - 1) && module_.code[index_ - 1].op != Op::switch_) close("}");
    const std::string label = instruction.op == Op::case_
                                  ? fmt::format("case {}:", literal(Kind::uint, instruction.payload))
                                  : "default:";
    if (is_label(index_ + 1)) return line(label);
    open(label + " {");
  }

  void emit_control(const Instruction& instruction) {
    const Op op = instruction.op;
    switch (op) {
      case Op::if_:
        declare_results(module_.code[structure_.of(index_).end]);
        return open(fmt::format("if ({}) {{", operand(instruction, 0)));
      case Op::else_:
        pass_values();
        if (const uint32_t end = structure_.of(index_).end;
            end == index_ + 1 && module_.code[end].operand_count == 0)
          return;
        --depth_;
        return open("} else {");
      case Op::loop:
        declare_results(module_.code[structure_.of(index_).end]);
        pass_values();
        return open("for (;;) {");
      case Op::endif:
      case Op::endloop: pass_values(); return close("}");
      case Op::break_:
      case Op::continue_: pass_values(); return line(op == Op::break_ ? "break;" : "continue;");
      case Op::switch_:
        declare_results(module_.code[structure_.of(index_).end]);
        return open(fmt::format("switch ({}) {{", operand(instruction, 0)));
      case Op::case_:
      case Op::default_: return emit_label(instruction);
      case Op::endswitch: close("}"); return close("}");
      case Op::return_: return line("return;");
      case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
        return refuse(instruction, "a phase of a hull shader");
    }
  }

  void emit_effect(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::discard: return line(fmt::format("if ({}) demote;", operand(instruction, 0)));
      case Op::barrier: return refuse(instruction, "a barrier");
      case Op::message: return refuse(instruction, "a message");
      case Op::emit:
      case Op::cut:
#define IR_COVERED_effect
#include "ir/op_cases.inc"
        return refuse(instruction, "this effect");
    }
  }

  void emit(const Instruction& instruction) {
    switch (ir::info(instruction.op).family) {
      case ir::Family::float32:
      case ir::Family::conversion:
      case ir::Family::integer:
      case ir::Family::predicate:
      case ir::Family::float64:
      case ir::Family::derivative: return emit_arithmetic(instruction);
      case ir::Family::interface: return emit_interface(instruction);
      case ir::Family::memory: return emit_memory(instruction);
      case ir::Family::texture:
      case ir::Family::surface: return emit_access(instruction);
      case ir::Family::binding:
        if (instruction.op == Op::specialized || instruction.operand_count != 0)
          return refuse(instruction, "this property of a binding");
        return define_place(instruction, fact_text(module_, ir::BindingQuery::unpack(instruction.payload)));
      case ir::Family::control: return emit_control(instruction);
      case ir::Family::effect: return emit_effect(instruction);
      case ir::Family::buffer: return refuse(instruction, "a raw or structured buffer");
      case ir::Family::source_register: return refuse(instruction, "a register of the source");
    }
  }

  const ir::Module& module_;
  const ir::Structure& structure_;
  const ValueKinds& kinds_;
  Diagnostics& diagnostics_;
  std::pmr::string& text_;
  std::pmr::vector<Lane> lanes_;  // by value
  uint32_t index_ = 0, depth_ = 1, source_line_ = 0;
};

}  // namespace

bool emit(const ir::Module& module, const backend::Options& options, std::pmr::string& text, backend::Host&,
          Diagnostics& diagnostics) {
  if (options.entry != "main") {
    diagnostics.error({}, "an entry point that is not called main cannot be expressed on glsl");
    return false;
  }
  const ir::Structure structure(module, module.memory());
  const ValueKinds kinds = find_kinds(module, structure);
  const uint32_t errors_before = diagnostics.error_count();
  declare(module, kinds, diagnostics, text);
  Emitter(module, structure, kinds, diagnostics, text).write();
  return diagnostics.error_count() == errors_before;
}

}  // namespace texlate::glsl
