// What is the same in all lanes of a warp, and which points all lanes of a warp reach together. An analysis:
// it changes nothing.
//
//   %0 = input v0.x                  ; varies
//   %1..%4 = cb.load cb0[0]          ; uniform
//   %5 = flt.f32 %1, 0.0f
//   if %5                            ; all lanes go the same way
//     %6 = ddx.coarse %0             ; reached by all
//   else
//   endif
//   %7 = flt.f32 %0, 0.0f
//   if %7                            ; lanes diverge here
//     %8 = ddx.coarse %0             ; reached by some
//   else
//   endif
//
// A uniform value is the same in all lanes that reach its definition in the same iteration of every loop
// around it.
#pragma once

#include "ir/structure.h"

namespace texlate::ir {

struct Uniformity {
  explicit Uniformity(std::pmr::memory_resource* memory) : varies(memory), parts(memory), in_part(memory) {}

  /// Why lanes that enter a construct together may be at different places in it.
  enum Parting : uint8_t {
    kBySelection = 1,  // if, switch: the condition varies
    kByExit = 2,       // loop, switch: a break that not all of them take together
    kByTurn = 4,       // loop: a continue that not all of them take together
  };

  std::pmr::vector<uint8_t> varies;   // by value: 1 where lanes may hold different bits
  std::pmr::vector<uint8_t> parts;    // by instruction: Parting of the construct that starts there
  std::pmr::vector<uint8_t> in_part;  // by instruction: 1 where lanes of the warp may be elsewhere or gone
};

/// `module` is in SSA form, `structure` all of its structure. Linear in its size. `has_points`: `in_part` is
/// wanted, too; otherwise, it is void.
Uniformity find_uniformity(const Module& module, const Structure& structure, bool has_points = true);

}  // namespace texlate::ir
