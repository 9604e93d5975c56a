// What a page is made of, and that Hugging Face's way of cutting, from the tokenizer.json of an export, gives
// the ids of the tokenizer. The library in the browser is the business of page_command_test.sh.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/export/page_export.h"
#include "engine/export/tokenizer_json.h"
#include "engine/files/read_file.h"
#include "engine/model/transformer.h"
#include "engine/text/bert_vocabulary.h"
#include "engine/text/clean.h"
#include "engine/text/huggingface.h"
#include "engine/text/vocabulary.h"
#include "tests/random_models.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;
using testing::refusal;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& lines() {
  static const std::vector<std::string> some = [] {
    std::vector<std::string> made;
    for (const char* const who : {"the cat", "a kind girl", "l'élève", "девочка", "##play player", "<s> is"})
      for (const char* const does : {"drinks", "is playing", "mange", "видит", "▁ ▅ ⁇"})
        for (const char* const what : {"the milk.", "la pomme !", "яблоко", "1 000 anana", "牛奶"})
          made.push_back(std::string(who) + " " + does + " " + what);
    return made;
  }();
  return some;
}

constexpr TokenizerKind kKinds[] = {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word_piece,
                                    TokenizerKind::word, TokenizerKind::character};

std::vector<int> ids_of(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

std::string assets() {
  return source_folder() + "/assets";
}

Checkpoint model_of_words(int source, int target) {
  const auto words = [](int count) {
    std::string names = "<pad>\n<unk>\n<bos>\n<eos>\n";
    for (int i = 4; i < count; ++i) names += "w" + std::to_string(i) + "\n";
    return load_vocabulary(names, TokenizerKind::word, {}, "test");
  };
  Checkpoint model;
  model.snapshot.config = small_config();
  model.snapshot.weights = std::make_shared<Transformer<float>>(random_model<float>(small_config(), 3));
  model.tokenizers = {words(source), words(target)};
  return model;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("tokenizer.json gives the same ids, with every kind") {
  for (const TokenizerKind kind : kKinds) {
    CAPTURE(tokenizer_name(kind));
    const auto tokenizer = train_tokenizer(lines(), {.kind = kind, .pieces = 0});
    const auto same = load_huggingface(tokenizer_json(*tokenizer).dump(), tokenizer->special(), "test");
    REQUIRE(same->size() == tokenizer->size());
    std::vector<std::string> texts = lines();
    for (const char* const text :
         {"##ing ## ####a", "<unk> <pad> <s> </s> <eos>", "the ж catж жж", "▁the a▁b", "THE Cat",
          "playinging", "zorg", "10 2 1", "\U0010F581 \U0010F585 \U0010F03Cs>", "1 ", "<unk> "})
      texts.emplace_back(text);
    for (const std::string& text : texts) {
      const std::string given = cleaned(text);
      CHECK_MESSAGE(ids_of(*same, given) == ids_of(*tokenizer, given), text);
    }
  }
}

TEST_CASE("a token that stands twice in a vocabulary is the one that the program reads") {
  const auto words =
      load_vocabulary("<pad>\n<unk>\n<bos>\n<eos>\na\nb\na\n<unk>\n", TokenizerKind::word, {}, "test");
  const auto same = load_huggingface(tokenizer_json(*words).dump(), words->special(), "test");
  CHECK(ids_of(*same, "a b a <unk> c") == ids_of(*words, "a b a <unk> c"));
  const auto pieces = load_tokenizer("wordpiece", "<pad>\n<unk>\n<bos>\n<eos>\na\n##b\na\n##b\n", {}, "test");
  const auto same_pieces = load_huggingface(tokenizer_json(*pieces).dump(), pieces->special(), "test");
  CHECK(ids_of(*pieces, "ab a") == std::vector<int>{6, 7, 6});
  CHECK(ids_of(*same_pieces, "ab a") == ids_of(*pieces, "ab a"));
}

TEST_CASE("what others made is refused in a sentence, and leaves no folder") {
  const auto bert = load_bert_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n", "test");
  const auto cut_signs =
      load_vocabulary("<pad>\n<unk>\n<bos>\n<eos>\na\n", TokenizerKind::word, {}, "test", true);
  const auto huggingface =
      load_huggingface(tokenizer_json(*model_of_words(6, 6).tokenizers.source).dump(), "test");
  for (const auto& tokenizer : {bert, cut_signs, huggingface}) {
    const ScratchFolder scratch;
    Checkpoint model = model_of_words(11, 13);
    model.tokenizers.source = tokenizer;
    CHECK(refusal([&] { export_page(model, {}, assets(), scratch.path("page")); }).find("others made it") !=
          std::string::npos);
    CHECK(names_in(scratch.path("")).empty());
  }
  Checkpoint none = model_of_words(11, 13);
  none.tokenizers = {};
  const ScratchFolder scratch;
  CHECK(refusal([&] { export_page(none, {}, assets(), scratch.path("page")); }).find("the model has none") !=
        std::string::npos);
}

TEST_CASE("a page has a tokenizer for each side where they differ, and its words") {
  const ScratchFolder scratch;
  CHECK(export_page(model_of_words(11, 13), {"reverse", "1 + 1 layers", "w4 w5"}, assets(),
                    scratch.path("page"))
            .empty());
  const auto page = nlohmann::json::parse(read_file(scratch.path("page/page.json")));
  CHECK(page["source"] == nlohmann::json{{"file", "source_tokenizer.json"}, {"kind", "word"}});
  CHECK(page["example"] == "w4 w5");
  const auto target = nlohmann::json::parse(read_file(scratch.path("page/target_tokenizer.json")));
  CHECK(target["model"]["vocab"].size() == 13);
  CHECK_FALSE(fs::exists(scratch.path("page/tokenizer.json")));
  for (const char* const name : {"index.html", "page.js", "text.js", "page.css", "package.json"})
    CHECK(read_file(scratch.path("page/") + name) == read_file(assets() + "/export/page/" + name));

  // Another model in its place: nothing of the old one stays.
  export_page(model_of_words(11, 11), {}, assets(), scratch.path("page"));
  CHECK(fs::exists(scratch.path("page/tokenizer.json")));
  CHECK_FALSE(fs::exists(scratch.path("page/source_tokenizer.json")));
}

TEST_CASE("page.js has under 300 lines, and package.json exact versions alone") {
  const std::string script = read_file(assets() + "/export/page/page.js");
  CHECK(std::ranges::count(script, '\n') < 300);
  const auto package = nlohmann::json::parse(read_file(assets() + "/export/page/package.json"));
  CHECK(package["dependencies"] == nlohmann::json{{"@huggingface/tokenizers", "0.2.0"},
                                                  {"http-server", "14.1.1"},
                                                  {"onnxruntime-web", "1.30.0"}});
}
