// Names out of containers, as listings write them. A name may hold any byte; a listing is lines of text.
//
//   byte                                     written
//   ---------------------------------------  -------
//   a letter, digit, punctuation of ASCII    itself
//   backslash                                two of them
//   any other, a blank among them            \xNN
//   an empty name                            \ alone
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

namespace texlate::assembly {

/// Appends `name`. Equal names are written alike, different ones differently, each as one word; the first
/// byte is escaped where it would be taken for something else in a signature's row: `-` (a ruler), `m1:` (a
/// stream).
void append_escaped(std::string_view name, std::pmr::string& out);

/// The name that `word` encodes. A backslash that does not begin an escape is itself, as in listings of
/// others.
void append_unescaped(std::string_view word, std::pmr::string& out);

/// Appends a name as it is written in a comment that is never read back: blanks are kept.
void append_escaped_comment(std::string_view name, std::pmr::string& out);

}  // namespace texlate::assembly
