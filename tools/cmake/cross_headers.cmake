# When cross-compiling: the headers of libraries that need no building, from the system that compiles. Its include folder as a whole must stay invisible,
# because it also has the headers of its own C library.
function(texlate_borrow_header folder file)
  set(variable TEXLATE_HEADERS_OF_${folder})
  find_path(${variable} ${folder}/${file} PATHS /usr/local/include /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
  file(CREATE_LINK ${${variable}}/${folder} ${PROJECT_BINARY_DIR}/headers/${folder} SYMBOLIC)
endfunction()
texlate_borrow_header(fmt core.h)
texlate_borrow_header(spirv unified1/spirv.hpp)

foreach(name fmt::fmt fmt::fmt-header-only SPIRV-Headers::SPIRV-Headers)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/headers)
endforeach()
foreach(name fmt::fmt fmt::fmt-header-only)
  target_compile_definitions(${name} INTERFACE FMT_HEADER_ONLY=1)
endforeach()
