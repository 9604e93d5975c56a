#include "app/views/heads/heads_view.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_head.h"
#include "app/views/common/stage_text.h"
#include "engine/train/bleu.h"

namespace glassformer {

std::unique_ptr<View> make_heads_view() {
  return std::make_unique<HeadsView>();
}

namespace {

Selection on_head(Selection selection, const Change& part) {
  selection.kind = kind_of(part);
  selection.layer = part.block.layer;
  selection.head = part.head;
  selection.query = selection.key = {};
  selection.more_queries = selection.more_keys = {};
  selection.cell = {};
  return selection;
}

}  // namespace

Rect HeadsView::Layout::row(std::size_t line) const {
  return {table.x, table.y + kHead + kRow * static_cast<float>(line), table.width, kRow};
}

Rect HeadsView::Layout::heading(std::size_t column) const {
  const float left = column == 0 ? table.x + kName : rights[column - 1];
  return {left, table.y, rights[column] - left, kHead};
}

HeadsView::Layout HeadsView::layout(const Rect& area, std::size_t rows) const {
  const Rect content = stage_content(area);
  Layout at;
  at.table = {content.x, content.y, content.width, kHead + kRow * static_cast<float>(rows)};
  float right = content.x + kName;
  for (const HeadColumn& column : head_columns()) at.rights.push_back(right += column.width);
  const float top = at.table.bottom() + kNote + 12;
  at.charts = {content.x, top, content.width, std::max(kCharts, content.bottom() - top)};
  return at;
}

std::size_t HeadsView::rows_of(const ViewInput& input) const {
  const Config& config = input.snapshot.config;
  const int layers = config.encoder_layers + 2 * config.decoder_layers;
  return static_cast<std::size_t>(blocks_ ? 2 * config.encoder_layers + 3 * config.decoder_layers
                                          : layers * config.heads);
}

Point HeadsView::minimum_size(const ViewInput& input) const {
  const HeadMeasuring::Found now = found(input, false);
  if (!now.report && !now.so_far) return {480, 240};  // a sentence, and a button
  return {960, kStageTop + kHead + kRow * static_cast<float>(rows_of(input)) + kNote + 12 + kCharts +
                   kStagePadding};
}

HeadMeasuring::Found HeadsView::found(const ViewInput& input, bool at_once) const {
  return measuring_->get(input, false, at_once);
}

const PartRow* HeadsView::chosen(const ViewInput& input, const HeadReport& report) const {
  for (const PartRow& row : report.rows)
    if (is_head(row) && row.part == mute_head(input.pinned.kind, input.pinned.layer, input.pinned.head))
      return &row;
  return nullptr;
}

// The largest first, then the smallest, then as they stand in the model.
void HeadsView::sort_by(std::size_t column) {
  if (sorted_ != column)
    sorted_ = column, falling_ = true;
  else if (falling_)
    falling_ = false;
  else
    sorted_.reset();
}

void HeadsView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Measured unasked once, and then when somebody wishes: weights that learn change all the time.
  const HeadMeasuring::Found now = measuring_->get(input, !asked_, false);
  if (!now.no_pairs && !now.reading) asked_ = true;
  if (now.busy) ui.ask_frame(0.1);
  const Layout at = layout(area, rows_of(input));

  if (now.report) {
    const std::span<const HeadColumn> columns = head_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Rect place = at.heading(i);
      ui.tooltip(place, columns[i].meaning);
      if (ui.area(place, std::string("sort: ") + columns[i].heading, "button").clicked) sort_by(i);
    }
    if (!blocks_) {
      const float left = at.rights.back();
      ui.tooltip({left, at.table.y, at.table.right() - left, kHead}, habit_rule());
    }
    const std::vector<std::size_t> order = sorted_parts(*now.report, !blocks_, sorted_, falling_);
    for (std::size_t line = 0; line < order.size(); ++line) {
      const PartRow& row = now.report->rows[order[line]];
      const ui::Response response = ui.area(at.row(line), "part: " + row_name(row.part), "item");
      if (response.hovered) ui.canvas().rectangle(at.row(line), {.outline = ui.theme().control, .radius = 4});
      const Command open =
          is_head(row) ? Command(SetPin{on_head(input.pinned, row.part)})
                       : OpenStep{.cell = {written(row.part.block, ValueKind::output), {}}, .pin = false};
      if (response.menu) ui.wish_menu(row_name(row.part), at.row(line), open);
      if (!response.clicked) continue;
      ui.push(open);
      ui.push(OpenView{is_head(row) ? "head" : "block"});
    }
  }

  const float width = ui.segmented_width({"Heads", "Sub-blocks"});
  const float measure = ui.button_width("Measure");
  const StageHead head(ui, area, kTitle, {width + 12 + measure, 32});
  int chosen = blocks_ ? 1 : 0;
  if (ui.Segmented({head.control().right() - width, head.control().y, width, 32}, "Parts",
                   {"Heads", "Sub-blocks"}, chosen))
    blocks_ = chosen == 1;
  const Rect button{head.control().x, head.control().y, measure, 32};
  if (now.busy) {
    if (ui.Button(button, "Cancel")) measuring_->cancel();
  } else if (!now.report || now.step != input.snapshot.step) {
    if (ui.Button(button, "Measure", {.enabled = !now.no_pairs && !now.reading}))
      measuring_->get(input, true, false);
  }
}

bool HeadsView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  const std::size_t columns = head_columns().size();
  switch (key.typed) {
    case 'b':  // by the next column
      sorted_ = sorted_ ? (*sorted_ + 1) % columns : 0;
      return true;
    case 'r':
      falling_ = !falling_;
      return true;
    case 'm': {
      const Selection& pinned = input.pinned;
      if (pinned.head < 0 || !measuring_->get(input, false, false).report) return false;
      WhatIf what_if = input.result.scene.what_if;
      what_if.toggle(mute_head(pinned.kind, pinned.layer, pinned.head));
      commands.push_back(SetWhatIf{what_if});
      return true;
    }
    case ViewKey::enter:
      commands.push_back(OpenView{"head"});
      return true;
    default:
      return false;
  }
}

std::optional<InspectorPage> HeadsView::inspect(const ViewInput& input) const {
  InspectorPage page;
  page.caption = "Head report";
  page.subject = kTitle;
  const HeadMeasuring::Found now = found(input, false);
  if (now.report) {
    const HeadReport& report = *now.report;
    page.sections.push_back(
        {.heading = "As it is",
         .rows = {{.label = "pairs", .value = format_count(report.pairs)},
                  {.label = "loss", .value = format_loss(report.loss)},
                  {.label = "exact match", .value = format_percent(report.exact_match, 1)},
                  {.label = "BLEU", .value = std::isnan(report.bleu) ? "–" : format_fixed(report.bleu, 1)}}});
    if (std::isnan(report.bleu)) page.sections.back().text = std::string(kBleuLeftOut) + ".";
    if (const PartRow* row = chosen(input, report)) {
      page.subject = "**" + row_name(row->part) + "**";
      InspectorSection section{.heading = "When it is muted"};
      for (const HeadColumn& column : head_columns())
        section.rows.push_back({.label = column.heading, .value = column_text(column, *row)});
      if (const std::optional<HeadHabit> habit = habit_of(*row))
        section.rows.push_back({.label = habit->words, .value = format_percent(habit->share)});
      const std::string word = word_read_most(*row, input.tokenizers);
      if (!word.empty())
        section.rows.push_back({.label = "most often reads most: " + word,
                                .value = format_percent(row->reading.attention.word_share)});
      section.text = habit_rule();
      page.sections.push_back(std::move(section));
    }
    page.sections.push_back({.heading = "How many can go", .text = reach_words(report)});
  }
  page.meaning =
      "The loss is the mean over held-out pairs, each read with its own translation; one part at a time is "
      "muted. The gradient sees the slope at the model as it is, and a head is muted far from there: the two "
      "may differ.";
  page.sections.push_back({.heading = "Keys",
                           .text = "Click a column to sort, or press B and R; M mutes the head of the marked "
                                   "row, a click on a row opens its head, a right click has all its changes.",
                           .for_hands = true});
  page.paper = "Paper, section 3.2.2";
  return page;
}

std::vector<NumberTable> HeadsView::numbers(const ViewInput& input) const {
  const HeadMeasuring::Found now = found(input, true);
  if (!now.report) return {};
  NumberTable parts{.title = "parts"};
  for (const HeadColumn& column : head_columns()) parts.columns.push_back(column.heading);
  for (const PartRow& row : now.report->rows) {
    const std::string word = word_read_most(row, input.tokenizers);
    const std::optional<HeadHabit> habit = habit_of(row);
    parts.rows.push_back(row_name(row.part) + (habit ? ", " + habit->words : "") +
                         (word.empty() ? "" : ", reads most “" + word + "”"));
    std::vector<double>& values = parts.values.emplace_back();
    for (const HeadColumn& column : head_columns()) values.push_back(column.number(row));
  }
  std::vector<NumberTable> tables{std::move(parts)};
  for (const auto& [name, points] : {std::pair{"heads muted, stepwise", &now.report->stepwise},
                                     {"heads muted, one-shot", &now.report->one_shot}}) {
    NumberTable& curve = tables.emplace_back(NumberTable{
        .title = name,
        .columns = {"loss", "exact match, %", "its change in points, low end of 95 %", "high end"}});
    for (std::size_t i = 0; i < points->size(); ++i) {
      const PrunePoint& point = (*points)[i];
      curve.rows.push_back(std::to_string(i) + (point.muted ? ", " + row_name(*point.muted) : ""));
      curve.values.push_back(
          {point.loss, 100 * point.exact_match, 100 * point.exact_change.low, 100 * point.exact_change.high});
    }
  }
  return tables;
}

std::string HeadsView::caption(const ViewInput& input) const {
  const HeadMeasuring::Found now = found(input, false);
  if (!now.report) return "Head report: not measured";
  return "Head report on " + format_count(now.report->pairs) +
         " held-out pairs: each part muted alone (a head before W_O), and heads muted one after another. " +
         reach_words(*now.report);
}

ViewTraits HeadsView::traits() const {
  const std::string by =
      sorted_ ? std::string(head_columns()[*sorted_].heading) + (falling_ ? " falling" : " rising")
              : std::string("as in the model");
  return {.wants_training_text = true,
          .busy = measuring_->busy(),
          .state = std::string(blocks_ ? "sub-blocks" : "heads") + ", by " + by};
}

}  // namespace glassformer
