#include "tests/ui/component_sheet.h"

#include <array>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/widgets/bars.h"
#include "app/widgets/block_diagram.h"
#include "app/widgets/formula.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/marks.h"
#include "app/widgets/ribbons.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/token_strip.h"
#include "app/widgets/wall.h"

namespace glassformer {

SampleMatrix sample_weights() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  return {{1,    0,    0,   0,    0, 0, .34f, .66f, 0,    0,    0,    0, .74f, kNan, .07f, 0,    0,    0,
           .36f, .18f, .1f, .36f, 0, 0, .07f, .03f, .02f, .08f, .80f, 0, .01f, .04f, .1f,  .30f, .32f, .24f},
          6};
}

SampleMatrix sample_scores(int size) {
  SampleMatrix sample{{}, size};
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const double angle = row * 1.7 + column * 0.9 + row * column * 0.13;
      sample.values.push_back(static_cast<float>(6 * std::sin(angle) * std::cos(column * 0.37)));
    }
  }
  return sample;
}

const std::vector<std::string>& sample_words() {
  static const std::vector<std::string> words = {"<bos>", "la", "fille", "fatiguée", "voit", "une"};
  return words;
}

bool causal(int row, int column) {
  return column > row;
}

namespace {

void heading(Canvas& canvas, Point at, const std::string& title, const std::string& note) {
  const Theme& t = canvas.theme();
  const TextStyle bold{.font = Font::semibold, .size = 14, .color = t.ink};
  canvas.text(at, title, bold);
  canvas.text({at.x + canvas.measure(title, bold).x + 12, at.y}, note, {.size = 12, .color = t.second_text});
}

void caption(Canvas& canvas, Point at, const std::string& text) {
  canvas.text(at, text, {.size = 12, .color = canvas.theme().second_text, .x = AlignX::center});
}

void colors(Canvas& canvas) {
  const Theme& t = canvas.theme();
  heading(canvas, {40, 84}, "Colours", "chrome is ink on paper; colour belongs to data");
  const std::array<std::pair<const char*, Color>, 12> all = {{{"paper", t.paper},
                                                              {"panel", t.panel},
                                                              {"sunken", t.sunken},
                                                              {"border", t.border},
                                                              {"control", t.control},
                                                              {"faint text", t.faint_text},
                                                              {"second text", t.second_text},
                                                              {"ink", t.ink},
                                                              {"query", t.query},
                                                              {"key", t.key},
                                                              {"value", t.value},
                                                              {"wrong", t.wrong}}};
  float x = 40;
  for (const auto& [name, color] : all) {
    canvas.rectangle({x, 104, 48, 32}, {.fill = color, .outline = t.border, .radius = 4});
    caption(canvas, {x + 24, 150}, name);
    x += 66;
  }
  heading(canvas, {880, 84}, "Type", "Inter; JetBrains Mono for every number");
  canvas.text({880, 122}, "0.6988", {.font = Font::mono, .size = 28, .color = t.ink});
  canvas.text({1010, 122}, "View title", {.font = Font::semibold, .size = 18, .color = t.ink});
  canvas.text({1120, 122}, "Body and controls", {.size = 14, .color = t.ink});
  canvas.text({1266, 122}, "Captions, axis words", {.size = 12, .color = t.ink});
  canvas.text({1412, 122}, ".70", {.font = Font::mono, .size = 11, .color = t.ink});
  canvas.text({1470, 122}, "naïve Łódź ∑ᵀ", {.size = 14, .color = t.ink});
  canvas.line({40, 172}, {1560, 172}, {.color = t.border});
}

void marks(Canvas& canvas) {
  const Theme& t = canvas.theme();
  heading(canvas, {40, 200}, "Marks", "shapes, never letters of a font");
  float x = 52;
  for (Mark mark :
       {Mark::play,          Mark::pause,      Mark::stop,         Mark::to_start, Mark::step_back,
        Mark::step_forward,  Mark::to_end,     Mark::tick,         Mark::cross,    Mark::chevron_left,
        Mark::chevron_right, Mark::chevron_up, Mark::chevron_down, Mark::plus,     Mark::minus,
        Mark::download,      Mark::pin,        Mark::dot,          Mark::ring,     Mark::undo,
        Mark::search}) {
    canvas.rectangle({x - 16, 222, 32, 32}, {.fill = t.panel, .outline = t.control, .radius = 6});
    draw_mark(canvas, {x, 238}, mark, t.ink);
    x += 40;
  }
  draw_badge(canvas, {910, 238}, Badge::query);
  draw_badge(canvas, {940, 238}, Badge::key);
  draw_badge(canvas, {970, 238}, Badge::value);
  x = 1010;
  for (const char* key : {"Esc", "Enter", "M", "←"}) x += draw_keycap(canvas, {x, 238}, key) + 8;
  draw_arrow(canvas, {1170, 238}, {1210, 238}, {.color = t.second_text});
  draw_hatched(canvas, {1230, 222, 60, 32});
  draw_not_a_number(canvas, {1300, 218, 40, 40});
  draw_color_bar_across(canvas, {1380, 232, 64, 12}, ColorScale::weight, 1);
  draw_color_bar_across(canvas, {1490, 232, 56, 12}, ColorScale::signed_value, 6);
  canvas.line({40, 284}, {1560, 284}, {.color = t.border});
}

void chips(Canvas& canvas) {
  heading(canvas, {40, 312}, "Token chips", "28 high, position above, probability below");
  const std::vector<std::pair<TokenChip, const char*>> all = {
      {{.text = "sees"}, "rest"},
      {{.text = "sees", .hovered = true}, "hover"},
      {{.text = "sees", .pin = ChipPin::key}, "pinned key"},
      {{.text = "voit", .pin = ChipPin::query}, "pinned query"},
      {{.text = "<eos>", .special = true}, "special"},
      {{.text = "<pad>", .padding = true}, "padding"},
      {{.text = "re", .word_start = true}, "word start"},
      {{.text = "rde", .unknown = true}, "unknown"},
      {{.text = "chien", .wrong = true}, "wrong word"},
      {{.text = "internationalisation"}, "elided"},
      {{.text = "", .future = true}, "to come"}};
  std::vector<TokenChip> strip;
  for (const auto& [chip, name] : all) strip.push_back(chip);
  const TokenStripLayout layout =
      draw_token_strip(canvas, {40, 332, 968, 80}, strip, {.gap = 13, .width = 76});
  for (std::size_t i = 0; i < all.size(); ++i)
    caption(canvas, {layout.chip(static_cast<int>(i)).center().x, 398}, all[i].second);

  heading(canvas, {1040, 312}, "Block on the map", "108 × 50");
  const SampleMatrix weights = sample_weights();
  const std::vector<HeatmapData> heads(4, {.values = weights.plane(), .masked = causal});
  const std::array<MapBlock, 4> blocks = {
      {{.name = "Cross-attention", .heads = heads},
       {.name = "Cross-attention", .hovered = true, .heads = heads},
       {.name = "Cross-attention", .open = true, .heads = heads},
       {.name = "Cross-attention", .changed = true, .heads = heads, .muted = [](int head, int) {
          return head == 1;
        }}}};
  float x = 1040;
  for (const MapBlock& block : blocks) {
    draw_map_block(canvas, {x, 340, kBlockWidth, kBlockHeight}, block);
    x += 136;
  }
  caption(canvas, {1094, 405}, "rest");
  caption(canvas, {1230, 405}, "hover");
  caption(canvas, {1366, 405}, "open");
  caption(canvas, {1502, 405}, "changed, head 2 muted");
  canvas.line({40, 428}, {1560, 428}, {.color = canvas.theme().border});
}

void heatmap(Canvas& canvas) {
  heading(canvas, {40, 456}, "Heatmap", "the same parts everywhere");
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options;
  options.row_title = {Badge::query, "query", ""};
  options.column_title = {Badge::key, "key", "source"};
  options.row_labels = options.column_labels = sample_words();
  options.writes = {"la", "fille", "fatiguée", "voit", "une", "voiture"};
  options.pinned_row = 5;
  options.pinned_column = 4;
  options.max_cell = 42;
  draw_heatmap(canvas, {40, 488, 560, 330}, {.values = weights.plane(), .masked = causal}, options);

  // Signed, wide cells, row sums, indices below, cells not yet computed.
  const SampleMatrix scores = sample_scores(8);
  HeatmapOptions wide;
  wide.scale = ColorScale::signed_value;
  wide.row_labels = {"<bos>", "la", "fille", "fatiguée", "voit", "une", "voiture", "rouge"};
  wide.column_labels = wide.row_labels;
  wide.max_aspect = 2;
  wide.pinned_row = 3;
  wide.right_title = "sum";
  wide.right_values = std::vector<std::string>(8, "1.00");
  draw_heatmap(canvas, {620, 470, 560, 240}, {.values = scores.plane()}, wide);
  HeatmapOptions part;
  part.scale = ColorScale::signed_value;
  part.columns_below = true;
  part.column_indices = true;
  part.numbers = false;
  part.color_bar = false;
  part.row_labels = wide.row_labels;
  part.computed = 37;
  part.outlines = {{2, 1, 3, 2}};
  part.frame = true;
  draw_heatmap(canvas, {1200, 470, 340, 230}, {.values = scores.plane()}, part);
  const SampleMatrix large = sample_scores(80);
  HeatmapOptions table;
  table.scale = ColorScale::signed_value;
  table.row_title = {Badge::none, "position", ""};
  table.pinned_row = 3;
  table.ink_row = true;
  draw_heatmap(canvas, {620, 720, 330, 250}, {.values = large.plane()}, table);

  // A wall with a muted and an open head.
  WallOptions wall{.layers = 2, .heads = 4, .tile = 72, .open_layer = 1, .open_head = 1};
  wall.data = [&weights](int, int) { return HeatmapData{.values = weights.plane(), .masked = causal}; };
  wall.muted = [](int layer, int head, int) { return layer == 0 && head == 2; };
  draw_wall(canvas, {980, 730, 400, 220}, wall);
}

void first_sheet(Canvas& canvas) {
  const Theme& t = canvas.theme();
  canvas.text({40, 40}, "Components", {.font = Font::semibold, .size = 18, .color = t.ink});
  canvas.text({166, 41}, "at font scale 1; every length below is multiplied by the font scale",
              {.size = 14, .color = t.second_text});
  colors(canvas);
  marks(canvas);
  chips(canvas);
  heatmap(canvas);
}

void charts(Canvas& canvas) {
  std::vector<double> steps, train, validation_steps, validation, rate;
  for (int i = 0; i <= 3200; ++i) {
    steps.push_back(i);
    const double smooth = 0.66 + 3.2 * std::exp(-i / 220.0);
    train.push_back(smooth + 0.12 * std::sin(i * 12.9898) * std::exp(-i / 900.0) + 0.03);
    rate.push_back(0.004 * std::min(std::sqrt(400.0 / std::max(1, i)), i / 400.0));
    if (i % 50 == 0) {
      validation_steps.push_back(i);
      validation.push_back(smooth);
    }
  }
  const std::vector<double> reference_steps = {0, 3200}, floor_of_loss = {0.5, 0.5};
  const std::vector<Series> loss = {
      {.label = "training, with dropout", .x = steps, .y = train, .kind = CurveKind::raw, .label_at = 0.3},
      {.label = "lowest possible with label smoothing 0.1: 0.500",
       .x = reference_steps,
       .y = floor_of_loss,
       .kind = CurveKind::reference,
       .label_at = 1,
       .label_below = true},
      {.label = "validation, every 50 steps", .x = validation_steps, .y = validation, .label_at = 0.5}};
  heading(canvas, {40, 40}, "Loss falls as attention forms", "early steps wide");
  ChartOptions options{.x = step_axis(0, 3200), .y = fit_axis(loss), .cursor = 200.0};
  options.x_labels = false;
  draw_line_chart(canvas, {40, 56, 760, 220}, loss, options);
  const std::vector<Series> schedule = {{.x = steps, .y = rate}};
  ChartOptions rate_options{.x = step_axis(0, 3200),
                            .y = fit_axis(schedule),
                            .cursor = 200.0,
                            .cursor_flag = "You are here · step 200"};
  rate_options.markers = {{400, "warm-up ends, step 400"}};
  draw_line_chart(canvas, {40, 286, 760, 160}, schedule, rate_options);
  ChartOptions log_options{
      .x = step_axis(0, 3200, true), .y = fit_axis(loss, AxisKind::log), .labels_inside = false};
  log_options.x.title = "step";
  draw_line_chart(canvas, {850, 56, 340, 200}, loss, log_options);

  const std::vector<BarRow> rows = {{.label = "the", .share = 0.001},
                                    {.label = "sees", .share = 0.699, .emphasized = true, .target = 0.9},
                                    {.label = "chien", .share = 0.2, .wrong = true},
                                    {.label = "<eos>", .share = 0.283, .value = "28 %"}};
  draw_bar_list(canvas, {850, 300, 280, 120}, rows);
  draw_bar_list(canvas, {1220, 300, 340, 120}, rows,
                {.bar_height = 14, .labels_right = false, .text_size = 14});
}

void words(Canvas& canvas) {
  const Theme& t = canvas.theme();
  const SampleMatrix weights = sample_weights();
  RibbonsOptions ribbons;
  for (const std::string& word : sample_words()) {
    ribbons.keys.push_back({.text = word, .special = word == "<bos>"});
    ribbons.queries.push_back({.text = word, .special = word == "<bos>"});
  }
  ribbons.row = 5;
  ribbons.keys[4].pin = ChipPin::key;
  ribbons.queries[5].pin = ChipPin::query;
  heading(canvas, {40, 490}, "Ribbons", "strongest links, 75 % of a row");
  draw_ribbons(canvas, {40, 510, 430, 190}, {.values = weights.plane(), .masked = causal}, ribbons);

  heading(canvas, {520, 490}, "Strip", "probability below");
  std::vector<TokenChip> output;
  const std::array<double, 8> p = {0.92, 0.93, 0.04, 0.93, 0.92, 1, 0.5, 0.91};
  const std::array<const char*, 8> text = {"la",  "fille",   "fatiguée", "voit",
                                           "une", "voiture", "rouge",    "<eos>"};
  for (std::size_t i = 0; i < p.size(); ++i)
    output.push_back({.text = text[i], .special = i == 7, .probability = p[i]});
  draw_token_strip(canvas, {520, 506, 1040, 80}, output,
                   {.label = "Output", .probabilities = true, .count = 8});
  draw_token_strip(canvas, {520, 590, 480, 80}, output, {.label = "Output", .probabilities = true, .gap = 5});
  draw_token_strip(canvas, {1040, 590, 240, 80}, output,
                   {.label = "Output", .probabilities = true, .min_width = 44});

  heading(canvas, {40, 740}, "Formulas", "and words in a sentence");
  const Formula weight =
      formula_row({formula_text("weight = "),
                   formula_fraction(formula_text("exp( score )"), formula_text("sum of exp, row"))});
  draw_formula(canvas, {40, 790}, weight);
  draw_formula(canvas, {40, 840},
               formula_row({formula_text("= "),
                            formula_fraction(formula_mono("exp( 6.171 )"), formula_mono("684.9"))}));
  draw_formula(
      canvas, {230, 790},
      formula_row({formula_text("sin "), formula_parenthesis(formula_fraction(
                                             formula_text("position"),
                                             formula_power(formula_text("10000"), formula_text("d/32"))))}));
  draw_formula(
      canvas, {230, 840},
      formula_row({formula_fraction(formula_row({formula_text("Q K"), formula_text("ᵀ")}),
                                    formula_root(formula_index(formula_text("d"), formula_text("k")))),
                   formula_text("  +  "), formula_root(formula_text("32")), formula_text(" · "),
                   formula_index(formula_text("W"), formula_text("Q"))}));
  draw_rich_text(canvas, {420, 770}, 240, "to write **voit** it reads **sees**",
                 {.plain = {.size = 14, .color = t.second_text}, .bold_size = 18});
  paragraph(canvas, {420, 810}, 230,
            "The decoder has just read “fatiguée”. To choose the next word it takes 70 % from “sees”, and "
            "writes “voit”.",
            {.size = 12, .color = t.ink});

  // The map's pieces, as in a decoder layer.
  const std::vector<HeatmapData> heads(4, {.values = weights.plane(), .masked = causal});
  const SampleMatrix scores = sample_scores(24);
  const Plane strip{scores.values.data(), 3, 24};
  draw_layer_frame(canvas, {720, 720, 120, 224}, "Layer 2");
  draw_add_norm(canvas, {726, 742, 108, 16});
  draw_map_block(canvas, {726, 766, 108, 36},
                 {.name = "Feed-forward", .strip = HeatmapData{.values = strip}});
  draw_add_norm(canvas, {726, 810, 108, 16}, false, true);
  draw_map_block(canvas, {726, 834, 108, 50},
                 {.name = "Masked self-attention", .open = true, .heads = heads});
  draw_map_block(canvas, {860, 742, 108, 42},
                 {.name = "Linear, softmax", .bars = {0.02f, 0.9f, 0.05f, 0.01f, 0.3f, 0.02f, 0.02f, 0.02f}});
  draw_closed_layer(canvas, {860, 800, 120, 24}, "Layer 1");
  draw_map_block(canvas, {860, 836, 108, 24}, {.name = "Embedding"});
  draw_position_sum(canvas, {880, 890});
  draw_connector(canvas, {{840, 850}, {850, 850}, {850, 720}, {1000, 720}, {1000, 760}, {1030, 760}},
                 {.color = t.key, .width = 1.5f}, true);
  draw_connector(canvas, {{1030, 790}, {1010, 790}, {1010, 900}, {1030, 900}},
                 {.color = t.value, .width = 1.5f}, true);
}

void second_sheet(Canvas& canvas) {
  charts(canvas);
  words(canvas);
}

}  // namespace

std::vector<ComponentSheet> component_sheets() {
  return {{"components", {1600, 1000}, first_sheet}, {"charts", {1600, 1000}, second_sheet}};
}

}  // namespace glassformer
