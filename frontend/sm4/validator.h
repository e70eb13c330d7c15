// The state behind validate(), in three files: validate.cpp (structure), validate_operands.cpp,
// validate_resources.cpp.
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"
#include "frontend/sm4/spelling.h"

namespace texlate::sm4 {

/// Declarations of one register file by the number that operands name them with. Finding one takes the same
/// time however many a hostile program has.
template <typename Declaration>
class DeclarationTable {
 public:
  explicit DeclarationTable(std::pmr::memory_resource* memory) : declarations_(memory), places_(memory) {}

  /// False when there is one of that number already; that one stays.
  bool add(const Declaration& declaration) {
    const auto place = static_cast<uint32_t>(declarations_.size());
    if (!places_.emplace(declaration.id, place).second) return false;
    declarations_.push_back(declaration);
    return true;
  }
  const Declaration* find(uint32_t id) const {
    const auto place = places_.find(id);
    return place == places_.end() ? nullptr : &declarations_[place->second];
  }
  /// The first one that was declared, or null.
  const Declaration* first() const { return declarations_.empty() ? nullptr : &declarations_.front(); }
  void clear() {
    declarations_.clear();
    places_.clear();
  }

 private:
  std::pmr::vector<Declaration> declarations_;
  std::pmr::unordered_map<uint32_t, uint32_t> places_;
};

/// What a view's declaration says.
struct DeclaredView {
  uint32_t id = 0;
  ResourceDimension dimension =
      ResourceDimension::unknown;  // raw and structured ones are their own dimensions
  DeclaredRange range{};
  bool has_counter_order = false;
};

struct DeclaredSize {
  uint32_t id = 0;
  uint32_t size = 0;  // registers, rows or bytes
  DeclaredRange range{};
  SamplerMode mode = SamplerMode::default_;
  bool structured = false;
};

class Validator {
 public:
  Validator(const Program& program, Diagnostics& diagnostics)
      : program_(program),
        diagnostics_(diagnostics),
        // Not the program's memory: several threads may translate one program.
        scratch_(diagnostics.list().get_allocator().resource()),
        views_(&scratch_),
        unordered_views_(&scratch_),
        samplers_(&scratch_),
        constant_buffers_(&scratch_),
        indexable_temps_(&scratch_),
        shared_memory_(&scratch_),
        labels_(&scratch_),
        blocks_(&scratch_) {}

  void run();

 private:
  static constexpr uint32_t kMaxIo = 64;  // v# and o# have 32 registers; a hull shader's phases more

  // validate.cpp
  void declare(const Instruction& dcl);
  bool check_declared_file(const Instruction& dcl);
  void declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                    ResourceDimension dimension);
  void declare_io(const Instruction& dcl);
  void declare_index_range(const Instruction& dcl);
  void check_thread_group(const Instruction& dcl);
  void check_stage_and_model(const Instruction& instruction);
  void check_structure(const Instruction& instruction);
  void open_block(const Instruction& instruction);
  void close_block(const Instruction& instruction, Opcode opener);
  void collect_labels();
  void check_end();

  // validate_operands.cpp
  void check_controls(const Instruction& instruction);
  void check_operands(const Instruction& instruction);
  void check_shape(const Instruction& instruction, uint32_t i, const Operand& operand);
  void check_store_mask(const Instruction& instruction, const Operand& operand);
  void check_register(const Instruction& instruction, const Operand& operand);
  void check_indices(const Instruction& instruction, const Operand& operand);
  void check_sized(const Instruction& instruction, const Operand& operand,
                   const DeclarationTable<DeclaredSize>& declared, uint32_t element_index,
                   std::string_view declaration);
  void check_io(const Instruction& instruction, const Operand& operand, const std::bitset<kMaxIo>& declared);

  // validate_resources.cpp
  void check_texture(const Instruction& instruction);
  void check_view_use(const Instruction& instruction, const Operand& operand, OperandShape shape);
  void check_dimension(const Instruction& instruction, const Operand& operand, ResourceDimension dimension);
  void check_sampler(const Instruction& instruction, const Operand& operand);
  void check_shared_memory_use(const Instruction& instruction, const Operand& operand);
  const DeclaredView* find_view(const Operand& operand) const;

  template <typename... Args>
  void error(const Instruction& at, fmt::format_string<Args...> format, Args&&... args) {
    const std::string message = fmt::format(format, std::forward<Args>(args)...);
    const auto& list = diagnostics_.list();
    for (auto other = list.rbegin(); other != list.rend() && other->location == at.location; ++other) {
      if (other->message == std::string_view(message)) return;  // two operands may be wrong in the same way
    }
    diagnostics_.add(Severity::error, at.location, message);
  }
  std::string_view name_of(const Instruction& instruction) const { return info(instruction.opcode).mnemonic; }
  /// `r3`, `cb0`, `vThreadID`: for messages.
  std::string spelled(const Operand& operand) const;
  bool sm51() const { return program_.version.model() >= 51; }

  const Program& program_;
  Diagnostics& diagnostics_;
  std::pmr::monotonic_buffer_resource scratch_;
  DeclarationTable<DeclaredView> views_;
  DeclarationTable<DeclaredView> unordered_views_;
  DeclarationTable<DeclaredSize> samplers_;
  DeclarationTable<DeclaredSize> constant_buffers_;
  DeclarationTable<DeclaredSize> indexable_temps_;
  DeclarationTable<DeclaredSize> shared_memory_;
  std::pmr::unordered_set<uint32_t> labels_;
  std::bitset<kMaxIo> inputs_;
  std::bitset<kMaxIo> outputs_;
  std::bitset<kMaxIo> patch_constants_;
  std::bitset<kMaxIo> control_point_inputs_;
  std::bitset<kMaxIo> control_point_outputs_;
  std::bitset<kRegisterFileLimit> scalars_;  // vThreadID, oDepth ...
  uint32_t temps_ = 0;
  bool temps_declared_ = false;
  uint32_t constant_rows_ = 0;
  uint32_t shared_bytes_ = 0;
  bool has_thread_group_ = false;
  bool has_interfaces_ = false;
  bool ended_ = false;  // the last instruction was a ret at the outermost level
  bool in_hull_phase_ = false;

  struct Block {
    const Instruction* opener;
    bool has_else = false;
    bool has_default = false;
    bool has_case = false;
  };
  std::pmr::vector<Block> blocks_;
  uint32_t open_loops_ = 0;
  uint32_t open_switches_ = 0;
};

}  // namespace texlate::sm4
