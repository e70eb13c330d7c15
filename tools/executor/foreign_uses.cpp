#include "tools/executor/foreign_uses.h"

#include <algorithm>

#include "sim/ptx/texture_geometry.h"

namespace texlate::executor {

namespace {

using sim::ptx::Instruction;
using sim::ptx::kNone;
using sim::ptx::Opcode;

constexpr uint32_t kSeveral = kNone - 1;  // a register with more than one origin

// In the order of the Geometry enumerators (PTX ISA 9.7.10.3).
ir::Dimension dimension_of(sim::ptx::Geometry geometry) {
  using sim::ptx::Geometry;
  switch (geometry) {
    case Geometry::g1d: return ir::Dimension::texture1d;
    case Geometry::g3d: return ir::Dimension::texture3d;
    case Geometry::a1d: return ir::Dimension::texture1d_array;
    case Geometry::a2d: return ir::Dimension::texture2d_array;
    case Geometry::cube: return ir::Dimension::texture_cube;
    case Geometry::acube: return ir::Dimension::texture_cube_array;
    case Geometry::g2dms: return ir::Dimension::texture2d_ms;
    case Geometry::a2dms: return ir::Dimension::texture2d_ms_array;
    case Geometry::g2d:
    case Geometry::none: return ir::Dimension::texture2d;
  }
  return ir::Dimension::texture2d;
}

ir::ComponentType type_of(sim::ptx::Type type) {
  if (type == sim::ptx::Type::u32) return ir::ComponentType::uint;
  return type == sim::ptx::Type::s32 ? ir::ComponentType::sint : ir::ComponentType::float_;
}

class UseFinder {
 public:
  UseFinder(const sim::ptx::Module& module, const sim::ptx::Function& entry, std::vector<ForeignNode>& nodes,
            Diagnostics& diagnostics)
      : module_(module), entry_(entry), nodes_(nodes), diagnostics_(diagnostics) {}

  bool run() {
    const auto parameters = static_cast<uint32_t>(entry_.entry_parameters.size());
    nodes_.assign(parameters + module_.opaques.size(), {});
    origin_.assign(module_.register_count, kNone);
    for (uint32_t i = 0; i < module_.opaques.size(); ++i) {
      origin_[module_.opaques[i].reg] = parameters + i;
      constexpr ForeignUse kUses[] = {ForeignUse::texture, ForeignUse::sampler, ForeignUse::surface};
      nodes_[parameters + i].use = kUses[static_cast<size_t>(module_.opaques[i].kind)];
    }
    // Two passes: in a loop, a use may precede its definition in the text.
    for (int pass = 0; pass < 2; ++pass) {
      for (uint32_t at = entry_.first_instruction; at < entry_.end_instruction; ++at)
        follow(module_.code[at]);
    }
    for (uint32_t at = entry_.first_instruction; at < entry_.end_instruction; ++at) use(module_.code[at]);
    return !diagnostics_.has_errors();
  }

 private:
  void follow(const Instruction& i) {
    switch (i.opcode) {
      case Opcode::ld: return follow_load(i);
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::add:
      case Opcode::sub:
      case Opcode::mad:
      case Opcode::selp:
        for (const uint32_t source : i.src) {
          if (source != kNone && origin_[source] != kNone) put(i.dst[0], origin_[source]);
        }
        return;
      default: return;
    }
  }
  void follow_load(const Instruction& i) {
    if (i.space != sim::ptx::Space::param || !i.fixed_address || i.vector != 1) return;
    for (uint32_t p = 0; p < entry_.entry_parameters.size(); ++p) {
      if (entry_.entry_parameters[p].offset == static_cast<uint64_t>(i.offset) &&
          entry_.entry_parameters[p].size == 8 && size_of(i.type) == 8)
        put(i.dst[0], p);
    }
    const auto offset = static_cast<uint32_t>(i.offset);
    const bool in_array = std::any_of(
        entry_.entry_parameters.begin(), entry_.entry_parameters.end(),
        [&](const sim::ptx::EntryParameter& one) { return one.is_array && offset - one.offset < one.size; });
    if (in_array && size_of(i.type) == 8) put(i.dst[0], word_at(offset));
  }
  uint32_t word_at(uint32_t offset) {
    const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                    [offset](const ForeignNode& node) { return node.offset == offset; });
    const auto number = static_cast<uint32_t>(found - nodes_.begin());
    if (found == nodes_.end()) nodes_.emplace_back().offset = offset;
    return number;
  }
  void put(uint32_t reg, uint32_t node) {
    if (reg == kNone || reg == sim::ptx::kSink) return;
    origin_[reg] = origin_[reg] == kNone || origin_[reg] == node ? node : kSeveral;
  }

  void use(const Instruction& i) {
    switch (i.opcode) {
      case Opcode::tex:
      case Opcode::tld4: return use_texture(i);
      case Opcode::txq: {
        const sim::ptx::TexOperands& operands = module_.tex_operands[i.target];
        if (operands.handle != kNone) mark(i, operands.handle, ForeignUse::texture);
        if (operands.sampler != kNone) mark(i, operands.sampler, ForeignUse::sampler);
        return;
      }
      case Opcode::suq: mark(i, module_.tex_operands[i.target].handle, ForeignUse::surface); return;
      case Opcode::suld:
      case Opcode::sust:
      case Opcode::sured:
        if (ForeignNode* node = mark(i, module_.tex_operands[i.target].handle, ForeignUse::surface))
          put_geometry(i, ir::ComponentType::float_, *node);
        return;
      case Opcode::ld:
      case Opcode::ldu: return use_address(i, 0);
      case Opcode::st: return use_address(i, 4);
      case Opcode::atom:
      case Opcode::red: return use_address(i, 3);
      default: return;
    }
  }
  void use_texture(const Instruction& i) {
    const sim::ptx::TexOperands& operands = module_.tex_operands[i.target];
    if (operands.sampler != kNone) {
      if (ForeignNode* sampler = mark(i, operands.sampler, ForeignUse::sampler))
        sampler->compared |= operands.reference != kNone;
    }
    ForeignNode* node = mark(i, operands.handle, ForeignUse::texture);
    if (node == nullptr) return;
    node->compared |= operands.reference != kNone;
    put_geometry(i, type_of(i.type), *node);
  }
  void use_address(const Instruction& i, size_t source) {
    const bool module_memory = i.space == sim::ptx::Space::global || i.space == sim::ptx::Space::generic;
    const uint32_t base = i.src[source];
    if (!module_memory || base == kNone || origin_[base] >= nodes_.size()) return;
    ForeignNode& node = nodes_[origin_[base]];
    if (node.use == ForeignUse::none) node.use = ForeignUse::memory, node.line = i.line;
  }
  ForeignNode* mark(const Instruction& i, uint32_t reg, ForeignUse use) {
    constexpr std::string_view kNames[] = {"", "texture", "sampler", "surface", "memory"};
    const std::string_view name = kNames[static_cast<size_t>(use)];
    if (origin_[reg] >= nodes_.size()) {
      diagnostics_.error(SourceLocation::text(i.line, i.column),
                         "this {} handle is neither a parameter nor a variable: only those can be bound",
                         name);
      return nullptr;
    }
    ForeignNode& node = nodes_[origin_[reg]];
    if (node.use != ForeignUse::none && node.use != use) {
      diagnostics_.error(SourceLocation::text(i.line, i.column), "a {} (line {}) is used as a {}",
                         kNames[static_cast<size_t>(node.use)], node.line, name);
      return nullptr;
    }
    node.use = use;
    if (node.line == 0) node.line = i.line;
    return &node;
  }
  void put_geometry(const Instruction& i, ir::ComponentType type, ForeignNode& node) {
    const ir::Dimension dimension = dimension_of(geometry_of(i));
    if (node.has_geometry && node.dimension != dimension) {
      diagnostics_.error(SourceLocation::text(i.line, i.column), "the geometry differs from that in line {}",
                         node.line);
      return;
    }
    if (!node.has_geometry) node.type = type;
    node.has_geometry = true;
    node.dimension = dimension;
  }

  const sim::ptx::Module& module_;
  const sim::ptx::Function& entry_;
  std::vector<ForeignNode>& nodes_;
  Diagnostics& diagnostics_;
  std::vector<uint32_t> origin_;  // by register: the node from which its value comes
};

}  // namespace

bool find_foreign_uses(const sim::ptx::Module& module, const sim::ptx::Function& entry,
                       std::vector<ForeignNode>& nodes, Diagnostics& diagnostics) {
  return UseFinder(module, entry, nodes, diagnostics).run();
}

}  // namespace texlate::executor
