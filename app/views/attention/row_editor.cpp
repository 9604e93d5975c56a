#include "app/views/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/colormap.h"
#include "app/widgets/marks.h"
#include "engine/decode/decode.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

constexpr float kStep = 0.01f, kLargeStep = 0.1f;
constexpr float kButtons = 44, kWords = 20, kEffectRow = 20;
constexpr std::size_t kShownWords = 4;
constexpr const char* kAllHeads = "in all heads";

// A number to two places: what a bar is moved by.
float rounded(float value) {
  return std::clamp(std::round(value * 100) / 100, 0.0f, 1.0f);
}

}  // namespace

void RowEditor::begin(const ViewInput& input) {
  const Selection& at = input.pinned;
  if (!at.query || at.head < 0 || at.sentence != 0 || input.difference_to) return;
  const Trace& trace = *input.result.trace;
  const AttentionTable now = attention_table(trace, at.kind, at.layer, at.head, 0);
  if (*at.query >= now.rows) return;
  const AttentionTable before = attention_table(*input.result.untouched, at.kind, at.layer, at.head, 0);
  Draft draft{.kind = at.kind,
              .layer = at.layer,
              .head = at.head,
              .query = *at.query,
              .trace = input.result.trace,
              .heads = input.snapshot.config.heads};
  for (int key = 0; key < now.columns; ++key) {
    draft.weights.push_back(now.at(*at.query, key));
    draft.untouched.push_back(before.at(*at.query, key));
    draft.hidden.push_back(now.is_hidden(*at.query, key));
  }
  const auto most = std::ranges::max_element(draft.weights);
  draft.key = at.key ? std::min(*at.key, now.columns - 1) : static_cast<int>(most - draft.weights.begin());
  draft_ = std::move(draft);
}

bool RowEditor::open(const ViewInput& input) {
  if (!draft_) return false;
  const Selection& at = input.pinned;
  const bool same = input.result.trace == draft_->trace && at.kind == draft_->kind &&
                    at.layer == draft_->layer && at.head == draft_->head && at.query == draft_->query;
  if (!same) draft_.reset();
  return same;
}

void RowEditor::set(int key, float to) {
  const auto at = static_cast<std::size_t>(key);
  if (draft_->hidden[at]) return;
  std::vector<float>& weights = draft_->weights;
  if (give_way_) {
    const float others = std::accumulate(weights.begin(), weights.end(), 0.0f) - weights[at];
    for (float& each : weights) each *= others > 0 ? (1 - to) / others : 0.0f;
  }
  weights[at] = to;
}

void RowEditor::take_keys(ui::Ui& ui) {
  if (ui.field_active() || ui.popup.is_open()) return;
  const int last = static_cast<int>(draft_->weights.size()) - 1;
  const float step = ui.shift() ? kLargeStep : kStep,
              now = draft_->weights[static_cast<std::size_t>(draft_->key)];
  if (ui.pressed(ui::Key::left)) draft_->key = std::max(0, draft_->key - 1);
  if (ui.pressed(ui::Key::right)) draft_->key = std::min(last, draft_->key + 1);
  if (ui.pressed(ui::Key::up)) set(draft_->key, rounded(now + step));
  if (ui.pressed(ui::Key::down)) set(draft_->key, rounded(now - step));
  if (ui.pressed(ui::Key::home)) set(draft_->key, 0);
  if (ui.pressed(ui::Key::end)) set(draft_->key, 1);
}

WhatIf RowEditor::applied(const WhatIf& what_if) const {
  WhatIf next = what_if;
  for (int head = 0; head < draft_->heads; ++head) {
    if (draft_->all_heads || head == draft_->head)
      next.set(edit_row(draft_->kind, draft_->layer, head, draft_->query, draft_->weights), true);
  }
  return next;
}

// Up to the row the words stay; from there on the model writes.
RowEditor::Effect RowEditor::effect(const SceneResult& result, const Tokenizers& tokenizers) const {
  const Transformer<float>& model = *result.untouched_snapshot->weights;
  const std::vector<int>& read = result.trace->target_in.front();
  const bool decoder = draft_->kind != AttentionKind::encoder;
  DecodeOptions options;
  if (decoder) options.forced.assign(read.begin() + 1, read.begin() + 1 + draft_->query);
  options.alternatives = result.snapshot->config.target_vocab;
  const auto& untouched_source = (result.plain ? *result.plain->trace : *result.trace).source.front();
  const auto run = [&](const WhatIf& what_if) {
    return decode(ChangedModel<float>(model, what_if, result.scene.substitutes), {untouched_source}, options)
        .front();
  };
  const DecodeResult now = run(applied(result.scene.what_if));
  Effect effect;
  if (tokenizers.target) {
    std::vector<int> ids = now.ids;
    if (!ids.empty() && ids.back() == result.snapshot->config.eos_id) ids.pop_back();
    effect.translation = tokenizers.target->decode(ids);
  }
  if (!decoder) return effect;
  const DecodeResult before = run(result.scene.what_if);
  const auto place = static_cast<std::size_t>(draft_->query);
  if (place >= now.steps.size() || place >= before.steps.size()) return effect;
  std::vector<double> p_before(static_cast<std::size_t>(options.alternatives)), p_after = p_before;
  for (const Candidate& each : before.steps[place].top)
    p_before[static_cast<std::size_t>(each.id)] = std::exp(each.log_probability);
  for (const Candidate& each : now.steps[place].top)
    p_after[static_cast<std::size_t>(each.id)] = std::exp(each.log_probability);
  std::vector<int> order(p_after.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t shown = std::min(kShownWords, order.size());
  std::ranges::partial_sort(
      order, order.begin() + static_cast<std::ptrdiff_t>(shown), std::greater{}, [&](int id) {
        return std::max(p_before[static_cast<std::size_t>(id)], p_after[static_cast<std::size_t>(id)]);
      });
  for (std::size_t i = 0; i < shown; ++i) {
    const auto id = static_cast<std::size_t>(order[i]);
    effect.next.push_back(
        {word_of(tokenizers.target.get(), result.snapshot->config, order[i]), p_before[id], p_after[id]});
  }
  return effect;
}

// A bar a key, its word above and its weight below; what it was is dashed.
void RowEditor::draw_bars(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const std::vector<std::string> keys = key_words(input, draft_->kind, 0);
  const auto count = static_cast<float>(draft_->weights.size());
  const float pitch = std::min(64.0f, area.width / count), bar = std::min(24.0f, pitch - 6);
  const Rect track{area.x, area.y + kWords + 8, pitch * count, area.height - 2 * kWords - 16};
  for (std::size_t i = 0; i < draft_->weights.size(); ++i) {
    const float x = track.x + pitch * (static_cast<float>(i) + 0.5f);
    const Rect column{x - bar / 2, track.y, bar, track.height};
    const bool chosen = static_cast<int>(i) == draft_->key, hidden = draft_->hidden[i];
    const std::string word = i < keys.size() ? keys[i] : std::string();
    const ui::Response response = ui.area({x - pitch / 2, area.y, pitch, area.height},
                                          "weight of key " + std::to_string(i), "slider", false);
    if (response.held && !hidden) {
      draft_->key = static_cast<int>(i);
      if (const auto mouse = ui.mouse())
        set(draft_->key, rounded((column.bottom() - mouse->y) / column.height));
    } else if (response.clicked) {
      draft_->key = static_cast<int>(i);
    }
    canvas.rectangle(column, {.fill = theme.sunken, .radius = 3});
    const float weight = std::clamp(draft_->weights[i], 0.0f, 1.0f);
    const Rect filled{column.x, column.bottom() - weight * column.height, column.width,
                      weight * column.height};
    canvas.rectangle(filled, {.fill = cividis(static_cast<double>(weight)), .radius = 3});
    if (hidden) draw_hatched(canvas, column);
    const float was = column.bottom() - std::clamp(draft_->untouched[i], 0.0f, 1.0f) * column.height;
    if (!hidden)
      canvas.line({column.x - 3, was}, {column.right() + 3, was},
                  {.color = theme.reference, .width = 2, .dashed = true});
    if (chosen) canvas.rectangle(column.inset(-3), {.outline = theme.ink, .outline_width = 2, .radius = 5});
    TextStyle style{.size = 12, .color = chosen ? theme.ink : theme.second_text, .x = AlignX::center};
    if (chosen) style.font = Font::semibold;
    canvas.text({x, area.y + kWords / 2}, elided(canvas, word, style, pitch - 4), style);
    const std::string number =
        hidden ? "masked" : format_weight_cell(static_cast<double>(draft_->weights[i]));
    canvas.text({x, area.bottom() - kWords / 2}, number,
                {.font = Font::mono, .size = 11, .color = style.color, .x = AlignX::center});
    ui.note({x - pitch / 2, area.bottom() - kWords, pitch, kWords}, "draft of key " + std::to_string(i),
            number);
  }
}

// In one line, or what the others do above the buttons where there is little room.
void RowEditor::draw_buttons(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  float right = area.right();
  const auto button = [&](const char* label, bool primary) {
    const float width = ui.button_width(label);
    right -= width;
    const Rect rect{right, area.bottom() - 38, width, 32};
    right -= 8;
    return primary ? PrimaryButton(ui, rect, label) : Button(ui, rect, label);
  };
  const bool entered = !ui.field_active() && !ui.popup.is_open() && ui.pressed(ui::Key::enter);
  if (button("Apply", true) || entered) ui.push(SetWhatIf{applied(input.result.scene.what_if)});
  if (button("Reset", false)) draft_->weights = draft_->untouched;
  const float sum = sum_of_draft();
  if (button("Renormalise", false) && sum > 0) {
    for (float& each : draft_->weights) each /= sum;
  }
  const TextStyle caption{.size = 12, .color = ui.canvas().theme().second_text};
  const char* words = "the others";
  const float choices = ui.segmented_width({"stay", "give way"}), all = ui.text_width(kAllHeads) + 46;
  const bool roomy = area.width >= choices + all + ui.text_width(words, 12) + 16;
  const float label = roomy ? ui.text_width(words, 12) + 8 : 0;
  const float y = area.height > kButtons ? area.y + 6 : area.bottom() - 36;
  int others = give_way_ ? 1 : 0;
  Segmented(ui, {area.x + label, y, choices, 28}, "When one moves, the others", {"stay", "give way"}, others);
  give_way_ = others == 1;
  if (roomy) ui.canvas().text({area.x, y + 14}, words, caption);
  if (draft_->heads < 2) return;
  const float x = area.height > kButtons ? area.right() - (roomy ? all : 32) : area.x + label + choices + 16;
  Switch(ui, {x, y + 5}, kAllHeads, draft_->all_heads, roomy);
  ui.tooltip({x, y, area.right() - x, 28}, "Apply puts this row into every head of the layer");
}

void RowEditor::draw_effect(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const auto found =
      effects_->get(*draft_, false, [editor = *this, result = input.result, tokenizers = input.tokenizers] {
        return editor.effect(result, tokenizers);
      });
  if (!found.current) ui.ask_frame(0.03);
  if (!found.value) return;
  float y = area.y + kEffectRow / 2;
  const TextStyle caption{.size = 12, .color = theme.second_text};
  const float words = 96, numbers = 104;
  for (const Effect::Word& each : found.value->next) {
    if (y + kEffectRow * 1.5f > area.bottom()) break;
    canvas.text({area.x + words - 8, y}, elided(canvas, each.word, caption, words - 8),
                {.size = 12, .color = theme.ink, .x = AlignX::right});
    const Rect bar{area.x + words, y - 5, area.width - words - numbers - 8, 4};
    canvas.rectangle(bar, {.fill = theme.sunken, .radius = 2});
    canvas.rectangle({bar.x, bar.y, bar.width * static_cast<float>(each.before), 4},
                     {.fill = theme.faint_text, .radius = 2});
    canvas.rectangle({bar.x, bar.y + 6, bar.width * static_cast<float>(each.after), 4},
                     {.fill = theme.ink, .radius = 2});
    canvas.text({area.right(), y}, format_fixed(each.before, 3) + " → " + format_fixed(each.after, 3),
                {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right});
    ui.note({area.x, y - 8, area.width, 16}, "after the row: " + each.word,
            format_fixed(each.before, 3) + " → " + format_fixed(each.after, 3));
    y += kEffectRow;
  }
  if (!found.value->translation.empty()) {
    const std::string continuation = "it then writes  " + found.value->translation;
    canvas.text({area.x, area.bottom() - kEffectRow / 2}, elided(canvas, continuation, caption, area.width),
                caption);
    ui.note({area.x, area.bottom() - kEffectRow, area.width, kEffectRow}, "with the draft",
            found.value->translation);
  }
}

float RowEditor::sum_of_draft() const {
  return std::accumulate(draft_->weights.begin(), draft_->weights.end(), 0.0f);
}

// What row it is, and what it adds up to; the keys where there is room.
void RowEditor::draw_heading(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const std::vector<std::string> rows = query_words(input, draft_->kind, 0);
  const auto at = static_cast<std::size_t>(draft_->query);
  const float sum = sum_of_draft();
  const bool one = std::abs(sum - 1) < 5e-4f;
  const TextStyle bold{.font = Font::semibold, .size = 14, .color = theme.ink},
      small{.font = Font::semibold,
            .size = 12,
            .color = one ? theme.second_text : theme.wrong,
            .x = AlignX::right},
      hint{.size = 12, .color = theme.second_text};
  const std::string words = "Sum " + format_fixed(static_cast<double>(sum), 3) + (one ? "" : ", not 1");
  const float y = area.y + 12, room = canvas.measure(words, small).x;
  canvas.text({area.right(), y}, words, small);
  ui.note({area.right() - room, area.y, room, 24}, "sum of the row", words);
  const std::string heading =
      elided(canvas, "Row “" + (at < rows.size() ? rows[at] : std::string()) + "” by hand", bold,
             area.width - room - 16);
  canvas.text({area.x, y}, heading, bold);
  const float left = area.x + canvas.measure(heading, bold).x + 16;
  const std::string keys = "↑ ↓ by 0.01, ← → the next key, Enter applies, Esc leaves";
  if (left + canvas.measure(keys, hint).x < area.right() - room - 16) canvas.text({left, y}, keys, hint);
}

void RowEditor::draw(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  take_keys(ui);
  draw_heading(ui, input, area);
  constexpr float kHeading = 28, kFewestBars = 96, kMostBars = 190, kOneLine = 620;
  const bool decoder = draft_->kind != AttentionKind::encoder;
  const float buttons = area.width < kOneLine ? 2 * kButtons - 8 : kButtons;
  const float most = (decoder ? static_cast<float>(kShownWords) : 0.0f) * kEffectRow + kEffectRow;
  const float effects = std::clamp(area.height - kHeading - kFewestBars - buttons, 0.0f, most);
  const float bars = std::min(kMostBars, area.height - kHeading - buttons - effects);
  float y = area.y + kHeading;
  draw_bars(ui, input, {area.x, y, area.width, bars});
  y += bars;
  draw_buttons(ui, input, {area.x, y, area.width, buttons});
  y += buttons;
  if (effects >= kEffectRow) draw_effect(ui, input, {area.x, y, area.width, effects});
  if (!ui.field_active() && !ui.popup.is_open() && ui.pressed(ui::Key::escape)) draft_.reset();
}

}  // namespace glassformer
