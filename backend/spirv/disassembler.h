// The text form of SPIR-V, as `spirv-dis` of SPIRV-Tools writes it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

namespace texlate::spirv {

/// Appends a module as text: results aligned, names for ids (IdNames). Byte for byte what
/// `spirv-dis --no-color` writes, whatever the locale, for modules of the emitter and of SPIRV-Tools'
/// optimizer (GLSL.std.450 is the only set of extended instructions). False if the words are not such a
/// module. Scratch memory comes from the text's memory resource.
bool disassemble(std::span<const uint32_t> words, std::pmr::string& text);

}  // namespace texlate::spirv
