#include "app/views/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr float kColumnGap = 32, kFoot = 32;       // between the two columns; the steps below each
constexpr float kHeading = 24, kReading = 20;      // the numbers at the cursor, over the rows of heads
constexpr float kAdvice = 38, kBelow = 16;         // two lines of it; under a plot
constexpr float kLeastPlot = 84, kLegendRow = 14;  // px
constexpr float kGroupGap = 3, kLabels = 76;       // between attentions, and left of them
constexpr float kLeastRow = 3, kLeastGroup = 14;   // of a head, of an attention with its name
constexpr float kNarrowest = 720;

// A few sentences of the training text, the same whatever is typed; none while it is not at hand.
TraceInput fixed_sentences(const ViewInput& input) {
  constexpr std::size_t kMost = 4;
  TraceInput fixed;
  const auto& [source, target] = input.tokenizers;
  if (!input.training_text || !source || !target) return fixed;
  const auto ids_of = [](const Tokenizer& tokenizer, const std::string& line) {
    std::vector<int> ids;
    for (const Piece& piece : tokenizer.encode(line)) ids.push_back(piece.id);
    return ids;
  };
  const auto longest = static_cast<std::size_t>(input.snapshot.config.max_length - 1);
  const std::vector<std::string>&from = input.training_text->source.lines,
        &to = input.training_text->target.lines;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()) && fixed.sources.size() < kMost; ++i) {
    std::vector<int> read = ids_of(*source, from[i]), written = ids_of(*target, to[i]);
    if (read.empty() || read.size() > longest || written.size() > longest) continue;
    fixed.sources.push_back(std::move(read));
    fixed.targets.push_back(std::move(written));
  }
  return fixed;
}

float words_height(const FindingTable& table, float advice) {
  return kHeading + advice + 6 + (table.heads > 0 ? kReading : 0);
}

// What a plot needs below its words; what there is more is shared out in these proportions.
float plot_height(const FindingTable& table) {
  const auto rows = static_cast<float>(table.rows.size());
  if (table.heads == 0) return std::max(kLeastPlot, rows * kLegendRow) + kBelow;
  const auto heads = static_cast<float>(table.heads);
  return rows / heads * (heads * std::max(kLeastRow, std::ceil(kLeastGroup / heads)) + kGroupGap) + kBelow;
}

const char* table_title(Finding finding) {
  switch (finding) {
    case Finding::gradient:
      return "gradient norm";
    case Finding::update:
      return "update / weight";
    case Finding::silent:
      return "silent units";
    case Finding::entropy:
      return "attention entropy";
    case Finding::saturation:
      break;
  }
  return "attention saturation";
}

}  // namespace

std::unique_ptr<View> make_diagnosis_view() {
  return std::make_unique<DiagnosisView>();
}

std::string DiagnosisView::Shown::read_words() const {
  if (fixed == 0) return "the open sentences";
  return format_count(static_cast<long long>(fixed)) +
         (fixed == 1 ? " sentence of the training text" : " sentences of the training text");
}

DiagnosisView::Shown DiagnosisView::shown(const ViewInput& input) const {
  Shown shown{.axis = step_axis(0, static_cast<double>(chart_steps(input.run)), even_)};
  const Config& config = input.snapshot.config;
  const Curves* curves = input.run.curves.get();
  if (curves && !curves->diagnosis.looks.empty() && fits(curves->diagnosis, config)) {
    shown.found = findings(curves->diagnosis, config);
  } else {
    const TraceInput fixed = fixed_sentences(input);
    const auto trace = fixed.sources.empty() ? input.result.untouched : nullptr;
    const auto weights = input.snapshot.weights;
    Look look =
        *now_->get({weights, fixed.sources.size(), trace}, true,
                   [&] {
                     return glassformer::look_at(trace ? *trace : record_trace(*weights, fixed, {}), config);
                   })
             .value;
    shown.fixed = fixed.sources.size();
    look.step = input.snapshot.step;
    shown.found = findings_now(look, config);
  }
  const std::optional<long> at = hovered_ ? hovered_ : input.looked_back;
  shown.look = at ? shown.found.look_at(*at) : shown.found.steps.size() - 1;
  shown.cursor = std::lround(shown.found.steps[shown.look]);
  return shown;
}

Rect DiagnosisView::Panel::row(std::size_t index) const {
  const auto place = static_cast<float>(index);
  if (table->heads == 0) {
    const float height = std::min(20.0f, legend.height / static_cast<float>(table->rows.size()));
    return {legend.x, legend.y + place * height, legend.width, height};
  }
  const auto group = static_cast<float>(index / table->heads);
  return {plot.x, plot.y + place * pitch + group * kGroupGap, plot.width, pitch};
}

DiagnosisView::Panel DiagnosisView::panel_of(const FindingTable& table, const Rect& rect, float words,
                                             bool recorded) {
  Panel panel{.table = &table, .rect = rect, .plot = {}, .legend = {}};
  const Rect body{rect.x, rect.y + words, rect.width, rect.height - words - kBelow};
  if (table.heads > 0) {
    panel.plot = {body.x + kLabels, body.y, body.width - kLabels, body.height};
    const auto rows = static_cast<float>(table.rows.size());
    const float gaps = (rows / static_cast<float>(table.heads) - 1) * kGroupGap;
    panel.pitch = std::max(1.0f, std::floor((body.height - gaps) / rows));
    panel.plot.height = panel.pitch * rows + gaps;
    if (!recorded) panel.plot.width = std::min(panel.plot.width, 120.0f);
  } else {
    const float legend = std::floor(std::min(190.0f, body.width * 0.48f));
    panel.plot = {body.x, body.y, body.width - legend - 16, body.height};
    panel.legend = {body.right() - legend, body.y, legend, body.height};
    if (!recorded) panel.legend = {body.x, body.y, legend, body.height};
  }
  return panel;
}

// The gradients of a run; of one look, how widely each head reads.
void DiagnosisView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Shown now = shown(input);
  const Finding wanted = now.found.recorded ? Finding::gradient : Finding::entropy;
  const auto table = std::ranges::find(now.found.tables, wanted, &FindingTable::finding);
  if (table == now.found.tables.end()) return;
  Rect room = area.inset(kStagePadding);
  room.height -= kFoot;
  const float words =
      words_height(*table, paragraph_height(canvas, room.width, table->advice, caption_style(canvas)));
  Panel alone = panel_of(*table, room, words, now.found.recorded);
  alone.last = true;
  draw_panel(canvas, input, now, alone);
}

std::vector<DiagnosisView::Panel> DiagnosisView::panels(const Canvas& canvas, const Rect& area,
                                                        const Shown& shown) const {
  const Rect content = stage_content(area);
  const float width = std::floor((content.width - kColumnGap) / 2);
  std::vector<Panel> all;
  for (const bool right : {false, true}) {
    // What the words leave is shared out.
    float room = content.height - kFoot, needed = 0;
    std::vector<std::pair<const FindingTable*, float>> column;
    for (const FindingTable& table : shown.found.tables) {
      if ((table.heads > 0) != right) continue;
      const float words =
          words_height(table, paragraph_height(canvas, width, table.advice, caption_style(canvas)));
      column.emplace_back(&table, words);
      room -= words;
      needed += plot_height(table);
    }
    float y = content.y;
    for (const auto& [table, words] : column) {
      const float height = std::floor(room * plot_height(*table) / needed);
      Panel panel =
          panel_of(*table, {right ? content.x + width + kColumnGap : content.x, y, width, words + height},
                   words, shown.found.recorded);
      panel.last = table == column.back().first;
      all.push_back(panel);
      y += panel.rect.height;
    }
  }
  return all;
}

Point DiagnosisView::minimum_size(const ViewInput& input) const {
  float left = 0, right = 0;
  for (const FindingTable& table : findings(Diagnosis(), input.snapshot.config).tables)
    (table.heads > 0 ? right : left) += words_height(table, kAdvice) + plot_height(table);
  return {kNarrowest, kStageTop + std::max(left, right) + kFoot + 12};
}

bool DiagnosisView::is_hovered(const Panel& panel, std::size_t row) const {
  return hovered_row_ && hovered_row_->first == panel.table->finding && hovered_row_->second == row;
}

std::optional<std::size_t> DiagnosisView::chosen_head(const Panel& panel, const ViewInput& input) const {
  if (hovered_row_ && hovered_row_->first == panel.table->finding) return hovered_row_->second;
  return row_of(*panel.table, input.pinned);
}

void DiagnosisView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  hovered_.reset();
  hovered_row_.reset();
  const Shown now = shown(input);
  if (!now.found.recorded) return;
  follow_mouse(ui, input, area, now);
  const float width = ui.segmented_width({"Early steps wide", "Even"});
  const StageHead head(ui, area, kTitle, {width, 32});
  int even = even_ ? 1 : 0;
  if (Segmented(ui, head.control(), "Step axis", {"Early steps wide", "Even"}, even)) even_ = even == 1;
}

void DiagnosisView::follow_mouse(ui::Ui& ui, const ViewInput& input, const Rect& area, const Shown& now) {
  const ui::Response response = ui.plane(stage_content(area), "diagnosis plots", "text");
  if (!response.at) return;
  const Point at = *response.at;
  for (const Panel& panel : panels(ui.canvas(), area, now)) {
    if (!panel.rect.contains(at)) continue;
    const float share = (at.x - panel.plot.x) / panel.plot.width;
    if (share >= 0 && share <= 1) hovered_ = std::lround(now.axis.value(static_cast<double>(share)));
    for (std::size_t i = 0; i < panel.table->rows.size(); ++i)
      if (panel.row(i).contains(at)) hovered_row_.emplace(panel.table->finding, i);
    if (!response.clicked || !hovered_row_ || panel.table->heads == 0) return;
    const FindingRow& row = panel.table->rows[hovered_row_->second];
    Selection pin = input.pinned;
    if (pin.kind != row.kind) pin = of_kind(pin, row.kind);
    pin.layer = row.layer;
    pin.head = row.head;
    pin.cell.reset();
    ui.push(SetPin{pin});
  }
}

ViewPlace DiagnosisView::place(const ViewInput&) const {
  return {.path = {"Training", "Diagnosis"}};
}

std::optional<InspectorPage> DiagnosisView::inspect(const ViewInput& input) const {
  const Shown now = shown(input);
  const auto step = static_cast<long long>(now.found.steps[now.look]);
  InspectorPage page;
  page.caption = "Diagnosis";
  page.subject = now.found.recorded ? "looked at after step **" + format_count(step) + "**"
                                    : "the open model, reading " + now.read_words();
  for (const FindingTable& table : now.found.tables) {
    if (hovered_row_ && hovered_row_->first == table.finding) {
      page.subject = "**" + table.rows[hovered_row_->second].name + "**";
      page.value = table.value(hovered_row_->second, now.look);
      page.name = table_title(table.finding);
    }
    const auto most = std::ranges::max_element(table.rows, {}, [&](const FindingRow& row) {
      return std::isfinite(row.values[now.look]) ? row.values[now.look] : -1;
    });
    InspectorSection section{.heading = table.heading};
    section.rows.push_back({.label = "mean", .value = finding_text(table.finding, table.mean(now.look))});
    section.rows.push_back(
        {.label = most->name, .value = finding_text(table.finding, most->values[now.look])});
    page.sections.push_back(std::move(section));
  }
  page.meaning =
      "Below the mean stands the largest. The gradient norm of all layers together is that of the Training "
      "view. Entropy is a share of the largest possible: 1 when a row spreads evenly over all it may see, 0 "
      "when it reads one word. Large scores saturate softmax: the paper divides them by √k for that reason.";
  page.paper = "Paper, section 3.2.1";
  return page;
}

std::vector<NumberTable> DiagnosisView::numbers(const ViewInput& input) const {
  const Findings found = shown(input).found;
  std::vector<NumberTable> tables;
  for (const FindingTable& table : found.tables) {
    NumberTable& numbers = tables.emplace_back(NumberTable{.title = table_title(table.finding)});
    for (const FindingRow& row : table.rows) numbers.columns.push_back(row.name);
    for (std::size_t look = 0; look < found.steps.size(); ++look) {
      numbers.rows.push_back(std::to_string(static_cast<long>(found.steps[look])));
      std::vector<double>& values = numbers.values.emplace_back();
      for (const FindingRow& row : table.rows) values.push_back(row.values[look]);
    }
  }
  return tables;
}

std::string DiagnosisView::caption(const ViewInput& input) const {
  const Shown now = shown(input);
  const Findings& found = now.found;
  if (!found.recorded) return "Diagnosis: heads and units of the open model, reading " + now.read_words();
  return "Diagnosis: " + format_count(static_cast<long long>(found.steps.size())) +
         " looks at a training on " + input.run.data_name + ", steps " +
         format_count(static_cast<long long>(found.steps.front())) + " to " +
         format_count(static_cast<long long>(found.steps.back()));
}

ViewTraits DiagnosisView::traits() const {
  std::string text = even_ ? "even" : "early steps wide";
  if (hovered_) text += ", cursor at " + std::to_string(*hovered_);
  if (hovered_row_)
    text += std::string(", ") + table_title(hovered_row_->first) + " row " +
            std::to_string(hovered_row_->second + 1);
  return {.wants_training_text = true, .state = text, .panels = {"layers"}};
}

}  // namespace glassformer
