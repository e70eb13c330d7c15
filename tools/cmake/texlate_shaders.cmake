# texlate_add_shaders(NAME SHADERS FILE... [TO TARGET] [FOLDER FOLDER] [OPTIONS OPTION...] [REFLECT]): a target that translates each
# shader whenever it, a file that its options name, or texlate itself changed. The output depends on nothing else, so compiler caches
# and build farms may keep it.
#
#   SHADERS   shader assembly, DXBC containers or IR text; relative to the current source folder
#   TO        the target, as for `texlate translate --to`; default: ptx
#   FOLDER    the folder of the translations, which are named after their shaders; relative to the current binary folder, which is the default
#   OPTIONS   further options of `texlate translate`
#   REFLECT   also write NAME.json: what the host must bind
#
# The target's property TEXLATE_OUTPUTS lists the files that are made. The program is the target `texlate` if it is part of the build, otherwise
# TEXLATE_PROGRAM, which is searched for next to the package and in PATH.

if(NOT TARGET texlate)
  find_program(TEXLATE_PROGRAM texlate HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../bin")
endif()

function(texlate_add_shaders name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "REFLECT" "TO;FOLDER" "SHADERS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SHADERS)
    message(FATAL_ERROR "texlate_add_shaders(NAME SHADERS FILE... [TO TARGET] [FOLDER FOLDER] [OPTIONS OPTION...] [REFLECT])")
  endif()
  if(TARGET texlate)
    set(program texlate)
  elseif(TEXLATE_PROGRAM)
    set(program ${TEXLATE_PROGRAM})
  else()
    message(FATAL_ERROR "texlate_add_shaders: the program texlate was not found; set TEXLATE_PROGRAM")
  endif()
  if(NOT ARG_TO)
    set(ARG_TO ptx)
  endif()
  # As `texlate help targets` lists them; a test compares the two.
  set(suffixes ptx .ptx maxwell .sass cubin .cubin maxwell-bin .bin dksh .dksh spirv .spv spirv-text .spvasm ir .ir asm .asm dxbc .dxbc)
  list(FIND suffixes "${ARG_TO}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "texlate_add_shaders: there is no target '${ARG_TO}'")
  endif()
  math(EXPR place "${place} + 1")
  list(GET suffixes ${place} suffix)
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH ARG_FOLDER BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  file(MAKE_DIRECTORY ${ARG_FOLDER})

  set(outputs "")
  foreach(shader IN LISTS ARG_SHADERS)
    cmake_path(ABSOLUTE_PATH shader BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET shader STEM LAST_ONLY stem)
    set(output ${ARG_FOLDER}/${stem}${suffix})
    if(output IN_LIST outputs)
      message(FATAL_ERROR "texlate_add_shaders: two shaders would be written to ${output}")
    endif()
    set(made ${output})
    set(reflect "")
    if(ARG_REFLECT)
      list(APPEND made ${ARG_FOLDER}/${stem}.json)
      set(reflect --reflect ${ARG_FOLDER}/${stem}.json)
    endif()
    add_custom_command(
      OUTPUT ${made}
      COMMAND ${program} translate ${shader} --to ${ARG_TO} -o ${output} ${reflect} --depfile ${output}.d ${ARG_OPTIONS}
      DEPENDS ${shader} ${program}
      DEPFILE ${output}.d
      COMMENT "Translating ${stem} to ${ARG_TO}"
      VERBATIM)
    list(APPEND outputs ${made})
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${outputs})
  set_target_properties(${name} PROPERTIES TEXLATE_OUTPUTS "${outputs}")
endfunction()
