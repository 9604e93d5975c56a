// JSON files, and what is wrong with them in a person's words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace glassformer {

// Throws Error that names the file, and the line at which it stops being JSON.
nlohmann::json read_json(const std::string& path);
// The same of text that came from somewhere else.
nlohmann::json parse_json(const std::string& text, const std::string& where);

// What the library found wrong with a value, without its own numbering: "the entry "step" is missing".
std::string in_words(const nlohmann::json::exception& error);

}  // namespace glassformer
