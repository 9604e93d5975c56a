// Sentence pairs that a model is measured on when parts of it are changed: held out from training.
#pragma once

#include <memory>
#include <vector>

#include "engine/model/batch.h"
#include "engine/model/config.h"
#include "engine/model/snapshot.h"
#include "engine/model/what_if/what_if.h"
#include "engine/text/data.h"
#include "engine/train/head_report.h"

namespace glassformer {

inline constexpr std::size_t kMeasuringPairs = 200;

// The first `count` of the pairs that fit the model, as written; none without tokenizers.
std::vector<SentencePair> measuring_pairs(const std::vector<SentencePair>& held_out,
                                          const Tokenizers& tokenizers, const Config& config,
                                          std::size_t count = kMeasuringPairs);
// The first `count` of the pairs that fit the model, with bos and eos; null when there are none.
std::shared_ptr<const Batch> measuring_batch(const std::vector<SentencePair>& held_out,
                                             const Tokenizers& tokenizers, const Config& config,
                                             std::size_t count = kMeasuringPairs);

// The head report of a model on pairs of measuring_pairs; nullopt when `progress` gave up.
std::optional<HeadReport> measured_heads(const Snapshot& model, const Tokenizers& tokenizers,
                                         const std::vector<SentencePair>& pairs, double smoothing,
                                         WorkerPool* pool,
                                         const std::function<bool(long done, long all)>& progress = {},
                                         const std::function<void(const HeadReport& so_far)>& known = {});

// Whether a change wants the means of values, or those of another Scene.
bool wants(const WhatIf& what_if, Replacement by);

}  // namespace glassformer
