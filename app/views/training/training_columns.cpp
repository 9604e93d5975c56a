#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training_view.h"
#include "app/widgets/marks.h"
#include "engine/model/parameter_counts.h"
#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

constexpr float kRow = 22;
constexpr float kNarrowest = 180;  // a rail or a line under the stage stays what it is
constexpr int kHistory = 8;        // boxes of a sentence's history

struct Fact {
  std::string label, value;
  bool wide = false;  // on a line of its own where it needs one
};

// A section of facts; returns where the next one begins.
float draw_facts(Canvas& canvas, const Rect& column, float y, std::string_view heading,
                 const std::vector<Fact>& facts) {
  canvas.text({column.x, y + 10}, heading, {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  y += 28;
  for (const Fact& fact : facts) {
    const TextStyle value{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
    float room = column.width - canvas.measure(fact.label, caption_style(canvas)).x - 12;
    canvas.text({column.x, y + 8}, fact.label, caption_style(canvas));
    if (canvas.measure(fact.value, value).x > room && fact.wide) y += kRow, room = column.width;
    canvas.text({column.right(), y + 8}, elided(canvas, fact.value, value, room), value);
    y += kRow;
  }
  return y;
}

std::vector<Fact> data_facts(const RunState& run) {
  std::vector<Fact> facts;
  if (run.training_pairs > 0) facts.push_back({"pairs to learn from", format_count(run.training_pairs)});
  if (run.validation_pairs > 0) facts.push_back({"pairs held out", format_count(run.validation_pairs)});
  if (run.source_words > 0)
    facts.push_back({"words", format_count(run.source_words) + " → " + format_count(run.target_words)});
  if (run.longest_sentence > 0)
    facts.push_back({"longest sentence", format_count(run.longest_sentence) + " tokens"});
  return facts;
}

// Of the model on screen; while another is being prepared that is not the one told of here.
std::vector<Fact> model_facts(const RunState& run, const Config& config) {
  if (run.phase == RunPhase::preparing) return {{"being prepared", format_percent(run.progress)}};
  return {{"layers", std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers)},
          {"heads", std::to_string(config.heads)},
          {"width d, hidden f", format_count(config.d_model) + ", " + format_count(config.d_ff)},
          {"weights", format_count(parameter_count(config))}};
}

std::vector<Fact> training_facts(const RunState& run) {
  const TrainingOptions& options = run.options;
  std::vector<Fact> facts{{"batch", format_count(options.batch_tokens) + " tokens"},
                          {"schedule", options.schedule}};
  if (options.schedule != "constant") facts.push_back({"warm-up", format_count(options.warmup) + " steps"});
  if (options.schedule == "noam")
    facts.push_back({"factor", format_short(options.factor)});
  else
    facts.push_back({"peak", format_short(options.peak)});
  const LiveSettings& live = run.live;  // as they are now
  if (live.rate_scale != 1) facts.push_back({"learning rate ×", format_short(live.rate_scale)});
  facts.push_back({"dropout", format_short(live.dropout)});
  facts.push_back({"label smoothing", format_short(live.smoothing)});
  if (live.clip > 0) facts.push_back({"largest gradient", format_short(live.clip)});
  if (!options.mask_future) facts.push_back({"mask of the future", "off"});
  facts.push_back({"seed", std::to_string(options.seed)});
  return facts;
}

// When the run ends by itself, and what is kept of it then.
std::vector<Fact> end_facts(const TrainingOptions& options) {
  std::vector<Fact> facts;
  if (options.steps > 0) facts.push_back({"steps, at most", format_count(options.steps)});
  if (options.epochs > 0) facts.push_back({"passes, at most", format_short(options.epochs)});
  if (options.minutes > 0) facts.push_back({"minutes, at most", format_short(options.minutes)});
  if (options.patience > 0)
    facts.push_back({"looks without a better loss", std::to_string(options.patience)});
  if (facts.empty()) facts.push_back({"ends", "when paused"});
  const std::string kept = options.keep == Keep::best ? "best" : "last";
  facts.push_back(
      {"kept", options.average > 1 ? kept + " mean of " + std::to_string(options.average) : kept});
  return facts;
}

std::vector<Fact> beside_facts(const RunBeside& beside) {
  const RunState& run = beside.run;
  std::vector<Fact> facts{{beside.about, beside.name, true}, {"step", format_count(run.step)}};
  if (run.phase == RunPhase::training && run.tokens_per_second > 0)
    facts.push_back({"tokens/s", format_count(std::llround(run.tokens_per_second))});
  if (run.phase == RunPhase::preparing) facts.push_back({"preparing", format_percent(run.progress)});
  return facts;
}

// The attempt that stood at a step, and up to eight that tell the story.
const HeldOutSentence::Attempt* attempt_at(const HeldOutSentence& sentence, long step) {
  const HeldOutSentence::Attempt* found = sentence.attempts.empty() ? nullptr : &sentence.attempts.front();
  for (const auto& attempt : sentence.attempts)
    if (attempt.step <= step) found = &attempt;
  return found;
}

std::vector<const HeldOutSentence::Attempt*> history_of(const HeldOutSentence& sentence,
                                                        const HeldOutSentence::Attempt* shown) {
  std::vector<const HeldOutSentence::Attempt*> history;
  const int count = static_cast<int>(sentence.attempts.size());
  const int boxes = std::min(count, kHistory);
  for (int i = 0; i < boxes; ++i) {
    // Early attempts differ most: choose them by the square of the place, the newest always among them.
    const double share = boxes > 1 ? double(i) / (boxes - 1) : 1;
    const int place =
        count <= kHistory ? i : std::max(i, static_cast<int>(std::lround(share * share * (count - 1))));
    history.push_back(&sentence.attempts[static_cast<std::size_t>(place)]);
  }
  // The one whose words stand above has its box: in place of the one before it.
  const auto at = std::ranges::upper_bound(history, shown);
  if (shown && at != history.begin() && *std::prev(at) != shown) *std::prev(at) = shown;
  return history;
}

// Under the boxes, from the newest on; those that would touch the next are left out.
void draw_steps_of(Canvas& canvas, const std::vector<const HeldOutSentence::Attempt*>& history, Point at,
                   float pitch) {
  const TextStyle style{
      .font = Font::mono, .size = 11, .color = canvas.theme().second_text, .x = AlignX::center};
  constexpr float kGap = 6;
  float free_to = std::numeric_limits<float>::max();
  for (std::size_t h = history.size(); h-- > 0;) {
    const std::string words = format_short(double(history[h]->step));
    const float center = at.x + pitch * static_cast<float>(h) + (pitch - 4) / 2,
                half = canvas.measure(words, style).x / 2;
    if (center + half > free_to) continue;
    canvas.text({center, at.y}, words, style);
    free_to = center - half - kGap;
  }
}

// Words of an attempt, wrapped; the wrong ones underlined in their colour. Returns the height used.
float draw_attempt(Canvas& canvas, Point at, float width, const WordDifference& difference) {
  const Theme& theme = canvas.theme();
  constexpr float kLine = 24, kLines = 3, kDots = 22;
  Point pen = at;
  if (difference.words.empty())
    canvas.text({pen.x, pen.y + kLine / 2}, "(nothing)", {.size = 14, .color = theme.wrong});
  for (const MarkedWord& word : difference.words) {
    const TextStyle style{.size = 14, .color = word.right ? theme.ink : theme.wrong};
    const std::string shown = elided(canvas, word.text, style, width);
    const float advance = canvas.measure(shown, style).x;
    const bool last_line = pen.y - at.y > (kLines - 1.5f) * kLine;
    const bool wraps = pen.x > at.x && pen.x + advance > at.x + width - (last_line ? kDots : 0);
    if (wraps && last_line) {  // a model that knows nothing writes on and on
      canvas.text({at.x + width, pen.y + kLine / 2}, "…",
                  {.size = 14, .color = theme.wrong, .x = AlignX::right});
      break;
    }
    if (wraps) pen = {at.x, pen.y + kLine};
    canvas.text({pen.x, pen.y + kLine / 2}, shown, style);
    if (!word.right)
      canvas.line({pen.x, pen.y + kLine - 3}, {pen.x + advance, pen.y + kLine - 3},
                  {.color = theme.wrong, .width = 1.5f});
    pen.x += advance + 8;
  }
  return pen.y + kLine - at.y;
}

// A sunken box filled as far as words are right; a tick when all are.
void draw_box(Canvas& canvas, const Rect& box, const WordDifference& difference, bool shown) {
  const Theme& theme = canvas.theme();
  const bool all = difference.same();
  canvas.rectangle(box, {.fill = all ? theme.ink : theme.sunken, .radius = 2});
  if (all) {
    draw_mark(canvas, box.center(), Mark::tick, theme.on_ink, 8);
  } else if (difference.right > 0) {
    const float share = std::min(
        1.0f, static_cast<float>(difference.right) / static_cast<float>(std::max(1, difference.expected)));
    canvas.rectangle({box.x + 2, box.y + 2, std::max(2.0f, (box.width - 4) * share), box.height - 4},
                     {.fill = theme.faint_text, .radius = 1});
  }
  if (shown) canvas.rectangle(box.inset(-2), {.outline = theme.ink, .outline_width = 2, .radius = 4});
}

}  // namespace

bool TrainingView::column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  return which == ViewColumn::left ? left_column(ui, input, rect) : right_column(ui, input, rect);
}

bool TrainingView::left_column(ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (rect.width < kNarrowest) return false;
  Canvas& canvas = ui.canvas();
  const RunState& run = input.run;
  const Config& config = input.snapshot.config;
  const std::vector<Fact> data = data_facts(run), model = model_facts(run, config),
                          training = training_facts(run), end = end_facts(run.options);
  const std::vector<Fact> beside = input.beside ? beside_facts(*input.beside) : std::vector<Fact>();
  const float content = 12 + 4 * (28 + 24) + 22 +
                        kRow * static_cast<float>(data.size() + model.size() + training.size() + end.size()) +
                        96 + (beside.empty() ? 0 : 52 + kRow + kRow * static_cast<float>(beside.size()));

  const Rect inside = ui.begin_scroll(rect, "training facts", {rect.width, content});
  const Rect column{inside.x + 24, inside.y, rect.width - 48, content};
  const bool steered = !input.second_of_two;
  const auto change = [&](float y, const char* id, const char* dialog) {
    if (!steered) return;
    const float width = ui.text_width("Change…", 12);
    if (ui.LinkButton({column.right() - width, y + 2}, "Change…", {.id = id})) ui.push(OpenDialog{dialog});
  };

  // Data, model, training.
  float y = column.y + 14;
  canvas.text({column.x, y + 10}, "Data", {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  change(y, "Change data", "new model");
  const TextStyle caption = caption_style(canvas);
  canvas.text(
      {column.x, y + 34},
      elided(canvas, run.data_name.empty() ? "none chosen yet" : run.data_name, caption, column.width),
      caption);
  y = draw_facts(canvas, column, y + 22, "", data) + 12;
  canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
  y += 12;
  change(y, "Change model", "new model");
  y = draw_facts(canvas, column, y, "Model", model) + 12;
  canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
  y += 12;
  if (can_be_changed(run)) change(y, "Change the learning now", "learning");
  y = draw_facts(canvas, column, y, "Training", training) + 12;
  canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
  y += 12;
  y = draw_facts(canvas, column, y, "End of the run", end) + 10;
  if (!beside.empty()) {
    canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
    y += 12;
    const float width = ui.text_width("End it", 12);
    if (ui.LinkButton({column.right() - width, y + 2}, "End it",
                      {.id = "End the variant", .tooltip = "It stays among the runs"}))
      ui.push(EndVariant{});
    y = draw_facts(canvas, column, y, "The variant beside it", beside) + 10;
  }

  // From the beginning: the same numbers again, or others.
  if (!steered) {
    ui.end_scroll();
    return true;
  }
  const float half = std::floor((column.width - 8) / 2);
  const bool begins = run.phase != RunPhase::preparing, begun = begins && run.step > 0;
  if (ui.Button(
          {column.x, y, half, 32}, "Start again",
          {.enabled = begun, .tooltip = "The same seed: the same weights, the same order of the data."}))
    ui.push(ResetTraining{false});
  if (ui.Button({column.right() - half, y, half, 32}, "New seed",
                {.enabled = begins, .tooltip = "Other first weights, another order of the data."}))
    ui.push(ResetTraining{true});
  y += 40;
  if (ui.Button({column.x, y, column.width, 32}, "Train a variant…",
                {.enabled = begins && (!input.beside || input.beside->run.phase == RunPhase::stopped),
                 .tooltip = "A second run beside this one, with one thing changed"}))
    ui.push(OpenDialog{"variant"});
  ui.end_scroll();
  return true;
}

bool TrainingView::right_column(ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (rect.width < kNarrowest || rect.height < 120) return false;
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const RunState& run = input.run;
  const long step = cursor(input);

  // The head of the column, as the inspector has it.
  const bool none_held_out = run.training_pairs > 0 && run.validation_pairs == 0;
  canvas.text({rect.x + 24, rect.y + 22}, none_held_out ? "Sentences it learns from" : "Held-out sentences",
              {.font = Font::semibold, .size = 14, .color = theme.ink});
  TextStyle note = caption_style(canvas);
  note.x = AlignX::right;
  // They are looked at now and then, not at every step.
  const auto* look = run.held_out.empty() ? nullptr : attempt_at(run.held_out.front(), step);
  canvas.text({rect.right() - 24, rect.y + 22}, "at step " + format_count(look ? look->step : step), note);
  canvas.line({rect.x, rect.y + 44}, {rect.right(), rect.y + 44}, {.color = theme.border});
  const Rect below{rect.x, rect.y + 45, rect.width, rect.height - 45};
  if (run.held_out.empty()) {
    paragraph(canvas, {below.x + 24, below.y + 16}, below.width - 48,
              std::string(none_held_out ? "A few sentences that the model learns from, as none are held out."
                                        : "A few sentences that the model never learns from.") +
                  " While it trains it translates them again and again, and here you see what it makes of "
                  "them.",
              {.size = 13, .color = theme.second_text, .y = AlignY::top});
    return true;
  }

  const float content = 148.0f * static_cast<float>(run.held_out.size()) + 180;
  const Rect inside = ui.begin_scroll(below, "held-out sentences", {below.width, content});
  const Rect column{inside.x + 24, inside.y, below.width - 48, content};
  float y = column.y + 12;
  for (std::size_t i = 0; i < run.held_out.size(); ++i) {
    const HeldOutSentence& sentence = run.held_out[i];
    const auto* attempt = attempt_at(sentence, step);
    const WordDifference difference =
        compare_words(attempt ? attempt->translation : "", sentence.pair.target);

    // Source and how many words are right.
    std::string score = std::to_string(difference.right) + " / " + std::to_string(difference.expected);
    const int more = static_cast<int>(difference.words.size()) - difference.expected;
    if (difference.right == difference.expected && more > 0)
      score += ", " + std::to_string(more) + " too many";
    const TextStyle mono{.font = Font::mono,
                         .size = 12,
                         .color = difference.same() ? theme.ink : theme.wrong,
                         .x = AlignX::right};
    const float score_width = canvas.measure(score, mono).x;
    canvas.text({column.right(), y + 8}, score, mono);
    draw_mark(canvas, {column.right() - score_width - 12, y + 8},
              difference.same() ? Mark::tick : Mark::cross, mono.color, 8);
    TextStyle source = caption_style(canvas);
    source.y = AlignY::top;
    const float source_height =
        paragraph(canvas, {column.x, y - 1}, column.width - score_width - 32, sentence.pair.source, source);
    ui.tooltip({column.x, y, column.width, source_height},
               sentence.pair.source + "\n" + sentence.pair.target);

    // The attempt, then its history.
    y += std::max(20.0f, source_height + 2);
    y += draw_attempt(canvas, {column.x, y}, column.width, difference) + 6;
    ui.note({column.x, y - 20, column.width, 16}, "attempt " + std::to_string(i + 1),
            attempt ? attempt->translation : "");
    const auto history = history_of(sentence, attempt);
    const float pitch = column.width / kHistory;
    for (std::size_t h = 0; h < history.size(); ++h) {
      const Rect box{std::round(column.x + pitch * static_cast<float>(h)), y, std::floor(pitch) - 4, 11};
      draw_box(canvas, box, compare_words(history[h]->translation, sentence.pair.target),
               history[h] == attempt);
    }
    if (i + 1 == run.held_out.size()) draw_steps_of(canvas, history, {column.x, y + 24}, pitch);
    y += 25;
    if (i + 1 < run.held_out.size()) canvas.line({column.x, y}, {column.right(), y}, {.color = theme.border});
    y += 13;
  }

  // What the marks mean.
  canvas.text({column.x, y + 12}, "words right after each look", caption_style(canvas));
  y += 32;
  canvas.line({column.x, y}, {column.right(), y}, {.color = theme.border});
  const TextStyle wrong{.size = 12, .color = theme.wrong};
  canvas.text({column.x, y + 20}, "word", wrong);
  const float width = canvas.measure("word", wrong).x;
  canvas.line({column.x, y + 29}, {column.x + width, y + 29}, {.color = theme.wrong, .width = 1.5f});
  canvas.text({column.x + width + 12, y + 20}, "differs from the reference", caption_style(canvas));
  if (run.options.average > 1) {
    TextStyle whose = caption_style(canvas);
    whose.y = AlignY::top;
    paragraph(canvas, {column.x, y + 40}, column.width,
              "Written with the weights of that step alone. The loss is that of the mean of the last " +
                  std::to_string(run.options.average) + " looks, which is kept as the model.",
              whose);
  }
  ui.end_scroll();
  return true;
}

}  // namespace glassformer
