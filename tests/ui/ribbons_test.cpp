#include "app/widgets/ribbons.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/ui/recording_canvas.h"

using namespace glassformer;

namespace {

const std::vector<std::string> kSentence = {"the", "tired", "girl",  "who",   "sees", "a",    "red",
                                            "car", "buys",  "small", "green", "old",  "table"};

std::vector<TokenChip> words(int count) {
  std::vector<TokenChip> chips;
  for (int i = 0; i < count; ++i)
    chips.push_back({.text = kSentence[static_cast<size_t>(i) % kSentence.size()]});
  return chips;
}

struct Drawn {
  explicit Drawn(int keys, int queries, std::optional<int> pinned = {}) {
    options.keys = words(keys);
    options.queries = words(queries);
    options.row = options.keep_row = pinned;
    if (pinned) options.queries[static_cast<size_t>(*pinned)].pin = ChipPin::query;
    const auto hit = [](const char* side) {
      return [side](int word) { return HitRegion{.label = side + std::to_string(word)}; };
    };
    options.key_hit = hit("key ");
    options.query_hit = hit("query ");
    weights.assign(static_cast<size_t>(keys * queries), 1.0f / static_cast<float>(keys));
    sides = draw_ribbons(canvas, area, {.values = {weights.data(), queries, keys}}, options);
  }
  int whole(const std::string& word) const {
    return static_cast<int>(
        std::ranges::count_if(canvas.texts, [&](const auto& text) { return text.text == word; }));
  }

  Rect area{10, 10, 400, 200};
  RecordingCanvas canvas;
  RibbonsOptions options;
  std::vector<float> weights;
  RibbonSides sides;
};

}  // namespace

TEST_CASE("every word of a long sentence stands there whole, over its own place") {
  for (const int count : {13, 16, 21, 24}) {
    const Drawn drawn(count, count);
    CHECK(drawn.sides.keys.shown == count);
    for (int i = 0; i < count; ++i) {
      const std::string& word = kSentence[static_cast<size_t>(i) % kSentence.size()];
      const int times = static_cast<int>(
          std::ranges::count_if(drawn.options.keys, [&](const TokenChip& c) { return c.text == word; }));
      CHECK_MESSAGE(drawn.whole(word) == 2 * times, word << " of " << count);
    }
    CHECK(overlapping_texts(drawn.canvas).empty());
    CHECK(texts_outside(drawn.canvas, drawn.area).empty());
    CHECK(texts_under(drawn.canvas, 10).empty());
  }
}

TEST_CASE("of very many words a part can be read, and what is left out is counted and leads on") {
  const Drawn drawn(8, 64);
  const int shown = drawn.sides.queries.shown;
  CHECK(drawn.sides.keys.shown == 8);
  CHECK(shown < 64);
  CHECK(shown >= 12);
  CHECK(drawn.whole("+ " + std::to_string(64 - shown)) == 1);
  CHECK(overlapping_texts(drawn.canvas).empty());
  CHECK(texts_outside(drawn.canvas, drawn.area).empty());
  CHECK(cut_texts(drawn.canvas).empty());
  const auto leads = [&](int word) {
    return std::ranges::any_of(drawn.canvas.regions, [&](const HitRegion& region) {
      return region.label == "query " + std::to_string(word);
    });
  };
  CHECK(leads(shown));
  CHECK_FALSE(leads(shown + 1));
}

TEST_CASE("the pinned word of a long sentence is in sight, with what is left out on both sides") {
  const Drawn drawn(64, 64, 30);
  const RibbonStrip& queries = drawn.sides.queries;
  CHECK(queries.in_sight(30));
  CHECK(queries.first > 0);
  CHECK(drawn.whole("+ " + std::to_string(queries.first)) == 1);
  CHECK(drawn.whole("+ " + std::to_string(64 - queries.first - queries.shown)) >= 1);
  CHECK(overlapping_texts(drawn.canvas).empty());
  CHECK(texts_outside(drawn.canvas, drawn.area).empty());
  // Its bands reach all keys, those that are left out at their mark.
  const auto blue = std::ranges::count_if(drawn.canvas.strokes, [&](const Stroke& stroke) {
    return stroke.color.with_alpha(1) == drawn.canvas.theme().query;
  });
  CHECK(blue == 48);  // 75 % of 64
}

TEST_CASE("bands thinner than a pixel are fainter, not as dark as wide ones") {
  const Drawn thin(64, 8), wide(4, 8);
  CHECK(thin.canvas.strokes.front().width == 1);
  CHECK(thin.canvas.strokes.front().color.a < wide.canvas.strokes.back().color.a / 3);
}
