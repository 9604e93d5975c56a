#include "engine/files/json_file.h"

#include <algorithm>
#include <cstddef>

#include "engine/files/atomic_file.h"
#include "engine/math/error.h"

namespace glassformer {

nlohmann::json read_json(const std::string& path) {
  return parse_json(read_file(path), path);
}

nlohmann::json parse_json(const std::string& text, const std::string& where) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(where, "the file is empty, and JSON was expected; bring back a whole copy");
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t end = std::min(error.byte, text.size());
    if (error.byte > text.size())
      throw Error(where, "it is cut off in the middle of its JSON; bring back a whole copy");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw Error(where, "it is not JSON from line " + std::to_string(line) +
                           " on: the file is damaged, or not what its name says");
  } catch (const nlohmann::json::exception&) {
    throw Error(where, "it holds a number that is too large for a computer; the file is damaged");
  }
}

void refuse_number(const nlohmann::json& value, const std::string& where, const std::string& name,
                   const std::string& range) {
  throw Error(where, name + " should be a whole number " + range + " and is " +
                         value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string in_words(const nlohmann::json::exception& error) {
  constexpr int kWrongType = 302, kMissing = 403;
  std::string words = error.what();
  const std::size_t end = words.find("] ");
  if (words.starts_with("[") && end != std::string::npos) words.erase(0, end + 2);
  if (error.id == kMissing) {
    const std::size_t from = words.find('\''), to = words.rfind('\'');
    if (from < to) return "the entry \"" + words.substr(from + 1, to - from - 1) + "\" is missing";
  }
  const std::string wanted = "type must be ", found = ", but is ";
  const std::size_t middle = words.find(found);
  if (error.id == kWrongType && words.starts_with(wanted) && middle != std::string::npos)
    return "an entry should be a " + words.substr(wanted.size(), middle - wanted.size()) + " and is a " +
           words.substr(middle + found.size());
  return "an entry is of the wrong kind";
}

}  // namespace glassformer
