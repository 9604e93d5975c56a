#include "app/lessons/pin_line.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/lessons/expression.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/scene_lines.h"
#include "app/reading/cell_names.h"

namespace glassformer {

namespace {

CellRef number_of_scene(const std::string& text, const SceneResult& result, bool gradient) {
  CellRef cell = cell_of(text);
  if (!stored_of({*result.snapshot->weights, *result.trace}, cell))
    throw Mismatch("a number of this Scene", "“" + text + "”");
  cell.gradient = gradient;
  return cell;
}

}  // namespace

void pin_as(const std::string& text, const SceneResult& result, Selection& selection) {
  const std::vector<std::string> words = words_of_line(text);
  const bool encoder = selection.kind == AttentionKind::encoder,
             own = selection.kind == AttentionKind::decoder;
  const auto place = [&](const std::string& word, const std::vector<std::string>& among, const char* what,
                         std::optional<int>& first, std::vector<int>& more) {
    const int found = place_in(word, among, what);
    if (!first)
      first = found;
    else
      more.push_back(found);
  };
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == "query")
      place(words[i + 1], encoder ? result.source_words : result.target_in_words, "rows", selection.query,
            selection.more_queries);
    else if (words[i] == "key")
      place(words[i + 1], own ? result.target_in_words : result.source_words, "columns", selection.key,
            selection.more_keys);
    else if (words[i] == "cell" || words[i] == "gradient")
      selection.cell = number_of_scene(words[i + 1], result, words[i] == "gradient");
    else
      throw Mismatch("query, key, cell or gradient", "“" + words[i] + "”");
  }
  if (words.size() % 2 != 0) throw Mismatch("query W key W", "“" + text + "”");
}

namespace {

// The row of "argmax(weights["fille", :])"; nothing: the expression is another one.
std::optional<std::string> row_searched(const Expression& expression) {
  const Expression::Node& search = expression.root();
  if (search.kind != Expression::Node::Kind::call || search.parts.empty()) return std::nullopt;
  const Expression::Node& entry = *search.parts.front();
  if (entry.kind != Expression::Node::Kind::entry || entry.parts.size() != 3) return std::nullopt;
  const Expression::Node &table = *entry.parts[0], &row = *entry.parts[1], &column = *entry.parts[2];
  if (!has_row_a_query(table.text) || !table.before.empty() || column.kind != Expression::Node::Kind::all)
    return std::nullopt;
  if (row.kind == Expression::Node::Kind::number) return std::to_string(static_cast<int>(row.number));
  if (row.kind != Expression::Node::Kind::word) return std::nullopt;
  return "\"" + row.text + "\"" + (row.which > 1 ? "#" + std::to_string(row.which) : "");
}

}  // namespace

std::optional<SceneLine> asked_place(const LessonPage& page, const StagedPage& staged,
                                     const std::optional<Value>& answer) {
  const auto& asked = page.question;
  if (!asked || asked->does || !asked->answer || !answer || !answer->place) return std::nullopt;
  if (asked->kind != AnswerKind::cell && asked->kind != AnswerKind::word) return std::nullopt;
  const bool encoder = staged.selection.kind == AttentionKind::encoder;
  const auto& rows = encoder ? staged.result->source_words : staged.result->target_in_words;
  try {
    const auto row = row_searched(*asked->answer);
    if (!row) return std::nullopt;
    return SceneLine{.line = asked->answer_line,
                     .keyword = "pin",
                     .value = "query " + std::to_string(place_in(*row, rows, "rows")) + " key " +
                              std::to_string(answer->place->at)};
  } catch (const Mismatch&) {
    return std::nullopt;  // a row that is not there is reported by the answer
  }
}

namespace {

// How many letters have to be changed, added or left out.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest;
  std::size_t least = 3;
  for (const std::string_view each : known) {
    if (word.size() > each.size() + 2) continue;
    if (const std::size_t far = distance(word, each); far < least) least = far, nearest = each;
  }
  return nearest;
}

}  // namespace glassformer
