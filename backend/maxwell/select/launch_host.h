// Kernels of the launch ABI (docs/launch_abi.md): records and tables of bindings, linear memory, planes of
// vertices and pixels.
#pragma once

#include "backend/maxwell/select/host.h"

namespace texlate::maxwell::select {

/// The bank of constant tables.
inline constexpr uint8_t kTableBank = 3;

class LaunchHost : public Host {
 public:
  LaunchHost(Core& core, const launch::Layout& layout) : Host(core), layout_(layout) {}

  void begin() override;
  void leave() override { assembler_.builder().exit(); }
  void select_binding(const ir::Instruction& instruction) override;
  void select_query(const ir::Instruction& instruction) override {
    refuse(instruction, "a query that is not legalized");
  }
  bool select_comparison(const ir::Instruction& instruction) override;
  Field resource_record(const ir::Instruction& instruction) override {
    return resource(access(instruction).resource, slot(instruction, ir::Slot::resource_index));
  }
  Field pair_record(const ir::Instruction& instruction) override;
  uint8_t table_bank() const override { return kTableBank; }

 protected:
  void select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) override;
  void select_raster_samples(const ir::Instruction& instruction) override {
    define(instruction.first_result, parameter(launch::stream_head::kSamples));
  }

 private:
  // launch_records.cpp: records of bindings, which are words of the parameter block. The block is in constant
  // bank 0, so a word can directly be an operand, unless the block is too large for parameters. Such a block,
  // and long ranges, are in memory.
  /// A word of the parameter block at a fixed place.
  Source parameter(uint32_t offset) { return load_word(in_block(offset, 1, ir::kNoValue), 0); }
  Field resource(uint16_t number, ir::Value index) {
    return in_range(module_.resources[number], layout_.resources[number],
                    launch::record_size(module_.resources[number]), index);
  }
  Field sampler(uint16_t number, ir::Value index) {
    return in_range(module_.samplers[number], layout_.samplers[number], launch::sampler_record::kSize, index);
  }
  Field in_block(uint32_t base, uint32_t record_size, ir::Value index);
  /// A record of a range. A long range is a table.
  template <typename Binding>
  Field in_range(const Binding& binding, uint32_t base, uint32_t record_size, ir::Value index) {
    return launch::is_table(binding) ? in_table(base, record_size, index)
                                     : in_block(base, record_size, index);
  }
  Field in_table(uint32_t base, uint32_t record_size, ir::Value index);
  Field pair_in_table(uint32_t base, ir::Value resource_index, ir::Value sampler_index);
  Field table_place(const Field& table, MachineValue number, unsigned shift, Predicate inside);

  // launch_streams.cpp: pixels and vertices, one thread for each element.
  Predicate has_pointer(uint32_t offset);
  Predicate load_coverage(Predicate lives);
  Pair element_address(uint32_t offset);

  const launch::Layout& layout_;
  MachineValue element_ = kNone;   // this thread's
  MachineValue coverage_ = kNone;  // pixels: what the host specifies for this one
};

/// A routine of a kernel, which reads the kernel's records. Inputs are its arguments, output 0 is what it
/// returns.
class RoutineHost final : public LaunchHost {
 public:
  using LaunchHost::LaunchHost;
  void begin() override;
  void leave() override;
  void select_interface(const ir::Instruction& instruction) override;

 private:
  std::pmr::vector<MachineValue> arguments_{module_.memory()};
  Source result_;
};

}  // namespace texlate::maxwell::select
