// What an XML file declares of itself before its first element, obeyed as far as it is harmless: its
// encoding, and small entities that stand for text.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// "ISO-8859-2" of <?xml version="1.0" encoding="ISO-8859-2"?>; empty: none, or one of several bytes a letter,
// which a byte order mark shows.
std::string declared_encoding(std::string_view bytes);
// The text in UTF-8. Throws Error when the encoding is unknown or the bytes are none of its letters.
std::string converted(std::string_view bytes, const std::string& encoding, const std::string& where);

// Every &name; of an entity that the file declares is its text; U+FFFD where that text is elsewhere, holds
// tags or other entities, or is longer than 1 000 bytes. Throws Error when the text would more than double.
std::string with_entities(const std::string& text, const std::string& where);

// SGML as XML: names of tags in small letters, every value between quotes.
std::string tidied_tags(std::string_view text);

}  // namespace glassformer
