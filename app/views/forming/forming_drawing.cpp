#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/run_schedule.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/training_curves.h"
#include "app/views/forming/forming.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

constexpr size_t kFewestColumns = 3;  // that share the width
constexpr float kFan = 56, kLeastChart = 110, kIndices = 30;

// Of the batch that the step learned from; nothing at step 0.
std::string loss_at(const RunState& run, long step) {
  const StepPoint* trained = run.curves ? step_at(*run.curves, step) : nullptr;
  return trained ? format_loss(static_cast<double>(trained->loss)) : std::string();
}

// "0 the, 1 tired, 2 girl": what the numbers below the columns represent.
std::string legend(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : "   ") + std::to_string(i) + " " + words[i];
  return text;
}

std::string words_in_a_row(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The step whose column is of what is shown now.
long shown_column(const ViewInput& input, const FormingTraces& traces) {
  if (!input.looked_back || traces.at.empty()) return -1;
  return std::ranges::min_element(
             traces.at, {},
             [&](const auto& each) {
               return std::abs(std::sqrt(double(each.first)) - std::sqrt(double(*input.looked_back)));
             })
      ->first;
}

// The pictures of one step.
struct FormingColumn {
  long step = 0;
  const Trace& trace;
  Rect room = {};
  float labels = 0;   // width of the words left of it; 0: none
  float stretch = 1;  // how high its cells may be, where they are narrow
};

TextStyle label_style(const Canvas& canvas, bool chosen) {
  return {.font = chosen ? Font::semibold : Font::regular,
          .size = 12,
          .color = chosen ? canvas.theme().ink : canvas.theme().second_text,
          .x = AlignX::right};
}

// One head as a heatmap; returns its cells.
Rect draw_head(Canvas& canvas, const FormingColumn& column, const Selection& shown, const AxisWords& words) {
  const AttentionTable table = attention_table(column.trace, shown.kind, shown.layer, shown.head, 0);
  HeatmapOptions options;
  options.color_bar = options.show_row_labels = false;
  options.columns_below = options.column_indices = true;
  options.column_labels = words.keys;
  options.min_cell = 3;
  options.max_aspect = 6;
  options.stretch = column.stretch;
  options.pinned_row = shown.query;
  options.pinned_column = shown.key;
  options.cell_hit = [shown, step = column.step](int query, int key) {
    Selection selection = shown;
    selection.query = query;
    selection.key = key;
    selection.cell.reset();
    const std::string at = " query " + std::to_string(query) + " key " + std::to_string(key);
    return picking("step " + std::to_string(step) + at, selection);
  };
  Rect room = column.room;
  room.height += kIndices;
  const HeatmapLayout layout = draw_heatmap(canvas, room, table.data(), options);
  for (int row = 0; row < table.rows && column.labels > 0; row += layout.row_step) {
    const TextStyle style = label_style(canvas, shown.query == row);
    const Rect cell = layout.cell(row, 0);
    canvas.text({cell.x - 10, cell.center().y},
                elided(canvas, words.queries[static_cast<size_t>(row)], style, column.labels), style);
  }
  return layout.cells;
}

// All heads under one another as tiles; returns what they fill.
Rect draw_heads(Canvas& canvas, const FormingColumn& column, const Selection& shown,
                const std::vector<int>& heads) {
  const auto count = static_cast<float>(heads.size());
  const float gaps = (count - 1) * kFormingGap;
  const float tile = std::floor(std::min(column.room.width, (column.room.height - gaps) / count));
  Rect at{column.room.x, column.room.y, tile, tile};
  for (const int head : heads) {
    const AttentionTable table = attention_table(column.trace, shown.kind, shown.layer, head, 0);
    draw_heatmap_tile(canvas, at, table.data());
    Selection selection = shown;
    selection.head = head;
    HitRegion hit = picking("step " + std::to_string(column.step) + " " + head_name(head), selection);
    hit.rect = at;
    canvas.hit(hit);
    if (column.labels > 0)
      canvas.text({at.x - 10, at.center().y}, head_name(head), label_style(canvas, head == shown.head));
    at.y += tile + kFormingGap;
  }
  return {column.room.x, column.room.y, tile, count * tile + gaps};
}

// Its step, and what the model was worth then where both have room.
void draw_heading_of(Canvas& canvas, long step, const std::string& loss, const Rect& map, const Rect& place) {
  const float y = place.y + 12;
  const std::string name = "step " + format_count(step);
  const TextStyle heading{.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
  TextStyle number = index_style(canvas);
  number.x = AlignX::right;
  canvas.text({map.x, y}, name, heading);
  const float needed = canvas.measure(name, heading).x + 12 + canvas.measure(loss, number).x;
  const float right = std::max(map.right(), map.x + needed);
  if (right <= place.right() + 1) canvas.text({right, y}, loss, number);
}

}  // namespace

FormingView::Multiples FormingView::multiples(const Canvas& canvas, const ViewInput& input,
                                              const Rect& content, const FormingTraces& traces,
                                              bool axis) const {
  const float below = axis ? kAxis : 0, gap = axis ? kColumnGap : kNarrowGap;
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
  const float width = std::floor((content.width - parts.labels - (columns - 1) * gap) / columns);
  const float height = content.height - kHeader - kFoot - below;
  for (size_t i = 0; i < count; ++i)
    parts.columns.push_back({content.x + parts.labels + static_cast<float>(i) * (width + gap), content.y,
                             width, kHeader + height});
  parts.maps = {content.x + parts.labels, content.y + kHeader, content.width - parts.labels, height};
  parts.axis = {content.x, content.bottom() - below, content.width, below};
  return parts;
}

void FormingView::draw_columns(Canvas& canvas, const ViewInput& input, const FormingTraces& traces,
                               const Multiples& parts) const {
  const Selection shown = within(input.pinned, input);
  const AxisWords words = axis_words(input, traces, shown.kind);
  const long here = shown_column(input, traces);
  float bottom = parts.maps.y;
  std::vector<float> middles;
  for (const auto& [step, trace] : traces.at) {
    const Rect& place = parts.columns[middles.size()];
    const FormingColumn column{.step = step,
                               .trace = *trace,
                               .room = {place.x, parts.maps.y, place.width, parts.maps.height},
                               .labels = middles.empty() ? parts.labels - 10 : 0,
                               .stretch = parts.axis.height > 0 ? 1.0f : 2.0f};
    const Rect map =
        all_ ? draw_heads(canvas, column, shown, heads(input)) : draw_head(canvas, column, shown, words);
    if (step == here)
      canvas.rectangle(map.inset(-4), {.outline = canvas.theme().ink, .outline_width = 2, .radius = 2});
    draw_heading_of(canvas, step, loss_at(input.run, step), map, place);
    middles.push_back(map.center().x);
    bottom = std::max(bottom, map.bottom() + (all_ ? 4.0f : 26.0f));
  }

  // What the numbers and colours mean, then where the steps are on the training slider.
  const float foot = bottom + 12, from = bottom + 28;
  const Rect bar{parts.maps.right() - 112, foot - 4, 96, 8};
  draw_color_bar_across(canvas, bar, ColorScale::weight, 1);
  const TextStyle caption = caption_style(canvas);
  const std::string axes =
      all_ ? "Rows: " + words_in_a_row(words.queries) + "   Columns: " + words_in_a_row(words.keys)
           : "Columns: " + legend(words.keys);
  const float left = parts.axis.height > 0 ? parts.maps.x : parts.axis.x;
  canvas.text({left, foot}, elided(canvas, axes, caption, bar.x - 24 - left), caption);
  if (parts.axis.height <= 0) return;
  draw_axis(canvas, input, traces, {parts.axis.x, from, parts.axis.width, parts.axis.bottom() - from},
            middles);
}

void FormingView::draw_axis(Canvas& canvas, const ViewInput& input, const FormingTraces& traces,
                            const Rect& below, const std::vector<float>& middles) const {
  const Theme& theme = canvas.theme();
  const long last = std::max(chart_steps(input.run), 1L), here = shown_column(input, traces);
  const bool curves = input.run.curves && below.height >= kFan + kLeastChart &&
                      input.run.curves->steps.size() + input.run.curves->validations.size() > 1;
  const float top = below.y + kFan, foot = curves ? below.bottom() - kTitleBottom : top + 4;
  const Axis axis = step_axis(0, double(last), even_);
  const auto place = [&](long step) {
    return below.x + below.width * static_cast<float>(std::min(1.0, axis.share(double(step))));
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
  if (!curves) {
    const std::string end = format_count(last);
    const float left = below.right() - canvas.measure(end, style).x;
    if (left >= free_from) canvas.text({left, foot + 10}, end, style);
    return canvas.line({below.x, top}, {below.right(), top}, {.color = theme.control, .width = 2});
  }

  // How much the model still had to learn there.
  ChartOptions options{.x = axis};
  const int pixels = static_cast<int>(below.width);
  const CurveColumns training = step_curve(input.run.curves->steps, &StepPoint::loss, options.x, pixels);
  const CurveColumns validation =
      validation_curve(input.run.curves->validations, &ValidationPoint::loss, options.x, pixels);
  const std::array<Series, 2> series{Series{.label = "training loss",
                                            .x = training.x,
                                            .y = training.y,
                                            .kind = CurveKind::raw,
                                            .label_at = 0.3},
                                     Series{.label = loss_name(has_held_out_pairs(*input.run.curves)),
                                            .x = validation.x,
                                            .y = validation.y,
                                            .label_at = 0.6}};
  options.y = fit_axis(series);
  draw_line_chart(canvas, {below.x, top, below.width, below.bottom() - top}, series, options);
}

}  // namespace glassformer
