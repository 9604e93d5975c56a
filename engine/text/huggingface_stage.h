// What the stages of a tokenizer.json share: their settings, and plain work on text. Internal to
// engine/text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/text/huggingface_stages.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

inline std::string stage_type(const nlohmann::json& json, const std::string& where) {
  const auto found = json.is_object() ? json.find("type") : json.end();
  if (found == json.end() || !found->is_string()) throw Error(where, "a stage of it has no type");
  return found->get<std::string>();
}
inline bool flag_of(const nlohmann::json& json, const char* key, bool absent) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() ? found->get<bool>() : absent;
}
inline std::string text_of(const nlohmann::json& json, const char* key, const std::string& absent) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : absent;
}
inline const nlohmann::json& parts_of(const nlohmann::json& json, const char* key, const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array())
    throw Error(where, std::string("a Sequence of it has no ") + key);
  return *found;
}
// A pattern that is plain text; regular expressions are not read.
inline std::string plain_pattern(const nlohmann::json& json, const std::string& where) {
  const std::string stage = "its stage " + shown(json.value("type", ""));
  const auto pattern = json.find("pattern");
  if (pattern == json.end()) throw Error(where, stage + " has no pattern");
  if (pattern->contains("Regex")) throw Error(where, stage + " has a regular expression, which is not read");
  const std::string text = text_of(*pattern, "String", "");
  if (text.empty()) throw Error(where, stage + " has a pattern that is no text: " + shown(*pattern));
  return text;
}
// A setting that is one sign.
inline std::string sign_of(const nlohmann::json& json, const char* key, const std::string& absent,
                           const std::string& where) {
  const std::string sign = text_of(json, key, absent);
  if (code_points(sign).size() == 1) return sign;
  throw Error(where, "its stage " + shown(json.value("type", "")) + " must have one sign as " + key +
                         ", found " + shown(sign));
}

// Whether a mark goes before a text ("prepend_scheme"; older files have "add_prefix_space").
inline std::string prepend_scheme(const nlohmann::json& json) {
  return text_of(json, "prepend_scheme", flag_of(json, "add_prefix_space", true) ? "always" : "never");
}

template <class Stage, class Read>
std::vector<Stage> read_stages(const nlohmann::json& parts, Read read) {
  std::vector<Stage> stages;
  for (const nlohmann::json& part : parts) stages.push_back(read(part));
  return stages;
}

[[noreturn]] inline void refuse_stage(const std::string& what, const std::string& type,
                                      const std::string& where) {
  throw Error(where, "its " + what + " " + shown(type) + " is not read");
}

// `from` is not empty.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(from, at);
    result += text.substr(at, next - at);
    if (next == text.npos) return result;
    result += to;
    at = next + from.size();
  }
}

inline std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

}  // namespace glassformer::huggingface
