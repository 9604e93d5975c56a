// How the settings of a model are in config.json. A configuration names each key once, with its member, in
// a function `visit_keys(config, fn)`; from that it is read and written here.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

// The spellings of an enumeration in config.json, in the order of its values.
template <class Enum>
struct Spellings;

template <class Enum>
std::string spelling(Enum value) {
  return std::string(Spellings<Enum>::names.at(static_cast<std::size_t>(value)));
}

[[noreturn]] inline void refuse_setting(const std::string& where, std::string_view key,
                                        const std::string& allowed, const nlohmann::json& found) {
  throw Error(where, std::string(key) + " must be " + allowed + ", found " + shown(found));
}

inline void check_range(const char* key, int value, int low, int high) {
  if (value >= low && value <= high) return;
  refuse_setting("model", key, "from " + std::to_string(low) + " to " + std::to_string(high), value);
}

template <class Value>
void write_key(nlohmann::json& json, const char* key, const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    json[key] = spelling(value);
  else
    json[key] = value;
}

// Reads one key after another and in the end knows which keys nobody asked for.
class KeyReader {
 public:
  KeyReader(const nlohmann::json& json, const std::string& where) : json_(json), where_(where) {
    if (!json.is_object()) throw Error(where, "expected a JSON object with the model's settings");
  }

  template <class Value>
  void read(const char* key, Value& value, bool needed = false) {
    known_.insert(key);
    const auto found = json_.find(key);
    if (found != json_.end() && !found->is_null())
      value = value_of<Value>(key, *found);
    else if (needed)
      throw Error(where_, "the key \"" + std::string(key) + "\" is missing");
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key))
        throw Error(where_, "the key " + shown(key) + " is not known; remove it or correct its spelling");
  }

 private:
  template <class Value>
  Value value_of(const char* key, const nlohmann::json& found) const {
    if constexpr (std::is_same_v<Value, nlohmann::json>) {
      return found;
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (!found.is_boolean()) refuse_setting(where_, key, "true or false", found);
      return found.get<bool>();
    } else if constexpr (std::is_enum_v<Value>) {
      std::string allowed;
      for (std::size_t i = 0; i < Spellings<Value>::names.size(); ++i) {
        const std::string_view name = Spellings<Value>::names[i];
        if (found == name) return static_cast<Value>(i);
        allowed += (i == 0 ? "\"" : " or \"") + std::string(name) + "\"";
      }
      refuse_setting(where_, key, allowed, found);
    } else if constexpr (std::is_same_v<Value, std::vector<int>>) {
      if (!found.is_array()) refuse_setting(where_, key, "a list of ids", found);
      std::vector<int> ids;
      for (const nlohmann::json& id : found) ids.push_back(whole<int>(id, where_, key));
      return ids;
    } else if constexpr (std::is_integral_v<Value>) {
      return whole<Value>(found, where_, key);
    } else {
      if (!found.is_number()) refuse_setting(where_, key, "a number", found);
      return found.get<Value>();
    }
  }

  const nlohmann::json& json_;
  const std::string where_;
  std::set<std::string> known_;
};

// What check(config) throws of "model: ..." is said of the file.
template <class Configuration>
void check_of_file(const Configuration& config, const std::string& where) try {
  check(config);
} catch (const Error& error) {
  throw Error(where, std::string(error.what()).substr(std::string_view("model: ").size()));
}

}  // namespace glassformer
