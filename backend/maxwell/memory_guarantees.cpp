// Memory is bytes at an address, in global, shared and local memory and in constant banks; every access takes
// a predicate (docs/reference/maxwell.md 1, 5 and 6). The program must ensure that the bytes belong to it.

#include "backend/maxwell/guarantees.h"

namespace texlate::maxwell {

constinit const ir::MemoryTable kMemoryGuarantees = {
    .constant_buffer = {ir::kAligned, "docs/reference/maxwell.md 5, LDG: no bounds checks"},
    .table = {ir::kAligned, "docs/reference/maxwell.md 5: reads past a constant bank are not documented"},
    .local = {ir::kAligned, "docs/reference/maxwell.md 6, LDL and STL"},
    .shared = {0, "docs/reference/maxwell.md 6, LDS, STS and ATOMS"},
    .input = {ir::kAligned, "docs/reference/maxwell.md 5, LDG: no bounds checks"},
    .vertex = {ir::kAligned, "docs/reference/maxwell.md 5, LDG: no bounds checks"},
    .range = {ir::kAligned, "docs/reference/maxwell.md 5: reads past a constant bank are not documented"},
    .guard = ir::GuardForm::operand,
    .limit = ir::RowLimit::bound,
};

}  // namespace texlate::maxwell
