#include "ir/passes/pack_texels.h"

#include <bit>

#include "ir/builder.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

class TexelPacker {
 public:
  TexelPacker(Module& module, std::span<const StoredTexel> formats)
      : module_(module),
        formats_(formats),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    for (size_t i = 0; i < module_.resources.size(); ++i) {
      Resource& view = module_.resources[i];
      if (view.is_uav && !is_untyped(view.dimension)) view.stride = formats_[i].layout.bytes;
    }
    code_.reserve(module_.code.size() + module_.code.size() / 4);
    for (const Instruction& instruction : module_.code) {
      replacements_.apply(module_, instruction);
      builder_.set_location(instruction);
      switch (instruction.op) {
        case Op::surf_load: load(instruction); break;
        case Op::surf_store: store(instruction); break;
        case Op::binding: answer(instruction); break;
        default: builder_.append(instruction); break;
      }
    }
    module_.code.swap(code_);
    return changed_;
  }

 private:
  static uint8_t word_mask(const StoredTexel& format) {
    return static_cast<uint8_t>((1u << ((format.layout.bytes + 3u) / 4u)) - 1u);
  }

  /// Which components the view's format has. For a missing alpha it matters whether a view is bound.
  void answer(const Instruction& instruction) {
    const BindingQuery query = BindingQuery::unpack(instruction.payload);
    if (query.is_sampler_fact() || !module_.resources[query.resource].is_uav)
      return builder_.append(instruction);
    const auto has = [&](uint32_t c) { return formats_[query.resource].layout.component[c].bits != 0; };
    switch (query.fact) {
      case BindingFact::keep0: return settle(instruction, has(0) ? 0xffffffffu : 0);
      case BindingFact::keep1: return settle(instruction, has(1) ? 0xffffffffu : 0);
      case BindingFact::keep2: return settle(instruction, has(2) ? 0xffffffffu : 0);
      case BindingFact::keep3: return settle(instruction, has(3) ? 0xffffffffu : 0);
      case BindingFact::missing_alpha:
        if (has(3)) return settle(instruction, 0);
        break;
      default: break;
    }
    builder_.append(instruction);
  }

  void settle(const Instruction& instruction, uint32_t bits) {
    replacements_.replace(instruction.first_result, word(bits));
    changed_ = true;
  }

  void load(const Instruction& instruction) {
    AccessBuilder access(module_, instruction);
    const StoredTexel& format = formats_[access.contract.resource];
    access.contract.type = ComponentType::none;
    access.contract.component_mask = word_mask(format);
    builder_.set_flags(instruction.flags);
    const Value words = access.emit(builder_, Op::surf_load);
    builder_.set_flags(kPrecise);
    for (uint32_t c = 0; c < 4; ++c) {
      const TexelComponent component = format.layout.component[c];
      const Value value =
          component.bits == 0 ? word(0) : unpack(words + component.offset / 32u, component, format.kind);
      replacements_.replace(instruction.first_result + c, value);
    }
    if (access.contract.feedback) replacements_.replace(instruction.first_result + 4, words + 4);
    changed_ = true;
  }

  Value unpack(Value packed, TexelComponent component, TexelKind kind) {
    const uint32_t bits = component.bits;
    if (bits == 32) return packed;
    const bool is_signed = kind == TexelKind::sint || kind == TexelKind::snorm;
    const Value field =
        emit(is_signed ? Op::ibfe : Op::ubfe, {word(bits), word(component.offset % 32u), packed});
    switch (kind) {
      case TexelKind::float_:  // 10 and 11 bits: a half without its sign and low bits
        return emit(Op::f16tof32, {bits < 16 ? emit(Op::shl, {field, word(15 - bits)}) : field});
      case TexelKind::unorm: return quotient(emit(Op::utof, {field}), (1u << bits) - 1u);
      case TexelKind::snorm: {  // the most negative value counts as -1
        const Value value = quotient(emit(Op::itof, {field}), (1u << (bits - 1u)) - 1u);
        return emit(Op::fmax, {value, real(-1.0f)});
      }
      case TexelKind::uint:
      case TexelKind::sint: return field;
    }
    return field;
  }

  /// value / steps, correctly rounded, for integers of up to 16 bits and their numbers of steps (checked for
  /// all of them: PtxQuotient): multiply by the reciprocal, then correct by the remainder.
  Value quotient(Value value, uint32_t steps) {
    if (steps == 1) return value;
    const auto divisor = static_cast<float>(steps);
    const Value inverse = real(1.0f / divisor);
    const Value estimate = emit(Op::fmul, {value, inverse});
    const Value rest = emit(Op::ffma, {estimate, real(-divisor), value});
    return emit(Op::ffma, {rest, inverse, estimate});
  }

  void store(const Instruction& instruction) {
    AccessBuilder access(module_, instruction);
    const StoredTexel& format = formats_[access.contract.resource];
    builder_.set_flags(kPrecise);
    std::array<Value, 4> words = {kNoValue, kNoValue, kNoValue, kNoValue};
    for (uint32_t c = 0; c < 4; ++c) {
      const TexelComponent component = format.layout.component[c];
      if (component.bits == 0) continue;
      Value& packed = words[component.offset / 32u];
      const Value value = access.get(Slot::value0 + c);
      packed = component.bits == 32
                   ? value
                   : insert(packed, pack(value, component.bits, format.kind), component, format.kind);
    }
    access.contract.type = ComponentType::none;
    access.contract.component_mask = word_mask(format);
    for (uint32_t i = 0; i < 4; ++i) {
      const bool stored = ((access.contract.component_mask >> i) & 1u) != 0;
      access.set(Slot::value0 + i, !stored ? kNoValue : words[i] == kNoValue ? word(0) : words[i]);
    }
    builder_.set_flags(instruction.flags);
    access.emit(builder_, Op::surf_store);
    changed_ = true;
  }

  Value insert(Value packed, Value field, TexelComponent component, TexelKind kind) {
    // The first component, with nothing above it.
    const bool is_short = kind == TexelKind::unorm || kind == TexelKind::uint || component.bits == 16;
    const bool has_sign = kind == TexelKind::snorm || kind == TexelKind::sint;
    if (packed == kNoValue && component.offset % 32u == 0 && is_short && !has_sign) return field;
    return emit(Op::bfi, {word(component.bits), word(component.offset % 32u), field,
                          packed == kNoValue ? word(0) : packed});
  }

  /// NaN to 0, clamp, scale, round: the field in the low bits; bits above it are cut off.
  Value pack(Value value, uint32_t bits, TexelKind kind) {
    const uint32_t top = (1u << (bits - 1u)) - 1u;
    switch (kind) {
      case TexelKind::float_: {  // toward zero; 10 and 11 bits: no sign, so negative values give 0
        const Value half = emit(Op::f32tof16, {value});
        if (bits == 16) return half;
        const Value negative = emit(Op::flt, {value, word(0)});
        return emit(Op::select, {negative, word(0), emit(Op::ushr, {half, word(15 - bits)})});
      }
      case TexelKind::unorm: {
        const Value scaled = emit(Op::fmul, {emit(Op::fsat, {value}), real(static_cast<float>(2 * top + 1))});
        return emit(Op::ftou, {emit(Op::fadd, {scaled, real(0.5f)})});
      }
      case TexelKind::snorm: {
        // max and min drop a NaN; a NaN must become 0, so it is replaced first.
        const Value number = emit(Op::select, {emit(Op::feq, {value, value}), value, word(0)});
        const Value limited = emit(Op::fmin, {emit(Op::fmax, {number, real(-1.0f)}), real(1.0f)});
        const Value scaled = emit(Op::fmul, {limited, real(static_cast<float>(top))});
        const Value sign = emit(Op::and_, {scaled, word(0x80000000u)});
        const Value half = emit(Op::or_, {sign, real(0.5f)});
        return emit(Op::ftoi, {emit(Op::fadd, {scaled, half})});
      }
      case TexelKind::uint: return emit(Op::umin, {value, word(2 * top + 1)});
      case TexelKind::sint: return emit(Op::imax, {emit(Op::imin, {value, word(top)}), word(~top)});
    }
    return value;
  }

  Value emit(Op op, std::initializer_list<Value> operands) { return builder_.emit(op, operands); }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value real(float value) { return module_.constant_float(value); }

  Module& module_;
  std::span<const StoredTexel> formats_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  Code code_;
  Builder builder_;
  bool changed_ = false;
};

}  // namespace

bool pack_texels(Module& module, std::span<const StoredTexel> formats) {
  return TexelPacker(module, formats).run();
}

}  // namespace texlate::ir
