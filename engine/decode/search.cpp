#include "engine/decode/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "engine/math/error.h"
#include "engine/math/worker_pool.h"

namespace glassformer {
namespace {

constexpr std::size_t kGroup = 16;  // sentences that one thread decodes together

void check_options(const DecodeOptions& options, const Config& config) {
  const auto refuse = [](const char* name, const std::string& allowed, const std::string& found) {
    throw Error("decoding", std::string(name) + " must be " + allowed + ", found " + found);
  };
  if (options.search == Search::beam && (options.beam < 1 || options.beam > 1000)) {
    refuse("the beam", "from 1 to 1000", std::to_string(options.beam));
  }
  if (!std::isfinite(options.alpha)) refuse("alpha", "a number", std::to_string(options.alpha));
  if (options.max_length < 0) refuse("the length limit", "0 or more", std::to_string(options.max_length));
  if (!(options.temperature >= 0))
    refuse("the temperature", "0 or more", std::to_string(options.temperature));
  if (options.top_k < 0) refuse("top-k", "0 or more", std::to_string(options.top_k));
  if (!(options.top_p > 0 && options.top_p <= 1))
    refuse("top-p", "above 0 and at most 1", std::to_string(options.top_p));
  for (const int id : options.forced) {
    if (id < 0 || id >= config.target_vocab) {
      refuse("a forced token", "from 0 to " + std::to_string(config.target_vocab - 1), std::to_string(id));
    }
    if (std::ranges::find(config.forbidden_ids, id) != config.forbidden_ids.end())
      refuse("a forced token", "one that the model may write", std::to_string(id));
  }
}

void check_sources(const std::vector<std::vector<int>>& sources, const Config& config) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string where = "source sentence " + std::to_string(i + 1);
    if (std::ssize(sources[i]) > config.max_length) {
      throw Error(where, "the model reads at most " + std::to_string(config.max_length) +
                             " tokens (special tokens included), found " + std::to_string(sources[i].size()));
    }
    for (const int id : sources[i]) {
      if (id < 0 || id >= config.source_vocab) {
        throw Error(where, "ids go from 0 to " + std::to_string(config.source_vocab - 1) + ", found " +
                               std::to_string(id));
      }
    }
  }
}

// What another decoder says, with some ids that are never the next one.
template <class Scalar>
class ForbiddingDecoder : public PrefixDecoder<Scalar> {
 public:
  ForbiddingDecoder(std::unique_ptr<PrefixDecoder<Scalar>> decoder, std::span<const int> forbidden)
      : decoder_(std::move(decoder)), forbidden_(forbidden) {}

  const Matrix<Scalar>& step(std::span<const int> ids) override {
    logits_ = decoder_->step(ids);
    for (const int id : forbidden_) logits_.col(id).setConstant(-std::numeric_limits<Scalar>::infinity());
    return logits_;
  }
  void select(std::span<const int> from) override { decoder_->select(from); }

 private:
  std::unique_ptr<PrefixDecoder<Scalar>> decoder_;
  std::span<const int> forbidden_;
  Matrix<Scalar> logits_;  // (rows, V_t)
};

}  // namespace

template <class Scalar>
std::unique_ptr<PrefixDecoder<Scalar>> without_forbidden(std::unique_ptr<PrefixDecoder<Scalar>> decoder,
                                                         const Config& config) {
  if (config.forbidden_ids.empty()) return decoder;
  return std::make_unique<ForbiddingDecoder<Scalar>>(std::move(decoder), config.forbidden_ids);
}

template std::unique_ptr<PrefixDecoder<float>> without_forbidden(std::unique_ptr<PrefixDecoder<float>>,
                                                                 const Config&);
template std::unique_ptr<PrefixDecoder<double>> without_forbidden(std::unique_ptr<PrefixDecoder<double>>,
                                                                  const Config&);

void check_search(const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                  const Config& config) {
  check_options(options, config);
  check_sources(sources, config);
}

template <class Scalar>
std::vector<DecodeResult> search_all(const std::vector<std::vector<int>>& sources,
                                     const DecodeOptions& options, const Config& config, int max_length,
                                     const MakeDecoder<Scalar>& make,
                                     const std::function<bool()>& keep_going) {
  if (options.max_length > 0) max_length = std::min(max_length, options.max_length);
  std::vector<DecodeResult> results(sources.size());
  std::mutex one_at_a_time;
  const auto groups = static_cast<int>((sources.size() + kGroup - 1) / kGroup);
  run_on(options.pool, groups, [&](int group) {
    const std::size_t first = static_cast<std::size_t>(group) * kGroup;
    const std::size_t count = std::min(kGroup, sources.size() - first);
    SearchJob job{.results = std::span(results).subspan(first, count),
                  .first_sentence = static_cast<int>(first),
                  .max_length = max_length,
                  .bos_id = config.first_id(),
                  .eos_id = config.eos_id,
                  .keep_going = {}};
    if (keep_going) {
      job.keep_going = [&] {
        const std::lock_guard lock(one_at_a_time);
        return keep_going();
      };
    }
    const DecoderInput input{.sources = std::span(sources).subspan(first, count),
                             .first_sentence = job.first_sentence,
                             .max_length = max_length,
                             .pool = groups == 1 ? options.pool : nullptr};
    const auto decoder = without_forbidden(make(input), config);
    if (options.search == Search::beam) {
      search_beam(*decoder, job, options);
    } else {
      search_step_by_step(*decoder, job, options);
    }
  });
  return results;
}

template std::vector<DecodeResult> search_all(const std::vector<std::vector<int>>&, const DecodeOptions&,
                                              const Config&, int, const MakeDecoder<float>&,
                                              const std::function<bool()>&);
template std::vector<DecodeResult> search_all(const std::vector<std::vector<int>>&, const DecodeOptions&,
                                              const Config&, int, const MakeDecoder<double>&,
                                              const std::function<bool()>&);

}  // namespace glassformer
