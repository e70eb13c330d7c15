#include "tests/support/spirv_meaning.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp>

namespace texlate::spirv {

namespace {

using Hash = uint64_t;
using Components = std::vector<Hash>;

Hash mix(Hash a, Hash b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  a *= 0xff51afd7ed558ccdu;
  return a ^ a >> 32;
}

/// True if it works on each component separately (SPIR-V 3.42.11 to 3.42.16: conversion, arithmetic, bits,
/// relations, derivatives).
bool is_by_component(uint32_t op) {
  if (op == spv::OpSelect || op == spv::OpBitcast) return true;
  if (op >= spv::OpConvertFToU && op <= spv::OpFConvert) return true;
  if (op >= spv::OpSNegate && op <= spv::OpFMod) return true;
  if (op >= spv::OpIsNan && op <= spv::OpFUnordGreaterThanEqual) return true;
  if (op >= spv::OpShiftRightLogical && op <= spv::OpBitCount) return true;
  return op >= spv::OpDPdx && op <= spv::OpFwidthCoarse;
}

bool is_by_component(GLSLstd450 instruction) {
  if (instruction >= GLSLstd450FindILsb && instruction <= GLSLstd450FindUMsb) return true;
  if (instruction >= GLSLstd450NMin && instruction <= GLSLstd450NClamp) return true;
  return instruction >= GLSLstd450Round && instruction <= GLSLstd450Fma;
}

bool has_effect(uint32_t op) {
  if (op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor) return true;
  switch (op) {
    case spv::OpStore:
    case spv::OpImageWrite:
    case spv::OpControlBarrier:
    case spv::OpMemoryBarrier:
    case spv::OpFunctionCall: return true;
    default: return false;
  }
}

class Meaning {
 public:
  Meaning(std::span<const uint32_t> words, std::string* effects) : words_(words), names_(effects) {}

  std::vector<Hash> run() {
    for (size_t at = 5; at < words_.size(); at += words_[at] >> 16)
      visit(words_.subspan(at, words_[at] >> 16));
    for (const auto& phi : phis_) {
      for (size_t w = 3; w + 1 < phi.size(); w += 2) {
        entry(mix(number(phi[2]), number(phi[w + 1])), {phi[0] & 0xffff}, components(phi[w]));
      }
    }
    return list_;
  }

 private:
  const Components& components(uint32_t id) {
    const auto [where, fresh] = values_.try_emplace(id);
    if (fresh) where->second = {mix(0x1d, number(id))};
    return where->second;
  }

  /// Ids of labels, phis and variables, in the order of their first occurrence.
  uint32_t number(uint32_t id) {
    return numbers_.try_emplace(id, static_cast<uint32_t>(numbers_.size())).first->second;
  }

  void entry(Hash hash, std::initializer_list<uint32_t> op, const Components& operands) {
    for (const Hash operand : operands) hash = mix(hash, operand);
    list_.push_back(hash);
    if (names_ != nullptr) *names_ += " " + std::to_string(*op.begin());
  }

  void set(uint32_t type, uint32_t id, Hash hash) {
    Components& made = values_[id];
    const uint32_t size = size_of(type);
    made.clear();
    for (uint32_t c = 0; c < size; ++c) made.push_back(size == 1 ? hash : mix(hash, c + 1));
  }

  uint32_t size_of(uint32_t type) const {
    const auto vector = vectors_.find(type);
    return vector == vectors_.end() ? 1 : vector->second.second;
  }
  uint32_t component_type(uint32_t type) const {
    const auto vector = vectors_.find(type);
    return vector == vectors_.end() ? type : vector->second.first;
  }

  void visit(std::span<const uint32_t> w) {
    const uint32_t op = w[0] & 0xffff;
    switch (op) {
      case spv::OpDecorate:
        if (w[2] == spv::DecorationNoContraction) precise_.insert(w[1]);
        return;
      case spv::OpTypeVector: vectors_[w[1]] = {w[2], w[3]}; return;
      case spv::OpTypeMatrix: matrices_[w[1]] = {size_of(w[2]), w[3]}; return;
      case spv::OpTypeInt: known_types_[w[1]] = 2; return;
      case spv::OpTypeFloat:
        known_types_[w[1]] = 3;
        if (w[2] == 64) doubles_.insert(w[1]);
        return;
      case spv::OpTypeBool:
        bool_ = w[1];
        known_types_[bool_] = 4;
        return;
      case spv::OpConstant:
      case spv::OpConstantTrue:
      case spv::OpConstantFalse: {
        Hash hash = mix(op, type_hash(w[1]));
        for (size_t i = 3; i < w.size(); ++i) hash = mix(hash, w[i]);
        values_[w[2]] = {hash};
        return;
      }
      case spv::OpUndef: return set(w[1], w[2], mix(op, type_hash(component_type(w[1]))));
      case spv::OpConstantNull: {
        // For vectors, the same as a composite of zeros; for booleans, of false values.
        const uint32_t type = component_type(w[1]);
        Hash zero = mix(type == bool_ ? spv::OpConstantFalse : spv::OpConstant, type_hash(type));
        if (type != bool_) zero = mix(zero, 0);
        if (doubles_.contains(type)) zero = mix(zero, 0);
        values_[w[2]] = Components(size_of(w[1]), zero);
        return;
      }
      case spv::OpConstantComposite:
      case spv::OpCompositeConstruct: return concatenate(w);
      case spv::OpCompositeExtract: return extract(w);
      case spv::OpCompositeInsert: {
        Components made = components(w[4]);
        made.at(w[5]) = components(w[3]).at(0);
        values_[w[2]] = made;
        return;
      }
      case spv::OpVectorShuffle: {
        Components both = components(w[3]);
        const Components second = components(w[4]);
        both.insert(both.end(), second.begin(), second.end());
        Components& made = values_[w[2]];
        made.clear();
        for (size_t i = 5; i < w.size(); ++i) made.push_back(both.at(w[i]));
        return;
      }
      case spv::OpVectorTimesScalar: {
        const Components vector = components(w[3]);
        const Components scalar(vector.size(), components(w[4]).at(0));
        return by_component(w[1], w[2], spv::OpFMul, {vector, scalar});
      }
      case spv::OpDot: return dot(w);
      case spv::OpTranspose: {
        const auto [rows, columns] = matrices_.at(w[1]);
        const Components from = components(w[3]);
        Components& made = values_[w[2]];
        made.clear();
        for (uint32_t c = 0; c < columns; ++c) {
          for (uint32_t r = 0; r < rows; ++r) made.push_back(from.at(r * columns + c));
        }
        return;
      }
      case spv::OpPhi:
        set(w[1], w[2], mix(op, number(w[2])));
        phis_.push_back(w);
        return;
      case spv::OpLabel:
      case spv::OpFunction:
      case spv::OpFunctionEnd:
      case spv::OpFunctionParameter:
        if (op == spv::OpFunction) inside_ = true;
        return entry(mix(op, w.size() > 2 ? number(w[2]) : w.size() > 1 ? number(w[1]) : 0), {op}, {});
      case spv::OpLine: return;
      // Values that are not computed are identified by the order of their declarations, which does not change
      // if operations move.
      case spv::OpVariable: number(w[2]); return;
      case spv::OpSpecConstantTrue:
      case spv::OpSpecConstantFalse:
      case spv::OpSpecConstant: values_[w[2]] = {mix(op, number(w[2]))}; return;
      default: break;
    }
    if (!inside_) return;
    if (op == spv::OpExtInst && is_by_component(static_cast<GLSLstd450>(w[4]))) {
      return by_component(w[1], w[2], 0x10000 + w[4], operands(w, 5));
    }
    // Two words to a double and back, which is independent of the list's order.
    if (op == spv::OpBitcast && components(w[3]).size() != size_of(w[1])) {
      Hash hash = mix(op, type_hash(component_type(w[1])));
      for (const Hash component : components(w[3])) hash = mix(hash, component);
      return set(w[1], w[2], hash);
    }
    if (is_by_component(op)) return by_component(w[1], w[2], op, operands(w, 3));
    other(w, op);
  }

  Hash type_hash(uint32_t type) const {
    const auto known = known_types_.find(type);
    return known == known_types_.end() ? type : known->second;
  }

  std::vector<Components> operands(std::span<const uint32_t> w, size_t first) {
    std::vector<Components> all;
    for (size_t i = first; i < w.size(); ++i) all.push_back(components(w[i]));
    return all;
  }

  void by_component(uint32_t type, uint32_t id, uint32_t op, const std::vector<Components>& operands) {
    Components made;
    const bool precise = precise_.contains(id);
    for (uint32_t c = 0; c < size_of(type); ++c) {
      std::vector<Hash> inputs;
      for (const Components& operand : operands) inputs.push_back(operand.at(c));
      made.push_back(operation(op, component_type(type), precise, inputs));
    }
    values_[id] = made;
  }

  /// True if the first two operands may be swapped. `op`: of GLSL.std.450 plus 0x10000.
  static bool is_commutative(uint32_t op) {
    switch (op) {
      case spv::OpFAdd:
      case spv::OpFMul:
      case spv::OpIAdd:
      case spv::OpIMul:
      case spv::OpBitwiseAnd:
      case spv::OpBitwiseOr:
      case spv::OpBitwiseXor:
      case spv::OpLogicalAnd:
      case spv::OpLogicalOr:
      case spv::OpLogicalEqual:
      case spv::OpLogicalNotEqual:
      case spv::OpIEqual:
      case spv::OpINotEqual:
      case spv::OpFOrdEqual:
      case spv::OpFUnordNotEqual:
      case 0x10000 + GLSLstd450Fma:
      case 0x10000 + GLSLstd450SMin:
      case 0x10000 + GLSLstd450SMax:
      case 0x10000 + GLSLstd450UMin:
      case 0x10000 + GLSLstd450UMax: return true;
      default: return false;
    }
  }

  Hash operation(uint32_t op, uint32_t type, bool precise, std::vector<Hash> inputs) {
    if (is_commutative(op)) std::sort(inputs.begin(), inputs.begin() + 2);
    Hash hash = mix(mix(op, type_hash(type)), precise ? 1 : 0);
    for (const Hash input : inputs) hash = mix(hash, input);
    return hash;
  }

  void dot(std::span<const uint32_t> w) {
    const Components a = components(w[3]), b = components(w[4]);
    const bool precise = precise_.contains(w[2]);
    Hash sum = operation(spv::OpFMul, w[1], precise, {a.at(0), b.at(0)});
    for (size_t c = 1; c < a.size(); ++c) {
      sum = operation(0x10000 + GLSLstd450Fma, w[1], precise, {a.at(c), b.at(c), sum});
    }
    values_[w[2]] = {sum};
  }

  void concatenate(std::span<const uint32_t> w) {
    Components made;
    for (size_t i = 3; i < w.size(); ++i) {
      const Components& part = components(w[i]);
      made.insert(made.end(), part.begin(), part.end());
    }
    values_[w[2]] = made;
  }

  void extract(std::span<const uint32_t> w) {
    const Components whole = components(w[3]);
    if (const uint32_t size = size_of(w[1]); w.size() == 5 && size > 1 && whole.size() > size) {
      // A column of a matrix.
      values_[w[2]] = Components(whole.begin() + w[4] * size, whole.begin() + (w[4] + 1) * size);
      return;
    }
    if (w.size() == 5 && whole.size() > 1) {
      values_[w[2]] = {whole.at(w[4])};
      return;
    }
    Hash hash = spv::OpCompositeExtract;
    for (const Hash component : whole) hash = mix(hash, component);
    for (size_t i = 4; i < w.size(); ++i) hash = mix(hash, w[i]);
    set(w[1], w[2], hash);
  }

  /// Everything else: the result depends on the operands and on all previous effects.
  void other(std::span<const uint32_t> w, uint32_t op) {
    bool has_result = false, has_type = false;
    spv::HasResultAndType(static_cast<spv::Op>(op), &has_result, &has_type);
    Hash hash = op;
    for (size_t i = has_type ? 3 : 1; i < w.size(); ++i) {
      // Literals are hashed like ids with that number, which is the same in both modules. An id that has been
      // defined is hashed as its components.
      const auto value = values_.find(w[i]);
      if (is_label(op, i)) {
        hash = mix(hash, number(w[i]));
      } else if (is_literal(op, i)) {
        hash = mix(hash, w[i]);
      } else if (value == values_.end()) {
        hash = mix(hash, number(w[i]));
      } else {
        for (const Hash component : value->second) hash = mix(hash, component);
      }
    }
    if (!has_type || has_effect(op)) entry(hash, {op}, {});
    if (has_type) set(w[1], w[2], op == spv::OpAccessChain ? hash : mix(hash, list_.size()));
  }

  static bool is_label(uint32_t op, size_t w) {
    switch (op) {
      case spv::OpSelectionMerge: return w == 1;
      case spv::OpLoopMerge: return w <= 2;
      case spv::OpBranch: return true;
      case spv::OpBranchConditional: return w > 1;
      case spv::OpSwitch: return w > 1 && w % 2 == 0;
      default: return false;
    }
  }

  /// The words of an instruction that are masks or numbers (SPIR-V 3.42).
  static bool is_literal(uint32_t op, size_t w) {
    switch (op) {
      case spv::OpImageSampleImplicitLod:
      case spv::OpImageSampleExplicitLod:
      case spv::OpImageFetch:
      case spv::OpImageRead:
      case spv::OpImageSparseSampleImplicitLod:
      case spv::OpImageSparseSampleExplicitLod:
      case spv::OpImageSparseFetch:
      case spv::OpImageSparseRead: return w == 5;
      case spv::OpImageSampleDrefImplicitLod:
      case spv::OpImageSampleDrefExplicitLod:
      case spv::OpImageGather:
      case spv::OpImageDrefGather:
      case spv::OpImageSparseSampleDrefImplicitLod:
      case spv::OpImageSparseSampleDrefExplicitLod:
      case spv::OpImageSparseGather:
      case spv::OpImageSparseDrefGather: return w == 6;
      case spv::OpExtInst:
      case spv::OpImageWrite: return w == 4;
      case spv::OpSwitch: return w > 1;
      case spv::OpSelectionMerge:
      case spv::OpLoopMerge:
      case spv::OpBranch: return true;
      case spv::OpBranchConditional: return w > 1;
      default: return false;
    }
  }

  std::span<const uint32_t> words_;
  std::string* names_;
  std::map<uint32_t, Components> values_;
  std::map<uint32_t, uint32_t> numbers_;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> vectors_;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> matrices_;  // rows, columns
  std::map<uint32_t, uint32_t> known_types_;
  std::set<uint32_t> precise_, doubles_;
  uint32_t bool_ = 0;
  std::vector<std::span<const uint32_t>> phis_;
  std::vector<Hash> list_;
  bool inside_ = false;
};

}  // namespace

std::vector<uint64_t> meaning(std::span<const uint32_t> words, std::string* effects) {
  return Meaning(words, effects).run();
}

}  // namespace texlate::spirv
