#include "frontend/dxbc/info.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/features.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/spelling.h"

namespace texlate::dxbc {

using sm4::Instruction;
using sm4::Opcode;

namespace {

std::string tag_text(uint32_t tag) {
  std::string text;
  for (uint32_t i = 0; i < 4; ++i) {
    const char c = static_cast<char>(tag >> (8 * i));
    text += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return text;
}

void add_binding(const sm4::Program& program, const Instruction& dcl, Info& info) {
  const auto dimension = [&](sm4::ResourceDimension d) {
    return spell(sm4::kDimensionNames, static_cast<uint32_t>(d));
  };
  InfoBinding binding;
  switch (dcl.opcode) {
    case Opcode::dcl_constantbuffer:
      binding.kind = "cbuffer";
      binding.detail = spell(sm4::kAccessPatternNames, dcl.controls & 1);
      binding.size = declared_constant_buffer_size(program, dcl);
      break;
    case Opcode::dcl_sampler:
      binding.kind = "sampler";
      binding.detail = spell(sm4::kSamplerModeNames, dcl.controls & 0xf);
      break;
    case Opcode::dcl_resource:
      binding.kind = "texture";
      binding.detail = dimension(declared_dimension(dcl));
      break;
    case Opcode::dcl_uav_typed:
      binding.kind = "uav";
      binding.detail = dimension(declared_dimension(dcl));
      break;
    case Opcode::dcl_resource_raw:
      binding.kind = "texture";
      binding.detail = "raw_buffer";
      break;
    case Opcode::dcl_uav_raw:
      binding.kind = "uav";
      binding.detail = "raw_buffer";
      break;
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_structured:
      binding.kind = dcl.opcode == Opcode::dcl_uav_structured ? "uav" : "texture";
      binding.detail = "structured_buffer";
      binding.size = declared_stride(program, dcl);
      break;
    default: return;
  }
  const sm4::DeclaredRange range = declared_range(program, dcl);
  binding.lower_bound = range.lower_bound;
  binding.upper_bound = range.upper_bound;
  binding.space = range.space;
  info.bindings.push_back(binding);
}

nlohmann::json signature_json(const std::pmr::vector<sm4::SignatureElement>& elements) {
  auto list = nlohmann::json::array();
  for (const sm4::SignatureElement& element : elements) {
    // Names come from hostile bytes; JSON takes only UTF-8.
    std::string name(element.semantic_name);
    for (char& c : name) c = c >= 0x20 && c < 0x7f ? c : '?';
    list.push_back(
        {{"name", name},
         {"index", element.semantic_index},
         {"register", element.register_index == sm4::kNoRegister ? nlohmann::json()
                                                                 : nlohmann::json(element.register_index)},
         {"mask", element.mask},
         {"system_value", spell(sm4::kSignatureValueNames, element.system_value)},
         {"stream", element.stream}});
  }
  return list;
}

}  // namespace

Info make_info(const Container& container, const sm4::Program& program) {
  Info info;
  info.program = &program;
  info.profile =
      fmt::format("{}_{}_{}", spell(sm4::kStageNames, static_cast<uint32_t>(program.version.stage)),
                  program.version.major, program.version.minor);
  info.stated_slots = program.instruction_slots;
  info.digest_matches = container.digest_matches;
  info.feature_flags = feature_flags(container);
  for (const Chunk& chunk : container.chunks) {
    info.chunks.push_back(fmt::format("{} {}", tag_text(chunk.tag), chunk.size));
  }
  for (const Instruction& instruction : program.instructions) {
    const sm4::OpcodeInfo& opcode = sm4::info(instruction.opcode);
    if (!opcode.has(sm4::kDeclaration)) {
      ++info.instruction_count;
      info.texture_instruction_count += opcode.has(sm4::kTexture);
      continue;
    }
    ++info.declaration_count;
    const auto words = program.words_of(instruction);
    if (instruction.opcode == Opcode::dcl_temps && !words.empty())
      info.temp_count = std::max(info.temp_count, words[0]);
    if (instruction.opcode == Opcode::dcl_global_flags) info.global_flags = instruction.controls;
    if (instruction.opcode == Opcode::dcl_thread_group && words.size() >= 3) {
      std::copy(words.begin(), words.begin() + 3, info.thread_group);
    }
    add_binding(program, instruction, info);
  }
  return info;
}

void info_text(const Info& info, std::pmr::string& out) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "profile            {}\n", info.profile);
  fmt::format_to(to, "instructions       {} ({} texture), {} declarations\n", info.instruction_count,
                 info.texture_instruction_count, info.declaration_count);
  if (info.stated_slots != sm4::Program::kUnknownSlots)
    fmt::format_to(to, "stated slots       {}\n", info.stated_slots);
  fmt::format_to(to, "temporaries        {}\n", info.temp_count);
  if (info.thread_group[0] != 0) {
    fmt::format_to(to, "thread group       {} x {} x {}\n", info.thread_group[0], info.thread_group[1],
                   info.thread_group[2]);
  }
  for (const sm4::Keyword& flag : sm4::kGlobalFlagNames) {
    if ((info.global_flags & flag.value) != 0) fmt::format_to(to, "flag               {}\n", flag.name);
  }
  for (const Feature& feature : kFeatures) {
    if ((info.feature_flags & feature.bit) != 0) fmt::format_to(to, "needs              {}\n", feature.name);
  }
  for (const InfoBinding& binding : info.bindings) {
    const std::string upper =
        binding.upper_bound == sm4::kUnbounded ? "*" : fmt::format("{}", binding.upper_bound);
    fmt::format_to(to, "binding            {} {}", binding.kind, binding.lower_bound);
    if (binding.upper_bound != binding.lower_bound) fmt::format_to(to, "..{}", upper);
    if (binding.space != 0) fmt::format_to(to, " space {}", binding.space);
    fmt::format_to(to, " {}", binding.detail);
    if (binding.size != 0) fmt::format_to(to, " [{}]", binding.size);
    out += '\n';
  }
  for (const std::string& chunk : info.chunks) fmt::format_to(to, "chunk              {}\n", chunk);
  if (!info.chunks.empty())
    fmt::format_to(to, "digest             {}\n", info.digest_matches ? "right" : "wrong");
  if (info.program != nullptr) assembly::print_signatures(*info.program, assembly::Dialect::windows_10, out);
}

void info_json(const Info& info, std::pmr::string& out) {
  nlohmann::json json = {{"profile", info.profile},
                         {"instructions", info.instruction_count},
                         {"texture_instructions", info.texture_instruction_count},
                         {"declarations", info.declaration_count},
                         {"temporaries", info.temp_count},
                         {"chunks", info.chunks},
                         {"digest_matches", info.digest_matches}};
  if (info.stated_slots != sm4::Program::kUnknownSlots) json["stated_slots"] = info.stated_slots;
  if (info.thread_group[0] != 0)
    json["thread_group"] = {info.thread_group[0], info.thread_group[1], info.thread_group[2]};
  json["flags"] = nlohmann::json::array();
  for (const sm4::Keyword& flag : sm4::kGlobalFlagNames) {
    if ((info.global_flags & flag.value) != 0) json["flags"].push_back(flag.name);
  }
  json["features"] = nlohmann::json::array();
  for (const Feature& feature : kFeatures) {
    if ((info.feature_flags & feature.bit) != 0) json["features"].push_back(feature.name);
  }
  json["bindings"] = nlohmann::json::array();
  for (const InfoBinding& binding : info.bindings) {
    json["bindings"].push_back({{"kind", binding.kind},
                                {"detail", binding.detail},
                                {"lower_bound", binding.lower_bound},
                                {"upper_bound", binding.upper_bound},
                                {"space", binding.space},
                                {"size", binding.size}});
  }
  if (info.program != nullptr) {
    json["inputs"] = signature_json(info.program->input_signature);
    json["outputs"] = signature_json(info.program->output_signature);
    json["patch_constants"] = signature_json(info.program->patch_constant_signature);
  }
  out += json.dump(2);
  out += '\n';
}

}  // namespace texlate::dxbc
