// The two by two texels that bilinear filtering and gather4 read, computed with integer addresses.
#pragma once

#include "ir/passes/legalize_level.h"

namespace texlate::ir {

/// Texel columns 0, 1 and rows 0, 1 after the address mode, and the weights of column 1 and row 1.
struct Footprint {
  std::array<Value, 2> x;
  std::array<Value, 2> y;
  std::array<Value, 2> x_inside;  // b1: not a border texel; kNoValue: always inside
  std::array<Value, 2> y_inside;
  Value x_weight = kNoValue;  // float, multiples of 1/256
  Value y_weight = kNoValue;
  Value mip = kNoValue;
  bool is_cube = false;  // a texel that is not inside is on the next face; if neither x nor y is inside, it
                         // does not exist
};

/// The mip to read, the weight of the one after it, and the filter within a mip.
struct MipChoice {
  Value first;   // u32
  Value weight;  // float, 0 where the sampler does not blend, and where `first` is the last mip
  Value linear;  // b1
};

/// A texel read by inserted code, and its residency status; kNoValue: not requested.
struct Tap {
  Value texel = kNoValue;
  Value status = kNoValue;
};
using Taps = std::array<Tap, 4>;

/// Reads the texels of a footprint with integer fetches.
class TexelReader : TextureRewriter {
 public:
  TexelReader(TextureRewrite& rewrite, SampleLevels& levels) : TextureRewriter(rewrite), levels_(levels) {}

  MipChoice choose_mips(AccessDraft& draft);
  Footprint make_footprint(AccessDraft& draft, Value mip, Value linear);
  Tap fetch_tap(AccessDraft& draft, const Footprint& footprint, uint32_t tap, uint32_t component,
                Value bound);
  Value blend(const Footprint& footprint, const std::array<Value, 4>& taps);
  Value status_of(const Footprint& footprint, const Taps& taps);

  // legalize_cube.cpp
  /// Where a direction meets its face: (s, t) in -major..major, oriented as in Direct3D.
  struct FacePosition {
    Value z_major, y_major, negative;  // b1: which face
    Value s, t, major;
  };
  bool fetches_cubes(Dimension dimension) const;
  FacePosition position_on_face(AccessDraft& draft);
  Footprint cube_footprint_of_mip(AccessDraft& draft, const FacePosition& face, Value mip, Value linear);
  Taps fetch_cube_taps(AccessDraft& draft, const FacePosition& face, const Footprint& footprint);
  void fill_cube_corner(const Footprint& footprint, std::array<Value, 4>& taps, Op join);

 private:
  struct AxisPosition {
    Value point;     // s32: the texel of a point sample
    Value first;     // s32: the first texel of a linear sample
    Value fraction;  // and the weight of the second one
  };
  struct AddressedTexel {
    Value texel;
    Value inside;  // b1
  };
  Value reduced_coordinate(Value coordinate, Value mode);
  AxisPosition axis_position(Value coordinate, Value size);
  AddressedTexel address_texel(Value mode, Value texel, Value size);
  Value footprint_offset(AccessDraft& draft, uint32_t axis);
  static ResourceAccess tap_contract(const AccessDraft& draft);
  Value border_of_view(AccessDraft& draft, Value border);

  SampleLevels& levels_;
};

}  // namespace texlate::ir
