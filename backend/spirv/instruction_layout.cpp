#define SPV_ENABLE_UTILITY_CODE
#include "backend/spirv/instruction_layout.h"

#include "backend/spirv/component_wise.h"

namespace texlate::spirv {

namespace {

Form form_of(spv::Op op) {
  bool has_result = false, has_type = false;
  spv::HasResultAndType(op, &has_result, &has_type);
  if (op == spv::OpLabel) return Form::label;
  if (!has_result || !has_type) return Form::no_value;
  switch (op) {
    case spv::OpCompositeExtract: return Form::extract;
    case spv::OpCompositeConstruct: return Form::construct;
    case spv::OpExtInst: return Form::extended;
    case spv::OpBitcast: return Form::bit_cast;
    default: return is_component_wise(op) ? Form::component_wise : Form::value;
  }
}

}  // namespace

Layout Layouts::work_out(spv::Op op) {
  Layout layout;
  layout.form = form_of(op);
  layout.first = layout.form >= Form::value ? first_operand(op) : 1;
  switch (op) {
    case spv::OpVectorShuffle:
    case spv::OpCompositeInsert: layout.operands = 2; break;
    case spv::OpSelectionMerge:
    case spv::OpLoopMerge:
    case spv::OpLabel:
    case spv::OpBranch:
    case spv::OpLine: layout.operands = 0; break;
    case spv::OpCompositeExtract:
    case spv::OpSwitch:
    case spv::OpBranchConditional: layout.operands = 1; break;
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageGather:
    case spv::OpImageDrefGather:
    case spv::OpImageWrite:
    case spv::OpImageSparseSampleDrefImplicitLod:
    case spv::OpImageSparseSampleDrefExplicitLod:
    case spv::OpImageSparseGather:
    case spv::OpImageSparseDrefGather: layout.literal = layout.first + 3; break;
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageFetch:
    case spv::OpImageRead:
    case spv::OpImageSparseSampleImplicitLod:
    case spv::OpImageSparseSampleExplicitLod:
    case spv::OpImageSparseFetch:
    case spv::OpImageSparseRead: layout.literal = layout.first + 2; break;
    default: break;
  }
  return layout;
}

Layouts::Layouts() {
  for (uint32_t opcode = 0; opcode < table_.size(); ++opcode)
    table_[opcode] = work_out(static_cast<spv::Op>(opcode));
}

const Layouts& layouts() {
  static const Layouts all;
  return all;
}

}  // namespace texlate::spirv
