#include "tools/executor/trace.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <unordered_map>

#include "ir/spelling.h"

namespace texlate::executor {

namespace {

using ir::Op;
using ir::Slot;
using sm4::OperandType;

constexpr size_t kShownTexels = 16;
constexpr uint32_t kArithmeticNan = 0x7fc00000u, kInfinity = 0x7f800000u, kSign = 0x80000000u;

/// The register of a destination; `index` replaces an index that the run computed.
std::string register_name(const sm4::Operand& destination, std::optional<uint32_t> index) {
  const sm4::RegisterFileInfo& file = sm4::info(destination.file);
  std::string name(file.spelling);
  if (destination.index_count != 0) {
    const bool first_is_run_time = destination.index[0].relative != sm4::kNoOperand;
    name += fmt::format("{}", first_is_run_time && index ? *index : destination.index[0].immediate);
  }
  if (destination.index_count > 1) {
    const bool is_run_time = destination.index[1].relative != sm4::kNoOperand;
    name += fmt::format("[{}]", is_run_time && index ? *index : destination.index[1].immediate);
  }
  return name;
}

OperandType type_of_destination(const sm4::Instruction& instruction) {
  const sm4::OpcodeInfo& opcode = sm4::info(instruction.opcode);
  return opcode.operand_count == 0 ? OperandType::untyped : opcode.types[0];
}

std::string resource_name(const ir::Module& module, const ir::ResourceAccess& contract, uint32_t index) {
  const ir::Resource& resource = module.resources[contract.resource];
  std::string name = fmt::format("{}{}", resource.is_uav ? 'u' : 't', resource.id);
  if (resource.is_range()) name += fmt::format("[{}]", uint64_t{resource.lower_bound} + index);
  return name;
}

/// Describes accesses of the traced lane.
class AccessText {
 public:
  AccessText(const ir::Module& module, const sim::TracedAccess& access, const sim::LaneValues& values)
      : module_(module),
        instruction_(module.code[access.instruction]),
        contract_(module.accesses[instruction_.payload]),
        access_(access),
        values_(values),
        name_(resource_name(module, contract_, access.register_index)) {}

  void append_to(std::vector<std::string>& lines) {
    if (!access_.bound) {
      lines.push_back(
          fmt::format("{}: the slot is empty, {}", name_, is_store() ? "nothing is stored" : "reads 0"));
      return;
    }
    switch (ir::info(instruction_.op).family) {
      case ir::Family::texture: return append_texels(lines);
      case ir::Family::surface:
      case ir::Family::buffer: return append_element(lines);
      default: return;
    }
  }

 private:
  bool has(Slot slot) const { return contract_.has(slot); }
  uint32_t slot(Slot which) const {
    return static_cast<uint32_t>(
        values_[module_.operands[instruction_.first_operand + contract_.position(which)]]);
  }
  bool is_store() const { return instruction_.op == Op::surf_store || instruction_.op == Op::buf_store; }

  std::string address() const {
    std::string list;
    const uint32_t axes = ir::coordinate_count(contract_.dimension);
    for (uint32_t axis = 0; axis < axes; ++axis) {
      const uint32_t word = has(Slot::coordinate0 + axis) ? slot(Slot::coordinate0 + axis) : 0;
      if (axis != 0) list += ", ";
      list +=
          is_float() ? word_text(word, OperandType::float_) : fmt::format("{}", static_cast<int32_t>(word));
      const int offset = contract_.has_offset && axis < 3 ? contract_.offset[axis] : 0;
      if (offset != 0) list += fmt::format(" {} {}", offset < 0 ? '-' : '+', std::abs(offset));
    }
    std::string text = "(" + list + ")";
    if (has(Slot::layer))
      text += " slice " + (is_float() && !contract_.layer_is_integer
                               ? word_text(slot(Slot::layer), OperandType::float_)
                               : fmt::format("{}", slot(Slot::layer)));
    if (has(Slot::sample)) text += fmt::format(" sample {}", slot(Slot::sample));
    if (has(Slot::lod) && contract_.lod == ir::LodRule::level)
      text += " level " + (is_float() ? word_text(slot(Slot::lod), OperandType::float_)
                                      : fmt::format("{}", slot(Slot::lod)));
    return text;
  }

  bool is_float() const {
    return instruction_.op == Op::tex_sample || instruction_.op == Op::tex_gather ||
           instruction_.op == Op::tex_lod;
  }

  std::string size() const {
    std::string list;
    for (const uint32_t extent : access_.size) {
      if (extent != 0) list += (list.empty() ? "" : " x ") + std::to_string(extent);
    }
    return list;
  }

  void append_texels(std::vector<std::string>& lines) {
    const bool reads = instruction_.op == Op::tex_fetch || is_float();
    if (!reads || instruction_.op == Op::tex_lod) return;
    if (access_.texels.empty()) {
      lines.push_back(fmt::format("{} {}: outside {}, no texel is read", name_, address(), size()));
      return;
    }
    if (is_float()) lines.push_back(fmt::format("{} {}", name_, address()));
    size_t shown = 0;
    for (const sim::TexelRead& texel : access_.texels) {
      if (shown++ == kShownTexels) {
        lines.push_back(fmt::format("  ... {} more texels", access_.texels.size() - kShownTexels));
        return;
      }
      lines.push_back(texel_line(texel, is_float() ? "  " : name_ + " "));
    }
  }

  std::string texel_line(const sim::TexelRead& texel, const std::string& begin) const {
    const uint32_t axes = ir::is_cube(contract_.dimension) ? 2 : ir::coordinate_count(contract_.dimension);
    const uint32_t at[] = {texel.x, texel.y, texel.z};
    std::string text = begin + "texel (";
    for (uint32_t axis = 0; axis < axes; ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(at[axis]);
    text += ")";
    if (texel.mip != 0) text += fmt::format(" mip {}", texel.mip);
    if (ir::is_array(contract_.dimension) || ir::is_cube(contract_.dimension))
      text += fmt::format(" slice {}", texel.slice);
    if (has(Slot::sample)) text += fmt::format(" sample {}", texel.sample);
    text += ":";
    for (uint32_t c = 0; c < 4; ++c)
      text += (c == 0 ? " " : ", ") + word_text(texel.value[c], component_type());
    return text;
  }

  OperandType component_type() const {
    switch (contract_.type) {
      case ir::ComponentType::sint: return OperandType::signed_;
      case ir::ComponentType::uint: return OperandType::unsigned_;
      case ir::ComponentType::unorm:
      case ir::ComponentType::snorm:
      case ir::ComponentType::float_: return OperandType::float_;
      default: return OperandType::untyped;
    }
  }

  void append_element(std::vector<std::string>& lines) {
    std::string text = name_ + " " + address();
    if (has(Slot::byte_offset)) text += fmt::format(" byte {}", slot(Slot::byte_offset));
    const bool is_buffer = ir::is_buffer(contract_.dimension);
    if (is_buffer && has(Slot::coordinate0) && slot(Slot::coordinate0) >= access_.size[0])
      text += fmt::format(": outside {}", size());
    std::string stored;
    for (uint32_t i = 0; i < 4; ++i) {
      if (!has(Slot::value0 + i)) continue;
      stored += (stored.empty() ? " = " : ", ") + word_text(slot(Slot::value0 + i), component_type());
    }
    if (is_store()) {
      text += stored;
      if (!values_.is_live()) text += ", without effect: the pixel is discarded or a helper";
    }
    lines.push_back(text);
  }

  const ir::Module& module_;
  const ir::Instruction& instruction_;
  const ir::ResourceAccess& contract_;
  const sim::TracedAccess& access_;
  const sim::LaneValues& values_;
  std::string name_;
};

/// Markers at which lanes arrive from the region before them, not because they run what follows.
bool is_end_of_region(sm4::Opcode opcode) {
  using enum sm4::Opcode;
  switch (opcode) {
    case else_:
    case endif:
    case endloop:
    case case_:
    case default_:
    case endswitch: return true;
    default: return false;
  }
}

/// Collects the lines of the shader as lower() made it.
class LineTracer final : public sim::Tracer {
 public:
  LineTracer(const sm4::Program& program, const ir::Module& module, const lower::Log& log, size_t max_lines,
             Trace& trace)
      : program_(program), module_(module), log_(log), max_lines_(max_lines), trace_(trace) {
    first_.assign(module.code.size() + 2, 0);
    for (const lower::Log::Entry& entry : log.entries) ++first_[entry.position + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  void step(uint32_t index, const sim::LaneValues& values) override {
    for (uint32_t i = first_[index]; i < first_[index + 1]; ++i) {
      const lower::Log::Entry& entry = log_.entries[i];
      if (entry.begins) {
        if (!is_end_of_region(program_.instructions[entry.instruction].opcode))
          begin(entry.instruction, values.is_live());
      } else {
        write(entry, values);
      }
    }
    trace_.is_live = values.is_live();
  }

  void access(const sim::TracedAccess& access, const sim::LaneValues& values) override {
    if (!is_full_) AccessText(module_, access, values).append_to(trace_.lines.back().accesses);
  }

 private:
  void begin(uint32_t instruction, bool is_live) {
    is_full_ = trace_.lines.size() >= max_lines_;
    if (is_full_) {
      ++trace_.left_out;
    } else {
      trace_.lines.push_back({instruction, is_live, {}, {}, {}});
    }
  }

  void write(const lower::Log::Entry& entry, const sim::LaneValues& values) {
    std::optional<uint32_t> index;
    if (entry.index != ir::kNoValue) index = static_cast<uint32_t>(values[entry.index]);
    const TracedWrite write = {register_name(entry.destination, index), entry.component,
                               static_cast<uint32_t>(values[entry.value]),
                               type_of_destination(program_.instructions[entry.instruction])};
    if (is_full_ || trace_.lines.empty()) return;
    if (!trace_.nan && is_nan(write.bits, write.type)) trace_.nan = {trace_.lines.size() - 1, write};
    if (!trace_.infinity && is_infinite(write.bits, write.type))
      trace_.infinity = {trace_.lines.size() - 1, write};
    trace_.lines.back().writes.push_back(write);
  }

  const sm4::Program& program_;
  const ir::Module& module_;
  const lower::Log& log_;
  size_t max_lines_;
  Trace& trace_;
  std::vector<uint32_t> first_;  // by position: its first entry in the log
  bool is_full_ = false;
};

/// Collects the guards that are false, in a module that was prepared for a target.
class GuardTracer final : public sim::Tracer {
 public:
  explicit GuardTracer(const ir::Module& module) : module_(module) {}

  void step(uint32_t index, const sim::LaneValues& values) override {
    const ir::Instruction& instruction = module_.code[index];
    const auto operands = module_.operands_of(instruction);
    const ir::OpInfo& info = ir::info(instruction.op);
    ir::Value guard = ir::kNoValue;
    if (info.has(ir::kResource)) {
      const ir::ResourceAccess& contract = module_.accesses[instruction.payload];
      if (contract.has(Slot::guard)) guard = operands[contract.position(Slot::guard)];
    } else if (instruction.has(ir::kGuarded)) {
      guard = operands.back();
    }
    if (guard == ir::kNoValue) return;
    const uint32_t execution = executions_[index]++;
    if (values[guard] != 0) return;
    const bool has_results = instruction.result_count != 0;
    fired_[key_of(module_.location_of(instruction), execution)].push_back(fmt::format(
        "the guard of {} is false: {}", info.text, has_results ? "nothing is read" : "nothing is written"));
  }
  void access(const sim::TracedAccess&, const sim::LaneValues&) override {}

  /// Adds each guard to the line that executed its instruction for the same time.
  void add_to(const sm4::Program& program, Trace& trace) const {
    std::unordered_map<uint32_t, uint32_t> seen;  // executions by instruction
    for (TracedLine& line : trace.lines) {
      const SourceLocation& location = program.instructions[line.instruction].location;
      const auto fired = fired_.find(key_of(location, seen[line.instruction]++));
      if (fired != fired_.end()) line.guards = fired->second;
    }
  }

 private:
  using Key = std::array<uint32_t, 4>;
  static Key key_of(const SourceLocation& location, uint32_t execution) {
    return {location.line, location.column, location.offset, execution};
  }

  const ir::Module& module_;
  std::unordered_map<uint32_t, uint32_t> executions_;
  std::map<Key, std::vector<std::string>> fired_;
};

bool follow(const ir::Module& module, sim::Scene& scene, const TraceOptions& options, sim::Tracer& tracer,
            Trace& trace, Diagnostics& diagnostics) {
  scene.reset_uavs();
  const auto interpreter = sim::Interpreter::create(module, diagnostics);
  if (!interpreter) return false;
  sim::InterpreterOptions run;
  run.max_lane_instructions = options.max_lane_instructions;
  run.derivatives = options.derivatives;
  run.tracer = &tracer;
  run.traced = options.lane;
  sim::RunReport report;
  if (module.stage == ir::Stage::compute) {
    report = interpreter->run(scene.bindings(), sim::GroupLaunch{scene.groups()}, run);
  } else {
    const uint32_t count = scene.element_count();
    std::vector<uint32_t> outputs(size_t{sim::output_plane_count(module)} * count);
    sim::StreamLaunch launch;
    launch.count = count;
    launch.inputs = scene.inputs();
    launch.outputs = outputs;
    launch.samples = scene.samples();
    report = interpreter->run(scene.bindings(), launch, run);
  }
  trace.undefined |= report.undefined;
  trace.cut_off = trace.cut_off || report.cut_off;
  return true;
}

}  // namespace

bool is_nan(uint32_t bits, OperandType type) {
  if (type == OperandType::float_) return std::isnan(std::bit_cast<float>(bits));
  return type == OperandType::untyped && (bits & ~kSign) == kArithmeticNan;
}

bool is_infinite(uint32_t bits, OperandType type) {
  return (type == OperandType::float_ || type == OperandType::untyped) && (bits & ~kSign) == kInfinity;
}

std::string word_text(uint32_t bits, OperandType type) {
  const float value = std::bit_cast<float>(bits);
  // Direct3D flushes denormals: in an untyped register such bits are an integer, as are those of NaNs that no
  // arithmetic makes.
  const bool is_integer =
      std::fpclassify(value) == FP_SUBNORMAL || (std::isnan(value) && !is_nan(bits, type));
  switch (type) {
    case OperandType::signed_: return std::to_string(static_cast<int32_t>(bits));
    case OperandType::unsigned_:
      return bits > 0x7fffffffu ? fmt::format("0x{:08x}", bits) : std::to_string(bits);
    case OperandType::untyped:
      if (is_integer) return std::to_string(static_cast<int32_t>(bits));
      break;
    case OperandType::float_:
    case OperandType::double_:
    case OperandType::none: break;
  }
  if (std::isnan(value)) return fmt::format("NaN (0x{:08x})", bits);
  if (std::isinf(value)) return value < 0 ? "-INF" : "INF";
  return fmt::format("{:.9g}", value);
}

bool trace(const sm4::Program& program, const Shader& shader, sim::Scene& scene, const TraceOptions& options,
           Trace& result, Diagnostics& diagnostics) {
  ir::Module module;
  lower::Log log;
  if (!lower::lower(program, module, diagnostics, {shader.classes, &log})) return false;
  LineTracer tracer(program, module, log, options.max_lines, result);
  if (!follow(module, scene, options, tracer, result, diagnostics)) return false;
  if (options.guarded == nullptr) return true;
  GuardTracer guards(*options.guarded);
  if (!follow(*options.guarded, scene, options, guards, result, diagnostics)) return false;
  guards.add_to(program, result);
  return true;
}

}  // namespace texlate::executor
