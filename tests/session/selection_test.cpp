#include "app/scene/selection.h"

#include <doctest/doctest.h>

namespace glassformer {
namespace {

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

TEST_CASE("a cell that is added becomes the pinned one, and the words before it stay lit") {
  Selection first{.head = 2, .query = 1, .key = 4};
  const Selection second{.head = 2, .query = 3, .key = 4};
  const Selection both = adding(first, second);
  CHECK(both.query == 3);
  CHECK(both.key == 4);
  CHECK(both.more_queries == std::vector<int>{1});
  CHECK(both.more_keys.empty());
  CHECK(adding(both, second) == Selection{.head = 2, .query = 1, .key = {}});  // again: taken out
  const Selection back = adding(both, first);                                  // both words were lit already
  CHECK(back.query == 1);
  CHECK(back.more_queries == std::vector<int>{3});
  const Selection elsewhere{.head = 0, .query = 2};
  CHECK(adding(both, elsewhere) == elsewhere);
}

TEST_CASE("a step of the decoding is a row of the decoder and nothing of the encoder") {
  const Selection cross{.query = 1, .key = 2, .cell = CellRef{"logits", {0, 1, 5}}, .more_keys = {3}};
  CHECK(at_step(cross, 4) == Selection{.query = 4});
  const Selection encoder{.kind = AttentionKind::encoder, .query = 1, .key = 2};
  CHECK(at_step(encoder, 4) == encoder);
}

TEST_CASE("decoder rows are shared by its attentions, the encoder's rows are other words") {
  const Selection cross{.query = 2, .key = 3};
  CHECK(of_kind(cross, AttentionKind::decoder) == Selection{.kind = AttentionKind::decoder, .query = 2});
  CHECK(of_kind(cross, AttentionKind::encoder) == Selection{.kind = AttentionKind::encoder});
}
}  // namespace glassformer
