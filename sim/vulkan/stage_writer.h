// Writes the modules of our own stages.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

using Id = uint32_t;

inline bool is_position(const InterfaceVariable& variable) {
  return variable.is_builtin && variable.number == spv::BuiltInPosition;
}

/// A minimal module writer: one list of words per section of SPIR-V 2.4.
class StageWriter {
  std::vector<uint32_t> capabilities_, decorations_, globals_, code_;
  std::vector<Id> interface_;
  std::vector<std::array<uint32_t, 3>> vectors_;
  Id bound_ = 1;
  Id words_ = 0, word_pointer_ = 0, zero_ = 0;
  const Id entry_label_ = bound_++;
  struct Loop {
    Id header = 0, again = 0, merge = 0, next = 0, turn = 0;
  };
  Loop loop_;

 public:
  Id id() { return bound_++; }
  Id global(spv::Op op, std::initializer_list<uint32_t> operands) {
    return result(globals_, op, 0, operands);
  }
  Id constant(Id type, uint32_t bits) { return result(globals_, spv::OpConstant, type, {bits}); }
  Id emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return result(code_, op, type, operands);
  }
  void effect(spv::Op op, std::initializer_list<uint32_t> operands) { put(code_, op, operands); }
  void decorate(std::initializer_list<uint32_t> operands) { put(decorations_, spv::OpDecorate, operands); }
  void capability(spv::Capability which) {
    put(capabilities_, spv::OpCapability, {static_cast<uint32_t>(which)});
  }

  Id void_ = global(spv::OpTypeVoid, {});
  Id uint = global(spv::OpTypeInt, {32, 0});
  Id int_ = global(spv::OpTypeInt, {32, 1});
  Id real = global(spv::OpTypeFloat, {32});
  Id scalar(ScalarKind kind) const {
    return kind == ScalarKind::float_ ? real : kind == ScalarKind::int_ ? int_ : uint;
  }
  Id vector(Id of, uint32_t count) {
    if (count == 1) return of;
    for (const auto& known : vectors_) {
      if (known[0] == of && known[1] == count) return known[2];
    }
    vectors_.push_back({of, count, global(spv::OpTypeVector, {of, count})});
    return vectors_.back()[2];
  }
  Id pointer(spv::StorageClass storage, Id to) {
    return global(spv::OpTypePointer, {static_cast<uint32_t>(storage), to});
  }
  Id variable(spv::StorageClass storage, Id type) {
    const Id made =
        result(globals_, spv::OpVariable, pointer(storage, type), {static_cast<uint32_t>(storage)});
    if (storage == spv::StorageClassInput || storage == spv::StorageClassOutput) interface_.push_back(made);
    return made;
  }
  Id builtin(spv::StorageClass storage, Id type, spv::BuiltIn which) {
    const Id made = variable(storage, type);
    decorate({made, spv::DecorationBuiltIn, static_cast<uint32_t>(which)});
    return made;
  }

  /// A storage buffer of words at binding 0.
  void add_words(uint32_t set, bool is_written = false) {
    const Id array = global(spv::OpTypeRuntimeArray, {uint});
    decorate({array, spv::DecorationArrayStride, 4});
    const Id block = global(spv::OpTypeStruct, {array});
    decorate({block, spv::DecorationBlock});
    put(decorations_, spv::OpMemberDecorate, {block, 0, spv::DecorationOffset, 0});
    words_ = variable(spv::StorageClassStorageBuffer, block);
    if (!is_written) decorate({words_, spv::DecorationNonWritable});
    decorate({words_, spv::DecorationDescriptorSet, set});
    decorate({words_, spv::DecorationBinding, 0});
    word_pointer_ = pointer(spv::StorageClassStorageBuffer, uint);
    zero_ = constant(uint, 0);
  }
  Id word(Id index) {
    return emit(spv::OpLoad, uint, {emit(spv::OpAccessChain, word_pointer_, {words_, zero_, index})});
  }
  void store_word(Id index, Id value) {
    effect(spv::OpStore, {emit(spv::OpAccessChain, word_pointer_, {words_, zero_, index}), value});
  }
  Id as(ScalarKind kind, Id bits) {
    return kind == ScalarKind::uint ? bits : emit(spv::OpBitcast, scalar(kind), {bits});
  }
  Id bits(ScalarKind kind, Id value) {
    return kind == ScalarKind::uint ? value : emit(spv::OpBitcast, uint, {value});
  }

  /// Code between begin_loop() and end_loop() runs `count` times; returns the number of the turn. Loops do
  /// not nest.
  Id begin_loop(uint32_t count) {
    const Id limit = constant(uint, count), first = constant(uint, 0), boolean = global(spv::OpTypeBool, {});
    loop_ = {id(), id(), id(), id(), 0};
    effect(spv::OpBranch, {loop_.header});
    effect(spv::OpLabel, {loop_.header});
    const Id turn = emit(spv::OpPhi, uint, {first, entry_label_, loop_.next, loop_.again});
    const Id body = id(), is_in = emit(spv::OpULessThan, boolean, {turn, limit});
    effect(spv::OpLoopMerge, {loop_.merge, loop_.again, spv::LoopControlMaskNone});
    effect(spv::OpBranchConditional, {is_in, body, loop_.merge});
    effect(spv::OpLabel, {body});
    return loop_.turn = turn;
  }
  void end_loop() {
    const Id one = constant(uint, 1);
    effect(spv::OpBranch, {loop_.again});
    effect(spv::OpLabel, {loop_.again});
    put(code_, spv::OpIAdd, {uint, loop_.next, loop_.turn, one});
    effect(spv::OpBranch, {loop_.header});
    effect(spv::OpLabel, {loop_.merge});
  }

  struct Mode {
    spv::ExecutionMode mode;
    std::vector<uint32_t> operands = {};
  };
  std::vector<uint32_t> finish(spv::ExecutionModel model, std::span<const Mode> modes = {}) {
    std::vector<uint32_t> out = {spv::MagicNumber, 0x00010300u, 0, 0, 0};
    const Id function_type = global(spv::OpTypeFunction, {void_}), entry = id();
    out.insert(out.end(), capabilities_.begin(), capabilities_.end());
    put(out, spv::OpMemoryModel, {spv::AddressingModelLogical, spv::MemoryModelGLSL450});
    std::vector<uint32_t> point = {static_cast<uint32_t>(model), entry, 0x6e69616du, 0};  // "main"
    point.insert(point.end(), interface_.begin(), interface_.end());
    out.push_back(static_cast<uint32_t>(point.size() + 1) << 16 | spv::OpEntryPoint);
    out.insert(out.end(), point.begin(), point.end());
    if (model == spv::ExecutionModelFragment)
      put(out, spv::OpExecutionMode, {entry, spv::ExecutionModeOriginUpperLeft});
    for (const Mode& one : modes) {
      out.push_back(static_cast<uint32_t>(one.operands.size() + 3) << 16 | spv::OpExecutionMode);
      out.push_back(entry);
      out.push_back(one.mode);
      out.insert(out.end(), one.operands.begin(), one.operands.end());
    }
    out.insert(out.end(), decorations_.begin(), decorations_.end());
    out.insert(out.end(), globals_.begin(), globals_.end());
    put(out, spv::OpFunction, {void_, entry, spv::FunctionControlMaskNone, function_type});
    put(out, spv::OpLabel, {entry_label_});
    out.insert(out.end(), code_.begin(), code_.end());
    put(out, spv::OpReturn, {});
    put(out, spv::OpFunctionEnd, {});
    out[3] = bound_;
    return out;
  }

 private:
  static void put(std::vector<uint32_t>& words, spv::Op op, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands.begin(), operands.end());
  }
  Id result(std::vector<uint32_t>& words, spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    const Id made = id();
    words.push_back(static_cast<uint32_t>(operands.size() + (type != 0 ? 3 : 2)) << 16 | op);
    if (type != 0) words.push_back(type);
    words.push_back(made);
    words.insert(words.end(), operands.begin(), operands.end());
    return made;
  }
};

}  // namespace texlate::sim::vulkan
