// Inputs and outputs of a program, for validate(): registers, their system values, the ranges that may be
// indexed, and what a stage takes and gives: control points, primitives, streams, tessellation factors.
#pragma once

#include <array>
#include <bitset>
#include <vector>

#include "frontend/sm4/validation_state.h"

namespace texlate::sm4 {

class InterfaceChecker {
 public:
  explicit InterfaceChecker(ValidationState& state) : state_(state) {}

  /// Checks one declaration and adds it to the state. Others than those of the interface have no effect.
  void declare(const Instruction& dcl);
  /// At the beginning of a stream, or of a phase of a hull shader: system values belong to its outputs.
  void start_outputs();
  /// After all declarations: first the ranges that may be indexed, then what several declarations say
  /// together.
  void check_range_interpolations();
  void finish();

 private:
  void declare_io(const Instruction& dcl);
  bool start_next_stream();
  void declare_by_name(const Instruction& dcl, const Operand& operand);
  void check_system_value(const Instruction& dcl, const Operand& operand);
  void count_distances(const Instruction& dcl, const Operand& operand);
  void declare_index_range(const Instruction& dcl);
  void note_interpolation(uint32_t id, uint32_t mask, Interpolation interpolation);
  void check_range_interpolation(const Instruction& dcl);
  void declare_stream(const Instruction& dcl);
  void declare_maxout(const Instruction& dcl);
  void declare_gs_instances(const Instruction& dcl);
  void check_gs_vertices(const Instruction& dcl);
  void check_tessellator();
  void check_inside_factors(uint32_t domain);

  ValidationState& state_;
  std::array<std::array<Interpolation, 4>, kMaxIo> interpolations_{};   // of a pixel shader's inputs
  std::pmr::vector<const Instruction*> pixel_ranges_{&state_.scratch};  // dcl_indexrange of those
  std::array<uint8_t, kMaxIo> stream_outputs_{};  // of the stream or hull phase being declared
  std::bitset<32> declared_values_;               // system values of its outputs
  uint32_t distances_[2] = {};                    // clip and cull distances: of inputs, of its outputs
  uint32_t streams_without_outputs_ = 0;          // among those declared last
  uint32_t max_vertices_ = 0;  // of one invocation of a geometry shader; 0: not declared yet
  uint32_t gs_instances_ = 1;
  const Instruction* primitive_ = nullptr;      // dcl_inputprimitive
  const Instruction* input_points_ = nullptr;   // dcl_input_control_point_count
  const Instruction* output_points_ = nullptr;  // dcl_output_control_point_count
  const Instruction* tessellator_domain_ = nullptr;
  const Instruction* tessellator_output_ = nullptr;  // dcl_tessellator_output_primitive
  std::bitset<32> declared_factors_;                 // system values: tessellation factors of all phases
  std::array<const Instruction*, kQuadDomain + 1> factors_{};  // by domain: the first that is declared
};

}  // namespace texlate::sm4
