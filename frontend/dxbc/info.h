// A summary of a shader, readable by people or by programs.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/dxbc/container.h"
#include "frontend/dxbc/resource_definitions.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/early_depth.h"
#include "frontend/sm4/program.h"

namespace texlate::dxbc {

/// A bound register, as the program declares it.
struct InfoBinding {
  explicit InfoBinding(std::pmr::memory_resource* memory) : name(memory) {}

  std::pmr::string name;    // in chunk RDEF: "shadows", or "shadows[2]" for a register of an array
  std::string_view kind;    // "cbuffer", "sampler", "texture", "uav"
  std::string_view detail;  // dimension, sampler mode ...
  uint32_t lower_bound = 0;
  uint32_t upper_bound = 0;  // inclusive; or sm4::kUnbounded
  uint32_t space = 0;
  uint32_t size = 0;  // constant buffer: rows; structured buffer: stride
};

struct Info {
  explicit Info(std::pmr::memory_resource* memory)
      : profile(memory), chunks(memory), bindings(memory), definitions(memory) {}

  std::pmr::string profile;  // "ps_5_0"
  uint32_t instruction_count = 0;
  uint32_t declaration_count = 0;
  uint32_t texture_instruction_count = 0;
  uint32_t temp_count = 0;
  uint32_t stated_slots = sm4::Program::kUnknownSlots;
  uint32_t thread_group[3] = {0, 0, 0};  // zeros if not a compute shader
  uint64_t feature_flags = 0;            // SFI0
  uint16_t global_flags = 0;             // sm4::GlobalFlags
  bool digest_matches = false;
  sm4::EarlyDepth early_depth = sm4::EarlyDepth::late;
  std::pmr::vector<std::pmr::string> chunks;  // four characters and the size
  std::pmr::vector<InfoBinding> bindings;
  Definitions definitions;                // names refer to the container
  size_t definitions_size = 0;            // bytes of chunk RDEF
  const sm4::Program* program = nullptr;  // for the signatures; must outlive the Info
};

Info make_info(const Container& container, const sm4::Program& program,
               std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Appends the summary as readable text.
void info_text(const Info& info, std::pmr::string& out);
/// Appends the summary as one JSON object.
void info_json(const Info& info, std::pmr::string& out);

}  // namespace texlate::dxbc
