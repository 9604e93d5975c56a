#include "engine/recurrent/recurrent_decoder.h"

#include <algorithm>
#include <string>

#include "engine/decode/search.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

void check_next_words(std::span<const int> ids, int rows, int vocabulary) {
  if (std::ssize(ids) != rows) {
    throw Error("decoding", "expected a token for each of " + std::to_string(rows) + " rows, found " +
                                std::to_string(ids.size()));
  }
  for (const int id : ids) {
    if (id < 0 || id >= vocabulary) {
      throw Error("decoding",
                  "ids go from 0 to " + std::to_string(vocabulary - 1) + ", found " + std::to_string(id));
    }
  }
}

}  // namespace

template <class Scalar>
RecurrentDecoder<Scalar>::RecurrentDecoder(const RecurrentModel<Scalar>& model, const DecoderInput& input)
    : model_(model), max_length_(model.config.max_length) {
  if (input.max_length > 0) max_length_ = std::min(max_length_, input.max_length);
  Batch batch;
  for (const std::vector<int>& source : input.sources) {
    batch.source.add(source);
    batch.target_in.add({});
    batch.target_out.add({});
  }
  source_.pool = input.pool;
  model.encode(batch, source_);

  // Each layer begins where the encoder's has ended.
  const int d = model.config.width;
  const auto rows = static_cast<int>(input.sources.size());
  for (const GruSaved<Scalar>& layer : source_.source.layers) {
    Matrix<Scalar>& state = states_.emplace_back(rows, d);
    for (const RecurrentChunk& chunk : source_.chunks) {
      for (int place = 0; place < chunk.sentences; ++place)
        state.row(chunk.source_steps.sentence(place)) = layer.last.row(chunk.first_sentence + place);
    }
  }
  for (int i = 0; i < rows; ++i) sentences_.push_back(i);

  // What is the same for every step.
  for (const Gru<Scalar>& layer : model.decoder) panels_.push_back(forward_panels(layer));
  const int words = source_.words.source.tokens();
  if (model.attention.kind == RecurrentAttention::additive) {
    attention_.key.resize(words, d);
    project_keys<Scalar>(model.attention, source_.memory, {0, 0, 0, 0, words, 0}, attention_);
  }
}

template <class Scalar>
SentenceRows RecurrentDecoder<Scalar>::keys_of(int row) const {
  const PackedIds& source = source_.words.source;
  const int sentence = sentences_[static_cast<std::size_t>(row)];
  const auto first_weight = static_cast<std::size_t>(row) * static_cast<std::size_t>(source.longest());
  return {sentence, row, 1, source.begin(sentence), source.length(sentence), first_weight};
}

template <class Scalar>
std::span<const Scalar> RecurrentDecoder<Scalar>::weights(int row) const {
  if (!model_.config.attends() || written_ == 0) return {};
  const SentenceRows rows = keys_of(row);
  return std::span(attention_.weights).subspan(rows.first_weight, static_cast<std::size_t>(rows.keys));
}

template <class Scalar>
void RecurrentDecoder<Scalar>::attend() {
  const int d = model_.config.width;
  const auto rows_and_words =
      static_cast<std::size_t>(rows()) * static_cast<std::size_t>(source_.words.source.longest());
  if (attention_.weights.size() < rows_and_words) attention_.weights.resize(rows_and_words);
  if (model_.attention.kind == RecurrentAttention::additive) make_room(attention_.query, rows(), d);
  project_queries<Scalar>(model_.attention, joined_.leftCols(d), {0, 0, rows(), 0, 0, 0}, attention_);
  for (int row = 0; row < rows(); ++row) {
    attend_source<Scalar>(model_.attention, joined_.leftCols(d), source_.memory, keys_of(row), attention_,
                          joined_.rightCols(d));
  }
}

template <class Scalar>
const Matrix<Scalar>& RecurrentDecoder<Scalar>::step(std::span<const int> ids) {
  check_next_words(ids, rows(), model_.config.target_vocab);
  if (written_ >= max_length_) refuse_more_words(max_length_);
  ++written_;
  const int d = model_.config.width;
  steps_.arrange_single(rows());
  input_.resize(rows(), d);
  joined_.resize(rows(), model_.config.joined_width());
  logits_.resize(rows(), model_.config.target_vocab);
  if (rows() == 0) return logits_;

  // The word, through the layers.
  for (int row = 0; row < rows(); ++row)
    input_.row(row) = model_.target_embedding.row(ids[static_cast<std::size_t>(row)]);
  layer_.make_room_for(rows(), rows(), d);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    layer_.first.topRows(rows()) = states_[i];
    gru_forward<Scalar>(model_.decoder[i], panels_[i], steps_, input_, 0, layer_);
    states_[i] = input_ = layer_.output.topRows(rows());
  }

  // The next word.
  joined_.leftCols(d) = input_;
  if (model_.config.attends()) attend();
  model_.output_projection.forward(joined_, logits_);
  return logits_;
}

template <class Scalar>
void RecurrentDecoder<Scalar>::select(std::span<const int> from) {
  std::vector<int> sentences;
  for (const int row : from) sentences.push_back(sentences_[static_cast<std::size_t>(row)]);
  sentences_ = std::move(sentences);
  for (Matrix<Scalar>& state : states_) {
    Matrix<Scalar> selected(rows(), state.cols());
    for (int row = 0; row < rows(); ++row) selected.row(row) = state.row(from[static_cast<std::size_t>(row)]);
    state = std::move(selected);
  }
}

template class RecurrentDecoder<float>;
template class RecurrentDecoder<double>;

template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going) {
  const Config config = batch_config(model.config);
  check_search(sources, options, config);
  const MakeDecoder<Scalar> make = [&](const DecoderInput& input) {
    return std::make_unique<RecurrentDecoder<Scalar>>(model, input);
  };
  return search_all(sources, options, config, config.max_length, make, keep_going);
}

template std::vector<DecodeResult> decode(const RecurrentModel<float>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);
template std::vector<DecodeResult> decode(const RecurrentModel<double>&, const std::vector<std::vector<int>>&,
                                          const DecodeOptions&, const std::function<bool()>&);

}  // namespace glassformer
