// What a client's scan structures get: descriptors, pairs of textures and samplers, signatures, tessellation.
#pragma once

#include "library/vkd3d/containers.h"
#include "library/vkd3d/request.h"
#include "texlate/texlate.hpp"

namespace texlate::vkd3d {

/// Fills the scan structures of the chain. On an error all of them are empty.
int fill_scans(const Request& request, const Container& container, const api::Program& program,
               Messages& messages);

/// Frees what a scan structure has, and empties it.
void free_descriptors(ScanDescriptorInfo& info);
void free_signatures(ScanSignatureInfo& info);
void free_pairs(ScanCombinedResourceSamplerInfo& info);

}  // namespace texlate::vkd3d
