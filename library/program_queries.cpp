// The C interface: what a program declares and how it uses it.

#include <algorithm>
#include <cstring>

#include "frontend/dxbc/signature.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/early_depth.h"
#include "ir/early_depth.h"
#include "library/handles.h"
#include "library/stage_linkage.h"
#include "texlate/texlate.h"

using namespace texlate;
using namespace texlate::library;

namespace {

bool is_binding(sm4::Opcode opcode) {
  using enum sm4::Opcode;
  switch (opcode) {
    case dcl_constantbuffer:
    case dcl_sampler:
    case dcl_resource:
    case dcl_resource_raw:
    case dcl_resource_structured:
    case dcl_uav_typed:
    case dcl_uav_raw:
    case dcl_uav_structured: return true;
    default: return false;
  }
}

bool is_query(sm4::Opcode opcode) {
  using enum sm4::Opcode;
  switch (opcode) {
    case bufinfo:
    case resinfo:
    case sampleinfo:
    case samplepos: return true;
    default: return false;
  }
}

/// The use of a binding by an instruction, for an operand position of this shape.
uint32_t access_of(sm4::OperandShape shape) {
  switch (shape) {
    case sm4::OperandShape::uav_store:
    case sm4::OperandShape::memory_store: return TEXLATE_BINDING_WRITTEN;
    case sm4::OperandShape::atomic_target:
      return TEXLATE_BINDING_READ | TEXLATE_BINDING_WRITTEN | TEXLATE_BINDING_ATOMIC;
    case sm4::OperandShape::counter: return TEXLATE_BINDING_COUNTER;
    default: return TEXLATE_BINDING_READ;
  }
}

sm4::RegisterFile file_of(texlate_register_class kind) {
  switch (kind) {
    case TEXLATE_REGISTER_CONSTANT_BUFFER: return sm4::RegisterFile::constant_buffer;
    case TEXLATE_REGISTER_SAMPLER: return sm4::RegisterFile::sampler;
    case TEXLATE_REGISTER_RESOURCE: return sm4::RegisterFile::resource;
    case TEXLATE_REGISTER_UAV: return sm4::RegisterFile::unordered_access_view;
    case TEXLATE_REGISTER_COUNTER: break;
  }
  return sm4::RegisterFile::null;
}

/// The uses of a binding, combined over all instructions. What a query says does not depend on the contents.
uint32_t uses_of(const sm4::Program& program, texlate_register_class kind, uint32_t id) {
  const sm4::RegisterFile file = file_of(kind);
  uint32_t uses = 0;
  for (const sm4::Instruction& instruction : program.instructions) {
    const sm4::OpcodeInfo& opcode = sm4::info(instruction.opcode);
    if (opcode.has(sm4::kDeclaration)) continue;
    const auto operands = program.operands_of(instruction);
    for (uint32_t i = 0; i < operands.size() && i < sm4::kMaxOperands; ++i) {
      if (operands[i].file == file && operands[i].index_count != 0 && operands[i].index[0].immediate == id)
        uses |=
            is_query(instruction.opcode) ? uint32_t{TEXLATE_BINDING_QUERIED} : access_of(opcode.shapes[i]);
    }
  }
  return uses;
}

uint32_t declared_flags(const sm4::Instruction& dcl, texlate_register_class kind) {
  uint32_t flags = 0;
  if (kind == TEXLATE_REGISTER_SAMPLER && sm4::declared_sampler_mode(dcl) == sm4::SamplerMode::comparison)
    flags |= TEXLATE_BINDING_COMPARISON;
  if (kind != TEXLATE_REGISTER_UAV) return flags;
  if ((dcl.controls & sm4::controls::kUavGloballyCoherent) != 0) flags |= TEXLATE_BINDING_COHERENT;
  if ((dcl.controls & sm4::controls::kUavRasterizerOrdered) != 0) flags |= TEXLATE_BINDING_ORDERED;
  if ((dcl.controls & sm4::controls::kUavOrderedCounter) != 0) flags |= TEXLATE_BINDING_ORDERED_COUNTER;
  return flags;
}

void describe_resource(const sm4::Program& program, const sm4::Instruction& dcl, texlate_binding& binding) {
  using enum sm4::Opcode;
  const bool uav =
      dcl.opcode == dcl_uav_typed || dcl.opcode == dcl_uav_raw || dcl.opcode == dcl_uav_structured;
  binding.kind = uav ? TEXLATE_REGISTER_UAV : TEXLATE_REGISTER_RESOURCE;
  if (dcl.opcode == dcl_resource || dcl.opcode == dcl_uav_typed) {
    binding.dimension = static_cast<uint32_t>(sm4::declared_dimension(dcl));
    binding.component_type =
        static_cast<uint32_t>(sm4::return_type(sm4::declared_return_types(program, dcl), 0));
    if (!uav) binding.sample_count = sm4::declared_sample_count(dcl);
    return;
  }
  const bool raw = dcl.opcode == dcl_resource_raw || dcl.opcode == dcl_uav_raw;
  binding.dimension = static_cast<uint32_t>(raw ? sm4::ResourceDimension::raw_buffer
                                                : sm4::ResourceDimension::structured_buffer);
  if (!raw) binding.size = sm4::declared_stride(program, dcl);
}

texlate_binding describe(const sm4::Program& program, const sm4::Instruction& dcl) {
  texlate_binding binding{};
  switch (dcl.opcode) {
    case sm4::Opcode::dcl_constantbuffer:
      binding.kind = TEXLATE_REGISTER_CONSTANT_BUFFER;
      binding.size = sm4::declared_constant_buffer_size(program, dcl);
      break;
    case sm4::Opcode::dcl_sampler: binding.kind = TEXLATE_REGISTER_SAMPLER; break;
    default: describe_resource(program, dcl, binding); break;
  }
  const sm4::DeclaredRange range = sm4::declared_range(program, dcl);
  binding.id = range.id;
  binding.lower_bound = range.lower_bound;
  binding.upper_bound = range.upper_bound;
  binding.space = range.space;
  binding.flags = declared_flags(dcl, binding.kind) | uses_of(program, binding.kind, range.id);
  return binding;
}

void describe(const ir::Module& module, texlate_program_info& info) {
  info.stage = static_cast<texlate_stage>(module.stage);
  info.model_major = module.shader_model / 10u;
  info.model_minor = module.shader_model % 10u;
  info.instruction_count = static_cast<uint32_t>(module.code.size());
  info.early_depth = static_cast<texlate_early_depth>(ir::early_depth(module));
  info.tessellator_domain = module.tessellator_domain;
  info.tessellator_partitioning = module.tessellator_partitioning;
  info.tessellator_output = module.tessellator_output;
  if (module.stage != ir::Stage::compute) return;
  for (size_t i = 0; i < 3; ++i) info.thread_group[i] = module.thread_group[i];
}

/// Declarations that give one number of the summary.
void describe(const sm4::Program& program, const sm4::Instruction& dcl, texlate_program_info& info) {
  switch (dcl.opcode) {
    case sm4::Opcode::dcl_thread_group: {
      const auto words = program.words_of(dcl);
      for (size_t i = 0; i < 3 && i < words.size(); ++i) info.thread_group[i] = words[i];
      break;
    }
    case sm4::Opcode::dcl_tessellator_domain: info.tessellator_domain = dcl.controls; break;
    case sm4::Opcode::dcl_tessellator_partitioning: info.tessellator_partitioning = dcl.controls; break;
    case sm4::Opcode::dcl_tessellator_output_primitive: info.tessellator_output = dcl.controls; break;
    default: break;
  }
}

const Signature& signature_of(const texlate_program& program, texlate_signature which) {
  switch (which) {
    case TEXLATE_SIGNATURE_INPUT: return program.program.input_signature;
    case TEXLATE_SIGNATURE_OUTPUT: return program.program.output_signature;
    case TEXLATE_SIGNATURE_PATCH_CONSTANT: break;
  }
  return program.program.patch_constant_signature;
}

dxbc::SignatureKind kind_of(texlate_signature which) {
  switch (which) {
    case TEXLATE_SIGNATURE_INPUT: return dxbc::SignatureKind::input;
    case TEXLATE_SIGNATURE_OUTPUT: return dxbc::SignatureKind::output;
    case TEXLATE_SIGNATURE_PATCH_CONSTANT: break;
  }
  return dxbc::SignatureKind::patch_constant;
}

texlate_signature_element described(const sm4::SignatureElement& element, const texlate_program& program,
                                    texlate_signature which) {
  texlate_signature_element made{};
  made.semantic_name = element.semantic_name.c_str();
  made.semantic_index = element.semantic_index;
  made.stream = element.stream;
  made.system_value = element.system_value;
  made.component_type = element.component_type;
  made.register_index = element.register_index;
  made.mask = element.mask;
  made.used_mask = dxbc::used_components(element, program.program, kind_of(which));
  made.min_precision = element.min_precision;
  return made;
}

}  // namespace

texlate_status texlate_program_get_info(const texlate_program* program, texlate_program_info* info) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(info != nullptr, "info is null");
    require(program->valid, "program was read with errors");
    const sm4::Program& source = program->program;
    texlate_program_info made{};
    made.stage = static_cast<texlate_stage>(source.version.stage);
    made.model_major = source.version.major;
    made.model_minor = source.version.minor;
    made.early_depth = static_cast<texlate_early_depth>(sm4::early_depth(source));
    if (program->is_ir) describe(program->module, made);
    for (const sm4::Instruction& instruction : source.instructions) {
      if (!sm4::info(instruction.opcode).has(sm4::kDeclaration)) ++made.instruction_count;
      if (is_binding(instruction.opcode)) ++made.binding_count;
      describe(source, instruction, made);
    }
    copy_out(made, info, kOldestProgramInfo, "info");
    return TEXLATE_OK;
  });
}

texlate_status texlate_program_get_binding(const texlate_program* program, uint32_t index,
                                           texlate_binding* binding) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(binding != nullptr, "binding is null");
    uint32_t before = index;
    for (const sm4::Instruction& dcl : program->program.instructions) {
      if (!is_binding(dcl.opcode) || before-- != 0) continue;
      copy_out(describe(program->program, dcl), binding, kOldestBinding, "binding");
      return TEXLATE_OK;
    }
    refuse_argument("the program has no binding number {}", index);
  });
}

size_t texlate_program_signature_size(const texlate_program* program, texlate_signature which) {
  if (program == nullptr || number_in(which) > TEXLATE_SIGNATURE_PATCH_CONSTANT) return 0;
  return signature_of(*program, which).size();
}

texlate_status texlate_program_get_signature_element(const texlate_program* program, texlate_signature which,
                                                     size_t index, texlate_signature_element* element) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(element != nullptr, "element is null");
    require_enumerator(which, TEXLATE_SIGNATURE_PATCH_CONSTANT, "which");
    const Signature& signature = signature_of(*program, which);
    if (index >= signature.size())
      refuse_argument("the signature has {} elements, so there is no element {}", signature.size(), index);
    copy_out(described(signature[index], *program, which), element, kOldestSignatureElement, "element");
    return TEXLATE_OK;
  });
}

texlate_status texlate_program_find_signature_element(const texlate_program* program, texlate_signature which,
                                                      const char* name, uint32_t semantic_index,
                                                      uint32_t stream, texlate_signature_element* element) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(name != nullptr, "name is null");
    require(element != nullptr, "element is null");
    require_enumerator(which, TEXLATE_SIGNATURE_PATCH_CONSTANT, "which");
    const sm4::SignatureElement* found =
        find_element(signature_of(*program, which), name, semantic_index, stream);
    if (found == nullptr)
      refuse_argument("the signature has no {}{} of stream {}", name, semantic_index, stream);
    copy_out(described(*found, *program, which), element, kOldestSignatureElement, "element");
    return TEXLATE_OK;
  });
}

texlate_status texlate_link(const texlate_program* program, const texlate_program* next,
                            texlate_varying* varyings, size_t stride, size_t* count) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(next != nullptr, "next is null");
    require(count != nullptr, "count is null");
    require(!program->is_ir, "program is IR text, which has no signatures");
    require(!next->is_ir, "next is IR text, which has no signatures");
    const sm4::Stage stage = program->program.version.stage;
    require(stage == sm4::Stage::vertex || stage == sm4::Stage::domain || stage == sm4::Stage::geometry,
            "program is not a vertex, domain or geometry shader");
    require(!program->program.output_signature.empty(), "program has no output signature");
    require(!next->program.input_signature.empty(), "next has no input signature");
    require_follows(next->program.version.stage, stage, "next");
    std::pmr::vector<spirv::Varying> made;
    link(program->program.output_signature, next->program.input_signature, made, next->program.version.stage);
    const size_t room = *count;
    *count = made.size();
    if (varyings == nullptr) return TEXLATE_OK;
    require_size(stride, kOldestVarying, "stride", "");
    if (room < made.size()) refuse_argument("there is room for only {} of {} varyings", room, made.size());
    for (size_t i = 0; i < made.size(); ++i) {
      const uint32_t from = made[i].from == spirv::kNobody ? UINT32_MAX : made[i].from;
      const texlate_varying varying = {from, made[i].from_mask, made[i].to, made[i].to_mask};
      char* const place = reinterpret_cast<char*>(varyings) + i * stride;
      std::memset(place, 0, stride);
      std::memcpy(place, &varying, std::min(stride, sizeof varying));
    }
    return TEXLATE_OK;
  });
}
