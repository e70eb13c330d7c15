// The C interface: which textures a program reads with which samplers.

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "frontend/sm4/declaration.h"
#include "library/handles.h"
#include "texlate/texlate.h"

using namespace texlate;
using namespace texlate::library;

namespace {

struct Register {
  uint32_t space = 0, reg = UINT32_MAX;
  bool is_indexed = false;
};

/// The declared ranges of textures and samplers by their numbers in operands.
using Ranges = std::unordered_map<uint64_t, sm4::DeclaredRange>;

uint64_t key(sm4::RegisterFile file, uint32_t id) {
  return static_cast<uint64_t>(file) << 32 | id;
}

Ranges ranges_of(const sm4::Program& program) {
  Ranges ranges;
  for (const sm4::Instruction& dcl : program.instructions) {
    using enum sm4::Opcode;
    const bool is_one = dcl.opcode == dcl_sampler || dcl.opcode == dcl_resource ||
                        dcl.opcode == dcl_resource_raw || dcl.opcode == dcl_resource_structured;
    if (!is_one) continue;
    const sm4::DeclaredRange range = sm4::declared_range(program, dcl);
    const auto file = dcl.opcode == dcl_sampler ? sm4::RegisterFile::sampler : sm4::RegisterFile::resource;
    ranges.emplace(key(file, range.id), range);
  }
  return ranges;
}

/// The register of an operand. In shader model 5.1 its first index is the number of a declared range, and the
/// second is the register; before, the only index is the register.
Register register_of(const Ranges& ranges, const sm4::Operand& operand) {
  const auto found = ranges.find(key(operand.file, operand.index[0].immediate));
  if (found == ranges.end()) return {};
  const sm4::DeclaredRange& range = found->second;
  if (operand.index_count < 2) return {range.space, range.lower_bound, false};
  const bool is_indexed = operand.index[1].relative != sm4::kNoOperand;
  return {range.space, is_indexed ? range.lower_bound : operand.index[1].immediate, is_indexed};
}

struct Same {
  bool operator()(const texlate_texture_use& a, const texlate_texture_use& b) const {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
};

struct Hash {
  size_t operator()(const texlate_texture_use& use) const {
    uint64_t hash = 0;
    for (const uint32_t word :
         {use.texture_space, use.texture, use.sampler_space, use.sampler, use.is_indexed})
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(hash ^ hash >> 32);
  }
};

/// Uses in the order of the first instruction with each.
class Uses {
 public:
  void add(const Register& read, const Register& with) {
    const texlate_texture_use use = {read.space, read.reg, with.space, with.reg,
                                     read.is_indexed || with.is_indexed ? 1u : 0u};
    if (seen_.insert(use).second) all_.push_back(use);
  }
  const std::vector<texlate_texture_use>& all() const { return all_; }

 private:
  std::vector<texlate_texture_use> all_;
  std::unordered_set<texlate_texture_use, Hash, Same> seen_;
};

void add_uses(const sm4::Program& program, Uses& uses) {
  const Ranges ranges = ranges_of(program);
  for (const sm4::Instruction& instruction : program.instructions) {
    if (sm4::info(instruction.opcode).has(sm4::kDeclaration)) continue;
    const sm4::Operand* texture = nullptr;
    const sm4::Operand* sampler = nullptr;
    for (const sm4::Operand& operand : program.operands_of(instruction)) {
      if (operand.file == sm4::RegisterFile::resource && operand.index_count != 0) texture = &operand;
      if (operand.file == sm4::RegisterFile::sampler && operand.index_count != 0) sampler = &operand;
    }
    if (texture == nullptr) continue;
    uses.add(register_of(ranges, *texture), sampler != nullptr ? register_of(ranges, *sampler) : Register{});
  }
}

/// The register of an access of the IR, whose index is relative to the first register of the range.
template <typename Declared>
Register register_of(const ir::Module& module, const Declared& declared, ir::Value index) {
  if (index == ir::kNoValue) return {declared.space, declared.lower_bound, false};
  if (!module.is_constant(index)) return {declared.space, declared.lower_bound, true};
  return {declared.space, declared.lower_bound + module.constant_bits(index), false};
}

void add_uses(const ir::Module& module, Uses& uses) {
  for (const ir::Instruction& instruction : module.code) {
    if (!ir::info(instruction.op).has(ir::kResource)) continue;
    const ir::ResourceAccess& access = module.access_of(instruction);
    const ir::Resource& resource = module.resources[access.resource];
    if (resource.is_uav || resource.is_constant_buffer) continue;
    Register with;
    if (access.sampler != ir::ResourceAccess::kNoSampler)
      with = register_of(module, module.samplers[access.sampler],
                         module.operand(instruction, ir::Slot::sampler_index));
    uses.add(register_of(module, resource, module.operand(instruction, ir::Slot::resource_index)), with);
  }
}

}  // namespace

texlate_status texlate_program_texture_uses(const texlate_program* program, texlate_texture_use* uses,
                                            size_t stride, size_t* count) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(count != nullptr, "count is null");
    Uses uses_of_program;
    if (!program->is_ir)
      add_uses(program->program, uses_of_program);
    else if (program->valid)
      add_uses(program->module, uses_of_program);
    const std::vector<texlate_texture_use>& made = uses_of_program.all();
    const size_t room = *count;
    *count = made.size();
    if (uses == nullptr) return TEXLATE_OK;
    require_size(stride, kOldestTextureUse, "stride", "");
    if (room < made.size()) refuse_argument("there is room for only {} of {} uses", room, made.size());
    for (size_t i = 0; i < made.size(); ++i) {
      char* const place = reinterpret_cast<char*>(uses) + i * stride;
      std::memset(place, 0, stride);
      std::memcpy(place, &made[i], std::min(stride, sizeof made[i]));
    }
    return TEXLATE_OK;
  });
}
