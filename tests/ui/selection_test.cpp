#include "app/session/selection.h"

#include <doctest/doctest.h>

namespace glassformer {
namespace {

TEST_CASE("names of attentions are put together and taken apart") {
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    const auto parsed = parse_attention_name(attention_name(kind, 11) + ".masked_scores");
    REQUIRE(parsed);
    CHECK(parsed->kind == kind);
    CHECK(parsed->layer == 11);
    CHECK(parsed->part == "masked_scores");
  }
  CHECK(!parse_attention_name("encoder.layers.0.cross_attn.weights"));
  CHECK(!parse_attention_name("encoder.layers.0.norm1"));
  CHECK(!parse_attention_name("memory"));
}

TEST_CASE("selecting a cell selects the attention, head, row and column it lies in") {
  const Selection weight = selecting({}, {"encoder.layers.1.self_attn.weights", {2, 3, 4, 5}});
  CHECK(weight.kind == AttentionKind::encoder);
  CHECK(weight.layer == 1);
  CHECK(weight.sentence == 2);
  CHECK(weight.head == 3);
  CHECK(weight.query == 4);
  CHECK(weight.key == 5);
  const Selection value = selecting({}, {"decoder.layers.0.cross_attn.value", {0, 1, 6, 2}});
  CHECK(value.key == 6);
  CHECK(!value.query);
  Selection base;
  base.query = 1;
  const Selection elsewhere = selecting(base, {"memory", {0, 3, 2}});
  CHECK(elsewhere.query == 1);
  CHECK(elsewhere.cell->name == "memory");
}

}  // namespace
}  // namespace glassformer
