# cmake -D CORE=spirv.core.grammar.json -D Glsl=extinst.glsl.std.450.grammar.json
#   -D DebugInfo=extinst.nonsemantic.shader.debuginfo.100.grammar.json -D DebugPrintf=extinst.nonsemantic.debugprintf.grammar.json
#   -D OUTPUT=grammar.inc -P make_grammar.cmake
# Turns SPIRV-Headers' machine-readable grammar into the arrays that grammar.cpp includes. The words wanted are picked out of the JSON
# by their keys, in order: `opname` and `category` begin an instruction or a kind of operands, `enumerant` one of its values, and
# `kind` and `quantifier` belong to what began last. (string(JSON) would parse the whole file again for each word.)
cmake_minimum_required(VERSION 3.25)

function(read_pairs file result)
  file(READ "${file}" text)
  string(REGEX MATCHALL "\"(opname|opcode|category|kind|quantifier|enumerant|value)\" *: *(\"[^\"]*\"|[0-9]+)" pairs "${text}")
  string(REPLACE "\"" "" pairs "${pairs}")
  set(${result} "${pairs}" PARENT_SCOPE)
endfunction()

read_pairs("${CORE}" pairs)
set(what "")            # instruction, kind or enumerant: what is being read
set(pending "")         # an operand that may still get a quantifier
set(operand_rows "")
set(operand_count 0)
set(first_operand 0)
set(instruction_rows "")
set(kind_rows "")
set(kind_names "")
set(enumerant_rows "")
set(enumerant_count 0)
set(first_enumerant 0)

macro(end_operand)
  if(pending)
    string(APPEND operand_rows "    {OperandKind::${pending}, Quantifier::${quantifier}},\n")
    math(EXPR operand_count "${operand_count} + 1")
    set(pending "")
  endif()
endmacro()

# Writes the row of the instruction or enumerant that ends here.
macro(end_row)
  end_operand()
  math(EXPR own_operands "${operand_count} - ${first_operand}")
  if(what STREQUAL "instruction")
    string(APPEND instruction_rows "    {${number}, ${first_operand}, ${own_operands}, \"${name}\"},\n")
  elseif(what STREQUAL "enumerant")
    string(APPEND enumerant_rows "    {${number}, ${first_operand}, ${own_operands}, \"${name}\"},\n")
    math(EXPR enumerant_count "${enumerant_count} + 1")
  endif()
  set(first_operand ${operand_count})
endmacro()

macro(end_kind)
  if(kind)
    math(EXPR own_enumerants "${enumerant_count} - ${first_enumerant}")
    string(APPEND kind_rows "    {Category::${category}, ${first_enumerant}, ${own_enumerants}},\n")
    string(APPEND kind_names "  ${kind},\n")
    set(first_enumerant ${enumerant_count})
    set(kind "")
  endif()
endmacro()

foreach(pair IN LISTS pairs)
  string(REGEX MATCH "^([a-z]+) *: *(.*)$" _ "${pair}")
  set(key ${CMAKE_MATCH_1})
  set(word "${CMAKE_MATCH_2}")
  if(key STREQUAL "opname" OR key STREQUAL "enumerant")
    end_row()
    set(name ${word})
    set(what instruction)
    if(key STREQUAL "enumerant")
      set(what enumerant)
    endif()
  elseif(key STREQUAL "opcode" OR key STREQUAL "value")
    set(number ${word})
  elseif(key STREQUAL "category")
    end_row()
    end_kind()
    set(what kind)
    set(category ${word})
  elseif(key STREQUAL "kind" AND what STREQUAL "kind")
    set(kind ${word})
  elseif(key STREQUAL "kind")
    end_operand()
    set(pending ${word})
    set(quantifier one)
  elseif(word STREQUAL "?")
    set(quantifier optional)
  else()
    set(quantifier any_number)
  endif()
endforeach()
end_row()
end_kind()

# Rows of the sets of extended instructions.
set(sets "")
foreach(set IN ITEMS Glsl DebugInfo DebugPrintf)
  read_pairs("${${set}}" pairs)
  string(APPEND sets "\nconstexpr Row k${set}Instructions[] = {\n")
  foreach(pair IN LISTS pairs)
    if(pair MATCHES "^opname *: *(.*)$")
      set(name ${CMAKE_MATCH_1})
    elseif(pair MATCHES "^opcode *: *(.*)$")
      string(APPEND sets "    {${CMAKE_MATCH_1}, 0, 0, \"${name}\"},\n")
    endif()
  endforeach()
  string(APPEND sets "};\n")
endforeach()

file(WRITE "${OUTPUT}" "// Made by make_grammar.cmake from
// ${CORE}
// ${Glsl}
// ${DebugInfo}
// ${DebugPrintf}
enum class OperandKind : uint8_t {
${kind_names}};

constexpr Operand kOperands[] = {
${operand_rows}};

constexpr Row kInstructions[] = {
${instruction_rows}};

constexpr Row kEnumerants[] = {
${enumerant_rows}};

constexpr Kind kKinds[] = {
${kind_rows}};
${sets}")
