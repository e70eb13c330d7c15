// Records of bindings: words of the parameter block, or of a table in memory.
#pragma once

#include "backend/ptx/writer.h"

namespace texlate::ptx {

class Records : private Writer {
 public:
  explicit Records(Core& core) : Writer(core) {}

  /// Family binding.
  void emit(const Instruction& instruction);

  Record resource(uint16_t number, Value index) {
    return in_range(module_.resources[number], layout_.resources[number],
                    record_size(module_.resources[number]), index);
  }
  Record resource_of(const Instruction& instruction) {
    return resource(access(instruction).resource, slot(instruction, ir::Slot::resource_index));
  }
  Record sampler(uint16_t number, Value index) {
    return in_range(module_.samplers[number], layout_.samplers[number], sampler_record::kSize, index);
  }

  /// "ld.param.", or a load from memory if the block or a table is there.
  std::string_view load_of(const Record& record) const {
    return record.in_table || layout_.in_memory ? "ld.global.nc." : "ld.param.";
  }
  /// Loads a field into a register of that name or kind.
  template <typename Register>
  void load(std::string_view type, Register destination, const Record& record, uint32_t field) {
    line(load_of(record), type, ' ', destination, ", [", record, "+", record.base + field, "]");
  }
  /// The same, but possibly the register of an earlier load, which must not be written.
  Temp field32(const Record& record, uint32_t field) {
    return field_in(record, field, "u32", [this] { return temp(); });
  }
  Temp64 field64(const Record& record, uint32_t field) {
    return field_in(record, field, "u64", [this] { return temp64(); });
  }
  /// The handle: the resource's own, or that of the (t#, s#) pair.
  Temp64 handle(const Instruction& instruction, bool sampled);
  Temp64 handle(const Instruction& instruction) { return field64(resource_of(instruction), record::kHandle); }

  /// Fields that are in registers, valid where control comes only from their load.
  uint32_t known() const { return static_cast<uint32_t>(known_fields_.size()); }
  /// Forgets all but the first `known` fields: at the end of a region, or before another arm.
  void forget(uint32_t known);

 private:
  Record in_block(uint32_t base, uint32_t record_size, Value index);
  template <typename Binding>
  Record in_range(const Binding& binding, uint32_t base, uint32_t record_size, Value index) {
    return is_table(binding) ? in_table(base, record_size, index) : in_block(base, record_size, index);
  }
  Record in_table(uint32_t base, uint32_t record_size, Value index);
  Record choose(const Record& record, Temp64 offset, Temp64 unbound, TempPred inside);
  Record pair(const SampledPair& pair, const Instruction& instruction);
  Record pair_in_table(const SampledPair& pair, Value resource_index, Value sampler_index);
  uint32_t* known_field(const Record& record, uint32_t field, bool is_64);
  template <typename Make>
  auto field_in(const Record& record, uint32_t field, std::string_view type, Make make) -> decltype(make()) {
    uint32_t* const known = known_field(record, field, type == "u64");
    if (known != nullptr && *known != 0) return {*known - 1};
    const auto result = make();
    load(type, result, record, field);
    if (known != nullptr) *known = result.n + 1;
    return result;
  }

  std::pmr::vector<uint32_t> fields_{module_.memory()};  // by place: the register's number plus 1; 0: none
  std::pmr::vector<uint32_t> known_fields_{module_.memory()};  // places, in the order of their loads
};

}  // namespace texlate::ptx
