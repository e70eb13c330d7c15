#include "backend/spirv/function_body.h"

namespace texlate::spirv {

Id FunctionBody::extended(uint32_t instruction, Id type, std::initializer_list<Id> operands) {
  const Id id = builder_.new_id();
  uint32_t* const words = words_->start(spv::OpExtInst, operands.size() + 5);
  const Operand head[] = {type, id, builder_.glsl(), literal(instruction)};
  put(put(words + 1, head), operands);
  return id;
}

void FunctionBody::begin_guard(Id holds) {
  const Id inside = builder_.new_id();
  guard_merge_ = builder_.new_id();
  guard_from_ = block_;
  branch(holds, inside, guard_merge_, guard_merge_);
  start_block(inside);
}

Id FunctionBody::end_guard(Id type, Id value, Id fallback) {
  const Id from = block_;
  branch(guard_merge_);
  start_block(guard_merge_);
  return type == Id::none ? type : emit(spv::OpPhi, type, {value, from, fallback, guard_from_});
}

}  // namespace texlate::spirv
