// Tokenizers of imported models: Marian's, which a model cuts and a list numbers, and words cut at signs.
#include <doctest/doctest.h>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/text/listed_pieces.h"
#include "engine/text/vocabulary.h"
#include "random_models.h"
#include "refusal.h"
#include "scratch_folder.h"
#include "source_folder.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

constexpr SpecialIds kMarian{.pad = 76, .unk = 1, .bos = 76, .eos = 0};

std::string fixture(const std::string& name) {
  return read_file(source_folder() + "/tests/fixtures/pieces/" + name);
}

std::shared_ptr<const Tokenizer> marian(const std::string& side) {
  return load_listed_pieces(fixture(side + ".model"), fixture("list.pieces"), kMarian, side);
}

std::vector<int> encoded(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

std::string lines_of(const std::vector<std::string>& tokens) {
  std::string lines;
  for (const std::string& token : tokens) lines += token + '\n';
  return lines;
}

std::shared_ptr<const Tokenizer> split_words_of(const std::vector<std::string>& tokens, SpecialIds special) {
  return load_vocabulary(lines_of(tokens), TokenizerKind::word, special, "source.vocab", true);
}

const std::vector<std::string> kWords = {"[UNK]", "[PAD]", "[SOS]", "[EOS]", "l", "'", "été", "!", "a_b"};

}  // namespace

TEST_CASE("Marian's pieces have the ids that its own tokenizer gives") {
  const auto source = marian("source");
  using Ids = std::vector<int>;
  CHECK(encoded(*source, "the cat follows the old horse") ==
        Ids{7, 11, 22, 34, 72, 46, 28, 30, 28, 25, 54, 7, 11, 22, 34, 7, 23, 9, 65});
  CHECK(encoded(*source, "the small king sees the cat") ==
        Ids{7, 11, 22, 34, 67, 50, 15, 68, 67, 34, 34, 54, 7, 11, 22, 34, 72});
  CHECK(encoded(*source, ">>fr<< the old bird sees the dog") ==
        Ids{21, 7, 11, 22, 34, 7, 23, 9, 71, 67, 34, 34, 54, 7, 11, 22, 34, 35});
  CHECK(encoded(*source, "the small child follows the old horse again i ß") ==
        Ids{7,  11, 22, 34, 67, 50, 15, 48, 46, 28, 30, 28, 25, 54, 7, 11,
            22, 34, 7,  23, 9,  65, 7,  31, 66, 31, 33, 7,  1,  7,  1});
}

TEST_CASE("Marian's target side writes what its own tokenizer writes") {
  const auto target = marian("target");
  CHECK(target->decode({7, 57, 34, 26, 7, 54, 6, 60, 7, 57, 34, 43, 61, 0}) ==
        "le chat suit le cheval vieux");
  CHECK(target->decode({7, 57, 34, 12, 14, 44, 28, 60, 7, 57, 34, 26, 0}) == "le roi petit voit le chat");
  CHECK(target->decode({7, 57, 34, 1, 26, 999, -1, 0, 76}) == "le ⁇ chat ⁇ ⁇");
  CHECK(target->decode({}).empty());
}

TEST_CASE("a piece that the target's model lacks is written without its mark") {
  CHECK(marian("target")->decode({35, 72}) == "dog cat");
}

TEST_CASE("a language in front is one piece, known or not; elsewhere it is text") {
  const auto source = marian("source");
  CHECK(source->encode(">>fr<< the")[0].special);
  CHECK(source->encode(">>fr<<").size() == 1);
  const std::vector<Piece> other = source->encode(">>de<< the");
  CHECK(other[0].id == kMarian.unk);
  CHECK(other[0].text == ">>de<<");
  CHECK(other[0].unknown);
  for (const char* text : {"the >>fr<<", ">> fr<<", ">><<", ">>fr", "> >fr<<"}) {
    CAPTURE(text);
    for (const Piece& piece : source->encode(text)) CHECK(piece.id != 21);
  }
  CHECK(source->normalized(">>fr<<  the  dog ") == ">>fr<< the dog");
}

TEST_CASE("no text gives a special piece, and every chip has a text") {
  const auto source = marian("source");
  for (const char* text :
       {"</s>", "<unk>", "<pad>", "▁", "日本", "\xFF\xFE", "a\xE2\x96", ">>\xFF<< x", ""}) {
    CAPTURE(text);
    for (const Piece& piece : source->encode(text)) {
      CHECK(!piece.text.empty());
      CHECK((piece.unknown || special_name(piece.id, kMarian).empty()));
    }
  }
  CHECK(source->piece(0) == "<eos>");
  CHECK(source->piece(12) == "roi");
  CHECK(source->piece(77).empty());
  CHECK(source->starts_word(12));
  CHECK(!source->starts_word(5));
}

TEST_CASE("broken models, lists and special ids of Marian's kind are refused in a sentence") {
  const std::string model = fixture("source.model"), list = fixture("list.pieces");
  const auto said = [&](const std::string& bytes, const std::string& lines, SpecialIds ids = kMarian) {
    return refusal([&] { load_listed_pieces(bytes, lines, ids, "source.pieces"); });
  };
  const auto has = [](const std::string& text, const char* part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
  };
  CHECK(said(model, list) == "no error");
  CHECK(has(said(model.substr(0, 100), list), "not a sentencepiece model"));
  CHECK(has(said("", list), "sentencepiece"));
  CHECK(has(said(std::string((64 << 20) + 1, 'x'), list), "64 MB"));
  CHECK(has(said(model, ""), "outside of the list of 0 pieces"));
  CHECK(has(said(model, list + std::string(1001, 'x') + "\n"), "piece 77 is longer"));
  CHECK(has(said(model, list + "\xFF\n"), "piece 77 is no line of UTF-8"));
  CHECK(has(said(model, list + std::string(1, '\0') + "\n"), "piece 77 holds a NUL"));
  CHECK(has(said(model, list, {.pad = 77, .unk = 1, .bos = 0, .eos = 0}), "the special id 77"));
  CHECK(has(said(model, list, {.pad = 76, .unk = -1, .bos = 0, .eos = 0}), "the special id -1"));
  CHECK(has(refusal([&] {
              make_listed_pieces(model, {"</s>", "a\nb"}, {0, 0, 0, 0}, "here");
            }),
            "piece 1 is no line of UTF-8"));
}

TEST_CASE("words are cut at signs as Hugging Face's Whitespace cuts them") {
  const auto words = split_words_of(kWords, {.pad = 1, .unk = 0, .bos = 2, .eos = 3});
  CHECK(words->kind() == TokenizerKind::word);
  CHECK(encoded(*words, "l'été !\ta_b") == std::vector<int>{4, 5, 6, 7, 8});
  CHECK(encoded(*words, "[UNK]").size() == 3);
  CHECK(words->normalized("No. 5?! ça,va") == "No . 5 ?! ça , va");
  CHECK(words->normalized("x\u00A0y\u2028z\u0001w") == "x y z \u0001 w");
  CHECK(words->normalized("e\u0301\u200Da ²a") == "e\u0301\u200Da ² a");  // Unicode's \w, nothing composed
  CHECK(words->normalized("日本。ⓐ ") == "日本 。 ⓐ");
  CHECK(words->decode({2, 4, 6, 0, 3, 1}) == "l été ⁇");
}

TEST_CASE("the lists of the tutorials give their ids") {
  const std::vector<std::string> list = {"<s>",  "</s>",  "<blank>", "<unk>", "red",   "old",
                                         "and",  "the",   "dog",     "cat",   "bird",  "king",
                                         "sees", "child", "horse",   "small", "again", "finds"};
  const auto words = split_words_of(list, {.pad = 2, .unk = 3, .bos = 0, .eos = 1});
  CHECK(encoded(*words, "the dog finds the red child") == std::vector<int>{7, 8, 17, 7, 4, 13});
}

TEST_CASE("pieces and split words come back with their model, and no file of the former one stays") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("m");
  Config config = varied_configs()[0].config;
  config.source_vocab = config.target_vocab = 77;
  config.pad_id = 76, config.unk_id = 1, config.bos_id = 76, config.eos_id = 0;
  const auto source = marian("source"), target = marian("target");
  {
    OwnedFolder own(folder);
    save_tokenizers(own, {source, target});
  }
  const Tokenizers loaded = load_tokenizers(folder, config);
  CHECK(loaded.source->bytes() == source->bytes());
  CHECK(loaded.target->decode({12, 26}) == "roi chat");
  CHECK(encoded(*loaded.source, ">>fr<< the dog") == encoded(*source, ">>fr<< the dog"));

  const auto words = split_words_of(kWords, {.pad = 1, .unk = 0, .bos = 2, .eos = 3});
  {
    OwnedFolder own(folder);
    save_tokenizers(own, {words, words});
  }
  CHECK(!std::filesystem::exists(folder + "/source.pieces"));
  CHECK(!std::filesystem::exists(folder + "/source.model"));
  config.source_vocab = config.target_vocab = static_cast<int>(kWords.size());
  config.pad_id = 1, config.unk_id = 0, config.bos_id = 2, config.eos_id = 3;
  const Tokenizers again = load_tokenizers(folder, config);
  CHECK(again.source == again.target);
  CHECK(again.source->cuts_signs_apart());
  CHECK(encoded(*again.source, "l'été") == std::vector<int>{4, 5, 6});
}
