#include "engine/analysis/padding_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "engine/layers/embedding.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {
namespace {

using IdRows = std::vector<std::vector<int>>;

// Which side's padding an attention has among its keys.
constexpr Side key_side(AttentionKind kind) {
  return kind == AttentionKind::decoder ? Side::target : Side::source;
}

std::size_t longest_row(const IdRows& rows) {
  std::size_t longest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].size() > rows[longest].size()) longest = i;
  return longest;
}

// The same rows of ids, with words behind the shorter ones.
std::vector<int> with_words(const IdRows& rows) {
  std::vector<int> ids;
  if (rows.empty()) return ids;
  const std::vector<int>& longest = rows[longest_row(rows)];
  for (const std::vector<int>& row : rows) {
    ids.insert(ids.end(), row.begin(), row.end());
    ids.insert(ids.end(), longest.begin() + std::ssize(row), longest.end());
  }
  return ids;
}

// Puts words in the place of one side's padding, or of none, and keeps what comes out of the stacks.
class WordsForPadding : public Tap<float> {
 public:
  WordsForPadding(const Transformer<float>& model, std::optional<Side> side, std::vector<int> ids)
      : model_(model), side_(side), ids_(std::move(ids)) {}
  Matrix<float> memory, decoder_output, logits;  // (N_s, d), (N_t, d), (N_t, V)
  struct Sums {
    double all = 0, least = 1;
    long rows = 0;
  };
  std::array<Sums, 3> words_share;  // by AttentionKind: of each row of words of the first layer, on words

  void measure(const IdRows& source, const IdRows& target) { source_ = &source, target_ = &target; }
  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    const auto name = read_name(point.name);
    if (!name || point.gradient) return;
    if (name->block == BlockKind::embedding && name->value == ValueKind::embedding && side_ == point.side)
      put_words(point, value);
    if (name->value == ValueKind::weights && name->layer == 0) add_share(point, value);
    if (name->block == BlockKind::stack) keep(point, value, name->encoder ? memory : decoder_output);
    if (name->block == BlockKind::output && name->value == ValueKind::logits) keep(point, value, logits);
  }

 private:
  void put_words(const TapPoint& point, MatrixRef<float>& value) const {
    const Config& config = model_.config;
    const double scale = config.scale_embeddings ? std::sqrt(static_cast<double>(config.d_model)) : 1.0;
    const Matrix<float>& table = point.side == Side::source ? model_.source_table() : model_.target_embedding;
    const auto here = std::span(ids_).subspan(static_cast<std::size_t>(point.first_row),
                                              static_cast<std::size_t>(value.rows()));
    embed<float>(table, here, scale, value);
  }
  void add_share(const TapPoint& point, const MatrixRef<float>& value) {
    for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
      if (source_ == nullptr || point.name != attention_value(kind, 0, ValueKind::weights)) continue;
      const auto sentence = static_cast<std::size_t>(point.sentence);
      const auto words = [&](const IdRows& rows) { return static_cast<Eigen::Index>(rows[sentence].size()); };
      const Eigen::Index queries = words(kind == AttentionKind::encoder ? *source_ : *target_),
                         keys = words(key_side(kind) == Side::source ? *source_ : *target_);
      if (keys == value.cols()) continue;  // no padding
      Sums& sums = words_share[static_cast<std::size_t>(kind)];
      for (Eigen::Index row = 0; row < queries; ++row) {
        const double share = value.row(row).head(keys).cast<double>().sum();
        sums.all += share;
        sums.least = std::min(sums.least, share);
        ++sums.rows;
      }
    }
  }
  // Parts of a batch come one after another.
  static void keep(const TapPoint& point, const MatrixRef<float>& value, Matrix<float>& all) {
    all.conservativeResize(std::max(all.rows(), point.first_row + value.rows()), value.cols());
    all.middleRows(point.first_row, value.rows()) = value;
  }

  const Transformer<float>& model_;
  std::optional<Side> side_;
  std::vector<int> ids_;
  const IdRows *source_ = nullptr, *target_ = nullptr;
};

struct Outcome {
  Matrix<float> memory, decoder_output, logits;
  double loss = 0;
  std::array<ZeroedPadding, 3> zeroed = {};  // by AttentionKind
};

class Study {
 public:
  Study(const Transformer<float>& model, const Trace& trace, WhatIf what_if, const Substitutes& substitutes,
        double smoothing)
      : unchanged_(model),
        trace_(trace),
        what_if_(std::move(what_if)),
        substitutes_(substitutes),
        smoothing_(smoothing) {
    std::erase_if(what_if_.changes, [](const Change& change) {
      // The trace's words are swapped already.
      return change.kind == ChangeKind::padding_mask_off || change.kind == ChangeKind::swap_words;
    });
    const Config& config = model.config;
    batch_ = make_raw_batch(filled_up(trace.source, config.pad_id), filled_up(trace.target_in, config.pad_id),
                            filled_up(trace.target_out, config.pad_id), config);
  }

  const WhatIf& what_if() const { return what_if_; }

  // `seen`: whose padding mask is off, if any. `words`: the side whose padding is replaced.
  Outcome run(std::optional<AttentionKind> seen, std::optional<Side> words) const {
    WhatIf what_if = what_if_;
    if (seen) what_if.see_padding(*seen, true);
    const ChangedModel<float> changed(unchanged_, what_if, substitutes_);
    Batch batch = batch_;
    changed.change(batch);
    WordsForPadding replacing(changed.model(), words,
                              with_words(words == Side::target ? trace_.target_in : trace_.source));
    replacing.measure(trace_.source, trace_.target_in);
    WhatIfTap<float> tap = changed.tap(&replacing);
    tap.rows_of(batch);
    Saved<float> saved;
    changed.model().forward(batch, saved, tap);
    const Loss loss = changed.model().loss(batch, saved, {.smoothing = smoothing_});
    Outcome outcome{std::move(replacing.memory), std::move(replacing.decoder_output),
                    std::move(replacing.logits), loss.loss};
    for (std::size_t kind = 0; kind < outcome.zeroed.size(); ++kind)
      if (const auto& sums = replacing.words_share[kind]; sums.rows > 0)
        outcome.zeroed[kind] = {sums.all / static_cast<double>(sums.rows), sums.least};
    return outcome;
  }

  // The largest difference in the rows of words, or of padding, of one side.
  double difference(const Matrix<float>& a, const Matrix<float>& b, Side side, bool of_words) const {
    const IdRows& rows = side == Side::source ? trace_.source : trace_.target_in;
    const PackedIds& packed = side == Side::source ? batch_.source : batch_.target_in;
    double largest = 0;
    for (int sentence = 0; sentence < packed.sentences(); ++sentence) {
      const int words = static_cast<int>(rows[static_cast<std::size_t>(sentence)].size());
      const int from = packed.begin(sentence) + (of_words ? 0 : words),
                to = packed.begin(sentence) + (of_words ? words : packed.length(sentence));
      for (int row = from; row < to; ++row)
        for (Eigen::Index column = 0; column < a.cols(); ++column) {
          const double apart =
              std::abs(static_cast<double>(a(row, column)) - static_cast<double>(b(row, column)));
          if (!std::isfinite(apart)) return std::numeric_limits<double>::quiet_NaN();
          largest = std::max(largest, apart);
        }
    }
    return largest;
  }

  PaddingEffect effect(AttentionKind kind, const Outcome& padded, const Outcome& replaced) const {
    const Side side = key_side(kind);
    const bool encoder = kind == AttentionKind::encoder, of_source = side == Side::source;
    PaddingEffect effect;
    effect.stack_output =
        encoder ? difference(padded.memory, replaced.memory, Side::source, true)
                : difference(padded.decoder_output, replaced.decoder_output, Side::target, true);
    effect.logits = difference(padded.logits, replaced.logits, Side::target, true);
    effect.padding_rows =
        of_source ? difference(padded.memory, replaced.memory, Side::source, false)
                  : difference(padded.decoder_output, replaced.decoder_output, Side::target, false);
    effect.loss = std::abs(padded.loss - replaced.loss);
    return effect;
  }

  int padding(Side side) const {
    const PackedIds& packed = side == Side::source ? batch_.source : batch_.target_in;
    int words = 0;
    for (const auto& row : side == Side::source ? trace_.source : trace_.target_in)
      words += static_cast<int>(row.size());
    return packed.tokens() - words;
  }

 private:
  const Transformer<float>& unchanged_;
  const Trace& trace_;
  WhatIf what_if_;
  const Substitutes& substitutes_;
  double smoothing_;
  Batch batch_;  // padded
};

}  // namespace

PaddingStudy study_padding(const Transformer<float>& model, const Trace& trace, const WhatIf& what_if,
                           const Substitutes& substitutes, double smoothing) {
  const Study study(model, trace, what_if, substitutes, smoothing);
  PaddingStudy result;
  result.causal = !study.what_if().has(ChangeKind::causal_mask_off);
  const Outcome masked = study.run({}, {});
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    PaddingStudy::Block& block = result.blocks[static_cast<std::size_t>(kind)];
    block.padding = study.padding(key_side(kind));
    if (block.padding == 0) continue;
    block.masked = study.effect(kind, masked, study.run({}, key_side(kind)));
    const Outcome seen = study.run(kind, {});
    block.zeroed = seen.zeroed[static_cast<std::size_t>(kind)];
    block.seen = study.effect(kind, seen, study.run(kind, key_side(kind)));
  }
  return result;
}

}  // namespace glassformer
