#include "backend/spirv/writer.h"

#include "ir/spelling.h"

namespace texlate::spirv {

void Writer::refuse(const Instruction& instruction, std::string_view what) {
  diagnostics_.error(module_.location_of(instruction), "{} cannot be expressed on spirv", what);
  // Users of the results must find a value.
  for (Value result = instruction.first_result; result != instruction.first_result + instruction.result_count;
       ++result)
    values_.define(result, values_.form(result), values_.use(kLiteralZero, values_.form(result)));
}

void Writer::refuse_system_value(const Instruction& instruction, ir::SystemValue which, std::string_view as) {
  refuse(instruction, std::string(ir::spelling(which)).append(" as ").append(as));
}

}  // namespace texlate::spirv
