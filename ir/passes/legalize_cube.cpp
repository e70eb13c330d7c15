// Expands comparisons on cubes into code: the face under a direction, its texels and those of adjacent faces
// (D3D11.3 7.18.12; docs/reference/direct3d.md 2.6, 2.7).

#include "ir/passes/footprint.h"

namespace texlate::ir {

/// Does the target have tex.fetch by direction?
bool TexelReader::fetches_cubes(Dimension dimension) const {
  return table_.find(Op::tex_fetch, dimension).has(kExists);
}

// (sc, tc) by the table of docs/reference/direct3d.md 2.6; ties go to Z, then Y, then X.
TexelReader::FacePosition TexelReader::position_on_face(AccessDraft& draft) {
  Results p;
  Results magnitude;
  for (uint32_t i = 0; i < 3; ++i) {
    p[i] = draft.access.get(Slot::coordinate0 + i);
    magnitude[i] = emit(Op::fabs, {p[i]});
  }
  FacePosition face;
  face.z_major = emit(
      Op::pand, {emit(Op::fge, {magnitude[2], magnitude[0]}), emit(Op::fge, {magnitude[2], magnitude[1]})});
  face.y_major = emit(Op::fge, {magnitude[1], magnitude[0]});
  auto choose = [&](Value for_z, Value for_y, Value for_x) {
    return emit(Op::select, {face.z_major, for_z, emit(Op::select, {face.y_major, for_y, for_x})});
  };
  face.negative = emit(Op::flt, {choose(p[2], p[1], p[0]), real(0.0f)});
  const auto turned = [&](Value value) {
    return emit(Op::select, {face.negative, emit(Op::fneg, {value}), value});
  };
  const Value minus_y = emit(Op::fneg, {p[1]});
  const Value minus_z = emit(Op::fneg, {p[2]});
  const Value turned_x = turned(p[0]), turned_z = turned(p[2]), turned_minus_z = turned(minus_z);
  face.s = choose(turned_x, p[0], turned_minus_z);
  face.t = choose(minus_y, turned_z, minus_y);
  face.major = choose(magnitude[2], magnitude[1], magnitude[0]);
  return face;
}

// Texels of the face; -1 and `size` if they are on the adjacent one. A point sample stays on the face.
Footprint TexelReader::cube_footprint_of_mip(AccessDraft& draft, const FacePosition& face, Value mip,
                                             Value linear) {
  Footprint footprint;
  footprint.is_cube = true;
  footprint.mip = mip;
  const Value size = mip_size(draft, BindingFact::width, mip);
  const Value last = emit(Op::iadd, {size, word(0xffffffffu)});
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const Value minor = axis == 0 ? face.s : face.t;
    const Value unit = emit(Op::ffma, {emit(Op::fdiv, {minor, face.major}), real(0.5f), real(0.5f)});
    const AxisPosition at = axis_position(unit, size);
    const Value point = emit(Op::imin, {emit(Op::imax, {at.point, word(0)}), last});
    auto& texels = axis == 0 ? footprint.x : footprint.y;
    auto& inside = axis == 0 ? footprint.x_inside : footprint.y_inside;
    texels[0] = emit(Op::select, {linear, at.first, point});
    texels[1] = emit(Op::iadd, {texels[0], word(1)});
    for (uint32_t i = 0; i < 2; ++i) inside[i] = emit(Op::ult, {texels[i], size});
    (axis == 0 ? footprint.x_weight : footprint.y_weight) =
        emit(Op::select, {linear, at.fraction, real(0.0f)});
  }
  return footprint;
}

// By the direction of each texel's center, (2 i + 1) / size - 1 with the face at distance 1. The texel beyond
// an edge touches the edge on the adjacent face: there the edge's axis is the major one, and the old major
// coordinate is half a texel less than 1. That is exact, whereas the direction of a texel beyond the face's
// plane would slide along the edge.
Taps TexelReader::fetch_cube_taps(AccessDraft& draft, const FacePosition& face, const Footprint& footprint) {
  const Value size = mip_size(draft, BindingFact::width, footprint.mip);
  const Value half_texel = emit(Op::fdiv, {real(1.0f), emit(Op::utof, {size})});
  const auto center = [&](Value texel) {
    const Value odd = emit(Op::itof, {emit(Op::imad, {texel, word(2), word(1)})});
    const Value at = emit(Op::ffma, {odd, half_texel, real(-1.0f)});
    return emit(Op::fmin, {emit(Op::fmax, {at, real(-1.0f)}), real(1.0f)});
  };
  const std::array<Value, 2> s = {center(footprint.x[0]), center(footprint.x[1])};
  const std::array<Value, 2> t = {center(footprint.y[0]), center(footprint.y[1])};
  const Value beyond = emit(Op::fadd, {real(1.0f), emit(Op::fneg, {half_texel})});
  const auto turned = [&](Value value) {
    return emit(Op::select, {face.negative, emit(Op::fneg, {value}), value});
  };
  const auto choose = [&](Value for_z, Value for_y, Value for_x) {
    return emit(Op::select, {face.z_major, for_z, emit(Op::select, {face.y_major, for_y, for_x})});
  };
  Taps taps;
  for (uint32_t i = 0; i < 4; ++i) {
    const Value on_face = emit(Op::pand, {footprint.x_inside[i & 1], footprint.y_inside[i >> 1]});
    const Value major = turned(emit(Op::select, {on_face, real(1.0f), beyond}));
    const Value tap_s = s[i & 1], tap_t = t[i >> 1];
    const Value turned_s = turned(tap_s), turned_t = turned(tap_t);
    const Value minus_s = emit(Op::fneg, {turned_s}), minus_t = emit(Op::fneg, {tap_t});
    AccessBuilder fetch(tap_contract(draft));
    fetch.set(Slot::guard, draft.guard);
    fetch.set(Slot::coordinate0, choose(turned_s, tap_s, major));
    fetch.set(Slot::coordinate1, choose(minus_t, major, minus_t));
    fetch.set(Slot::coordinate2, choose(major, turned_t, minus_s));
    if (draft.access.has(Slot::layer)) fetch.set(Slot::layer, draft.access.get(Slot::layer));
    if (draft.access.has(Slot::resource_index))
      fetch.set(Slot::resource_index, draft.access.get(Slot::resource_index));
    fetch.set(Slot::lod, footprint.mip);
    const Value first = fetch.emit(builder_, Op::tex_fetch);
    taps[i] = {first, draft.access.contract.feedback ? first + 4 : kNoValue};
  }
  return taps;
}

// Three texels meet at a corner. The fourth value is the average of the three (`join` is fadd), or the
// three statuses joined.
void TexelReader::fill_cube_corner(const Footprint& footprint, std::array<Value, 4>& taps, Op join) {
  const std::array<Value, 4> given = taps;
  for (uint32_t i = 0; i < 4; ++i) {
    const Value outside = emit(Op::pand, {emit(Op::pnot, {footprint.x_inside[i & 1]}),
                                          emit(Op::pnot, {footprint.y_inside[i >> 1]})});
    Value rest = emit(join, {given[(i + 1) & 3], emit(join, {given[(i + 2) & 3], given[(i + 3) & 3]})});
    if (join == Op::fadd) rest = emit(Op::fmul, {rest, real(1.0f / 3.0f)});
    taps[i] = emit(Op::select, {outside, rest, given[i]});
  }
}

}  // namespace texlate::ir
