// The meaning of a SPIR-V module as a list of numbers: modules with the same list behave the same for all
// inputs.
//
// Every component of every value is the hash of the expression that computes it; a vector is the list of its
// components. Everything observable from outside (stores, image writes, atomics, jumps, the values that phis
// choose from) is listed in order with the hashes of its operands. An operation on vectors thus equals the
// scalar operations that it replaces. Any other change gives a different list: another order of effects, a
// component in another position, or a lost NoContraction. A dot product equals FMul, Fma, Fma ... from the
// first component on. It is independent of the emitter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace texlate::spirv {

/// Labels and phis are numbered by first occurrence, variables and specialization constants by declaration.
/// With `effects`, the opcode of each listed entry is appended to it.
std::vector<uint64_t> meaning(std::span<const uint32_t> words, std::string* effects = nullptr);

}  // namespace texlate::spirv
