// An interpreter of shader assembly (not of the IR), to check lowering. It is written from the Direct3D
// 11.3 functional specification alone and shares no code with the front end's lowering or with the
// executors.
//
// It records how much of each word Direct3D determines. A random program may compute what the specification
// leaves open (the last bits of rsq, the choice of a NaN); then only what is determined is compared.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"

namespace texlate::test {

enum class Known : uint8_t {
  exact,  // these bits
  nan,    // any NaN
  close,  // a float within `slack` of this one
  open,   // not determined by Direct3D
};

struct Word {
  uint32_t bits = 0;
  Known known = Known::exact;
  float slack = 0;

  static Word open() { return {0, Known::open, 0}; }
  bool is(uint32_t other) const;  // true if these can be the bits
};
inline Word exact(uint32_t bits) {
  return {bits, Known::exact, 0};
}
using Vector = std::array<Word, 4>;

/// A texture whose texels have four 32-bit words, or one: R32G32B32A32, R32.
struct TextureData {
  sm4::ResourceDimension dimension = sm4::ResourceDimension::texture2d;
  uint32_t width = 1, height = 1;
  uint32_t depth = 1;  // or number of layers; six per cube
  uint32_t mips = 1;
  uint32_t samples = 1;
  std::vector<std::vector<std::array<uint32_t, 4>>>
      texels;  // one vector per mip: x, then y, then z, then sample

  uint32_t components = 4;

  std::array<uint32_t, 3> size(uint32_t mip) const;
  void fill();  // allocates memory
  std::array<uint32_t, 4>& at(uint32_t mip, uint32_t x, uint32_t y, uint32_t z, uint32_t sample = 0);
  const std::array<uint32_t, 4>& at(uint32_t mip, uint32_t x, uint32_t y, uint32_t z,
                                    uint32_t sample = 0) const;
};

/// Raw, structured or typed (four words per element, or one).
struct BufferData {
  std::vector<uint32_t> words;
  uint32_t words_per_element = 1;  // of a structure, or of a typed element
  uint32_t counter = 0;
};

/// D3D11_TEXTURE_ADDRESS_MODE.
enum class Address : uint8_t { wrap = 1, mirror = 2, clamp = 3, border = 4, mirror_once = 5 };

/// MinLOD = MaxLOD fixes the level, so that the result does not depend on how a level is computed.
struct SamplerData {
  bool linear = false;
  std::array<Address, 3> address{Address::wrap, Address::wrap, Address::wrap};
  uint32_t mip = 0;
  uint32_t comparison = 4;  // D3D11_COMPARISON_FUNC: 1 never .. 8 always
  std::array<float, 4> border{};
};

struct MachineBindings {
  std::map<uint32_t, std::vector<std::array<uint32_t, 4>>> constant_buffers;
  std::map<uint32_t, TextureData> textures;      // t#
  std::map<uint32_t, BufferData> buffers;        // t#
  std::map<uint32_t, TextureData> uav_textures;  // u#
  std::map<uint32_t, BufferData> uav_buffers;    // u#
  std::map<uint32_t, SamplerData> samplers;
};

enum class Outcome : uint8_t {
  finished,
  open,         // a branch, or the address of a store or an atomic, depends on an undetermined value
  endless,      // more steps than allowed
  unsupported,  // an instruction that the machine lacks: `problem` is its name
};

struct Lane {
  std::vector<Vector> temps;
  std::map<uint32_t, std::vector<Vector>> indexable;
  std::array<Vector, 32> inputs{};
  std::array<Vector, 32> outputs{};
  Word depth, coverage, stencil;
  std::array<uint32_t, 3> thread{}, group{}, thread_in_group{};
  uint32_t flattened = 0;
  bool discarded = false;
};

/// Runs up to 64 lanes of one program in lockstep: the pixels of quads (four lanes each, x first), vertices,
/// or one thread group.
class AssemblyMachine {
 public:
  AssemblyMachine(const sm4::Program& program, MachineBindings& bindings);

  Outcome run(std::vector<Lane>& lanes);
  const std::string& problem() const { return problem_; }
  /// True if run() supports the opcode.
  static bool knows(sm4::Opcode opcode);

  static constexpr uint64_t kMaxSteps = 1'000'000;

 private:
  using Mask = uint64_t;
  struct Frame {  // a loop or switch
    Mask broken = 0;
    Mask continued = 0;
    bool loop = false;
  };

  // assembly_machine.cpp: control flow, operands
  void prepare();
  Mask run(size_t first, size_t last, Mask mask);
  Mask run_switch(size_t first, size_t last, Mask mask);
  Mask call(const sm4::Operand& target, Mask mask);
  Mask jump(const sm4::Instruction& instruction, Mask mask);
  Mask test(const sm4::Instruction& instruction, const sm4::Operand& condition, Mask mask);
  void stop(Outcome outcome);

  const sm4::Operand& operand(const sm4::Instruction& instruction, uint32_t i) const {
    return program_.operands[instruction.first_operand + i];
  }
  Word raw(const Lane& lane, const sm4::Operand& operand, uint32_t component);
  Word source(const Lane& lane, const sm4::Instruction& instruction, uint32_t i, uint32_t component);
  Vector source(const Lane& lane, const sm4::Instruction& instruction, uint32_t i);
  Word index(const Lane& lane, const sm4::OperandIndex& index);
  void write(Lane& lane, const sm4::Instruction& instruction, uint32_t i, const Vector& value);

  // assembly_arithmetic.cpp
  bool arithmetic(Lane& lane, const sm4::Instruction& instruction);
  bool integer(Lane& lane, const sm4::Instruction& instruction);
  bool two_results(Lane& lane, const sm4::Instruction& instruction);
  bool doubles(Lane& lane, const sm4::Instruction& instruction);
  double double_operand(const Lane& lane, const sm4::Instruction& instruction, uint32_t i, uint32_t k,
                        bool& known);
  void derivative(const sm4::Instruction& instruction, Mask mask);

  // assembly_resources.cpp
  bool resource(Lane& lane, const sm4::Instruction& instruction);
  void fetch(Lane& lane, const sm4::Instruction& instruction);
  void sample(Lane& lane, const sm4::Instruction& instruction);
  void information(Lane& lane, const sm4::Instruction& instruction);
  void load_words(Lane& lane, const sm4::Instruction& instruction);
  void store_words(Lane& lane, const sm4::Instruction& instruction);
  void typed_view(Lane& lane, const sm4::Instruction& instruction);
  void atomic(Lane& lane, const sm4::Instruction& instruction);
  void count(Lane& lane, const sm4::Instruction& instruction);
  uint32_t* word_of(Lane& lane, const sm4::Instruction& instruction, uint32_t view, uint32_t address,
                    bool& open);
  BufferData* words_of(const sm4::Operand& view);
  void write_result(Lane& lane, const sm4::Instruction& instruction, uint32_t view, const Vector& value);

  const sm4::Program& program_;
  MachineBindings& bindings_;
  std::vector<Lane>* lanes_ = nullptr;
  std::vector<size_t> ends_;  // for an opener or else: the position of its else or end
  std::map<uint32_t, size_t> labels_;
  std::map<uint32_t, BufferData> shared_;  // g#
  std::vector<std::array<uint32_t, 4>> immediate_rows_;
  std::vector<Frame> frames_;
  std::vector<Mask> returned_;  // for each call that is running
  size_t main_end_ = 0;
  uint64_t steps_ = 0;
  Outcome outcome_ = Outcome::finished;
  std::string problem_;
};

}  // namespace texlate::test
