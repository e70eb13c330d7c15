// Constant buffers in push constants: the binding map defines which rows exist, and no robustness feature
// covers them.
//
// cb0 has 24 bytes: row 0, and x and y of row 1.
//
// before:
//   %0 = input v0.x
//   %1..%4 = cb.load cb0[%0]
//   output o0.x, %1
//   output o0.w, %4
// after:
//   %0 = input v0.x
//   %1 = ult.u32 %0, 2
//   %2 = umin.u32 %0, 1
//   %3..%6 = cb.load cb0[%2]
//   %7 = select.b32 %1, %3, 0
//   %8 = ult.u32 %0, 1
//   %9 = umin.u32 %0, 0
//   %10..%13 = cb.load cb0[%9]
//   %14 = select.b32 %8, %13, 0
//   output o0.x, %7
//   output o0.w, %14

#include <algorithm>

#include "backend/spirv/emit.h"
#include "backend/spirv/ir_names.h"
#include "backend/spirv/register_places.h"
#include "ir/base/zeroed.h"
#include "ir/builder.h"
#include "ir/passes/known_values.h"
#include "ir/passes/rewriter.h"

namespace texlate::spirv {

namespace {

class PushConstantLegalizer {
 public:
  PushConstantLegalizer(ir::Module& module, const BindingMap& map, const ir::MemoryTable& table,
                        std::pmr::vector<ir::ClosedGap>* closed)
      : module_(module),
        table_(table),
        closed_(closed),
        scratch_(module.memory()),
        places_(find_places(module, map, scratch_)),
        known_(module, scratch_),
        replacements_(module, &scratch_),
        used_(find_uses()),
        code_(module.memory()),
        builder_(module, code_) {}

  void run() {
    code_.reserve(module_.code.size() + module_.code.size() / 4);
    for (Instruction& instruction : module_.code) {
      replacements_.apply(module_, instruction);
      if (instruction.op == Op::cb_load && words_of(instruction) != 0) {
        legalize(instruction);
      } else {
        builder_.append(instruction);
      }
    }
    module_.code.swap(code_);
  }

 private:
  std::span<uint8_t> find_uses() {
    const std::span<uint8_t> used = zeroed<uint8_t>(scratch_, module_.values.size());
    for (const Instruction& instruction : module_.code) {
      for (const Value operand : module_.operands_of(instruction)) {
        if (operand != ir::kNoValue) used[operand] = 1;
      }
    }
    return used;
  }

  /// For a load from push constants: how many words there are; 0: none, or it is another load.
  uint32_t words_of(const Instruction& load) const {
    const Place& place = places_.constant_buffers[load.payload];
    if (place.passing != Passing::push_constants) return 0;
    return place.size != 0 ? place.size / 4 : 4 * module_.constant_buffers[load.payload].rows;
  }

  // Each component has its own number of rows that contain it: the last row may lack some.
  void legalize(const Instruction& load) {
    const Value row = module_.operands[load.first_operand];
    const uint32_t words = words_of(load);
    const uint32_t greatest = known_.greatest(row);
    uint32_t limit = 0;  // of the guarded load
    Value inside = ir::kNoValue, loaded = ir::kNoValue;
    bool keeps = false;
    for (uint32_t i = 0; i < 4; ++i) {
      const Value result = load.first_result + i;
      if (used_[result] == 0) continue;
      const uint32_t rows = (words + 3 - i) / 4;
      if (greatest < rows) {
        keeps = true;
      } else if (rows == 0 || module_.is_constant(row)) {
        replacements_.replace(result, module_.constant(0));
      } else {
        if (rows != limit) {
          if (limit == 0) report(load);
          limit = rows;
          builder_.set_location(load);
          inside = builder_.emit(Op::ult, {row, module_.constant(rows)});
          loaded = load_at(load, builder_.emit(Op::umin, {row, module_.constant(rows - 1)}));
        }
        replacements_.replace(result, builder_.emit(Op::select, {inside, loaded + i, module_.constant(0)}));
      }
    }
    if (keeps) append_unguarded(load);
  }

  /// The same load from another row, with its own results.
  Value load_at(const Instruction& load, Value row) {
    Instruction copy = load;
    copy.first_result = module_.new_values(ir::Type::b32, load.result_count);
    copy.first_operand = static_cast<uint32_t>(module_.operands.size());
    module_.operands.push_back(row);
    for (uint32_t i = 1; i < load.operand_count; ++i) {
      const Value operand = module_.operands[load.first_operand + i];
      module_.operands.push_back(operand);
    }
    append_unguarded(copy);
    return copy.first_result;
  }

  /// The guard is dropped: it compares with the declared rows.
  void append_unguarded(Instruction load) {
    if (load.has(ir::kGuarded)) --load.operand_count;
    load.flags &= static_cast<uint8_t>(~ir::kGuarded);
    builder_.append(load);
  }

  void report(const Instruction& load) {
    if (closed_ == nullptr) return;
    closed_->push_back({.location = module_.location_of(load),
                        .op = load.op,
                        .gap = ir::Gap::row_range,
                        .source = table_.push_constants.source});
  }

  ir::Module& module_;
  const ir::MemoryTable& table_;
  std::pmr::vector<ir::ClosedGap>* const closed_;
  std::pmr::monotonic_buffer_resource scratch_;
  const RegisterPlaces places_;
  ir::KnownValues known_;
  ir::Replacements replacements_;
  const std::span<uint8_t> used_;  // by value
  ir::Code code_;
  ir::Builder builder_;
};

}  // namespace

void legalize_push_constants(ir::Module& module, const BindingMap& map, const ir::MemoryTable& table,
                             std::pmr::vector<ir::ClosedGap>* closed) {
  const auto is_pushed = [](const BindingEntry& entry) {
    return entry.place.passing == Passing::push_constants;
  };
  if (table.push_constants.has(ir::kInRange) || std::ranges::none_of(map.entries, is_pushed)) return;
  PushConstantLegalizer(module, map, table, closed).run();
}

}  // namespace texlate::spirv
