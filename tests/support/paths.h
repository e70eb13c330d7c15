#pragma once

// Where the tests find their inputs. The two folders are compiled into one file, so that the tests' own
// objects are the same in every checkout and a compiler cache can serve them.

#include <string>

namespace texlate::test {

/// The root of the checkout, an absolute path.
const std::string& source_dir();

/// The folder beside the checkout with the corpus; it need not exist (tests that use it then report that they
/// were skipped).
const std::string& shared_dir();

}  // namespace texlate::test
