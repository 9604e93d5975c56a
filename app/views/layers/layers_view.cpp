#include "app/views/layers/layers_view.h"

#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

// The line of the cell, else the last: what the model says itself.
int explained_line(const LayersScene& scene) {
  return scene.line.value_or(static_cast<int>(scene.lines.size()) - 1);
}

bool shows_lens_row(const CellRef& cell) {
  if (cell.gradient || cell.index.size() != 3) return false;
  const std::optional<ValueName> name = read_name(cell.name);
  if (!name || name->encoder) return false;
  return (name->block == BlockKind::embedding && name->value == ValueKind::input) ||
         (name->block == BlockKind::add_norm &&
          (name->value == ValueKind::residual || name->value == ValueKind::normed));
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
    if (row > 0) label = "layer " + std::to_string(rows[row].layer + 1) + " " + label;
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

}  // namespace

std::unique_ptr<View> make_layers_view() {
  return std::make_unique<LayersView>();
}

ViewTraits LayersView::traits() const {
  const auto last = cache_->last();
  return {.shows = shows_lens_row,
          .pins_rows = true,
          .busy = cache_->busy(),
          .state = last ? std::to_string(last->rows.size()) + " rows" : "nothing yet",
          .panels = {"after-each-part"}};
}

void LayersView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  draw_layers(canvas, area, layers_scene(input, *cache_, canvas.is_file()));
}

void LayersView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  draw_layers_alone(canvas, area.inset(kStagePadding), layers_scene(input, *cache_, canvas.is_file()));
}

Point LayersView::minimum_size(const ViewInput& input) const {
  return layers_minimum(layers_scene(input, *cache_, false));
}

// The map outlines the part whose sum is read.
ViewPlace LayersView::place(const ViewInput& input) const {
  ViewPlace place{.path = {"Decoder", "Layer by layer"}};
  const auto row = input.pinned.cell ? lens_row_of(input.snapshot.config, *input.pinned.cell) : std::nullopt;
  if (!row) return place;
  const LensRow pinned = lens_rows(input.snapshot.config)[static_cast<std::size_t>(*row)];
  switch (pinned.part) {
    case LensPart::embedding:
      place.computing = pinned.name;
      break;
    case LensPart::self_attention:
      place.computing = attention_value(AttentionKind::decoder, pinned.layer, ValueKind::output);
      break;
    case LensPart::cross_attention:
      place.computing = attention_value(AttentionKind::cross, pinned.layer, ValueKind::output);
      break;
    case LensPart::feed_forward:
      place.computing = written({BlockKind::feed_forward, ValueKind::output, false, pinned.layer, 0});
  }
  return place;
}

std::optional<InspectorPage> LayersView::inspect(const ViewInput& input) const {
  const LayersScene scene = layers_scene(input, *cache_, false);
  if (!scene.lens || !scene.place_pinned || (input.shown.cell && !scene.line)) return std::nullopt;
  return lens_page(scene, explained_line(scene), scene.place);
}

// Enter on a pinned row: the step of the Walk that makes it.
bool LayersView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed != ViewKey::enter || !input.pinned.cell) return false;
  if (!lens_row_of(input.snapshot.config, *input.pinned.cell)) return false;
  commands.push_back(OpenStep{*input.pinned.cell});
  return true;
}

std::vector<NumberTable> LayersView::numbers(const ViewInput& input) const {
  const LayersScene scene = layers_scene(input, *cache_, true);
  NumberTable words{.title = "after each part: the most probable word, and the word of the place",
                    .columns = {"p of the most probable", "its logit", "rank of the place’s word",
                                "log p of it", "its logit"}};
  if (!scene.lens) return {};
  for (const LensRow& row : scene.lens->rows) {
    const std::string layer =
        row.part == LensPart::embedding ? "" : "layer " + std::to_string(row.layer + 1) + " ";
    for (std::size_t place = 0; place < row.cells.size(); ++place) {
      const LensCell& cell = row.cells[place];
      const LensWord& says = cell.strongest.front();
      words.rows.push_back(layer + part_words(row.part) + ", " + std::to_string(place) + " reads " +
                           scene.read[place] +
                           (cell.finite() ? " says " + scene.word(says.id) : " says none"));
      words.values.push_back({std::exp(cell.log_probability(says)), says.logit,
                              static_cast<double>(cell.rank), cell.log_probability(cell.written),
                              cell.written.logit});
    }
  }
  if (scene.lens->shares.empty()) return {words};
  return {words, shares_table(scene)};
}

std::string LayersView::caption(const ViewInput& input) const {
  const LayersScene scene = layers_scene(input, *cache_, true);
  std::string text = "The most probable word at each place after each part of the decoder (logit lens), " +
                     given_words(input, 0) + ".";
  if (!scene.lens) return text;
  const LensCell& first = scene.cell(0, scene.place);
  const LensCell& last = scene.cell(static_cast<int>(scene.lines.size()) - 1, scene.place);
  const auto rank = [](const LensCell& cell) {
    return cell.finite() ? "rank " + format_count(cell.rank) : std::string("none (not finite)");
  };
  return text + " Right: “" + scene.written[static_cast<std::size_t>(scene.place)] + "” at place " +
         std::to_string(scene.place) + ", from " + rank(first) + " to " + rank(last) + ". " +
         lens_summary(scene);
}

}  // namespace glassformer
