#include "engine/train/word_alignment.h"

#include <cmath>
#include <string>
#include <utility>

#include "engine/layers/embedding.h"
#include "engine/layers/tap.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/model/names.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"
#include "engine/text/piece_owners.h"
#include "engine/train/alignment_error.h"

namespace glassformer {
namespace {

using Rows = std::vector<std::vector<int>>;

// One pair as the model reads it.
struct ForcedPair {
  const Transformer<float>& model;
  std::vector<int> source, target_in, target_out;
  int first = 0, pieces = 0;  // of the source, less bos and eos
  int words = 0;              // of the target, less eos
};

Matrix<double> attention_scores(const ForcedPair& pair, const Trace& trace, int layer, int head) {
  const Plane weights =
      trace.plane(attention_value(AttentionKind::cross, layer, ValueKind::weights), 0, head);
  return Matrix<double>::NullaryExpr(pair.words, pair.pieces, [&](Eigen::Index word, Eigen::Index piece) {
    return static_cast<double>(weights(static_cast<int>(word), pair.first + static_cast<int>(piece)));
  });
}

// A copy of the pair for each word, which alone counts: what flows back to a copy's source is of that word.
Matrix<double> gradient_scores(const ForcedPair& pair) {
  const Config& config = pair.model.config;
  Rows sources, inputs, outputs;
  for (int word = 0; word < pair.words; ++word) {
    sources.push_back(pair.source);
    inputs.emplace_back(pair.target_in.begin(), pair.target_in.begin() + word + 1);
    outputs.emplace_back(static_cast<std::size_t>(word), config.pad_id);
    outputs.back().push_back(pair.target_out[static_cast<std::size_t>(word)]);
  }
  const Batch batch = make_raw_batch(sources, inputs, outputs, config);
  Saved<float> saved;
  Transformer<float> gradient(config, Transformer<float>::Numbers::unset);
  pair.model.forward(batch, saved);
  pair.model.loss(batch, saved, {.smoothing = 0, .gradient = true, .words = 1});
  pair.model.backward(batch, saved, gradient);

  Matrix<float> embeddings(std::ssize(pair.source), config.d_model);
  embed<float>(pair.model.source_table(), pair.source,
               config.scale_embeddings ? std::sqrt(static_cast<double>(config.d_model)) : 1.0, embeddings);
  Matrix<double> scores(pair.words, pair.pieces);
  for (int word = 0; word < pair.words; ++word)
    for (int piece = 0; piece < pair.pieces; ++piece) {
      const int place = pair.first + piece;
      scores(word, piece) = std::abs(embeddings.row(place).cast<double>().dot(
          saved.source.d.row(batch.source.begin(word) + place).cast<double>()));
    }
  return scores;
}

// Sentence i of a batch reads its source without the embedding of piece i.
struct MutedPieces : Tap<float> {
  MutedPieces(const Batch& batch_, int first_) : batch(batch_), first(first_) {}
  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    if (point.name != name) return;
    for (int i = 0; i < batch.sentences(); ++i) {
      const int row = batch.source.begin(i) + first + i - point.first_row;
      if (row >= 0 && row < value.rows() && first + i < batch.source.length(i)) value.row(row).setZero();
    }
  }
  const Batch& batch;
  int first;
  const std::string name = embedding_value(true, ValueKind::embedding);
};

Matrix<double> muting_scores(const ForcedPair& pair, const Trace& trace) {
  const auto pieces = static_cast<std::size_t>(pair.pieces);
  const Batch batch = make_raw_batch(Rows(pieces, pair.source), Rows(pieces, pair.target_in),
                                     Rows(pieces, pair.target_out), pair.model.config);
  MutedPieces muted(batch, pair.first);
  Saved<float> saved;
  pair.model.forward(batch, saved, muted);

  const int classes = pair.model.config.target_vocab;
  const auto log_probability = [&](const float* logits, int word) {
    return static_cast<double>(logits[pair.target_out[static_cast<std::size_t>(word)]]) -
           static_cast<double>(log_sum_exp(logits, classes));
  };
  const Plane whole = trace.plane(output_value(ValueKind::logits));
  Matrix<double> scores(pair.words, pair.pieces);
  for (int word = 0; word < pair.words; ++word)
    for (int piece = 0; piece < pair.pieces; ++piece)
      scores(word, piece) =
          log_probability(whole.data + static_cast<std::ptrdiff_t>(word) * whole.columns, word) -
          log_probability(saved.logits.row(batch.target_in.begin(piece) + word).data(), word);
  return scores;
}

struct OwnedIds {
  std::vector<int> ids, owners;
};
OwnedIds owned_ids(const Tokenizer& tokenizer, const std::string& text,
                   const std::vector<AlignedToken>& tokens) {
  const std::vector<Piece> pieces = tokenizer.encode(text);
  OwnedIds found{.ids = {}, .owners = piece_owners(pieces, text, tokens)};
  for (const Piece& piece : pieces) found.ids.push_back(piece.id);
  return found;
}

// Of source_scores, then of the diagonal.
std::vector<AlignmentCount> counts_of(const Transformer<float>& model, const Tokenizers& tokenizers,
                                      const AlignedPair& pair) {
  const OwnedIds source = owned_ids(*tokenizers.source, pair.text.source, pair.source);
  const OwnedIds target = owned_ids(*tokenizers.target, pair.text.target, pair.target);
  std::vector<AlignmentCount> counts;
  for (const Matrix<double>& scores : source_scores(model, source.ids, target.ids))
    counts.push_back(count_links(pair, token_scores(pair, scores, target.owners, source.owners)));
  counts.push_back(count_links(pair, diagonal_scores(pair)));
  return counts;
}

}  // namespace

std::vector<Matrix<double>> source_scores(const Transformer<float>& model, const std::vector<int>& source,
                                          const std::vector<int>& target) {
  const Trace trace = record_trace(model, {{source}, {target}}, {.smoothing = 0});
  const ForcedPair pair{.model = model,
                        .source = trace.source.front(),
                        .target_in = trace.target_in.front(),
                        .target_out = trace.target_out.front(),
                        .first = model.config.source_bos ? 1 : 0,
                        .pieces = static_cast<int>(source.size()),
                        .words = static_cast<int>(target.size())};
  std::vector<Matrix<double>> scores;
  for (int layer = 0; layer < model.config.decoder_layers; ++layer) {
    Matrix<double> sum = Matrix<double>::Zero(pair.words, pair.pieces);
    for (int head = 0; head < model.config.heads; ++head)
      sum += scores.emplace_back(attention_scores(pair, trace, layer, head));
    scores.emplace_back(sum / model.config.heads);
  }
  scores.push_back(gradient_scores(pair));
  scores.push_back(muting_scores(pair, trace));
  return scores;
}

AlignmentErrors alignment_errors(const Transformer<float>& model, const Tokenizers& tokenizers,
                                 const std::vector<AlignedPair>& pairs, WorkerPool* pool) {
  if (!tokenizers.source || !tokenizers.target)
    throw Error("word alignment",
                "expected a model with tokenizers, found one without; choose one that reads text");
  std::vector<std::vector<AlignmentCount>> of_pair(pairs.size());
  run_on(pool, static_cast<int>(pairs.size()), [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    of_pair[place] = counts_of(model, tokenizers, pairs[place]);
  });
  std::size_t next = 0;
  const auto rate = [&] {
    AlignmentCount sum;
    for (const std::vector<AlignmentCount>& counts : of_pair) sum.add(counts[next]);
    ++next;
    return sum.error_rate();
  };
  AlignmentErrors errors;
  for (int layer = 0; layer < model.config.decoder_layers; ++layer) {
    std::vector<double>& heads = errors.heads.emplace_back();
    for (int head = 0; head < model.config.heads; ++head) heads.push_back(rate());
    errors.layers.push_back(rate());
  }
  errors.gradient = rate();
  errors.muting = rate();
  errors.diagonal = rate();
  return errors;
}

}  // namespace glassformer
