// Parameters: their names, their number, and what they begin with.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/initial_weights.h"
#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"
#include "tests/random_models.h"

namespace glassformer::parameters_test {

void check_returns(const std::string& name, bool parameter) {
  INFO(name);
  const auto read = read_name(name);
  REQUIRE(read);
  CHECK(written(*read) == name);
  CHECK(is_parameter(read->value) == parameter);
}

TEST_CASE("every name of a trace and every parameter's is read, and written back equal") {
  const TraceInput input{{{5, 6, 7}}, {{4, 5}}};
  TraceOptions options;
  options.gradients = true;
  for (const NamedConfig& each : varied_configs()) {
    INFO(each.name);
    const Transformer<float> model = random_model<float>(each.config, 1);
    const Trace trace = record_trace(model, input, options);
    for (const auto& [name, tensor] : trace.tensors) check_returns(name, false);
    for (const auto& [name, tensor] : trace.gradients) check_returns(name, false);
    for (const ParameterView& parameter : parameters(model)) check_returns(parameter.name, true);
  }
}

TEST_CASE("a name says block, layer and value") {
  CHECK(*read_name("decoder.layers.12.cross_attn.weights") ==
        ValueName{BlockKind::cross_attention, ValueKind::weights, false, 12});
  CHECK(*read_name("decoder.layers.1.multihead_attn.in_proj_bias") ==
        ValueName{BlockKind::cross_attention, ValueKind::projections_bias, false, 1});
  CHECK(*read_name("encoder.layers.0.norm2.mean") ==
        ValueName{BlockKind::add_norm, ValueKind::mean, true, 0, 2});
  CHECK(*read_name("memory") == ValueName{BlockKind::stack, ValueKind::output, true});
  CHECK(*read_name("encoder.layers.3") == ValueName{BlockKind::layer, ValueKind::whole, true, 3});
  CHECK(attention_of(*read_name("decoder.layers.0.self_attn.query")) == AttentionKind::decoder);
  CHECK(!attention_of(*read_name("decoder.layers.0.norm1")));
}

TEST_CASE("attentions are put together and taken apart") {
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    const std::string name = attention_value(kind, 11, ValueKind::masked_scores);
    const auto read = read_name(name);
    REQUIRE(read);
    CHECK(*read == value_in(kind, 11, ValueKind::masked_scores));
    CHECK(attention_of(*read) == kind);
  }
  CHECK(!read_attention_name("encoder.layers.0.norm1"));
  CHECK(!read_attention_name("encoder.layers.0.self_attn.in_proj_weight"));
  CHECK(!read_attention_name("memory"));
  CHECK(word_of(ValueKind::masked_scores) == "masked_scores");
}

TEST_CASE("a name gives that of its block's other values, of its place in a layer and of its parameters") {
  const ValueName query = value_in(AttentionKind::cross, 2, ValueKind::query);
  CHECK(written(query, ValueKind::weights) == "decoder.layers.2.cross_attn.weights");
  CHECK(name_in_layer(query) == "cross_attn.query");
  CHECK(name_in_layer(*read_name("encoder.layers.0.norm2")) == "norm2");
  CHECK(name_in_layer(*read_name("encoder.layers.0")).empty());
  CHECK(name_in_layer(*read_name("memory")).empty());
  CHECK(parameters_block(query) == "decoder.layers.2.multihead_attn");
  CHECK(parameters_block(*read_name("source_embedding_norm.bias")) == "source_embedding");
  CHECK(parameters_block(*read_name("target.sum")) == "target_embedding");
  CHECK(parameters_block(*read_name("encoder.norm.weight")) == "encoder.norm");
  CHECK(parameters_block(*read_name("output_projection.bias")) == "output_projection");
  CHECK(embedding_value(true, ValueKind::positions) == "source.positions");
  CHECK(output_value(ValueKind::token_loss) == "token_loss");
  CHECK(in_same_layer(query, *read_name("decoder.layers.2.linear1.bias")));
  CHECK_FALSE(in_same_layer(query, *read_name("encoder.layers.2.linear1.bias")));
  CHECK_FALSE(in_same_layer(*read_name("encoder.norm"), *read_name("encoder.norm")));
}

TEST_CASE("biases and parameters are told by their names as torch ends them") {
  for (const NamedConfig& each : varied_configs()) {
    const Transformer<float> model = random_model<float>(each.config, 1);
    for (const ParameterView& parameter : parameters(model)) {
      INFO(parameter.name);
      CHECK(is_name_of_parameter(parameter.name));
      CHECK(is_bias(read_name(parameter.name)->value) == parameter.name.ends_with("bias"));
    }
  }
  CHECK_FALSE(is_name_of_parameter("encoder.layers.0.self_attn.weights"));
  CHECK_FALSE(is_name_of_parameter("loss"));
}

TEST_CASE("what no model has is no name") {
  for (const char* name : {"", "loss", "encoder.layers.0.cross_attn.weights", "encoder.layers.x.norm1",
                           "encoder.layers.00.norm1", "encoder.layers.0.norm3", "encoder.layers.0.norm1.",
                           "encoder.layers.0.multihead_attn.in_proj_bias", "decoder.layers.0.cross_attn.out",
                           "decoder.layers.99999999999.norm1", "encoder.layers.-1.norm1", "encoder.output"}) {
    INFO(name);
    CHECK(!read_name(name));
  }
  CHECK_THROWS_AS(written({BlockKind::output, ValueKind::query}), Error);
}

long count_of(const std::vector<ParameterBlock>& blocks, const std::string& name) {
  for (const ParameterBlock& block : blocks)
    if (block.name == name) return block.count();
  return -1;
}

TEST_CASE("the paper's base model with a shared vocabulary of 37 000 has about 63 million weights") {
  Config config;
  config.d_model = 512;
  config.heads = 8;
  config.d_ff = 2048;
  config.encoder_layers = config.decoder_layers = 6;
  config.source_vocab = config.target_vocab = 37000;
  config.sharing = Sharing::all;
  // 37 000 x 512 + 6 x 3 152 384 + 6 x 4 204 032 + the 37 000 biases of the output
  CHECK(parameter_count(config) == 18944000 + 6 * 3152384L + 6 * 4204032L + 37000);
  CHECK(parameter_count(config) / 1000000 == 63);
}

TEST_CASE("blocks are counted by their shapes, LayerNorm beside the sub-block it belongs to") {
  Config config;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 10;
  config.encoder_layers = 1;
  config.decoder_layers = 2;
  config.source_vocab = 20;
  config.target_vocab = 30;
  const auto blocks = parameter_blocks(config);
  CHECK(count_of(blocks, "source_embedding") == 160);
  CHECK(count_of(blocks, "target_embedding") == 240);
  CHECK(count_of(blocks, "encoder.layers.0.self_attn") == 4 * 64 + 4 * 8 + 16);
  CHECK(count_of(blocks, "decoder.layers.1.multihead_attn") == 4 * 64 + 4 * 8 + 16);
  CHECK(count_of(blocks, "decoder.layers.1.feed_forward") == 2 * 80 + 18 + 16);
  CHECK(count_of(blocks, "output_projection") == 270);
  CHECK(blocks.size() == 2 + 2 + 6 + 1);

  long sum = 0;
  std::set<std::string> names;
  for (const ParameterBlock& block : blocks) {
    sum += block.count();
    for (const ParameterShape& tensor : block.tensors) CHECK(names.insert(tensor.name).second);
  }
  CHECK(sum == parameter_count(config));
}

TEST_CASE("options add and remove exactly the tensors that the model specification names") {
  Config config;
  config.d_model = 8;
  config.source_vocab = config.target_vocab = 20;
  const long plain = parameter_count(config);

  Config shared = config;
  shared.sharing = Sharing::output;
  CHECK(plain - parameter_count(shared) == 160);
  shared.sharing = Sharing::all;
  CHECK(plain - parameter_count(shared) == 320);
  CHECK(count_of(parameter_blocks(shared), "source_embedding") == -1);

  Config learned = config;
  learned.positions = PositionKind::learned;
  CHECK(parameter_count(learned) - plain == 2 * 64 * 8);

  Config normed = config;
  normed.final_norm = normed.embedding_norm = true;
  CHECK(parameter_count(normed) - plain == 4 * 16);

  Config bare = config;
  bare.attention_bias = bare.output_bias = false;
  CHECK(plain - parameter_count(bare) == 6 * 32 + 20);  // two encoder attentions, four decoder attentions
}

// ---- What a model begins with is what the table of its beginnings says.

Config shaped(Sharing sharing, PositionKind positions) {
  Config config;
  config.d_model = 24;
  config.d_ff = 40;
  config.heads = 4;
  config.source_vocab = config.target_vocab = 60;
  config.max_length = 16;
  config.sharing = sharing;
  config.positions = positions;
  config.embedding_norm = true;
  return config;
}

bool ends_with(const std::string& name, const char* ending) {
  return name.ends_with(ending);
}

TEST_CASE("every matrix begins within Xavier's limits and comes close to them, each of three by its own") {
  for (const Sharing sharing : {Sharing::none, Sharing::all}) {
    Transformer<float> model(shaped(sharing, PositionKind::learned));
    model.initialize(5);
    int matrices = 0;
    for (const ParameterView& tensor : parameters(model)) {
      CAPTURE(tensor.name);
      const InitialWeights begin =
          initial_weights(model.config, tensor.name, tensor.rows(), tensor.columns());
      const std::span<const float> values(tensor.data, static_cast<std::size_t>(tensor.size()));
      double largest = 0;
      for (const float value : values) largest = std::max(largest, std::abs(double(value)));
      const bool table =
          ends_with(tensor.name, "embedding.weight") || ends_with(tensor.name, "positions.weight");
      if (tensor.shape.size() == 2 && begin.kind == InitialWeights::Kind::even) {
        ++matrices;
        const int rows = ends_with(tensor.name, "in_proj_weight") ? tensor.rows() / 3 : tensor.rows();
        const double a = std::sqrt(6.0 / (rows + tensor.columns()));
        CHECK(begin.limit == doctest::Approx(a).epsilon(1e-14));
        CHECK(begin.fan_in == tensor.columns());
        CHECK(begin.fan_out == rows);
        CHECK(begin.matrices == (rows == tensor.rows() ? 1 : 3));
        CHECK(largest <= a * (1 + 1e-7));
        CHECK(largest > 0.98 * a);
        CHECK(count_outside(values, begin.limit) == 0);
      } else if (tensor.shape.size() == 2) {
        CHECK(table == (begin.kind == InitialWeights::Kind::normal));
        CHECK(begin.deviation == doctest::Approx(1 / std::sqrt(24.0)));
        double squares = 0;
        for (const float value : values) squares += double(value) * double(value);
        CHECK(std::sqrt(squares / double(values.size())) == doctest::Approx(begin.deviation).epsilon(0.12));
      } else {
        CHECK(begin.kind == InitialWeights::Kind::constant);
        CHECK(std::ranges::all_of(values, [&](float value) { return double(value) == begin.value; }));
      }
    }
    // Projections and output of an attention, two of a feed-forward; a decoder layer attends twice.
    const int of_layers = 4 * model.config.encoder_layers + 6 * model.config.decoder_layers;
    CHECK(matrices == of_layers + (sharing == Sharing::none ? 1 : 0));
  }
}

TEST_CASE("the limits bound what 32 bits hold, and what is not finite lies outside") {
  const double a = xavier_limit(3, 4);
  CHECK(a == doctest::Approx(std::sqrt(6.0 / 7)).epsilon(1e-15));
  const auto edge = static_cast<float>(a);
  const std::vector<float> values{edge, -edge, 0, edge * 1.00001f, -2, std::nanf("")};
  CHECK(count_outside(values, a) == 3);
}

TEST_CASE("a name that is no parameter's has no beginning") {
  const Config config = shaped(Sharing::none, PositionKind::sinusoidal);
  CHECK_THROWS_AS(initial_weights(config, "output.logits", 3, 3), Error);
  CHECK_THROWS_AS(initial_weights(config, "nothing", 3, 3), Error);
}

TEST_CASE("a new model is 0 throughout, also where memory was used before") {
  const Config config = shaped(Sharing::none, PositionKind::learned);
  for (int i = 0; i < 3; ++i) {
    Transformer<float> used(config);
    used.initialize(7);
  }
  const Transformer<float> fresh(config);
  fresh.visit([](const std::string& name, Parameter<const float> tensor) {
    CAPTURE(name);
    CHECK(std::all_of(tensor.data, tensor.data + tensor.size(), [](float value) { return value == 0; }));
  });
}

}  // namespace glassformer::parameters_test
