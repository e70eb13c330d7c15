// Arguments from files: `texlate translate @inputs.txt`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace texlate::cli {

/// Appends the words of a response file. Blanks and line breaks separate words. Words in double or single
/// quotes may contain them; in double quotes, `\"` and `\\` are `"` and `\`. Elsewhere a backslash is itself,
/// as in the paths of Windows. `#` at the beginning of a line starts a comment. Returns false, with the line,
/// if a quote is not closed.
bool split_words(std::string_view text, std::vector<std::string>& words, size_t& line);

/// Replaces each argument @FILE after the program's name by the file's words, which are not expanded again.
/// `--` ends the replacement. Returns false if a message was printed.
bool expand_response_files(int argc, char** argv, std::vector<std::string>& arguments);

}  // namespace texlate::cli
