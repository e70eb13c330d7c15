#include "frontend/sm4/validate.h"

#include <algorithm>

#include "frontend/sm4/validator.h"

namespace texlate::sm4 {

namespace {

constexpr uint32_t kMaxThreads = 1024;        // threads of a group, cs_5_0
constexpr uint32_t kMaxThreads4 = 768;        // cs_4_0, cs_4_1
constexpr uint32_t kMaxSharedBytes = 32768;   // cs_5_0
constexpr uint32_t kMaxSharedBytes4 = 16384;  // cs_4_0, cs_4_1
constexpr uint32_t kMaxTemps = 4096;

/// Declarations of one register file only.
struct DeclaredFile {
  Opcode opcode;
  RegisterFile file;
};
constexpr DeclaredFile kDeclaredFiles[] = {
    {Opcode::dcl_constantbuffer, RegisterFile::constant_buffer},
    {Opcode::dcl_sampler, RegisterFile::sampler},
    {Opcode::dcl_resource, RegisterFile::resource},
    {Opcode::dcl_resource_raw, RegisterFile::resource},
    {Opcode::dcl_resource_structured, RegisterFile::resource},
    {Opcode::dcl_uav_typed, RegisterFile::unordered_access_view},
    {Opcode::dcl_uav_raw, RegisterFile::unordered_access_view},
    {Opcode::dcl_uav_structured, RegisterFile::unordered_access_view},
    {Opcode::dcl_tgsm_raw, RegisterFile::thread_group_shared_memory},
    {Opcode::dcl_tgsm_structured, RegisterFile::thread_group_shared_memory},
};

}  // namespace

bool validate(const Program& program, Diagnostics& diagnostics) {
  const uint32_t errors = diagnostics.error_count();
  Validator(program, diagnostics).run();
  return diagnostics.error_count() == errors;
}

void Validator::run() {
  for (const Instruction& instruction : program_.instructions) {
    if (diagnostics_.full()) return;
    check_stage_and_model(instruction);
    if (info(instruction.opcode).has(kDeclaration)) {
      declare(instruction);
      continue;
    }
    ended_ = false;
    check_controls(instruction);
    check_structure(instruction);
    check_operands(instruction);
    check_texture(instruction);
  }
  check_end();
}

void Validator::check_stage_and_model(const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const uint32_t needed =
      opcode.model == 111 ? 50 : opcode.model;  // the 11.1 extensions are bits of dcl_globalFlags
  if (program_.version.model() < needed) {
    error(instruction, "{} needs shader model {}.{}, the program is {}.{}", opcode.mnemonic, needed / 10,
          needed % 10, uint32_t{program_.version.major}, uint32_t{program_.version.minor});
  }
  const auto stage = static_cast<uint32_t>(program_.version.stage);
  if ((opcode.stages >> stage & 1) == 0) {
    error(instruction, "{} is not allowed in a {} program", opcode.mnemonic, spell(kStageNames, stage));
  }
}

void Validator::declare(const Instruction& dcl) {
  const Operand* operand = dcl.operand_count != 0 ? &program_.operands[dcl.first_operand] : nullptr;
  const auto words = program_.words_of(dcl);
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : 0u; };
  if (!blocks_.empty()) error(dcl, "{} inside a block", name_of(dcl));
  if (!check_declared_file(dcl)) return;
  switch (dcl.opcode) {
    case Opcode::hs_control_point_phase:
    case Opcode::hs_fork_phase:
    case Opcode::hs_join_phase:
      // Every phase has registers of its own.
      in_hull_phase_ = true;
      temps_ = 0;
      temps_declared_ = false;
      indexable_temps_.clear();
      outputs_.reset();
      break;
    case Opcode::dcl_temps:
      if (temps_declared_) error(dcl, "dcl_temps stands twice");
      temps_declared_ = true;
      temps_ = word(0);
      if (temps_ > kMaxTemps) error(dcl, "{} temporary registers are more than {}", temps_, kMaxTemps);
      break;
    case Opcode::dcl_indexable_temp: indexable_temps_.add({word(0), word(1)}); break;
    case Opcode::dcl_constantbuffer:
      constant_buffers_.add({operand->index[0].immediate, declared_constant_buffer_size(program_, dcl),
                             declared_range(program_, dcl)});
      break;
    case Opcode::dcl_sampler:
      samplers_.add(
          {operand->index[0].immediate, 0, declared_range(program_, dcl), declared_sampler_mode(dcl)});
      break;
    case Opcode::dcl_resource: declare_view(dcl, views_, declared_dimension(dcl)); break;
    case Opcode::dcl_resource_raw: declare_view(dcl, views_, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_resource_structured:
      declare_view(dcl, views_, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_uav_typed: declare_view(dcl, unordered_views_, declared_dimension(dcl)); break;
    case Opcode::dcl_uav_raw: declare_view(dcl, unordered_views_, ResourceDimension::raw_buffer); break;
    case Opcode::dcl_uav_structured:
      declare_view(dcl, unordered_views_, ResourceDimension::structured_buffer);
      break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: {
      const bool structured = dcl.opcode == Opcode::dcl_tgsm_structured;
      const uint64_t bytes = uint64_t{word(0)} * (structured ? word(1) : 1);
      const uint32_t limit = program_.version.major >= 5 ? kMaxSharedBytes : kMaxSharedBytes4;
      DeclaredSize shared{operand->index[0].immediate,
                          static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffffu))};
      shared.structured = structured;
      shared_memory_.add(shared);
      if (bytes > limit || shared_bytes_ + bytes > limit) {
        error(dcl, "more than {} bytes of group-shared memory", limit);
      } else {
        shared_bytes_ += static_cast<uint32_t>(bytes);
      }
      break;
    }
    case Opcode::dcl_input:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv:
    case Opcode::dcl_output:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: declare_io(dcl); break;
    case Opcode::dcl_indexrange: declare_index_range(dcl); break;
    case Opcode::dcl_thread_group: check_thread_group(dcl); break;
    case Opcode::dcl_function_body:
    case Opcode::dcl_function_table:
    case Opcode::dcl_interface: has_interfaces_ = true; break;
    case Opcode::custom_data:
      if (dcl.controls != kImmediateConstantBuffer) break;
      constant_rows_ = static_cast<uint32_t>(words.size() / 4);
      if (words.size() % 4 != 0) error(dcl, "the immediate constant buffer ends within a row");
      break;
    default: break;
  }
}

bool Validator::check_declared_file(const Instruction& dcl) {
  for (const DeclaredFile& declared : kDeclaredFiles) {
    if (declared.opcode != dcl.opcode) continue;
    const Operand& operand = program_.operands[dcl.first_operand];
    if (operand.file == declared.file && operand.index_count != 0) return true;
    error(dcl, "{} declares {}#, not {}", name_of(dcl), info(declared.file).spelling, spelled(operand));
    return false;
  }
  return true;
}

void Validator::declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                             ResourceDimension dimension) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const DeclaredView view{operand.index[0].immediate, dimension, declared_range(program_, dcl)};
  if (!views.add(view)) error(dcl, "{} is declared twice", spelled(operand));
}

void Validator::declare_io(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  std::bitset<kMaxIo>* set = nullptr;
  switch (operand.file) {
    case RegisterFile::input: set = &inputs_; break;
    case RegisterFile::output: set = &outputs_; break;
    case RegisterFile::input_patch_constant: set = &patch_constants_; break;
    case RegisterFile::input_control_point: set = &control_point_inputs_; break;
    case RegisterFile::output_control_point: set = &control_point_outputs_; break;
    default: scalars_.set(static_cast<size_t>(operand.file)); return;
  }
  if (operand.index_count == 0) return error(dcl, "{} lacks a register number", name_of(dcl));
  const uint32_t id = operand.index[operand.index_count - 1u].immediate;
  if (id >= kMaxIo) return error(dcl, "{} is out of range", spelled(operand));
  set->set(id);
}

void Validator::declare_index_range(const Instruction& dcl) {
  const Operand& operand = program_.operands[dcl.first_operand];
  const auto words = program_.words_of(dcl);
  const uint32_t count = words.empty() ? 0 : words[0];
  if (operand.index_count == 0 || count < 2) return error(dcl, "an index range has at least two registers");
  const uint32_t first = operand.index[operand.index_count - 1u].immediate;
  if (first >= kMaxIo || count > kMaxIo - first) error(dcl, "the index range is out of range");
}

void Validator::check_thread_group(const Instruction& dcl) {
  has_thread_group_ = true;
  const auto words = program_.words_of(dcl);
  if (words.size() < 3) return error(dcl, "dcl_thread_group takes three numbers");
  const uint64_t threads = uint64_t{words[0]} * words[1];
  const uint32_t limit = program_.version.major >= 5 ? kMaxThreads : kMaxThreads4;
  if (words[0] == 0 || words[1] == 0 || words[2] == 0) error(dcl, "a thread group without threads");
  if (threads > limit || threads * words[2] > limit)
    error(dcl, "a thread group has at most {} threads", limit);
}

void Validator::collect_labels() {
  for (const Instruction& instruction : program_.instructions) {
    if (instruction.opcode != Opcode::label || instruction.operand_count == 0) continue;
    const Operand& name = program_.operands[instruction.first_operand];
    if (name.file == RegisterFile::label) labels_.insert(name.index[0].immediate);
  }
}

void Validator::open_block(const Instruction& instruction) {
  blocks_.push_back({&instruction});
  open_loops_ += instruction.opcode == Opcode::loop;
  open_switches_ += instruction.opcode == Opcode::switch_;
  if (blocks_.size() == kMaxNesting + 1)
    error(instruction, "blocks are nested more than {} deep", kMaxNesting);
}

void Validator::close_block(const Instruction& instruction, Opcode opener) {
  if (blocks_.empty() || blocks_.back().opener->opcode != opener) {
    return error(instruction, "{} without {}", name_of(instruction), info(opener).mnemonic);
  }
  blocks_.pop_back();
  open_loops_ -= opener == Opcode::loop;
  open_switches_ -= opener == Opcode::switch_;
}

void Validator::check_structure(const Instruction& instruction) {
  const bool in_bare_switch =
      !blocks_.empty() && blocks_.back().opener->opcode == Opcode::switch_ && !blocks_.back().has_case;
  const bool is_label = instruction.opcode == Opcode::case_ || instruction.opcode == Opcode::default_ ||
                        instruction.opcode == Opcode::endswitch;
  if (in_bare_switch && !is_label)
    error(instruction, "{} before the first case of its switch", name_of(instruction));
  switch (instruction.opcode) {
    case Opcode::if_:
    case Opcode::loop:
    case Opcode::switch_: return open_block(instruction);
    case Opcode::else_:
      if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::if_)
        return error(instruction, "else without if");
      if (blocks_.back().has_else) error(instruction, "a second else in one if");
      blocks_.back().has_else = true;
      return;
    case Opcode::endif: return close_block(instruction, Opcode::if_);
    case Opcode::endloop: return close_block(instruction, Opcode::loop);
    case Opcode::endswitch: return close_block(instruction, Opcode::switch_);
    case Opcode::case_:
    case Opcode::default_:
      if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::switch_) {
        return error(instruction, "{} without switch", name_of(instruction));
      }
      blocks_.back().has_case = true;
      if (instruction.opcode == Opcode::case_) return;
      if (blocks_.back().has_default) error(instruction, "a second default in one switch");
      blocks_.back().has_default = true;
      return;
    case Opcode::break_:
    case Opcode::breakc:
      if (open_loops_ == 0 && open_switches_ == 0)
        error(instruction, "{} outside loop and switch", name_of(instruction));
      return;
    case Opcode::continue_:
    case Opcode::continuec:
      if (open_loops_ == 0) error(instruction, "{} outside loop", name_of(instruction));
      return;
    case Opcode::ret: ended_ = blocks_.empty(); return;
    case Opcode::label:
      if (!blocks_.empty()) error(instruction, "label inside a block");
      return;
    case Opcode::call:
    case Opcode::callc: {
      const Operand& target = program_.operands[instruction.first_operand + instruction.operand_count - 1];
      if (labels_.empty()) collect_labels();  // few programs call anything
      if (!labels_.contains(target.index[0].immediate)) {
        error(instruction, "no label l{}", target.index[0].immediate);
      }
      return;
    }
    default: return;
  }
}

void Validator::check_end() {
  for (const Block& block : blocks_) error(*block.opener, "{} is not closed", name_of(*block.opener));
  if (program_.version.stage == Stage::compute && !has_thread_group_) {
    diagnostics_.error({}, "a compute program without dcl_thread_group");
  }
  if (!ended_ && blocks_.empty()) {
    const SourceLocation at =
        program_.instructions.empty() ? SourceLocation{} : program_.instructions.back().location;
    diagnostics_.warning(at, "the program does not end with ret: is it cut off");
  }
}

}  // namespace texlate::sm4
