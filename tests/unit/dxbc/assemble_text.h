// Helpers for the container tests.
#pragma once

#include <vector>

#include "frontend/dxbc/read.h"
#include "tests/unit/asm/parse_text.h"

namespace texlate {

inline std::pmr::vector<std::byte> assemble(std::string_view text) {
  const auto program = parse_good(text);
  std::pmr::vector<std::byte> bytes;
  Diagnostics diagnostics;
  EXPECT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics)) << messages(diagnostics);
  return bytes;
}

inline constexpr std::string_view kSmallShader =
    "ps_5_0\n"
    "dcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_input_ps_siv linear noperspective v0.xy, position\n"
    "dcl_input_ps linear v1.xy\n"
    "dcl_output o0.xyzw\n"
    "dcl_output oDepth\n"
    "dcl_temps 1\n"
    "sample_aoffimmi_indexable(-8,7,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0\n"
    "mov oDepth, -|r0.x|\n"
    "mov o0.xyzw, r0.xyzw\n"
    "ret \n";

}  // namespace texlate
