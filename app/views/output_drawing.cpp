#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/views/attention_data.h"
#include "app/views/output_picture.h"
#include "app/views/stage_text.h"
#include "app/widgets/bars.h"
#include "app/widgets/colormap.h"
#include "app/widgets/number_format.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kSmallRow = 24, kLargeRow = 44, kTableHead = 24;
constexpr float kReadWidth = 104, kLossWidth = 58, kGuessWidth = 84;
constexpr int kMostGuesses = 8;

HitRegion hit_of(const OutputScene& scene, const Rect& rect, std::string label, int position,
                 const CellRef& cell, std::string tooltip = {}) {
  HitRegion hit;
  hit.rect = rect;
  hit.label = std::move(label);
  const Selection selection = choose_position(scene, position, cell);
  hit.hover = SetHover{selection};
  hit.click = SetPin{selection};
  hit.tooltip = std::move(tooltip);
  return hit;
}

CellRef log_probability(const OutputScene& scene, int position, int id) {
  return {"log_probabilities", {scene.sentence, position, id}};
}

// A word with its share: text and value on one line, the bar below.
void draw_guess(Canvas& canvas, const Rect& rect, const Guess& guess, bool right, bool first) {
  const Theme& theme = canvas.theme();
  const bool wrong = first && !right;
  TextStyle word{.font = right ? Font::semibold : Font::regular,
                 .size = 12,
                 .color = wrong   ? theme.wrong
                          : right ? theme.ink
                                  : theme.second_text};
  const TextStyle value{.font = Font::mono, .size = 11, .color = theme.second_text, .x = AlignX::right};
  const float text_y = rect.y + rect.height / 2 - 4;
  const std::string number = format_probability(guess.probability);
  const float room = rect.width - canvas.measure(number, value).x - 6;
  const std::string shown = elided(canvas, guess.word, word, room);
  canvas.text({rect.x, text_y}, shown, word);
  if (wrong)
    canvas.line({rect.x, text_y + 7}, {rect.x + canvas.measure(shown, word).x, text_y + 7}, {theme.wrong, 1});
  canvas.text({rect.right(), text_y}, number, value);
  const float bar_height = rect.height >= 32 ? 5.0f : 3.0f;
  draw_share_bar(canvas, {rect.x, text_y + 10, rect.width, bar_height}, guess.probability,
                 right ? theme.ink : theme.faint_text);
}

// From the middle to the right when p is above y, to the left when it is below.
void draw_signed_bar(Canvas& canvas, const Rect& rect, double share) {
  const Theme& theme = canvas.theme();
  const float middle = std::round(rect.center().x);
  canvas.rectangle(rect, {.fill = theme.sunken, .radius = 2});
  const float length = static_cast<float>(std::min(1.0, std::abs(share))) * rect.width / 2;
  if (length >= 0.5f)
    canvas.rectangle({share < 0 ? middle - length : middle, rect.y, length, rect.height},
                     {.fill = signed_color(share < 0 ? -0.8 : 0.8, theme)});
  canvas.line({middle, rect.y - 3}, {middle, rect.bottom() + 3}, {theme.control, 1});
}

}  // namespace

float smallest_row_height() {
  return kSmallRow;
}

OutputScene output_scene(const ViewInput& input) {
  OutputScene scene{.input = input, .rows = {}};
  const Selection shown = within(input.shown, input);
  scene.sentence = shown.sentence;
  scene.rows = output_rows(input, shown.sentence, kMostGuesses);
  const std::vector<double>& losses = input.result.trace->sentence_loss;
  if (!scene.rows.empty()) scene.loss = losses.at(static_cast<size_t>(shown.sentence));
  scene.pinned = shown.kind != AttentionKind::encoder && shown.query.has_value();
  scene.chosen = scene.pinned ? *shown.query : 0;
  const int rows = static_cast<int>(scene.rows.size());
  scene.written = input.shown_steps < 0 || scene.sentence != 0 ? rows : std::min(input.shown_steps, rows);
  if (!scene.pinned && scene.written < rows) scene.chosen = scene.written - 1;

  // A pinned number of the output itself says which position is meant.
  const std::optional<CellRef>& cell = input.shown.cell;
  if (cell && cell->index.size() >= 2 &&
      (cell->name == "logits" || cell->name == "log_probabilities" || cell->name == "smoothed_target" ||
       cell->name == "token_loss")) {
    scene.chosen = cell->index[1];
    scene.pinned = true;
  }
  scene.chosen = std::clamp(scene.chosen, 0, std::max(0, static_cast<int>(scene.rows.size()) - 1));
  return scene;
}

Selection choose_position(const OutputScene& scene, int position, const CellRef& cell) {
  Selection selection = scene.input.pinned;
  if (selection.kind == AttentionKind::encoder) {
    selection.kind = AttentionKind::cross;
    selection.layer = 0;
  }
  selection.sentence = scene.sentence;
  selection.query = position;
  selection.key.reset();
  selection.cell = cell;
  return selection;
}

OutputLayout layout_output(const Rect& area, bool detail_wanted) {
  OutputLayout layout;
  layout.subtitle = area.height >= 480;
  const Rect content = stage_content(area, layout.subtitle);
  layout.columns = content.width >= 800;
  if (layout.columns) {
    const float detail = std::clamp(content.width * 0.36f, 344.0f, 420.0f);
    layout.table = {content.x, content.y, content.width - detail - 40, content.height};
    layout.detail = {content.right() - detail, content.y, detail, content.height};
  } else {
    (detail_wanted ? layout.detail : layout.table) = content;
    layout.part_switch = {content.right() - 220, area.y + 10, 220, 32};
  }
  return layout;
}

void draw_output_table(Canvas& canvas, const Rect& area, const OutputScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect content =
      draw_heading(canvas, area, "Every position",
                   {.note = "the right word in bold, wherever it is guessed", .note_right = false});
  const auto count = static_cast<float>(scene.rows.size());
  constexpr float kFooter = 28;
  const float row_height = std::clamp(
      std::floor((content.height - kTableHead - kFooter) / std::max(count, 1.0f)), kSmallRow, kLargeRow);
  const float room = content.width - kReadWidth - 2 * kLossWidth;
  // As many guesses as leave every word whole; the right word's column comes first.
  float widest = kGuessWidth;
  const TextStyle bold{.font = Font::semibold, .size = 12}, mono_number{.font = Font::mono, .size = 11};
  for (const OutputRow& row : scene.rows)
    widest = std::max(widest, canvas.measure(row.right, bold).x + canvas.measure("0.00", mono_number).x + 24);
  const int cells = std::clamp(static_cast<int>(room / std::min(widest, 150.0f)), 2, kMostGuesses + 1);
  const int guesses = cells - 1;
  const float width = room / static_cast<float>(cells);
  const float right_x = content.x + kReadWidth, first_x = right_x + width;
  const Rect losses{content.right() - 2 * kLossWidth, content.y, 2 * kLossWidth, content.height};

  // Heads of the columns.
  TextStyle head = caption_style(canvas);
  head.color = theme.faint_text;
  const float head_y = content.y + kTableHead / 2 - 4;
  canvas.text({content.x + 4, head_y}, "after", head);
  canvas.text({right_x, head_y}, "right word", head);
  for (int i = 0; i < guesses; ++i)
    canvas.text({first_x + static_cast<float>(i) * width, head_y},
                i == 0 ? "first guess" : std::to_string(i + 1) + ".", head);
  head.x = AlignX::right;
  canvas.text({losses.x + kLossWidth, head_y}, "loss", head);
  canvas.text({losses.right() - 4, head_y}, "KL", head);
  canvas.line({content.x, content.y + kTableHead - 4}, {content.right(), content.y + kTableHead - 4},
              {theme.border, 1});

  float y = content.y + kTableHead;
  for (const OutputRow& row : scene.rows) {
    const Rect line{content.x, y, content.width, row_height};
    // A step that the decoding has not reached.
    if (row.position >= scene.written) {
      canvas.text({line.x + 6, line.center().y}, std::to_string(row.position),
                  {.font = Font::mono, .size = 11, .color = theme.faint_text});
      canvas.rectangle({line.x + 28, line.y + 4, line.width - 32, line.height - 8},
                       {.outline = theme.border, .radius = 4, .dashed = true});
      y += row_height;
      continue;
    }
    if (row.position == scene.chosen)
      canvas.rectangle({line.x, line.y + 1, line.width, line.height - 2},
                       {.fill = scene.pinned ? theme.query_tint : theme.hover,
                        .outline = scene.pinned ? theme.query : Color{},
                        .outline_width = 1.5f,
                        .radius = 4});
    const float middle = line.center().y;
    const TextStyle mono{.font = Font::mono, .size = 11, .color = theme.faint_text};
    const TextStyle word{.font = row.position == scene.chosen ? Font::semibold : Font::regular,
                         .size = 12,
                         .color = theme.ink};
    canvas.text({line.x + 6, middle}, std::to_string(row.position), mono);
    canvas.text({line.x + 28, middle}, elided(canvas, row.read, word, kReadWidth - 40), word);
    const std::string name = "position " + std::to_string(row.position);
    canvas.hit(hit_of(scene, {line.x, line.y, kReadWidth - 4, line.height}, name, row.position,
                      log_probability(scene, row.position, row.right_id),
                      "after “" + row.read + "” the right word is “" + row.right + "”"));
    draw_guess(canvas, {right_x, line.y, width - 14, line.height},
               {row.right_id, row.right, row.right_probability, 0}, true, false);
    for (int i = 0; i < guesses && i < static_cast<int>(row.guesses.size()); ++i) {
      const Guess& guess = row.guesses[static_cast<size_t>(i)];
      const Rect cell{first_x + static_cast<float>(i) * width, line.y, width - 14, line.height};
      draw_guess(canvas, cell, guess, guess.id == row.right_id, i == 0);
      canvas.hit(hit_of(scene, cell, name + " guess " + std::to_string(i + 1), row.position,
                        log_probability(scene, row.position, guess.id),
                        "“" + guess.word + "”  " + format_pinned(guess.probability)));
    }
    TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    canvas.text({losses.x + kLossWidth, middle}, format_loss(row.loss), number);
    number.color = theme.second_text;
    canvas.text({losses.right() - 4, middle}, format_loss(row.kl()), number);
    canvas.hit(hit_of(scene, {losses.x, line.y, losses.width, line.height}, name + " loss", row.position,
                      {"token_loss", {scene.sentence, row.position}}));
    y += row_height;
  }
  const TextStyle caption = caption_style(canvas);
  canvas.text({content.x, y + 16},
              elided(canvas,
                     "Loss of the sentence " + format_loss(scene.loss) +
                         ", given the right words. KL is the part that learning can remove.",
                     caption, content.width),
              caption);
}

void draw_output_detail(Canvas& canvas, const Rect& area, const OutputScene& scene) {
  if (scene.rows.empty()) return;
  const Theme& theme = canvas.theme();
  const OutputRow& row = scene.rows[static_cast<size_t>(scene.chosen)];
  const Rect content =
      draw_heading(canvas, area, "After “" + row.read + "”: the right word is “" + row.right + "”");

  // The guesses, and the right word even when it is not among them.
  std::vector<Guess> shown = row.guesses;
  constexpr float kNumbers = 132;
  const int room =
      std::clamp(static_cast<int>((content.height - kTableHead - kNumbers) / kSmallRow), 2, kMostGuesses);
  if (static_cast<int>(shown.size()) > room) shown.resize(static_cast<size_t>(room));
  const bool listed =
      std::any_of(shown.begin(), shown.end(), [&](const Guess& each) { return each.id == row.right_id; });
  if (!listed && !shown.empty()) {
    const Plane target = scene.input.result.trace->plane("smoothed_target", scene.sentence);
    shown.back() = {row.right_id, row.right, row.right_probability, target(row.position, row.right_id)};
  }

  const float label = std::min(88.0f, content.width * 0.24f), value = 44;
  const float bars = (content.width - label - 2 * value - 28) / 2;
  const Rect predicted{content.x + label + 8, content.y, bars, 0};
  const Rect difference{predicted.right() + value + 16, content.y, bars, 0};
  TextStyle head = caption_style(canvas);
  head.color = theme.faint_text;
  const float head_y = content.y + kTableHead / 2 - 4;
  canvas.text({predicted.x, head_y}, elided(canvas, "p, mark: target y", head, bars + value), head);
  canvas.text({difference.x, head_y}, "p \u2212 y", head);

  float y = content.y + kTableHead;
  for (const Guess& guess : shown) {
    const bool right = guess.id == row.right_id;
    const float middle = y + kSmallRow / 2;
    TextStyle word{.font = right ? Font::semibold : Font::regular,
                   .size = 12,
                   .color = right ? theme.ink : theme.second_text,
                   .x = AlignX::right};
    canvas.text({content.x + label, middle}, elided(canvas, guess.word, word, label), word);
    draw_share_bar(canvas, {predicted.x, middle - 4, bars, 9}, guess.probability,
                   right ? theme.ink : theme.faint_text);
    const float mark = predicted.x + static_cast<float>(std::clamp(guess.target, 0.0, 1.0)) * bars;
    canvas.line({mark, middle - 8}, {mark, middle + 9}, {theme.reference, 2});
    const TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    canvas.text({predicted.right() + value, middle}, format_fixed(guess.probability, 3), number);
    draw_signed_bar(canvas, {difference.x, middle - 4, bars, 9}, guess.probability - guess.target);
    canvas.text({content.right(), middle}, format_signed(guess.probability - guess.target, 3), number);
    const std::string name = "choice “" + guess.word + "”";
    canvas.hit(hit_of(scene, {content.x, y, predicted.right() - content.x, kSmallRow}, name, row.position,
                      log_probability(scene, row.position, guess.id)));
    canvas.hit(hit_of(scene, {difference.x, y, content.right() - difference.x, kSmallRow}, name + " target",
                      row.position, {"smoothed_target", {scene.sentence, row.position, guess.id}}));
    y += kSmallRow;
  }

  // The loss of this word, taken apart.
  y += 12;
  const auto number = [&](std::string_view name, double amount, bool strong) {
    const TextStyle text{.size = 12, .color = strong ? theme.ink : theme.second_text};
    const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    canvas.text({content.x, y + 9}, elided(canvas, name, text, content.width - 60), text);
    canvas.text({content.right(), y + 9}, format_loss(amount), mono);
    y += 22;
  };
  canvas.line({content.x, y - 4}, {content.right(), y - 4}, {theme.border, 1});
  number("loss of this word", row.loss, true);
  number("entropy of the smoothed target: always stays", row.target_entropy, false);
  number("KL: the part that learning can remove", row.kl(), false);
  number("entropy of the prediction: 0 when sure",
         prediction_entropy(scene.input, scene.sentence, row.position), false);
  if (y + 34 < content.bottom()) {
    TextStyle caption = caption_style(canvas);
    caption.y = AlignY::top;
    paragraph(canvas, {content.x, y + 6}, content.width,
              "p \u2212 y is the gradient of the loss with respect to the logits: words on the right are "
              "pushed down, "
              "words on the left up.",
              caption);
  }
}

}  // namespace glassformer
