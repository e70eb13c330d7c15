#include "ir/passes/hoist_loads.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ir/passes/rewriter.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

constexpr std::array<bool, kOpCount> kMayMove = [] {
  std::array<bool, kOpCount> may_move{};
  for (const Op op :
       {Op::cb_load, Op::cb_rows, Op::table_load, Op::input, Op::binding, Op::bound, Op::ult, Op::pand})
    may_move[static_cast<size_t>(op)] = true;
  return may_move;
}();
bool may_move(Op op) {
  return kMayMove[static_cast<size_t>(op)];
}

class LoadHoister {
 public:
  explicit LoadHoister(Module& module)
      : module_(module),
        scratch_(module.memory()),
        structure_(module, &scratch_, Structure::Extent::control),
        replacements_(module, &scratch_),
        arms_(structure_.constructs().size() * 2, List(&scratch_), &scratch_),
        places_(&scratch_),
        definition_(module.values.size(), kNone, &scratch_),
        first_(&scratch_) {}

  bool run() {
    const auto count = static_cast<uint32_t>(module_.code.size());
    places_.resize(count);
    uint32_t around = kNone;  // marker of the innermost construct
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = module_.code[i];
      places_[i].at = i;
      for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = i;
      if (may_move(instruction.op)) {
        add_to_arm(around, i);
      } else if (opens_construct(instruction.op)) {
        around = structure_.construct_of(i);
      } else if (closes_construct(instruction.op)) {
        around = structure_.of(i).parent;
      }
    }
    // A construct comes after those around it.
    for (size_t c = structure_.constructs().size(); c-- != 0;) hoist(static_cast<uint32_t>(c));
    if (moved_ == 0) return false;
    write_out();
    return true;
  }

 private:
  static constexpr uint32_t kNone = Structure::kNoIndex;
  using List = std::pmr::vector<uint32_t>;
  struct Place {
    uint32_t at = 0;     // the instruction is there, or before it
    uint32_t order = 0;  // among all instructions that moved; 0: it stays
    bool gone = false;
  };

  /// Adds the instruction to the arm of `construct` that contains it.
  void add_to_arm(uint32_t construct, uint32_t instruction) {
    if (construct == kNone || structure_[construct].op != Op::if_) return;
    const bool second = places_[instruction].at > structure_[construct].otherwise;
    arms_[2 * size_t{construct} + (second ? 1 : 0)].push_back(instruction);
  }

  void hoist(uint32_t construct) {
    List &first = arms_[2 * size_t{construct}], &second = arms_[2 * size_t{construct} + 1];
    if (first.empty() || second.empty()) return;
    first_.clear();
    for (const uint32_t i : first) first_.push_back({hash_of(module_.code[i]), i});
    std::ranges::stable_sort(first_, {}, &Hashed::hash);
    const auto in_order = [this](uint32_t a, uint32_t b) {
      return std::pair(places_[a].at, places_[a].order) < std::pair(places_[b].at, places_[b].order);
    };
    std::ranges::sort(second, in_order);
    const uint32_t marker = structure_[construct].marker;
    for (const uint32_t i : second) {
      const Instruction& instruction = module_.code[i];
      replacements_.apply(module_, instruction);
      if (!is_ready(instruction, marker)) continue;
      const uint32_t twin = find(instruction);
      if (twin != kNone) merge(twin, i, construct);
    }
  }

  bool is_ready(const Instruction& instruction, uint32_t marker) const {
    return std::ranges::all_of(module_.operands_of(instruction), [&](Value value) {
      return module_.is_constant(value) || places_[definition_[value]].at <= marker;
    });
  }

  uint32_t find(const Instruction& instruction) {
    const uint32_t hash = hash_of(instruction);
    for (auto at = std::ranges::lower_bound(first_, hash, {}, &Hashed::hash);
         at != first_.end() && at->hash == hash; ++at) {
      const Instruction& other = module_.code[at->instruction];
      replacements_.apply(module_, other);
      if (is_same(other, instruction)) return at->instruction;
    }
    return kNone;
  }

  void merge(uint32_t kept, uint32_t gone, uint32_t construct) {
    Instruction& earlier = module_.code[kept];
    const Instruction& later = module_.code[gone];
    earlier.flags |= later.flags & (kPrecise | kNonUniform);
    for (uint32_t r = 0; r < earlier.result_count; ++r)
      replacements_.replace(later.first_result + r, earlier.first_result + r);
    places_[gone].gone = true;
    if (places_[kept].at == structure_[construct].marker)
      return;  // moved for another copy already; its users come after it
    places_[kept].at = structure_[construct].marker;
    places_[kept].order = ++moved_;
    add_to_arm(structure_[construct].parent, kept);
  }

  void write_out() {
    List moved(&scratch_);
    const auto count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (places_[i].order != 0 && !places_[i].gone) moved.push_back(i);
    }
    std::ranges::sort(moved, [this](uint32_t a, uint32_t b) {
      return std::pair(places_[a].at, places_[a].order) < std::pair(places_[b].at, places_[b].order);
    });
    Code code(module_.memory());
    code.reserve(module_.code.size());
    const auto append = [&](uint32_t i) {
      replacements_.apply(module_, module_.code[i]);
      code.push_back(module_.code[i]);
    };
    auto next = moved.begin();
    for (uint32_t i = 0; i < count; ++i) {
      for (; next != moved.end() && places_[*next].at == i; ++next) append(*next);
      if (!places_[i].gone && places_[i].order == 0) append(i);
    }
    module_.code.swap(code);
  }

  // Hashes only what does not change while operands are replaced.
  uint32_t hash_of(const Instruction& instruction) const {
    const Value first =
        instruction.operand_count == 0 ? kNoValue : module_.operands[instruction.first_operand];
    const uint32_t constant = module_.is_constant(first) ? first.number() : 0;
    return (static_cast<uint32_t>(instruction.op) * 0x9e3779b9u ^ instruction.payload) * 0x85ebca6bu +
           constant;
  }

  bool is_same(const Instruction& a, const Instruction& b) const {
    constexpr uint8_t kMeaning = kVertexOperand | kIndexOperand | kGuarded;
    return a.op == b.op && a.payload == b.payload && ((a.flags ^ b.flags) & kMeaning) == 0 &&
           std::ranges::equal(module_.operands_of(a), module_.operands_of(b));
  }

  struct Hashed {
    uint32_t hash, instruction;
  };

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Structure structure_;
  Replacements replacements_;
  std::pmr::vector<List> arms_;  // by construct, two each: what may move
  std::pmr::vector<Place> places_;
  std::pmr::vector<uint32_t> definition_;  // by value: the instruction
  std::pmr::vector<Hashed> first_;         // contents of the first arm
  uint32_t moved_ = 0;
};

/// Is there an `if` with loads in both arms? A quick check: most programs have none.
bool may_hoist(const Module& module) {
  enum : uint8_t { kFirst = 1, kSecond = 2, kInSecond = 4 };
  std::pmr::vector<uint8_t> open(module.memory());
  for (const Instruction& instruction : module.code) {
    if (opens_construct(instruction.op)) {
      open.push_back(0);
    } else if (closes_construct(instruction.op)) {
      open.pop_back();
    } else if (instruction.op == Op::else_) {
      open.back() |= kInSecond;
    } else if (!open.empty() && may_move(instruction.op)) {
      open.back() |= (open.back() & kInSecond) != 0 ? kSecond : kFirst;
      if ((open.back() & (kFirst | kSecond)) == (kFirst | kSecond)) return true;
    }
  }
  return false;
}

}  // namespace

bool hoist_loads(Module& module) {
  return may_hoist(module) && LoadHoister(module).run();
}

}  // namespace texlate::ir
