// Tokenizers of Hugging Face's library: each model, and each stage by hand.
#include "engine/text/huggingface.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/files/read_file.h"
#include "engine/text/huggingface_stages.h"
#include "tests/refusal.h"
#include "tests/source_folder.h"

using namespace glassformer;
using namespace glassformer::testing;
using namespace glassformer::huggingface;
using Json = nlohmann::json;

namespace {

std::vector<int> ids_of(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}
std::shared_ptr<const Tokenizer> loaded(const Json& file) {
  return load_huggingface(file.dump(), "tokenizer.json");
}
std::string normalized(const Json& stage, const std::string& text) {
  return read_normalizer(stage, "x")(text);
}
Words cut(const Json& stage, const std::string& text, bool first = true) {
  return read_pre_tokenizer(stage, "x")({text}, first);
}
std::string decoded(const Json& stage, const Words& pieces) {
  std::string text;
  for (const std::string& part : read_piece_decoder(stage, "x")(pieces)) text += part;
  return text;
}

Json word_level() {
  return {{"added_tokens", {{{"id", 1}, {"content", "[PAD]"}, {"special", true}}}},
          {"pre_tokenizer", {{"type", "Whitespace"}}},
          {"model",
           {{"type", "WordLevel"},
            {"unk_token", "[UNK]"},
            {"vocab",
             {{"[UNK]", 0}, {"[PAD]", 1}, {"[SOS]", 2}, {"[EOS]", 3}, {"le", 4}, {"chat", 5}, {",", 6}}}}}};
}

}  // namespace

TEST_CASE("normalizers") {
  CHECK(normalized({{"type", "NFC"}}, "e\xCC\x81") == "é");
  CHECK(normalized({{"type", "NFD"}}, "é") == "e\xCC\x81");
  CHECK(normalized({{"type", "NFKC"}}, "ﬁ①") == "fi1");
  CHECK(normalized({{"type", "NFKD"}}, "ﬁé") == "fie\xCC\x81");
  CHECK(normalized({{"type", "Lowercase"}}, "ÉTÉ") == "été");
  CHECK(normalized({{"type", "StripAccents"}}, "e\xCC\x81") == "e");
  CHECK(normalized({{"type", "StripAccents"}}, "é") == "é");                        // decomposed nowhere
  CHECK(normalized({{"type", "StripAccents"}}, "a\u0301b\u0903c\u20DD") == "abc");  // marks of any kind
  CHECK(normalized({{"type", "Prepend"}, {"prepend", "▁"}}, "a") == "▁a");
  CHECK(normalized({{"type", "Prepend"}, {"prepend", "▁"}}, "") == "");
  CHECK(normalized({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}, "a b c") ==
        "a▁b▁c");
  for (const char* type : {"Lowercase", "BertNormalizer"}) {  // no final sigma
    CHECK(normalized({{"type", type}, {"strip_accents", false}}, "ΣΑΣ ΑΣ.") == "σασ ασ.");
    CHECK(normalized({{"type", type}, {"strip_accents", false}}, "İ") == "i\u0307");
  }
  CHECK(normalized({{"type", "BertNormalizer"}}, "Été\t中\x01") == "ete  中 ");
  CHECK(normalized({{"type", "BertNormalizer"}}, "a\u0301b\u0903c\u20DD") == "ab\u0903c\u20DD");
  CHECK(normalized({{"type", "BertNormalizer"}}, "a\u2028b\uE000c\u000Bd\u200Be") == "a bcde");
  CHECK(normalized({{"type", "BertNormalizer"}, {"lowercase", false}}, "Été") == "Été");
  CHECK(normalized({{"type", "Sequence"}, {"normalizers", {{{"type", "NFD"}}, {{"type", "StripAccents"}}}}},
                   "é") == "e");
  CHECK(normalized(nullptr, "É") == "É");
}

TEST_CASE("pre-tokenizers") {
  CHECK(cut({{"type", "Whitespace"}}, "l'été, oui!?") == Words{"l", "'", "été", ",", "oui", "!?"});
  CHECK(cut({{"type", "WhitespaceSplit"}}, " a,  b ") == Words{"a,", "b"});
  CHECK(cut({{"type", "BertPreTokenizer"}}, "a,b  c!!") == Words{"a", ",", "b", "c", "!", "!"});
  CHECK(cut({{"type", "Punctuation"}}, "a, b!!") == Words{"a", ",", " b", "!", "!"});
  CHECK(cut({{"type", "Punctuation"}, {"behavior", "Removed"}}, "a,b") == Words{"a", "b"});
  CHECK(cut({{"type", "Punctuation"}, {"behavior", "MergedWithPrevious"}}, "a,b") == Words{"a,", "b"});
  CHECK(cut({{"type", "Punctuation"}, {"behavior", "MergedWithNext"}}, "a,b") == Words{"a", ",b"});
  CHECK(cut({{"type", "Punctuation"}, {"behavior", "Contiguous"}}, "a!!b") == Words{"a", "!!", "b"});
  CHECK(cut({{"type", "Digits"}}, "a12b") == Words{"a", "12", "b"});
  CHECK(cut({{"type", "Digits"}, {"individual_digits", true}}, "a12b") == Words{"a", "1", "2", "b"});
  CHECK(cut({{"type", "Split"}, {"pattern", {{"String", "-"}}}, {"behavior", "Removed"}}, "a-b") ==
        Words{"a", "b"});
  const auto at_hyphens = [](const char* behaviour) {
    return cut({{"type", "Split"}, {"pattern", {{"String", "-"}}}, {"behavior", behaviour}}, "a--b");
  };
  CHECK(at_hyphens("MergedWithPrevious") == Words{"a-", "-", "b"});
  CHECK(at_hyphens("MergedWithNext") == Words{"a", "-", "-b"});
  CHECK(at_hyphens("Contiguous") == Words{"a", "--", "b"});
  CHECK(cut({{"type", "Metaspace"}}, "a b") == Words{"▁a", "▁b"});
  CHECK(cut({{"type", "Metaspace"}, {"prepend_scheme", "first"}}, "a b", false) == Words{"a", "▁b"});
  CHECK(cut({{"type", "Metaspace"}, {"add_prefix_space", false}}, "a b") == Words{"a", "▁b"});
  CHECK(cut({{"type", "Metaspace"}, {"split", false}}, "a b") == Words{"▁a▁b"});
  CHECK(cut({{"type", "ByteLevel"}, {"add_prefix_space", false}}, "I'm  été 12!") ==
        Words{"I", "'m", "Ġ", "ĠÃ©tÃ©", "Ġ12", "!"});
  CHECK(cut({{"type", "ByteLevel"}}, "a") == Words{"Ġa"});
  const auto byte_cuts = [](const char* text) {
    Words words = cut({{"type", "ByteLevel"}, {"add_prefix_space", false}}, text);
    for (std::string& word : words) word = bytes_of_signs(word);
    return words;
  };
  CHECK(byte_cuts("e\u0301") == Words{"e", "\u0301"});  // a mark is no letter
  CHECK(byte_cuts("aⅧb²c٣d") == Words{"a", "Ⅷ", "b", "²", "c", "٣", "d"});
  CHECK(byte_cuts("中ªº") == Words{"中ªº"});
  CHECK(byte_cuts("x\u200Dy") == Words{"x", "\u200D", "y"});
  CHECK(cut({{"type", "Sequence"}, {"pretokenizers", {{{"type", "WhitespaceSplit"}}, {{"type", "Digits"}}}}},
            "a1 b") == Words{"a", "1", "b"});
}

TEST_CASE("decoders") {
  CHECK(decoded(nullptr, {"a", "b"}) == "a b");
  CHECK(decoded({{"type", "WordPiece"}}, {"play", "##ing", ",", "it", "'s"}) == "playing, it's");
  CHECK(decoded({{"type", "Metaspace"}}, {"▁a", "b", "▁c"}) == "ab c");
  CHECK(decoded({{"type", "Metaspace"}}, {"▁▁a▁", "▁▁b▁"}) == "a  b ");  // the first loses every mark
  CHECK(decoded({{"type", "Metaspace"}}, {" a", "b"}) == " ab");
  CHECK(decoded({{"type", "Metaspace"}, {"prepend_scheme", "never"}}, {"▁▁a", "b"}) == "  ab");
  CHECK(decoded({{"type", "ByteLevel"}}, {"Ġa", "Ã©"}) == " aé");
  CHECK(decoded({{"type", "ByteLevel"}}, {"a é", "é中", "Ġ"}) == "a éé中 ");  // no such signs
  CHECK(decoded({{"type", "BPEDecoder"}}, {"a", "b</w>", "c</w>"}) == "ab c");
  CHECK(decoded({{"type", "ByteFallback"}}, {"a", "<0xC3>", "<0xA9>"}) == "aé");
  CHECK(decoded({{"type", "ByteFallback"}}, {"<0xC3>", "a"}) ==
        "\xEF\xBF\xBD"
        "a");
  CHECK(decoded({{"type", "Sequence"},
                 {"decoders",
                  {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                   {{"type", "Fuse"}},
                   {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}},
                {"▁a", "▁b"}) == "a b");
  CHECK(decoded({{"type", "Strip"}, {"content", "é"}, {"start", 1L << 62}, {"stop", 1}}, {"ééaéé"}) == "aé");
}

TEST_CASE("every byte has a sign of its own and comes back from it") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    const Words signs = cut({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}, one);
    REQUIRE(signs.size() == 1);
    CHECK(bytes_of_signs(signs.front()) == one);
  }
}

TEST_CASE("a list of words, its special tokens by name, and added ones anywhere in a text") {
  const auto tokenizer = loaded(word_level());
  CHECK(tokenizer->size() == 7);
  CHECK(tokenizer->special().pad == 1);
  CHECK(tokenizer->special().eos == 3);
  CHECK(ids_of(*tokenizer, "le chat, chien") == std::vector<int>{4, 5, 6, 0});
  CHECK(ids_of(*tokenizer, "le[PAD]chat") == std::vector<int>{4, 1, 5});
  CHECK(tokenizer->decode({2, 4, 5, 0, 3}) == "le chat ⁇");
  CHECK(tokenizer->encode("chien").front().text == "chien");
  CHECK(tokenizer->encode("chien").front().unknown);
}

TEST_CASE("added tokens: blanks beside them, single words, and those of the normalised text") {
  const auto chips = [](const Json& added, const std::string& text, const Json& normalizer = nullptr) {
    Json file = {{"normalizer", normalizer},
                 {"added_tokens", added},
                 {"model", {{"type", "BPE"}, {"vocab", Json::object()}, {"merges", Json::array()}}}};
    for (const char* letter : {" ", "\t", "a", "b", "c", "d", "x", "y", ",", "_", "\u0301"})
      file["model"]["vocab"][letter] = file["model"]["vocab"].size();
    int id = 20;
    for (Json& each : file["added_tokens"]) each["id"] = id++;
    std::vector<std::string> texts;
    for (const Piece& piece : loaded(file)->encode(text))
      texts.push_back(piece.id < 20 ? piece.text : "[" + std::to_string(piece.id) + "]");
    return texts;
  };
  const auto token = [](const char* content, std::initializer_list<const char*> flags = {}) {
    Json json = {{"content", content}};
    for (const char* flag : flags) json[flag] = true;
    return json;
  };
  const Json lower = {{"type", "Lowercase"}};
  const auto list = [](std::initializer_list<Json> tokens) { return Json(Json::array_t(tokens)); };

  CHECK(chips(list({token("ab"), token("abc")}), "abcab") == Words{"[21]", "[20]"});
  const Json single = list({token("ab", {"single_word"})});
  CHECK(chips(single, "ab,xab") == Words{"[20]", ",", "x", "a", "b"});
  CHECK(chips(single, "abx,ab") == Words{"a", "b", "x", ",", "[20]"});
  CHECK(chips(single, "ab_,ab\u0301") == Words{"a", "b", "_", ",", "a", "b", "\u0301"});
  CHECK(chips(list({token("ab", {"single_word"}), token("bc")}), "xabcd") == Words{"x", "a", "b", "c", "d"});
  CHECK(chips(list({token("ab", {"lstrip", "rstrip"})}), "x\t\u00A0ab \n yab") ==
        Words{"x", "[20]", "y", "[20]"});
  CHECK(chips(list({token("a", {"rstrip"}), token("b", {"lstrip"})}), "a  b") == Words{"[20]", "[21]"});

  CHECK(chips(list({token("AB")}), "xabxABy", lower) == Words{"x", "a", "b", "x", "[20]", "y"});
  CHECK(chips(list({token("AB", {"normalized"})}), "xabyAB", lower) == Words{"x", "[20]", "y", "[20]"});
  CHECK(chips(list({token("bc"), token("ab", {"normalized"})}), "abcAB", lower) ==
        Words{"a", "[20]", "[21]"});
  Json file = word_level();
  file["normalizer"] = lower;
  file["added_tokens"] = list({{{"id", 7}, {"content", "AB"}, {"normalized", true}}});
  CHECK(loaded(file)->decode({4, 7}) == "le ab");
  CHECK(chips(list({token("\u0301", {"normalized"})}), "ab", {{"type", "StripAccents"}}) == Words{"a", "b"});
}

TEST_CASE("WordPiece takes the longest piece from the left") {
  const auto tokenizer =
      loaded({{"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
              {"decoder", {{"type", "WordPiece"}}},
              {"model",
               {{"type", "WordPiece"},
                {"unk_token", "[UNK]"},
                {"continuing_subword_prefix", "##"},
                {"max_input_chars_per_word", 8},
                {"vocab", {{"[UNK]", 0}, {"play", 1}, {"##ing", 2}, {"##i", 3}, {"##n", 4}, {"p", 5}}}}}});
  CHECK(ids_of(*tokenizer, "playing playin x") == std::vector<int>{1, 2, 1, 3, 4, 0});
  CHECK(ids_of(*tokenizer, "playinging") == std::vector<int>{0});  // longer than eight letters
  CHECK(tokenizer->decode({1, 2, 5}) == "playing p");
  CHECK(tokenizer->piece(2) == "ing");
  CHECK_FALSE(tokenizer->starts_word(2));
}

TEST_CASE("BPE joins in the order of its merges") {
  const Json vocab = {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"bc", 4}, {"abc", 5}, {"<unk>", 6}};
  Json file = {
      {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"b c", "a b"}}, {"unk_token", "<unk>"}}}};
  CHECK(ids_of(*loaded(file), "abc") == std::vector<int>{0, 4});
  CHECK(ids_of(*loaded(file), "abz") == std::vector<int>{3, 6});
  file["model"]["merges"] =
      Json::array({Json::array({"a", "b"}), Json::array({"ab", "c"})});  // as newer files write them
  CHECK(ids_of(*loaded(file), "abc") == std::vector<int>{5});
  file["model"]["vocab"]["<0x7A>"] = 7;
  file["model"]["byte_fallback"] = true;
  CHECK(ids_of(*loaded(file), "az") == std::vector<int>{0, 7});
}

TEST_CASE("BPE: a long text without words is joined in time, and of a merge twice the later counts") {
  const Json vocab = {{"a", 0}, {"b", 1}, {"ab", 2}, {"ba", 3}, {"abab", 4}, {"<unk>", 5}, {"<unk>a", 6}};
  Json file = {
      {"model",
       {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"a b", "b a", "ab ab"}}, {"unk_token", "<unk>"}}}};
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "ab";
  CHECK(ids_of(*loaded(file), text) == std::vector<int>(25'000, 4));
  file["model"]["merges"] = {"a b", "b a", "a b"};
  CHECK(ids_of(*loaded(file), "aba") == std::vector<int>{0, 3});
  file["model"]["merges"] = {"#version: 0.2", "<unk> a"};
  CHECK(ids_of(*loaded(file), "zab") == std::vector<int>{6, 1});
}

TEST_CASE("the chip of an unknown piece shows what it stands for") {
  const auto chips = [](const Json& model) {
    std::vector<std::string> texts;
    for (const Piece& piece :
         loaded({{"pre_tokenizer", {{"type", "Metaspace"}}}, {"model", model}})->encode("azzb"))
      texts.push_back(piece.unknown ? "?" + piece.text : piece.text);
    return texts;
  };
  Json bpe = {{"type", "BPE"}, {"unk_token", "<unk>"}, {"merges", Json::array()}};
  bpe["vocab"] = {{"<unk>", 0}, {"▁", 1}, {"a", 2}, {"b", 3}};
  CHECK(chips(bpe) == Words{"▁", "a", "?z", "?z", "b"});
  bpe["fuse_unk"] = true;
  CHECK(chips(bpe) == Words{"▁", "a", "?zz", "b"});
  const Json vocab = {{"<unk>", 0.0}, {"▁", -2.0}, {"a", -3.0}, {"b", -3.0}};
  Json unigram = {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", Json::array()}};
  for (const auto& [piece, score] : vocab.items()) unigram["vocab"].push_back(Json::array({piece, score}));
  CHECK(chips(unigram) == Words{"▁", "a", "?zz", "b"});
}

TEST_CASE("Unigram takes the way whose scores add up to most") {
  Json vocab = Json::array();
  const std::pair<const char*, double> scores[] = {{"<unk>", 0}, {"▁", -2},  {"a", -3},
                                                   {"b", -3.5},  {"ab", -5}, {"▁ab", -9}};
  for (const auto& [piece, score] : scores) vocab.push_back(Json::array({piece, score}));
  const auto tokenizer = loaded({{"pre_tokenizer", {{"type", "Metaspace"}}},
                                 {"decoder", {{"type", "Metaspace"}}},
                                 {"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocab}}}});
  CHECK(ids_of(*tokenizer, "ab") == std::vector<int>{1, 4});
  CHECK(ids_of(*tokenizer, "azzb") == std::vector<int>{1, 2, 0, 3});       // unknown ones in a row are one
  CHECK(ids_of(*tokenizer, "az<unk>zb") == std::vector<int>{1, 2, 0, 3});  // the word for it too
  CHECK(tokenizer->score(4) == doctest::Approx(-5));
  CHECK(tokenizer->decode({1, 4, 5}) == "ab ab");
}

// The rules that the file was made of (spm_train --normalization_rule_tsv): e + U+0323 to U+1EB9, the
// ligature fi to its two letters, a half-width kana to the full one, U+200B to nothing.
TEST_CASE("a precompiled table of replacements, as the library applies it") {
  std::string map = read_file(source_folder() + "/tests/fixtures/import/charsmap.base64", 10'000);
  map.erase(map.find_last_not_of('\n') + 1);
  const Json stage{{"type", "Precompiled"}, {"precompiled_charsmap", map}};
  CHECK(normalized(stage, "a ﬁn e\xCC\xA3!") == "a fin \xE1\xBA\xB9!");
  CHECK(normalized(stage, "e\xCC\xA3\xCC\x82x") == "\xE1\xBA\xB9x");  // a grapheme of 5 bytes loses its mark
  CHECK(normalized(stage, "e\xCC\xA3\xCC\x82\xCC\x81") == "e\xCC\xA3\xCC\x82\xCC\x81");  // of 7: sign by sign
  CHECK(normalized(stage, "\xEF\xBD\xB6\xE2\x80\x8B\xEF\xBE\x9E") == "\xE3\x82\xAB\xEF\xBE\x9E");
  CHECK(normalized(stage, "\xFF") == "\xFF");
}

TEST_CASE("what is not read is named, and broken files are refused in a sentence") {
  const auto refused = [](const Json& file) { return refusal([&] { loaded(file); }); };
  const auto with = [](const char* part, const Json& stage) {
    Json file = word_level();
    file[part] = stage;
    return file;
  };
  const auto says = [](const std::string& message, const char* part) {
    return message.find(part) != std::string::npos;
  };
  CHECK(says(refused(with("normalizer", {{"type", "Other"}})), "normalizer \"Other\" is not read"));
  for (const char* const map : {"", "AAAA", "AAQAAA==", "!AQAAA==", "AwAAAAAAAAAA", "////fwAAAAA="}) {
    CAPTURE(std::string(map));
    CHECK(says(refused(with("normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", map}})),
               "its precompiled_charsmap is cut or broken"));
  }
  CHECK(says(refused(with("pre_tokenizer", {{"type", "UnicodeScripts"}})), "\"UnicodeScripts\" is not read"));
  CHECK(says(refused(with("decoder", {{"type", "CTC"}})), "decoder \"CTC\" is not read"));
  CHECK(says(refused(with("model", {{"type", "Other"}})), "model \"Other\" is not read"));
  CHECK(says(refused(with("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "x"}}}})),
             "regular expression"));
  CHECK(says(refused(with("pre_tokenizer", {{"type", "Split"}})), "its stage \"Split\" has no pattern"));
  CHECK(says(refused(with("normalizer", {{"type", "Replace"}, {"pattern", {{"String", ""}}}})),
             "its stage \"Replace\" has a pattern that is no text: {\"String\":\"\"}"));
  CHECK(says(refused(with("decoder", {{"type", "BPEDecoder"}, {"suffix", ""}})), "an empty suffix"));
  for (const char* sign : {"", "ab"}) {
    for (const char* part : {"pre_tokenizer", "decoder"})
      CHECK(says(refused(with(part, {{"type", "Metaspace"}, {"replacement", sign}})),
                 "its stage \"Metaspace\" must have one sign as replacement"));
    CHECK(says(refused(with("decoder", {{"type", "Strip"}, {"content", sign}})),
               "its stage \"Strip\" must have one sign as content"));
  }
  CHECK(says(refused(with("decoder", {{"type", "Strip"}, {"start", -1}})), "start of its Strip"));
  for (const Json& broken :
       {Json::array(), Json{{"model", 1}}, Json{{"model", {{"type", "BPE"}, {"vocab", {{"a", 0}}}}}},
        Json{{"model", {{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", {"a a"}}}}},
        Json{{"model", {{"type", "Unigram"}, {"vocab", Json::array()}, {"unk_id", 0}}}},
        Json{{"model", {{"type", "WordLevel"}, {"vocab", {{"a", -1}}}}}},
        Json{{"model", {{"type", "Unigram"}, {"vocab", {{"a", "b"}}}}}}, with("added_tokens", {{{"id", 1}}}),
        with("normalizer", {{"kind", "NFC"}})})
    CHECK(refused(broken) != "no error");
  CHECK(refusal([] { load_huggingface("{", "x"); }) != "no error");
}
