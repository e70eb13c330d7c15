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

/// The name that `word` stands for. A backslash that begins no escape stands for itself, as in listings of
/// others.
void append_unescaped(std::string_view word, std::pmr::string& out);

/// Appends a name as it stands in a comment that nobody reads back: blanks stay.
void append_escaped_comment(std::string_view name, std::pmr::string& out);

}  // namespace texlate::assembly
