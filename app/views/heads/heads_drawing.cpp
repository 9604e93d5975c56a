#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/heads/heads.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

std::string on_pairs(const HeadMeasuring::Found& found, const ViewInput& input) {
  const HeadReport& report = *found.report;
  const auto heads = std::ranges::count_if(report.rows, is_head);
  return "On " + format_count(report.pairs) + " held-out pairs " + format_percent(report.exact_match, 1) +
         " are right, word for word, with all " + format_count(heads) + " heads" + found.at_step(input) + ".";
}

std::string progress_words(const HeadMeasuring::Found& now) {
  std::string text =
      format_count(now.done) + " of " + format_count(now.all) + " passes over the pairs are done";
  if (now.seconds_left > 0) text += ", about " + format_duration(now.seconds_left) + " left";
  return now.busy ? text + "." : "Cancelled: " + text + ". Measure begins anew.";
}

// How much is measured, in words and as a bar.
void draw_progress(Canvas& canvas, const Rect& area, const HeadMeasuring::Found& now) {
  const Theme& theme = canvas.theme();
  const TextStyle body{.size = 14, .color = theme.second_text};
  canvas.text({area.x, area.y + 10}, elided(canvas, progress_words(now), body, area.width), body);
  const Rect bar{area.x, area.y + 32, area.width, 3};
  const float done = now.all > 0 ? static_cast<float>(now.done) / static_cast<float>(now.all) : 0;
  canvas.rectangle(bar, {.fill = theme.sunken});
  canvas.rectangle({bar.x, bar.y, bar.width * done, 3}, {.fill = theme.second_text});
}

void draw_tick(Canvas& canvas, Point at) {
  const std::array points{Point{at.x, at.y}, Point{at.x + 3, at.y + 3.5f}, Point{at.x + 9, at.y - 4}};
  canvas.polyline(points, {.color = canvas.theme().ink, .width = 1.6f});
}

}  // namespace

const char* HeadsView::title() const {
  return blocks_ ? "Which sub-blocks can go" : "Which heads can go";
}

void HeadsView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const HeadMeasuring::Found now = found(input, canvas.is_file());
  const std::string subtitle =
      now.report ? on_pairs(now, input) : "Each part is taken out alone, on held-out pairs.";
  draw_stage_title(canvas, area, title(), subtitle, canvas.is_file() ? 0 : 310);
  const Layout at = layout(area, input, now);
  if (const HeadReport* const report = now.report ? now.report.get() : now.so_far.get()) {
    draw_box(canvas, now, at.box);
    draw_headings(canvas, at, at.table.y);
    draw_table(canvas, input, *report, at, now.report != nullptr);
    if (has_curve(*report)) draw_curve_of(canvas, *report, at.curve);
    return;
  }
  draw_nothing_measured(canvas, stage_content(area), now);
}

// The sentence and the curve that it is read from.
void HeadsView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const HeadMeasuring::Found now = found(input, canvas.is_file());
  const Rect room = area.inset(kStagePadding);
  if (!now.report) return draw_nothing_measured(canvas, room, now);
  const float used = draw_sentences(canvas, room, *now.report) + 12;
  if (has_curve(*now.report))
    draw_curve_of(canvas, *now.report, {room.x, room.y + used, room.width, room.height - used});
}

void HeadsView::draw_nothing_measured(Canvas& canvas, const Rect& area,
                                      const HeadMeasuring::Found& now) const {
  if (now.no_pairs)
    draw_nothing_yet(canvas, area, "No held-out pairs",
                     "The report is measured on pairs that are held out from training, and this model's data "
                     "are not known, or may not be read unasked. “glassformer heads --model FOLDER "
                     "--pairs-from pairs.tsv” measures it on pairs of yours.");
  else if (now.busy && now.all > 0)
    draw_progress(
        canvas, draw_heading(canvas, area, "Each part is taken out alone, and the pairs are read anew"), now);
  else if (now.busy || now.reading)
    draw_nothing_yet(canvas, area, "One moment", "The pairs are being read.");
  else
    draw_nothing_yet(canvas, area, "Not measured yet",
                     "Measure begins: every head and sub-block of these weights is muted in turn.");
}

float HeadsView::draw_sentences(Canvas& canvas, const Rect& area, const HeadReport& report) const {
  const Theme& theme = canvas.theme();
  const TextStyle bold{.font = Font::semibold, .size = 14, .color = theme.ink};
  const TextStyle body{.size = 14, .color = theme.second_text};
  const HeadSentences said = sentences_of(report);
  const float used = paragraph(canvas, {area.x, area.y}, area.width, said.can_go, bold);
  if (said.left.empty()) return used;
  return used + 4 + paragraph(canvas, {area.x, area.y + 4 + used}, area.width, said.left, body);
}

void HeadsView::draw_box(Canvas& canvas, const HeadMeasuring::Found& now, const Rect& box) const {
  const Theme& theme = canvas.theme();
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.border, .radius = 6});
  const float x = box.x + 20, width = box.width - 40;
  if (now.report) return void(draw_sentences(canvas, {x, box.y + 12, width, box.height - 24}, *now.report));
  draw_progress(canvas, {x, box.y + 16, width, box.height - 16}, now);
}

void HeadsView::draw_headings(Canvas& canvas, const Layout& at, float y) const {
  const TextStyle plain = caption_style(canvas);
  TextStyle right = plain;
  right.x = AlignX::right;
  const float middle = y + kHead / 2;
  canvas.text({at.table.x + 4, middle}, blocks_ ? "sub-block" : "head", plain);
  if (!blocks_) canvas.text({at.table.x + kName, middle}, "what it reads", plain);
  for (std::size_t i = 0; i < at.columns.size(); ++i) {
    TextStyle style = right;
    const bool sorts = sorted_ == at.columns[i];
    if (sorts) style.color = canvas.theme().ink, style.font = Font::semibold;
    canvas.text({at.rights[i] - 4, middle},
                std::string(head_columns()[at.columns[i]].heading) + (sorts ? falling_ ? " ↓" : " ↑" : ""),
                style);
  }
  canvas.text({at.can_go, middle}, "can it go?", plain);
  canvas.line({at.table.x, y + kHead - 1}, {at.table.right(), y + kHead - 1},
              {.color = canvas.theme().border});
}

void HeadsView::draw_table(Canvas& canvas, const ViewInput& input, const HeadReport& report, const Layout& at,
                           bool whole) const {
  const Theme& theme = canvas.theme();
  // What is being measured is listed as in the model, so that no row moves.
  const std::vector<std::size_t> order =
      sorted_parts(report, !blocks_, whole ? sorted_ : std::nullopt, falling_);
  for (std::size_t line = 0; line < order.size(); ++line)
    draw_row(canvas, input, report, report.rows[order[line]], at, at.row(line));
  const Rect& foot = at.foot;
  canvas.line({foot.x, foot.y}, {foot.right(), foot.y}, {.color = theme.border});
  paragraph(canvas, {foot.x + 4, foot.y + 8}, foot.width - 180, can_go_rule() + " " + how_taken_out(),
            caption_style(canvas));
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

void HeadsView::draw_row(Canvas& canvas, const ViewInput& input, const HeadReport& report, const PartRow& row,
                         const Layout& at, const Rect& place) const {
  const Theme& theme = canvas.theme();
  const float y = place.center().y;
  const bool is_pinned = &row == chosen(input, report);
  const CanGo answer = can_go(row);
  const bool goes = answer == CanGo::yes;
  if (is_pinned) canvas.rectangle(place, {.fill = theme.hover, .radius = 4});
  const bool muted = is_head(row) &&
                     input.result.scene.what_if.mutes(kind_of(row.part), row.part.block.layer, row.part.head);
  const TextStyle name{
      .font = goes || is_pinned ? Font::semibold : Font::regular, .size = 14, .color = theme.ink};
  const float room = is_head(row) ? kName - 8 : at.numbers - at.table.x - 8;
  canvas.text({place.x + 4, y}, elided(canvas, row_name(row.part) + (muted ? " · muted" : ""), name, room),
              name);
  TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
  if (is_head(row)) {
    const HeadReads reads = reads_of(row, word_read_most(row, input.tokenizers));
    const TextStyle quiet{.size = 14, .color = theme.second_text};
    TextStyle share = number;
    share.color = theme.second_text;
    canvas.text({at.numbers, y}, reads.text(), share);
    const float left = kReads - canvas.measure(reads.text(), share).x - 8;
    canvas.text({place.x + kName, y}, elided(canvas, reads.words, quiet, left), quiet);
  }
  for (std::size_t i = 0; i < at.columns.size(); ++i)
    canvas.text({at.rights[i] - 4, y}, column_text(head_columns()[at.columns[i]], report, row), number);
  // Beside its number, of all that can be lost.
  const Rect rail{at.rights[kLostColumn - 1] + 24, y - 2, 44, 4};
  const double most = std::max(1.0, 100 * report.exact_match);
  const auto lost = static_cast<float>(std::clamp(points_lost(row) / most, 0.0, 1.0));
  canvas.rectangle(rail, {.fill = theme.sunken, .radius = 2});
  if (lost > 0)
    canvas.rectangle({rail.x, rail.y, std::max(1.0f, rail.width * lost), 4},
                     {.fill = theme.second_text, .radius = 2});
  const TextStyle word{.font = goes ? Font::semibold : Font::regular,
                       .size = 14,
                       .color = answer == CanGo::no ? theme.second_text : theme.ink};
  canvas.text({at.can_go, y}, can_go_word(answer), word);
  if (goes) draw_tick(canvas, {at.can_go + canvas.measure("yes", word).x + 8, y});
}

void HeadsView::draw_curve_of(Canvas& canvas, const HeadReport& report, const Rect& area) const {
  std::vector<double> count, right;
  for (const PrunePoint& point : report.stepwise) {
    count.push_back(static_cast<double>(count.size()));
    right.push_back(point.exact_match);
  }
  const Series series{.x = count, .y = right};
  ChartOptions options;
  const auto heads = static_cast<double>(std::ranges::count_if(report.rows, is_head));
  options.x = {.low = 0, .high = std::max(1.0, heads), .title = "heads taken out"};
  options.y = {.low = 0, .high = 1.02, .ticks = {{0, ""}, {0.5, "50 %"}, {1, "100 %"}}};
  options.bottom = kTitleBottom;
  const Rect plot = draw_heading(canvas, area, "Heads taken out", {.note = "pairs that stay right"});
  const ChartLayout chart = draw_line_chart(canvas, plot, {&series, 1}, options);
  // The numbers of the sentence, each at its point: the second beside it where the curve falls, else below
  // the curve or further on, where they would meet.
  const auto above_curve = [&](const Rect& words) {
    for (std::size_t i = 0; i < count.size(); ++i)
      if (const Point at = chart.to_point(count[i], right[i]);
          at.x >= words.x && at.x <= words.right() && at.y < words.bottom())
        return false;
    return true;
  };
  const TextStyle number{.font = Font::mono, .size = 12, .color = canvas.theme().ink};
  Rect before;
  for (const std::size_t without : {std::size_t{3}, std::size_t{6}}) {
    if (without >= count.size()) break;
    const Point at = chart.to_point(count[without], right[without]);
    canvas.circle(at, 4, canvas.theme().paper, {.color = canvas.theme().ink, .width = 1.6f});
    const std::string words = std::to_string(without) + ": " + format_percent(right[without], 1);
    const Point size = canvas.measure(words, number);
    Rect place{at.x + 14, at.y - 10 - size.y / 2, size.x, size.y};
    const bool meets =
        place.x < before.right() + 4 && place.y < before.bottom() + 2 && before.y < place.bottom() + 2;
    if (before.width > 0 && meets) {
      const bool room_below = at.y + 12 + size.y < chart.plot.bottom();
      if (const Rect beside{place.x, before.bottom() + 2, size.x, size.y}; above_curve(beside))
        place = beside;
      else if (room_below)
        place = {std::max(chart.plot.x + 4, at.x + 4 - size.x), at.y + 10 - size.y / 2, size.x, size.y};
      else if (before.right() + 6 + size.x < chart.plot.right())
        place.x = before.right() + 6;
      else
        place.y = before.y - size.y - 2;
    }
    canvas.text({place.x, place.center().y}, words, number);
    before = place;
  }
}

}  // namespace glassformer
