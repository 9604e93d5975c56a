#include "app/views/what_if/what_if.h"

#include <algorithm>
#include <array>

#include "engine/math/ready.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/loss_meter.h"

namespace glassformer {

namespace {

constexpr std::size_t kKept = 6;  // results, so that a switch goes back at once

std::string heads_title(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "Encoder: self-attention";
    case AttentionKind::decoder:
      return "Decoder: masked self-attention";
    case AttentionKind::cross:
      break;
  }
  return "Decoder: cross-attention";
}

Batch sentence_of(const ImportanceKey& key) {
  Batch batch;
  batch.source.add(key.source);
  batch.target_in.add(key.target_in);
  batch.target_out.add(key.target_out);
  return batch;
}

bool same_but_weights(const ImportanceKey& a, const ImportanceKey& b) {
  ImportanceKey of_b = a;
  of_b.model = b.model;
  of_b.means = b.means;
  of_b.other = b.other;
  of_b.target_in = b.target_in;
  of_b.target_out = b.target_out;
  return of_b == b && (a.means == nullptr) == (b.means == nullptr) &&
         (a.other == nullptr) == (b.other == nullptr);
}

}  // namespace

std::vector<PartGroup> part_groups(const Transformer<float>& model, PartsShown parts, Replacement by,
                                   const ValueName& block, const std::vector<std::string>& words) {
  const Config& config = model.config;
  std::vector<PartGroup> groups;
  std::vector<Change> all;
  switch (parts) {
    case PartsShown::heads: {
      all = every_head(model);
      std::vector<std::string> heads;
      const std::array<std::string, 3> short_titles{"Encoder", "Masked self", "Cross"};  // by AttentionKind
      for (int head = 0; head < config.heads; ++head) heads.push_back("head " + std::to_string(head + 1));
      for (const AttentionKind kind :
           {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
        const bool encoder = kind == AttentionKind::encoder;
        groups.push_back({heads_title(kind),
                          short_titles[static_cast<std::size_t>(kind)],
                          heads,
                          encoder ? config.encoder_layers : config.decoder_layers,
                          {}});
      }
      break;
    }
    case PartsShown::sub_blocks:
      all = every_sub_block(model);
      groups.push_back({"Encoder", "Encoder", {"self-attention", "feed-forward"}, config.encoder_layers, {}});
      groups.push_back({"Decoder",
                        "Decoder",
                        {"masked self-attention", "cross-attention", "feed-forward"},
                        config.decoder_layers,
                        {}});
      break;
    case PartsShown::places:
      all = every_place(model, block, static_cast<int>(words.size()));
      groups.push_back({block_words(block),
                        block_words(block),
                        words,
                        block.encoder ? config.encoder_layers : config.decoder_layers,
                        {}});
  }
  auto next = all.begin();
  for (PartGroup& group : groups) {
    const auto count = group.layers * std::ssize(group.columns);
    group.changes.assign(next, next + count);
    next += count;
    for (Change& change : group.changes) change.by = by;
  }
  return groups;
}

std::string block_words(const ValueName& block) {
  if (block.block == BlockKind::feed_forward)
    return block.encoder ? "Encoder: feed-forward" : "Decoder: feed-forward";
  return heads_title(attention_of(block).value_or(AttentionKind::cross));
}

std::string part_name(const Change& change) {
  std::string name = change.kind == ChangeKind::mute_head
                         ? head_name(kind_of(change), change.block.layer, change.head)
                         : sub_block_name(change.block);
  if (change.row != kEverywhere) name += ", place " + std::to_string(change.row);
  return name;
}

bool ImportanceWork::Job::running() const {
  return work.valid() && !is_ready(work);
}

void ImportanceWork::work(Job& job) {
  const ImportanceKey& key = job.key;
  const Batch own = key.held_out ? Batch() : sentence_of(key);
  const LossJob loss{.model = *key.model,
                     .batch = key.held_out ? *key.held_out : own,
                     .smoothing = key.smoothing,
                     .substitutes = {.means = key.means, .other = key.other}};
  LossMeter meter(loss);
  const MeanLoss untouched = meter.with({});
  double mean = 0;
  for (const double each : untouched.of_sentence) mean += each;
  {
    const std::lock_guard lock(job.mutex);
    job.found.untouched = mean / static_cast<double>(untouched.of_sentence.size());
  }
  for (const Change& change : key.changes) {
    if (job.cancelled) return;
    const Difference found = difference(meter.with({{change}}), untouched);
    const std::lock_guard lock(job.mutex);
    job.found.parts.push_back(found);
  }
}

ImportanceWork::~ImportanceWork() {
  for (const auto& job : jobs_) job->cancelled = true;
}

Importance ImportanceWork::get(const ImportanceKey& key, bool at_once) {
  const std::lock_guard lock(mutex_);
  const auto found_in = [](Job& job) {
    const std::lock_guard of_job(job.mutex);
    return job.found;
  };
  std::shared_ptr<Job> job;
  for (const auto& each : jobs_)
    if (each->key == key && !each->cancelled) job = each;
  if (job) {
    if (at_once && job->work.valid()) job->work.wait();
    return found_in(*job);
  }

  // Newer weights wait until the work on those before them is done: else none would ever be.
  if (!at_once)
    for (const auto& each : jobs_)
      if (each->running() && !each->cancelled && same_but_weights(each->key, key)) return found_in(*each);
  for (const auto& each : jobs_)
    if (each->running()) each->cancelled = true;
  std::erase_if(jobs_, [](const auto& each) { return each->cancelled && !each->running(); });
  while (jobs_.size() >= kKept && !jobs_.front()->running()) jobs_.erase(jobs_.begin());

  job = std::make_shared<Job>();
  job->key = key;
  job->found.count = key.changes.size();
  jobs_.push_back(job);
  if (at_once) {
    work(*job);
  } else {
    Job* const raw = job.get();  // its future ends before it does
    job->work = std::async(std::launch::async, [raw] { work(*raw); });
  }
  return found_in(*job);
}

bool ImportanceWork::busy() {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(jobs_, [](const auto& each) { return each->running(); });
}

}  // namespace glassformer
