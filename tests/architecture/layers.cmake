# Which folder may know which: for each layer, the folders whose headers its files may include (itself always).
# A layer is the longest prefix in this list that a file's path has.
set(LAYERS
  ir/base ir/passes ir
  frontend/sm4 frontend/asm frontend/dxbc frontend/lower
  backend/maxwell/isa backend/maxwell backend/ptx backend/spirv backend
  sim/texture_unit sim/scene sim/ir sim/ptx sim/maxwell sim/vulkan
  include library tools)

set(MAY_ir/base "")
set(MAY_ir ir/base)
set(MAY_ir/passes ir ir/base)
set(MAY_frontend/sm4 ir/base)
set(MAY_frontend/asm frontend/sm4 ir/base)
set(MAY_frontend/dxbc frontend/sm4 frontend/asm ir/base)
set(MAY_frontend/lower frontend/sm4 ir ir/base)
set(MAY_backend ir ir/passes ir/base)
set(MAY_backend/ptx backend ir ir/passes ir/base)
set(MAY_backend/spirv backend ir ir/passes ir/base)
set(MAY_backend/maxwell/isa ir/base)
set(MAY_backend/maxwell backend backend/maxwell/isa ir ir/passes ir/base)
# Executors never include an emitter: one that shares code with what it checks proves nothing.
set(MAY_sim/texture_unit ir/base)
# A scene is what the interpreter binds.
set(MAY_sim/scene sim/texture_unit sim/ir ir ir/base)
set(MAY_sim/ir sim/texture_unit ir ir/base)
set(MAY_sim/ptx sim/texture_unit ir/base)
set(MAY_sim/maxwell sim/texture_unit ir/base)
set(MAY_sim/vulkan sim/texture_unit ir/base)
set(MAY_include "")
set(MAY_library ANY)
set(MAY_tools ANY)
