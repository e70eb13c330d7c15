// Where SPIR-V instructions have their operands, and how the vectoriser treats them.
#pragma once

#include <array>
#include <cstdint>
#include <spirv/unified1/spirv.hpp>

namespace texlate::spirv {

enum class Form : uint8_t {
  no_value,
  label,
  value,  // a result and its type; so has all that follows
  extract,
  construct,
  extended,  // of GLSL.std.450
  bit_cast,
  component_wise,  // of scalars as of vectors
};

/// Word of the first operand of what has a result and its type.
constexpr uint8_t first_operand(spv::Op op) {
  return op == spv::OpExtInst ? 5 : 3;
}

struct alignas(8) Layout {
  Form form = Form::no_value;
  uint8_t first = 0;           // word of the first operand
  uint8_t literal = 0;         // number of the operand word that is not an id; 0: none
  uint16_t operands = 0xffff;  // at most; what follows is literal
};

/// The layouts by opcode, worked out once: the opcodes of the core are few and dense.
class Layouts {
 public:
  Layouts();
  Layout operator[](uint32_t opcode) const {
    return opcode < table_.size() ? table_[opcode] : work_out(static_cast<spv::Op>(opcode));
  }

 private:
  static Layout work_out(spv::Op op);

  std::array<Layout, 512> table_;
};

const Layouts& layouts();

}  // namespace texlate::spirv
