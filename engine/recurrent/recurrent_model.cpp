// A recurrent model's numbers, its forward pass and its loss. Each chunk of sentences goes all the way on one
// thread: steps wait for the steps before, and threads would only wait for each other.
#include <algorithm>
#include <cmath>

#include "engine/math/random.h"
#include "engine/math/worker_pool.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {
namespace {

constexpr int kChunkSentences = 16;  // enough rows for a product, few enough for several threads

// ---- its numbers at the beginning

template <class Scalar>
void fill_uniform(Parameter<Scalar> tensor, double limit, Random& random) {
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.data[i] = static_cast<Scalar>(random.uniform(-limit, limit));
}

template <class Scalar>
void fill_first(Parameter<Scalar> tensor, RecurrentPart part, double width, Random& random) {
  if (part == RecurrentPart::source_embedding || part == RecurrentPart::target_embedding) {
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] = static_cast<Scalar>(random.normal());
  } else if (in_gru(part) || part == RecurrentPart::score_weight) {
    fill_uniform(tensor, 1 / std::sqrt(width), random);
  } else if (tensor.rank == 2) {
    fill_uniform(tensor, std::sqrt(6.0 / (tensor.rows + tensor.columns)), random);
  } else {
    std::fill_n(tensor.data, tensor.size(), Scalar{0});
  }
}

// ---- what is read

int words_of(std::span<const int> ids, int pad_id) {
  auto count = static_cast<int>(ids.size());
  while (count > 0 && ids[static_cast<std::size_t>(count) - 1] == pad_id) --count;
  return count;
}

// The batch less the padding at the ends. A target word counts where it is read or asked for.
void take_words(const RecurrentConfig& config, const Batch& batch, Batch& words) {
  check_pairs(batch);
  words.source.clear();
  words.target_in.clear();
  words.target_out.clear();
  for (int i = 0; i < batch.sentences(); ++i) {
    const auto source = batch.source.sentence(i), in = batch.target_in.sentence(i),
               out = batch.target_out.sentence(i);
    words.source.add(source.first(static_cast<std::size_t>(words_of(source, config.pad_id))));
    const auto count =
        static_cast<std::size_t>(std::max(words_of(in, config.pad_id), words_of(out, config.pad_id)));
    words.target_in.add(in.first(count));
    words.target_out.add(out.first(count));
  }
  check_ids(words, config.source_vocab, config.target_vocab, config.max_length);
}

// ---- where everything is

void cut_chunks(const Batch& words, std::vector<RecurrentChunk>& chunks) {
  const int sentences = words.sentences();
  chunks.resize(static_cast<std::size_t>((sentences + kChunkSentences - 1) / kChunkSentences));
  for (int i = 0; i < static_cast<int>(chunks.size()); ++i) {
    RecurrentChunk& chunk = chunks[static_cast<std::size_t>(i)];
    chunk.first_sentence = i * kChunkSentences;
    chunk.sentences = std::min(kChunkSentences, sentences - chunk.first_sentence);
    const int end = chunk.first_sentence + chunk.sentences;
    chunk.first_source = words.source.begin(chunk.first_sentence);
    chunk.source_rows = words.source.begin(end) - chunk.first_source;
    chunk.first_target = words.target_in.begin(chunk.first_sentence);
    chunk.target_rows = words.target_in.begin(end) - chunk.first_target;
    chunk.source_steps.arrange(words.source, chunk.first_sentence, chunk.sentences);
    chunk.target_steps.arrange(words.target_in, chunk.first_sentence, chunk.sentences);
  }
}

template <class Scalar>
void prepare_side(const std::vector<Gru<Scalar>>& layers, int rows, int sentences,
                  RecurrentSide<Scalar>& side) {
  const int d = layers.front().width();
  make_room(side.embedded, rows, d);
  side.layers.resize(layers.size());
  side.panels.clear();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    side.layers[i].make_room_for(rows, sentences, d);
    side.panels.push_back(forward_panels(layers[i]));
  }
}

template <class Scalar>
void prepare(const RecurrentModel<Scalar>& model, const Batch& batch, RecurrentSaved<Scalar>& saved) {
  const RecurrentConfig& config = model.config;
  take_words(config, batch, saved.words);
  cut_chunks(saved.words, saved.chunks);
  const int sources = saved.words.source.tokens(), targets = saved.words.target_in.tokens();
  const int sentences = saved.words.sentences();
  prepare_side(model.encoder, sources, sentences, saved.source);
  prepare_side(model.decoder, targets, sentences, saved.target);
  make_room(saved.memory, sources, config.width);
  make_room(saved.joined, targets, config.joined_width());
  if (saved.logits.rows() != targets || saved.logits.cols() != config.target_vocab)
    saved.logits.resize(targets, config.target_vocab);
  saved.attention.arrange(saved.words, model.attention, config.width);
}

// ---- the pass of one chunk

template <class Scalar>
void read_side(const std::vector<Gru<Scalar>>& layers, const Matrix<Scalar>& table, const PackedIds& ids,
               const Steps& steps, int first_place, RecurrentSide<Scalar>& side) {
  for (int row = steps.first_row(); row < steps.first_row() + steps.rows(); ++row)
    side.embedded.row(row) = table.row(ids.id(steps.token(row)));
  for (std::size_t i = 0; i < layers.size(); ++i)
    gru_forward<Scalar>(layers[i], side.panels[i], steps, side.input(i), first_place, side.layers[i]);
}

template <class Scalar>
void encode_chunk(const RecurrentModel<Scalar>& model, const RecurrentChunk& chunk,
                  RecurrentSaved<Scalar>& saved) {
  for (GruSaved<Scalar>& layer : saved.source.layers)
    layer.first.middleRows(chunk.first_sentence, chunk.sentences).setZero();
  read_side(model.encoder, model.source_embedding, saved.words.source, chunk.source_steps,
            chunk.first_sentence, saved.source);
  chunk.source_steps.to_sentences<Scalar>(saved.source.layers.back().output, saved.memory);
}

template <class Scalar>
void decode_chunk(const RecurrentModel<Scalar>& model, const RecurrentChunk& chunk,
                  RecurrentSaved<Scalar>& saved) {
  const int d = model.config.width;

  // The states that the encoder ended with are those that the decoder begins with.
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    for (int sentence = chunk.first_sentence; sentence < chunk.first_sentence + chunk.sentences; ++sentence) {
      saved.target.layers[i].first.row(chunk.first_sentence + chunk.target_steps.place(sentence)) =
          saved.source.layers[i].last.row(chunk.first_sentence + chunk.source_steps.place(sentence));
    }
  }
  read_side(model.decoder, model.target_embedding, saved.words.target_in, chunk.target_steps,
            chunk.first_sentence, saved.target);
  chunk.target_steps.to_sentences<Scalar>(saved.target.layers.back().output, saved.joined.leftCols(d));

  // Looking back at the source.
  if (model.config.attends()) {
    const SentenceRows all = chunk.all_rows();
    project_keys<Scalar>(model.attention, saved.memory, all, saved.attention);
    project_queries<Scalar>(model.attention, saved.joined.leftCols(d), all, saved.attention);
    for (int i = chunk.first_sentence; i < chunk.first_sentence + chunk.sentences; ++i) {
      attend_source<Scalar>(model.attention, saved.joined.leftCols(d), saved.memory,
                            saved.attention.sentences[static_cast<std::size_t>(i)], saved.attention,
                            saved.joined.rightCols(d));
    }
  }
  model.output_projection.forward(saved.joined.middleRows(chunk.first_target, chunk.target_rows),
                                  saved.logits.middleRows(chunk.first_target, chunk.target_rows));
}

}  // namespace

template <class Scalar>
RecurrentModel<Scalar>::RecurrentModel(const RecurrentConfig& settings) : config(settings) {
  check(config);
  const int d = config.width;
  source_embedding.setZero(config.source_vocab, d);
  target_embedding.setZero(config.target_vocab, d);
  encoder.resize(static_cast<std::size_t>(config.layers));
  decoder.resize(static_cast<std::size_t>(config.layers));
  for (Gru<Scalar>& layer : encoder) layer.resize(d, d);
  for (Gru<Scalar>& layer : decoder) layer.resize(d, d);
  attention.kind = config.recurrent_attention;
  attention.resize(d);
  output_projection.resize(config.joined_width(), config.target_vocab, true);
}

template <class Scalar>
void RecurrentModel<Scalar>::initialize(std::uint64_t seed) {
  Random random(seed);
  visit([&](const std::string& name, Parameter<Scalar> tensor) {
    fill_first(tensor, read_recurrent_name(name)->part, config.width, random);
  });
}

template <class Scalar>
void RecurrentModel<Scalar>::set_zero() {
  detail::set_zero(*this);
}

template <class Scalar>
std::size_t RecurrentModel<Scalar>::parameter_count() const {
  return detail::count_numbers(*this);
}

template <class Scalar>
template <class Other>
RecurrentModel<Other> RecurrentModel<Scalar>::cast() const {
  RecurrentModel<Other> result(config);
  detail::copy_numbers(*this, result);
  return result;
}

template <class Scalar>
void RecurrentModel<Scalar>::encode(const Batch& batch, RecurrentSaved<Scalar>& saved) const {
  prepare(*this, batch, saved);
  run_on(saved.pool, static_cast<int>(saved.chunks.size()),
         [&](int chunk) { encode_chunk(*this, saved.chunks[static_cast<std::size_t>(chunk)], saved); });
}

template <class Scalar>
void RecurrentModel<Scalar>::forward(const Batch& batch, RecurrentSaved<Scalar>& saved) const {
  prepare(*this, batch, saved);
  run_on(saved.pool, static_cast<int>(saved.chunks.size()), [&](int index) {
    const RecurrentChunk& chunk = saved.chunks[static_cast<std::size_t>(index)];
    encode_chunk(*this, chunk, saved);
    decode_chunk(*this, chunk, saved);
  });
}

template <class Scalar>
Loss RecurrentModel<Scalar>::loss(RecurrentSaved<Scalar>& saved, const LossOptions& options) const {
  const long words = options.words > 0 ? options.words : saved.words.target_words(config.pad_id);
  CrossEntropyOptions each;
  each.smoothing = options.smoothing;
  each.pad_id = config.pad_id;
  each.gradient_scale = options.gradient ? 1.0 / static_cast<double>(std::max(words, 1L)) : 0;
  saved.losses.resize(saved.chunks.size());
  run_on(saved.pool, static_cast<int>(saved.chunks.size()), [&](int index) {
    const RecurrentChunk& chunk = saved.chunks[static_cast<std::size_t>(index)];
    const auto wanted = saved.words.target_out.ids().subspan(static_cast<std::size_t>(chunk.first_target),
                                                             static_cast<std::size_t>(chunk.target_rows));
    saved.losses[static_cast<std::size_t>(index)] =
        cross_entropy<Scalar>(saved.logits.middleRows(chunk.first_target, chunk.target_rows), wanted, each);
  });
  LossSums sums;
  for (const LossSums& part : saved.losses) sums.add(part);
  return mean_of(sums, options.smoothing, config.target_vocab);
}

#define GLASSFORMER_RECURRENT_MODEL(Scalar)                                                   \
  template RecurrentModel<Scalar>::RecurrentModel(const RecurrentConfig&);                    \
  template void RecurrentModel<Scalar>::initialize(std::uint64_t);                            \
  template void RecurrentModel<Scalar>::set_zero();                                           \
  template std::size_t RecurrentModel<Scalar>::parameter_count() const;                       \
  template void RecurrentModel<Scalar>::encode(const Batch&, RecurrentSaved<Scalar>&) const;  \
  template void RecurrentModel<Scalar>::forward(const Batch&, RecurrentSaved<Scalar>&) const; \
  template Loss RecurrentModel<Scalar>::loss(RecurrentSaved<Scalar>&, const LossOptions&) const;
GLASSFORMER_RECURRENT_MODEL(float)
GLASSFORMER_RECURRENT_MODEL(double)
template RecurrentModel<double> RecurrentModel<float>::cast<double>() const;
template RecurrentModel<float> RecurrentModel<double>::cast<float>() const;

}  // namespace glassformer
