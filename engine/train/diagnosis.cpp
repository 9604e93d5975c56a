#include "engine/train/diagnosis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/analysis/block_study.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/place_words.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"
#include "engine/train/step_series.h"

namespace glassformer {

namespace {

constexpr double kSaturated = 0.99;
constexpr std::size_t kMostLooks = 400;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

using Numbers = Eigen::Map<const Eigen::Array<float, Eigen::Dynamic, 1>>;

Numbers numbers(const Parameter<const float>& tensor) {
  return Numbers(tensor.data, static_cast<Eigen::Index>(tensor.size()));
}

std::size_t embedding_parts(const Config& config) {
  return config.sharing == Sharing::all ? 1 : 2;
}

int length(const std::vector<std::vector<int>>& rows, int sentence) {
  return static_cast<int>(rows[static_cast<std::size_t>(sentence)].size());
}

HeadLook look_at_head(const Trace& trace, const ValueName& name, int head) {
  const bool decoder = !name.encoder, causal = attention_of(name) == AttentionKind::decoder;
  const std::string weights_name = written(name, ValueKind::weights);
  double entropy = 0;
  long rows = 0, saturated = 0;
  for (int sentence = 0; sentence < static_cast<int>(trace.source.size()); ++sentence) {
    const Plane weights = trace.plane(weights_name, sentence, head);
    const int queries = length(decoder ? trace.target_in : trace.source, sentence);
    for (int row = 0; row < queries; ++row) {
      const int keys = causal ? row + 1 : length(trace.source, sentence);
      if (keys < 2) continue;
      double sum = 0, all = 0;
      float largest = 0;
      for (int key = 0; key < keys; ++key) {
        const float weight = weights(row, key);
        largest = std::max(largest, weight);
        all += static_cast<double>(weight);
        if (weight > 0) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
      }
      if (all == 0) continue;  // a ReLU's row may read nothing
      // Of the row's shares, whatever it adds up to: with w = p · all, −Σ p ln p = (−Σ w ln w) / all + ln
      // all.
      entropy += (sum / all + std::log(all)) / std::log(static_cast<double>(keys));
      if (static_cast<double>(largest) > kSaturated * all) ++saturated;
      ++rows;
    }
  }
  if (rows == 0) return {kUnknown, kUnknown};
  const auto all = static_cast<double>(rows);
  return {static_cast<float>(std::clamp(entropy / all, 0.0, 1.0)),
          static_cast<float>(static_cast<double>(saturated) / all)};
}

float silent_share(const Trace& trace, const ValueName& name) {
  const std::string hidden = written(name, ValueKind::hidden);
  const bool decoder = !name.encoder;
  std::vector<bool> fires(static_cast<std::size_t>(trace.at(hidden).columns()));
  for (int sentence = 0; sentence < static_cast<int>(trace.source.size()); ++sentence) {
    Plane real = trace.plane(hidden, sentence);
    real.rows = length(decoder ? trace.target_in : trace.source, sentence);
    const std::vector<UnitActivity> units = unit_activity(real);
    for (std::size_t i = 0; i < units.size(); ++i)
      if (units[i].firing > 0) fires[i] = true;
  }
  const auto silent = std::count(fires.begin(), fires.end(), false);
  return static_cast<float>(silent) / static_cast<float>(fires.size());
}

}  // namespace

std::size_t part_of(const std::string& tensor, const Config& config) {
  const std::size_t embeddings = embedding_parts(config);
  const auto encoders = static_cast<std::size_t>(config.encoder_layers),
             decoders = static_cast<std::size_t>(config.decoder_layers);
  const ValueName name = *read_name(tensor);
  const std::size_t stack = name.encoder ? embeddings : embeddings + encoders;
  if (in_layer(name.block)) return stack + static_cast<std::size_t>(name.layer);
  if (name.block == BlockKind::final_norm) return stack + (name.encoder ? encoders : decoders) - 1;
  if (name.encoder) return 0;
  const bool own_output = name.block == BlockKind::output && config.sharing == Sharing::none;
  return own_output ? embeddings + encoders + decoders : embeddings - 1;
}

DiagnosedPlaces diagnosed_places(const Config& config) {
  DiagnosedPlaces places;
  places.parts = embedding_parts(config) == 1
                     ? std::vector<std::string>{"embedding"}
                     : std::vector<std::string>{"source embedding", "target embedding"};
  if (embedding_parts(config) == 2)
    places.part_blocks.push_back({BlockKind::embedding, ValueKind::whole, true});
  places.part_blocks.push_back({BlockKind::embedding});
  std::vector<ValueName> cross;
  for (const bool decoder : {false, true}) {
    const std::string stack = decoder ? "decoder" : "encoder";
    for (int i = 0; i < (decoder ? config.decoder_layers : config.encoder_layers); ++i) {
      places.parts.push_back(stack + " " + layer_words(i));
      places.part_blocks.push_back({BlockKind::layer, ValueKind::whole, !decoder, i});
      places.attentions.push_back({BlockKind::self_attention, ValueKind::whole, !decoder, i});
      if (decoder) cross.push_back({BlockKind::cross_attention, ValueKind::whole, false, i});
      if (!feed_forward_traits(config.feed_forward).gated)
        places.feed_forwards.push_back({BlockKind::feed_forward, ValueKind::whole, !decoder, i});
    }
  }
  places.attentions.insert(places.attentions.end(), cross.begin(), cross.end());
  if (config.sharing == Sharing::none) {
    places.parts.emplace_back("output");
    places.part_blocks.push_back({BlockKind::output});
  }
  return places;
}

bool fits(const Diagnosis& diagnosis, const Config& config) {
  const DiagnosedPlaces places = diagnosed_places(config);
  const std::size_t heads = places.attentions.size() * static_cast<std::size_t>(config.heads);
  return std::ranges::all_of(diagnosis.looks, [&](const Look& look) {
    return look.gradient_norms.size() == places.parts.size() &&
           look.update_ratios.size() == places.parts.size() && look.heads.size() == heads &&
           look.silent.size() == places.feed_forwards.size();
  });
}

Look look_at(const Trace& trace, const Config& config) {
  const DiagnosedPlaces places = diagnosed_places(config);
  Look look;
  for (const ValueName& attention : places.attentions)
    for (int head = 0; head < config.heads; ++head)
      look.heads.push_back(look_at_head(trace, attention, head));
  for (const ValueName& feed_forward : places.feed_forwards)
    look.silent.push_back(silent_share(trace, feed_forward));
  return look;
}

std::vector<float> part_norms(const Transformer<float>& gradient) {
  std::vector<double> squares(diagnosed_places(gradient.config).parts.size());
  gradient.visit([&](const std::string& name, const Parameter<const float>& tensor) {
    squares[part_of(name, gradient.config)] += numbers(tensor).cast<double>().square().sum();
  });
  std::vector<float> norms;
  for (const double sum : squares) norms.push_back(static_cast<float>(std::sqrt(sum)));
  return norms;
}

std::vector<float> update_ratios(const Transformer<float>& before, const Transformer<float>& after) {
  std::vector<Parameter<const float>> old;
  before.visit([&](const std::string&, const Parameter<const float>& tensor) { old.push_back(tensor); });
  const std::size_t parts = diagnosed_places(after.config).parts.size();
  std::vector<double> moved(parts), size(parts);
  std::size_t next = 0;
  after.visit([&](const std::string& name, const Parameter<const float>& tensor) {
    const std::size_t part = part_of(name, after.config);
    const Numbers was = numbers(old[next++]);
    moved[part] += (numbers(tensor) - was).cast<double>().square().sum();
    size[part] += was.cast<double>().square().sum();
  });
  std::vector<float> ratios;
  for (std::size_t i = 0; i < parts; ++i)
    ratios.push_back(size[i] > 0 ? static_cast<float>(std::sqrt(moved[i] / size[i])) : kUnknown);
  return ratios;
}

bool wants_look(const Diagnosis& diagnosis, long step, long validate_every) {
  return std::has_single_bit(static_cast<unsigned long>(step)) ||
         step % (validate_every * diagnosis.stride) == 0;
}

void add_look(Diagnosis& diagnosis, Look look, long validate_every) {
  diagnosis.looks.push_back(std::move(look));
  while (diagnosis.looks.size() > kMostLooks) {
    diagnosis.stride *= 2;
    std::erase_if(diagnosis.looks,
                  [&](const Look& each) { return !wants_look(diagnosis, each.step, validate_every); });
  }
}

namespace {

constexpr long kMostSteps = 1'000'000'000'000, kMostStride = 1'000'000'000;
constexpr double kMostFloat = 3.4028235e38;  // as the largest float is spelled

const nlohmann::json& list(const nlohmann::json& json, const std::string& what, const std::string& where) {
  if (!json.is_array()) throw Error(where, what + " is " + shown(json) + ", expected a list");
  return json;
}

// One column: a row of numbers for each look, all equally long.
class Column {
 public:
  Column(const nlohmann::json& json, const char* key, std::size_t looks, const std::string& where)
      : name_("the column \"" + std::string(key) + "\" of the looks"), where_(where) {
    const auto found = json.find(key);
    if (found == json.end()) throw Error(where, name_ + " is missing");
    rows_ = &list(*found, name_, where);
    if (rows_->size() != looks)
      throw Error(where, name_ + " has " + std::to_string(rows_->size()) + " entries, expected " +
                             std::to_string(looks));
  }

  // The numbers of one look, from 0 to `most`; null is NaN.
  std::vector<float> row(std::size_t look, double most) const {
    const nlohmann::json& row = list((*rows_)[look], "an entry of " + name_, where_);
    if (row.size() != rows_->front().size()) throw Error(where_, name_ + " has entries of unequal length");
    std::vector<float> numbers;
    for (const nlohmann::json& value : row) {
      if (!value.is_null() && !(value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most))
        throw Error(where_, name_ + " holds " + shown(value) + ", expected a number from 0 to " +
                                nlohmann::json(most).dump());
      numbers.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN()
                                        : static_cast<float>(value.get<double>()));
    }
    return numbers;
  }

 private:
  std::string name_, where_;
  const nlohmann::json* rows_ = nullptr;
};

nlohmann::json short_numbers(const std::vector<float>& values) {
  auto row = nlohmann::json::array();
  for (const float value : values) row.push_back(short_number(value));
  return row;
}

}  // namespace

nlohmann::json to_json(const Diagnosis& diagnosis) {
  const auto empty = nlohmann::json::array();
  nlohmann::json json = {{"stride", diagnosis.stride}};
  auto &steps = json["steps"] = empty, &norms = json["gradient_norms"] = empty,
       &ratios = json["update_ratios"] = empty, &entropy = json["entropy"] = empty,
       &saturation = json["saturation"] = empty, &silent = json["silent_units"] = empty;
  for (const Look& look : diagnosis.looks) {
    std::vector<float> entropies, saturations;
    for (const HeadLook& head : look.heads) {
      entropies.push_back(head.entropy);
      saturations.push_back(head.saturation);
    }
    steps.push_back(look.step);
    norms.push_back(short_numbers(look.gradient_norms));
    ratios.push_back(short_numbers(look.update_ratios));
    entropy.push_back(short_numbers(entropies));
    saturation.push_back(short_numbers(saturations));
    silent.push_back(short_numbers(look.silent));
  }
  return json;
}

Diagnosis diagnosis_from_json(const nlohmann::json& json, const std::string& where) try {
  if (!json.is_object()) throw Error(where, "expected an object of looks");
  Diagnosis diagnosis;
  diagnosis.stride = whole<long>(json.at("stride"), where, "\"stride\"", 1, kMostStride);
  const nlohmann::json& steps = list(json.at("steps"), "the column \"steps\" of the looks", where);
  const std::size_t size = steps.size();
  const Column norms(json, "gradient_norms", size, where), ratios(json, "update_ratios", size, where),
      entropy(json, "entropy", size, where), saturation(json, "saturation", size, where),
      silent(json, "silent_units", size, where);
  long before = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Look look{.step = whole<long>(steps[i], where, "a step that was looked at", 1, kMostSteps),
              .gradient_norms = norms.row(i, kMostFloat),
              .update_ratios = ratios.row(i, kMostFloat),
              .heads = {},
              .silent = silent.row(i, 1)};
    if (look.step <= before) throw Error(where, "the steps of the looks are out of order");
    before = look.step;
    const std::vector<float> entropies = entropy.row(i, 1), saturations = saturation.row(i, 1);
    if (entropies.size() != saturations.size())
      throw Error(where, "the columns \"entropy\" and \"saturation\" tell of unequal numbers of heads");
    for (std::size_t head = 0; head < entropies.size(); ++head)
      look.heads.push_back({entropies[head], saturations[head]});
    diagnosis.looks.push_back(std::move(look));
  }
  return diagnosis;
} catch (const nlohmann::json::exception& error) {
  throw Error(where, "the looks are not as this program writes them (" + in_words(error) + ")");
}

}  // namespace glassformer
