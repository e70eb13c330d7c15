// Signatures as vkd3d-shader gives them to its clients: one block of memory for elements and names, which
// vkd3d_shader_free_shader_signature() frees.
#pragma once

#include "library/vkd3d/containers.h"

namespace texlate::vkd3d {

enum class SignatureKind : uint8_t { input, output, patch_constant };

/// What part of a shader the elements of a chunk are, which decides how the mask of used components is
/// stored.
enum class UsedMask : uint8_t { read, not_written };

/// Which chunk counts if a container has several of one kind.
enum class Which : uint8_t { first, last };

/// Reads the elements of the chunk of this kind into `signature`; none if there is no such chunk. On an error
/// `signature` is empty: kInvalidArgument for a broken chunk, kOutOfMemory.
int read_signature(const Container& container, SignatureKind kind, Which which, UsedMask used,
                   Signature& signature, Messages& messages);

/// kOk if every signature chunk can be read and its registers exist; else a message and kInvalidArgument, or
/// kInvalidShader for a register.
int check_signatures(const Container& container, Messages& messages);

/// A copy of another library's signature that free_signature() frees. False: no memory.
bool copy_signature(const Signature& from, Signature& to);

/// False: no memory; the signature is unchanged then.
bool append(Signature& signature, const SignatureElement& element);

void free_signature(Signature& signature);

/// The element with this semantic; null if there is none. Case is ignored.
SignatureElement* find_element(const Signature& signature, const char* name, uint32_t index, uint32_t stream);

/// Matches the inputs of a stage that are not system values with the outputs of the stage before.
/// `map` has room for every element of `in`. Returns the number of entries.
uint32_t build_varying_map(const Signature& out, const Signature& in, VaryingMap* map);

}  // namespace texlate::vkd3d
