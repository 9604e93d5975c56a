// A grammar file cut into logical lines of words, each word with its place for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct GrammarToken {
  std::string text;
  long line = 0, column = 0;  // from 1; columns count characters
};

// One line with the lines that continue it (those indented by four blanks or more).
struct GrammarLine {
  bool indented = false;  // belongs to the section above it
  std::vector<GrammarToken> tokens;
};

// Cuts at blanks outside parentheses; drops comments (# at the start of a word) and empty lines. Throws Error
// for bytes that no text file has, and for lines of absurd length.
std::vector<GrammarLine> grammar_lines(std::string_view text, const std::string& where);

// "where:12:7: what", the one form of every message about a grammar file.
[[noreturn]] void refuse(const std::string& where, const GrammarToken& token, const std::string& what);

// A word as a message may show it: quoted, and cut when long.
std::string in_quotes(std::string_view word);

// What an XML file declares of itself before its first element, obeyed as far as it is harmless: its
// encoding, and small entities that represent text.

// "ISO-8859-2" of <?xml version="1.0" encoding="ISO-8859-2"?>; empty: none, or one of several bytes a letter,
// which a byte order mark shows.
std::string declared_encoding(std::string_view bytes);
// The text in UTF-8. Throws Error when the encoding is unknown or the bytes are none of its letters.
std::string converted(std::string_view bytes, const std::string& encoding, const std::string& where);

// Every &name; of an entity that the file declares is its text; U+FFFD and the name where the file does not
// declare it, or its text is elsewhere, holds tags or other entities, or is longer than 1 000 bytes. Throws
// Error when the text would more than double.
std::string with_entities(const std::string& text, const std::string& where);
// "&name;", the first of those that with_entities could not replace; empty: none.
std::string unread_entity(std::string_view text);

// SGML as XML: names of tags in small letters, every value between quotes.
std::string tidied_tags(std::string_view text);

}  // namespace glassformer
