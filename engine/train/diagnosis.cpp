#include "engine/train/diagnosis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/model/block_study.h"
#include "engine/model/names.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"

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

// Which part a tensor belongs to, by its name.
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
      places.parts.push_back(stack + " layer " + std::to_string(i + 1));
      places.part_blocks.push_back({BlockKind::layer, ValueKind::whole, !decoder, i});
      places.attentions.push_back({BlockKind::self_attention, ValueKind::whole, !decoder, i});
      if (decoder) cross.push_back({BlockKind::cross_attention, ValueKind::whole, false, i});
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

}  // namespace glassformer
