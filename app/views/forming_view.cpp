#include "app/views/forming_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/session/run_scene.h"
#include "app/ui/ui.h"
#include "app/views/attention_data.h"
#include "app/views/attention_hits.h"
#include "app/views/run_schedule.h"
#include "app/views/scene_words.h"
#include "app/views/stage_text.h"
#include "app/views/training_curves.h"
#include "app/widgets/number_format.h"

namespace glassformer {

namespace {

constexpr int kSteps = 5;
constexpr size_t kFewestColumns = 3;  // that share the width
constexpr float kHeader = 32, kColumnGap = 28, kFoot = 30, kAxis = 92, kFan = 56, kLeastChart = 110,
                kTileGap = 8, kSmallestTile = 40;
constexpr const char* kOneHead = "One head";
constexpr const char* kAllHeads = "All heads";

std::string head_name(int head) {
  return head < 0 ? "mean of all heads" : "head " + std::to_string(head + 1);
}

std::string title_of(const Selection& shown, bool all) {
  std::string kind = attention_title(shown.kind);
  kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
  return kind + ", layer " + std::to_string(shown.layer + 1) +
         (all ? ": how its heads took form" : ", " + head_name(shown.head) + ": how it took form");
}

// The validation loss at that step, as the charts have it.
std::string loss_at(const RunState& run, long step) {
  if (!run.curves) return {};
  if (const ValidationPoint* point = validation_at(*run.curves, step)) return format_loss(point->loss);
  const StepPoint* trained = step_at(*run.curves, step);
  return trained ? format_loss(static_cast<double>(trained->loss)) : std::string();
}

// "0 the, 1 tired, 2 girl": what the numbers below the columns stand for.
std::string legend(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : "   ") + std::to_string(i) + " " + words[i];
  return text;
}

// What the rows and the columns of its tables stand for: the words that were given at every step.
struct AxisWords {
  std::vector<std::string> queries, keys;
};
AxisWords axis_words(const ViewInput& input, const FormingTraces& traces, AttentionKind kind) {
  const Trace& trace = *traces.at.begin()->second;
  const Config& config = input.snapshot.config;
  const auto source = words_of(input.tokenizers.source.get(), config, trace.source.front());
  const auto target = words_of(input.tokenizers.target.get(), config, trace.target_in.front());
  return {kind == AttentionKind::encoder ? source : target, kind == AttentionKind::decoder ? target : source};
}

// The step whose column stands for what is shown now.
long shown_column(const ViewInput& input, const FormingTraces& traces) {
  if (!input.looked_back || traces.at.empty()) return -1;
  return std::ranges::min_element(
             traces.at, {},
             [&](const auto& each) {
               return std::abs(std::sqrt(double(each.first)) - std::sqrt(double(*input.looked_back)));
             })
      ->first;
}

}  // namespace

std::unique_ptr<View> make_forming_view() {
  return std::make_unique<FormingView>();
}

std::vector<int> FormingView::heads(const ViewInput& input) const {
  if (!all_) return {within(input.pinned, input).head};
  std::vector<int> all(static_cast<size_t>(input.snapshot.config.heads));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return all;
}

FormingCache::Found FormingView::found(const ViewInput& input, bool at_once) const {
  if (input.run.history.empty()) {  // the open model is all there is to see
    auto only = std::make_shared<FormingTraces>();
    only->at[input.snapshot.step] = input.result.untouched;
    return {.value = only, .current = true};
  }
  const auto before = cache_->last();
  const FormingKey key = forming_key(input, kSteps, before.get());
  return cache_->get(key, at_once, [key, before] { return trace_steps(key, before.get()); });
}

Point FormingView::minimum_size(const ViewInput& input) const {
  const float tiles = static_cast<float>(heads(input).size()) * (kSmallestTile + kTileGap);
  return {640, kStageTop + kHeader + kFoot + kAxis + std::max(160.0f, all_ ? tiles : 0.0f) + kStagePadding};
}

FormingView::Multiples FormingView::multiples(const Canvas& canvas, const ViewInput& input, const Rect& area,
                                              const FormingTraces& traces) const {
  const Rect content = stage_content(area);
  const Selection shown = within(input.pinned, input);
  Multiples parts;
  const TextStyle style = caption_style(canvas);
  if (all_) {
    parts.labels = canvas.measure("head 88", style).x + 12;
  } else {
    for (const std::string& word : axis_words(input, traces, shown.kind).queries)
      parts.labels = std::max(parts.labels, canvas.measure(word, style).x + 12);
    parts.labels = std::min(parts.labels, content.width * 0.18f);
  }
  const size_t count = traces.at.size();
  const auto columns = static_cast<float>(std::max(count, kFewestColumns));
  const float width = std::floor((content.width - parts.labels - (columns - 1) * kColumnGap) / columns);
  const float height = content.height - kHeader - kFoot - kAxis;
  for (size_t i = 0; i < count; ++i)
    parts.columns.push_back({content.x + parts.labels + static_cast<float>(i) * (width + kColumnGap),
                             content.y, width, kHeader + height});
  parts.maps = {content.x + parts.labels, content.y + kHeader, content.width - parts.labels, height};
  parts.axis = {content.x, content.bottom() - kAxis, content.width, kAxis};
  return parts;
}

void FormingView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Selection shown = within(input.pinned, input);
  const float reserved = canvas.is_file() ? 0 : 212;
  const std::string& sentence = input.result.source_read;
  draw_stage_title(canvas, area, title_of(shown, all_),
                   "“" + sentence + "”: the same words at every step. A row is a query and sums to 1; " +
                       "the number is the loss there.",
                   reserved);
  const Rect content = stage_content(area);
  const auto now = found(input, canvas.is_file());
  if (!now.value) return draw_nothing_yet(canvas, content, "One moment", "The steps are being read.");
  const Multiples parts = multiples(canvas, input, area, *now.value);
  draw_columns(canvas, input, *now.value, parts);
  if (!input.run.history.empty()) return;
  const float left = parts.columns.front().right() + kColumnGap;
  paragraph(canvas, {left, parts.maps.y}, content.right() - left,
            "Earlier steps stand here once a run has kept them: press Train, and the weights of many steps "
            "stay as the model learns, from step 0 to the newest.",
            {.size = 14, .color = canvas.theme().second_text, .y = AlignY::top});
}

void FormingView::draw_columns(Canvas& canvas, const ViewInput& input, const FormingTraces& traces,
                               const Multiples& parts) const {
  const Theme& theme = canvas.theme();
  const Selection shown = within(input.pinned, input);
  const auto [queries, keys] = axis_words(input, traces, shown.kind);
  const long here = shown_column(input, traces);
  const std::vector<int> rows = heads(input);
  const TextStyle words = caption_style(canvas);
  float bottom = parts.maps.y;
  size_t column = 0;
  std::vector<float> middles;
  for (const auto& [step, trace] : traces.at) {
    const Rect& place = parts.columns[column];
    Rect map{};
    if (!all_) {
      const AttentionTable table = attention_table(*trace, shown.kind, shown.layer, shown.head, 0);
      HeatmapOptions options;
      options.color_bar = options.show_row_labels = false;
      options.columns_below = options.column_indices = true;
      options.column_labels = keys;
      options.min_cell = 3;
      options.pinned_row = shown.query;
      options.pinned_column = shown.key;
      options.cell_hit = [shown, step](int query, int key) {
        Selection selection = shown;
        selection.query = query;
        selection.key = key;
        selection.cell.reset();
        return picking("step " + std::to_string(step) + " query " + std::to_string(query) + " key " +
                           std::to_string(key),
                       selection);
      };
      const Rect room{place.x, parts.maps.y, place.width, parts.maps.height + kFoot};
      const HeatmapLayout layout = draw_heatmap(canvas, room, table.data(), options);
      map = layout.cells;
      if (column == 0) {
        for (int row = 0; row < table.rows; row += layout.row_step) {
          const std::string& word = queries[static_cast<size_t>(row)];
          const Rect cell = layout.cell(row, 0);
          canvas.text({cell.x - 10, cell.center().y}, elided(canvas, word, words, parts.labels - 10),
                      {.font = shown.query == row ? Font::semibold : Font::regular,
                       .size = 12,
                       .color = shown.query == row ? theme.ink : theme.second_text,
                       .x = AlignX::right});
        }
      }
    } else {
      const auto count = static_cast<float>(rows.size());
      const float tile =
          std::floor(std::min(place.width, (parts.maps.height - (count - 1) * kTileGap) / count));
      map = {place.x, parts.maps.y, tile, count * (tile + kTileGap) - kTileGap};
      for (size_t i = 0; i < rows.size(); ++i) {
        const AttentionTable table = attention_table(*trace, shown.kind, shown.layer, rows[i], 0);
        const Rect at{map.x, map.y + static_cast<float>(i) * (tile + kTileGap), tile, tile};
        draw_heatmap_tile(canvas, at, table.data());
        Selection selection = shown;
        selection.head = rows[i];
        HitRegion hit = picking("step " + std::to_string(step) + " " + head_name(rows[i]), selection);
        hit.rect = at;
        canvas.hit(hit);
        if (column == 0)
          canvas.text({at.x - 10, at.center().y}, head_name(rows[i]),
                      {.font = rows[i] == shown.head ? Font::semibold : Font::regular,
                       .size = 12,
                       .color = rows[i] == shown.head ? theme.ink : theme.second_text,
                       .x = AlignX::right});
      }
    }
    if (step == here)
      canvas.rectangle(map.inset(-4), {.outline = theme.ink, .outline_width = 2, .radius = 2});

    // Its step and what the model was worth then.
    const float y = place.y + 12;
    const std::string name = "step " + format_count(step);
    const TextStyle heading{.font = Font::semibold, .size = 12, .color = theme.ink};
    canvas.text({map.x, y}, name, heading);
    const std::string loss = loss_at(input.run, step);
    const float right = std::max(map.right(), map.x + canvas.measure(name, heading).x + 12 +
                                                  canvas.measure(loss, index_style(canvas)).x);
    if (right <= place.right() + 1)
      canvas.text({right, y}, loss,
                  {.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::right});
    middles.push_back(map.center().x);
    bottom = std::max(bottom, map.bottom() + (all_ ? 4.0f : 26.0f));
    ++column;
  }

  // What the numbers and colours mean, then where the steps stand on the training slider.
  const float foot = bottom + 12;
  const Rect bar{parts.maps.right() - 112, foot - 4, 96, 8};
  draw_color_bar_across(canvas, bar, ColorScale::weight, 1);
  if (!all_)
    canvas.text({parts.maps.x, foot},
                elided(canvas, "Columns: " + legend(keys), words, bar.x - 40 - parts.maps.x), words);
  const float from = bottom + 28;
  draw_axis(canvas, input, traces, {parts.axis.x, from, parts.axis.width, parts.axis.bottom() - from},
            middles);
}

void FormingView::draw_axis(Canvas& canvas, const ViewInput& input, const FormingTraces& traces,
                            const Rect& below, const std::vector<float>& middles) const {
  const Theme& theme = canvas.theme();
  const long last = std::max(chart_steps(input.run), 1L), here = shown_column(input, traces);
  const bool curves = input.run.curves && below.height >= kFan + kLeastChart &&
                      input.run.curves->steps.size() + input.run.curves->validations.size() > 1;
  const float top = below.y + kFan, foot = curves ? below.bottom() - 24 : top + 4;
  const auto place = [&](long step) {
    return below.x + below.width * static_cast<float>(std::sqrt(std::min(1.0, double(step) / double(last))));
  };

  // From each picture to its step.
  const TextStyle style = index_style(canvas);
  float free_from = below.x - 1;
  size_t column = 0;
  for (const auto& [step, trace] : traces.at) {
    const float x = place(step), middle = middles[column++];
    const Stroke stroke{.color = step == here ? theme.ink : theme.control,
                        .width = step == here ? 2.0f : 1.0f};
    canvas.polyline(std::array<Point, 4>{{{middle, below.y}, {middle, below.y + 8}, {x, top - 8}, {x, foot}}},
                    stroke);
    if (curves) continue;
    const std::string words = format_count(step);
    const float width = canvas.measure(words, style).x;
    const float left = std::clamp(x - width / 2, below.x, below.right() - width);
    if (left < free_from) continue;
    canvas.text({left, foot + 10}, words, style);
    free_from = left + width + 12;
  }
  if (!curves) return canvas.line({below.x, top}, {below.right(), top}, {.color = theme.control, .width = 2});

  // How much the model still had to learn there.
  ChartOptions options{.x = step_axis(0, double(last))};
  const int pixels = static_cast<int>(below.width);
  const CurveColumns training = step_curve(input.run.curves->steps, &StepPoint::loss, options.x, pixels);
  const CurveColumns validation =
      validation_curve(input.run.curves->validations, [](const ValidationPoint& p) { return p.loss; });
  const std::array<Series, 2> series{
      Series{.label = "training loss",
             .x = training.x,
             .y = training.y,
             .kind = CurveKind::raw,
             .label_at = 0.3},
      Series{.label = "validation loss", .x = validation.x, .y = validation.y, .label_at = 0.6}};
  options.y = fit_axis(series);
  draw_line_chart(canvas, {below.x, top, below.width, below.bottom() - top}, series, options);
}

void FormingView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (cache_->busy()) ui.ask_frame(0.05);
  const Rect inner = stage_inner(area);
  const float width = ui.segmented_width({kOneHead, kAllHeads});
  int chosen = all_ ? 1 : 0;
  if (ui.Segmented({inner.right() - width, inner.y + 9, width, 32}, "Heads", {kOneHead, kAllHeads}, chosen))
    all_ = chosen == 1;
  const auto now = found(input, false);
  if (!now.value) return;
  const Multiples parts = multiples(ui.canvas(), input, area, *now.value);
  size_t column = 0;
  for (const auto& [step, trace] : now.value->at) {
    const Rect& place = parts.columns[column++];
    const Rect heading{place.x, place.y - 2, std::min(place.width, 160.0f), 28};
    const std::string name = "Look at step " + std::to_string(step);
    ui.tooltip(heading, "Every view goes back to this step");
    if (ui.area(heading, name, "button").clicked) ui.push(ShowStep{step});
  }
}

std::vector<std::string> FormingView::path(const ViewInput& input) const {
  return {"Training", "Heads forming", "Layer " + std::to_string(within(input.pinned, input).layer + 1)};
}

std::optional<InspectorPage> FormingView::inspect(const ViewInput& input) const {
  const Selection shown = within(input.shown, input);
  InspectorPage page;
  page.caption = "Heads forming";
  page.subject = attention_title(shown.kind) + ", layer " + std::to_string(shown.layer + 1) + ", **" +
                 head_name(shown.head) + "**";
  const auto now = found(input, false);
  if (now.value && shown.query && shown.key) {
    const auto [queries, keys] = axis_words(input, *now.value, shown.kind);
    InspectorSection section{.heading = "This weight, step by step"};
    for (const auto& [step, trace] : now.value->at) {
      const AttentionTable table = attention_table(*trace, shown.kind, shown.layer, shown.head, 0);
      if (*shown.query >= table.rows || *shown.key >= table.columns) continue;
      const double weight = static_cast<double>(table.at(*shown.query, *shown.key));
      section.rows.push_back(
          {.label = "step " + format_count(step), .value = format_fixed(weight, 3), .share = weight});
    }
    const auto word = [](const std::vector<std::string>& words, int at) {
      return static_cast<size_t>(at) < words.size() ? words[static_cast<size_t>(at)] : std::to_string(at);
    };
    page.subject = "query **" + word(queries, *shown.query) + "** reads **" + word(keys, *shown.key) +
                   "**, " + head_name(shown.head);
    page.sections.push_back(std::move(section));
  }
  page.meaning =
      "At step 0 the queries and keys are random and a row is spread evenly. As the loss falls a head finds "
      "what helps: here a word, there its neighbour, often nothing but the end of the sentence.";
  page.paper = "Paper, section 3.2";
  return page;
}

std::vector<NumberTable> FormingView::numbers(const ViewInput& input) const {
  const auto now = found(input, true);
  const Selection shown = within(input.pinned, input);
  const AxisWords words = axis_words(input, *now.value, shown.kind);
  std::vector<NumberTable> tables;
  for (const auto& [step, trace] : now.value->at) {
    for (const int head : heads(input)) {
      const AttentionTable table = attention_table(*trace, shown.kind, shown.layer, head, 0);
      NumberTable& numbers = tables.emplace_back();
      numbers.title = "step " + std::to_string(step) + ", " + head_name(head);
      numbers.columns = words.keys;
      numbers.rows = words.queries;
      for (int row = 0; row < table.rows; ++row) {
        std::vector<double>& values = numbers.values.emplace_back();
        for (int key = 0; key < table.columns; ++key)
          values.push_back(static_cast<double>(table.at(row, key)));
      }
    }
  }
  return tables;
}

std::string FormingView::caption(const ViewInput& input) const {
  const Selection shown = within(input.pinned, input);
  std::string steps;
  for (const auto& kept : forming_steps(input, kSteps))
    steps += (steps.empty() ? "" : ", ") + format_count(kept->step());
  return title_of(shown, all_) + "; “" + input.result.source_read + "”" +
         (steps.empty() ? "" : " at steps " + steps);
}

}  // namespace glassformer
