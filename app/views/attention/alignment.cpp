#include "app/views/attention/attention.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/bars.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/ribbons.h"

namespace glassformer {

namespace {

constexpr float kAlignmentRow = 300, kAlignmentBetween = 40, kAlignmentRibbons = 220, kAlignmentSwitch = 40;

double weight_of(const RecurrentScene& scene, int row, int column) {
  return static_cast<double>(scene.trace.weights(row, column));
}

std::string quoted(const std::string& word) {
  return "“" + word + "”";
}

// A click on a cell also says whose state One cell is to compute.
HitRegion hit_of(const RecurrentPin& now, std::optional<int> query, std::optional<int> key,
                 const std::string& where) {
  RecurrentPin pin = now;
  pin.query = query;
  pin.key = key;
  if (key)
    pin.place.encoder = true, pin.place.word = *key;
  else if (query)
    pin.place.encoder = false, pin.place.word = *query;
  HitRegion hit;
  hit.label = "alignment" + where + (query ? " query " + std::to_string(*query) : "") +
              (key ? " key " + std::to_string(*key) : "");
  hit.click = PinRecurrent{pin};
  return hit;
}

HeatmapOptions map_options(const std::shared_ptr<const RecurrentScene>& shared, const RecurrentPin& pin) {
  const RecurrentScene& scene = *shared;
  HeatmapOptions options;
  options.row_title = {Badge::query, "state", "has read"};
  options.column_title = {Badge::key, "key", "source"};
  options.row_labels = scene.writes;
  options.column_labels = scene.reads;
  options.stretch = 4;
  options.min_cell = 4;
  options.pinned_row = pin.query;
  options.pinned_column = pin.key;
  // Asked after the drawing.
  options.cell_hit = [shared, pin](int row, int column) {
    const RecurrentScene& asked = *shared;
    HitRegion hit = hit_of(pin, row, column, "");
    hit.tooltip = quoted(asked.writes[static_cast<std::size_t>(row)]) + " looks at " +
                  quoted(asked.reads[static_cast<std::size_t>(column)]) + " with " +
                  format_fixed(weight_of(asked, row, column), 3);
    return hit;
  };
  options.row_hit = [pin](int row) { return hit_of(pin, row, {}, " row"); };
  options.column_hit = [pin](int column) { return hit_of(pin, {}, column, " column"); };
  return options;
}

Plane plane_of(const RecurrentScene& scene) {
  const Matrix<float>& weights = scene.trace.weights;
  return {weights.data(), static_cast<int>(weights.rows()), static_cast<int>(weights.cols())};
}

double row_sum(const RecurrentScene& scene, int row) {
  return static_cast<double>(scene.trace.weights.row(row).cast<double>().sum());
}

void draw_row(Canvas& canvas, const Rect& area, const RecurrentScene& scene, const RecurrentPin& pin) {
  const int row = pin.query.value_or(0);
  const std::string word = quoted(scene.writes[static_cast<std::size_t>(row)]);
  const Rect content = draw_heading(canvas, area, "The state that has read " + word,
                                    {.note = "sum " + format_fixed(row_sum(scene, row), 3)});
  std::vector<int> order(scene.reads.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return weight_of(scene, row, a) > weight_of(scene, row, b); });
  const auto room = static_cast<std::size_t>(std::max(1.0f, (content.height - 24) / 24));
  std::vector<BarRow> bars;
  double rest = row_sum(scene, row);
  for (const int key : order) {
    if (bars.size() == room) break;
    const double weight = weight_of(scene, row, key);
    bars.push_back({.label = scene.reads[static_cast<std::size_t>(key)],
                    .share = weight,
                    .emphasized = pin.key ? *pin.key == key : bars.empty()});
    rest -= weight;
  }
  BarListOptions options;
  options.labels_right = false;
  options.hit = [&](int bar) { return hit_of(pin, row, order[static_cast<std::size_t>(bar)], " bar"); };
  const float used =
      draw_bar_list(canvas, {content.x, content.y - 6, content.width, content.height - 18}, bars, options);
  if (const std::size_t more = order.size() - bars.size(); more > 0)
    canvas.text({content.x, content.y + used + 4},
                "and " + std::to_string(more) + " more, together " + format_fixed(std::max(0.0, rest), 3),
                caption_style(canvas));
}

std::vector<TokenChip> chips(const std::vector<std::string>& words, std::optional<int> pinned, ChipPin pin) {
  std::vector<TokenChip> made;
  for (const std::string& word : words) {
    TokenChip& chip = made.emplace_back();
    chip.text = word;
    chip.special = is_special_word(word);
    if (pinned == static_cast<int>(made.size()) - 1) chip.pin = pin;
  }
  return made;
}

void draw_ribbons_of(Canvas& canvas, const Rect& area, const RecurrentScene& scene, const RecurrentPin& pin) {
  RibbonsOptions options;
  options.keys = chips(scene.reads, pin.key, ChipPin::key);
  options.queries = chips(scene.writes, pin.query, ChipPin::query);
  options.row = pin.query;
  if (!pin.query) options.column = pin.key;
  options.keep_row = pin.query;
  options.keep_column = pin.key;
  options.key_hit = [&](int key) { return hit_of(pin, {}, key, " chip"); };
  options.query_hit = [&](int query) { return hit_of(pin, query, {}, " chip"); };
  draw_ribbons(canvas, area, {.values = plane_of(scene)}, options);
}

std::string score_words(const RecurrentScene& scene) {
  return scene.model->config.recurrent_attention == RecurrentAttention::dot
             ? "score = s · h, softmax over the source words"
             : "score = v · tanh(W s + U h), softmax over the source words";
}

}  // namespace

std::string alignment_title() {
  return "Where the recurrent decoder looks";
}

std::string alignment_subtitle(const RecurrentScene& scene) {
  if (!scene.attends()) return "Recurrent, " + scene.name + ": it has no weights to show.";
  return "The one head of the recurrent model " + scene.name +
         ": every row is a state of the decoder, every column a state of the encoder, brighter is more.";
}

float alignment_head_right(const Rect& content) {
  const bool wide = content.width >= kAlignmentRow + kAlignmentBetween + 320;
  return wide ? content.right() - kAlignmentRow - kAlignmentBetween : content.right();
}

void draw_alignment(Canvas& canvas, const Rect& content, const RecurrentLook& look, bool ribbons) {
  const RecurrentScene& scene = *look.scene;
  if (!scene.attends())
    return draw_nothing_yet(canvas, content, "One vector looks at nothing",
                            "Its decoder begins with the encoder's last state and has no weights over the "
                            "source words. Choose the model with attention in Before attention.");
  const RecurrentPin pin = within(look.pin, scene);
  const float left = alignment_head_right(content) - content.x;
  const bool wide = left < content.width;
  const Rect head = draw_heading(
      canvas, {content.x, content.y, left, content.height}, "One head",
      {.note = score_words(scene), .note_right = false, .reserved = canvas.is_file() ? 0 : 180.0f});
  if (ribbons)
    draw_ribbons_of(canvas, {head.x, head.y + 8, head.width, std::min(head.height - 16, 480.0f)}, scene, pin);
  else
    draw_heatmap(canvas, {head.x, head.y - 4, head.width, head.height - 4}, {.values = plane_of(scene)},
                 map_options(look.scene, pin));
  if (!wide) return;
  const bool both = !ribbons && content.height >= 2 * kAlignmentRibbons + kAlignmentSwitch;
  const Rect side{content.right() - kAlignmentRow, content.y, kAlignmentRow,
                  content.height - (both ? kAlignmentRibbons + 16 : 0)};
  draw_row(canvas, side, scene, pin);
  if (!both) return;
  const Rect small = draw_heading(canvas, {side.x, side.bottom() + 16, side.width, kAlignmentRibbons},
                                  "The same weights as ribbons");
  draw_ribbons_of(canvas, {small.x, small.y - 4, small.width, small.height - 8}, scene, pin);
}

Point alignment_minimum(const RecurrentScene& scene) {
  return {440, std::max(400.0f, 200 + 14 * static_cast<float>(scene.writes.size()))};
}

bool alignment_key(ViewKey key, const RecurrentLook& look, Commands& commands) {
  if (key.typed == ViewKey::up || key.typed == ViewKey::down) return true;
  const bool right = key.typed == ViewKey::right;
  if (!right && key.typed != ViewKey::left) return false;
  if (!look.scene->attends()) return true;
  const RecurrentPin now = within(look.pin, *look.scene);
  const int from = now.query.value_or(right ? -1 : 0);
  const int last = static_cast<int>(look.scene->writes.size()) - 1;
  const int query = std::clamp(from + (right ? key.times : -key.times), 0, last);
  commands.push_back(*hit_of(now, query, {}, "").click);
  return true;
}

InspectorPage alignment_page(const RecurrentLook& look) {
  const RecurrentScene& scene = *look.scene;
  InspectorPage page;
  page.caption = "Alignment";
  page.subject = "The recurrent model **" + scene.name + "**";
  page.paper = "Bahdanau et al. 2015; Luong et al. 2015";
  if (!scene.attends()) {
    page.meaning = "Without attention the decoder knows of the source what the encoder's last state holds.";
    page.paper = "Cho et al. 2014; Sutskever et al. 2014";
    return page;
  }
  const RecurrentPin pin = within(look.pin, scene);
  const int row = pin.query.value_or(0);
  const std::string& query = scene.writes[static_cast<std::size_t>(row)];
  page.name = written(RecurrentValueName{RecurrentValue::weights});
  if (pin.query && pin.key) {
    page.caption = "Alignment weight";
    page.subject = "the state that has read **" + query + "** looks at **" +
                   scene.reads[static_cast<std::size_t>(*pin.key)] + "**";
    page.value = format_pinned(weight_of(scene, row, *pin.key));
    page.full_value = format_full(weight_of(scene, row, *pin.key));
    page.index = "[" + std::to_string(row) + ", " + std::to_string(*pin.key) + "] of " +
                 std::to_string(scene.writes.size()) + " × " + std::to_string(scene.reads.size());
  }
  const std::string& placed =
      (pin.place.encoder ? scene.reads : scene.writes)[static_cast<std::size_t>(pin.place.word)];
  page.action = InspectorAction{
      (pin.place.encoder ? "One cell: encoder, behind “" : "One cell: decoder, behind “") + placed + "”",
      OpenView{"cell", "Model", "Recurrent"}};
  InspectorSection section{.heading = "The row of “" + query + "”",
                           .note = "sum " + format_fixed(row_sum(scene, row), 3),
                           .text = score_words(scene) +
                                   ". The context is the sum of the encoder's states by "
                                   "these weights; beside the state it goes to the "
                                   "output."};
  for (std::size_t key = 0; key < scene.reads.size(); ++key) {
    const double weight = weight_of(scene, row, static_cast<int>(key));
    section.rows.push_back({.label = scene.reads[key],
                            .value = format_fixed(weight, 3),
                            .share = weight,
                            .emphasized = pin.key == static_cast<int>(key)});
  }
  page.sections.push_back(std::move(section));
  page.meaning =
      "The only attention that this model has: one head, one layer, a state at a time. The Transformer has "
      "the same in its cross-attention, in every layer and head.";
  return page;
}

std::vector<NumberTable> alignment_numbers(const RecurrentScene& scene) {
  if (!scene.attends()) return {};
  NumberTable table{.title = "alignment weights, recurrent model " + scene.name,
                    .columns = scene.reads,
                    .rows = scene.writes,
                    .one_quantity = true};
  for (int row = 0; row < static_cast<int>(scene.writes.size()); ++row) {
    std::vector<double>& values = table.values.emplace_back();
    for (int column = 0; column < static_cast<int>(scene.reads.size()); ++column)
      values.push_back(weight_of(scene, row, column));
  }
  return {table};
}

std::string alignment_caption(const RecurrentScene& scene) {
  if (!scene.attends())
    return "The recurrent model " + scene.name + ", " + scene_words(scene) + ", has no attention.";
  return "Alignment weights of the recurrent model " + scene.name + ", " + scene_words(scene) +
         ". Rows are states of the decoder, columns source words; each row sums to 1; colour from 0 to 1.";
}

}  // namespace glassformer
