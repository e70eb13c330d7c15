// PTX ISA 9.0, section 9.7.9: memory is bytes at an address. The program must ensure that the bytes belong
// to it, and that an address is a multiple of the access's size. ld, st and atom take a predicate (PTX ISA
// 9.3).

#include "backend/ptx/guarantees.h"

namespace texlate::ptx {

constinit const ir::MemoryTable kMemoryGuarantees = {
    .constant_buffer = {ir::kAligned, "PTX ISA 9.7.9.8 ld.global"},
    .table = {ir::kAligned, "PTX ISA 9.7.9.8 ld.global"},
    .local = {ir::kAligned, "PTX ISA 9.7.9.8 ld.local, 9.7.9.11 st.local"},
    .shared = {0, "PTX ISA 9.7.9.8 ld.shared, 9.7.9.11 st.shared, 9.7.13.5 atom"},
    .input = {ir::kAligned, "PTX ISA 9.7.9.8 ld.global"},
    .vertex = {ir::kAligned, "PTX ISA 9.7.9.8 ld.global"},
    .range = {ir::kAligned, "PTX ISA 9.7.9.8 ld.param"},
    .guard = ir::GuardForm::operand,
    .limit = ir::RowLimit::bound,
};

}  // namespace texlate::ptx
