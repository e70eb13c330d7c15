// Typed unordered access views.

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

void Selector::select_surface(const ir::Instruction& instruction) {
  refuse(instruction, "a typed unordered access");
}

}  // namespace texlate::maxwell::select
