#include "tests/support/paths.h"

namespace texlate::test {

const std::string& source_dir() {
  static const std::string folder = TEXLATE_SOURCE_DIR;
  return folder;
}

const std::string& shared_dir() {
  static const std::string folder = TEXLATE_SHARED_DIR;
  return folder;
}

}  // namespace texlate::test
