// What the sampling page says outside its picture: the inspector, the numbers for a file, the caption; and
// its controls.
#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/decode/decode_sampling_page.h"
#include "app/views/decode/decode_scene.h"
#include "app/widgets/colormap.h"

namespace glassformer {

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
    ui.Slider({x, at.controls.y, 110, 32}, label, value, options);
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
  if (ui.Button({at.samples.right() - width, at.samples.y - 4, width, 32}, "Other seeds")) {
    state.first_seed = scene.first_seed + kSamples;
    ui.ask_frame(0);
  }

  if (ui.field_active() || ui.popup_open() || ui.shift() || scene.places() == 0) return;
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
  if (share->fate != ShareFate::drawn) way.text = "Cut by " + fate_word(share->fate) + ".";
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
