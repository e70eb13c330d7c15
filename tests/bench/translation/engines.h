// The translators that translation_bench compares.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace texlate::bench {

/// A translator from DXBC containers to one target.
class Engine {
 public:
  virtual ~Engine() = default;
  /// The bytes of the translation; 0: it failed.
  virtual size_t translate(const std::string& container) = 0;

  std::string name;
};

/// texlate to `target`, including validation and the check of the digest.
std::unique_ptr<Engine> make_texlate(const std::string& target);
/// A libvkd3d-shader, to SPIR-V without debug names. Null: it cannot be loaded.
std::unique_ptr<Engine> load_vkd3d(const std::string& path);

struct Input {
  std::string name;
  std::string container;
  uint32_t instructions;  // declarations not counted
};
/// Reads a container, or assembles a listing. Returns false if texlate cannot read it.
bool read_input(const std::string& name, Input& input);

}  // namespace texlate::bench
