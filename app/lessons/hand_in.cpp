#include "app/lessons/hand_in.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/format/csv.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostPages = 200;
constexpr int kFormat = 1, kMostTries = 1'000'000;

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
  return {{"title", page.title}, {"question", page.question}, {"sentence", page.sentence},
          {"given", page.given}, {"engine", page.engine},     {"tries", page.tries},
          {"right", page.right}, {"shown", page.shown}};
}

HandedPage page_from(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where, "expected a page, found " + shown(json));
  HandedPage page{.title = entry<std::string>(json, "title", where),
                  .question = entry<std::string>(json, "question", where),
                  .sentence = entry<std::string>(json, "sentence", where),
                  .given = entry<std::string>(json, "given", where),
                  .engine = entry<std::string>(json, "engine", where),
                  .right = entry<bool>(json, "right", where),
                  .shown = entry<bool>(json, "shown", where)};
  const auto tries = as_whole<int>(entry<nlohmann::json>(json, "tries", where), 0, kMostTries);
  if (!tries) throw Error(where, "tries: expected a whole number, found " + shown(json["tries"]));
  page.tries = *tries;
  return page;
}

}  // namespace

int HandIn::right() const {
  return static_cast<int>(std::ranges::count(pages, true, &HandedPage::right));
}

std::string hand_in_text(const HandIn& handed) {
  nlohmann::ordered_json json = {{"glassformer_hand_in", kFormat},
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
  if (!json.is_object() || json.value("glassformer_hand_in", nlohmann::json()) != kFormat)
    throw Error(where, "this is no file that a lesson's “Hand in” has written");
  HandIn handed{.student = entry<std::string>(json, "student", where),
                .lesson = entry<std::string>(json, "lesson", where),
                .file = entry<std::string>(json, "file", where),
                .lesson_hash = entry<std::string>(json, "lesson_hash", where),
                .model = entry<std::string>(json, "model", where),
                .model_hash = entry<std::string>(json, "model_hash", where),
                .program = entry<std::string>(json, "program", where),
                .handed_in = entry<std::string>(json, "handed_in", where),
                .minutes = entry<double>(json, "minutes", where),
                .pages = {}};
  const auto pages = entry<nlohmann::json>(json, "pages", where);
  if (!pages.is_array() || pages.size() > kMostPages)
    throw Error(where, "expected at most " + std::to_string(kMostPages) + " pages");
  for (const nlohmann::json& page : pages) handed.pages.push_back(page_from(page, where));
  return handed;
}

std::string class_table(const std::vector<HandIn>& all) {
  std::size_t most = 0;
  for (const HandIn& each : all) most = std::max(most, each.pages.size());
  std::string table =
      "student,lesson,right,questions,shown,tries,minutes,handed in,file,lesson hash,model,model hash";
  for (std::size_t i = 0; i < most; ++i) table += ",question " + std::to_string(i + 1);
  table += '\n';
  for (const HandIn& each : all) {
    int shown_answers = 0, tries = 0;
    for (const HandedPage& page : each.pages) shown_answers += page.shown, tries += page.tries;
    for (const std::string& cell :
         {csv_cell(each.student), csv_cell(each.lesson), std::to_string(each.right()),
          std::to_string(each.pages.size()), std::to_string(shown_answers), std::to_string(tries),
          csv_number(std::round(each.minutes * 10) / 10), csv_cell(each.handed_in), csv_cell(each.file),
          csv_cell(each.lesson_hash), csv_cell(each.model)})
      table += cell + ",";
    table += csv_cell(each.model_hash);
    for (std::size_t i = 0; i < most; ++i)
      table += i < each.pages.size() ? (each.pages[i].right ? ",1" : ",0") : ",";
    table += '\n';
  }
  return table;
}

}  // namespace glassformer
