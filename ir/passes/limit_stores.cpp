#include "ir/passes/limit_stores.h"

#include <algorithm>
#include <optional>

#include "ir/builder.h"
#include "ir/passes/constant_evaluation.h"

namespace texlate::ir {

namespace {

/// What is known of a component in memory. No bits: of any width.
struct StoredLimit {
  TexelKind kind = TexelKind::float_;
  uint32_t bits = 0;

  bool cuts_integers() const {
    return (kind == TexelKind::uint || kind == TexelKind::sint) && bits != 0 && bits < 32;
  }
  bool any() const { return kind == TexelKind::unorm || kind == TexelKind::snorm || cuts_integers(); }
};

StoredLimit limit_of(const Module& module, std::span<const StoredTexel> formats, uint32_t resource,
                     uint32_t c) {
  if (resource < formats.size() && formats[resource].layout.bytes != 0) {
    const uint32_t bits = formats[resource].layout.component[c].bits;
    if (bits == 0) return {};  // what the format lacks is not stored
    return {formats[resource].kind, bits};
  }
  switch (module.resources[resource].component_types[c]) {
    case ComponentType::unorm: return {TexelKind::unorm, 0};
    case ComponentType::snorm: return {TexelKind::snorm, 0};
    default: return {};
  }
}

class StoreLimiter {
 public:
  StoreLimiter(Module& module, std::span<const StoredTexel> formats)
      : module_(module), formats_(formats), code_(module.memory()), builder_(module, code_) {}

  void run() {
    code_.reserve(module_.code.size() + module_.code.size() / 4);
    for (const Instruction& instruction : module_.code) {
      if (instruction.op == Op::surf_store) {
        store(instruction);
      } else {
        builder_.append(instruction);
      }
    }
    module_.code.swap(code_);
  }

 private:
  void store(const Instruction& instruction) {
    AccessBuilder access(module_, instruction);
    builder_.set_location(instruction);
    builder_.set_flags(kPrecise);
    bool limited = false;
    for (uint32_t c = 0; c < 4; ++c) {
      const Value value = access.get(Slot::value0 + c);
      if (value == kNoValue) continue;
      const Value fits = within(limit_of(module_, formats_, access.contract.resource, c), value);
      limited |= fits != value;
      access.set(Slot::value0 + c, fits);
    }
    if (!limited) return builder_.append(instruction);
    builder_.set_flags(instruction.flags);
    access.emit(builder_, Op::surf_store);
  }

  // Stores clamp numbers themselves, but a clamp to 0..1 is the shortest way to make NaN 0.
  Value within(StoredLimit limit, Value value) {
    if (limit.kind == TexelKind::unorm) return emit(Op::fsat, {value});
    if (limit.kind == TexelKind::snorm)
      return emit(Op::select, {emit(Op::feq, {value, value}), value, module_.constant(0)});
    if (!limit.cuts_integers()) return value;
    const uint32_t top = (1u << (limit.bits - 1u)) - 1u;
    if (limit.kind == TexelKind::uint) return emit(Op::umin, {value, module_.constant(2 * top + 1)});
    return emit(Op::imax, {emit(Op::imin, {value, module_.constant(top)}), module_.constant(~top)});
  }

  Value emit(Op op, std::initializer_list<Value> operands) {
    std::array<uint64_t, 3> bits{};
    size_t known = 0;
    for (const Value operand : operands) {
      if (module_.is_constant(operand)) bits[known++] = module_.values[operand].bits;
    }
    if (known != operands.size()) return builder_.emit(op, operands);
    const auto result = evaluate(op, std::span(bits.data(), known));
    return result ? module_.constant(type_of_letter(info(op).results[0]), *result)
                  : builder_.emit(op, operands);
  }

  Module& module_;
  std::span<const StoredTexel> formats_;
  Code code_;
  Builder builder_;
};

}  // namespace

bool has_limited_stores(const Module& module, std::span<const StoredTexel> formats,
                        std::pmr::vector<ClosedGap>* closed, std::string_view source) {
  bool found = false;
  for (const Instruction& instruction : module.code) {
    if (instruction.op != Op::surf_store) continue;
    const ResourceAccess& access = module.access_of(instruction);
    bool limited = false;
    for (uint32_t c = 0; c < 4; ++c) limited |= limit_of(module, formats, access.resource, c).any();
    if (!limited) continue;
    found = true;
    if (closed == nullptr) return true;
    closed->push_back(
        {module.location_of(instruction), Op::surf_store, Gap::stored_range, true, access.dimension, source});
  }
  return found;
}

void limit_stores(Module& module, std::span<const StoredTexel> formats) {
  StoreLimiter(module, formats).run();
}

}  // namespace texlate::ir
