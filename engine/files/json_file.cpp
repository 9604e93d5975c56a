#include "engine/files/json_file.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

// Appends until `text` is longer than can be shown.
void append(std::string& text, const Json& value) {
  constexpr std::size_t kEnough = 4 * kLongestShown + 4;  // bytes: no character takes more than four
  if (text.size() > kEnough) return;
  if (value.is_string()) {
    const std::string& whole = value.get_ref<const std::string&>();
    text += Json(whole.substr(0, kEnough)).dump(-1, ' ', false, Json::error_handler_t::replace);
  } else if (value.is_structured()) {
    text += value.is_array() ? '[' : '{';
    bool first = true;
    for (auto entry = value.begin(); entry != value.end() && text.size() <= kEnough; ++entry) {
      if (!std::exchange(first, false)) text += ',';
      if (value.is_object()) {
        append(text, entry.key());
        text += ':';
      }
      append(text, *entry);
    }
    text += value.is_array() ? ']' : '}';
  } else {
    text += value.dump();
  }
}

// A text that counts how much of it was read.
class WatchedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedText(std::string_view text, std::size_t at, const JsonProgress* progress, const std::string* where)
      : text_(text), at_(at), progress_(progress), where_(where) {}

  reference operator*() const { return text_[at_]; }
  WatchedText& operator++() {
    constexpr std::size_t kBetween = 1U << 18;  // bytes
    if (++at_ % kBetween == 0 && !(*progress_)(static_cast<double>(at_) / static_cast<double>(text_.size())))
      throw Error(*where_, "reading it was given up");
    return *this;
  }
  bool operator==(const WatchedText& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedText& other) const { return at_ != other.at_; }

 private:
  std::string_view text_;
  std::size_t at_;
  const JsonProgress* progress_;
  const std::string* where_;
};

// `parse` makes the value.
template <class Parse>
Json checked_json(std::string_view text, const std::string& where, const Parse& parse) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(where, "it is empty, and JSON was expected; bring back a whole copy");
  if (nests_too_deep(text))
    throw Error(where, "its brackets nest deeper than " + std::to_string(kDeepestJson) +
                           " levels; the file is damaged, or not what its name says");
  try {
    return parse();
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min(error.byte, text.size());
    if (error.byte > text.size())
      throw Error(where, "it is cut off in the middle of its JSON; bring back a whole copy");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw Error(where, "it is not JSON from line " + std::to_string(line) +
                           " on: the file is damaged, or not what its name says");
  } catch (const Json::exception&) {
    throw Error(where, "it holds a number that is too large for a computer; the file is damaged");
  }
}

}  // namespace

// Counted over the text, since a value that nests too deeply must not come to be.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if ((c == '[' || c == '{') && ++depth > kDeepestJson) {
      return true;
    }
  }
  return false;
}

nlohmann::json read_json(const std::string& path, long max_bytes) {
  return parse_json(read_file(path, max_bytes), path);
}

nlohmann::json read_json(const std::string& path, const JsonProgress& progress) {
  if (!progress) return read_json(path);
  const std::string text = read_file(path, kMostJsonBytes);
  return checked_json(text, path, [&] {
    return Json::parse(WatchedText(text, 0, &progress, &path),
                       WatchedText(text, text.size(), &progress, &path));
  });
}

nlohmann::json parse_json(std::string_view text, const std::string& where,
                          const Json::parser_callback_t& watch) {
  return checked_json(text, where, [&] { return Json::parse(text, watch); });
}

std::string shown(const nlohmann::json& value) {
  std::string text;
  append(text, value);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  std::size_t characters = 0, kept = text.size();
  constexpr std::string_view kMore = "...";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins(text[i])) continue;
    if (characters == kLongestShown - kMore.size()) kept = i;
    if (++characters > kLongestShown) return text.substr(0, kept) + std::string(kMore);
  }
  return text;
}

void refuse_number(const nlohmann::json& value, const std::string& where, const std::string& name,
                   const std::string& range) {
  throw Error(where, name + " should be a whole number " + range + " and is " + shown(value));
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
