// Root signatures in vkd3d-shader's structures: read, written, converted between versions 1.0 and 1.1.
#pragma once

#include "library/vkd3d/messages.h"

namespace texlate::vkd3d {

/// Reads chunk RTS0 of a container. Without one, the result has version 0 and the status is kOk.
int parse_root_signature(const Code& code, VersionedRootSignature& signature, Messages& messages);

/// Writes a container with chunk RTS0 into memory of the client.
int serialize_root_signature(const VersionedRootSignature& signature, Code& code, Messages& messages);

/// Copies `from` into the other version. Version 1.0 has no flags of ranges and descriptors; the flags that
/// version 1.1 gets say what version 1.0 means: descriptors and data are volatile.
int convert_root_signature(const VersionedRootSignature& from, RootVersion version,
                           VersionedRootSignature& to);

void free_root_signature(VersionedRootSignature& signature);

}  // namespace texlate::vkd3d
