# For each layer: the folders whose headers its files may include, in addition to its own.
# A file belongs to the layer that is the longest prefix of its path in this list.
set(LAYERS
  ir/base ir/passes ir
  frontend/sm4 frontend/asm frontend/dxbc frontend/lower
  backend/maxwell/isa backend/maxwell/machine backend/maxwell backend/launch backend/ptx backend/spirv backend
  sim/arithmetic sim/texture_unit sim/pipeline sim/scene sim/ir sim/ptx sim/maxwell sim/vulkan
  include library tools tests/targets)

set(MAY_ir/base "")
set(MAY_ir ir/base)
set(MAY_ir/passes ir ir/base)
set(MAY_frontend/sm4 ir/base)
set(MAY_frontend/asm frontend/sm4 ir/base)
set(MAY_frontend/dxbc frontend/sm4 frontend/asm ir/base)
# Operations are folded and shared as they are made (folding_builder.h).
set(MAY_frontend/lower frontend/sm4 ir ir/passes ir/base)
set(MAY_backend ir ir/passes ir/base)
set(MAY_backend/launch backend ir ir/passes ir/base)
set(MAY_backend/ptx backend backend/launch ir ir/passes ir/base)
set(MAY_backend/spirv backend ir ir/passes ir/base)
set(MAY_backend/maxwell/isa ir/base)
set(MAY_backend/maxwell/machine backend/maxwell/isa ir/base)
set(MAY_backend/maxwell backend backend/launch backend/maxwell/isa backend/maxwell/machine ir ir/passes ir/base)
# Executors never include an emitter: an executor that shares code with what it checks proves nothing.
set(MAY_sim/arithmetic ir/base)
set(MAY_sim/texture_unit ir/base)
# The fixed-function stages work on what shaders of the interpreter leave.
set(MAY_sim/pipeline sim/ir sim/texture_unit ir ir/base)
# A scene makes the bindings of the interpreter, and domain points.
set(MAY_sim/scene sim/pipeline sim/texture_unit sim/ir ir ir/base)
set(MAY_sim/ir sim/texture_unit ir ir/base)
set(MAY_sim/ptx sim/arithmetic sim/texture_unit ir/base)
set(MAY_sim/maxwell sim/arithmetic sim/texture_unit ir/base)
# A whole draw on the device takes the state that the fixed-function stages have.
set(MAY_sim/vulkan sim/pipeline sim/texture_unit ir/base)
set(MAY_include "")
set(MAY_library ANY)
# Targets that do not ship: as those in backend/. GLSL's bindings are Vulkan's, too.
set(MAY_tests/targets backend backend/spirv ir ir/passes ir/base)
set(MAY_tools ANY)
