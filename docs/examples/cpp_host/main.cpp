// A host in C++20: translates a shader to PTX and prints it, or what is wrong with the shader.
//
//     cpp_host SHADER
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "texlate/texlate.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string shader{std::istreambuf_iterator<char>(file), {}};

  const texlate::api::Program program(shader);
  for (const auto& d : program.diagnostics())
    std::cerr << d.line << ':' << d.column << ": " << d.message << '\n';
  if (!program.ok()) return 1;

  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ptx";
  options.explain = 1;
  const texlate::api::Output output = program.translate(options);
  for (const auto& d : output.diagnostics())
    std::cerr << d.line << ':' << d.column << ": " << d.message << '\n';
  for (const auto& gap : output.explanations())
    std::cout << "// line " << gap.line << ": " << gap.message << '\n';
  std::cout << output.data();
  return output.ok() ? 0 : 1;
}
