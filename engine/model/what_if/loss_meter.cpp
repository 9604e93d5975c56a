#include "engine/model/what_if/loss_meter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/layers/cross_entropy.h"
#include "engine/math/softmax.h"
#include "engine/model/decoder_pass.h"
#include "engine/model/training_pass.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

constexpr int kGroup = 8;          // sentences of a pass
constexpr int kRowsOfLogits = 24;  // at a time, so that they stay in the cache
constexpr double kRounding =
    1e-4;  // more than single precision errs by in a mean loss, for logits below some hundred

// Everywhere by 0, or one part alone by a mean that is known: of two changes of one part the order would
// count.
bool mutes_parts_alone(const WhatIf& what_if, const Substitutes& substitutes) {
  const bool single = what_if.changes.size() == 1;
  return std::ranges::all_of(what_if.changes, [&](const Change& change) {
    const bool mutes = change.kind == ChangeKind::mute_head || change.kind == ChangeKind::mute_sub_block;
    if (!mutes || change.row != kEverywhere) return false;
    if (!is_attention(change.block.block) && change.block.block != BlockKind::feed_forward) return false;
    if (change.by == Replacement::zero) return true;
    return single && change.by == Replacement::mean && substitutes.means &&
           substitutes.means->contains(written(change.block, replaced_value(change.kind)));
  });
}

// The last matrix of the part that a change mutes, of a model or of one that cannot be changed; null: the
// model has no such part.
template <class Model>
auto last_matrix(Model& model, const Change& change) -> decltype(&model.output_projection) {
  const auto layer = static_cast<std::size_t>(change.block.layer);
  if (change.block.encoder) {
    if (layer >= model.encoder_layers.size()) return nullptr;
    auto& of = model.encoder_layers[layer];
    return is_attention(change.block.block) ? &of.self_attention.output : &of.feed_forward.linear2;
  }
  if (layer >= model.decoder_layers.size()) return nullptr;
  auto& of = model.decoder_layers[layer];
  if (!is_attention(change.block.block)) return &of.feed_forward.linear2;
  return kind_of(change) == AttentionKind::cross ? &of.cross_attention.output : &of.self_attention.output;
}

// The sub-block of the decoder whose part a change mutes, counted over all layers; -1: the encoder's.
int place_of(const Change& change) {
  if (change.block.encoder) return -1;
  const int first = kDecoderSubBlocks * change.block.layer;
  if (!is_attention(change.block.block)) return first + 2;
  return kind_of(change) == AttentionKind::cross ? first + 1 : first;
}

// To copy a large model takes longer than to pass some sentences through it, and as much room as it does.
bool costs_more_to_copy(const LossJob& job) {
  constexpr std::size_t kLarge = 10'000'000;  // weights
  constexpr int kFewTokens = 256;
  return job.batch.source.tokens() + job.batch.target_in.tokens() < kFewTokens &&
         job.model.parameter_count() > kLarge;
}

// Of a head's columns of the context, or of all that a sub-block gives.
RowVector<float> mean_of(const Change& change, int columns, const Substitutes& substitutes) {
  const std::vector<double>& all =
      substitutes.means->find(written(change.block, replaced_value(change.kind)))->second;
  const int first = change.kind == ChangeKind::mute_head ? change.head * columns : 0;
  return Eigen::Map<const RowVector<double>>(all.data() + first, columns).cast<float>();
}

}  // namespace

LossMeter::LossMeter(const LossJob& job) : job_(job) {
  const int sentences = job.batch.sentences();
  for (int first = 0; first < sentences; first += kGroup) {
    groups_.push_back({.first = first, .batch = {}});
    copy_sentences(job.batch, first, std::min(sentences, first + kGroup), groups_.back().batch);
  }
  costs_.resize(groups_.size());
  order_.resize(groups_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

template <class Work>
void LossMeter::for_each_group(Work&& work) {
  run_on(job_.pool, static_cast<int>(groups_.size()), [&](int index) {
    std::unique_ptr<Saved<float>> saved;
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        saved = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    if (!saved) saved = std::make_unique<Saved<float>>();
    work(static_cast<std::size_t>(index), *saved);
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(saved));
  });
}

const Transformer<float>* LossMeter::muted(const WhatIf& what_if) {
  if (!mutes_parts_alone(what_if, job_.substitutes) || costs_more_to_copy(job_)) return nullptr;
  if (what_if.empty()) return &job_.model;
  if (!muted_) muted_ = job_.model;
  for (const Change& change : muted_by_.changes)
    if (Linear<float>* const last = last_matrix(*muted_, change)) *last = *last_matrix(job_.model, change);
  muted_by_ = what_if;
  for (const Change& change : what_if.changes) {
    Linear<float>* const last = last_matrix(*muted_, change);
    if (last == nullptr) continue;
    const bool by_mean = change.by == Replacement::mean;
    const auto width = static_cast<int>(last->weight.rows());
    if (by_mean && last->bias.size() == 0) last->bias.setZero(width);
    if (change.kind == ChangeKind::mute_sub_block) {
      last->weight.setZero();
      last->bias.setZero();
      if (by_mean) last->bias = mean_of(change, width, job_.substitutes);
    } else if (change.head < job_.model.config.heads) {
      const int columns = job_.model.config.head_width();
      auto behind = last->weight.middleCols(change.head * columns, columns);
      if (by_mean) last->bias += mean_of(change, columns, job_.substitutes) * behind.transpose();
      behind.setZero();
    }
  }
  return &*muted_;
}

// Forgets what comes of other parts. Which sub-block has the part muted last, up to which all is kept from
// now on: 0 where there is none, -1 in the encoder.
int LossMeter::keep_before_last(const WhatIf& what_if) {
  const int end = kDecoderSubBlocks * job_.model.config.decoder_layers;
  const int last = what_if.empty() ? 0 : std::min(place_of(what_if.changes.back()), end - 1);
  kept_.resize(static_cast<std::size_t>(end));
  for (int place = 0; place <= last; ++place) {
    std::vector<Change> without;
    std::ranges::copy_if(what_if.changes, std::back_inserter(without),
                         [&](const Change& change) { return place_of(change) < place; });
    Kept& kept = kept_[static_cast<std::size_t>(place)];
    if (kept.groups.empty() || kept.without != without)
      kept = {std::move(without), std::vector<Matrix<float>>(groups_.size())};
  }
  return last;
}

// saved.decoder_output of a group.
void LossMeter::run_decoder(const Transformer<float>& model, std::size_t index, int last,
                            Saved<float>& saved) {
  const Batch& batch = groups_[index].batch;
  const auto kept = [&](int place) -> Matrix<float>& {
    return kept_[static_cast<std::size_t>(place)].groups[index];
  };
  Matrix<float> own;  // of these changes alone
  Matrix<float>& memory = last < 0 ? own : kept(0);
  if (memory.size() == 0) {
    model.encode(batch, saved);
    memory = saved.memory->topRows(batch.source.tokens());
  }
  int from = std::max(last, 0);
  while (from > 0 && kept(from).size() == 0) --from;
  decode_on(model, memory, batch, saved, from, from > 0 ? &kept(from) : nullptr);
  for (int place = from + 1; place <= last; ++place)
    kept(place) = stream_before(model, place, saved).topRows(batch.target_in.tokens());
}

// `logits` are those of the group's rows from `first_row` on: each sentence's sum of losses over its words,
// and whether each of them is the likeliest.
void LossMeter::add_losses(const Group& group, const Matrix<float>& logits, int first_row,
                           MeanLoss& loss) const {
  const PackedIds& wanted = group.batch.target_out;
  int place = 0;
  for (int row = first_row; row < std::min(wanted.tokens(), first_row + static_cast<int>(logits.rows()));
       ++row) {
    while (row >= wanted.begin(place + 1)) ++place;
    const int word = wanted.id(row);
    if (word == job_.model.config.pad_id) continue;
    const auto sentence = static_cast<std::size_t>(group.first + place);
    const auto values = logits.row(row - first_row);
    const int words = static_cast<int>(values.size());
    const auto log_sum = static_cast<double>(log_sum_exp(values.data(), words));
    // What has well over half of the whole share is the likeliest.
    const bool surely_right = static_cast<double>(values[word]) - log_sum > std::log(0.6);
    if (!surely_right && loss.right[sentence] != 0 && arg_max(values.data(), words) != word)
      loss.right[sentence] = 0;
    loss.of_sentence[sentence] += log_sum - (1 - job_.smoothing) * static_cast<double>(values[word]) -
                                  job_.smoothing * static_cast<double>(values.mean());
  }
}

void LossMeter::project(const Transformer<float>& model, const Group& group,
                        const Matrix<float>& decoder_output, MeanLoss& loss) const {
  const int rows = group.batch.target_in.tokens(), words = model.config.target_vocab;
  const float* const bias = model.config.output_bias ? model.output_projection.bias.data() : nullptr;
  Matrix<float> logits(kRowsOfLogits, words);
  for (int first = 0; first < rows; first += kRowsOfLogits) {
    const int count = std::min(kRowsOfLogits, rows - first);
    const Factor<float> output(decoder_output.row(first).data(), count,
                               static_cast<int>(decoder_output.cols()), decoder_output.outerStride());
    product<float>(output, projection_, {logits.data(), count, words, words}, 0, bias);
    add_losses(group, logits, first, loss);
  }
}

void LossMeter::set_bounds(const Group& group, const Matrix<float>& decoder_output, MeanLoss& bound) const {
  const PackedIds& wanted = group.batch.target_out;
  std::vector<double> losses(static_cast<std::size_t>(wanted.tokens()));
  bound_->losses(decoder_output, wanted.ids(), losses);
  for (int i = 0; i < wanted.sentences(); ++i)
    bound.of_sentence[static_cast<std::size_t>(group.first + i)] =
        std::accumulate(losses.begin() + wanted.begin(i), losses.begin() + wanted.begin(i + 1), 0.0);
}

// Of the mean over all sentences: what these add to what no model gets below.
double LossMeter::above_least(const Group& group, const MeanLoss& sums) const {
  const double least = smoothed_entropy(job_.smoothing, job_.model.config.target_vocab);
  double above = 0;
  for (int i = group.first; i < group.first + group.batch.sentences(); ++i)
    above += sums.of_sentence[static_cast<std::size_t>(i)] / words_of(i) - least;
  return above / job_.batch.sentences();
}

bool LossMeter::pass_muted(const Transformer<float>& model, const WhatIf& what_if, double most,
                           MeanLoss& loss) {
  const int last = keep_before_last(what_if);
  const Matrix<float>& table = model.projection();
  if (projection_.columns() == 0) {
    const Factor<float> weight(table.data(), static_cast<int>(table.rows()), static_cast<int>(table.cols()),
                               table.outerStride());
    projection_ = Panels<float>(weight.transposed());
  }
  const bool limited = std::isfinite(most);
  if (limited && !bound_) bound_.emplace(model, job_.batch.target_out, job_.smoothing);
  const bool bounded = limited && bound_->saves_work();
  const double least = smoothed_entropy(job_.smoothing, model.config.target_vocab) - kRounding;
  double mean = least, usual = 0;  // certain so far, and what the same groups cost in the last whole pass
  std::atomic<bool> above = false;
  const auto add = [&](double more) {
    const std::lock_guard lock(mutex_);
    mean += more;
    if (mean > most) above = true;
  };

  MeanLoss bound;
  bound.of_sentence.resize(loss.of_sentence.size());
  std::vector<Matrix<float>> outputs(groups_.size());  // of the decoder
  for_each_group([&](std::size_t turn, Saved<float>& saved) {
    if (above) return;
    const std::size_t index = order_[turn];
    const Group& group = groups_[index];
    run_decoder(model, index, last, saved);
    if (!bounded) {
      project(model, group, *saved.decoder_output, loss);
      add(above_least(group, loss));
      return;
    }
    outputs[index] = saved.decoder_output->topRows(group.batch.target_in.tokens());
    set_bounds(group, outputs[index], bound);
    add(above_least(group, bound));
    const std::lock_guard lock(mutex_);
    usual += costs_[index];
  });
  if (bounded) {
    run_on(job_.pool, static_cast<int>(groups_.size()), [&](int turn) {
      if (above) return;
      const std::size_t index = order_[static_cast<std::size_t>(turn)];
      const Group& group = groups_[index];
      project(model, group, outputs[index], loss);
      add(above_least(group, loss) - above_least(group, bound));
    });
  }
  if (above) {
    const double all = std::accumulate(costs_.begin(), costs_.end(), 0.0);
    expected_ = usual > 0 ? least + (mean - least) * all / usual : mean;
    return false;
  }

  // Where this cost most, the next may as well: it is aborted the sooner. Losses that are no numbers have no
  // order.
  if (!std::isfinite(mean)) return true;
  for (std::size_t i = 0; i < groups_.size(); ++i) costs_[i] = above_least(groups_[i], loss);
  std::ranges::sort(order_, std::greater(), [&](std::size_t index) { return costs_[index]; });
  return true;
}

void LossMeter::pass_tapped(const WhatIf& what_if, MeanLoss& loss) {
  const ChangedModel<float> changed(job_.model, what_if, job_.substitutes);
  for_each_group([&](std::size_t index, Saved<float>& saved) {
    Group group = groups_[index];
    changed.change(group.batch, group.first);
    WhatIfTap<float> tap = changed.tap();
    tap.rows_of(group.batch, group.first);
    changed.model().forward(group.batch, saved, tap);
    add_losses(group, saved.logits, 0, loss);
  });
}

double LossMeter::words_of(int sentence) const {
  const auto ids = job_.batch.target_out.sentence(sentence);
  const auto count = std::ranges::count_if(ids, [&](int id) { return id != job_.model.config.pad_id; });
  return std::max(1.0, static_cast<double>(count));
}

void LossMeter::take_means(MeanLoss& loss) const {
  double words = 0;
  for (int i = 0; i < job_.batch.sentences(); ++i) {
    double& own = loss.of_sentence[static_cast<std::size_t>(i)];
    loss.mean += own;
    words += words_of(i);
    own /= words_of(i);
  }
  loss.mean /= std::max(1.0, words);
}

MeanLoss LossMeter::with(const WhatIf& what_if) {
  return *within(what_if, std::numeric_limits<double>::infinity());
}

std::optional<MeanLoss> LossMeter::within(const WhatIf& what_if, double most) {
  const auto sentences = static_cast<std::size_t>(job_.batch.sentences());
  MeanLoss loss;
  const auto begin = [&] {
    loss = {};
    loss.of_sentence.resize(sentences);
    loss.right.assign(sentences, 1);
  };
  const auto if_low = [&]() -> std::optional<MeanLoss> {
    const double sum = std::accumulate(loss.of_sentence.begin(), loss.of_sentence.end(), 0.0);
    expected_ = sum / static_cast<double>(sentences);
    if (expected_ > most) return std::nullopt;
    return loss;
  };
  begin();
  if (const Transformer<float>* const model = muted(what_if)) {
    if (!pass_muted(*model, what_if, most, loss)) return std::nullopt;
    take_means(loss);
    // 0 times what is no number is none, where a part that is muted gives 0.
    if (what_if.empty() || std::isfinite(loss.mean)) return if_low();
    begin();
  }
  pass_tapped(what_if, loss);
  take_means(loss);
  return if_low();
}

}  // namespace glassformer
