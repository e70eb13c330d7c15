#include "frontend/lower/written_sets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace texlate::lower {

namespace {

using sm4::Opcode;
using sm4::Operand;
using sm4::RegisterFile;

/// Calls are expanded at most this deep (subroutines.cpp).
constexpr uint32_t kDeepestCalls = 33;

/// By opcode: how many of the operands are destinations. These come first.
constexpr std::array<uint8_t, sm4::kOpcodeLimit> kDestinations = [] {
  std::array<uint8_t, sm4::kOpcodeLimit> counts{};
  for (uint32_t opcode = 0; opcode < sm4::kOpcodeLimit; ++opcode) {
    const sm4::OpcodeInfo& info = sm4::info(static_cast<Opcode>(opcode));
    while (counts[opcode] < info.operand_count && info.is_destination(counts[opcode])) ++counts[opcode];
  }
  return counts;
}();

}  // namespace

WrittenSets::Sets WrittenSets::of(size_t instruction) {
  if (!has_looked_) look();
  if (labels_ != 0) return {everything_, everything_};
  const Construct* const construct = find(instruction);
  return construct != nullptr ? construct->sets : Sets{};
}

const WrittenSets::Construct* WrittenSets::find(size_t instruction) const {
  const auto found = std::ranges::lower_bound(constructs_, instruction, {}, &Construct::begin);
  return found != constructs_.end() && found->begin == instruction ? &*found : nullptr;
}

uint32_t WrittenSets::operands_before(size_t instruction) const {
  while (instruction != 0) {
    const sm4::Instruction& before = program_.instructions[--instruction];
    if (before.operand_count != 0) return before.first_operand + before.operand_count;
  }
  return 0;
}

/// Over the operands alone, as far as there is no subroutine: what is not written is read.
void WrittenSets::find_reads() {
  has_reads_ = true;
  for (const sm4::Instruction& instruction : program_.instructions) {
    labels_ += instruction.opcode == Opcode::label ? 1 : 0;
    if (instruction.opcode == Opcode::dcl_temps && instruction.word_count != 0)
      registers_ = std::max(registers_, program_.words[instruction.first_word]);
  }
  if (labels_ != 0) return;
  constexpr uint32_t kMostRegisters = 1 << 16;
  reads_.resize(std::min(registers_, kMostRegisters));
  const auto count = static_cast<uint32_t>(program_.operands.size());
  for (uint32_t o = 0; o < count; ++o) {
    const Operand& operand = program_.operands[o];
    if (operand.file != RegisterFile::temp) continue;
    const bool is_written =
        operand.selection == sm4::Selection::mask && operand.component_count == sm4::ComponentCount::four;
    const uint32_t reg = operand.index[0].immediate;
    if (is_written || reg >= reads_.size()) continue;
    Reads& reads = reads_[reg];
    if (reads.end == kNever) reads.first = o;
    reads.end = o + 1;
  }
}

/// Of a component, within a loop or switch.
void WrittenSets::note_read(const Operand& operand, uint32_t instruction) {
  if (operand.is_immediate()) return;
  if (operand.file == RegisterFile::temp) {
    const uint32_t reg = operand.index[0].immediate;
    if (reg >= reads_.size()) return;
    const uint8_t swizzle = operand.source_swizzle();
    for (uint32_t lane = 0; lane < 4; ++lane)
      last_access_[reg * 4 + sm4::swizzle_component(swizzle, lane)] = instruction + 1;
    return;
  }
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    if (operand.index[i].relative != sm4::kNoOperand)
      note_read(program_.operands[operand.index[i].relative], instruction);
  }
}

/// Which registers an instruction of a loop or switch reads and writes. With subroutines, of any.
void WrittenSets::note_operands(uint32_t instruction) {
  const sm4::Instruction& source = program_.instructions[instruction];
  const Operand* const operands = program_.operands.data() + source.first_operand;
  const uint32_t count = source.operand_count;
  const uint32_t destinations =
      std::min<uint32_t>(kDestinations[static_cast<uint32_t>(source.opcode)], count);
  for (uint32_t o = 0; o < count; ++o) {
    if (o >= destinations || operands[o].file != RegisterFile::temp) note_read(operands[o], instruction);
  }
  for (uint32_t o = 0; o < destinations; ++o) {
    if (operands[o].file == RegisterFile::temp) note_write(operands[o], instruction);
  }
}

void WrittenSets::note_write(const Operand& operand, uint32_t instruction) {
  for (uint32_t mask = operand.write_mask(); mask != 0; mask &= mask - 1) {
    const uint32_t reg = operand.index[0].immediate * 4 + static_cast<uint32_t>(std::countr_zero(mask));
    writes_.push_back(reg);
    if (reg >= last_access_.size()) continue;
    for (size_t o = open_.size(); o-- != 0;) {
      Construct& construct = constructs_[open_[o]];
      if (last_access_[reg] > construct.begin) break;  // not the first access in it, nor in those around it
      if (!construct.is_loop || construct.conditions != conditions_) continue;
      first_writes_.push_back({reg, construct.is_left, construct.newest_first_write});
      construct.newest_first_write = static_cast<uint32_t>(first_writes_.size() - 1);
    }
    last_access_[reg] = instruction + 1;
  }
}

/// Sorted, each once.
WrittenSets::List WrittenSets::list_of(std::span<const uint32_t> writes) {
  const size_t first = lists_.size();
  const size_t words = writes.empty() ? 0 : std::ranges::max(writes) / 64 + 1;
  if (words <= writes.size()) {  // otherwise there are too few of them to look at all bits
    if (written_.size() < words) written_.resize(words);
    for (const uint32_t reg : writes) written_[reg / 64] |= uint64_t{1} << reg % 64;
    for (size_t word = 0; word < words; ++word) {
      for (uint64_t rest = std::exchange(written_[word], 0); rest != 0; rest &= rest - 1)
        lists_.push_back(static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(rest)));
    }
  } else {
    lists_.insert(lists_.end(), writes.begin(), writes.end());
    const auto begin = lists_.begin() + static_cast<ptrdiff_t>(first);
    std::sort(begin, lists_.end());
    lists_.erase(std::unique(begin, lists_.end()), lists_.end());
  }
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(lists_.size() - first)};
}

/// A list without those for which `omits` is true.
template <typename Omits>
WrittenSets::List WrittenSets::without(List list, Omits omits) {
  const size_t first = lists_.size();
  for (uint32_t i = 0; i < list.count; ++i) {
    const uint32_t reg = lists_[list.first + i];
    if (!omits(reg)) lists_.push_back(reg);
  }
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(lists_.size() - first)};
}

void WrittenSets::look() {
  has_looked_ = true;
  if (!has_reads_) find_reads();
  const auto count = static_cast<uint32_t>(program_.instructions.size());
  for (uint32_t i = 0; i < count; ++i) {
    const Opcode opcode = program_.instructions[i].opcode;
    const bool is_inside = !open_.empty() || labels_ != 0;
    if (is_inside && !sm4::info(opcode).has(sm4::kDeclaration)) note_operands(i);
    switch (opcode) {
      case Opcode::loop:
      case Opcode::switch_: open(i, opcode == Opcode::loop); break;
      case Opcode::endloop:
      case Opcode::endswitch: close(i); break;
      case Opcode::if_: ++conditions_; break;
      case Opcode::endif: --conditions_; break;
      case Opcode::break_:
      case Opcode::breakc:
        if (!open_.empty()) constructs_[open_.back()].is_left = true;
        break;
      default: break;
    }
  }
  if (labels_ != 0) {
    // The flags of calls come after the program's registers; a subroutine is not called while it is expanded.
    for (uint32_t call = 0; call < std::min(labels_, kDeepestCalls); ++call)
      writes_.push_back((registers_ + call) * 4);
    everything_ = list_of(writes_);
    return;
  }
  for (Construct& construct : constructs_) {
    if (construct.end != kOpen) find_sets(construct);  // otherwise the program is wrong
  }
}

void WrittenSets::open(uint32_t instruction, bool is_loop) {
  last_access_.resize(reads_.size() * 4, kNever);
  uint32_t outermost = instruction;
  if (!open_.empty()) {
    const Construct& outer = constructs_[open_.back()];
    if (outer.is_loop || outer.is_in_loop()) outermost = outer.outermost_loop;
  }
  // What is in a loop or switch is conditional for those around it.
  ++conditions_;
  open_.push_back(static_cast<uint32_t>(constructs_.size()));
  constructs_.push_back({instruction,
                         kOpen,
                         outermost,
                         static_cast<uint32_t>(writes_.size()),
                         0,
                         conditions_,
                         kNoWrite,
                         is_loop,
                         false,
                         {}});
}

void WrittenSets::close(uint32_t instruction) {
  if (open_.empty()) return;
  Construct& construct = constructs_[open_.back()];
  construct.end = instruction;
  construct.last_write = static_cast<uint32_t>(writes_.size());
  conditions_ = construct.conditions - 1;
  open_.pop_back();
}

void WrittenSets::find_sets(Construct& construct) {
  const List written =
      list_of({writes_.data() + construct.first_write, construct.last_write - construct.first_write});
  const auto reads_of = [&](uint32_t reg) {
    return reg / 4 < reads_.size() ? reads_[reg / 4] : Reads{0, UINT32_MAX};
  };
  const uint32_t begin = operands_before(construct.begin), end = operands_before(construct.end + 1);
  const uint32_t outermost = operands_before(construct.outermost_loop);
  // In a loop, an instruction before this one may come next.
  const uint32_t from = construct.is_in_loop() ? outermost : end;
  construct.sets.leaving = without(written, [&](uint32_t reg) { return reads_of(reg).end <= from; });
  if (!construct.is_loop) return;
  const auto is_read_outside = [&](uint32_t reg) {
    const Reads reads = reads_of(reg);
    return reads.end > end || (construct.is_in_loop() && reads.first < begin);
  };
  std::pmr::vector<uint32_t> defined(lists_.get_allocator());
  for (uint32_t w = construct.newest_first_write; w != kNoWrite; w = first_writes_[w].before) {
    const FirstWrite& write = first_writes_[w];
    if (!write.after_exit || !is_read_outside(write.reg)) defined.push_back(write.reg);
  }
  std::ranges::sort(defined);
  construct.sets.carried = without(written, [&](uint32_t reg) {
    return reads_of(reg).end <= (construct.is_in_loop() ? outermost : begin) ||
           std::ranges::binary_search(defined, reg);
  });
}

}  // namespace texlate::lower
