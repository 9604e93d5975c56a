#include "app/views/embedding/embedding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/reading/walk_scene.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr const char *kRowsPart = "rows", *kAlikePart = "most-alike", *kMapPart = "map";
constexpr long kAtOnce = 150000;  // numbers of a vocabulary that are projected within a frame

constexpr float kFindWidth = 160, kFindRoom = 720;

// Whether words are looked for by name: a few are all named on the map.
bool finds_words(int vocabulary, const Rect& area) {
  return vocabulary > kFewDots && stage_inner(area).width >= kFindRoom;
}

// Where one begins: long words carry more meaning than short ones, such as articles.
int longest_word(const std::vector<std::string>& words) {
  std::size_t longest = 0;
  int at = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_special_word(words[i]) || words[i].size() <= longest) continue;
    longest = words[i].size();
    at = static_cast<int>(i);
  }
  return at;
}

}  // namespace

std::unique_ptr<View> make_embedding_view() {
  return std::make_unique<EmbeddingView>();
}

const std::vector<std::string>& EmbeddingView::words(const ViewInput& input) const {
  return source_ ? input.result.source_words : input.result.target_in_words;
}

const std::vector<int>& EmbeddingView::ids(const ViewInput& input) const {
  const Trace& trace = *input.result.trace;
  return source_ ? trace.source.front() : trace.target_in.front();
}

EmbeddingView::Parts EmbeddingView::parts(const ViewInput& input, const Rect& area) const {
  const Rect content = stage_content(area);
  const auto rows = static_cast<float>(std::max<std::size_t>(words(input).size(), 1));
  const bool stacked = content.width < 640;
  const float wanted = kHeadingHeight + 40 + rows * 18;
  Parts parts;
  const float upper = std::round(std::clamp(wanted, 120.0f, content.height * (stacked ? 0.5f : 0.44f)));
  parts.divider = content.y + upper;
  parts.rows = {content.x, content.y, content.width, upper - 16};
  const float y = parts.divider + 16, height = content.bottom() - y;
  const float left = std::round(content.width * 0.32f);
  parts.neighbours = {content.x, y, left, height};
  parts.map = {content.x + left + 48, y, content.width - left - 48, height};
  return parts;
}

std::vector<ViewFact> EmbeddingView::facts(const ViewInput& input) const {
  const std::vector<Neighbour> found = neighbours(input);
  if (found.empty()) return {};
  return {{.name = "nearest", .word = vocabulary_word(input, source_, found.front().row)},
          {.name = "similarity", .number = found.front().cosine}};
}

Point EmbeddingView::minimum_size(const ViewInput&) const {
  return {440, 560};
}

std::optional<int> EmbeddingView::row(const ViewInput& input) const {
  if (const auto& cell = input.shown.cell; cell && cell->index.size() >= 2) {
    const std::optional<ValueName> name = read_name(cell->name);
    if (name && name->block == BlockKind::embedding && !is_parameter(name->value) && name->encoder == source_)
      return cell->index[cell->index.size() - 2];
  }
  if (source_ && input.shown.kind != AttentionKind::decoder) return input.shown.key;
  if (!source_ && input.shown.kind != AttentionKind::encoder) return input.shown.query;
  return std::nullopt;
}

int EmbeddingView::chosen_id(const ViewInput& input) const {
  if (hovered_) return *hovered_;
  if (word_) return *word_;
  const auto at = row(input);
  const auto& all = ids(input);
  if (all.empty()) return 0;
  return all[static_cast<std::size_t>(
      std::clamp(at.value_or(longest_word(words(input))), 0, static_cast<int>(all.size()) - 1))];
}

VocabularyMapCache::Found EmbeddingView::projection(const ViewInput& input, bool at_once) const {
  const VocabularyKey key = vocabulary_key(input, source_);
  const Plane rows = vocabulary_rows(key);
  if (rows.rows == 0) return {};
  const bool small = long(rows.rows) * rows.columns <= kAtOnce && rows.columns <= 96;
  VocabularyMapCache::Found found = caches_->maps[source_ ? 0 : 1].get(
      key, at_once || small, [key] { return principal_components(vocabulary_rows(key)); });
  // The last map stays meanwhile, unless it is that of another vocabulary.
  if (found.value && !found.current && vocabulary_rows(found.key).rows != rows.rows) return {};
  return found;
}

std::vector<Neighbour> EmbeddingView::neighbours(const ViewInput& input) const {
  constexpr int kMost = 20;
  const NeighbourKey key{vocabulary_key(input, source_), chosen_id(input)};
  if (key.id >= vocabulary_rows(key.vocabulary).rows) return {};
  const auto found = caches_->neighbours.get(
      key, true, [key] { return nearest_by_cosine(vocabulary_rows(key.vocabulary), key.id, kMost); });
  return *found.value;
}

void EmbeddingView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Config& config = input.snapshot.config;
  const int vocabulary = source_ ? config.source_vocab : config.target_vocab;
  const std::string table = format_count(vocabulary) + " × " + format_count(config.d_model);
  const bool added = config.adds_positions() && !input.result.scene.what_if.has(ChangeKind::positions_off);
  draw_stage_title(canvas, area, "Where words become numbers",
                   "Each word looks up its row in a table of " + table + " weights" +
                       (added ? "; its position is added." : "."),
                   200 + (!canvas.is_file() && finds_words(vocabulary, area) ? kFindWidth + 12 : 0));
  const Parts at = parts(input, area);
  draw_rows(canvas, at.rows, input);
  const Rect content = stage_content(area);
  canvas.line({content.x, at.divider}, {content.right(), at.divider}, {.color = canvas.theme().border});
  draw_neighbours(canvas, at.neighbours, input);
  draw_map(canvas, at.map, input);
}

void EmbeddingView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                          const Rect& area) const {
  const Rect part = area.inset(kStagePadding);
  if (name == kRowsPart) draw_rows(canvas, part, input);
  if (name == kAlikePart) draw_neighbours(canvas, part, input);
  if (name == kMapPart) draw_map(canvas, part, input);
}

void EmbeddingView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Which side.
  const std::array<std::string, 2> sides{source_language(input), target_language(input)};
  const float width = ui.segmented_width(sides);
  const Rect inner = stage_inner(area);
  int side = source_ ? 0 : 1;
  if (Segmented(ui, {inner.right() - width, inner.y + 9, width, 32}, "Side", sides, side)) {
    source_ = side == 0;
    word_.reset();
  }

  // A word pinned elsewhere takes over from one chosen on the map.
  const auto pinned = source_ ? input.pinned.key : input.pinned.query;
  if (pinned != pin_seen_) word_.reset();
  pin_seen_ = pinned;

  // The map answers to the nearest dot.
  const Parts at = parts(input, area);
  const Rect plot = map_plot(at.map);
  const auto found = projection(input, false);
  const ui::Response response = ui.plane(plot, "vocabulary map");
  std::optional<int> under;
  if (response.at && found.value) {
    std::vector<int> large = ids(input);
    large.push_back(chosen_id(input));
    under = dot_under(map_dots(*found.value, plot), *response.at, 12, large);
  }
  hovered_ = under;
  if (response.clicked) word_ = under;
  if (finds_words(vocabulary_rows(vocabulary_key(input, source_)).rows, area))
    find_word(ui, input, {inner.right() - width - 12 - kFindWidth, inner.y + 9, kFindWidth, 32});
}

std::optional<int> EmbeddingView::word_called(const ViewInput& input, const std::string& text) const {
  std::optional<int> begins;
  const int words = vocabulary_rows(vocabulary_key(input, source_)).rows;
  for (int id = 0; id < words && !text.empty(); ++id) {
    const std::string word = vocabulary_word(input, source_, id);
    if (word == text) return id;
    if (!begins && word.starts_with(text)) begins = id;
  }
  return begins;
}

void EmbeddingView::find_word(ui::Ui& ui, const ViewInput& input, const Rect& field) {
  const bool nothing = !sought_.empty() && !word_called(input, sought_);
  const ui::FieldEvent event = TextField(ui, field, "Find a word", sought_,
                                         {.hint = "find a word", .error = nothing ? "no such word" : ""});
  if (event != ui::FieldEvent::changed) return;
  if (const auto found = word_called(input, sought_)) word_ = found;
}

ViewPlace EmbeddingView::place(const ViewInput&) const {
  return {.path = {"Embedding"}};
}

std::optional<InspectorPage> EmbeddingView::inspect(const ViewInput& input) const {
  if (input.shown.cell && !hovered_) return std::nullopt;
  const int id = chosen_id(input);
  const VocabularyKey key = vocabulary_key(input, source_);
  const Plane rows = vocabulary_rows(key);
  if (id >= rows.rows) return std::nullopt;
  const Summary summary =
      summarize({rows.data + long(id) * rows.columns, static_cast<std::size_t>(rows.columns)});

  InspectorPage page;
  page.caption = "Word of the vocabulary";
  page.subject = "**" + vocabulary_word(input, source_, id) + "**";
  page.name = key.matrix;
  page.index = "row " + std::to_string(id) + " of " + format_shape(std::array{rows.rows, rows.columns});
  InspectorSection figures{.heading = "Its row"};
  figures.rows = {{.label = "length (norm)", .value = format_loss(summary.norm)},
                  {.label = "mean", .value = format_pinned(summary.mean)},
                  {.label = "smallest", .value = format_pinned(summary.smallest)},
                  {.label = "largest", .value = format_pinned(summary.largest)}};
  InspectorSection near{.heading = "Most alike", .note = "cosine"};
  std::vector<Neighbour> nearest = neighbours(input);
  nearest.resize(std::min<std::size_t>(nearest.size(), 5));
  for (const Neighbour& neighbour : nearest)
    near.rows.push_back({.label = vocabulary_word(input, source_, neighbour.row),
                         .value = format_probability(neighbour.cosine),
                         .share = std::clamp(neighbour.cosine, 0.0, 1.0)});
  page.sections = {figures, near};
  const long found = source_ ? input.run.source_found : input.run.target_found;
  page.meaning = (found > 0 ? "At the start " + format_count(found) +
                                  (found == 1 ? " row was that of" : " rows were those of") +
                                  " a file of vectors, the others random."
                  : input.run.given_vectors ? std::string("Some rows began as those of a file of vectors.")
                                            : std::string("At the start every row is random.")) +
                 (is_frozen(input, source_)
                      ? " They stay so: this table is frozen."
                      : " Training moves words that are used alike towards each other, because the same "
                        "answers are wanted from them.");
  page.paper = "Paper, section 3.4";
  return page;
}

std::vector<NumberTable> EmbeddingView::numbers(const ViewInput& input) const {
  std::vector<NumberTable> tables;
  const Trace& trace = *input.result.trace;

  // The three heatmaps.
  for (const ValueKind value : kEmbeddingMaps) {
    const std::string name = embedding_value(source_, value);
    if (!of_part(kRowsPart) || !trace.find(name)) continue;
    const Plane plane = trace.plane(name);
    NumberTable table{.title = name};
    for (int c = 0; c < plane.columns; ++c) table.columns.push_back(std::to_string(c));
    for (int r = 0; r < std::min(plane.rows, static_cast<int>(words(input).size())); ++r) {
      table.rows.push_back(words(input)[static_cast<std::size_t>(r)]);
      const float* row = plane.data + long(r) * plane.columns;
      table.values.emplace_back(row, row + plane.columns);
    }
    tables.push_back(std::move(table));
  }

  // Neighbours and map.
  const Plane rows = vocabulary_rows(vocabulary_key(input, source_));
  const int id = chosen_id(input);
  if (of_part(kAlikePart) && id < rows.rows) {
    NumberTable near{.title = "most alike " + vocabulary_word(input, source_, id),
                     .columns = {"id", "cosine"}};
    for (const Neighbour& neighbour : neighbours(input)) {
      near.rows.push_back(vocabulary_word(input, source_, neighbour.row));
      near.values.push_back({double(neighbour.row), neighbour.cosine});
    }
    tables.push_back(std::move(near));
  }
  if (!of_part(kMapPart)) return tables;
  if (const auto found = projection(input, true); found.value && found.value->components == 2) {
    NumberTable map{.title = "two strongest directions of the vocabulary",
                    .columns = {"id", "first", "second"}};
    for (int row = 0; row < rows.rows; ++row) {
      map.rows.push_back(vocabulary_word(input, source_, row));
      map.values.push_back({double(row), found.value->at(row, 0), found.value->at(row, 1)});
    }
    tables.push_back(std::move(map));
  }
  return tables;
}

std::string EmbeddingView::caption(const ViewInput& input) const {
  std::string text;
  const auto add = [&](const char* part, const std::string& words) {
    if (of_part(part)) text += (text.empty() ? "" : "; ") + words;
  };
  add(kRowsPart,
      "Embedding of the " + (source_ ? input.source_language : input.target_language) + " sentence");
  add(kAlikePart, "words most alike “" + vocabulary_word(input, source_, chosen_id(input)) + "” by cosine");
  add(kMapPart, "the vocabulary along its two strongest directions (PCA)");
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

bool EmbeddingView::shows(const CellRef& cell) {
  const std::optional<ValueName> name = read_name(cell.name);
  return !cell.gradient && name && in_embedding(name->block) && name->value != ValueKind::positions &&
         name->value != ValueKind::position_table;
}

ViewTraits EmbeddingView::traits() const {
  std::string text = source_ ? "source" : "target";
  if (word_) text += ", word " + std::to_string(*word_);
  if (hovered_) text += ", over " + std::to_string(*hovered_);
  return {.shows = shows,
          .wants_training_text = true,
          .busy = caches_->maps[source_ ? 0 : 1].busy(),
          .state = text,
          .panels = {kRowsPart, kAlikePart, kMapPart}};
}

}  // namespace glassformer
