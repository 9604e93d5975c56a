#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/output/output.h"
#include "app/widgets/bars.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kSmallRow = 24, kLargeRow = 44, kTableHead = 24, kTableFoot = 28;
constexpr float kReadWidth = 92, kLossWidth = 46, kEntropyWidth = 56, kGuessWidth = 84;
constexpr float kCosts = 2 * kLossWidth + kEntropyWidth;

CellRef log_probability(const OutputScene& scene, int position, int id) {
  return {output_value(ValueKind::log_probabilities), {scene.sentence, position, id}};
}

// A word with its share: text and value on one line, the bar below.
void draw_guess(Canvas& canvas, const Rect& rect, const OutputScene& scene, const Guess& guess, bool right,
                bool wrong) {
  const Theme& theme = canvas.theme();
  TextStyle word{.font = right ? Font::semibold : Font::regular,
                 .size = 12,
                 .color = wrong   ? theme.wrong
                          : right ? theme.ink
                                  : theme.second_text};
  const TextStyle value{.font = Font::mono, .size = 11, .color = theme.second_text, .x = AlignX::right};
  const float text_y = rect.y + rect.height / 2 - 4;
  const std::string number = format_probability(guess.share.probability);
  const float room = rect.width - canvas.measure(number, value).x - 6;
  const std::string shown = elided(canvas, guess.word, word, room);
  canvas.text({rect.x, text_y}, shown, word);
  if (begins_word(scene.input.tokenizers.target.get(), guess.share.id))
    draw_word_start(canvas, {rect.x, text_y});
  if (wrong)
    canvas.line({rect.x, text_y + 7}, {rect.x + canvas.measure(shown, word).x, text_y + 7}, {theme.wrong, 1});
  canvas.text({rect.right(), text_y}, number, value);
  const float bar_height = rect.height >= 32 ? 5.0f : 3.0f;
  draw_share_bar(canvas, {rect.x, text_y + 10, rect.width, bar_height}, guess.share.probability,
                 right ? theme.ink : theme.faint_text);
}

}  // namespace

HitRegion output_hit(const OutputScene& scene, const Rect& rect, std::string label, int position,
                     const CellRef& cell, std::string tooltip) {
  HitRegion hit;
  hit.rect = rect;
  hit.label = std::move(label);
  const Selection selection = choose_position(scene, position, cell);
  hit.hover = SetHover{selection};
  hit.click = SetPin{selection};
  hit.tooltip = std::move(tooltip);
  return hit;
}

float smallest_row_height() {
  return kSmallRow;
}

OutputScene output_scene(const ViewInput& input, OutputRows& rows_of) {
  OutputScene scene{.input = input, .rows = {}, .asked = {}};
  const Selection shown = within(input.shown, input);
  scene.sentence = shown.sentence;
  scene.known = has_right_words(input, shown.sentence);
  scene.asked = asked_word(input, shown.sentence);
  scene.rows = rows_of.of(input, shown.sentence);
  const std::vector<double>& losses = input.result.trace->sentence_loss;
  if (!scene.rows.empty()) scene.loss = losses.at(static_cast<size_t>(shown.sentence));
  scene.pinned = shown.kind != AttentionKind::encoder && shown.query.has_value();
  scene.chosen = scene.pinned ? *shown.query : 0;
  const int rows = static_cast<int>(scene.rows.size());
  scene.written = input.shown_steps < 0 || scene.sentence != 0 ? rows : std::min(input.shown_steps, rows);
  if (!scene.pinned && scene.written < rows) scene.chosen = scene.written - 1;

  // A pinned number of the output itself says which position is meant.
  const std::optional<CellRef>& cell = input.shown.cell;
  if (cell && cell->index.size() >= 2 && is_value_of_output(cell->name)) {
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
    const float detail = std::clamp(content.width * 0.4f, 352.0f, 440.0f);
    layout.table = {content.x, content.y, content.width - detail - 32, content.height};
    layout.detail = {content.right() - detail, content.y, detail, content.height};
  } else {
    (detail_wanted ? layout.detail : layout.table) = content;
    layout.part_switch = {content.right() - 220, area.y + 10, 220, 32};
  }
  return layout;
}

namespace {

// Where the columns of the table are.
struct TableColumns {
  Rect content, losses;
  int guesses;
  float width;  // of a word's column
  float right_x, first_x;
  float row_height;
  float guess_x(int i) const { return first_x + static_cast<float>(i) * width; }
};

// As many guesses as leave every word whole; the column of the word asked for comes first.
TableColumns table_columns(const Canvas& canvas, const Rect& content, const OutputScene& scene) {
  const auto count = static_cast<float>(scene.rows.size());
  const float room = content.width - kReadWidth - kCosts;
  float widest = kGuessWidth;
  const TextStyle bold{.font = Font::semibold, .size = 12}, mono_number{.font = Font::mono, .size = 11};
  for (const OutputRow& row : scene.rows)
    widest = std::max(widest, canvas.measure(row.right, bold).x + canvas.measure("0.00", mono_number).x + 20);
  const int cells = std::clamp(static_cast<int>(room / std::min(widest, 150.0f)), 2, kMostGuesses + 1);
  const float width = room / static_cast<float>(cells);
  return {
      .content = content,
      .losses = {content.right() - kCosts, content.y, kCosts, content.height},
      .guesses = cells - 1,
      .width = width,
      .right_x = content.x + kReadWidth,
      .first_x = content.x + kReadWidth + width,
      .row_height = std::clamp(std::floor((content.height - kTableHead - kTableFoot) / std::max(count, 1.0f)),
                               kSmallRow, kLargeRow)};
}

void draw_column_heads(Canvas& canvas, const TableColumns& columns, const OutputScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect& content = columns.content;
  TextStyle head = caption_style(canvas);
  head.color = theme.faint_text;
  const float y = content.y + kTableHead / 2 - 4;
  canvas.text({content.x + 4, y}, "after", head);
  canvas.text({columns.right_x, y}, scene.asked, head);
  for (int i = 0; i < columns.guesses; ++i)
    canvas.text({columns.guess_x(i), y}, i == 0 ? "first guess" : std::to_string(i + 1) + ".", head);
  head.x = AlignX::right;
  canvas.text({columns.losses.x + kLossWidth, y}, "loss", head);
  canvas.text({columns.losses.x + 2 * kLossWidth, y}, "KL", head);
  canvas.text({columns.losses.right() - 4, y}, "entropy", head);
  canvas.line({content.x, content.y + kTableHead - 4}, {content.right(), content.y + kTableHead - 4},
              {theme.border, 1});
}

// A step that the decoding has not reached.
void draw_unwritten_row(Canvas& canvas, const Rect& line, int position) {
  const Theme& theme = canvas.theme();
  canvas.text({line.x + 6, line.center().y}, std::to_string(position),
              {.font = Font::mono, .size = 11, .color = theme.faint_text});
  canvas.rectangle({line.x + 28, line.y + 4, line.width - 32, line.height - 8},
                   {.outline = theme.border, .radius = 4, .dashed = true});
}

void draw_losses(Canvas& canvas, const Rect& losses, float middle, const Prediction& said) {
  const Theme& theme = canvas.theme();
  TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
  canvas.text({losses.x + kLossWidth, middle}, format_loss(said.loss), number);
  number.color = theme.second_text;
  canvas.text({losses.x + 2 * kLossWidth, middle}, format_loss(said.kl), number);
  canvas.text({losses.right() - 4, middle}, format_loss(said.entropy), number);
}

void draw_position(Canvas& canvas, const Rect& line, const TableColumns& columns, const OutputScene& scene,
                   const OutputRow& row) {
  const Theme& theme = canvas.theme();
  const bool chosen = row.position == scene.chosen;
  if (chosen)
    canvas.rectangle({line.x, line.y + 1, line.width, line.height - 2},
                     {.fill = scene.pinned ? theme.query_tint : theme.hover,
                      .outline = scene.pinned ? theme.query : Color{},
                      .outline_width = 1.5f,
                      .radius = 4});
  const float middle = line.center().y;
  const TextStyle mono{.font = Font::mono, .size = 11, .color = theme.faint_text};
  const TextStyle word{.font = chosen ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
  canvas.text({line.x + 6, middle}, std::to_string(row.position), mono);
  canvas.text({line.x + 28, middle}, elided(canvas, row.read, word, kReadWidth - 40), word);
  const std::string name = "position " + std::to_string(row.position);
  canvas.hit(output_hit(
      scene, {line.x, line.y, kReadWidth - 4, line.height}, name, row.position,
      log_probability(scene, row.position, row.said.right.id),
      "after “" + row.read + "” " + the_asked_word(scene.input, scene.sentence) + " is “" + row.right + "”"));
  draw_guess(canvas, {columns.right_x, line.y, columns.width - 14, line.height}, scene,
             {row.said.right, row.right}, true, false);
  for (int i = 0; i < columns.guesses && i < static_cast<int>(row.guesses.size()); ++i) {
    const Guess& guess = row.guesses[static_cast<size_t>(i)];
    const Rect cell{columns.guess_x(i), line.y, columns.width - 14, line.height};
    const bool right = guess.share.id == row.said.right.id;
    draw_guess(canvas, cell, scene, guess, right, i == 0 && !right && scene.known);
    canvas.hit(output_hit(scene, cell, name + " guess " + std::to_string(i + 1), row.position,
                          log_probability(scene, row.position, guess.share.id),
                          "“" + guess.word + "”  " + format_pinned(guess.share.probability)));
  }
  const Rect& losses = columns.losses;
  draw_losses(canvas, losses, middle, row.said);
  canvas.hit(output_hit(scene, {losses.x, line.y, losses.width, line.height}, name + " loss", row.position,
                        {output_value(ValueKind::token_loss), {scene.sentence, row.position}}));
}

}  // namespace

std::optional<double> unsmoothed_loss(const OutputScene& scene) {
  if (scene.input.result.scene.smoothing <= 0 || scene.rows.empty()) return std::nullopt;
  double price = 0;
  for (const OutputRow& row : scene.rows) price -= std::log(row.said.right.probability);
  return price / static_cast<double>(scene.rows.size());
}

std::string smoothed_words(const OutputScene& scene) {
  const std::optional<double> price = unsmoothed_loss(scene);
  if (!price) return {};
  return " with label smoothing " + format_short(scene.input.result.scene.smoothing) + " (mean −log p " +
         format_loss(*price) + ")";
}

void draw_output_table(Canvas& canvas, const Rect& area, const OutputScene& scene, bool alone) {
  const std::string note = the_asked_word(scene.input, scene.sentence) + " in bold, wherever it is guessed" +
                           bar_words(scene.input.tokenizers.target.get());
  const Rect content =
      alone ? area : draw_heading(canvas, area, "Every position", {.note = note, .note_right = false});
  const TableColumns columns = table_columns(canvas, content, scene);
  draw_column_heads(canvas, columns, scene);
  float y = content.y + kTableHead;
  const int all = static_cast<int>(scene.rows.size());
  const int fit = std::min(all, static_cast<int>((content.height - kTableHead - kTableFoot) / kSmallRow));
  const int from = std::clamp(scene.chosen - fit / 2, 0, all - fit);
  for (int i = from; i < from + fit; ++i) {
    const OutputRow& row = scene.rows[static_cast<std::size_t>(i)];
    const Rect line{content.x, y, content.width, columns.row_height};
    if (row.position >= scene.written)
      draw_unwritten_row(canvas, line, row.position);
    else
      draw_position(canvas, line, columns, scene, row);
    y += columns.row_height;
  }
  const TextStyle caption = caption_style(canvas);
  const std::optional<double> price = unsmoothed_loss(scene);
  canvas.text({content.x, y + 16},
              elided(canvas,
                     (fit < all ? std::to_string(fit) + " of " + std::to_string(all) + " positions. " : "") +
                         "Loss " + format_loss(scene.loss) +
                         (price ? " (smoothed; −log p " + format_loss(*price) + ")" : "") + ", " +
                         given_words(scene.input, scene.sentence) +
                         (fit < all ? "." : ". KL is what learning can remove."),
                     caption, content.width),
              caption);
}

void draw_asked_words(Canvas& canvas, const Rect& area, const OutputScene& scene) {
  constexpr float kFoot = 24, kLeast = 16, kMost = 32, kGap = 32;
  constexpr int kOneColumn = 12;
  const int count = std::min(scene.written, static_cast<int>(scene.rows.size()));
  const bool smoothed = scene.known && scene.input.result.scene.smoothing > 0;
  std::vector<BarRow> bars;
  for (int i = 0; i < count; ++i) {
    const OutputRow& row = scene.rows[static_cast<std::size_t>(i)];
    bars.push_back({.label = row.right,
                    .share = row.said.right.probability,
                    .value = format_probability(row.said.right.probability),
                    .emphasized = !scene.pinned || i == scene.chosen});
    if (smoothed) bars.back().target = row.said.right.target;
  }
  // Read down the first column, then down the second.
  const int columns = count > kOneColumn ? 2 : 1, each = std::max(1, (count + columns - 1) / columns);
  const float high = std::clamp(std::floor((area.height - kFoot) / static_cast<float>(each)), kLeast, kMost);
  const float width = (area.width - kGap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  for (int column = 0; column < columns; ++column) {
    const int first = column * each, last = std::min(count, first + each);
    if (first >= last) break;
    const Rect part{area.x + (width + kGap) * static_cast<float>(column), area.y, width, area.height - kFoot};
    BarListOptions options{.row_height = high, .text_size = high >= 22 ? 14.0f : 12.0f};
    options.hit = [&, first](int i) {
      const OutputRow& row = scene.rows[static_cast<std::size_t>(first + i)];
      return output_hit(scene, {}, "position " + std::to_string(row.position), row.position,
                        log_probability(scene, row.position, row.said.right.id));
    };
    draw_bar_list(canvas, part, {bars.begin() + first, bars.begin() + last}, options);
  }
  const std::string which = scene.known ? "the right word" : "the model’s own word";
  canvas.text(
      {area.x, area.y + high * static_cast<float>(each) + 14},
      elided(canvas,
             "What " + which + " gets at each place" + (smoothed ? "; the mark is its target" : "") + ".",
             caption_style(canvas), area.width),
      caption_style(canvas));
}

}  // namespace glassformer
