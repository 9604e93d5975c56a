#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/heads/heads_view.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

// Whether the report is of the weights that are shown.
bool is_of_shown(const HeadMeasuring::Found& found, const ViewInput& input) {
  const auto& untouched = input.result.untouched_snapshot;
  return found.step == (untouched ? untouched->step : input.snapshot.step);
}

}  // namespace

void HeadsView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const HeadMeasuring::Found now = found(input, canvas.is_file());
  std::string subtitle = "What muting each part alone adds to the loss.";
  if (now.report)
    subtitle = "On " + format_count(now.report->pairs) + " held-out pairs" +
               (is_of_shown(now, input) ? "" : ", at step " + format_count(now.step)) +
               ": what muting each part alone changes.";
  draw_stage_title(canvas, area, kTitle, subtitle, canvas.is_file() ? 0 : 310);
  const Layout at = layout(area, rows_of(input));
  if (now.report) {
    draw_table(canvas, input, *now.report, at, true);
    draw_reach(canvas, *now.report, at);
    draw_charts(canvas, *now.report, at.charts);
    return;
  }
  const Rect content = stage_content(area);
  if (now.so_far) {
    draw_table(canvas, input, *now.so_far, at, false);
    std::string text =
        format_count(now.done) + " of " + format_count(now.all) + " passes over the pairs are done";
    if (now.seconds_left > 0) text += ", about " + format_duration(now.seconds_left) + " left";
    if (!now.busy) text = "Cancelled: " + text + ". Measure begins anew";
    canvas.text({at.table.x + 4, at.table.bottom() + 38}, text + ".",
                {.size = 12, .color = canvas.theme().ink});
    const Rect bar{at.table.x + 4, at.table.bottom() + 50, at.table.width - 8, 3};
    canvas.rectangle(bar, {.fill = canvas.theme().sunken});
    canvas.rectangle(
        {bar.x, bar.y, bar.width * static_cast<float>(now.done) / static_cast<float>(now.all), 3},
        {.fill = canvas.theme().second_text});
    if (now.so_far->stepwise.size() > 1) draw_charts(canvas, *now.so_far, at.charts);
    return;
  }
  if (now.no_pairs)
    draw_nothing_yet(canvas, content, "No held-out pairs",
                     "The report is measured on pairs that are held out from training, and this model's data "
                     "are not known, or may not be read unasked.");
  else if (now.busy || now.reading)
    draw_nothing_yet(canvas, content, "One moment",
                     now.all > 0 ? format_count(now.done) + " of " + format_count(now.all) +
                                       " passes over the pairs are done."
                                 : "The pairs are being read.");
  else
    draw_nothing_yet(canvas, content, "Not measured yet",
                     "Measure begins: every head and sub-block of these weights is muted in turn.");
}

void HeadsView::draw_table(Canvas& canvas, const ViewInput& input, const HeadReport& report, const Layout& at,
                           bool whole) const {
  const Theme& theme = canvas.theme();
  const std::span<const HeadColumn> columns = head_columns();
  // What is being measured stands as in the model, so that no row moves.
  const std::vector<std::size_t> order =
      sorted_parts(report, !blocks_, whole ? sorted_ : std::nullopt, falling_);
  const TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};

  // Headings.
  const float middle = at.table.y + kHead / 2;
  canvas.text({at.table.x + 4, middle}, blocks_ ? "sub-block" : "head", caption_style(canvas));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    TextStyle style = caption_style(canvas);
    style.x = AlignX::right;
    if (sorted_ == i) style.color = theme.ink, style.font = Font::semibold;
    canvas.text({at.rights[i] - 4, middle},
                std::string(columns[i].heading) + (sorted_ == i ? falling_ ? " ↓" : " ↑" : ""), style);
  }
  const float last = at.rights.back() + 12;
  if (!blocks_) canvas.text({last, middle}, "reads", caption_style(canvas));
  canvas.line({at.table.x, at.table.y + kHead - 1}, {at.table.right(), at.table.y + kHead - 1},
              {.color = theme.border});

  canvas.text(
      {at.table.x + 4, at.table.bottom() + 15},
      elided(canvas,
             "A head is muted in its context, before W_O mixes the heads: behind W_O no column belongs to "
             "one head. ± is half of the interval of 95 %.",
             caption_style(canvas), at.table.width - 4),
      caption_style(canvas));

  // A line a part; the bar behind its loss is long where it matters.
  double most = 0;
  for (const std::size_t index : order) most = std::max(most, report.rows[index].by_zero.mean);
  const PartRow* const pinned = chosen(input, report);
  for (std::size_t line = 0; line < order.size(); ++line) {
    const PartRow& row = report.rows[order[line]];
    const Rect place = at.row(line);
    const float y = place.center().y;
    const bool is_pinned = &row == pinned;
    if (is_pinned) canvas.rectangle(place, {.fill = theme.hover, .radius = 4});
    const bool muted = is_head(row) && input.result.scene.what_if.mutes(kind_of(row.part),
                                                                        row.part.block.layer, row.part.head);
    TextStyle name = caption_style(canvas);
    if (is_pinned) name = {.font = Font::semibold, .size = 12, .color = theme.ink};
    canvas.text({place.x + 4, y},
                elided(canvas, row_name(row.part) + (muted ? " · muted" : ""), name, kName - 8), name);
    const double loss = row.by_zero.mean;
    if (most > 0 && loss > 0) {
      const float left = place.x + kName + 6, room = at.rights[0] - left;
      canvas.rectangle({left, place.bottom() - 3, room * static_cast<float>(loss / most), 2},
                       {.fill = theme.second_text});
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
      canvas.text({at.rights[i] - 4, y}, column_text(columns[i], row), number);
    const std::string text = reads_text(row, input.tokenizers);
    if (!text.empty())
      canvas.text({last, y}, elided(canvas, text, caption_style(canvas), place.right() - last),
                  caption_style(canvas));
  }
  if (whole) return;
  const std::vector<Change> parts =
      blocks_ ? every_sub_block(*input.snapshot.weights) : every_head(*input.snapshot.weights);
  for (std::size_t line = order.size(); line < parts.size(); ++line) {
    const Rect place = at.row(line);
    TextStyle name = caption_style(canvas);
    name.color = theme.faint_text;
    canvas.text({place.x + 4, place.center().y}, elided(canvas, row_name(parts[line]), name, kName - 8),
                name);
    canvas.rectangle({place.x + kName, place.y + 4, place.width - kName, place.height - 8},
                     {.fill = theme.sunken, .radius = 2});
  }
}

void HeadsView::draw_reach(Canvas& canvas, const HeadReport& report, const Layout& at) const {
  float y = at.table.bottom() + 38;  // below the note
  const TextStyle style{.size = 12, .color = canvas.theme().ink};
  for (const PruneOrder order : {PruneOrder::stepwise, PruneOrder::one_shot}) {
    canvas.text({at.table.x + 4, y}, elided(canvas, reach_words(report, order), style, at.table.width - 8),
                style);
    if (report.exact_match <= 0) break;  // it holds in either order
    y += 19;
  }
}

void HeadsView::draw_charts(Canvas& canvas, const HeadReport& report, const Rect& area) const {
  std::vector<double> steps;
  for (std::size_t i = 0; i < report.stepwise.size(); ++i) steps.push_back(static_cast<double>(i));
  const float width = (area.width - kChartGap) / 2;
  for (const bool loss : {false, true}) {
    const Rect chart{area.x + (loss ? width + kChartGap : 0), area.y, width, area.height};
    const auto values = [&](const std::vector<PrunePoint>& points) {
      std::vector<double> all;
      for (const PrunePoint& point : points) all.push_back(loss ? point.loss : point.exact_match);
      return all;
    };
    const std::vector<double> stepwise = values(report.stepwise), one_shot = values(report.one_shot);
    const std::vector<Series> series{
        {.label = "stepwise", .x = steps, .y = stepwise, .label_at = 0.35},
        {.label = "one-shot",
         .x = {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(one_shot.size())},
         .y = one_shot,
         .kind = CurveKind::reference,
         .label_at = 0.65}};
    ChartOptions options;
    options.x = {.low = 0, .high = std::max(1.0, steps.back()), .title = "heads muted"};
    if (loss)
      options.y = fit_axis(series);
    else
      options.y = {.low = 0, .high = 1.02, .ticks = {{0, ""}, {0.5, "50 %"}, {1, "100 %"}}};
    options.bottom = kTitleBottom;
    const Rect plot =
        draw_heading(canvas, chart, loss ? "Loss, heads muted one after another" : "Exact match",
                     {.note = loss ? "" : "the least important head first"});
    draw_line_chart(canvas, plot, series, options);
  }
}

}  // namespace glassformer
