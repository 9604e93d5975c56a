#include "app/views/forming/forming.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "engine/decode/decode.h"
#include "engine/model/place_words.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// Ids as a Scene has them, without what the model adds.
std::vector<int> without(std::vector<int> ids, int special) {
  std::erase(ids, special);
  return ids;
}

bool holds(const History::Kept& steps, const std::shared_ptr<const KeptWeights>& one) {
  return std::ranges::find(steps, one) != steps.end();
}

// Step 0 and many others stay the same while a run trains; another run has its own.
bool of_same_run(const FormingTraces* before, const History::Kept& steps) {
  return before != nullptr &&
         std::ranges::any_of(steps, [&](const auto& each) { return holds(before->steps, each); });
}

double place(long step) {
  return std::sqrt(static_cast<double>(step));
}

}  // namespace

History::Kept forming_steps(const ViewInput& input, int count) {
  const History::Kept& kept = input.run.history;
  if (kept.empty()) return {};
  const long newest = kept.back()->step();
  History::Kept chosen;
  const auto add = [&](long step) {
    const auto found = nearest(kept, step);
    if (std::ranges::find(chosen, found) == chosen.end()) chosen.push_back(found);
  };
  add(0);
  for (int quarter = count - 2; quarter > 0; --quarter)
    add(std::lround(static_cast<double>(newest) / std::pow(4.0, quarter)));
  add(newest);
  if (input.looked_back) {
    const auto shown = nearest(kept, *input.looked_back);
    if (std::ranges::find(chosen, shown) == chosen.end()) {
      *std::ranges::min_element(chosen, {}, [&](const auto& each) {
        return std::abs(place(each->step()) - place(shown->step()));
      }) = shown;
    }
  }
  std::ranges::sort(chosen, {}, [](const auto& each) { return each->step(); });
  return chosen;
}

FormingKey forming_key(const ViewInput& input, int count, const FormingTraces* before) {
  const SceneResult& result = input.result;
  const Trace& trace = *result.trace;
  const Config& config = input.snapshot.config;
  FormingKey key{.source = without(trace.source.front(), config.eos_id),
                 .target = without(trace.target_out.front(), config.eos_id),
                 .smoothing = result.scene.smoothing,
                 .steps = forming_steps(input, count)};
  // What an earlier step would have written is not what its heads are compared on.
  if (result.target_origin == TargetOrigin::model_output && input.looked_back) {
    const bool known = of_same_run(before, key.steps) && before->source == key.source;
    key.own_words = !known;
    key.target = known ? before->target : std::vector<int>();
  }
  return key;
}

FormingTraces trace_steps(const FormingKey& key, const FormingTraces* before) {
  FormingTraces traces{.source = key.source, .target = key.target, .steps = key.steps, .at = {}};
  if (key.steps.empty()) return traces;
  if (key.own_words) {
    const auto newest = key.steps.back()->snapshot();
    const Config& config = newest->config;
    const std::vector<int> ids = source_row(key.source, config);
    traces.target = without(decode(*newest->weights, {ids}, DecodeOptions{}).front().ids, config.eos_id);
  }
  const bool same = before != nullptr && before->source == traces.source && before->target == traces.target;
  for (const auto& kept : key.steps) {
    std::shared_ptr<const Trace>& trace = traces.at[kept->step()];
    if (same && holds(before->steps, kept)) {
      trace = before->at.at(kept->step());
    } else {
      trace = std::make_shared<const Trace>(record_trace(*kept->snapshot()->weights,
                                                         {{traces.source}, {traces.target}},
                                                         {.smoothing = key.smoothing, .what_if = {}}));
    }
  }
  return traces;
}

AxisWords axis_words(const ViewInput& input, const FormingTraces& traces, AttentionKind kind) {
  const Trace& trace = *traces.at.begin()->second;
  const Config& config = input.snapshot.config;
  const auto source = words_of(input.tokenizers.source.get(), config, trace.source.front());
  const auto target = words_of(input.tokenizers.target.get(), config, trace.target_in.front());
  return {kind == AttentionKind::encoder ? source : target, kind == AttentionKind::decoder ? target : source};
}

std::string head_name(int head) {
  return head < 0 ? "mean of all heads" : "head " + std::to_string(head + 1);
}

namespace {

constexpr int kSteps = 5;
constexpr const char* kOneHead = "One head";
constexpr const char* kAllHeads = "All heads";

std::string title_of(const Selection& shown, bool all) {
  std::string kind = attention_title(shown.kind);
  kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
  return kind + ", " + layer_words(shown.layer) +
         (all ? ": how its heads took form" : ", " + head_name(shown.head) + ": how it took form");
}

// The target's words, of which the pictures are; nothing where only the source is read.
std::string given_words(const ViewInput& input, AttentionKind kind, const FormingTraces* traces) {
  if (kind == AttentionKind::encoder || traces == nullptr) return "";
  std::string text;
  for (const std::string& word : axis_words(input, *traces, kind).queries)
    if (word != start_word(input)) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "" : ", given “" + text + "”";
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
  constexpr float kRound = kStageTop + kHeader + kFoot + kAxis + kStagePadding;
  const float tiles = static_cast<float>(heads(input).size()) * (kSmallestTile + kFormingGap);
  return {640, kRound + std::max(160.0f, all_ ? tiles : 0.0f)};
}

void FormingView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Selection shown = within(input.pinned, input);
  const float reserved = canvas.is_file() ? 0 : 430;
  const std::string& sentence = input.result.source_read;
  const bool relu = input.snapshot.config.attention_activation == AttentionActivation::relu;
  draw_stage_title(canvas, area, title_of(shown, all_),
                   "“" + sentence + "”" +
                       given_words(input, shown.kind, found(input, canvas.is_file()).value.get()) +
                       ", at every step. A row is a query" + (relu ? "" : " and sums to 1") +
                       "; the number is its training loss.",
                   reserved);
  const Rect content = stage_content(area);
  const auto now = found(input, canvas.is_file());
  if (!now.value) return draw_nothing_yet(canvas, content, "One moment", "The steps are being read.");
  const Multiples parts = multiples(canvas, input, content, *now.value);
  draw_columns(canvas, input, *now.value, parts);
  if (!input.run.history.empty()) return;
  const float left = parts.columns.front().right() + kColumnGap;
  paragraph(canvas, {left, parts.maps.y}, content.right() - left,
            "Earlier steps stand here once a run has kept them: press Train, and the weights of many steps "
            "stay as the model learns, from step 0 to the newest.",
            {.size = 14, .color = canvas.theme().second_text, .y = AlignY::top});
}

void FormingView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Rect content = area.inset(kStagePadding);
  const auto now = found(input, canvas.is_file());
  if (!now.value) return draw_nothing_yet(canvas, content, "One moment", "The steps are being read.");
  draw_columns(canvas, input, *now.value, multiples(canvas, input, content, *now.value, false));
}

void FormingView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const auto now = found(input, false);
  if (now.value) lead_to_steps(ui, input, area, *now.value);
  const float width = ui.segmented_width({kOneHead, kAllHeads});
  const float steps = ui.segmented_width({"Early steps wide", "Even"});
  const StageHead head(ui, area, title_of(within(input.pinned, input), all_), {width + 12 + steps, 32});
  int chosen = all_ ? 1 : 0, even = even_ ? 1 : 0;
  if (Segmented(ui, {head.control().x, head.control().y, steps, 32}, "Step axis",
                {"Early steps wide", "Even"}, even))
    even_ = even == 1;
  if (Segmented(ui, {head.control().right() - width, head.control().y, width, 32}, "Heads",
                {kOneHead, kAllHeads}, chosen))
    all_ = chosen == 1;
}

void FormingView::lead_to_steps(ui::Ui& ui, const ViewInput& input, const Rect& area,
                                const FormingTraces& traces) {
  const Multiples parts = multiples(ui.canvas(), input, stage_content(area), traces);
  size_t column = 0;
  for (const auto& [step, trace] : traces.at) {
    const Rect& place = parts.columns[column++];
    const Rect heading{place.x, place.y - 2, std::min(place.width, 160.0f), 28};
    const std::string name = "Look at step " + std::to_string(step);
    ui.tooltip(heading, "Every view goes back to this step");
    if (ui.area(heading, name, "button").clicked) ui.push(ShowStep{step});
  }
}

ViewPlace FormingView::place(const ViewInput& input) const {
  const std::string layer = std::to_string(within(input.pinned, input).layer + 1);
  return {.path = {"Training", "Heads forming", "Layer " + layer}};
}

std::optional<InspectorPage> FormingView::inspect(const ViewInput& input) const {
  const Selection shown = within(input.shown, input);
  InspectorPage page;
  page.caption = "Heads forming";
  page.subject =
      attention_title(shown.kind) + ", " + layer_words(shown.layer) + ", **" + head_name(shown.head) + "**";
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
      "At step 0 the queries and keys are random, and so is what a row looks at. As the loss falls a head "
      "finds what helps: here a word, there its neighbour, often nothing but the end of the sentence.";
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
      const auto covered = covered_row(input.covered, shown.kind, shown.layer, head, 0);
      for (int row = 0; row < table.rows; ++row) {
        std::vector<double>& values = numbers.values.emplace_back();
        for (int key = 0; key < table.columns; ++key)
          values.push_back(row == covered ? std::numeric_limits<double>::quiet_NaN()
                                          : static_cast<double>(table.at(row, key)));
        if (row == covered)
          numbers.rows[static_cast<std::size_t>(row)] =
              covered_name(words.queries[static_cast<std::size_t>(row)]);
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
         (steps.empty() ? "" : " at steps " + steps) +
         (input.result.scene.what_if.empty() ? "" : "; each without the changes");
}

}  // namespace glassformer
