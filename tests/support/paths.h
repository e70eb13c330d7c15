#pragma once

// The locations of the tests' inputs. The two folders are compiled into a single file, so that the tests'
// other objects are the same in every checkout and a compiler cache can serve them.

#include <string>

namespace texlate::test {

/// The root of the checkout, an absolute path.
const std::string& source_dir();

/// The folder with the corpus, next to the checkout. It need not exist: tests that use it are then reported
/// as skipped.
const std::string& shared_dir();

}  // namespace texlate::test
