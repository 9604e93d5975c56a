#include <algorithm>
#include <cmath>

#include "app/canvas/canvas.h"
#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/layers/layers.h"
#include "app/widgets/bars.h"
#include "app/widgets/colormap.h"
#include "app/widgets/heatmap.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kLabels = 152, kFollow = 216, kHead = 44, kGap = 2, kLayerGap = 8;
constexpr float kLeastColumn = 46, kMostColumn = 76, kLeastLine = 24, kMostLine = 52;
constexpr float kWrites = 18, kLegend = 28, kText = 16;  // below the cells, each from what is above
constexpr float kBelow = kWrites + kLegend + kText;
constexpr float kLow = 480;      // px of a stage that has no room for the line below the title
constexpr float kTwoLines = 38;  // from here on p is under the word

float layer_gaps(const LayersScene& scene) {
  const auto layers = std::ranges::count_if(scene.lines, &LayersLine::opens);
  return kLayerGap * static_cast<float>(layers);
}

// Of both sentences below, as high as they may become: before the lens is there, the first is not known.
float text_height(const LayersScene& scene, float width) {
  constexpr std::size_t kLongestSummary = 215;
  constexpr float kLetter = 6.2f;  // px at most, on average, at 12 px
  const auto lines = [&](std::size_t letters) {
    return std::ceil(static_cast<float>(letters) * kLetter / width);
  };
  return (lines(kLongestSummary) + lines(lens_warning(scene).size())) * 12 * kLineHeight + 8;
}

}  // namespace

Rect LayersLayout::cell(int line_index, int place) const {
  return {cells.x + column * static_cast<float>(place), tops[static_cast<std::size_t>(line_index)],
          column - kGap, line};
}

Rect LayersLayout::row(int line_index) const {
  return {cells.x, tops[static_cast<std::size_t>(line_index)], cells.width, line};
}

Point layers_minimum(const LayersScene& scene) {
  const auto places = static_cast<float>(scene.places()), lines = static_cast<float>(scene.lines.size());
  const float width = std::max(640.0f, 2 * kStagePadding + kLabels + places * kLeastColumn + 24 + kFollow);
  const float below_title = kHead + lines * (kLeastLine + kGap) + layer_gaps(scene) + kBelow +
                            text_height(scene, width - 2 * kStagePadding) + 24;
  const float bare = kStageTopBare + below_title;
  return {width, std::max(400.0f, bare < kLow ? bare : kStageTop + below_title)};
}

int layers_places_alone(float width) {
  return std::max(1, static_cast<int>((width - kLabels) / kLeastColumn));
}

LayersLayout layout_layers_alone(const Rect& room, const LayersScene& scene) {
  constexpr float kLayer = 4, kLeast = 14;
  LayersLayout at;
  const float layers = static_cast<float>(std::ranges::count_if(scene.lines, &LayersLine::opens));
  const float height = room.height - kHead - kWrites - 10 - kLayer * layers;
  at.line = std::clamp(std::floor(height / static_cast<float>(scene.lines.size())) - kGap, kLeast, kMostLine);
  at.two_lines = at.line >= kTwoLines;
  at.column = std::clamp(std::floor((room.width - kLabels) / static_cast<float>(std::max(1, scene.places()))),
                         kLeastColumn, 2 * kMostColumn);
  float y = room.y + kHead;
  for (const LayersLine& line : scene.lines) {
    if (line.opens) y += kLayer;
    at.tops.push_back(y);
    y += at.line + kGap;
  }
  at.cells = {room.x + kLabels, room.y + kHead, at.column * static_cast<float>(scene.places()),
              y - kGap - room.y - kHead};
  at.labels = {room.x, room.y + kHead, kLabels, at.cells.height};
  at.writes = at.cells.bottom() + kWrites;
  return at;
}

LayersLayout layout_layers(const Rect& area, const LayersScene& scene) {
  LayersLayout at;
  const auto places = static_cast<float>(std::max(1, scene.places()));
  const auto lines = static_cast<float>(scene.lines.size());
  at.subtitle = area.height >= kLow;
  const Rect content = stage_content(area, at.subtitle);
  const float room =
      content.bottom() - content.y - kHead - layer_gaps(scene) - kBelow - text_height(scene, content.width);
  at.line = std::clamp(std::floor(room / lines) - kGap, kLeastLine, kMostLine);
  at.two_lines = at.line >= kTwoLines;
  at.column =
      std::clamp(std::floor((content.width - kLabels - 24 - kFollow) / places), kLeastColumn, kMostColumn);
  const float top = content.y + kHead;
  float y = top;
  for (const LayersLine& line : scene.lines) {
    if (line.opens) y += kLayerGap;
    at.tops.push_back(y);
    y += at.line + kGap;
  }
  at.cells = {content.x + kLabels, top, at.column * places, y - kGap - top};
  at.labels = {content.x, top, kLabels, at.cells.height};
  at.follow = {at.cells.right() + 24, top, kFollow, at.cells.height};
  at.writes = at.cells.bottom() + kWrites;
  at.legend = at.writes + kLegend;
  at.text = at.legend + kText;
  return at;
}

// The right side: the word of one place through all parts.
namespace {

constexpr float kRank = 44, kLog = 104, kHeads = 4;  // right ends of the columns; height of the heads' strip
constexpr double kFoot = 0.005;                      // what two decimals show

double largest_of(const LayersScene& scene) {
  double largest = 1e-9;
  const auto widen = [&](double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line)
    widen(scene.pre_norm ? scene.share(line, scene.place) : scene.change(line, scene.place).value_or(0));
  if (!scene.pre_norm) return largest;
  // One head may give more than all of its part together.
  for (const LayersLine& line : scene.lines)
    if (!line.closed())
      for (const double share : scene.lens->shares[static_cast<std::size_t>(scene.place)]
                                    .parts[static_cast<std::size_t>(line.row)])
        widen(share);
  return largest;
}

// A colour a head: what each gives of the number above, on the scale of the bars.
void draw_shares_of_heads(Canvas& canvas, const Rect& strip, const LayersScene& scene, int line,
                          double limit) {
  const LayersLine& shown = scene.lines[static_cast<std::size_t>(line)];
  const std::vector<double>& shares =
      scene.lens->shares[static_cast<std::size_t>(scene.place)].parts[static_cast<std::size_t>(shown.row)];
  if (shown.closed() || shares.size() < 2) return;
  std::vector<float> values(shares.begin(), shares.end());
  draw_heatmap_tile(canvas, strip, {.values = {values.data(), 1, static_cast<int>(values.size())}},
                    {.scale = ColorScale::signed_value, .limit = limit});
}

// Pre-norm: what else is in the logit, so that the column adds up.
void draw_foot(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  TextStyle style = caption_style(canvas);
  style.x = AlignX::right;
  const float right = at.follow.right();
  if (!scene.pre_norm) return canvas.text({right, at.writes}, "blue nearer, red farther", style);
  const LogitShares& shares = scene.lens->shares[static_cast<std::size_t>(scene.place)];
  std::string text = "biases " + format_signed(shares.biases, 2);
  if (std::abs(shares.rest) >= kFoot) text += ", what-ifs " + format_signed(shares.rest, 2);
  canvas.text({right, at.writes}, text, style);
  style.color = canvas.theme().ink;
  canvas.text({right, at.legend}, "logit " + format_fixed(shares.logit, 2), style);
}

}  // namespace

void draw_followed_word(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect& area = at.follow;
  const TextStyle title{.font = Font::semibold, .size = 14, .color = theme.ink, .x = AlignX::right};
  const std::string word = scene.written[static_cast<std::size_t>(scene.place)];
  canvas.text({area.right(), area.y - 37}, elided(canvas, "“" + word + "”, part by part", title, area.width),
              title);
  TextStyle head = caption_style(canvas);
  head.x = AlignX::right;
  const float heads = area.y - 16;
  canvas.text({area.x + kRank, heads}, "rank", head);
  canvas.text({area.x + kLog, heads}, "log p", head);
  canvas.text({area.right(), heads}, scene.pre_norm ? "share of logit" : "change", head);

  const double largest = largest_of(scene);
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line) {
    const Rect row = at.row(line);
    const LensCell& cell = scene.cell(line, scene.place);
    const float y = row.center().y;
    TextStyle number{.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::right};
    if (cell.rank == 1 && cell.finite()) number.color = theme.ink;
    canvas.text({area.x + kRank, y}, cell.finite() ? format_count(cell.rank) : "–", number);
    number.color = theme.ink;
    canvas.text({area.x + kLog, y}, format_fixed(cell.log_probability(cell.written), 2), number);

    const std::optional<double> value =
        scene.pre_norm ? std::optional(scene.share(line, scene.place)) : scene.change(line, scene.place);
    if (!value) continue;
    const float up = at.two_lines ? 10.0f : 0.0f;
    canvas.text({area.right(), y - up}, format_signed(*value, 2), number);
    const Rect bar{area.x + kLog + 16, y + (up > 0 ? 4.0f : 8.0f), area.width - kLog - 16,
                   up > 0 ? 7.0f : 3.0f};
    if (std::isfinite(*value)) draw_signed_bar(canvas, bar, *value / largest);
    if (scene.pre_norm && up > 0)
      draw_shares_of_heads(canvas, {bar.x, bar.bottom() + 4, bar.width, kHeads}, scene, line, largest);
  }
  draw_foot(canvas, at, scene);
}

namespace {

// p = exp(logit - log of the sum), with the numbers of this cell.
InspectorSection how_computed(const LayersScene& scene, const LensCell& cell) {
  const LensWord& word = cell.strongest.front();
  const Config& config = scene.input.snapshot.config;
  InspectorSection section{.heading = "How it was computed"};
  const std::string x = config.final_norm ? "norm( x )" : "x";
  section.formulas = {
      formula_row({formula_text("p = softmax( " + x + " · "),
                   formula_power(formula_text("E"), formula_text("T")),
                   formula_text(config.output_bias ? " + b )" : " )")}),
      formula_mono("= exp( " + format_loss(word.logit) + " − " +
                   (cell.log_sum < 0 ? "( " + format_loss(cell.log_sum) + " )" : format_loss(cell.log_sum)) +
                   " )"),
      formula_mono("= " + format_pinned(std::exp(cell.log_probability(word))))};
  section.text =
      "x: this row. E: the table of all words. First the word’s logit, then the log of the sum "
      "of exp over all words.";
  return section;
}

InspectorSection most_probable(const LayersScene& scene, const LensCell& cell) {
  if (!cell.finite())
    return {.heading = "The most probable here",
            .text = "The numbers of this row are not finite: no word is more probable than another."};
  InspectorSection section{
      .heading = cell.strongest.size() == 5 ? "The five most probable here" : "The most probable here",
      .note = "of " + format_count(scene.input.snapshot.config.target_vocab)};
  for (const LensWord& word : cell.strongest) {
    const double p = std::exp(cell.log_probability(word));
    section.rows.push_back({.label = scene.word(word.id),
                            .value = format_fixed(p, 3),
                            .share = std::isfinite(p) ? p : 0,
                            .emphasized = section.rows.empty()});
  }
  return section;
}

// Pre-norm: what the part gave to the logit of the word that is written, a head each.
InspectorSection shares_of(const LayersScene& scene, int line_index, int place) {
  const LayersLine& shown = scene.lines[static_cast<std::size_t>(line_index)];
  const LogitShares& shares = scene.lens->shares[static_cast<std::size_t>(place)];
  InspectorSection section{
      .heading = "Shares in the logit of “" + scene.written[static_cast<std::size_t>(place)] + "”",
      .note = format_signed(scene.share(line_index, place), 2)};
  for (int row = shown.first; row <= shown.row; ++row) {
    const std::vector<double>& parts = shares.parts[static_cast<std::size_t>(row)];
    const std::string part = part_words(scene.lens->rows[static_cast<std::size_t>(row)].part);
    if (parts.size() == 1 || shown.closed()) {
      section.rows.push_back(
          {.label = part, .value = format_signed(shares.of_row(static_cast<std::size_t>(row)), 3)});
      continue;
    }
    for (std::size_t head = 0; head < parts.size(); ++head)
      section.rows.push_back(
          {.label = "head " + std::to_string(head + 1), .value = format_signed(parts[head], 3)});
  }
  section.text = "The whole logit is " + format_loss(shares.logit) + "; biases give " +
                 format_signed(shares.biases, 3) + " of it.";
  if (scene.final_norm)
    section.text += " What the final norm divides by is taken as it is: then the parts add up.";
  return section;
}

InspectorSection why_not_heads() {
  return {.heading = "Why not head by head",
          .text =
              "This model is post-norm: a norm stands behind every sum, so what one head adds does "
              "not simply pass on to the word. In a pre-norm model this page lists each head’s own share."};
}

}  // namespace

InspectorPage lens_page(const LayersScene& scene, int line_index, int place) {
  const LensCell& cell = scene.cell(line_index, place);
  const LensWord& says = cell.strongest.front();
  const double p = std::exp(cell.log_probability(says));
  const std::string name =
      scene.lens->rows[static_cast<std::size_t>(scene.lines[static_cast<std::size_t>(line_index)].row)].name;
  InspectorPage page;
  page.caption = "First word after " + scene.title(line_index);
  page.subject = "reads **" + scene.read[static_cast<std::size_t>(place)] + "**" +
                 (cell.finite() ? "  says **" + scene.word(says.id) + "**" : ", no word is said");
  // Of two that are compared the value would be taken for a number of the row.
  if (!scene.input.other) {
    if (std::isfinite(p)) page.swatch = cividis(p);
    page.value = format_pinned(p);
    page.full_value = format_full(p);
    page.action = InspectorAction{"How was this row computed?", OpenStep{CellRef{name, {0, place, 0}}}};
  }
  page.name = name;
  page.index = "[" + std::to_string(place) + ", :] of " + format_count(scene.places()) + " × " +
               format_count(scene.input.snapshot.config.d_model);
  page.sections = {how_computed(scene, cell), most_probable(scene, cell)};
  page.sections.push_back(scene.pre_norm ? shares_of(scene, line_index, place) : why_not_heads());
  page.meaning = scene.final_norm
                     ? "The final norm behind the last layer is applied in every row: the model itself does "
                       "so in the last one alone."
                     : "There is no norm behind the last layer here; where there is one, it is applied in "
                       "every row.";
  page.paper = "Paper, section 3.4";
  return page;
}

// What each part adds to log p of the word of the place that is followed.
NumberTable changes_table(const LayersScene& scene) {
  NumberTable table{.title = "log p of “" + scene.written[static_cast<std::size_t>(scene.place)] +
                             "” at place " + std::to_string(scene.place),
                    .columns = {"change by this part"}};
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line) {
    const std::optional<double> change = scene.change(line, scene.place);
    if (!change) continue;
    table.rows.push_back(scene.title(line));
    table.values.push_back({*change});
  }
  return table;
}

NumberTable shares_table(const LayersScene& scene) {
  NumberTable table{.title = "shares in the logit of the word of each place", .columns = scene.written};
  const std::vector<LensRow>& rows = scene.lens->rows;
  const auto add = [&](std::string label, auto&& of_place) {
    table.rows.push_back(std::move(label));
    std::vector<double>& values = table.values.emplace_back();
    for (const LogitShares& shares : scene.lens->shares) values.push_back(of_place(shares));
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t count = scene.lens->shares.front().parts[row].size();
    std::string label = part_words(rows[row].part);
    if (row > 0) label = layer_words(rows[row].layer) + " " + label;
    const bool heads =
        rows[row].part == LensPart::self_attention || rows[row].part == LensPart::cross_attention;
    for (std::size_t part = 0; part < count; ++part)
      add(heads ? label + " head " + std::to_string(part + 1) : label,
          [&](const LogitShares& shares) { return shares.parts[row][part]; });
  }
  add("biases", [](const LogitShares& shares) { return shares.biases; });
  add("rounding and what-ifs", [](const LogitShares& shares) { return shares.rest; });
  add("logit", [](const LogitShares& shares) { return shares.logit; });
  return table;
}

}  // namespace glassformer
