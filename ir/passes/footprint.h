// The two by two texels that bilinear filtering and gather4 read, computed with integer addresses.
#pragma once

#include <array>

#include "ir/module.h"

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

}  // namespace texlate::ir
