#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/bottleneck/bottleneck.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

constexpr int kMeanOf = 10;
constexpr long kFewest = 5;  // held-out sentences of a length that are worth a point
constexpr float kSide = 280, kGap = 40, kLossHeight = 150, kBlock = 150, kLine = 22;

bool is_recall(const LengthRaceOptions& options) {
  return options.task == "recall";
}

Series series_of(Racer racer, const Theme& theme) {
  Series series{.label = racer_name(racer)};
  if (racer == Racer::transformer) return series;
  series.kind = CurveKind::other;
  series.color = racer == Racer::one_vector ? theme.reference : theme.query;
  series.width = 2;
  series.dash = racer == Racer::one_vector ? 6.0f : 2.0f;
  return series;
}

std::vector<double> means_of(const std::vector<double>& losses) {
  std::vector<double> means;
  for (std::size_t from = 0; from + kMeanOf <= losses.size(); from += kMeanOf) {
    double sum = 0;
    for (std::size_t i = from; i < from + kMeanOf; ++i) sum += losses[i];
    means.push_back(sum / kMeanOf);
  }
  return means;
}

void draw_losses(Canvas& canvas, const ShownRace& race, const Rect& part) {
  const Rect below = draw_heading(canvas, part, "Loss while they learn",
                                  {.note = "log, means of 10 steps", .note_right = true});
  std::vector<double> steps;
  std::array<std::vector<double>, kRacers> losses;
  for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = means_of(race.racers[i].losses);
  for (std::size_t i = 0; i < losses.back().size(); ++i)
    steps.push_back(kMeanOf * (static_cast<double>(i) + 0.5));
  if (steps.empty()) return;
  std::vector<Series> all;
  for (int i = 0; i < kRacers; ++i) {
    Series series = series_of(static_cast<Racer>(i), canvas.theme());
    series.label.clear();
    losses[static_cast<std::size_t>(i)].resize(steps.size(), std::nan(""));
    series.x = steps, series.y = losses[static_cast<std::size_t>(i)];
    all.push_back(series);
  }
  ChartOptions options;
  options.x = step_axis(0, static_cast<double>(race.options.steps), true);
  options.y = fit_axis(all, AxisKind::log, false);
  options.bottom = kTitleBottom;
  draw_line_chart(canvas, below, all, options);
}

void draw_model(Canvas& canvas, const ShownRace& race, Racer racer, const Rect& part) {
  const Theme& theme = canvas.theme();
  const RacerState& state = race.of(racer);
  const Series look = series_of(racer, theme);
  const float y = part.y + 10;
  const bool plain = look.kind == CurveKind::run;
  canvas.line({part.x, y}, {part.x + 24, y},
              {.color = plain ? theme.ink : look.color, .width = 2, .dashed = !plain, .dash = look.dash});
  canvas.text({part.x + 32, y}, racer_name(racer), {.font = Font::semibold, .size = 14, .color = theme.ink});
  const auto row = [&](int line, const std::string& name, const std::string& value) {
    const float at = y + kLine * static_cast<float>(line);
    canvas.text({part.x, at}, name, caption_style(canvas));
    canvas.text({part.right(), at}, value,
                {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right});
  };
  row(1, "weights", format_count(static_cast<long long>(state.parameters)));
  row(2, "tokens a second, learning",
      state.tokens_per_s > 0 ? format_count(static_cast<long long>(std::lround(state.tokens_per_s))) : "–");
  row(3, "written right", state.scores.empty() ? "–" : format_percent(share_right(state)));
  row(4, "steps in a row, longest sentence", std::to_string(race.waits[static_cast<std::size_t>(racer)]));
  row(5, "longest way of " + std::string(is_recall(race.options) ? "the fruit" : "a letter") + ", in states",
      std::to_string(longest_way(racer, race.options)));
}

}  // namespace

void draw_shares(Canvas& canvas, const ShownRace& race, const Rect& part) {
  const std::string length = length_word(race.options);
  const Rect below = draw_heading(canvas, part, "Written right, by " + length,
                                  {.note = "held out, five sentences or more", .note_right = true});
  std::vector<double> letters;
  std::array<std::vector<double>, kRacers> shares;
  const int shortest = race.options.shortest();
  for (int n = shortest; n <= race.options.longest; ++n) letters.push_back(n);
  std::vector<Series> all;
  for (int i = 0; i < kRacers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Series series = series_of(static_cast<Racer>(i), canvas.theme());
    for (const LengthScore& score : race.racers[at].scores)
      shares[at].push_back(score.pairs >= kFewest ? 100 * score.share() : std::nan(""));
    if (shares[at].empty()) continue;
    shares[at].resize(letters.size(), std::nan(""));
    series.x = letters, series.y = shares[at];
    series.label_at = i == 0 ? 0.75 : i == 1 ? 0.55 : 0.3;
    all.push_back(series);
  }
  ChartOptions options;
  options.x = {.low = static_cast<double>(shortest), .high = static_cast<double>(race.options.longest)};
  options.x.title = length;
  for (int n = shortest; n <= race.options.longest; ++n)
    if (n == shortest || n % 5 == 0) options.x.ticks.push_back({static_cast<double>(n), std::to_string(n)});
  options.y = {.low = 0, .high = 100};
  for (const double tick : {0.0, 25.0, 50.0, 75.0, 100.0})
    options.y.ticks.push_back({tick, format_percent(tick / 100)});
  options.labels_inside = false;
  options.bottom = kTitleBottom;
  draw_line_chart(canvas, below, all, options);
  if (all.empty()) {
    TextStyle words = caption_style(canvas);
    words.x = AlignX::center;
    canvas.text(below.center(), "Scored for the first time after a tenth of the steps.", words);
  }
}

std::string length_word(const LengthRaceOptions& options) {
  return is_recall(options) ? "sentences in between" : "letters of the sentence";
}

std::string word_word(const LengthRaceOptions& options) {
  return is_recall(options) ? "word" : "letter";
}

const char* racer_name(Racer racer) {
  switch (racer) {
    case Racer::one_vector:
      return "one vector";
    case Racer::attention:
      return "with attention";
    case Racer::transformer:
      break;
  }
  return "Transformer";
}

const char* racer_meaning(Racer racer) {
  switch (racer) {
    case Racer::one_vector:
      return "A gated recurrent unit on either side. The decoder begins with the encoder’s last state: one "
             "vector for a word and for twenty (Cho et al.).";
    case Racer::attention:
      return "The same, and before it writes the decoder mixes the states of all words read, by weights that "
             "a small network gives (Bahdanau et al.).";
    case Racer::transformer:
      break;
  }
  return "One layer on either side, four heads. Every word reads every other one directly, and all words of "
         "a sentence are learned at once.";
}

int longest_way(Racer racer, const LengthRaceOptions& options) {
  if (racer != Racer::one_vector) return 1;
  // Letter i of n: its own state and those behind it up to <eos>, n + 2 - i; then the decoder's up to the one
  // that writes it, i of them in a copy, n + 1 - i backwards.
  // The fruit is the fourth word, and is written first.
  if (is_recall(options)) return options.source_words(options.longest) - 4 + 2 + 1;
  return options.task == "copy" ? options.longest + 2 : 2 * options.longest + 1;
}

bool is_scored(const ShownRace& race) {
  return std::ranges::none_of(race.racers, [](const RacerState& each) { return each.scores.empty(); });
}

double share_right(const RacerState& racer) {
  long pairs = 0, right = 0;
  for (const LengthScore& score : racer.scores) pairs += score.pairs, right += score.right;
  return pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : std::nan("");
}

Point race_minimum() {
  return {620, kStageTop + 3 * kBlock + 24 + 52};
}

std::string task_words(const LengthRaceOptions& options) {
  const std::string upto = " to " + std::to_string(options.longest);
  if (is_recall(options)) return "answer “fruit ?” after 0" + upto + " other sentences";
  const std::string length = "1" + upto + " letters";
  return options.task == "copy" ? "write " + length + " again" : "write " + length + " backwards";
}

std::string race_subtitle(const ShownRace& race) {
  return "All three learn to " + task_words(race.options) + ", on the same batches.";
}

std::string alike_words(const ShownRace& race) {
  if (!is_scored(race)) return "";
  const double first = share_right(race.racers.front());
  const bool alike =
      std::ranges::all_of(race.racers, [&](const RacerState& each) { return share_right(each) == first; });
  if (!alike) return "";
  return "All three write the same share right, " + format_percent(first) +
         ": they part with a narrower vector, a longer way or fewer steps.";
}

std::string race_caption(const ShownRace& race) {
  if (!is_scored(race))
    return "One vector, attention and a Transformer, learning one task: nothing is scored yet.";
  const std::string alike = alike_words(race);
  return "Share of held-out sentences written right, by " + length_word(race.options) + ", after " +
         format_count(race.of(Racer::transformer).scored_at) + " steps of learning to " +
         task_words(race.options) + (alike.empty() ? "." : ". " + alike);
}

void draw_race(Canvas& canvas, const ShownRace& race, const Rect& area, float reserved) {
  const Rect content = draw_stage_title(canvas, area, kRaceTitle, race_subtitle(race), reserved);
  const float left = content.width - kSide - kGap;
  const float loss = std::clamp(content.height * 0.34f, kLossHeight, 240.0f);
  draw_shares(canvas, race, {content.x, content.y, left, content.height - loss - 12});
  draw_losses(canvas, race, {content.x, content.bottom() - loss, left, loss});
  const float x = content.right() - kSide;
  for (int i = 0; i < kRacers; ++i)
    draw_model(canvas, race, static_cast<Racer>(i),
               {x, content.y + kBlock * static_cast<float>(i), kSide, kBlock});
  const Theme& theme = canvas.theme();
  const long step = race.of(Racer::transformer).step;
  const std::string state = (race.running ? "step " : "stopped at step ") + format_count(step) + " of " +
                            format_count(race.options.steps);
  const std::string words = step == race.options.steps && !race.running
                                ? format_count(step) + " steps, " + format_fixed(race.seconds, 0) + " s"
                                : state;
  canvas.text({x, content.y + 3 * kBlock + 4}, words, {.size = 12, .color = theme.second_text});
}

// The three models as drawings: what hands a word of the source on to where it is written.
namespace {

constexpr int kWords = 4;
constexpr float kBox = 18, kRows = 84, kColumnGap = 28, kLongest = 52;

Point word_at(const Rect& part, int word, bool target) {
  const float step = std::min(44.0f, (part.width - kBox) / (2 * kWords + 1));
  const float x = part.x + kBox / 2 + step * static_cast<float>(word + (target ? kWords + 1 : 0));
  return {x, part.y + (target ? kBox / 2 : kRows - kBox / 2)};
}

void draw_words(Canvas& canvas, const Rect& part, bool target) {
  const Theme& theme = canvas.theme();
  for (int word = 0; word < kWords; ++word) {
    const Point at = word_at(part, word, target);
    canvas.rectangle({at.x - kBox / 2, at.y - kBox / 2, kBox, kBox},
                     {.fill = theme.panel, .outline = theme.ink, .outline_width = 1.5f, .radius = 4});
  }
}

void draw_chain(Canvas& canvas, const Rect& part, bool target) {
  for (int word = 0; word + 1 < kWords; ++word) {
    const Point from = word_at(part, word, target), to = word_at(part, word + 1, target);
    canvas.line({from.x + kBox / 2, from.y}, {to.x - kBox / 2, to.y},
                {.color = canvas.theme().ink, .width = 1.5f});
  }
}

void draw_links(Canvas& canvas, const Rect& part, bool from_all) {
  const Theme& theme = canvas.theme();
  for (int from = 0; from < kWords; ++from)
    for (int to = 0; to < kWords; ++to) {
      if (!from_all && (from != kWords - 1 || to != 0)) continue;
      const Point a = word_at(part, from, false), b = word_at(part, to, true);
      canvas.line({a.x, a.y - kBox / 2}, {b.x, b.y + kBox / 2},
                  {.color = from_all ? theme.control : theme.reference, .width = from_all ? 1.0f : 3.0f});
    }
}

void draw_one(Canvas& canvas, Racer racer, const Rect& part) {
  const Theme& theme = canvas.theme();
  canvas.text({part.x, part.y + 10}, racer_name(racer),
              {.font = Font::semibold, .size = 14, .color = theme.ink});
  const Rect picture{part.x, part.y + 34, part.width, kRows};
  if (racer != Racer::one_vector) draw_links(canvas, picture, true);
  if (racer != Racer::transformer) {
    draw_links(canvas, picture, false);
    draw_chain(canvas, picture, false);
    draw_chain(canvas, picture, true);
  }
  draw_words(canvas, picture, false);
  draw_words(canvas, picture, true);
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  paragraph(canvas, {part.x, picture.bottom() + 14}, part.width, racer_meaning(racer), words);
}

}  // namespace

Point models_minimum() {
  return {620, kStageTop + 34 + kRows + 230 + kLongest};
}

Rect longest_slider(const Rect& content) {
  const float width = std::min(280.0f, content.width);
  return {content.right() - width, content.bottom() - kLongest + 8, width, kLongest - 8};
}

void draw_models(Canvas& canvas, const Rect& content) {
  const float width = std::min(300.0f, (content.width - 2 * kColumnGap) / kRacers);
  for (int i = 0; i < kRacers; ++i)
    draw_one(canvas, static_cast<Racer>(i),
             {content.x + static_cast<float>(i) * (width + kColumnGap), content.y, width, content.height});
}

}  // namespace glassformer
