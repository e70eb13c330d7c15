# macOS 13 and later on Apple's processors. Programs cannot run here: they are built and linked.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(TEXLATE_ZIG_TARGET aarch64-macos.13.0)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
# Apple's own tools are not here, and nothing that is linked needs to be changed when it is installed.
set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_NAME_TOOL : CACHE FILEPATH "")
# zig adds debug information that nobody asked for: of the static library it is nine tenths.
set(CMAKE_C_FLAGS_INIT -g0)
set(CMAKE_CXX_FLAGS_INIT -g0)
