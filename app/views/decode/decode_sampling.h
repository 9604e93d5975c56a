// What the sampling page of the Decode view shows: the distribution that a place is drawn from under the
// page's settings, and sentences drawn with them, made aside under the Scene's changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "engine/decode/choices.h"

namespace glassformer {

struct SamplingSettings {
  double temperature = 1;
  int top_k = 0;  // 0 keeps all
  double top_p = 1;
  bool operator==(const SamplingSettings&) const = default;
};

// Of which decoding; the keys keep model and trace alive.
struct PlacesKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  std::vector<int> written = {};
  bool operator==(const PlacesKey&) const = default;
};
// log p of every token at every place of the Scene's decoding, after the words it wrote before.
struct PlaceDistributions {
  std::vector<std::vector<double>> log_probabilities;  // (places, V_t)
};
struct SamplesKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  SamplingSettings settings = {};
  std::uint64_t first_seed = 1;
  bool operator==(const SamplesKey&) const = default;
};
struct Samples {
  SamplesKey key;
  DecodeResult greedy;
  std::vector<DecodeResult> drawn;  // of first_seed and the seeds after it
};

inline constexpr int kSamples = 5;

// What the page remembers; copies of a view share what was computed.
struct SamplingState {
  SamplingSettings own = {}, seen = {};  // own: the page's; seen: the Scene's when own was chosen
  std::optional<std::uint64_t> first_seed = {};
  std::shared_ptr<Background<PlacesKey, PlaceDistributions>> places =
      std::make_shared<Background<PlacesKey, PlaceDistributions>>();
  std::shared_ptr<Background<SamplesKey, Samples>> samples =
      std::make_shared<Background<SamplesKey, Samples>>();

  bool busy() const { return places->busy() || samples->busy(); }
};

SamplingSettings settings_of(const DecodeOptions& options);
DecodeOptions sampling_options(const DecodeOptions& scene, const SamplingSettings& settings,
                               std::uint64_t seed);

struct SamplingScene {
  const ViewInput& input;
  SamplingSettings settings;
  std::uint64_t first_seed = 1;
  int step = 0;                         // the place that is explained, of the Scene's decoding
  bool forced = false;                  // its word is forced, not chosen
  std::vector<TokenShare> shares = {};  // of that place, best first; empty: being computed, or no place
  std::shared_ptr<const Samples> samples = {};  // null: being drawn

  const std::vector<int>& written() const { return input.result.decoding.ids; }
  int places() const { return static_cast<int>(written().size()); }
  bool is_scenes(std::uint64_t seed) const;  // the Scene's own decoding is drawn so, with this seed
};
SamplingScene sampling_scene(const ViewInput& input, const SamplingState& state, bool at_once);

// One sentence for each setting of what it does to the numbers shown.
struct SettingWords {
  std::string heading, text;
};
std::vector<SettingWords> setting_words(const SamplingScene& scene);
// Where a sentence was drawn by numbers that are not finite, a sentence; empty: none was.
std::string not_finite_words(const SamplingScene& scene);
std::string settings_words(const SamplingSettings& settings);  // "temperature 1.00, top-k off, top-p off"
std::string fate_word(ShareFate fate);                         // "top-k"; empty: it is drawn from

}  // namespace glassformer
