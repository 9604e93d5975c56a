#include "app/views/layers/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "app/views/common/stage_text.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr double kAtOnce = 6e7;  // multiplications within a frame

std::vector<LayersLine> lines_of(const Config& config, int open_layer) {
  std::vector<LayersLine> lines{{}};
  for (int layer = 0; layer < config.decoder_layers; ++layer) {
    const int first = 1 + 3 * layer;
    if (config.decoder_layers > kOpenLayers && layer != open_layer) {
      lines.push_back({first + 2, first, true});
      continue;
    }
    for (int row = first; row < first + 3; ++row) lines.push_back({row, row, row == first});
  }
  return lines;
}

// Of the open model and sentence. While it is being computed an older one serves that has the same words.
std::shared_ptr<const LogitLens> lens_of(const ViewInput& input, LensCache& cache, bool at_once) {
  const LensKey key{input.snapshot.weights, input.result.trace};
  if (!key.model || !key.trace || key.trace->target_out.empty()) return nullptr;
  const Config& config = key.model->config;
  const double work = (1 + 3.0 * config.decoder_layers) *
                      static_cast<double>(key.trace->target_out.front().size()) * config.target_vocab *
                      config.d_model;
  const LensCache::Found found =
      cache.get(key, at_once || work <= kAtOnce, [key] { return logit_lens(*key.model, *key.trace); });
  const bool serves = found.current || (found.value && found.key.model->config == config &&
                                        found.key.trace->target_out.front() == key.trace->target_out.front());
  return serves ? found.value : nullptr;
}

}  // namespace

LayersScene layers_scene(const ViewInput& input, LensCache& cache, bool at_once) {
  const Config& config = input.snapshot.config;
  LayersScene scene{
      .input = input, .lens = lens_of(input, cache, at_once), .lines = {}, .read = {}, .written = {}};
  scene.pre_norm = config.norm == NormPlace::pre;
  scene.final_norm = config.final_norm;
  scene.read = target_in_words(input, 0);
  scene.written = target_out_words(input, 0);

  // Layers follow the pin alone, so that nothing moves under the mouse.
  const auto pinned = input.pinned.cell ? lens_row_of(config, *input.pinned.cell) : std::nullopt;
  const int open = pinned ? (std::max(*pinned, 1) - 1) / 3 : config.decoder_layers - 1;
  scene.lines = lines_of(config, open);

  // The place, and the line of the cell.
  const Selection shown = within(input.shown, input);
  if (shown.kind != AttentionKind::encoder && shown.query) {
    scene.place = *shown.query;
    scene.place_pinned = true;
  }
  if (const auto row = shown.cell ? lens_row_of(config, *shown.cell) : std::nullopt) {
    scene.place = shown.cell->index[1];
    scene.place_pinned = true;
    for (std::size_t i = 0; i < scene.lines.size(); ++i)
      if (*row >= scene.lines[i].first && *row <= scene.lines[i].row) scene.line = static_cast<int>(i);
  }
  scene.place = std::clamp(scene.place, 0, std::max(0, scene.places() - 1));
  return scene;
}

const LensCell& LayersScene::cell(int line_index, int at) const {
  const LayersLine& shown = lines[static_cast<std::size_t>(line_index)];
  return lens->rows[static_cast<std::size_t>(shown.row)].cells[static_cast<std::size_t>(at)];
}

double LayersScene::probability(int line_index, int at) const {
  const LensCell& said = cell(line_index, at);
  return std::exp(said.log_probability(said.strongest.front()));
}

bool LayersScene::turns(int line_index, int at) const {
  return line_index > 0 && finite(line_index, at) && finite(line_index - 1, at) &&
         says(line_index, at).id != says(line_index - 1, at).id;
}

bool LayersScene::settled(int line_index, int at) const {
  const std::optional<int> from = lens->settled(at);
  return from && lines[static_cast<std::size_t>(line_index)].row >= *from;
}

bool LayersScene::settles(int line_index, int at) const {
  return settled(line_index, at) && (line_index == 0 || !settled(line_index - 1, at));
}

std::optional<double> LayersScene::change(int line_index, int at) const {
  if (line_index == 0) return std::nullopt;
  const LensCell &now = cell(line_index, at), &before = cell(line_index - 1, at);
  return now.log_probability(now.written) - before.log_probability(before.written);
}

double LayersScene::share(int line_index, int at) const {
  const LayersLine& shown = lines[static_cast<std::size_t>(line_index)];
  const LogitShares& shares = lens->shares[static_cast<std::size_t>(at)];
  double sum = 0;
  for (int row = shown.first; row <= shown.row; ++row) sum += shares.of_row(static_cast<std::size_t>(row));
  return sum;
}

bool LayersScene::inside_word(int id) const {
  return glassformer::inside_word(input, id);
}

std::string LayersScene::word(int id) const {
  return target_word(input, id);
}

LayersScene part_of_places(LayersScene scene, int most) {
  if (!scene.lens || scene.places() <= most) return scene;
  const int from = std::clamp(scene.place - most / 2, 0, scene.places() - most);
  const auto cut = [&](auto& all) {
    if (all.empty()) return;
    all.erase(all.begin() + from + most, all.end());
    all.erase(all.begin(), all.begin() + from);
  };
  LogitLens lens = *scene.lens;
  for (LensRow& row : lens.rows) cut(row.cells);
  cut(lens.shares);
  cut(scene.read);
  cut(scene.written);
  scene.lens = std::make_shared<const LogitLens>(std::move(lens));
  scene.begins += from;
  scene.place -= from;
  return scene;
}

std::string part_words(LensPart part) {
  switch (part) {
    case LensPart::embedding:
      return "embedding";
    case LensPart::self_attention:
      return "self-attention";
    case LensPart::cross_attention:
      return "cross-attention";
    case LensPart::feed_forward:
      return "feed-forward";
  }
  return {};
}

std::string LayersScene::part(int line_index) const {
  const LayersLine& shown = lines[static_cast<std::size_t>(line_index)];
  if (shown.closed()) return "all parts";
  return part_words(lens_rows(input.snapshot.config)[static_cast<std::size_t>(shown.row)].part);
}

std::string LayersScene::title(int line_index) const {
  const LayersLine& shown = lines[static_cast<std::size_t>(line_index)];
  if (shown.row == 0) return "the embedding";
  const std::string layer = layer_words((shown.row - 1) / 3);
  return shown.closed() ? layer : layer + ", " + part(line_index);
}

std::optional<int> lens_row_of(const Config& config, const CellRef& cell) {
  if (cell.gradient || cell.index.size() != 3 || cell.index[0] != 0) return std::nullopt;
  const std::vector<LensRow> rows = lens_rows(config);
  const auto found = std::ranges::find(rows, cell.name, &LensRow::name);
  if (found == rows.end()) return std::nullopt;
  return static_cast<int>(found - rows.begin());
}

Selection selecting_lens(Selection selection, const std::string& name, int place) {
  if (selection.kind == AttentionKind::encoder) {
    selection.kind = AttentionKind::cross;
    selection.layer = 0;
  }
  selection.sentence = 0;
  selection.query = place;
  selection.key.reset();
  selection.more_queries.clear();
  selection.more_keys.clear();
  selection.cell = CellRef{name, {0, place, 0}};
  return selection;
}

Command about_part(const LensRow& row) {
  ValueName part{BlockKind::feed_forward, ValueKind::output, false, row.layer, 0};
  if (row.part == LensPart::embedding) part = {BlockKind::embedding, ValueKind::input, false, 0, 0};
  if (row.part == LensPart::self_attention)
    part = value_in(AttentionKind::decoder, row.layer, ValueKind::output);
  if (row.part == LensPart::cross_attention)
    part = value_in(AttentionKind::cross, row.layer, ValueKind::output);
  return OpenStep{.cell = {written(part), {}}, .pin = false};
}

std::string lens_summary(const LayersScene& scene) {
  const LogitLens& lens = *scene.lens;
  const std::vector<int>& read = scene.input.result.trace->target_in.front();
  const int places = lens.places();
  const int last = static_cast<int>(scene.lines.size()) - 1;
  int repeats = 0, open = 0, broken = 0;
  std::vector<int> settle(scene.lines.size());  // just there
  for (int place = 0; place < places; ++place) {
    repeats += scene.finite(0, place) && scene.says(0, place).id == read[static_cast<std::size_t>(place)];
    bool any = false;
    for (std::size_t line = 0; line < scene.lines.size(); ++line) {
      const bool here = scene.settles(static_cast<int>(line), place);
      settle[line] += here;
      any = any || here;
    }
    broken += !scene.finite(last, place);
    open += !any && scene.finite(last, place);
  }
  const std::string of_all = " of " + format_count(places) + " places ";
  bool any_word = false;
  for (int at = 0; at < places; ++at) any_word = any_word || scene.finite(0, at);
  std::string text;
  if (any_word) text = format_count(repeats) + of_all + "say the word they read after the embedding. ";
  // The line at which most words settle, and all places that have settled by then.
  const auto most = std::ranges::max_element(settle);
  if (*most > 0)
    text += "From " + scene.title(static_cast<int>(most - settle.begin())) + " on, " +
            format_count(std::accumulate(settle.begin(), most + 1, 0)) + of_all +
            "keep the word that is written. ";
  if (broken > 0)
    text += "At " + format_count(broken) + of_all + "the numbers are not finite: no word is probable.";
  else if (open > 0)
    text += "At " + format_count(open) + of_all + "the model itself says another word.";
  return text;
}

std::string lens_warning(const LayersScene& scene) {
  std::string text =
      "A reading aid: only the last row was trained to be turned into words. The rows above it "
      "are read with the same ";
  text += scene.final_norm ? "final norm and table." : "table; there is no final norm.";
  if (!scene.pre_norm) return text;
  text += " Shares are exact: they add up to the logit";
  text += scene.final_norm ? ", what the final norm divides by taken as it is." : ".";
  if (scene.input.snapshot.config.heads > 1)
    text += " Under a bar stand its heads, blue for the word, red against it.";
  return text;
}

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
    const std::string layer = row.part == LensPart::embedding ? "" : layer_words(row.layer) + " ";
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
  if (scene.lens->shares.empty()) return {words, changes_table(scene)};
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
