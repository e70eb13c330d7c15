#include "frontend/dxbc/info.h"

#include <fmt/format.h>

#include <iterator>

#include "frontend/asm/escape.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/definitions_json.h"
#include "frontend/dxbc/features.h"
#include "frontend/dxbc/signature.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/spelling.h"
#include "ir/base/json_writer.h"

namespace texlate::dxbc {

using sm4::Instruction;
using sm4::Opcode;

namespace {

// Text of "definitions" for each byte of chunk RDEF. Real chunks need up to 10.
constexpr size_t kMaxDefinitionsPerByte = 128;

void append_tag(uint32_t tag, std::pmr::string& out) {
  for (uint32_t i = 0; i < 4; ++i) {
    const char c = static_cast<char>(tag >> (8 * i));
    out += c >= 0x20 && c < 0x7f ? c : '?';
  }
}

std::string_view register_prefix_of(const InfoBinding& binding) {
  return binding.kind == "cbuffer"   ? "cb"
         : binding.kind == "sampler" ? "s"
         : binding.kind == "uav"     ? "u"
                                     : "t";
}

/// Finds the name of a declared range. Before shader model 5.1, each register of an array is declared by
/// itself.
void name_binding(const Definitions& definitions, InfoBinding& binding) {
  for (const ResourceDefinition& resource : definitions.resources) {
    if (register_prefix(resource.type) != register_prefix_of(binding) || resource.space != binding.space ||
        binding.lower_bound < resource.first_register)
      continue;
    const uint32_t element = binding.lower_bound - resource.first_register;
    if (resource.count != 0 && element >= resource.count) continue;
    binding.name = resource.name;
    const bool is_whole = element == 0 && (resource.count == 1 || binding.upper_bound != binding.lower_bound);
    if (!is_whole) fmt::format_to(std::back_inserter(binding.name), "[{}]", element);
    return;
  }
}

void add_binding(const sm4::Program& program, const Instruction& dcl, Info& info) {
  const auto dimension = [&](sm4::ResourceDimension d) {
    return spell(sm4::kDimensionNames, static_cast<uint32_t>(d));
  };
  InfoBinding binding(info.bindings.get_allocator().resource());
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
  name_binding(info.definitions, binding);
  info.bindings.push_back(std::move(binding));
}

void write_signature(JsonWriter& json, std::string_view title, const sm4::Program& program,
                     const std::pmr::vector<sm4::SignatureElement>& elements, SignatureKind kind) {
  json.begin_array(title);
  for (const sm4::SignatureElement& element : elements) {
    json.begin_object();
    json.field("name", std::string_view(element.semantic_name));
    json.field("index", element.semantic_index);
    if (element.register_index == sm4::kNoRegister) {
      json.null_field("register");
    } else {
      json.field("register", element.register_index);
    }
    json.field("mask", element.mask);
    json.field("used_mask", used_components(element, program, kind));
    json.field("format", spell(sm4::kComponentTypeNames, element.component_type));
    if (element.min_precision == 0) {
      json.null_field("min_precision");
    } else {
      json.field("min_precision", spell(sm4::kMinPrecisionNames, element.min_precision));
    }
    json.field("system_value", spell(sm4::kSignatureValueNames, element.system_value));
    json.field("stream", element.stream);
    json.end_object();
  }
  json.end_array();
}

void write_binding(JsonWriter& json, const InfoBinding& binding) {
  json.begin_object();
  json.field("kind", binding.kind);
  if (binding.name.empty()) {
    json.null_field("name");
  } else {
    json.field("name", std::string_view(binding.name));
  }
  json.field("detail", binding.detail);
  json.field("lower_bound", binding.lower_bound);
  json.field("upper_bound", binding.upper_bound);
  json.field("space", binding.space);
  json.field("size", binding.size);
  json.end_object();
}

}  // namespace

Info make_info(const Container& container, const sm4::Program& program, std::pmr::memory_resource* memory) {
  Info info(memory);
  info.program = &program;
  fmt::format_to(std::back_inserter(info.profile), "{}_{}_{}",
                 spell(sm4::kStageNames, static_cast<uint32_t>(program.version.stage)), program.version.major,
                 program.version.minor);
  info.stated_slots = program.instruction_slots;
  info.digest_matches = container.digest_matches;
  info.early_depth = sm4::early_depth(program);
  info.feature_flags = feature_flags(container);
  info.definitions = read_definitions(container, program.version.model(), memory);
  if (const Chunk* chunk = container.find(kResourceTag)) info.definitions_size = chunk->size;
  for (const Chunk& chunk : container.chunks) {
    std::pmr::string& text = info.chunks.emplace_back();
    append_tag(chunk.tag, text);
    fmt::format_to(std::back_inserter(text), " {}", chunk.size);
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
  fmt::format_to(to, "profile            {}\n", std::string_view(info.profile));
  fmt::format_to(to, "instructions       {} ({} texture), {} declarations\n", info.instruction_count,
                 info.texture_instruction_count, info.declaration_count);
  if (info.stated_slots != sm4::Program::kUnknownSlots)
    fmt::format_to(to, "stated slots       {}\n", info.stated_slots);
  fmt::format_to(to, "temporaries        {}\n", info.temp_count);
  if (info.thread_group[0] != 0) {
    fmt::format_to(to, "thread group       {} x {} x {}\n", info.thread_group[0], info.thread_group[1],
                   info.thread_group[2]);
  }
  if (info.program != nullptr && info.program->version.stage == sm4::Stage::pixel)
    fmt::format_to(to, "early depth        {}\n", sm4::spelling(info.early_depth));
  for (const sm4::Keyword& flag : sm4::kGlobalFlagNames) {
    if ((info.global_flags & flag.value) != 0) fmt::format_to(to, "flag               {}\n", flag.name);
  }
  for (const Feature& feature : kFeatures) {
    if ((info.feature_flags & feature.bit) != 0) fmt::format_to(to, "needs              {}\n", feature.name);
  }
  for (const InfoBinding& binding : info.bindings) {
    fmt::format_to(to, "binding            {} {}", binding.kind, binding.lower_bound);
    if (binding.upper_bound == sm4::kUnbounded) {
      out += "..*";
    } else if (binding.upper_bound != binding.lower_bound) {
      fmt::format_to(to, "..{}", binding.upper_bound);
    }
    if (binding.space != 0) fmt::format_to(to, " space {}", binding.space);
    fmt::format_to(to, " {}", binding.detail);
    if (binding.size != 0) fmt::format_to(to, " [{}]", binding.size);
    if (!binding.name.empty()) {
      out += ' ';
      assembly::append_escaped_comment(binding.name, out);
    }
    out += '\n';
  }
  for (const std::pmr::string& chunk : info.chunks) {
    fmt::format_to(to, "chunk              {}\n", std::string_view(chunk));
  }
  if (!info.chunks.empty())
    fmt::format_to(to, "digest             {}\n", info.digest_matches ? "right" : "wrong");
  if (info.program != nullptr) assembly::print_signatures(*info.program, assembly::Dialect::windows_10, out);
}

void info_json(const Info& info, std::pmr::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.field("profile", std::string_view(info.profile));
  json.field("instructions", info.instruction_count);
  json.field("texture_instructions", info.texture_instruction_count);
  json.field("declarations", info.declaration_count);
  json.field("temporaries", info.temp_count);
  if (info.stated_slots != sm4::Program::kUnknownSlots) json.field("stated_slots", info.stated_slots);
  if (info.thread_group[0] != 0) {
    json.begin_array("thread_group");
    for (const uint32_t threads : info.thread_group) json.value(threads);
    json.end_array();
  }
  if (info.program != nullptr && info.program->version.stage == sm4::Stage::pixel)
    json.field("early_depth", sm4::spelling(info.early_depth));
  json.begin_array("flags");
  for (const sm4::Keyword& flag : sm4::kGlobalFlagNames) {
    if ((info.global_flags & flag.value) != 0) json.value(flag.name);
  }
  json.end_array();
  json.begin_array("features");
  for (const Feature& feature : kFeatures) {
    if ((info.feature_flags & feature.bit) != 0) json.value(feature.name);
  }
  json.end_array();
  json.begin_array("bindings");
  for (const InfoBinding& binding : info.bindings) write_binding(json, binding);
  json.end_array();
  if (info.program != nullptr) {
    const sm4::Program& program = *info.program;
    write_signature(json, "inputs", program, program.input_signature, SignatureKind::input);
    write_signature(json, "outputs", program, program.output_signature, SignatureKind::output);
    write_signature(json, "patch_constants", program, program.patch_constant_signature,
                    SignatureKind::patch_constant);
  }
  if (info.definitions_size != 0)
    write_definitions(info.definitions, out, kMaxDefinitionsPerByte * info.definitions_size, json);
  json.begin_array("chunks");
  for (const std::pmr::string& chunk : info.chunks) json.value(std::string_view(chunk));
  json.end_array();
  if (!info.chunks.empty()) json.field("digest_matches", info.digest_matches);
  json.end_object();
}

}  // namespace texlate::dxbc
