// How an IR operation takes and gives its 32-bit values: as floats or as integers.
#pragma once

#include <algorithm>
#include <array>

#include "ir/op.h"

namespace texlate::spirv {

enum class Kind : uint8_t {
  none,  // no 32-bit value
  float_,
  uint,
  flexible,  // passed on as it is
  varies,    // the operation alone does not tell
};

struct OpKinds {
  std::array<Kind, 4> operands{};  // the last one stands for all that follow
  Kind result = Kind::uint;
  Kind common = Kind::varies;  // of all operands, where they are alike and the operation tells

  constexpr Kind operand(uint32_t position) const { return operands[std::min<uint32_t>(position, 3)]; }
};

namespace detail {

constexpr bool is_between(ir::Op op, ir::Op first, ir::Op last) {
  return op >= first && op <= last;
}

constexpr bool takes_floats(ir::Op op) {
  using ir::Op;
  return op <= Op::fge || op == Op::ftoi || op == Op::ftou || op == Op::ftod ||
         is_between(op, Op::ddx_coarse, Op::ddy_fine);
}

constexpr Kind result_of(ir::Op op) {
  using ir::Op;
  if (ir::info(op).has(ir::kResource)) return Kind::varies;
  if (op <= Op::ftrunc || is_between(op, Op::ddx_coarse, Op::ddy_fine)) return Kind::float_;
  switch (op) {
    case Op::itof:
    case Op::utof:
    case Op::f16tof32:
    case Op::dtof:
    case Op::output_control_point:
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid:
    case Op::raster_position: return Kind::float_;
    case Op::select:
    case Op::cb_load:
    case Op::table_load:
    case Op::loop:
    case Op::endloop:
    case Op::endif:
    case Op::endswitch: return Kind::flexible;
    case Op::local_load:
    case Op::shared_load:
    case Op::input:
    case Op::patch_input:
    case Op::system_value: return Kind::varies;
    default: return Kind::uint;
  }
}

constexpr std::array<Kind, 4> operands_of(ir::Op op) {
  using ir::Op;
  if (ir::info(op).has(ir::kResource)) return {Kind::varies, Kind::varies, Kind::varies, Kind::varies};
  switch (op) {
    case Op::loop:
    case Op::endloop:
    case Op::else_:
    case Op::endif:
    case Op::break_:
    case Op::continue_: return {Kind::flexible, Kind::flexible, Kind::flexible, Kind::flexible};
    case Op::select: return {Kind::none, Kind::flexible, Kind::flexible, Kind::flexible};
    case Op::output:
    case Op::patch_output:
    case Op::local_store:
    case Op::shared_store: return {Kind::varies, Kind::varies, Kind::varies, Kind::varies};
    default: break;
  }
  const Kind words = takes_floats(op) ? Kind::float_ : Kind::uint;
  std::array<Kind, 4> kinds = {words, words, words, words};
  const std::string_view letters = ir::info(op).operands;
  for (uint32_t i = 0; i < 4 && i < letters.size(); ++i) {
    if (letters[i] == 'p' || letters[i] == 'l') kinds[i] = Kind::none;
  }
  return kinds;
}

constexpr OpKinds kinds_of_row(ir::Op op) {
  OpKinds kinds{operands_of(op), result_of(op)};
  const Kind first = kinds.operands[0];
  const bool alike = std::ranges::all_of(kinds.operands, [first](Kind kind) { return kind == first; });
  if (alike && first != Kind::flexible) kinds.common = first;
  return kinds;
}

constexpr std::array<OpKinds, ir::kOpCount> make_kinds() {
  std::array<OpKinds, ir::kOpCount> kinds{};
  for (uint32_t op = 0; op < ir::kOpCount; ++op) kinds[op] = kinds_of_row(static_cast<ir::Op>(op));
  return kinds;
}

inline constexpr std::array<OpKinds, ir::kOpCount> kKinds = make_kinds();

}  // namespace detail

constexpr const OpKinds& kinds_of(ir::Op op) {
  return detail::kKinds[static_cast<uint32_t>(op)];
}

}  // namespace texlate::spirv
