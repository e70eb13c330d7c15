// Sums of products that share one factor and are kept separate for precision:
//   dp4 r0.x, v0, cb0[0]    dp4 r0.y, v0, cb0[1]    dp4 r0.z, v0, cb0[2]    dp4 r0.w, v0, cb0[3]
// OpDot may add in any order, so a precise dot product is written as a product and separate sums, one
// component after the other. For several dot products, the rows are transposed into columns, and each step is
// one instruction for all of them: every lane computes what it computed before, in the same order.
#pragma once

#include <array>

#include "backend/spirv/survey.h"

namespace texlate::spirv {

/// Rows times one vector, each a chain of consecutive fmul and ffma.
struct Product {
  uint32_t count = 0, length = 0;      // number of chains, instructions in each
  uint32_t width = 0;                  // of the vectors that the rows are
  std::array<uint32_t, 4> chains{};    // index of the first instruction
  std::array<ir::Value, 4> rows{};     // the first component
  std::array<ir::Value, 4> factors{};  // the common factor of each step

  /// The instruction at which all of them can be computed: the last one.
  uint32_t last() const { return chains[count - 1] + length - 1; }
};

struct Products {
  explicit Products(std::pmr::monotonic_buffer_resource& arena) : by_instruction(&arena), all(&arena) {}

  ArenaBuffer<uint32_t> by_instruction;  // index into `all`, or kNoIndex; empty: there are none
  ArenaBuffer<Product> all;
};

/// Looks for products in straight-line code, and records that their rows are needed.
void find_products(const ir::Module& module, Survey& survey, Products& products);

}  // namespace texlate::spirv
