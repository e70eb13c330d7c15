// What the interpreter keeps for lanes of hull, domain and geometry shaders.
#pragma once

#include "sim/ir/primitive_launch.h"

namespace texlate::sim {

/// What a lane works on. Instance: control point, fork or join instance, domain point, instance of a geometry
/// shader.
struct Origin {
  uint32_t primitive = 0, instance = 0;
};

/// Who read and wrote a patch constant last. Instances of one phase run in any order.
struct PatchConstant {
  static constexpr uint32_t kNobody = 0xffffffffu;
  static constexpr uint32_t kSeveral = 0xfffffffeu;
  uint32_t writing_phase = kNobody, writer = kNobody;
  uint32_t reading_phase = kNobody, reader = kNobody;
};

/// What one lane has emitted.
struct Emission {
  std::vector<EmittedVertex> vertices;
  std::vector<uint32_t> words;
  std::vector<uint8_t> written;
  uint32_t open_streams = 0;  // with a vertex since the last cut
  uint32_t count = 0;         // with those that were dropped
};

}  // namespace texlate::sim
