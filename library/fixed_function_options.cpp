#include "library/fixed_function_options.h"

#include "frontend/sm4/declaration.h"
#include "library/arguments.h"
#include "library/structure_sizes.h"

namespace texlate::library {

namespace {

void require_at_most(uint32_t number, uint32_t most, const char* member) {
  if (number > most)
    refuse_argument("options.fixed_function.{} is {}, which is not in 0 to {}", member, number, most);
}

}  // namespace

StateValue take_state_value(const texlate_state_value& given, uint32_t count, const std::string& member) {
  StateValue made;
  made.in_buffer = given.in_buffer != 0;
  for (size_t i = 0; i < made.bits.size(); ++i) made.bits[i] = given.bits[i];
  made.buffer = given.buffer;
  made.space = given.space;
  made.offset = given.offset;
  const uint32_t unit = count == 1 ? 4 : 16;
  constexpr uint32_t kRegisters = 4096;   // that a program may declare
  constexpr uint32_t kBytes = 4096 * 16;  // D3D10_REQ_CONSTANT_BUFFER_ELEMENT_COUNT rows
  if (made.in_buffer && (given.offset % unit != 0 || given.offset >= kBytes))
    refuse_argument("{}.offset is {}: not a multiple of {} below {}", member, given.offset, unit, kBytes);
  if (made.in_buffer && given.buffer >= kRegisters)
    refuse_argument("{}.buffer is {}, which is not below {}", member, given.buffer, kRegisters);
  return made;
}

void check_fixed_function(const FixedFunction& state, const sm4::Program& program) {
  constexpr uint32_t kFirstWithSpaces = 51;
  for (const NamedStateValue& each : values_of(state, program.version.stage)) {
    const StateValue& value = *each.value;
    if (!value.in_buffer) continue;
    if (value.space != 0 && program.version.model() < kFirstWithSpaces)
      refuse_argument(
          "options.fixed_function.{}.space is {}, but before shader model 5.1 there are no spaces", each.name,
          value.space);
    for (const sm4::Instruction& dcl : program.instructions) {
      if (dcl.opcode != sm4::Opcode::dcl_constantbuffer) continue;
      const sm4::DeclaredRange range = sm4::declared_range(program, dcl);
      if (range.space == value.space && range.lower_bound <= value.buffer &&
          value.buffer <= range.upper_bound)
        refuse_argument("options.fixed_function.{} is in cb{}, which the shader declares itself", each.name,
                        value.buffer);
    }
  }
}

FixedFunction take_fixed_function(const texlate_fixed_function& given) {
  const texlate_fixed_function from = versioned(&given, kOldestFixedFunction, "options.fixed_function");
  require_at_most(from.alpha_function, static_cast<uint32_t>(CompareFunction::always), "alpha_function");
  require_at_most(from.fog_mode, static_cast<uint32_t>(FogMode::linear), "fog_mode");
  require_at_most(from.fog_source, static_cast<uint32_t>(FogSource::w), "fog_source");
  require_at_most(from.clip_plane_mask, 0xff, "clip_plane_mask");
  const auto value_of = [](const texlate_state_value& value, uint32_t count, const std::string& member) {
    return take_state_value(value, count, "options.fixed_function." + member);
  };
  FixedFunction made;
  made.alpha_function = static_cast<CompareFunction>(from.alpha_function);
  made.alpha_is_uint = from.alpha_is_uint != 0;
  made.alpha_reference = value_of(from.alpha_reference, 1, "alpha_reference");
  made.fog_mode = static_cast<FogMode>(from.fog_mode);
  made.fog_color = value_of(from.fog_color, 4, "fog_color");
  made.fog_end = value_of(from.fog_end, 1, "fog_end");
  made.fog_scale = value_of(from.fog_scale, 1, "fog_scale");
  made.clip_mask = from.clip_plane_mask;
  for (size_t i = 0; i < made.clip_planes.size(); ++i)
    made.clip_planes[i] = value_of(from.clip_planes[i], 4, "clip_planes[" + std::to_string(i) + "]");
  made.fog_source = static_cast<FogSource>(from.fog_source);
  return made;
}

}  // namespace texlate::library
