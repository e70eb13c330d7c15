// Inputs and outputs: those of pixels, vertices and threads (interface.cpp), those of primitives
// (primitives.cpp).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/ir/lanes.h"

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

/// o# and the other outputs: planes with a word for each lane.
class Outputs {
 public:
  explicit Outputs(const Lanes& lanes);

  void clear();
  void store(Lanes& lanes, const Step& step);
  /// Copies the declared ones of a lane. That of plane p goes to p * stride + at; `assigned` may be empty.
  void copy(uint32_t lane, size_t stride, size_t at, std::span<uint32_t> words,
            std::span<uint8_t> assigned) const;
  /// Appends all of a lane to the emission, if there is one, and clears them.
  void take(uint32_t lane, Emission* emission);
  /// By plane.
  std::span<const uint8_t> declared() const { return declared_; }

 private:
  const uint32_t lanes_;
  std::vector<uint32_t> words_;            // by plane and lane
  std::vector<uint8_t> written_;           // the same
  std::vector<uint8_t> declared_;          // by plane
  std::array<uint32_t, 256> registers_{};  // of those that are not o#, from kSpecialRegister on
};

/// What hull, domain and geometry shaders read and write, besides their outputs.
class Primitives {
 public:
  Primitives(Lanes& lanes, Outputs& outputs);

  void start(const HullLaunch& launch);
  void start(const DomainLaunch& launch);
  void start(const GeometryLaunch& launch);
  /// Before the lane runs.
  void start(uint32_t lane, const Origin& origin);
  /// Hull shaders: nobody has written or read a patch constant yet.
  void start_patch();
  /// Those of the current patch that were written.
  void note_assigned_constants(uint32_t patch) const;
  const Emission& emission(uint32_t lane) const { return emissions_[lane]; }

  void load_input(const Step& step);
  void load_control_point(const Step& step);
  void load_patch_constant(const Step& step);
  void store_patch_constant(const Step& step);
  uint32_t system_value(ir::SystemValue value, uint32_t component, uint32_t lane) const;
  void emit_vertex(const Step& step);
  void cut_strip(const Step& step);

 private:
  void load_vertex(const Step& step, std::span<const uint32_t> planes, std::span<const uint8_t> declared,
                   uint32_t vertices);

  Lanes& lanes_;
  Outputs& outputs_;
  std::vector<uint8_t> declared_inputs_;  // by plane
  const PrimitiveInputs* inputs_ = nullptr;
  const HullLaunch* hull_ = nullptr;
  const DomainLaunch* domain_ = nullptr;
  std::vector<Origin> origins_;                 // by lane
  std::vector<PatchConstant> patch_constants_;  // hull shaders: of the current patch, by plane
  std::vector<Emission> emissions_;             // geometry shaders: by lane
};

/// What pixels, vertices and threads read, and their outputs.
class Interface {
 public:
  Interface(Lanes& lanes, Outputs& outputs, Primitives& primitives)
      : lanes_(lanes), outputs_(outputs), primitives_(primitives) {}

  /// Family interface.
  void run(const Step& step);

 private:
  void load_input(const Step& step);
  void load_system_value(const Step& step);
  void evaluate_input(const Step& step);
  uint32_t input_word(uint32_t plane, uint32_t lane) const;
  uint32_t coverage_word(uint32_t lane) const;
  uint32_t samples() const { return lanes_.stream != nullptr ? lanes_.stream->samples : 1; }

  Lanes& lanes_;
  Outputs& outputs_;
  Primitives& primitives_;
};

}  // namespace texlate::sim
