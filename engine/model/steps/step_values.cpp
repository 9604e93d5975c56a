#include "engine/model/steps/step_values.h"

namespace glassformer {
namespace {

Extent tokens(bool encoder) {
  return encoder ? Extent::source : Extent::target;
}
std::string side(bool encoder) {
  return encoder ? "source" : "target";
}
std::string layer_name(bool encoder, int layer) {
  return (encoder ? "encoder.layers." : "decoder.layers.") + std::to_string(layer);
}

Operand traced(std::string symbol, std::string name, Extent rows, Extent columns) {
  return {std::move(symbol), OperandStore::trace, std::move(name), rows, columns};
}
Operand weight(std::string symbol, std::string name, Extent rows, Extent columns) {
  return {std::move(symbol), OperandStore::parameter, std::move(name), rows, columns};
}
Operand vector(std::string symbol, std::string name, Extent columns) {
  return weight(std::move(symbol), std::move(name), Extent::one, columns);
}
Operand token_ids(std::string name, Extent rows) {
  return {"ids", OperandStore::ids, std::move(name), rows, Extent::one};
}

// `name` of the weights, `statistics` of mean and deviation.
NormValues norm_values(Operand x, Operand y, const std::string& name) {
  const Extent rows = x.rows;
  return {std::move(x),
          std::move(y),
          traced("μ", name + ".mean", rows, Extent::one),
          traced("σ", name + ".deviation", rows, Extent::one),
          vector("γ", name + ".weight", Extent::model),
          vector("β", name + ".bias", Extent::model)};
}

bool crosses(const StepPlace& place) {
  return !place.encoder && place.sublayer == 2;
}

}  // namespace

Operand gradient_of(const Operand& operand) {
  Operand gradient = operand;
  gradient.symbol = "d" + operand.symbol;
  gradient.store =
      operand.store == OperandStore::parameter ? OperandStore::parameter_gradient : OperandStore::gradient;
  return gradient;
}

int sublayers(bool encoder) {
  return encoder ? 2 : 3;
}

StepBlock block_kind(const StepPlace& place) {
  if (place.sublayer == 1) return StepBlock::self_attention;
  return crosses(place) ? StepBlock::cross_attention : StepBlock::feed_forward;
}

std::string block_of(const StepPlace& place) {
  const char* part = place.sublayer == 1                          ? ".self_attn"
                     : place.sublayer == sublayers(place.encoder) ? ".feed_forward"
                                                                  : ".cross_attn";
  return layer_name(place.encoder, place.layer) + part;
}

EmbeddingValues StepValues::embedding(bool encoder) const {
  const std::string s = side(encoder);
  const Extent rows = tokens(encoder), d = Extent::model;
  const bool own_table = encoder && config_.sharing != Sharing::all;
  EmbeddingValues v;
  v.ids = token_ids(encoder ? "source" : "target_in", rows);
  v.table = weight("E", own_table ? "source_embedding.weight" : "target_embedding.weight",
                   encoder ? Extent::source_vocab : Extent::target_vocab, d);
  v.embedding = traced("U", s + ".embedding", rows, d);
  v.lookup = config_.scale_embeddings ? traced("E_ids", s + ".lookup", rows, d) : v.embedding;
  v.position_table = weight("W_P", s + "_positions.weight", Extent::positions, d);
  v.positions = traced("P", s + ".positions", rows, d);
  v.input = traced("X", s + ".input", rows, d);
  const bool sums = config_.positions != PositionKind::none;
  v.norm = norm_values(sums ? traced("R", s + ".sum", rows, d) : v.embedding, v.input, s + "_embedding_norm");
  return v;
}

Operand StepValues::layer_output(bool encoder, int layer) const {
  if (layer < 0) return embedding(encoder).input;
  return traced("X", layer_name(encoder, layer) + ".output", tokens(encoder), Extent::model);
}

Operand StepValues::stack_output(bool encoder) const {
  return traced(encoder ? "Y" : "X", encoder ? "memory" : "decoder.output", tokens(encoder), Extent::model);
}

NormValues StepValues::final_norm(bool encoder) const {
  const int layers = encoder ? config_.encoder_layers : config_.decoder_layers;
  return norm_values(layer_output(encoder, layers - 1), stack_output(encoder),
                     encoder ? "encoder.norm" : "decoder.norm");
}

SublayerValues StepValues::sublayer(const StepPlace& place) const {
  const bool pre_norm = config_.norm == NormPlace::pre;
  const std::string layer = layer_name(place.encoder, place.layer);
  const Extent rows = tokens(place.encoder), d = Extent::model;
  const auto numbered = [&](const char* symbol, const char* name, int n) {
    return traced(symbol, layer + name + std::to_string(n), rows, d);
  };
  SublayerValues v;
  v.residual = numbered("R", ".residual", place.sublayer);
  v.stream = place.sublayer == 1 ? layer_output(place.encoder, place.layer - 1)
                                 : numbered("X", pre_norm ? ".residual" : ".norm", place.sublayer - 1);
  const Operand normed = numbered("N", ".norm", place.sublayer);
  v.norm = norm_values(pre_norm ? v.stream : v.residual, normed, normed.name);
  v.input = pre_norm ? normed : v.stream;
  v.output = traced("O", block_of(place) + ".output", rows, d);
  v.result = pre_norm ? v.residual : normed;
  return v;
}

AttentionValues StepValues::attention(const StepPlace& place) const {
  const bool cross = crosses(place);
  const std::string block = block_of(place);
  const std::string weights = cross ? layer_name(place.encoder, place.layer) + ".multihead_attn" : block;
  const SublayerValues around = sublayer(place);
  const Extent queries = tokens(place.encoder), keys = cross ? Extent::source : queries, d = Extent::model;
  AttentionValues v;
  v.input = around.input;
  v.memory = cross ? stack_output(true) : around.input;
  v.concat = traced("C", block + ".concat", queries, d);
  v.output = around.output;
  v.output_weight = weight("W_O", weights + ".out_proj.weight", d, d);
  v.output_bias = vector("b_O", weights + ".out_proj.bias", d);

  // The three projections are stacked in one matrix, Wq over Wk over Wv.
  const auto stacked = [&](const char* index, int part) {
    Operand operand = weight(std::string("W_") + index, weights + ".in_proj_weight", d, d);
    operand.first_row = part * config_.d_model;
    return operand;
  };
  const auto stacked_bias = [&](const char* index, int part) {
    Operand operand = vector(std::string("b_") + index, weights + ".in_proj_bias", d);
    operand.first_column = part * config_.d_model;
    return operand;
  };
  HeadValues& all = v.all;
  all.query = traced("Q", block + ".query", queries, d);
  all.key = traced("K", block + ".key", keys, d);
  all.value = traced("V", block + ".value", keys, d);
  all.dot_products = traced("D", block + ".dot_products", queries, keys);
  all.scores = traced("S", block + ".scores", queries, keys);
  all.mask = {"M", OperandStore::mask, block, queries, keys};
  all.masked_scores = traced("S′", block + ".masked_scores", queries, keys);
  all.weights = traced("A", block + ".weights", queries, keys);
  all.context = traced("C", block + ".context", queries, d);
  all.query_weight = stacked("Q", 0), all.query_bias = stacked_bias("Q", 0);
  all.key_weight = stacked("K", 1), all.key_bias = stacked_bias("K", 1);
  all.value_weight = stacked("V", 2), all.value_bias = stacked_bias("V", 2);
  return v;
}

HeadValues StepValues::head(const StepPlace& place) const {
  HeadValues v = attention(place).all;
  const int first = place.head * config_.head_width();
  for (Operand* value : {&v.query, &v.key, &v.value, &v.context}) value->columns = Extent::head;
  for (Operand* value :
       {&v.query, &v.key, &v.value, &v.dot_products, &v.scores, &v.masked_scores, &v.weights, &v.context}) {
    value->head = place.head;
  }
  for (Operand* matrix : {&v.query_weight, &v.key_weight, &v.value_weight}) {
    matrix->rows = Extent::head;
    matrix->first_row += first;
  }
  for (Operand* bias : {&v.query_bias, &v.key_bias, &v.value_bias}) {
    bias->columns = Extent::head;
    bias->first_column += first;
  }
  v.context.symbol = "C_" + std::to_string(place.head + 1);
  return v;
}

FeedForwardValues StepValues::feed_forward(const StepPlace& place) const {
  const std::string layer = layer_name(place.encoder, place.layer), block = block_of(place);
  const Extent rows = tokens(place.encoder), d = Extent::model, f = Extent::hidden;
  const SublayerValues around = sublayer(place);
  FeedForwardValues v;
  v.input = around.input;
  v.weight1 = weight("W_1", layer + ".linear1.weight", f, d);
  v.bias1 = vector("b_1", layer + ".linear1.bias", f);
  v.pre_activation = traced("Z", block + ".pre_activation", rows, f);
  v.hidden = traced("H", block + ".hidden", rows, f);
  v.weight2 = weight("W_2", layer + ".linear2.weight", d, f);
  v.bias2 = vector("b_2", layer + ".linear2.bias", d);
  v.output = around.output;
  return v;
}

OutputValues StepValues::output() const {
  const Extent rows = Extent::target, words = Extent::target_vocab;
  const bool shared = config_.sharing != Sharing::none;
  OutputValues v;
  v.decoder_output = stack_output(false);
  v.weight = weight(shared ? "E" : "W", shared ? "target_embedding.weight" : "output_projection.weight",
                    words, Extent::model);
  v.bias = vector("b", "output_projection.bias", words);
  v.logits = traced("Z", "logits", rows, words);
  v.log_probabilities = traced("log p", "log_probabilities", rows, words);
  v.wanted = token_ids("target_out", rows);
  v.target = traced("y", "smoothed_target", rows, words);
  v.token_loss = traced("loss_t", "token_loss", rows, Extent::one);
  v.loss = {"loss", OperandStore::loss, "loss", Extent::one, Extent::one};
  return v;
}

}  // namespace glassformer
