#include "engine/model/names.h"

#include <doctest/doctest.h>

#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/trace.h"
#include "random_models.h"

using namespace glassformer;

namespace {

void check_returns(const std::string& name, bool parameter) {
  INFO(name);
  const auto read = read_name(name);
  REQUIRE(read);
  CHECK(written(*read) == name);
  CHECK(is_parameter(read->value) == parameter);
}

}  // namespace

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
