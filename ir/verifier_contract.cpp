// What a module must keep to before legalization, besides the rules of every module: it uses what Direct3D
// allows in its stage, within Direct3D's limits (docs/reference/direct3d.md 1.1 to 1.5), and it has nothing
// that only legalization adds. The validator of the front end sees to this for other input
// (frontend/sm4/validate*.cpp).

#include <algorithm>

#include "ir/base/direct3d_limits.h"
#include "ir/spelling.h"
#include "ir/structure.h"
#include "ir/verifier.h"
#include "ir/verifier_report.h"

namespace texlate::ir {

namespace {

// Nested constructs: 64 in each of 33 subroutines, and what their expansion adds.
constexpr uint32_t kDeepest = 4096;

class ContractVerifier {
 public:
  ContractVerifier(const Module& module, Diagnostics& diagnostics,
                   std::span<const DeclarationPlace> declarations)
      : module_(module),
        diagnostics_(diagnostics),
        declarations_(declarations),
        report_(module, diagnostics) {}

  bool run() {
    const uint32_t errors_before = diagnostics_.error_count();
    check_memories();
    check_bindings();
    check_interfaces();
    at_most("input_control_points", module_.input_control_points, kMaxControlPoints);
    at_most("output_control_points", module_.output_control_points, kMaxControlPoints);
    at_most("gs_instances", module_.gs_instances, kMaxGsInstances);
    at_most("max_vertex_count", module_.max_vertex_count, kMaxGsVertices);
    for (size_t i = 0; i < module_.code.size() && !diagnostics_.full(); ++i) {
      const Instruction& instruction = module_.code[i];
      report_.at(instruction, i);
      if (!check_depth(instruction.op)) return false;
      check_stage(instruction);
      if (info(instruction.op).has(kResource)) {
        check_access(instruction);
      } else {
        check_registers(instruction);
      }
    }
    return diagnostics_.error_count() == errors_before;
  }

 private:
  // ---- declarations ----

  using Words = std::initializer_list<std::string_view>;
  static constexpr size_t kLast = SIZE_MAX;

  /// Where the declaration number `index` of those that begin with one of the words is.
  SourceLocation place_of(Words words, size_t index) const {
    SourceLocation place;
    for (const DeclarationPlace& declaration : declarations_) {
      if (std::ranges::find(words, declaration.word) == words.end()) continue;
      place = declaration.place;
      if (index-- == 0) break;
    }
    return place;
  }
  template <typename... Args>
  void wrong(Words words, size_t index, std::string_view rule, fmt::format_string<Args...> format,
             Args&&... args) {
    report_.at(place_of(words, index));
    report_.broken(rule, format, std::forward<Args>(args)...);
    report_.at(SourceLocation{});
  }

  void check_memories() {
    const uint32_t* const size = module_.thread_group;
    const uint64_t layer = uint64_t{size[0]} * size[1];
    if (layer == 0 || size[2] == 0 || layer > kMaxThreads || layer * size[2] > kMaxThreads)
      wrong({"thread_group"}, 0, "thread_group", "a group has 1 to {} threads", kMaxThreads);
    uint64_t rows = 0, bytes = 0;
    for (size_t i = 0; i < module_.locals.size(); ++i) {
      const LocalArray& local = module_.locals[i];
      rows += local.rows;
      if (local.components == 0 || local.components > 4)
        wrong({"local"}, i, "local", "x# have 1 to 4 components, not {}", local.components);
    }
    for (const SharedArray& shared : module_.shared) bytes += shared.bytes;
    // Each phase of a hull shader has its own.
    if (rows > kMaxTemps * (module_.phases.size() + 1))
      wrong({"local"}, kLast, "local", "x# have {} rows in all; Direct3D allows {}", rows, kMaxTemps);
    if (bytes > kMaxSharedBytes)
      wrong({"shared"}, kLast, "shared", "g# have {} bytes in all; Direct3D allows {}", bytes,
            kMaxSharedBytes);
  }

  void check_bindings() {
    for (size_t i = 0; i < module_.resources.size(); ++i) {
      const Resource& resource = module_.resources[i];
      const std::string_view prefix = resource.is_uav ? "u" : "t";
      registers_in_order({"resource", "uav"}, i, prefix, resource);
      const uint32_t stride = resource.stride;
      if (resource.dimension == Dimension::structured_buffer) {
        if (stride == 0 || stride % 4 != 0 || stride > kMaxStride)
          wrong({"resource", "uav"}, i, "stride", "{}{}: stride {} is not a multiple of 4 up to {}", prefix,
                resource.id, stride, kMaxStride);
      } else if (resource.dimension != Dimension::raw_buffer &&
                 resource.component_types[0] == ComponentType::none) {
        wrong({"resource", "uav"}, i, "type", "{}{} has no component type", prefix, resource.id);
      }
    }
    for (size_t i = 0; i < module_.samplers.size(); ++i)
      registers_in_order({"sampler"}, i, "s", module_.samplers[i]);
    for (size_t i = 0; i < module_.constant_buffers.size(); ++i)
      registers_in_order({"constant_buffer"}, i, "cb", module_.constant_buffers[i]);
  }
  template <typename Declared>
  void registers_in_order(Words words, size_t index, std::string_view prefix, const Declared& declared) {
    if (declared.upper_bound >= declared.lower_bound) return;
    wrong(words, index, "registers", "{}{} ends at register {}, before its first register {}", prefix,
          declared.id, declared.upper_bound, declared.lower_bound);
  }

  void check_interfaces() {
    for (size_t i = 0; i < module_.inputs.size(); ++i) numbered("input", i, "v", module_.inputs[i].reg);
    for (size_t i = 0; i < module_.patch_constants.size(); ++i)
      numbered("patch_constant", i, "p", module_.patch_constants[i].reg);
    for (size_t i = 0; i < module_.outputs.size(); ++i) {
      const Parameter& output = module_.outputs[i];
      if (!is_special_output(output.reg)) numbered("output", i, "o", output.reg);
      if (output.stream >= kMaxStreams)
        wrong({"output"}, i, "stream", "stream {} is beyond m3", output.stream);
    }
    if (module_.stage == Stage::compute && !(module_.inputs.empty() && module_.outputs.empty()))
      wrong({"input", "output"}, 0, "stage", "compute shaders have neither v# nor o#");
    for (const Parameter& input : module_.inputs) inputs_ |= bit_of(input.reg);
    for (const Parameter& output : module_.outputs) outputs_ |= bit_of(output.reg);
  }
  void at_most(std::string_view word, uint32_t number, uint32_t most) {
    if (number > most) wrong({word}, 0, "limit", "{} {}: Direct3D allows {}", word, number, most);
  }
  void numbered(std::string_view word, size_t index, std::string_view prefix, uint32_t reg) {
    if (reg >= kMaxRegisters)
      wrong({word}, index, "register", "{}{} is beyond {}{}", prefix, reg, prefix, kMaxRegisters - 1);
  }
  /// oDepth, oMask and similar.
  static bool is_special_output(uint32_t reg) {
    return reg >= kSpecialRegister + static_cast<uint32_t>(SystemValue::depth) &&
           reg <= kSpecialRegister + static_cast<uint32_t>(SystemValue::coverage_out);
  }
  static uint32_t bit_of(uint32_t reg) { return reg < kMaxRegisters ? 1u << reg : 0; }

  // ---- instructions ----

  bool check_depth(Op op) {
    if (opens_construct(op) && ++depth_ > kDeepest)
      return report_.broken("structure", "constructs are nested more than {} deep", kDeepest);
    if (closes_construct(op)) --depth_;
    return true;
  }

  void only_in(std::string_view stages, bool holds) {
    if (!holds) report_.broken("stage", "only {} shaders have this operation", stages);
  }

  void check_stage(const Instruction& instruction) {
    const Stage stage = module_.stage;
    switch (instruction.op) {
      case Op::tex_sample: {
        const LodRule level = module_.access_of(instruction).lod;
        if (level == LodRule::implicit || level == LodRule::bias) only_in("pixel", stage == Stage::pixel);
        return;
      }
      case Op::tex_lod:
      case Op::ddx_coarse:
      case Op::ddx_fine:
      case Op::ddy_coarse:
      case Op::ddy_fine:
      case Op::eval_snapped:
      case Op::eval_sample:
      case Op::eval_centroid:
      case Op::discard: return only_in("pixel", stage == Stage::pixel);
      case Op::emit:
      case Op::cut: return only_in("geometry", stage == Stage::geometry);
      case Op::barrier:
        if ((instruction.payload & ~uint32_t{kBarrierUavGlobal}) != 0)
          only_in("compute", stage == Stage::compute);
        return;
      case Op::shared_load:
      case Op::shared_store:
      case Op::shared_atomic: return only_in("compute", stage == Stage::compute);
      case Op::output:
      case Op::patch_output:
        if (stage == Stage::hull && module_.phases.empty())
          report_.broken("phase", "the code of a hull shader must be in phases");
        return;
      case Op::phase: return check_phase(instruction.payload);
      case Op::output_control_point: return only_in("hull", stage == Stage::hull);
      case Op::patch_input: return only_in("hull and domain", stage == Stage::hull || stage == Stage::domain);
      case Op::system_value: return check_system_value(static_cast<SystemValue>(instruction.payload / 4));
      default: return;
    }
  }
  void check_phase(uint32_t number) {
    only_in("hull", module_.stage == Stage::hull);
    const bool of_control_points = module_.phases[number].kind == HullPhase::control_point;
    if (number != next_phase_ || of_control_points != (number == 0))
      report_.broken("phase", "phases follow each other in order; the first one writes control points");
    next_phase_ = number + 1;
  }
  void check_system_value(SystemValue value) {
    const Stage stage = module_.stage;
    switch (value) {
      case SystemValue::thread_id:
      case SystemValue::thread_group_id:
      case SystemValue::thread_id_in_group:
      case SystemValue::thread_id_in_group_flattened: return only_in("compute", stage == Stage::compute);
      case SystemValue::coverage:
      case SystemValue::inner_coverage: return only_in("pixel", stage == Stage::pixel);
      case SystemValue::output_control_point_id:
      case SystemValue::fork_instance_id:
      case SystemValue::join_instance_id: return only_in("hull", stage == Stage::hull);
      case SystemValue::gs_instance_id: return only_in("geometry", stage == Stage::geometry);
      case SystemValue::domain_point: return only_in("domain", stage == Stage::domain);
      default: return;  // targets refuse those that are not inputs of their own
    }
  }

  void check_access(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    const Dimension dimension = access.dimension;
    const Dimension declared = module_.resources[access.resource].dimension;
    if (dimension != declared)
      report_.broken("dimension", "{}, but the resource is a {}", spelling(dimension), spelling(declared));
    if (instruction.op == Op::tex_fetch && is_cube(dimension))
      report_.broken("dimension", "not for {}", spelling(dimension));
    if (access.has(Slot::guard))
      report_.broken("guard", "legalization adds guards; the module must have none");
    if (access.layer_is_integer) report_.broken("layer", "only legalization makes layers integers");
    if (access.type == ComponentType::none) report_.broken("type", "needs a component type");
    check_level(instruction.op, access);
    const bool integers = access.type == ComponentType::uint || access.type == ComponentType::sint;
    if (access.compare && (dimension == Dimension::texture3d || integers))
      report_.broken("compare", "cannot compare texels of this texture");
  }

  void check_level(Op op, const ResourceAccess& access) {
    const bool has_mips = !is_multisampled(access.dimension) && access.dimension != Dimension::buffer;
    if (op == Op::tex_size || (op == Op::tex_fetch && has_mips)) {
      if (access.lod != LodRule::level) report_.broken("level", "needs a level");
    } else if (op == Op::tex_fetch) {
      if (access.lod != LodRule::none)
        report_.broken("level", "{} has no levels", spelling(access.dimension));
    } else if (op == Op::tex_lod) {
      if (access.lod != LodRule::implicit) report_.broken("level", "needs `implicit`");
    }
  }

  void check_registers(const Instruction& instruction) {
    if (instruction.has(kGuarded))
      report_.broken("guard", "legalization adds guards; the module must have none");
    const uint32_t operands = instruction.operand_count - (instruction.has(kGuarded) ? 1u : 0u);
    const uint32_t payload = instruction.payload;
    switch (instruction.op) {
      case Op::input:
      case Op::eval_snapped:
      case Op::eval_sample:
      case Op::eval_centroid: return need_declared(inputs_, instruction);
      case Op::output_control_point: return need_declared(outputs_, instruction);
      case Op::local_load:
      case Op::local_store:
        if (payload % 4 >= module_.locals[payload / 4].components)
          report_.broken("local", "x{} has only {} components", payload / 4,
                         module_.locals[payload / 4].components);
        return;
      case Op::emit:
      case Op::cut:
        if (payload >= kMaxStreams) report_.broken("stream", "stream {} is beyond m3", payload);
        return;
      case Op::cb_load:
      case Op::cb_rows:
        if (operands > (instruction.op == Op::cb_load ? 1u : 0u))
          index_into(module_.constant_buffers[payload]);
        return;
      case Op::binding:
      case Op::bound:
      case Op::address: {
        if (operands == 0) return;
        const BindingQuery query = BindingQuery::unpack(payload);
        if (query.is_sampler_fact()) return index_into(module_.samplers[query.resource]);
        return index_into(module_.resources[query.resource]);
      }
      default: return;
    }
  }
  /// With a run-time number, any of the registers may be meant.
  void need_declared(uint32_t registers, const Instruction& instruction) {
    const uint32_t wanted = instruction.has(kIndexOperand) ? ~0u : bit_of(instruction.payload / 4);
    if ((registers & wanted) == 0) report_.broken("register", "the register is not declared");
  }
  template <typename Declared>
  void index_into(const Declared& declared) {
    if (!declared.is_range()) report_.broken("registers", "an index into a single register");
  }

  const Module& module_;
  Diagnostics& diagnostics_;
  const std::span<const DeclarationPlace> declarations_;
  VerifierReport report_;
  uint32_t inputs_ = 0, outputs_ = 0;  // bits: declared registers
  uint32_t depth_ = 0, next_phase_ = 0;
};

}  // namespace

bool verify_contract(const Module& module, Diagnostics& diagnostics,
                     std::span<const DeclarationPlace> declarations) {
  return ContractVerifier(module, diagnostics, declarations).run();
}

}  // namespace texlate::ir
