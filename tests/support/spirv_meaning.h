// What a SPIR-V module does, as a list of numbers: two modules with the same list do the same for all inputs.
//
// Every component of every value is the hash of the expression that makes it; vectors are nothing but their
// components. What can be seen from outside (stores, image writes, atomics, jumps, what phis choose between)
// is listed in order with the hashes of its operands. So an operation on vectors equals the scalar operations
// that it stands for, and nothing else does: neither another order of effects, nor a component in another
// place, nor a NoContraction that got lost. A dot product equals FMul, Fma, Fma ... from the first component
// on. Knows nothing of the emitter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace texlate::spirv {

/// Labels and phis count in the order in which they are met, variables and specialization constants in that
/// of their declarations. With `effects`, the opcode of each listed entry is appended to it.
std::vector<uint64_t> meaning(std::span<const uint32_t> words, std::string* effects = nullptr);

}  // namespace texlate::spirv
