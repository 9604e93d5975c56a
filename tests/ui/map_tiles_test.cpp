// The thumbnails of the map.
#include <doctest/doctest.h>

#include "app/panels/map.h"
#include "tests/random_models.h"

namespace glassformer {

TEST_CASE("a head's thumbnail on the map has the sentence's tokens, whatever stands beside it in the batch") {
  const Transformer<float> model = random_model<float>(small_config(), 5);
  const std::vector<std::vector<int>> sources{{5, 6, 7}, {5, 6, 7, 8, 9, 10, 4, 5}},
      targets{{4, 6}, {6, 7, 8, 4, 5, 6}};
  const Trace trace = record_trace(model, {sources, targets});
  const int source = static_cast<int>(trace.source[0].size()),
            target = static_cast<int>(trace.target_in[0].size());
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    const MapItem item{.decoder = kind != AttentionKind::encoder, .kind = kind, .layer = 0};
    const std::string name = attention_value(kind, 0, ValueKind::weights);
    REQUIRE(trace.at(name).columns() > (kind == AttentionKind::decoder ? target : source));
    const AttentionTable tile = map_tile(trace, item, 1);
    CHECK(tile.rows == (kind == AttentionKind::encoder ? source : target));
    CHECK(tile.columns == (kind == AttentionKind::decoder ? target : source));
    const Plane weights = trace.plane(name, 0, 1);
    for (int row = 0; row < tile.rows; ++row)
      for (int column = 0; column < tile.columns; ++column)
        CHECK(tile.at(row, column) == weights(row, column));
  }
}

}  // namespace glassformer
