// What --known gives: a file of known state, a scene, or a container with a root signature
// (docs/known_state.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frontend/lower/lower.h"
#include "ir/base/diagnostics.h"
#include "tools/executor/known_scene.h"
#include "tools/texlate/options.h"

namespace texlate::cli {

/// A shader whose bindings a scene describes.
struct KnownSubject {
  std::string_view bytes;
  std::span<const lower::ClassInstance> classes;
  bool lenient = false;
};

/// The option --known of every command that translates.
Option known_option(std::string& file, std::string_view topic, Condition with = {});

/// The file --known, and messages about it.
struct KnownFile {
  std::string path, text;
  executor::KnownLists lists;
  Diagnostics diagnostics;

  /// Reads the file and what it says about the shader. A scene whose shader has errors says nothing: they are
  /// reported when it is translated. Returns false with diagnostics.
  bool read(const std::string& file, const KnownSubject& subject);
  std::string messages() const;
};

}  // namespace texlate::cli
