// The parts of Tokens, Embedding, Positions and Output as a lecture draws them: 576 x 256, least type 12.
#include <doctest/doctest.h>

#include "app/views/common/page.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

constexpr Rect kRoom{24, 24, 576, 256};

RecordingCanvas drawn_part(const std::string& view, const SampleScene& scene, const std::string& part,
                           const Rect& room = kRoom) {
  RecordingCanvas canvas(light_theme(), false);
  canvas.set_least_type(12);
  make_view(view)->panel(part, canvas, scene.input(), room.inset(-24));
  CAPTURE(view);
  CAPTURE(part);
  CHECK(canvas.texts.size() > 4);
  CHECK_MESSAGE(texts_outside(canvas, room).empty(), in_lines(texts_outside(canvas, room)));
  CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
  CHECK_MESSAGE(texts_on_curves(canvas).empty(), in_lines(texts_on_curves(canvas)));
  CHECK_MESSAGE(cut_texts(canvas).empty(), in_lines(cut_texts(canvas)));
  return canvas;
}

std::vector<NumberTable> numbers_of(const std::string& view, const SampleScene& scene,
                                    const std::string& part) {
  return with_panel(*make_view(view), part)->numbers(scene.input());
}

std::string caption_of(const std::string& view, const SampleScene& scene, const std::string& part) {
  return with_panel(*make_view(view), part)->caption(scene.input());
}

// Of so many words, each of them known.
SampleScene long_scene(int words) {
  SampleOptions options;
  SceneSentence sentence{"a", {}, "la"};
  for (int i = 1; i < words; ++i) {
    sentence.source += i % 2 == 0 ? " girl" : " red";
    *sentence.reference += i % 2 == 0 ? " fille" : " rouge";
  }
  options.sentences.insert(options.sentences.begin(), sentence);
  return make_sample_scene(options);
}

}  // namespace

TEST_CASE("the sentence alone has its pieces and their ids, in half the height without its text") {
  const SampleScene scene = make_sample_scene({});
  const RecordingCanvas whole = drawn_part("tokens", scene, "sentence");
  CHECK(whole.find("the tired girl sees a red car") != nullptr);
  CHECK(whole.find("From text to ids") == nullptr);
  const RecordingCanvas half = drawn_part("tokens", scene, "sentence", {24, 24, 576, 97});
  CHECK(half.find("the tired girl sees a red car") == nullptr);
  for (const RecordingCanvas* each : {&whole, &half})
    for (const Piece& piece : scene.result->source_pieces) {
      CHECK(each->find(piece.text) != nullptr);
      CHECK(each->find(std::to_string(piece.id)) != nullptr);
    }
  CHECK(numbers_of("tokens", scene, "sentence").size() == 1);
  CHECK(caption_of("tokens", scene, "sentence").find("other ways") == std::string::npos);
  drawn_part("tokens", long_scene(20), "sentence");
}

TEST_CASE("rows, most alike and the map are drawn and told one at a time") {
  SampleScene scene = make_sample_scene({});
  Selection girl;
  girl.key = 2;
  scene.pin(girl);
  CHECK(drawn_part("embedding", scene, "rows").find("Input to layer 1") != nullptr);
  CHECK(drawn_part("embedding", scene, "most-alike").find("Most like “girl”") != nullptr);
  CHECK(drawn_part("embedding", scene, "map").find("girl") != nullptr);
  CHECK(numbers_of("embedding", scene, "rows").size() == 3);
  CHECK(numbers_of("embedding", scene, "most-alike").size() == 1);
  CHECK(numbers_of("embedding", scene, "map").size() == 1);
  CHECK(caption_of("embedding", scene, "rows") == "Embedding of the English sentence");
  CHECK(caption_of("embedding", scene, "most-alike") == "Words most alike “girl” by cosine");
}

TEST_CASE("each picture of the positions stands alone") {
  const SampleScene scene = make_sample_scene({});
  CHECK(drawn_part("positions", scene, "waves").find("position →") != nullptr);
  CHECK(drawn_part("positions", scene, "whole-table").find("dimension →   rows: position") != nullptr);
  CHECK(drawn_part("positions", scene, "by-distance").find("distance between two words →") != nullptr);
  CHECK(drawn_part("positions", scene, "this-sentence").find("tired") != nullptr);
  CHECK(numbers_of("positions", scene, "whole-table").front().title == "positions, sinusoidal");
  CHECK(numbers_of("positions", scene, "by-distance").front().title == "dot product by distance");
  CHECK(numbers_of("positions", scene, "this-sentence").front().rows[1] == "tired");
}

TEST_CASE("asked words, one place and every place of the output say whose they are") {
  SampleScene scene = make_sample_scene({});
  Selection fille;
  fille.kind = AttentionKind::cross;
  fille.query = 2;
  scene.pin(fille);
  const RecordingCanvas asked = drawn_part("output", scene, "asked-words");
  CHECK(asked.find("fatiguée") != nullptr);
  CHECK(asked.find("loss") == nullptr);
  const RecordingCanvas one = drawn_part("output", scene, "one-place");
  CHECK(one.find("After “fille”: the right word is “fatiguée”") != nullptr);
  CHECK(one.find("loss of this word") == nullptr);
  CHECK(drawn_part("output", scene, "every-place").find("entropy") != nullptr);
  CHECK(numbers_of("output", scene, "asked-words").size() == 1);
  CHECK(numbers_of("output", scene, "one-place").front().rows == std::vector<std::string>{"2 fatiguée"});
  CHECK(caption_of("output", scene, "one-place").starts_with("After “fille” the right word is “fatiguée”"));
}

TEST_CASE("of a long sentence all asked words stand in two columns, and the table says how much it has") {
  const SampleScene scene = long_scene(20);
  const RecordingCanvas asked = drawn_part("output", scene, "asked-words");
  int words = 0;
  for (const RecordingCanvas::Text& text : asked.texts) words += text.text == "fille" || text.text == "rouge";
  CHECK(words == 19);
  const RecordingCanvas table = drawn_part("output", scene, "every-place");
  CHECK(in_lines({table.texts.back().text}).find("8 of 21 positions. ") != std::string::npos);
}

}  // namespace glassformer
