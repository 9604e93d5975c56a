#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

constexpr float kRow = 22;

struct Fact {
  std::string label, value;
  bool wide = false;  // on a line of its own where it needs one
};

// A section of facts; returns where the next one begins.
float draw_facts(ui::Ui& ui, const Rect& column, float y, std::string_view heading,
                 const std::vector<Fact>& facts) {
  Canvas& canvas = ui.canvas();
  canvas.text({column.x, y + 10}, heading, {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  y += 28;
  for (const Fact& fact : facts) {
    const TextStyle value{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
    float room = column.width - canvas.measure(fact.label, caption_style(canvas)).x - 12;
    canvas.text({column.x, y + 8}, fact.label, caption_style(canvas));
    if (canvas.measure(fact.value, value).x > room && fact.wide) y += kRow, room = column.width;
    canvas.text({column.right(), y + 8}, elided(canvas, fact.value, value, room), value);
    ui.note({column.x, y, column.width, kRow}, fact.label, fact.value);
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

// Of the model on screen; while another is being prepared that is not the one described here.
std::vector<Fact> model_facts(const RunState& run, const Config& config) {
  if (run.phase == RunPhase::preparing) return {{"being prepared", format_percent(run.progress)}};
  return {{"layers", std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers)},
          {"heads", std::to_string(config.heads)},
          {"width d, hidden f", format_count(config.d_model) + ", " + format_count(config.d_ff)},
          {"weights", format_count(parameter_count(config))}};
}

std::vector<Fact> training_facts(const RunState& run) {
  if (unknown_training(run)) return {{"how it was trained", "not known"}};
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
std::vector<Fact> end_facts(const RunState& run) {
  if (unknown_training(run)) return {};
  const TrainingOptions& options = run.options;
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

// Additions and multiplications of a run: six a weight and token, two forward and four back. Words of the
// source pass the encoder and those of the target the decoder, so that a weight meets half of them.
double arithmetic_of(double weights, double tokens) {
  return 6 * weights * tokens / 2;
}

// The paper's base model (sections 5.1 to 5.3, tables 2 and 3), and what this run has computed until now.
std::vector<Fact> paper_facts(const RunState& run, const Config& config) {
  std::vector<Fact> facts{{"pairs, English to German", "4.5 million"},
                          {"steps", format_count(100'000)},
                          {"batch", "2 × " + format_count(25'000) + " tokens"},
                          {"weights", "65 million"},
                          {"BLEU of it", "27.3"},
                          {"arithmetic", format_short(3.3e18)}};
  const double tokens = static_cast<double>(run.step) * run.options.batch_tokens;
  if (tokens > 0)
    facts.push_back({"arithmetic here, about",
                     format_short(arithmetic_of(static_cast<double>(parameter_count(config)), tokens))});
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

// What changes a group of facts, at the right end of its heading.
void draw_change(ui::Ui& ui, const Rect& column, float y, const char* id, const char* dialog) {
  const float width = ui.text_width("Change…", 12);
  if (LinkButton(ui, {column.right() - width, y + 2}, "Change…", {.id = id})) ui.push(OpenDialog{dialog});
}

float draw_divider(Canvas& canvas, const Rect& column, float y) {
  canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
  return y + 12;
}

struct RunFacts {
  std::vector<Fact> data, model, training, end, paper;
  std::vector<std::vector<Fact>> beside;  // of each variant
  float height() const {
    const std::size_t lines = data.size() + model.size() + training.size() + end.size() + paper.size();
    float variants = 0;
    for (const auto& each : beside) variants += 52 + kRow + kRow * static_cast<float>(each.size());
    return 12 + 5 * (28 + 24) + 22 + kRow * static_cast<float>(lines) + 96 + variants;
  }
};

// A variant beside the run, and its end. Of several, each with the line that it has in the charts.
float draw_beside_facts(ui::Ui& ui, const Rect& column, float y, const RunBeside& run,
                        const std::vector<Fact>& facts, bool several) {
  y = draw_divider(ui.canvas(), column, y);
  const float width = ui.text_width("End it", 12), link = column.right() - width;
  const std::string id = several ? "End " + run.title() : "End the variant";
  if (LinkButton(ui, {link, y + 2}, "End it", {.id = id, .tooltip = "It stays among the runs"}))
    ui.push(EndVariant{run.id});
  if (several) ui.canvas().line({link - 36, y + 10}, {link - 12, y + 10}, beside_stroke(ui.theme(), run));
  return draw_facts(ui, column, y, several ? "Beside it" : "The variant beside it", facts) + 10;
}

// Data, model, training, the end of the run, and those beside it. Returns where the next thing is.
float draw_run_facts(ui::Ui& ui, const Rect& column, const ViewInput& input, const RunFacts& facts,
                     bool steered) {
  const RunState& run = input.run;
  Canvas& canvas = ui.canvas();
  float y = column.y + 14;
  canvas.text({column.x, y + 10}, "Data", {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  if (steered) draw_change(ui, column, y, "Change data", "new model");
  const TextStyle caption = caption_style(canvas);
  const std::string name = unknown_training(run)   ? "not known"
                           : run.data_name.empty() ? "none chosen yet"
                                                   : run.data_name;
  canvas.text({column.x, y + 34}, elided(canvas, name, caption, column.width), caption);
  y = draw_divider(canvas, column, draw_facts(ui, column, y + 22, "", facts.data) + 12);
  if (steered) draw_change(ui, column, y, "Change model", "new model");
  y = draw_divider(canvas, column, draw_facts(ui, column, y, "Model", facts.model) + 12);
  if (steered && can_be_changed(run)) draw_change(ui, column, y, "Change the learning now", "learning");
  y = draw_divider(canvas, column, draw_facts(ui, column, y, "Training", facts.training) + 12);
  if (!facts.end.empty()) y = draw_facts(ui, column, y, "End of the run", facts.end) + 10;
  for (std::size_t i = 0; i < facts.beside.size(); ++i)
    y = draw_beside_facts(ui, column, y, *input.beside[i], facts.beside[i], facts.beside.size() > 1);
  return y;
}

// From the beginning: the same numbers again, or others; or a run beside this one.
void draw_new_beginnings(ui::Ui& ui, const Rect& column, float y, const ViewInput& input) {
  const RunState& run = input.run;
  const float half = std::floor((column.width - 8) / 2);
  const bool begins = run.phase != RunPhase::preparing, begun = begins && run.step > 0;
  if (Button(ui, {column.x, y, half, 32}, "Start again",
             {.enabled = begun, .tooltip = "The same seed: the same weights, the same order of the data."}))
    ui.push(ResetTraining{false});
  if (Button(ui, {column.right() - half, y, half, 32}, "New seed",
             {.enabled = begins, .tooltip = "Other first weights, another order of the data."}))
    ui.push(ResetTraining{true});
  if (Button(ui, {column.x, y + 40, column.width, 32}, "Train a variant…",
             {.enabled = begins, .tooltip = "Another run beside this one, with one thing changed"}))
    ui.push(OpenDialog{"variant"});
}

}  // namespace

bool facts_column(ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (rect.width < kNarrowestColumn) return false;
  const RunState& run = input.run;
  RunFacts facts{.data = data_facts(run),
                 .model = model_facts(run, input.snapshot.config),
                 .training = training_facts(run),
                 .end = end_facts(run),
                 .paper = paper_facts(run, input.snapshot.config)};
  for (const RunBeside* const each : input.beside) facts.beside.push_back(beside_facts(*each));
  const float height = facts.height();
  const Rect inside = ui.scroll.begin(rect, "training facts", {rect.width, height});
  const Rect column{inside.x + 24, inside.y, rect.width - 48, height};
  const bool steered = !input.second_of_two;
  const float y = draw_run_facts(ui, column, input, facts, steered);
  if (steered) draw_new_beginnings(ui, column, y, input);
  const float below = draw_divider(ui.canvas(), column, y + (steered ? 92 : 0));
  draw_facts(ui, column, below, "The paper’s base model", facts.paper);
  ui.scroll.end();
  return true;
}

}  // namespace glassformer
