#include "engine/model/steps/step_values.h"

#include "engine/model/names.h"

namespace glassformer {
namespace {

Extent tokens(bool encoder) {
  return encoder ? Extent::source : Extent::target;
}

// A value, or a parameter, of one block.
class BlockOperands {
 public:
  BlockOperands(BlockKind block, bool encoder, int layer = 0, int sublayer = 0)
      : name_{block, ValueKind::whole, encoder, layer, sublayer} {}

  Operand value(std::string symbol, ValueKind kind, Extent rows, Extent columns) const {
    const OperandStore store = is_parameter(kind) ? OperandStore::parameter : OperandStore::trace;
    return {std::move(symbol), store, name(kind), rows, columns};
  }
  Operand vector(std::string symbol, ValueKind kind, Extent columns) const {
    return value(std::move(symbol), kind, Extent::one, columns);
  }
  std::string name(ValueKind kind) const {
    ValueName full = name_;
    full.value = kind;
    return written(full);
  }

 private:
  ValueName name_;
};

Operand token_ids(std::string name, Extent rows) {
  return {"ids", OperandStore::ids, std::move(name), rows, Extent::one};
}

NormValues norm_values(Operand x, Operand y, const BlockOperands& norm) {
  const Extent rows = x.rows;
  return {std::move(x),
          std::move(y),
          norm.value("μ", ValueKind::mean, rows, Extent::one),
          norm.value("σ", ValueKind::deviation, rows, Extent::one),
          norm.value("rms", ValueKind::rms, rows, Extent::one),
          norm.vector("γ", ValueKind::gain, Extent::model),
          norm.vector("β", ValueKind::shift, Extent::model)};
}

bool crosses(const StepPlace& place) {
  return !place.encoder && place.sublayer == 2;
}

BlockOperands sublayer_of(const StepPlace& place) {
  const BlockKind kind = place.sublayer == 1 ? BlockKind::self_attention
                         : crosses(place)    ? BlockKind::cross_attention
                                             : BlockKind::feed_forward;
  return {kind, place.encoder, place.layer};
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
  return sublayer_of(place).name(ValueKind::whole);
}

EmbeddingValues StepValues::embedding(bool encoder) const {
  const BlockOperands block(BlockKind::embedding, encoder);
  const Extent rows = tokens(encoder), d = Extent::model;
  const auto value = [&](const char* symbol, ValueKind kind) { return block.value(symbol, kind, rows, d); };
  const bool own_table = encoder && config_.sharing != Sharing::all;
  EmbeddingValues v;
  v.ids = token_ids(encoder ? "source" : "target_in", rows);
  v.table =
      BlockOperands(BlockKind::embedding, own_table)
          .value("E", ValueKind::embedding_table, encoder ? Extent::source_vocab : Extent::target_vocab, d);
  v.embedding = value("U", ValueKind::embedding);
  v.lookup = config_.scale_embeddings ? value("E_ids", ValueKind::lookup) : v.embedding;
  v.position_table = block.value("W_P", ValueKind::position_table, Extent::positions, d);
  v.positions = value("P", ValueKind::positions);
  v.input = value("X", ValueKind::input);
  const bool sums = config_.adds_positions();
  v.norm = norm_values(sums ? value("R", ValueKind::sum) : v.embedding, v.input,
                       {BlockKind::embedding_norm, encoder});
  return v;
}

Operand StepValues::layer_output(bool encoder, int layer) const {
  if (layer < 0) return embedding(encoder).input;
  return BlockOperands(BlockKind::layer, encoder, layer)
      .value("X", ValueKind::output, tokens(encoder), Extent::model);
}

Operand StepValues::stack_output(bool encoder) const {
  return BlockOperands(BlockKind::stack, encoder)
      .value(encoder ? "Y" : "X", ValueKind::output, tokens(encoder), Extent::model);
}

NormValues StepValues::final_norm(bool encoder) const {
  const int layers = encoder ? config_.encoder_layers : config_.decoder_layers;
  return norm_values(layer_output(encoder, layers - 1), stack_output(encoder),
                     {BlockKind::final_norm, encoder});
}

SublayerValues StepValues::sublayer(const StepPlace& place) const {
  const bool pre_norm = config_.norm == NormPlace::pre;
  const Extent rows = tokens(place.encoder), d = Extent::model;
  const auto numbered = [&](const char* symbol, ValueKind kind, int n) {
    return BlockOperands(BlockKind::add_norm, place.encoder, place.layer, n).value(symbol, kind, rows, d);
  };
  SublayerValues v;
  v.residual = numbered("R", ValueKind::residual, place.sublayer);
  v.stream = place.sublayer == 1
                 ? layer_output(place.encoder, place.layer - 1)
                 : numbered("X", pre_norm ? ValueKind::residual : ValueKind::normed, place.sublayer - 1);
  const Operand normed = numbered("N", ValueKind::normed, place.sublayer);
  v.norm = norm_values(pre_norm ? v.stream : v.residual, normed,
                       {BlockKind::add_norm, place.encoder, place.layer, place.sublayer});
  v.input = pre_norm ? normed : v.stream;
  v.output = sublayer_of(place).value("O", ValueKind::output, rows, d);
  v.result = pre_norm ? v.residual : normed;
  return v;
}

bool StepValues::rotates(const StepPlace& place) const {
  return config_.turns_queries() && !crosses(place);
}

AttentionValues StepValues::attention(const StepPlace& place) const {
  const bool cross = crosses(place);
  const BlockOperands block = sublayer_of(place);
  const SublayerValues around = sublayer(place);
  const Extent queries = tokens(place.encoder), keys = cross ? Extent::source : queries, d = Extent::model;
  AttentionValues v;
  v.input = around.input;
  v.memory = cross ? stack_output(true) : around.input;
  v.concat = block.value("C", ValueKind::concat, queries, d);
  v.output = around.output;
  v.output_weight = block.value("W_O", ValueKind::output_weight, d, d);
  v.output_bias = block.vector("b_O", ValueKind::output_bias, d);

  // The three projections are stacked in one matrix, Wq over Wk over Wv.
  const auto stacked = [&](const char* index, int part) {
    Operand operand = block.value(std::string("W_") + index, ValueKind::projections_weight, d, d);
    operand.first_row = part * config_.d_model;
    return operand;
  };
  const auto stacked_bias = [&](const char* index, int part) {
    Operand operand = block.vector(std::string("b_") + index, ValueKind::projections_bias, d);
    operand.first_column = part * config_.d_model;
    return operand;
  };
  HeadValues& all = v.all;
  all.query = block.value("Q", ValueKind::query, queries, d);
  all.key = block.value("K", ValueKind::key, keys, d);
  all.value = block.value("V", ValueKind::value, keys, d);
  all.rotated_query = rotates(place) ? block.value("Q′", ValueKind::rotated_query, queries, d) : all.query;
  all.rotated_key = rotates(place) ? block.value("K′", ValueKind::rotated_key, keys, d) : all.key;
  all.dot_products = block.value("D", ValueKind::dot_products, queries, keys);
  all.scores = block.value("S", ValueKind::scores, queries, keys);
  all.mask = {"M", OperandStore::mask, block_of(place), queries, keys};
  all.masked_scores = block.value("S′", ValueKind::masked_scores, queries, keys);
  all.weights = block.value("A", ValueKind::weights, queries, keys);
  all.context = block.value("C", ValueKind::context, queries, d);
  all.query_weight = stacked("Q", 0), all.query_bias = stacked_bias("Q", 0);
  all.key_weight = stacked("K", 1), all.key_bias = stacked_bias("K", 1);
  all.value_weight = stacked("V", 2), all.value_bias = stacked_bias("V", 2);
  return v;
}

HeadValues StepValues::head(const StepPlace& place) const {
  HeadValues v = attention(place).all;
  const int first = place.head * config_.head_width();
  for (Operand* value : {&v.query, &v.key, &v.value, &v.rotated_query, &v.rotated_key, &v.context})
    value->columns = Extent::head;
  for (Operand* value : {&v.query, &v.key, &v.value, &v.rotated_query, &v.rotated_key, &v.dot_products,
                         &v.scores, &v.mask, &v.masked_scores, &v.weights, &v.context}) {
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
  const BlockOperands block = sublayer_of(place);
  const Extent rows = tokens(place.encoder), d = Extent::model, f = Extent::hidden;
  const SublayerValues around = sublayer(place);
  FeedForwardValues v;
  v.input = around.input;
  v.weight1 = block.value("W_1", ValueKind::weight1, f, d);
  v.bias1 = block.vector("b_1", ValueKind::bias1, f);
  v.pre_activation = block.value("Z", ValueKind::pre_activation, rows, f);
  v.gate_weight = block.value("W_G", ValueKind::gate_weight, f, d);
  v.gate = block.value("G", ValueKind::gate, rows, f);
  v.value = block.value("Z", ValueKind::gated_value, rows, f);
  v.hidden = block.value("H", ValueKind::hidden, rows, f);
  v.weight2 = block.value("W_2", ValueKind::weight2, d, f);
  v.bias2 = block.vector("b_2", ValueKind::bias2, d);
  v.output = around.output;
  return v;
}

OutputValues StepValues::output() const {
  const Extent rows = Extent::target, words = Extent::target_vocab;
  const bool shared = config_.sharing != Sharing::none;
  OutputValues v;
  v.decoder_output = stack_output(false);
  const BlockOperands block(BlockKind::output, false);
  v.weight =
      shared ? embedding(false).table : block.value("W", ValueKind::output_weight, words, Extent::model);
  v.bias = block.vector("b", ValueKind::output_bias, words);
  v.logits = block.value("Z", ValueKind::logits, rows, words);
  v.log_probabilities = block.value("log p", ValueKind::log_probabilities, rows, words);
  v.wanted = token_ids("target_out", rows);
  v.target = block.value("y", ValueKind::smoothed_target, rows, words);
  v.token_loss = block.value("loss_t", ValueKind::token_loss, rows, Extent::one);
  v.loss = {"loss", OperandStore::loss, "loss", Extent::one, Extent::one};
  return v;
}

}  // namespace glassformer
