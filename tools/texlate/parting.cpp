#include "tools/texlate/parting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

#include "frontend/asm/printer.h"
#include "library/pipeline.h"
#include "tools/executor/trace.h"
#include "tools/texlate/source_text.h"

namespace texlate::cli {

namespace {

/// A register that a line writes.
struct Written {
  uint32_t instruction;  // index in sm4::Program::instructions
  uint32_t reg;
  bool is_output;  // the output to which cut shaders copy, or else a temporary register
  std::vector<uint8_t> components;
};

/// What both routes have after a line, component by component.
struct LineValues {
  std::vector<uint32_t> first, second;
};

class Search {
 public:
  explicit Search(const PartingRequest& request) : request_(request) {}

  std::string run() {
    Diagnostics ignored;
    program_.lenient = request_.arguments.lenient;
    if (!library::read_program(request_.execution.source, dxbc::DigestCheck::ignore, program_, container_,
                               ignored) ||
        !find_output() || !collect_lines())
      return {};
    for (const Written& line : lines_) {
      const std::optional<bool> same = agree_after(line);
      if (!same) return {};
      if (!*same) return describe(line);
    }
    return {};
  }

 private:
  /// Each costs a translation and a run by both routes.
  static constexpr size_t kMostLines = 100;

  /// The output to which a cut shader copies a register. Returns false if the shader cannot be cut.
  bool find_output() {
    using sm4::Opcode;
    if (program_.version.stage != sm4::Stage::pixel) return false;
    for (const sm4::Instruction& instruction : program_.instructions) {
      if (instruction.opcode == Opcode::label || instruction.opcode == Opcode::fcall) return false;
      if (instruction.opcode != Opcode::dcl_output) continue;
      const sm4::Operand& operand = program_.operands[instruction.first_operand];
      if (operand.file == sm4::RegisterFile::output && output_.components == 0) output_ = operand;
    }
    return output_.components != 0;
  }

  /// Lines that write temporary registers or the output, in the order in which the pixel first executes them.
  bool collect_lines() {
    const Execution& execution = request_.execution;
    executor::TraceOptions options;
    options.lane.element = request_.element;
    options.max_lane_instructions = request_.arguments.budget;
    executor::Trace trace;
    Diagnostics ignored;
    if (!executor::trace(program_, execution.shader, *execution.scene, options, trace, ignored) ||
        trace.cut_off)
      return false;
    std::set<uint32_t> seen;
    for (const executor::TracedLine& line : trace.lines) {
      if (line.writes.empty()) continue;
      const std::string& name = line.writes[0].reg;
      const bool is_output = name == fmt::format("o{}", output_.index[0].immediate);
      if ((!is_output && !name.starts_with('r')) || !seen.insert(line.instruction).second) continue;
      const auto reg = static_cast<uint32_t>(std::strtoul(name.c_str() + 1, nullptr, 10));
      Written written = {line.instruction, reg, is_output, {}};
      for (const executor::TracedWrite& write : line.writes) {
        if (write.reg == line.writes[0].reg) written.components.push_back(write.component);
      }
      lines_.push_back(std::move(written));
    }
    return lines_.size() <= kMostLines;
  }

  /// The shader as a listing that ends after the line and copies these components to the output's `lanes`.
  std::string cut_after(const Written& line, std::span<const uint8_t> components,
                        std::vector<uint8_t>& lanes) const {
    sm4::Program cut = program_;
    const auto add = [&cut, &line](std::initializer_list<sm4::Instruction> instructions) {
      auto& list = cut.instructions;
      list.append(instructions.begin(), instructions.size());
      std::rotate(list.begin() + line.instruction + 1, list.end() - instructions.size(), list.end());
    };
    sm4::Instruction move, end;
    end.opcode = sm4::Opcode::ret;
    if (line.is_output) {
      lanes.assign(components.begin(), components.end());
      add({end});
      return listing(cut);
    }
    sm4::Operand to = output_, from;
    to.components = 0;
    from.file = sm4::RegisterFile::temp;
    from.component_count = sm4::ComponentCount::four;
    from.selection = sm4::Selection::swizzle;
    from.index_count = 1;
    from.index[0].immediate = line.reg;
    size_t next = 0;
    for (uint8_t lane = 0; lane < 4; ++lane) {
      const bool used = next < components.size() && (output_.components & 1u << lane) != 0;
      const uint8_t component = components[used ? next++ : 0];
      if (used) {
        to.components = static_cast<uint8_t>(to.components | 1u << lane);
        lanes.push_back(lane);
      }
      from.components = static_cast<uint8_t>(from.components | component << (2 * lane));
    }
    move.opcode = sm4::Opcode::mov;
    move.operand_count = 2;
    move.first_operand = static_cast<uint32_t>(cut.operands.size());
    cut.operands.push_back(to);
    cut.operands.push_back(from);
    if (!cut.operand_places.empty()) cut.operand_places.resize(cut.operands.size());
    add({move, end});
    return listing(cut);
  }

  static std::string listing(const sm4::Program& program) {
    std::pmr::string text;
    assembly::print(program, {.exact_literals = true}, text);
    return std::string(text);
  }

  /// Runs the listing by both routes. Returns false if one cannot run it.
  bool run_both(const std::string& text, std::span<const uint8_t> lanes) {
    const Execution& whole = request_.execution;
    const executor::Route routes[] = {request_.first, request_.second};
    executor::Shader shader;
    shader.classes = whole.shader.classes;
    shader.lenient = whole.shader.lenient;
    shader.robustness = whole.shader.robustness;
    shader.device = whole.shader.device;
    shader.known = whole.shader.known;
    Diagnostics ignored;
    if (!executor::load_shader(text, shader, routes, ignored)) return false;
    const auto folder = std::filesystem::path(request_.arguments.scene).parent_path();
    const auto scene =
        sim::Scene::make(whole.scene_text, folder.empty() ? "." : folder.string(), shader.contract, ignored);
    if (scene == nullptr) return false;
    executor::RunLimits limits;
    limits.max_lane_instructions = request_.arguments.budget;
    limits.device = whole.device.get();
    limits.gpu = whole.gpu.get();
    if (request_.arguments.derivatives == "shared") limits.derivatives = sim::QuadDerivatives::shared;
    std::vector<uint32_t>* const found[] = {&values_.first, &values_.second};
    for (size_t i = 0; i < 2; ++i) {
      executor::RouteResult result;
      if (!executor::run_route(routes[i], shader, *scene, limits, result, ignored) || result.cut_off)
        return false;
      append_output(*scene, result, lanes, *found[i]);
    }
    return true;
  }

  /// These components of the output at the pixel.
  void append_output(const sim::Scene& scene, const executor::RouteResult& result,
                     std::span<const uint8_t> lanes, std::vector<uint32_t>& to) const {
    const size_t first = size_t{4} * output_.index[0].immediate;
    for (const uint8_t lane : lanes)
      to.push_back(result.outputs[(first + lane) * scene.element_count() + request_.element]);
  }

  /// Nothing if the cut shader cannot be run.
  std::optional<bool> agree_after(const Written& line) {
    values_ = {};
    const auto room = static_cast<size_t>(std::popcount(output_.components));
    for (size_t at = 0; at < line.components.size(); at += room) {
      const auto some = std::span(line.components).subspan(at, std::min(room, line.components.size() - at));
      std::vector<uint8_t> lanes;
      const std::string text = cut_after(line, some, lanes);
      if (!run_both(text, lanes)) return std::nullopt;
    }
    for (size_t i = 0; i < values_.first.size(); ++i) {
      if (!executor::is_near(values_.first[i], values_.second[i], executor::WordType::any,
                             request_.tolerance))
        return false;
    }
    return true;
  }

  /// `values_` are those after this line.
  std::string describe(const Written& line) const {
    const std::string_view names[] = {executor::route_name(request_.first),
                                      executor::route_name(request_.second)};
    const std::string& file = request_.arguments.input;
    const SourceText source(program_, request_.execution.source);
    const sm4::Instruction& instruction = program_.instructions[line.instruction];
    std::string text =
        fmt::format("  they part at {}:{}: {}\n", file, source.number(instruction), source(instruction));
    std::string components;
    for (const uint8_t component : line.components) components += "xyzw"[component];
    const std::vector<uint32_t>* const values[] = {&values_.first, &values_.second};
    for (size_t route = 0; route < 2; ++route) {
      std::string words;
      for (const uint32_t word : *values[route])
        words += (words.empty() ? "" : ", ") + executor::word_text(word, sm4::OperandType::untyped);
      text += fmt::format("    {}: {}{}.{} = {}\n", names[route], line.is_output ? "o" : "r", line.reg,
                          components, words);
    }
    return text;
  }

  const PartingRequest& request_;
  sm4::Program program_;
  dxbc::Container container_;
  sm4::Operand output_;
  std::vector<Written> lines_;
  LineValues values_;
};

}  // namespace

std::string parting_text(const PartingRequest& request) {
  return Search(request).run();
}

}  // namespace texlate::cli
