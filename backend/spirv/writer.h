// Short names for code that writes instructions.
#pragma once

#include "backend/spirv/emit.h"
#include "backend/spirv/values.h"

namespace texlate::spirv {

/// What everything that writes instructions of one module works with.
struct Core {
  Core(const ir::Module& source, const Options& choices, Diagnostics& sink, HostInterface* asks)
      : module(source),
        options(choices),
        diagnostics(sink),
        host(asks),
        arena(kUsualMemory, source.memory()),
        builder(static_cast<uint32_t>(choices.version), source.memory()),
        body(builder, source.memory()),
        values(source, builder, body, choices.vectors, arena) {
    builder.set_position(&current);
  }

  static constexpr size_t kUsualMemory = 16 << 10;  // that most shaders take in one piece

  const ir::Module& module;
  std::span<const Instruction> code;  // Survey::code
  const Options& options;
  Diagnostics& diagnostics;
  HostInterface* const host;
  std::pmr::monotonic_buffer_resource arena;
  ModuleBuilder builder;
  FunctionBody body;
  Values values;
  /// Index of the current instruction. Code that emits several at once moves it to the last of them.
  uint32_t current = 0xffffffffu;  // none yet
};

/// Base of the parts and of the families of instructions.
class Writer {
 protected:
  explicit Writer(Core& core)
      : module_(core.module),
        code_(core.code),
        options_(core.options),
        diagnostics_(core.diagnostics),
        host_(core.host),
        arena_(core.arena),
        builder_(core.builder),
        body_(core.body),
        values_(core.values),
        current_(core.current) {}

  template <typename Type, OperandList List = std::initializer_list<Operand>>
  Id emit(spv::Op op, Type type, const List& operands) {
    return body_.emit(op, type, operands);
  }
  Id extended(uint32_t instruction, Id type, std::initializer_list<Id> operands) {
    return body_.extended(instruction, type, operands);
  }
  template <OperandList List = std::initializer_list<Operand>>
  void effect(spv::Op op, const List& operands) {
    body_.effect(op, operands);
  }
  /// The second or the third, depending on the first.
  template <typename Type>
  Id select(Type type, std::initializer_list<Id> operands) {
    return emit(spv::OpSelect, type, operands);
  }
  Id access_chain(spv::StorageClass storage, Id type, std::initializer_list<Id> operands) {
    return body_.access_chain(storage, type, operands);
  }
  template <typename Make>
  auto at_entry(Make make) {
    return body_.at_entry(make);
  }
  Id bitcast(Id type, Id id) { return body_.bitcast(type, id); }
  Id convert(Id id, Kind from, Kind to) { return body_.convert(id, from, to); }
  Id add(Id a, uint32_t b) { return body_.add(a, b); }
  Id constant(uint32_t bits) { return builder_.constant(bits); }
  Id real(float value) { return builder_.constant_float(value); }
  template <typename Type>
  Id type_of(Type type) {
    return body_.type_of(type);
  }

  Id as_float(Value value) { return values_.use(value, As::float_); }
  Id as_uint(Value value) { return values_.use(value, As::uint); }
  Id as_bool(Value value) { return values_.use(value, As::boolean); }
  Id use(Value value, Kind kind) { return values_.use(value, as_of(kind)); }
  Id vector(std::span<const Value> lanes, As as) { return values_.vector(lanes, as); }
  void define(Value value, Kind kind, Id id) { values_.define(value, as_of(kind), id); }
  /// The results from `first` on that are used are components of a vector that was just defined.
  void define_lanes(Value first, Id id, uint32_t size, As as) {
    const uint32_t number = values_.add_vector(id, size, as);
    for (uint32_t l = 0; l < size; ++l) values_.define_lane(first + l, number, l);
  }
  void define_bool(Value value, Id id) { values_.define(value, As::boolean, id); }
  bool is_used(Value value) const { return values_.is_used(value); }
  /// Of four results: a bit for each that is used.
  uint32_t used_lanes(Value first) const {
    uint32_t used = 0;
    for (uint32_t l = 0; l < 4; ++l) used |= is_used(first + l) ? 1u << l : 0u;
    return used;
  }

  const ir::ResourceAccess& access(const Instruction& instruction) const {
    return module_.access_of(instruction);
  }
  Value slot(const Instruction& instruction, Slot which) const { return module_.operand(instruction, which); }
  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  bool device_has(Feature feature) const { return options_.device.has(feature); }
  /// Must the module itself close gaps of the device?
  bool is_guarded() const { return options_.robustness == Robustness::shader; }

  /// See FunctionBody; kNoValue: there is no guard, so none has to be ended.
  void begin_guard(Value guard) {
    if (guard != ir::kNoValue) body_.begin_guard(as_bool(guard));
  }
  Id end_guard(Id type = Id::none, Id value = Id::none, Id fallback = Id::none) {
    return body_.end_guard(type, value, fallback);
  }

  /// Reports an error; the results are zeros.
  void refuse(const Instruction& instruction, std::string_view what);
  void refuse_system_value(const Instruction& instruction, ir::SystemValue which, std::string_view as);

  const ir::Module& module_;
  const std::span<const Instruction>& code_;
  const Options& options_;
  Diagnostics& diagnostics_;
  HostInterface* const host_;
  std::pmr::monotonic_buffer_resource& arena_;
  ModuleBuilder& builder_;
  FunctionBody& body_;
  Values& values_;
  uint32_t& current_;
};

}  // namespace texlate::spirv
