// A vocabulary with byte fallback, as large models have: what the Tokens view says of a sign that is in it,
// of one that falls into bytes, and of one that is unknown to a vocabulary without.
#include <doctest/doctest.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <unordered_map>

#include "app/session/run_scene.h"
#include "app/views/tokens/tokens.h"
#include "engine/text/sentencepiece.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer::byte_pieces_test {
namespace {

constexpr int kSpecialPieces = 4, kBytes = 256;

class Lines final : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return at_ >= lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

// Learned from smiling cats; any other sign becomes its bytes, or unknown.
std::shared_ptr<const Tokenizer> learned(bool byte_fallback) {
  std::vector<std::string> lines;
  for (int i = 0; i < 30; ++i)
    for (const char* const line : {"the cat smiles 😀", "the tired girl sees a red car", "a dog 😀"})
      lines.emplace_back(line);
  Lines iterator(lines);
  const std::unordered_map<std::string, std::string> options = {
      {"model_type", "bpe"},
      {"vocab_size", std::to_string((byte_fallback ? kBytes : 0) + 60)},
      {"byte_fallback", byte_fallback ? "true" : "false"},
      {"hard_vocab_limit", "false"},
      {"pad_id", "0"},
      {"unk_id", "1"},
      {"bos_id", "2"},
      {"eos_id", "3"},
      {"character_coverage", "1.0"},
      {"normalization_rule_name", "identity"},
      {"num_threads", "1"},
      {"minloglevel", "2"}};
  std::string bytes;
  const auto status = sentencepiece::SentencePieceTrainer::Train(options, &iterator, &bytes);
  REQUIRE_MESSAGE(status.ok(), status.ToString());
  return load_sentencepiece(bytes, SpecialIds(), "test");
}

std::vector<Piece> of_sign(const Tokenizer& tokenizer, const std::string& sign) {
  std::vector<Piece> pieces = tokenizer.encode("the " + sign);
  REQUIRE(pieces.size() > 1);
  pieces.erase(pieces.begin(), std::ranges::find(pieces, std::string("the"), &Piece::text) + 1);
  std::erase_if(pieces, [](const Piece& piece) { return piece.text == kWordStart; });
  return pieces;
}

std::vector<std::string> texts(const std::vector<Piece>& pieces) {
  std::vector<std::string> all;
  for (const Piece& piece : pieces) all.push_back(piece.text);
  return all;
}

// The sample's model, whose source is cut so.
SampleScene scene_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& sentence) {
  SampleScene scene = make_sample_scene();
  scene.tokenizers.source = tokenizer;
  Snapshot snapshot = *scene.snapshot;
  snapshot.config.source_vocab = tokenizer->size();
  auto model = std::make_shared<Transformer<float>>(snapshot.config);
  model->initialize(1);
  snapshot.weights = model;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
  Scene wanted;
  wanted.sentences = {{sentence, {}, {}}};
  scene.result = run_scene(scene.snapshot, scene.tokenizers, wanted);
  scene.training_text = nullptr;
  return scene;
}

}  // namespace

TEST_CASE("a known emoji is one piece, another falls into its bytes or is unknown, by the vocabulary") {
  const auto with = learned(true), without = learned(false);
  CHECK(with->size() >= kSpecialPieces + kBytes);
  for (const auto& tokenizer : {with, without}) {
    const std::vector<Piece> known = of_sign(*tokenizer, "😀");
    REQUIRE(known.size() == 1);
    CHECK(known[0].text == "😀");
    CHECK_FALSE(known[0].unknown);
    CHECK_FALSE(known[0].byte);
    CHECK(chips_note(known) == "A bar marks the first piece of a word.");
  }

  const std::vector<Piece> car = of_sign(*with, "🚗");
  CHECK(texts(car) == std::vector<std::string>{"<0xF0>", "<0x9F>", "<0x9A>", "<0x97>"});
  for (const Piece& piece : car) {
    CHECK(piece.byte);
    CHECK_FALSE(piece.unknown);
    CHECK(with->piece(piece.id) == piece.text);
  }
  CHECK(chips_note(car) ==
        "A dashed piece is one byte of a sign that has no piece of its own: “🚗” (an emoji).");
  CHECK(chips_note(with->encode("ж 🚗 ж😀§")) ==
        "A dashed piece is one byte of a sign that has no piece of its own: “ж” (a letter), “🚗” (an emoji), "
        "“§” (a sign).");

  const std::vector<Piece> unknown = of_sign(*without, "🚗");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].unknown);
  CHECK_FALSE(unknown[0].byte);
  CHECK(unknown[0].id == without->special().unk);
  CHECK(chips_note(unknown) == "Not in the vocabulary: “🚗” (an emoji). The model reads <unk> there.");
}

TEST_CASE("text that is typed like a byte piece is not taken for one") {
  const std::vector<Piece> pieces = learned(true)->encode("<0xF0>");
  CHECK(pieces.size() > 1);
  std::string joined;
  for (const Piece& piece : pieces)
    if (!piece.byte) joined += piece.text;
  CHECK_FALSE(contains(joined, "<0xF0>"));
}

TEST_CASE("the chips of the Tokens view: bytes dashed, the unknown marked, the known plain") {
  struct Case {
    bool fallback;
    std::string chip, note;
  };
  for (const Case& each : {Case{true, "<0x9A>", "A dashed piece is one byte"},
                           Case{false, "?🚗", "Not in the vocabulary: “🚗” (an emoji)"}}) {
    const SampleScene scene = scene_of(learned(each.fallback), "the cat 😀 🚗");
    const auto view = make_view("tokens");
    const RecordingCanvas canvas = picture_of(*view, scene.input(), {0, 0, 1000, 660}, true);
    const auto box_of = [&](const std::string& chip) {
      const RecordingCanvas::Text* const text = canvas.find(chip);
      std::string all;
      for (const auto& one : canvas.texts) all += one.text + " | ";
      CAPTURE(chip);
      CAPTURE(all);
      REQUIRE(text != nullptr);
      const auto around = std::ranges::find_if(canvas.rectangles, [&](const auto& each_box) {
        return each_box.rect.width < 200 && each_box.rect.contains(text->box.center());
      });
      REQUIRE(around != canvas.rectangles.end());
      return around->box;
    };
    CHECK_FALSE(box_of("😀").dashed);
    CHECK(box_of(each.chip).dashed);
    CHECK((box_of(each.chip).outline == canvas.theme().wrong) == !each.fallback);
    CHECK(says(canvas, each.note));
    CHECK(in_lines(complaints(*view, scene.input())) == "");
  }
}

}  // namespace glassformer::byte_pieces_test
