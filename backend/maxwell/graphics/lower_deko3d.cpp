#include "backend/maxwell/graphics/lower_deko3d.h"

#include <algorithm>
#include <array>
#include <bit>

#include "backend/launch/phase_lowering.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/divide_integers.h"
#include "ir/passes/optimize.h"

namespace texlate::maxwell::graphics {

namespace {

using ir::BindingFact;
using ir::SystemValue;

constexpr uint32_t kGenericVectors = 0x080;
constexpr uint32_t kStreams = 4;
constexpr uint32_t kTriangleDomain = 2;                    // D3D11_TESSELLATOR_DOMAIN
constexpr uint32_t kConstants = 4 * ir::kSpecialRegister;  // registers of patch constants, after those of o#

class Deko3dLowering final : launch::PhaseLowering {
 public:
  Deko3dLowering(ir::Module& module, const Layout& layout, Diagnostics& diagnostics)
      : PhaseLowering(module),
        layout_(layout),
        diagnostics_(diagnostics),
        output_places_(layout.outputs, &scratch_),
        outputs_(kStreams, &scratch_),
        constants_(&scratch_) {
    if (module.stage == ir::Stage::pixel) place_results();
    for (uint32_t stream = 0; stream < outputs_.size(); ++stream)
      outputs_[stream] = order(module.outputs, output_places_, stream, 0);
    if (module.stage == ir::Stage::hull)
      constants_ = order(module.patch_constants, layout.patch_constants, 0, kConstants);
  }

  bool run() {
    if (module_.stage == ir::Stage::hull) {
      lower_hull();
    } else {
      lower_all();
      if (code_.empty() || code_.back().op != Op::return_) leave();
    }
    module_.code.swap(code_);
    declare(module_.inputs, layout_.inputs);
    declare(module_.outputs, output_places_);
    declare(module_.patch_constants, layout_.patch_constants);
    if (written_words_ > launch::kMostOutputWords)
      diagnostics_.error({},
                         "emissions, returns, and outputs with a computed register, have more than {} output "
                         "words",
                         launch::kMostOutputWords);
    return good_ && written_words_ <= launch::kMostOutputWords;
  }
  /// Did the program ask for facts? Several may come from one query.
  bool has_facts() const { return has_facts_; }

 private:
  using Places = std::span<const Attribute>;
  /// A component that is written at the end: its register in the meantime.
  struct Written {
    uint32_t address, reg;
  };
  using WrittenList = std::pmr::vector<Written>;

  // ---- declarations

  /// The registers that hold a pixel's results: colors of the targets that the header enables, in order; then
  /// the sample mask, then depth, whose place does not depend on whether there is a mask.
  void place_results() {
    const uint32_t targets = targets_of(module_);
    const auto before = [&](uint32_t reg) {
      return 4 * static_cast<uint32_t>(std::popcount(targets & ((1u << reg) - 1)));
    };
    for_components(module_.outputs, [&](const ir::Parameter& output, uint32_t i, uint32_t c) {
      const uint32_t special = output.system_value == SystemValue::coverage_out ? 0 : 1;
      output_places_[i][c] =
          4 * (output.reg < kRenderTargets ? before(output.reg) + c : before(kRenderTargets) + special);
    });
  }

  WrittenList order(std::span<const ir::Parameter> parameters, Places places, uint32_t stream,
                    uint32_t file) {
    WrittenList list(&scratch_);
    for_components(parameters, [&](const ir::Parameter& parameter, uint32_t i, uint32_t c) {
      if (parameter.stream == stream) list.push_back({places[i][c], file + parameter.reg * 4 + c});
    });
    std::ranges::sort(list, {}, &Written::address);
    const auto is_same = [](const Written& a, const Written& b) { return a.address == b.address; };
    list.erase(std::unique(list.begin(), list.end(), is_same), list.end());
    return list;
  }

  /// The payload of what is at an address. What is nowhere keeps the name of its system value; so does the
  /// position at the sample, because the same address has the pixel's.
  static uint32_t payload_of(uint32_t address, const ir::Parameter& parameter) {
    const auto special = ir::kSpecialRegister + static_cast<uint32_t>(parameter.system_value);
    if (address == kNotUsed) return 4 * special;
    const bool is_sample =
        parameter.system_value == SystemValue::position && ir::is_at_sample(parameter.interpolation);
    return is_sample ? 4 * special + address / 4 % 4 : address / 4;
  }

  void declare(std::pmr::vector<ir::Parameter>& parameters, Places places) {
    std::pmr::vector<ir::Parameter> declared(module_.memory());
    uint32_t last = kNotUsed;
    for_components(parameters, [&](const ir::Parameter& parameter, uint32_t i, uint32_t c) {
      const uint32_t payload = payload_of(places[i][c], parameter);
      if (i != last || declared.back().reg != payload / 4) {
        declared.push_back(parameter);
        declared.back().reg = payload / 4;
        declared.back().mask = 0;
      }
      declared.back().mask |= static_cast<uint8_t>(1u << payload % 4);
      last = i;
    });
    parameters.swap(declared);
  }

  // ---- operations

  void lower(const Instruction& instruction) override {
    switch (instruction.op) {
      case Op::input:
      case Op::eval_centroid:
        return replace(instruction, load(instruction, module_.inputs, layout_.inputs, kGenericVectors));
      case Op::output_control_point:
        return replace(instruction, load(instruction, module_.outputs, output_places_, kGenericVectors));
      case Op::patch_input: return replace(instruction, patch_constant(instruction));
      case Op::output:
        if (has_room(instruction, module_.outputs.size())) keep_output(instruction);
        return;
      case Op::patch_output:
        if (has_room(instruction, module_.patch_constants.size()))
          keep(instruction, module_.patch_constants, kConstants);
        return;
      case Op::emit: put(Op::output, outputs_[instruction.payload]); break;
      case Op::return_: return leave();
      case Op::system_value: return replace(instruction, system_value(instruction));
      case Op::binding: return replace(instruction, fact(instruction));
      default: break;
    }
    builder_.append(instruction);
  }

  /// A write of a computed register is as many selections as there are registers.
  bool has_room(const Instruction& instruction, size_t registers) {
    if (instruction.has(ir::kIndexOperand)) written_words_ += registers;
    return written_words_ <= launch::kMostOutputWords;
  }

  void put(Op op, const WrittenList& list) {
    written_words_ += list.size();
    if (written_words_ > launch::kMostOutputWords) return;
    for (const Written& word : list) emit(op, {emit(Op::reg_load, {}, word.reg)}, word.address / 4);
  }

  void leave() {
    if (module_.stage != ir::Stage::geometry) put(Op::output, outputs_[0]);
    mark(Op::return_);
  }

  // ---- facts

  Value quotient(Value dividend, uint32_t divisor) {
    if (std::has_single_bit(divisor))
      return emit(Op::ushr, {dividend, word(static_cast<uint32_t>(std::countr_zero(divisor)))});
    const auto [high, shift] = ir::divide_by_constant(
        module_, dividend, divisor,
        [&](Op op, std::initializer_list<Value> operands) { return emit(op, operands); });
    return emit(Op::ushr, {high, word(shift)});
  }

  /// The driver knows the bytes of a storage buffer; all other facts are in the header of a texture.
  Value fact(const Instruction& instruction) {
    const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
    if (query.is_sampler_fact()) return refuse(instruction, "the state of a sampler");
    const ir::Resource& resource = module_.resources[query.resource];
    const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
    const SlotKind kind = layout_.resources[query.resource].kind;
    if (kind == SlotKind::uniform) return refuse(instruction, "the size of a uniform buffer");
    const bool is_storage = kind == SlotKind::buffer;
    if (is_storage || resource.dimension == ir::Dimension::buffer) {
      const bool is_width = query.fact == BindingFact::width;
      if (!is_width && (!is_storage || query.fact != BindingFact::bytes))
        return refuse(instruction, "this property of a buffer");
      const BindingFact known = is_storage ? BindingFact::bytes : BindingFact::width;
      const Value size = builder_.emit(Op::binding, module_.operands_of(instruction),
                                       ir::BindingQuery{query.resource, known}.pack());
      return is_storage && is_width ? quotient(size, resource.stride) : size;
    }
    ir::AccessBuilder header;
    has_facts_ = true;
    header.contract.resource = query.resource;
    header.contract.dimension = resource.dimension;
    header.set(ir::Slot::resource_index, index);
    if (query.fact == BindingFact::samples) return header.emit(builder_, Op::tex_samples);
    const Value size = header.emit(builder_, Op::tex_size);
    switch (query.fact) {
      case BindingFact::width: return size;
      case BindingFact::height: return size + 1;
      case BindingFact::depth: return size + 2;
      case BindingFact::layers:  // after the sizes
        return size + (ir::is_cube(resource.dimension) ? 2 : ir::coordinate_count(resource.dimension));
      case BindingFact::levels: return size + 3;
      default: return refuse(instruction, "this property of a texture");
    }
  }

  // ---- hull programs

  // The lanes of a warp are the control points of a patch. All of them run the control-point phase; then the
  // lane of point 0 runs the fork and join phases, with all their instances
  // (docs/reference/maxwell-graphics.md 5).
  void lower_hull() {
    const std::pmr::vector<launch::PhaseCode> phases = find_phases();
    const uint32_t points = module_.output_control_points;
    const Value point = ask(SystemValue::output_control_point_id);
    bool is_open = false;
    for (uint32_t p = 0; p < phases.size(); ++p) {
      const ir::HullPhaseInfo& info = module_.phases[p];
      if (info.kind == ir::HullPhase::control_point) {
        if (phases[p].returns_early) {
          lower_phase(phases[p], points, points, point);
        } else {
          lower_body(phases[p]);
        }
        put(Op::output, outputs_[0]);
        continue;
      }
      if (!is_open && points > 1) mark(Op::if_, {emit(Op::ieq, {point, word(0)})});
      is_open = true;
      lower_phase(phases[p], std::max(info.instance_count, 1u), 1, word(0));
    }
    if (is_open) put(Op::patch_output, constants_);
    if (is_open && points > 1) {
      end_if();
    }
    mark(Op::return_);
    module_.phases.clear();
  }

  // In a hull program they are what earlier phases of the same lane have written.
  Value patch_constant(const Instruction& instruction) {
    if (module_.stage == ir::Stage::domain)
      return load(instruction, module_.patch_constants, layout_.patch_constants, kPatchVectors);
    const uint32_t base = kConstants + instruction.payload;
    if (!instruction.has(ir::kIndexOperand)) return emit(Op::reg_load, {}, base);
    Value result = word(0);
    if (!has_room(instruction, constants_.size())) return result;
    for (const Written& constant : constants_) {
      if (constant.reg < base || (constant.reg - base) % 4 != 0) continue;
      const Value is_this = emit(Op::ieq, {operand(instruction, 0), word((constant.reg - base) / 4)});
      result = emit(Op::select, {is_this, emit(Op::reg_load, {}, constant.reg), result});
    }
    return result;
  }

  // ---- inputs

  /// What `instruction` reads, at another address; `index`: vectors to add.
  Value load_at(const Instruction& instruction, uint32_t payload, Value index = ir::kNoValue) {
    const bool has_vertex = instruction.has(ir::kVertexOperand), has_index = index != ir::kNoValue;
    const std::array<Value, 2> operands{has_vertex ? operand(instruction, 0) : index, index};
    const size_t count = (has_vertex ? 1u : 0u) + (has_index ? 1u : 0u);
    builder_.set_flags(
        static_cast<uint8_t>((has_vertex ? ir::kVertexOperand : 0) | (has_index ? ir::kIndexOperand : 0)));
    const Op op = instruction.op == Op::patch_input ? Op::input : instruction.op;
    const Value result = builder_.emit(op, std::span(operands).first(count), payload);
    builder_.set_flags(0);
    return result;
  }

  Value load(const Instruction& instruction, std::span<const ir::Parameter> parameters, Places places,
             uint32_t vectors) {
    if (instruction.has(ir::kIndexOperand)) return load_indexed(instruction, parameters, places, vectors);
    const bool is_pixel = module_.stage == ir::Stage::pixel;
    const uint32_t component = instruction.payload % 4;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const ir::Parameter& parameter = parameters[i];
      if (parameter.reg != instruction.payload / 4 || !parameter.has(component)) continue;
      Value found = ir::kNoValue;
      for (uint32_t c = 0; c < 4; ++c) {
        if (is_pixel ? c != component : !parameter.has(c)) continue;
        const Value value = load_at(instruction, payload_of(places[i][c], parameter));
        if (c == component) found = value;
      }
      return found;
    }
    return refuse(instruction, "an undeclared input");
  }

  // A computed register: one of the vectors, or one of the attributes elsewhere (positions, distances,
  // factors). A number beyond the last register is undefined in Direct3D; here it means the last.
  Value load_indexed(const Instruction& instruction, std::span<const ir::Parameter> parameters, Places places,
                     uint32_t vectors) {
    const bool is_patch = instruction.op == Op::patch_input;
    if (!is_patch && !instruction.has(ir::kVertexOperand))
      return refuse(instruction, "a run-time input register number");
    const uint32_t base = instruction.payload / 4, component = instruction.payload % 4;
    const Value index = last_operand(instruction);
    const auto number = [&](size_t i) { return parameters[i].reg - base; };
    const auto is_reached = [&](size_t i) {
      return parameters[i].reg >= base && parameters[i].has(component);
    };
    const auto is_vector = [&](size_t i) {
      return places[i][component] == vectors + 16 * parameters[i].reg + 4 * component;
    };
    uint32_t count = 0;
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (is_reached(i) && is_vector(i)) count = std::max(count, number(i) + 1);
    }
    Value result = word(0);
    if (count != 0) {
      const Value inside = emit(Op::umin, {index, word(count - 1)});
      result = load_at(instruction, vectors / 4 + instruction.payload, inside);
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (!is_reached(i) || is_vector(i)) continue;
      const Value is_this = emit(Op::ieq, {index, word(number(i))});
      result = emit(Op::select, {is_this, load_at(instruction, places[i][component] / 4), result});
    }
    return result;
  }

  /// One error for an instruction of the source, of which legalization may have made several.
  Value refuse(const Instruction& instruction, std::string_view what) {
    const SourceLocation at = module_.location_of(instruction);
    if (good_ || at != refused_at_) diagnostics_.error(at, "{} cannot be expressed on dksh", what);
    refused_at_ = at;
    good_ = false;
    return word(0);
  }

  Value system_value(const Instruction& instruction) {
    const uint32_t component = instruction.payload % 4;
    switch (static_cast<SystemValue>(instruction.payload / 4)) {
      case SystemValue::domain_point: return domain_point(component);
      case SystemValue::fork_instance_id:
      case SystemValue::join_instance_id: return component == 0 ? instance_ : word(0);
      case SystemValue::gs_instance_id:
      case SystemValue::output_control_point_id:
      case SystemValue::primitive_register:
        if (component != 0) return word(0);
        break;
      default: break;
    }
    return emit(Op::system_value, {}, instruction.payload);
  }

  /// The third coordinate of a triangle is exact: the others are multiples of 2^-16 (D3D11.3 11.7.14).
  Value domain_point(uint32_t component) {
    if (component > 2 || (component == 2 && module_.tessellator_domain != kTriangleDomain)) return word(0);
    builder_.set_flags(ir::kVertexOperand);
    std::array<Value, 2> point;
    for (uint32_t c = 0; c < 2; ++c)
      point[c] = emit(Op::output_control_point, {word(0)}, kDomainPoint / 4 + c);
    builder_.set_flags(0);
    if (component < 2) return point[component];
    const Value sum = precise(Op::fadd, {point[0], point[1]});
    return precise(Op::fadd, {emit(Op::fneg, {sum}), module_.constant_float(1)});
  }

  const Layout& layout_;
  Diagnostics& diagnostics_;
  std::pmr::vector<Attribute> output_places_;
  std::pmr::vector<WrittenList> outputs_;  // by stream
  WrittenList constants_;
  uint64_t written_words_ = 0;  // by the code so far
  bool good_ = true, has_facts_ = false;
  SourceLocation refused_at_;  // where the last error was
};

}  // namespace

bool lower_deko3d(ir::Module& module, const Layout& layout, Diagnostics& diagnostics) {
  const ir::Value first_new = module.next_value();
  Deko3dLowering lowering(module, layout, diagnostics);
  if (!lowering.run()) return false;
  if (module.stage != ir::Stage::compute && !ir::construct_ssa(module, diagnostics)) return false;
  switch (module.stage) {
    case ir::Stage::hull: ir::optimize(module); break;
    case ir::Stage::pixel:
    case ir::Stage::compute:
      if (lowering.has_facts()) ir::share_new(module, first_new);
      break;
    default: ir::clean_up(module, first_new); break;  // components that nobody reads
  }
  return true;
}

}  // namespace texlate::maxwell::graphics
