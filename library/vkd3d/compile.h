// Compiling, scanning and preprocessing, for the functions of the same names.
#pragma once

#include "library/vkd3d/abi.h"

namespace texlate::vkd3d {

int compile(const CompileInfo& info, Code& out, char** messages);
int scan(const CompileInfo& info, char** messages);
int preprocess(const CompileInfo& info, Code& out, char** messages);

}  // namespace texlate::vkd3d
