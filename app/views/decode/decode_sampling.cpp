#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/colormap.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

// Done within a frame.
bool draws_at_once(const ViewInput& input, int sentences) {
  const auto words = static_cast<double>(input.result.trace->source.front().size() +
                                         std::max<std::size_t>(8, input.result.decoding.ids.size()));
  return static_cast<double>(parameter_count(input.snapshot.config)) * words * sentences < 1e8;
}

// The beginning that is not chosen.
int forced_words(const Scene& scene) {
  const std::vector<int>& own = scene.decode.forced;
  return static_cast<int>(own.empty() ? forced_beginning(scene.what_if).size() : own.size());
}

std::shared_ptr<const PlaceDistributions> places_of(const ViewInput& input, const SamplingState& state,
                                                    bool at_once) {
  const SceneResult& result = input.result;
  const PlacesKey key{result.untouched_snapshot, result.trace, result.decoding.ids};
  const auto make = [key, scene = result.scene, source = result.trace->source.front()] {
    const ChangedModel<float> model(*key.model->weights, scene.what_if, scene.substitutes);
    // The words that were written, written once more.
    DecodeOptions options;
    options.forced = key.written;
    options.max_length = static_cast<int>(key.written.size()) + 1;
    options.alternatives = key.model->config.target_vocab;
    PlaceDistributions places;
    const DecodeResult again = decode(model, {source}, options).front();
    for (const DecodeStep& step : again.steps) {
      auto& row = places.log_probabilities.emplace_back(step.top.size());
      for (const Candidate& each : step.top) row[static_cast<std::size_t>(each.id)] = each.log_probability;
    }
    return places;
  };
  const auto found = state.places->get(key, at_once || draws_at_once(input, 1), make);
  return found.current ? found.value : nullptr;
}

std::shared_ptr<const Samples> samples_of(const ViewInput& input, const SamplingState& state,
                                          const SamplesKey& key, bool at_once) {
  const auto make = [key, scene = input.result.scene, source = input.result.trace->source.front()] {
    const ChangedModel<float> model(*key.model->weights, scene.what_if, scene.substitutes);
    Samples samples{.key = key, .greedy = {}, .drawn = {}};
    DecodeOptions greedy = scene.decode;
    greedy.search = Search::greedy;
    samples.greedy = decode(model, {source}, greedy).front();
    for (int i = 0; i < kSamples; ++i) {
      const std::uint64_t seed = key.first_seed + static_cast<std::uint64_t>(i);
      samples.drawn.push_back(
          decode(model, {source}, sampling_options(scene.decode, key.settings, seed)).front());
    }
    return samples;
  };
  const auto found = state.samples->get(key, at_once || draws_at_once(input, kSamples + 1), make);
  // Those of other settings stay meanwhile, never those of another sentence.
  return found.value && found.key.trace == key.trace && found.key.model == key.model ? found.value : nullptr;
}

// The one that is pinned, or where nobody points, the one the model was least sure of.
int chosen_place(const ViewInput& input, int forced) {
  const std::vector<DecodeStep>& steps = input.result.decoding.steps;
  const int count = static_cast<int>(input.result.decoding.ids.size());
  if (count == 0) return 0;
  if (input.pinned.query) return std::clamp(*input.pinned.query, 0, count - 1);
  int least = std::min(forced, count - 1);
  const auto surest = [&](int place) {
    const auto& top = steps[static_cast<std::size_t>(place)].top;
    return top.empty() ? 0.0 : top.front().log_probability;
  };
  for (int place = least + 1; place < std::min(count, static_cast<int>(steps.size())); ++place)
    if (surest(place) < surest(least)) least = place;
  return least;
}

std::string words_count(std::size_t count) {
  return format_count(static_cast<long long>(count)) + (count == 1 ? " word" : " words");
}

std::string temperature_words(const SamplingScene& scene) {
  const SamplingSettings& now = scene.settings;
  const TokenShare& best = scene.shares.front();
  const std::string word = "“" + target_word(scene.input, best.id) + "”";
  if (now.temperature <= 0) return "The likeliest word, " + word + ", is always taken: nothing is drawn.";
  if (now.temperature == 1)
    return "The probabilities stay as the model gives them: " + word + " has " +
           format_fixed(best.before, 3) + ".";
  return "Every log p is divided by " + format_fixed(now.temperature, 2) +
         (now.temperature < 1 ? ", which drives the words apart: " : ", which brings the words closer: ") +
         word + " goes from " + format_fixed(best.before, 3) + " to " + format_fixed(best.tempered, 3) + ".";
}

}  // namespace

SamplingSettings settings_of(const DecodeOptions& options) {
  return {options.temperature, options.top_k, options.top_p};
}

DecodeOptions sampling_options(const DecodeOptions& scene, const SamplingSettings& settings,
                               std::uint64_t seed) {
  DecodeOptions options = scene;
  options.search = Search::sampling;
  options.temperature = settings.temperature;
  options.top_k = settings.top_k;
  options.top_p = settings.top_p;
  options.seed = seed;
  return options;
}

bool SamplingScene::is_scenes(std::uint64_t seed) const {
  const DecodeOptions& scene = input.result.scene.decode;
  return scene.search == Search::sampling && settings_of(scene) == settings && scene.seed == seed;
}

SamplingScene sampling_scene(const ViewInput& input, const SamplingState& state, bool at_once) {
  const DecodeOptions& decoding = input.result.scene.decode;
  const SamplingSettings scenes = settings_of(decoding);
  const std::uint64_t seed = std::max<std::uint64_t>(decoding.seed, 1), block = kSamples;
  SamplingScene scene{.input = input,
                      .settings = scenes == state.seen ? state.own : scenes,
                      .first_seed = state.first_seed.value_or((seed - 1) / block * block + 1)};
  const int forced = forced_words(input.result.scene);
  scene.step = chosen_place(input, forced);
  scene.forced = scene.step < forced;
  const auto places = places_of(input, state, at_once);
  if (places && scene.step < std::ssize(places->log_probabilities)) {
    std::vector<double> logits = places->log_probabilities[static_cast<std::size_t>(scene.step)];
    for (const int id : input.snapshot.config.forbidden_ids)
      logits[static_cast<std::size_t>(id)] = -std::numeric_limits<double>::infinity();
    scene.shares =
        token_shares(std::span<const double>(logits), sampling_options(decoding, scene.settings, seed));
  }
  const SamplesKey key{input.result.untouched_snapshot, input.result.trace, scene.settings, scene.first_seed};
  scene.samples = samples_of(input, state, key, at_once);
  return scene;
}

std::string fate_word(ShareFate fate) {
  switch (fate) {
    case ShareFate::drawn:
      return {};
    case ShareFate::not_allowed:
      return "not allowed";
    case ShareFate::cut_by_temperature:
      return "temperature";
    case ShareFate::cut_by_top_k:
      return "top-k";
    case ShareFate::cut_by_top_p:
      return "top-p";
  }
  return {};
}

std::string settings_words(const SamplingSettings& settings) {
  return "temperature " + format_fixed(settings.temperature, 2) + ", top-k " +
         (settings.top_k == 0 ? "off" : std::to_string(settings.top_k)) + ", top-p " +
         (settings.top_p >= 1 ? "off" : format_fixed(settings.top_p, 2));
}

std::vector<SettingWords> setting_words(const SamplingScene& scene) {
  if (scene.shares.empty()) return {};
  const SamplingSettings& now = scene.settings;
  double after_k = 0, kept = 0;
  std::size_t by_k = 0, by_p = 0, drawn = 0;
  for (const TokenShare& share : scene.shares) {
    by_k += share.fate == ShareFate::cut_by_top_k ? 1 : 0;
    by_p += share.fate == ShareFate::cut_by_top_p ? 1 : 0;
    drawn += share.fate == ShareFate::drawn ? 1 : 0;
    if (share.fate != ShareFate::cut_by_top_k) after_k += share.tempered;
    if (share.fate == ShareFate::drawn) kept += share.tempered;
  }
  const std::size_t all = scene.shares.size();
  const std::string idle = "At temperature 0 it changes nothing.";
  std::string k = "All " + words_count(all) + " may be drawn; all but the likeliest have " +
                  format_fixed(1 - scene.shares.front().tempered, 3) + " together.";
  if (now.temperature <= 0)
    k = idle;
  else if (now.top_k > 0 && by_k == 0)
    k = "The vocabulary has no more than " + words_count(all) + ": none is cut.";
  else if (now.top_k > 0)
    k = "The likeliest " + words_count(all - by_k) + " may stay, " + format_fixed(after_k, 3) +
        " of the whole; " + words_count(by_k) + (by_k == 1 ? " is cut." : " are cut.");
  std::string p = "None of these is cut.";
  if (now.temperature <= 0)
    p = idle;
  else if (now.top_p < 1)
    p = "The fewest that together have at least " + format_fixed(now.top_p, 2) + ": " + words_count(drawn) +
        " with " + format_fixed(kept / after_k, 3) + "; " + words_count(by_p) +
        (by_p == 1 ? " is cut." : " are cut.");
  return {{"Temperature " + format_fixed(now.temperature, 2), temperature_words(scene)},
          {"Top-k " + (now.top_k == 0 ? std::string("off") : std::to_string(now.top_k)), k},
          {"Top-p " + (now.top_p >= 1 ? std::string("off") : format_fixed(now.top_p, 2)), p}};
}

// What the sampling page says outside its picture: the inspector, the numbers for a file, the caption; and
// its controls.
namespace {

const TokenShare* share_of(const SamplingScene& scene, int id) {
  const auto found = std::ranges::find(scene.shares, id, &TokenShare::id);
  return found == scene.shares.end() ? nullptr : &*found;
}

}  // namespace

void sampling_controls(ui::Ui& ui, const Rect& area, const SamplingScene& scene, SamplingState& state) {
  const SamplingLayout at = layout_sampling(area);
  const TextStyle name{.size = 14, .color = ui.theme().ink};
  const TextStyle mono{.font = Font::mono, .size = 14, .color = ui.theme().ink};
  SamplingSettings now = scene.settings;
  float x = at.controls.x;
  const float y = at.controls.center().y;
  const auto slider = [&](const char* label, double& value, const ui::SliderOptions& options,
                          const auto& shown) {
    ui.canvas().text({x, y}, label, name);
    x += ui.text_width(label) + 16;
    Slider(ui, {x, at.controls.y, 110, 32}, label, value, options);
    ui.canvas().text({x + 126, y}, shown(value), mono);
    ui.note({x + 120, at.controls.y, 44, 32}, std::string(label) + " now", shown(value));
    x += 126 + 54;
  };
  slider("Temperature", now.temperature, {.minimum = 0, .maximum = 2, .step = 0.05},
         [](double value) { return format_fixed(value, 2); });
  double top_k = now.top_k;
  slider("Top-k", top_k, {.minimum = 0, .maximum = 50, .step = 1},
         [](double value) { return value < 0.5 ? std::string("off") : format_fixed(value, 0); });
  now.top_k = static_cast<int>(std::lround(top_k));
  slider("Top-p", now.top_p, {.minimum = 0.05, .maximum = 1, .step = 0.05},
         [](double value) { return value >= 1 ? std::string("off") : format_fixed(value, 2); });
  // A multiple of the step may lie beside the whole.
  if (std::abs(now.top_p - 1) < 1e-6) now.top_p = 1;
  if (std::abs(now.temperature - 1) < 1e-6) now.temperature = 1;
  if (now != scene.settings) {
    state.own = now;
    state.seen = settings_of(scene.input.result.scene.decode);
    ui.ask_frame(0);
  }
  const float width = ui.button_width("Other seeds");
  if (Button(ui, {at.samples.right() - width, at.samples.y - 4, width, 32}, "Other seeds")) {
    state.first_seed = scene.first_seed + kSamples;
    ui.ask_frame(0);
  }

  if (ui.field_active() || ui.popup.is_open() || ui.shift() || scene.places() == 0) return;
  int step = scene.step;
  if (ui.pressed(ui::Key::left)) --step;
  if (ui.pressed(ui::Key::right)) ++step;
  step = std::clamp(step, 0, scene.places() - 1);
  if (step != scene.step) ui.push(SetPin{at_step(scene.input.pinned, step)});
}

std::optional<InspectorPage> sampling_page(const SamplingScene& scene) {
  if (scene.shares.empty()) return std::nullopt;
  const int id = scene.written()[static_cast<std::size_t>(scene.step)];
  const TokenShare* share = share_of(scene, id);
  if (!share) return std::nullopt;
  InspectorPage page;
  page.caption = "Share at step " + std::to_string(scene.step + 1);
  page.subject = "of **" + target_word(scene.input, id) + "**, which was written here";
  if (std::isfinite(share->after)) page.swatch = cividis(share->after);
  page.value = format_pinned(share->after);
  page.full_value = format_full(share->after);
  InspectorSection way{.heading = "From probability to share"};
  way.rows = {{.label = "log p", .value = format_fixed(std::log(share->before), 3)},
              {.label = "p", .value = format_pinned(share->before), .share = share->before},
              {.label = "tempered", .value = format_pinned(share->tempered), .share = share->tempered},
              {.label = "after the cuts",
               .value = format_pinned(share->after),
               .share = share->after,
               .emphasized = true}};
  if (share->fate == ShareFate::not_allowed)
    way.text = "Not allowed: the model’s settings forbid it in a translation.";
  else if (share->fate != ShareFate::drawn)
    way.text = "Cut by " + fate_word(share->fate) + ".";
  page.sections = {way};
  page.meaning = scene.forced
                     ? "This word is forced: it stands here whatever its share."
                     : "With these settings the word is drawn with this probability, after the same words.";
  return page;
}

std::vector<NumberTable> sampling_numbers(const SamplingScene& scene) {
  NumberTable shares{.title = "probability of every word at step " + std::to_string(scene.step + 1) + " (" +
                              settings_words(scene.settings) + ")",
                     .columns = {"before", "after the temperature", "after the cuts"}};
  for (const TokenShare& share : scene.shares) {
    shares.rows.push_back(target_word(scene.input, share.id));
    shares.values.push_back({share.before, share.tempered, share.after});
  }
  NumberTable sums{.title = "samples", .columns = {"seed", "words", "sum of log p"}};
  NumberTable words{.title = "words of the samples", .columns = {"seed", "step", "log p"}};
  if (!scene.samples) return {shares, sums, words};
  for (std::size_t i = 0; i < scene.samples->drawn.size(); ++i) {
    const DecodeResult& drawn = scene.samples->drawn[i];
    const auto seed = static_cast<double>(scene.samples->key.first_seed + i);
    sums.rows.push_back(target_text(scene.input, drawn.ids));
    sums.values.push_back({seed, static_cast<double>(drawn.ids.size()), drawn.score});
    for (std::size_t step = 0; step < drawn.ids.size(); ++step) {
      words.rows.push_back(target_word(scene.input, drawn.ids[step]));
      words.values.push_back({seed, static_cast<double>(step + 1), drawn.log_probabilities[step]});
    }
  }
  return {shares, sums, words};
}

std::string not_finite_words(const SamplingScene& scene) {
  const auto broken = [](const DecodeResult& each) { return !std::isfinite(each.score); };
  if (!scene.samples ||
      (!broken(scene.samples->greedy) && std::ranges::none_of(scene.samples->drawn, broken)))
    return {};
  return "The model’s numbers are not finite in some of these sentences: their words are not drawn by "
         "shares.";
}

std::string sampling_caption(const SamplingScene& scene) {
  std::string text =
      "Sampling for “" + scene.input.result.source_read + "” with " + settings_words(scene.settings) + ".";
  if (const std::string broken = not_finite_words(scene); !broken.empty()) return text + " " + broken;
  if (!scene.shares.empty()) {
    const auto drawn = std::ranges::count(scene.shares, ShareFate::drawn, &TokenShare::fate);
    const TokenShare& best = scene.shares.front();
    text += " At step " + std::to_string(scene.step + 1) + ", " + format_count(drawn) + " of " +
            format_count(static_cast<long long>(scene.shares.size())) + " words are drawn from; “" +
            target_word(scene.input, best.id) + "” has " + format_fixed(best.before, 3) + " before and " +
            format_fixed(best.after, 3) + " after.";
    const TokenShare rest = others_share(scene);
    if (others_count(scene) > 0)
      text += " The " + format_count(others_count(scene)) + " behind the first " +
              format_count(bars_shown(scene)) + " have together " + format_fixed(rest.before, 3) +
              " before and " + format_fixed(rest.after, 3) + " after.";
  }
  if (!scene.samples) return text;
  int same = 0;
  for (const DecodeResult& drawn : scene.samples->drawn)
    same += drawn.ids == scene.samples->greedy.ids ? 1 : 0;
  return text + " Of the samples of the seeds " + std::to_string(scene.samples->key.first_seed) + " to " +
         std::to_string(scene.samples->key.first_seed + kSamples - 1) + ", " + std::to_string(same) +
         (same == 1 ? " is" : " are") + " what greedy search writes, whose sum of log p is " +
         format_fixed(scene.samples->greedy.score, 3) + ".";
}

}  // namespace glassformer
