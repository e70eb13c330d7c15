// Root signatures: chunk RTS0. Layout: "Root Signature (RTS0) Part" of
// https://llvm.org/docs/DirectX/DXContainer.html. Meaning: D3D12_VERSIONED_ROOT_SIGNATURE_DESC.
#pragma once

#include <array>

#include "frontend/dxbc/container.h"

namespace texlate::dxbc {

inline constexpr uint32_t kRootSignatureTag = fourcc("RTS0");
/// D3D_ROOT_SIGNATURE_VERSION.
inline constexpr uint32_t kRootSignature1_0 = 1, kRootSignature1_1 = 2;
inline constexpr uint32_t kUnbounded = 0xffffffffu;

/// D3D12_ROOT_PARAMETER_TYPE.
enum class RootParameterType : uint32_t { table = 0, constants = 1, cbv = 2, srv = 3, uav = 4 };
inline constexpr uint32_t kMostVisibility = 5;  // D3D12_SHADER_VISIBILITY_PIXEL
inline constexpr uint32_t kMostRangeType = 3;   // D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER

struct RootRange {
  uint32_t type = 0;
  uint32_t count = 0;  // or kUnbounded
  uint32_t base_register = 0;
  uint32_t space = 0;
  uint32_t flags = 0;         // 1.1; 0 in 1.0
  uint32_t table_offset = 0;  // kUnbounded: right after the previous range
};

struct RootParameter {
  RootParameterType type = RootParameterType::table;
  uint32_t visibility = 0;
  uint32_t shader_register = 0, space = 0;    // all except tables
  uint32_t flags = 0;                         // descriptors in 1.1; 0 in 1.0
  uint32_t value_count = 0;                   // constants
  uint32_t first_range = 0, range_count = 0;  // tables: in RootSignature::ranges
};

/// D3D12_STATIC_SAMPLER_DESC as stored: 13 dwords, of which three are floats.
using StaticSampler = std::array<uint32_t, 13>;

struct RootSignature {
  explicit RootSignature(std::pmr::memory_resource* memory)
      : parameters(memory), ranges(memory), samplers(memory) {}
  uint32_t version = kRootSignature1_1;
  uint32_t flags = 0;
  std::pmr::vector<RootParameter> parameters;
  std::pmr::vector<RootRange> ranges;
  std::pmr::vector<StaticSampler> samplers;
};

/// Reads the chunk of a container. Returns false and adds diagnostics if it is missing or broken.
bool read_root_signature(const Container& container, RootSignature& signature, Diagnostics& diagnostics);

/// Appends the chunk's data.
void write_root_signature(const RootSignature& signature, std::pmr::vector<std::byte>& out);

}  // namespace texlate::dxbc
