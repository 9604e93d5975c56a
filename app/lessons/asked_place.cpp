#include "app/lessons/asked_place.h"

#include "app/lessons/expression_node.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/scene_lines.h"

namespace glassformer {

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

}  // namespace glassformer
