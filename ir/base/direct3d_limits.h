// Direct3D 11's limits that both the validator of programs (frontend/sm4) and that of IR text (ir) check.
#pragma once

#include <cstdint>

namespace texlate {

// Constants of d3d11.h, each with its name in that header.
inline constexpr uint32_t kMaxThreads = 1024;       // of a group: D3D11_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP
inline constexpr uint32_t kMaxSharedBytes = 32768;  // all g#: D3D11_CS_TGSM_REGISTER_COUNT words
inline constexpr uint32_t kMaxTemps = 4096;    // r# and x# together: D3D11_COMMONSHADER_TEMP_REGISTER_COUNT
inline constexpr uint32_t kMaxStride = 2048;   // D3D11_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES
inline constexpr uint32_t kMaxRegisters = 32;  // v#, o#: D3D11_VS_INPUT_REGISTER_COUNT and the like
inline constexpr uint32_t kMaxControlPoints = 32;   // D3D11_IA_PATCH_MAX_CONTROL_POINT_COUNT
inline constexpr uint32_t kMaxConstantRows = 4096;  // of a cb#: D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
inline constexpr uint32_t kMaxStreams = 4;          // D3D11_SO_STREAM_COUNT
inline constexpr uint32_t kMaxGsInstances = 32;     // D3D11_GS_MAX_INSTANCE_COUNT
inline constexpr uint32_t kMaxGsVertices = 1024;    // D3D11_GS_MAX_OUTPUT_VERTEX_COUNT_ACROSS_INSTANCES

}  // namespace texlate
