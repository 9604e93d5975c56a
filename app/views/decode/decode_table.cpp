// The finished sentences, each with the arithmetic of its score.
#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/decode/decode.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

struct FinishedRow {
  std::string rank, words, note;
  double total = 0, penalty = 1, score = 0;
  int count = 0;
  bool winner = false, greedy = false;
};

std::vector<FinishedRow> rows_of(const DecodeScene& scene) {
  std::vector<FinishedRow> rows;
  const BeamFound& found = *scene.found;
  const BeamRecord& record = found.record();
  bool greedy = false, right = false;
  for (int i = 0; i < std::min(found.hypotheses(), static_cast<int>(record.finished.size())); ++i) {
    const BeamFinish& finish = record.finished[static_cast<std::size_t>(i)];
    if (!std::isfinite(finish.score)) break;  // the rest is not either
    const std::vector<int> ids = record.words(finish.place);
    FinishedRow& row = rows.emplace_back();
    row = {std::to_string(i + 1) + ".",
           scene.words(ids),
           finish.ended ? "" : "cut off",
           finish.total,
           finish.penalty,
           finish.score,
           finish.words,
           i == 0,
           ids == found.greedy.ids};
    greedy = greedy || row.greedy;
    if (!found.right.empty() && ids == found.right) {
      row.note = "right";
      right = true;
    }
  }
  if (!greedy && std::isfinite(found.greedy_score.score))
    rows.push_back({"–", scene.words(found.greedy.ids), "not found", found.greedy_score.total,
                    found.greedy_score.penalty, found.greedy_score.score,
                    static_cast<int>(found.greedy.ids.size()), false, true});
  if (!right && found.right_score && std::isfinite(found.right_score->score))
    rows.push_back({"–", scene.words(found.right), "right, not found", found.right_score->total,
                    found.right_score->penalty, found.right_score->score,
                    static_cast<int>(found.right.size()), false, false});
  return rows;
}

// "( 14 / 6 )^0.60 = 1.663", the exponent raised; `at` is its right end.
void draw_penalty(Canvas& canvas, Point at, const FinishedRow& row, const BeamKey& key) {
  TextStyle mono{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
  TextStyle raised = mono;
  raised.size = 10;
  const std::string result = " = " + format_fixed(row.penalty, 3), exponent = format_fixed(key.alpha, 2);
  canvas.text(at, result, mono);
  const float before = at.x - canvas.measure(result, mono).x;
  canvas.text({before, at.y - 4}, exponent, raised);
  canvas.text({before - canvas.measure(exponent, raised).x - 1, at.y},
              key.penalty == LengthPenalty::paper ? "( " + std::to_string(row.count + 5) + " / 6 )"
                                                  : std::to_string(row.count),
              mono);
}

std::string score_sum(const FinishedRow& row) {
  return format_fixed(row.total, 3) + " / " + format_fixed(row.penalty, 3) + " = ";
}

}  // namespace

int finished_rows(const DecodeScene& scene) {
  return scene.found ? static_cast<int>(rows_of(scene).size()) : 0;
}

float table_wants(const DecodeScene& scene) {
  constexpr float kNumbers = 630, kLetter = 6;
  std::size_t longest = 0;
  if (scene.found)
    for (const FinishedRow& row : rows_of(scene)) longest = std::max(longest, code_points(row.words).size());
  return kNumbers + kLetter * static_cast<float>(longest);
}

void draw_finished(Canvas& canvas, const Rect& table, const DecodeScene& scene) {
  const Theme& theme = canvas.theme();
  const BeamKey& key = scene.found->key;
  const std::string note = end_words(*scene.found);
  draw_heading(canvas, table, "Finished sentences", {.note = note, .note_right = false});
  TextStyle small = caption_style(canvas);
  small.x = AlignX::right;
  const std::string formula = "score = sum of log p / " + penalty_words(key) + "^α";
  const float used = canvas.measure("Finished sentences", {.font = Font::semibold, .size = 14}).x + 12 +
                     canvas.measure(note, small).x + 20;
  if (canvas.measure(formula, small).x < table.width - used)
    canvas.text({table.right(), table.y + 12}, formula, small);

  // Columns from the right.
  const bool wide = table.width >= 760;
  const float score = table.right() - 8;
  const float penalty = score - (wide ? 214.0f : 76.0f), words = penalty - (wide ? 186.0f : 76.0f);
  const float total = words - 62, sentence = table.x + 28;
  float y = table.y + 38;
  const auto head = [&](float x, std::string_view text) { canvas.text({x, y}, text, small); };
  canvas.text({sentence, y}, "sentence", caption_style(canvas));
  head(total, "sum of log p");
  head(words, "words");
  head(penalty, "penalty");
  head(score, "score");
  canvas.line({table.x, y + 11}, {table.right(), y + 11}, {.color = theme.border});
  y += 23;
  const std::vector<FinishedRow> rows = rows_of(scene);
  if (rows.empty()) canvas.text({table.x, y}, "none whose score is a finite number", caption_style(canvas));
  const auto text_style = [&](const FinishedRow& row) {
    return TextStyle{.font = row.winner ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
  };
  const auto remark_of = [](const FinishedRow& row) {
    return (row.greedy ? std::string("greedy") : "") + (row.greedy && !row.note.empty() ? ", " : "") +
           row.note;
  };
  const auto room_of = [&](const FinishedRow& row) {
    const std::string remark = remark_of(row);
    return std::max(40.0f, total - 76 - sentence -
                               (remark.empty() ? 0 : canvas.measure(remark, caption_style(canvas)).x + 28));
  };
  // A sentence has two lines where some need them and the table has room.
  const bool long_one = std::ranges::any_of(rows, [&](const FinishedRow& row) {
    return canvas.measure(row.words, text_style(row)).x > room_of(row);
  });
  const float high = long_one && y + 38 * static_cast<float>(rows.size()) + 11 <= table.bottom() ? 38 : 22;
  if (high > 22) y += 6;
  for (const FinishedRow& row : rows) {
    if (row.winner)
      canvas.rectangle({table.x - 8, y - high / 2, table.width + 16, high},
                       {.fill = theme.hover, .radius = 3});
    const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    TextStyle rank = mono;
    rank.x = AlignX::left;
    canvas.text({table.x, y}, row.rank, rank);
    const TextStyle text = text_style(row);
    const std::string remark = remark_of(row);
    const float room = room_of(row);
    const bool broken = high > 22 && canvas.measure(row.words, text).x > room;
    const std::string shown = elided(canvas, row.words, text, broken ? 1.8f * room : room);
    if (broken)
      paragraph(canvas, {sentence, y - 12 * kLineHeight}, room, shown, text);
    else
      canvas.text({sentence, y}, shown, text);
    if (!remark.empty()) {
      float x = sentence + (broken ? room : canvas.measure(shown, text).x) + 12;
      if (row.greedy) {
        canvas.circle({x + 4, y}, 4, theme.paper, {.color = theme.ink, .width = 1.5f});
        x += 13;
      }
      canvas.text({x, y}, remark, caption_style(canvas));
    }
    canvas.text({total, y}, format_fixed(row.total, 3), mono);
    canvas.text({words, y}, std::to_string(row.count), mono);
    if (wide)
      draw_penalty(canvas, {penalty, y}, row, key);
    else
      canvas.text({penalty, y}, format_fixed(row.penalty, 3), mono);
    const std::string result = format_fixed(row.score, 3);
    if (wide) canvas.text({score - canvas.measure(result, mono).x, y}, score_sum(row), mono);
    canvas.text({score, y}, result, mono);
    y += high;
  }
  const std::string said = verdict_words(scene);
  const TextStyle style = caption_style(canvas);
  if (!said.empty()) canvas.text({table.x, y + 6}, elided(canvas, said, style, table.width), style);
}

}  // namespace glassformer
