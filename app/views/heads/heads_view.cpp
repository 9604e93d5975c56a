#include "app/views/heads/heads.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "engine/train/bleu.h"

namespace glassformer {

std::unique_ptr<View> make_heads_view() {
  return std::make_unique<HeadsView>();
}

std::unique_ptr<View> HeadsView::clone() const {
  auto copy = std::make_unique<HeadsView>(*this);
  copy->stage_ = 0;
  return copy;
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

// At the most, of text of 14.
float lines_of(const std::string& text, float width) {
  constexpr float kLetter = 7.7f;
  return std::ceil(kLetter * static_cast<float>(text.size()) / std::max(kLetter, width));
}

}  // namespace

Rect HeadsView::Layout::row(std::size_t line) const {
  return {table.x, table.y + kHead + kRow * static_cast<float>(line), table.width, kRow};
}

Rect HeadsView::Layout::heading(std::size_t column, float y) const {
  const float left = column == 0 ? numbers : column == kFirstColumns ? can_go + kCanGo : rights[column - 1];
  return {left, y, rights[column] - left, kHead};
}

// The curve beside the table where it has room, else below it.
HeadsView::Layout HeadsView::layout(const Rect& area, const ViewInput& input,
                                    const HeadMeasuring::Found& now) const {
  const Rect content = stage_content(area);
  const HeadReport nothing, &report = now.report ? *now.report : nothing;
  Layout at;
  at.columns = shown_columns(report, all_ && now.report);
  at.numbers = content.x + kName + kReads;
  float right = at.numbers;
  for (std::size_t i = 0; i < at.columns.size(); ++i) {
    if (i == kFirstColumns) right += kCanGo;
    at.rights.push_back(right += head_columns()[at.columns[i]].width);
  }
  at.can_go = at.rights[kFirstColumns - 1] + 12;
  if (at.columns.size() == kFirstColumns) right += kCanGo;
  const HeadSentences said = sentences_of(report);
  const float lines = lines_of(said.can_go, content.width - 40) + lines_of(said.left, content.width - 40);
  at.box = {content.x, content.y, content.width, std::max(2.0f, lines) * 14 * kLineHeight + 28};
  at.table = {content.x, at.box.bottom() + 12, right - content.x,
              kHead + kRow * static_cast<float>(rows_of(input))};
  at.foot = {at.table.x, at.table.bottom() + 8, at.table.width, kFoot};
  const float beside = content.right() - at.table.right() - kCurveGap;
  at.curve = beside >= kCurve ? Rect{at.table.right() + kCurveGap, at.table.y, beside, kCurveHeight}
                              : Rect{content.x, at.foot.bottom(), content.width, kCurveHeight};
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
  float width = layout({}, input, now).table.width + 2 * kStagePadding;
  const float with_curve = width + kCurveGap + kCurve;
  if (!blocks_ && (stage_ > 0 ? stage_ >= with_curve : !all_)) width = with_curve;
  const Layout at = layout({0, 0, std::max(width, stage_), 0}, input, now);
  return {width, std::max(at.foot.bottom(), blocks_ ? 0 : at.curve.bottom()) + kStagePadding};
}

HeadSentences HeadsView::sentences_of(const HeadReport& report) const {
  return blocks_ ? sub_block_sentences(report) : head_sentences(report);
}

const char* HeadsView::how_taken_out() const {
  return blocks_ ? "A sub-block is taken out by setting its output to 0: only the residual is left."
                 : "A head is taken out by setting its context to 0, before W_O mixes the heads.";
}

HeadMeasuring::Found HeadsView::found(const ViewInput& input, bool at_once) const {
  return measuring_->get(input, false, at_once, stop_.get());
}

// Weights that learn are others before they are measured.
bool HeadsView::learns(const ViewInput& input) {
  return input.run.phase == RunPhase::training && !input.looked_back;
}

std::string HeadsView::prepare(const ViewInput& input) const {
  const HeadMeasuring::Found now = measuring_->get(input, !learns(input), false);
  if (now.report && now.step == input.snapshot.step) return {};
  if (now.seconds_left > 0) return "measured first: " + format_duration(now.seconds_left) + " left";
  return "measured first";
}

const PartRow* HeadsView::chosen(const ViewInput& input, const HeadReport& report) const {
  for (const PartRow& row : report.rows)
    if (is_head(row) && row.part == mute_head(input.pinned.kind, input.pinned.layer, input.pinned.head))
      return &row;
  return nullptr;
}

// The largest first, of what is lost the least; then the other way round, then as in the model.
void HeadsView::sort_by(std::size_t column) {
  const bool first = column != kLostColumn;
  if (sorted_ != column)
    sorted_ = column, falling_ = first;
  else if (falling_ == first)
    falling_ = !first;
  else
    sorted_.reset();
}

void HeadsView::sort_controls(ui::Ui& ui, const Layout& at, float y) {
  for (std::size_t i = 0; i < at.columns.size(); ++i) {
    const HeadColumn& column = head_columns()[at.columns[i]];
    const Rect place = at.heading(i, y);
    ui.tooltip(place, column.meaning);
    if (ui.area(place, std::string("sort: ") + column.heading, "button").clicked) sort_by(at.columns[i]);
  }
  if (!blocks_) ui.tooltip({at.table.x + kName, y, kReads, kHead}, habit_rule());
  ui.tooltip({at.can_go, y, kCanGo, kHead}, can_go_rule());
}

void HeadsView::row_controls(ui::Ui& ui, const ViewInput& input, const HeadReport& report, const Layout& at) {
  const std::vector<std::size_t> order = sorted_parts(report, !blocks_, sorted_, falling_);
  for (std::size_t line = 0; line < order.size(); ++line) {
    const PartRow& row = report.rows[order[line]];
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

void HeadsView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Measured unasked once, and then when somebody wishes: weights that learn change all the time.
  const bool learning = learns(input);
  const HeadMeasuring::Found now = measuring_->get(input, !asked_ && !learning, false);
  if (!now.no_pairs && !now.reading && !learning) asked_ = true;
  if (now.busy) ui.ask_frame(0.1);
  stage_ = ui.scroll.seen(area).width;
  const Layout at = layout(area, input, now);
  if (now.report) row_controls(ui, input, *now.report, at);

  const float top = head_controls(ui, input, area, now);
  if (!now.report) return;
  const std::string columns =
      "All " + format_count(std::ssize(shown_columns(*now.report, true)) + 3) + " columns";
  const Point all{at.foot.right() - ui.text_width(columns, 12) - 46, at.foot.y + 8};
  ui.canvas().text({all.x + 42, all.y + 9}, columns, caption_style(ui.canvas()));
  if (Switch(ui, all, "All columns", all_, false)) sorted_ = kLostColumn, falling_ = false;
  headings(ui, at, top);
}

// Which parts, and Measure or Cancel; returns where the stage begins below them.
float HeadsView::head_controls(ui::Ui& ui, const ViewInput& input, const Rect& area,
                               const HeadMeasuring::Found& now) {
  const float width = ui.segmented_width({"Heads", "Sub-blocks"});
  const float measure = ui.button_width("Measure");
  const StageHead head(ui, area, title(), {width + 12 + measure, 32});
  int chosen = blocks_ ? 1 : 0;
  if (Segmented(ui, {head.control().right() - width, head.control().y, width, 32}, "Parts",
                {"Heads", "Sub-blocks"}, chosen))
    blocks_ = chosen == 1;
  const Rect button{head.control().x, head.control().y, measure, 32};
  if (now.busy) {
    if (Button(ui, button, "Cancel")) measuring_->cancel();
  } else if (!now.report || now.step != input.snapshot.step) {
    if (Button(ui, button, "Measure",
               {.enabled = !now.no_pairs && !now.reading && !learns(input),
                .tooltip = learns(input) ? "Weights that learn change meanwhile: pause the run first" : ""}))
      measuring_->get(input, true, false);
  }
  return head.control().center().y + kStageTopBare - 25;
}

// Where the rows are scrolled they stay in sight, below the title.
void HeadsView::headings(ui::Ui& ui, const Layout& at, float top) {
  const bool stays = top > at.table.y;
  if (!stays) return sort_controls(ui, at, at.table.y);
  const Rect strip{at.table.x, std::min(top, at.table.bottom() - kRow), at.table.width, kHead};
  ui.begin_layer(ui.scroll.seen(strip), false);
  ui.canvas().push_clip(ui.scroll.seen(strip));
  ui.canvas().rectangle(strip, {.fill = ui.theme().paper});
  draw_headings(ui.canvas(), at, strip.y);
  sort_controls(ui, at, strip.y);
  ui.canvas().pop_clip();
  ui.end_layer();
}

bool HeadsView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  switch (key.typed) {
    case 'b': {  // by the next column
      const HeadMeasuring::Found now = found(input, false);
      if (!now.report) return false;
      const std::vector<std::size_t> shown = shown_columns(*now.report, all_);
      const auto at = std::ranges::find(shown, sorted_.value_or(shown.back()));
      const auto next = at == shown.end() || at + 1 == shown.end() ? shown.begin() : at + 1;
      sorted_ = *next;
      return true;
    }
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
  page.subject = title();
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
      InspectorSection section{.heading = "When it is taken out"};
      section.rows.push_back({.label = "can it go?", .value = can_go_word(can_go(*row))});
      for (const std::size_t column : shown_columns(report, true))
        section.rows.push_back({.label = head_columns()[column].heading,
                                .value = column_text(head_columns()[column], report, *row)});
      const HeadReads reads = reads_of(*row, word_read_most(*row, input.tokenizers));
      section.rows.push_back({.label = "what it reads: " + reads.words, .value = reads.text()});
      section.text = habit_rule();
      page.sections.push_back(std::move(section));
    }
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

// What is on screen.
NumberTable HeadsView::shown_table(const HeadReport& report, const ViewInput& input) const {
  NumberTable table{.title = title(), .columns = {"what it reads, %", "right without it, %", "lost, points"}};
  for (const std::size_t index : sorted_parts(report, !blocks_, sorted_, falling_)) {
    const PartRow& row = report.rows[index];
    const HeadReads reads = reads_of(row, word_read_most(row, input.tokenizers));
    table.rows.push_back(row_name(row.part) + (reads.words.empty() ? "" : ": " + reads.words) +
                         (reads.of_rows ? " (% of rows)" : "") + "; can it go? " + can_go_word(can_go(row)));
    table.values.push_back({100 * reads.share, 100 * right_without(report, row), points_lost(row)});
  }
  return table;
}

std::vector<NumberTable> HeadsView::numbers(const ViewInput& input) const {
  const HeadMeasuring::Found now = found(input, true);
  if (!now.report) return {};
  const HeadReport& report = *now.report;
  std::vector<NumberTable> tables{shown_table(report, input)};
  for (const auto& [name, points] :
       {std::pair{"heads muted, stepwise", &report.stepwise}, {"heads muted, one-shot", &report.one_shot}}) {
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
  NumberTable& parts = tables.emplace_back(NumberTable{.title = "parts"});
  const std::vector<std::size_t> columns = shown_columns(report, true);
  for (const std::size_t column : columns)
    parts.columns.push_back(head_columns()[column].heading +
                            std::string(head_columns()[column].percent ? ", %" : ""));
  for (const PartRow& row : report.rows) {
    const std::string word = word_read_most(row, input.tokenizers);
    const std::optional<HeadHabit> habit = habit_of(row);
    parts.rows.push_back(row_name(row.part) + (habit ? ", " + habit->words : "") +
                         (word.empty() ? "" : ", reads most “" + word + "”"));
    std::vector<double>& values = parts.values.emplace_back();
    for (const std::size_t column : columns)
      values.push_back((head_columns()[column].percent ? 100 : 1) *
                       head_columns()[column].number(report, row));
  }
  return tables;
}

std::string HeadsView::caption(const ViewInput& input) const {
  const HeadMeasuring::Found now = found(input, false);
  if (!now.report) return "Head report: not measured";
  const HeadSentences said = sentences_of(*now.report);
  return said.can_go + " " + said.left + (said.left.empty() ? "" : " ") + "Measured on " +
         format_count(now.report->pairs) + " held-out pairs" + now.at_step(input) + ", of which " +
         format_percent(now.report->exact_match, 1) + " are right, word for word, as the model is. " +
         how_taken_out() + " " + can_go_rule();
}

ViewTraits HeadsView::traits() const {
  const std::string by =
      sorted_ ? std::string(head_columns()[*sorted_].heading) + (falling_ ? " falling" : " rising")
              : std::string("as in the model");
  return {
      .wants_training_text = true,
      .busy = measuring_->busy(),
      .state = std::string(blocks_ ? "sub-blocks" : "heads") + (all_ ? ", all columns" : "") + ", by " + by,
      .panels = {"report"}};
}

}  // namespace glassformer
