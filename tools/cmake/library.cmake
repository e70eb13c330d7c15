# The library for other projects: libtexlate.so (texlate::texlate) and libtexlate.a (texlate::texlate_static), made from the same objects, with a
# CMake package and a pkg-config file. A project that adds this folder with add_subdirectory() has the same two targets.
include(GNUInstallDirs)

# The libraries of this project that `library` links, including itself, each once.
function(texlate_parts library result)
  set(parts "${library}")
  set(next "${library}")
  while(next)
    list(POP_FRONT next part)
    get_target_property(links ${part} LINK_LIBRARIES)
    foreach(link IN LISTS links)
      if(TARGET ${link} AND link MATCHES "^texlate_" AND NOT link STREQUAL "texlate_options" AND NOT link IN_LIST parts)
        list(APPEND parts ${link})
        list(APPEND next ${link})
      endif()
    endforeach()
  endwhile()
  set(${result} "${parts}" PARENT_SCOPE)
endfunction()

texlate_parts(texlate_library parts)
set(objects "")
foreach(part IN LISTS parts)
  get_target_property(kind ${part} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")  # headers only
    continue()
  endif()
  list(APPEND objects $<TARGET_OBJECTS:${part}>)
endforeach()

set(private "")
if(NOT TEXLATE_EMBED_FMT)
  list(APPEND private fmt::fmt)
endif()
if(TEXLATE_SPIRV_TOOLS)
  find_package(SPIRV-Tools REQUIRED)
  find_package(SPIRV-Tools-opt REQUIRED)
  list(APPEND private SPIRV-Tools-opt SPIRV-Tools-static)
endif()

get_property(has_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
set(kinds static)
if(has_shared)
  list(APPEND kinds shared)
endif()
foreach(kind IN LISTS kinds)
  string(TOUPPER ${kind} type)
  add_library(texlate_${kind} ${type} ${objects})
  target_include_directories(texlate_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(texlate_${kind} PRIVATE ${private})
  set_target_properties(texlate_${kind} PROPERTIES OUTPUT_NAME texlate LINKER_LANGUAGE CXX)
endforeach()
target_compile_definitions(texlate_static INTERFACE TEXLATE_STATIC)
add_library(texlate::texlate_static ALIAS texlate_static)
if(NOT has_shared)
  add_library(texlate::texlate ALIAS texlate_static)
  return()
endif()
# Only the functions of texlate.h are exported; tests/package holds the list. Linkers without version scripts (of macOS, Windows, WebAssembly) go by
# the visibility of the symbols alone.
# The run time of a sanitizer is in the program that loads the library, so its functions stay undefined there.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(TEXLATE_NO_UNDEFINED -Wl,--no-undefined)
endif()
include(CheckLinkerFlag)
set(map ${CMAKE_CURRENT_LIST_DIR}/texlate.map)
if(NOT WIN32)
  check_linker_flag(CXX -Wl,--version-script=${map} TEXLATE_HAS_VERSION_SCRIPTS)
endif()
if(TEXLATE_HAS_VERSION_SCRIPTS)
  target_link_options(texlate_shared PRIVATE -Wl,--version-script=${map} ${TEXLATE_NO_UNDEFINED})
  set_target_properties(texlate_shared PROPERTIES LINK_DEPENDS ${map})
endif()
set_target_properties(texlate_shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME texlate)
if(MINGW)
  # The DLL needs no other files, and its import library has the usual name.
  target_link_options(texlate_shared PRIVATE -static)
  set_target_properties(texlate_shared PROPERTIES PREFIX "" IMPORT_PREFIX "lib")
endif()
add_library(texlate::texlate ALIAS texlate_shared)
if(TEXLATE_LTO)
  # Archives of objects that only this compiler can read are useless to other projects.
  set_target_properties(texlate_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

if(NOT TEXLATE_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(installed texlate_shared)
if(NOT TEXLATE_LTO)
  list(APPEND installed texlate_static)
endif()
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/texlate)
install(TARGETS ${installed} EXPORT texlate_targets
  RUNTIME COMPONENT library LIBRARY COMPONENT library NAMELINK_COMPONENT development ARCHIVE COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/texlate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT texlate_targets NAMESPACE texlate:: DESTINATION ${package_folder} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/texlate-config.cmake.in ${PROJECT_BINARY_DIR}/texlate-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/texlate-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/texlate-config.cmake ${PROJECT_BINARY_DIR}/texlate-config-version.cmake
  DESTINATION ${package_folder} COMPONENT development)

# The prefix relative to the file's location, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# Needed to link the static library; pkg-config asks for these packages whatever one links, so without it they are left out.
set(pc_requires_private "")
if(TEXLATE_SPIRV_TOOLS AND NOT TEXLATE_LTO)
  string(APPEND pc_requires_private " SPIRV-Tools")
  set(pc_libs_private "-lSPIRV-Tools-opt -lSPIRV-Tools")
endif()
if(NOT TEXLATE_EMBED_FMT AND NOT TEXLATE_LTO)
  string(APPEND pc_requires_private " fmt")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/texlate.pc.in ${PROJECT_BINARY_DIR}/texlate.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/texlate.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
if(TARGET texlate)
  install(TARGETS texlate COMPONENT program)
endif()

# The documents with JSON schemas and example hosts, and the example shaders, at the places to which README's links lead.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/shaders DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(FILES ${PROJECT_SOURCE_DIR}/library/python/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/library/python COMPONENT documentation)
