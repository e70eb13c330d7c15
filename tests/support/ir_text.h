// IR as text in tests: parses what a test writes and prints the result of a pass.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ir/text_parser.h"
#include "ir/text_printer.h"
#include "ir/verifier.h"

namespace texlate::ir {

inline std::string to_text(const Module& module) {
  std::pmr::string out;
  print(module, out);
  return std::string(out);
}

inline std::string to_text(const Diagnostics& diagnostics, std::string_view source = {}) {
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.list()) all += render(diagnostic, "ir", source);
  return all;
}

/// A pixel shader with the resources that tests use, around a body. Lines of the body start at kBodyLine.
inline std::string with_body(std::string_view body) {
  return "module pixel 5.0 \"main\"\n"
         "registers 8\n"
         "resource t0 texture2d float\n"
         "resource t1 texture2darray float\n"
         "resource t2 texturecube float\n"
         "resource t3 texture2dms float samples(4)\n"
         "resource t4 buffer float\n"
         "resource t5 raw_buffer mixed\n"
         "uav u0 texture2d uint\n"
         "uav u1 structured_buffer mixed stride(16)\n"
         "sampler s0\n"
         "sampler s1 comparison\n"
         "constant_buffer cb0 rows(4)\n"
         "input v0.xyzw\n"
         "output o0.xyzw\n"
         "local x0 rows(4) components(4)\n"
         "code {\n" +
         std::string(body) + "}\n";
}

/// The body of a printed module: the text between `code {` and `}`.
inline std::string body_of(const Module& module) {
  const std::string text = to_text(module);
  const size_t start = text.find("code {\n") + 7;
  return text.substr(start, text.size() - start - 2);
}

/// Parses, or fails the test.
inline void parse_or_fail(std::string_view text, Module& module) {
  Diagnostics diagnostics;
  if (!parse(text, module, diagnostics)) ADD_FAILURE() << to_text(diagnostics, text);
}

inline void verify_or_fail(const Module& module, Form form = Form::ssa) {
  Diagnostics diagnostics;
  if (!verify(module, diagnostics, form)) ADD_FAILURE() << to_text(diagnostics) << to_text(module);
}

}  // namespace texlate::ir
