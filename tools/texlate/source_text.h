// Instructions of a shader as its source has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/sm4/program.h"

namespace texlate::cli {

/// Lines of the source by number, or instructions of a container as assembly. Refers to both arguments.
class SourceText {
 public:
  SourceText(const sm4::Program& program, std::string_view source);

  std::string operator()(const sm4::Instruction& instruction) const;
  /// "14", or the byte of a container.
  std::string number(const sm4::Instruction& instruction) const;

 private:
  const sm4::Program& program_;
  std::vector<std::string_view> lines_;
};

}  // namespace texlate::cli
