#include "app/lessons/hand_in.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/model/transformer.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostPages = 200;
constexpr std::size_t kMostNameLetters = 200;
constexpr int kMostTries = 1'000'000;

template <class Entry>
Entry entry(const nlohmann::json& json, const char* key, const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end()) throw Error(where, "expected “" + std::string(key) + "”, found none");
  try {
    return found->get<Entry>();
  } catch (const nlohmann::json::exception& error) {
    throw Error(where, std::string(key) + ": " + in_words(error));
  }
}

nlohmann::ordered_json to_json(const HandedPage& page) {
  return {{"page", page.number},       {"title", page.title}, {"question", page.question},
          {"sentence", page.sentence}, {"given", page.given}, {"engine", page.engine},
          {"tries", page.tries},       {"right", page.right}, {"shown", page.shown}};
}

int whole_entry(const nlohmann::json& json, const char* key, int most, const std::string& where) {
  const auto found = entry<nlohmann::json>(json, key, where);
  const auto number = as_whole<int>(found, 0, most);
  if (!number) throw Error(where, std::string(key) + ": expected a whole number, found " + shown(found));
  return *number;
}

// A name as a register holds it.
std::string name_entry(const nlohmann::json& json, const char* key, const std::string& where) {
  auto name = entry<std::string>(json, key, where);
  if (const std::size_t letters = code_points(name).size(); letters > kMostNameLetters)
    throw Error(where, std::string(key) + ": expected at most " + std::to_string(kMostNameLetters) +
                           " letters, found " + std::to_string(letters));
  return name;
}

double minutes_entry(const nlohmann::json& json, const std::string& where) {
  const auto minutes = entry<double>(json, "minutes", where);
  if (!(minutes >= 0) || !std::isfinite(minutes))
    throw Error(where, "minutes: expected a number from 0 on, found " + shown(json["minutes"]));
  return minutes;
}

HandedPage page_from(const nlohmann::json& json, int format, const std::string& where) {
  if (!json.is_object()) throw Error(where, "expected a page, found " + shown(json));
  HandedPage page{.title = entry<std::string>(json, "title", where),
                  .question = entry<std::string>(json, "question", where),
                  .sentence = entry<std::string>(json, "sentence", where),
                  .given = entry<std::string>(json, "given", where),
                  .engine = entry<std::string>(json, "engine", where),
                  .tries = whole_entry(json, "tries", kMostTries, where),
                  .right = entry<bool>(json, "right", where),
                  .shown = entry<bool>(json, "shown", where)};
  if (format > 1) page.number = whole_entry(json, "page", static_cast<int>(kMostPages), where);
  return page;
}

}  // namespace

int HandIn::right() const {
  return static_cast<int>(std::ranges::count(pages, true, &HandedPage::right));
}

std::string hand_in_text(const HandIn& handed) {
  nlohmann::ordered_json json = {{"glassformer_hand_in", kHandInFormat},
                                 {"student", handed.student},
                                 {"lesson", handed.lesson},
                                 {"file", handed.file},
                                 {"lesson_hash", handed.lesson_hash},
                                 {"model", handed.model},
                                 {"model_hash", handed.model_hash},
                                 {"program", handed.program},
                                 {"handed_in", handed.handed_in},
                                 {"minutes", handed.minutes},
                                 {"pages", nlohmann::ordered_json::array()}};
  for (const HandedPage& page : handed.pages) json["pages"].push_back(to_json(page));
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

HandIn hand_in_from_text(std::string_view text, const std::string& where) {
  const nlohmann::json json = parse_json(text, where);
  std::optional<int> format;
  if (json.is_object())
    format = as_whole<int>(json.value("glassformer_hand_in", nlohmann::json()), 1, kHandInFormat);
  if (!format) throw Error(where, "this is no file that a lesson's “Hand in” has written");
  HandIn handed{.format = *format,
                .student = name_entry(json, "student", where),
                .lesson = name_entry(json, "lesson", where),
                .file = name_entry(json, "file", where),
                .lesson_hash = name_entry(json, "lesson_hash", where),
                .model = name_entry(json, "model", where),
                .model_hash = name_entry(json, "model_hash", where),
                .program = name_entry(json, "program", where),
                .handed_in = name_entry(json, "handed_in", where),
                .minutes = minutes_entry(json, where),
                .pages = {}};
  const auto pages = entry<nlohmann::json>(json, "pages", where);
  if (!pages.is_array() || pages.size() > kMostPages)
    throw Error(where, "expected at most " + std::to_string(kMostPages) + " pages");
  for (const nlohmann::json& page : pages) handed.pages.push_back(page_from(page, *format, where));
  return handed;
}

std::string weights_fingerprint(const Snapshot& snapshot) {
  std::uint64_t hash = kHashOfNothing;
  snapshot.weights->visit([&](const std::string& name, Parameter<const float> tensor) {
    hash = text_hash(name, hash);
    for (const int length : tensor.shape()) hash = text_hash(" " + std::to_string(length), hash);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      hash = (hash ^ std::bit_cast<std::uint32_t>(tensor.data[i])) * 0x100000001B3U;
  });
  return hash_digits(hash);
}

}  // namespace glassformer
