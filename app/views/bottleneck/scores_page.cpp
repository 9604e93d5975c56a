#include "app/views/bottleneck/bottleneck.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/session/priority.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/score_functions.h"
#include "engine/recurrent/recurrent_trace.h"

namespace glassformer {

namespace {

constexpr float kMapHeight = 190, kMeaningHeight = 64, kNameWidth = 110;

constexpr std::array<const char*, kScoreRows> kScoreNames = {"dot", "scaled dot", "ReLU", "additive"};
constexpr std::array<const char*, kScoreRows> kScoreMeanings = {
    "Without the scale of the second row: the same order, sharper (Luong et al.).",
    "As this Transformer computes it and has learned with it. The scale keeps the softmax from a corner "
    "where "
    "its gradient is small.",
    "In place of the softmax: words whose score is not above 0 get nothing, and nothing makes the rest add "
    "up "
    "to 1 (Wortsman et al.).",
    "Of the recurrent model, whose state s and states h go through a layer of their own instead of meeting "
    "in "
    "a product (Bahdanau et al.)."};

HeatmapOptions scores_options(const ScoresPage& page) {
  HeatmapOptions options;
  options.row_labels = {kScoreNames.begin(), kScoreNames.end()};
  options.column_labels = page.reads;
  options.column_title = {Badge::none, "reads", ""};
  options.color_bar = false;
  options.max_cell = 48;
  options.max_aspect = 1.6f;
  for (int row = 0; row < kScoreRows; ++row) options.right_values.push_back(format_fixed(page.sum(row), 3));
  options.right_title = "sum";
  return options;
}

}  // namespace

double ScoresPage::sum(int row) const {
  return static_cast<double>(weights.row(row).sum());
}

std::string ScoresPage::step_name() const {
  const auto step = static_cast<std::size_t>(choice.step);
  return row_name(step == 0 ? "<bos>" : writes[step - 1], writes[step]);
}

const char* score_name(int row) {
  return kScoreNames[static_cast<std::size_t>(row)];
}

std::string score_formula(int row, const ScoresPage& page) {
  const std::string scaled = "q·k / √" + std::to_string(page.head_width);
  switch (row) {
    case 0:
      return "softmax(q·k)";
    case 1:
      return "softmax(" + scaled + ")";
    case 2:
      return "max(0, " + scaled + ") / " + std::to_string(page.reads.size());
    default:
      return "softmax(v·tanh(W s + U h))";
  }
}

std::optional<ScoresPage> scores_page(const ShownRace& race, const ScoresChoice& choice) {
  if (!race.attention || !race.transformer || !race.data) return std::nullopt;
  const EncodedPair* const pair = held_out_of(race, choice.letters);
  if (pair == nullptr) return std::nullopt;
  const Config& config = race.transformer->config;
  ScoresPage page{.choice = choice, .reads = {}, .writes = {}, .weights = {}};
  page.heads = config.heads;
  page.head_width = config.head_width();
  page.choice.step = std::clamp(choice.step, 0, static_cast<int>(pair->target.size()));
  page.choice.head = std::clamp(choice.head, 0, config.heads - 1);

  const Trace transformer =
      record_trace(*race.transformer->weights, {.sources = {pair->source}, .targets = {pair->target}});
  const RecurrentTrace recurrent = trace(*race.attention, transformer.source[0], transformer.target_in[0]);
  for (const int id : transformer.source[0]) page.reads.push_back(race.data->tokenizers.source->piece(id));
  for (const int id : transformer.target_out[0])
    page.writes.push_back(race.data->tokenizers.target->piece(id));

  const std::string name =
      attention_value(AttentionKind::cross, config.decoder_layers - 1, ValueKind::dot_products);
  const Plane dots = transformer.plane(name, 0, page.choice.head);
  const std::span<const float> row(&dots.data[page.choice.step * dots.columns], page.reads.size());
  page.weights.resize(kScoreRows, std::ssize(page.reads));
  for (const ScoreFunction function : {ScoreFunction::dot, ScoreFunction::scaled_dot, ScoreFunction::relu}) {
    const std::vector<double> weights = weights_by(function, row, page.head_width);
    for (std::size_t i = 0; i < weights.size(); ++i)
      page.weights(static_cast<int>(function), static_cast<int>(i)) = static_cast<float>(weights[i]);
  }
  page.weights.row(kScoreRows - 1) = recurrent.weights.row(page.choice.step);
  return page;
}

void draw_scores(Canvas& canvas, const Rect& whole, const ScoresPage& page) {
  const Theme& theme = canvas.theme();
  const Rect content = under_sliders(canvas, whole);
  const Rect below =
      draw_heading(canvas, {content.x, content.y, content.width, kMapHeight}, "The row " + page.step_name(),
                   {.note = "weights of one step, a row a score function", .note_right = true});
  const HeatmapLayout map =
      draw_heatmap(canvas, {below.x, below.y, below.width, kMapHeight - kHeadingHeight},
                   {.values = {page.weights.data(), kScoreRows, static_cast<int>(page.reads.size())}},
                   scores_options(page));
  float y = std::max(map.bounds.bottom(), content.y + kMapHeight) + 20;
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  for (int row = 0; row < kScoreRows; ++row, y += kMeaningHeight) {
    canvas.text({content.x, y + 8}, score_name(row),
                {.font = Font::semibold, .size = 14, .color = theme.ink});
    canvas.text({content.x + kNameWidth, y + 8}, score_formula(row, page),
                {.font = Font::mono, .size = 12, .color = theme.ink});
    paragraph(canvas, {content.x + kNameWidth, y + 20}, std::min(content.width - kNameWidth, 620.0f),
              kScoreMeanings[static_cast<std::size_t>(row)], words);
  }
}

Point scores_minimum() {
  return {620, kStageTop + 48 + kMapHeight + 40 + kScoreRows * kMeaningHeight + 24};
}

std::vector<NumberTable> scores_numbers(const ScoresPage& page) {
  NumberTable table{.title = "weights by score function", .columns = page.reads};
  table.columns.emplace_back("sum");
  for (int row = 0; row < kScoreRows; ++row) {
    table.rows.emplace_back(score_name(row));
    std::vector<double>& values = table.values.emplace_back();
    for (Eigen::Index i = 0; i < page.weights.cols(); ++i)
      values.push_back(static_cast<double>(page.weights(row, i)));
    values.push_back(page.sum(row));
  }
  return {table};
}

std::string scores_caption(const ScoresPage& page) {
  return "Weights over the source of the row " + page.step_name() +
         ", by four score functions: dot, scaled dot and ReLU of head " +
         std::to_string(page.choice.head + 1) +
         " of the Transformer, additive of the recurrent model with attention.";
}

namespace {

constexpr long kScorings = 10;
constexpr double kBetweenPictures = 0.1;  // seconds

}  // namespace

RaceRunner::~RaceRunner() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void RaceRunner::start(const LengthRaceOptions& options) {
  const auto before = shown();
  if (before && before->running) return;
  if (thread_.joinable()) thread_.join();  // over by now
  stop_ = false;
  show({.options = options, .running = true, .problem = {}});
  thread_ = std::thread([this, options] {
    give_way(Patience::training);
    try {
      learn(options, {});
    } catch (const std::exception& error) {
      show({.options = options, .problem = failure_words(error)});
    }
  });
}

void RaceRunner::stop() {
  stop_ = true;
}

void RaceRunner::run(const LengthRaceOptions& options,
                     const std::function<void(const ShownRace&)>& progress) {
  learn(options, progress);
}

void RaceRunner::learn(const LengthRaceOptions& options,
                       const std::function<void(const ShownRace&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  LengthRace race(options);
  const Clock::time_point begun = Clock::now();
  Clock::time_point shown_at = begun;
  std::shared_ptr<const RecurrentModel<float>> one_vector, attention;
  std::shared_ptr<const Snapshot> transformer;
  const auto score = [&] {
    if (!race.score([this] { return !stop_; })) return false;
    one_vector = race.recurrent(Racer::one_vector);
    attention = race.recurrent(Racer::attention);
    transformer = race.transformer();
    return true;
  };
  const auto show_state = [&](bool running) {
    ShownRace now{.options = options,
                  .held_out = race.held_out(),
                  .running = running,
                  .seconds = seconds_since(begun),
                  .problem = {},
                  .one_vector = one_vector,
                  .attention = attention,
                  .transformer = transformer,
                  .data = race.shared_data()};
    for (int i = 0; i < kRacers; ++i) {
      now.racers[static_cast<std::size_t>(i)] = race.state(static_cast<Racer>(i));
      now.waits[static_cast<std::size_t>(i)] = race.steps_in_a_row(static_cast<Racer>(i));
    }
    if (progress) progress(now);
    show(std::move(now));
    shown_at = Clock::now();
  };
  const long every = std::max(1l, options.steps / kScorings);
  while (!stop_ && race.step()) {
    const long step = race.state(Racer::transformer).step;
    const bool scored = step % every == 0 && score();
    if (scored || seconds_since(shown_at) > kBetweenPictures) show_state(true);
  }
  const RacerState& last = race.state(Racer::transformer);
  if (!stop_ && last.step > 0 && last.scored_at != last.step) score();
  show_state(false);
}

std::shared_ptr<const ShownRace> RaceRunner::shown() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

void RaceRunner::show(ShownRace race) {
  auto made = std::make_shared<const ShownRace>(std::move(race));
  const std::scoped_lock lock(mutex_);
  shown_ = std::move(made);
}

}  // namespace glassformer
