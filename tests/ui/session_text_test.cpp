// What a session writes is what it reads, as a file and as a link text, whatever is in it; and bytes of
// any kind are read or refused in words.
#include "app/lessons/session_text.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "app/lessons/quoted_text.h"
#include "app/lessons/scene_lines.h"
#include "engine/files/read_file.h"
#include "tests/source_folder.h"
#include "tests/ui/text_checks.h"

using namespace glassformer;

namespace {

class RandomSessions {
 public:
  explicit RandomSessions(unsigned seed) : engine_(seed) {}
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  bool coin() { return below(2) == 1; }
  double real() { return std::uniform_real_distribution<double>(0, 3)(engine_); }
  std::string text(int longest = 12) {
    static const std::string_view parts[] = {"a",
                                             "the girl",
                                             " ",
                                             ";",
                                             "; ",
                                             ";;",
                                             "\"",
                                             "\\",
                                             "#",
                                             "\n",
                                             "=",
                                             ":",
                                             ",",
                                             "é",
                                             "字",
                                             "\t",
                                             "\x01",
                                             "{",
                                             "'",
                                             "glassformer:",
                                             "from held-out",
                                             "\xFF",
                                             "none",
                                             "\r",
                                             "\xC2\xA0",
                                             "/"};
    std::string made;
    for (int i = below(longest); i >= 0; --i) made += parts[below(static_cast<int>(std::size(parts)))];
    return made;
  }

 private:
  std::mt19937 engine_;
};

SessionState random_state(RandomSessions& random) {
  SessionState state;
  state.model = random.coin() ? "english-french" : "/" + random.text();
  state.fingerprint = "0123456789abcdef";
  state.source = random.text();
  if (random.coin()) state.target = random.text();
  if (random.coin()) state.step = random.below(100'000);
  state.view = "attention";
  Selection& selection = state.selection;
  selection.kind = static_cast<AttentionKind>(random.below(3));
  selection.layer = random.below(6);
  selection.head = random.below(9) - 1;
  if (random.coin()) {
    selection.query = random.below(9);
    for (int i = random.below(3); i > 0; --i) selection.more_queries.push_back(random.below(9));
  }
  if (random.coin()) selection.key = random.below(9);
  if (random.coin())
    selection.cell = CellRef{"logits", {0, random.below(9), random.below(99)}, random.coin()};
  if (random.coin()) state.what_if = "mute head cross 2.1, force \"a;b\"";
  DecodeOptions& decode = state.decode;
  decode.search = static_cast<Search>(random.below(3));
  if (random.coin()) decode.beam = 1 + random.below(kMostBeam);
  if (random.coin()) decode.alpha = random.real();
  if (random.coin()) decode.penalty = LengthPenalty::length;
  if (random.coin()) decode.temperature = random.real();
  if (random.coin()) decode.top_k = random.below(100);
  if (random.coin()) decode.top_p = random.real() / 3;
  if (random.coin()) decode.seed = ~std::uint64_t(random.below(1000));
  switch (random.below(5)) {
    case 0:
      state.other = OtherUntouched{};
      break;
    case 1:
      state.other = OtherStep{random.below(1000)};
      break;
    case 2:
      state.other = OtherSentence{random.text()};
      break;
    case 3:
      state.other = OtherModel{random.text()};
      break;
    default:
      break;
  }
  for (int i = random.below(4); i > 0; --i) state.settings.emplace_back(random.text(), random.text());
  return state;
}

std::string value(const ReadSession& read, std::string_view keyword) {
  const SceneLine* const line = find_line(read.lines, keyword);
  return line ? line->value : "";
}

void check_same(const SessionState& state, const ReadSession& read) {
  for (const LessonError& error : read.errors) FAIL_CHECK(error.line, ": ", error.problem);
  CHECK(value(read, "model") == state.model);
  CHECK(value(read, "source") == state.source);
  REQUIRE((find_line(read.lines, "target") != nullptr) == state.target.has_value());
  if (state.target) CHECK(value(read, "target") == *state.target);
  CHECK(value(read, "step") == (state.step ? std::to_string(*state.step) : ""));
  CHECK(attention_kind(value(read, "kind")) == state.selection.kind);
  CHECK(value(read, "pin") == pin_text(state.selection));
  CHECK(value(read, "what-if") == state.what_if);
  CHECK(decode_options(value(read, "decode")) == state.decode);
  REQUIRE((find_line(read.lines, "compare") != nullptr) == state.other.has_value());
  if (state.other) {
    const Other other = other_of(value(read, "compare"));
    REQUIRE(other.index() == state.other->index());
    if (const auto* sentence = std::get_if<OtherSentence>(&other))
      CHECK(sentence->source == std::get<OtherSentence>(*state.other).source);
    if (const auto* model = std::get_if<OtherModel>(&other))
      CHECK(model->folder == std::get<OtherModel>(*state.other).folder);
    if (const auto* step = std::get_if<OtherStep>(&other))
      CHECK(step->step == std::get<OtherStep>(*state.other).step);
  }
  std::vector<std::pair<std::string, std::string>> settings;
  for (const SceneLine& line : read.lines)
    if (line.keyword == "set") settings.push_back(control_and_value(line.value));
  CHECK(settings == state.settings);
}

std::string problems(const std::string& text) {
  return error_list(read_session(text).errors, "x");
}

}  // namespace

TEST_CASE("a session is read as it was written, as a file and as a link text, whatever its values hold") {
  RandomSessions random(7);
  for (int i = 0; i < 2000; ++i) {
    const SessionState state = random_state(random);
    const std::vector<SceneLine> lines = session_lines(state);
    const std::string file = session_file(lines), link = session_link(lines);
    CAPTURE(file);
    CHECK_FALSE(contains(link, "\n"));
    check_same(state, read_session(file));
    check_same(state, read_session(link));
  }
}

TEST_CASE("a link text that was broken anew on its way still says the same") {
  const std::string link = "glassformer:session 1; source the tired girl; view\nattention;\r\n kind cross";
  const ReadSession read = read_session("  " + link + "\n");
  REQUIRE(read.errors.empty());
  CHECK(value(read, "view") == "attention");
  CHECK(value(read, "kind") == "cross");
  CHECK(is_session_link("  glassformer:session 1"));
  CHECK_FALSE(is_session_link("the glassformer: it sees"));
}

TEST_CASE("all that is wrong with a session is told at once, each with its line") {
  CHECK(
      problems("glassformer session 1\nsorce a b\nkind both\nlayer 0\nsource a\nsource b\ndecode beam 5000\n"
               "set Head\ncompare me\n") ==
      "x:2: expected source, got “sorce”\n"
      "x:3: expected encoder, decoder or cross, got “both”\n"
      "x:4: expected a whole number from 1 on for layer, got “0”\n"
      "x:6: expected one source, got another\n"
      "x:7: expected a beam of 1 to 1000, got 5000\n"
      "x:8: expected set CONTROL VALUE, got “Head”\n"
      "… and 1 more");
  CHECK(problems("glassformer session 1\nview attention\n") ==
        "x:2: expected source and a sentence, got none");
  CHECK(problems("glassformer session 2\nfuture a\n") ==
        "x:1: expected glassformer session 1, got “glassformer session 2”, of a newer program");
  CHECK(problems("lesson A\npage B\n") == "x:1: expected glassformer session 1, got “lesson A”");
  CHECK(problems("") == "x:1: expected glassformer session 1, got nothing");
  CHECK(
      problems("glassformer session 1\nsource \xFF\n").starts_with("x:2: the file is not UTF-8: 1 line is"));
  CHECK(problems("glassformer session 1\nsource \"a\n") ==
        "x:2: expected a closing quotation mark, got “\"a”");
  CHECK(problems("glassformer:session 1; sorce a").starts_with("x:2: expected source"));
  CHECK(problems("glassformer session 1\nsource " + std::string(2'000'000, 'a')) ==
        "x:1: expected at most 1 MB, got 2 MB");
  // Nothing of one that is wrong is taken.
  CHECK(read_session("glassformer session 1\nsource a\nkind both\n").lines.empty());
}

TEST_CASE("any bytes are read as a session or refused in a few short lines") {
  std::mt19937 random(3);
  int seeds = 0;
  for (const auto& seed :
       std::filesystem::directory_iterator(source_folder() + "/tests/fuzz/seeds/session")) {
    const std::string bytes = read_file(seed.path().string());
    for (int i = 0; i < 400; ++i) {
      std::string changed = bytes.substr(0, i % 4 == 0 ? random() % (bytes.size() + 1) : bytes.size());
      for (auto j = random() % 6; j > 0 && !changed.empty(); --j)
        changed[random() % changed.size()] = static_cast<char>(random());
      ReadSession read;
      CHECK_NOTHROW(read = read_session(changed));
      CHECK(read.lines.empty() != read.errors.empty());
      CHECK(error_list(read.errors, "x").size() < 4000);
    }
    ++seeds;
  }
  CHECK(seeds >= 3);
}

TEST_CASE("what stands in quotation marks comes out as it went in") {
  RandomSessions random(11);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random.text() + random.text();
    const std::string marked = as_quoted(text) + " rest";
    std::string_view rest = marked;
    CHECK(take_quoted(rest) == text);
    CHECK(rest == " rest");
  }
}

TEST_CASE("a session in another encoding is read or named, its bytes are not repeated") {
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("glassformer session 1\nsource a star\n")) wide += c, wide += '\0';
  const ReadSession utf16 = read_session(wide);
  CHECK(utf16.errors.empty());
  REQUIRE(find_line(utf16.lines, "source") != nullptr);
  const ReadSession latin = read_session("glassformer session 1\nsource une \xE9toile\n");
  REQUIRE(latin.errors.size() == 1);
  CHECK(latin.errors[0].line == 2);
  CHECK(contains(latin.errors[0].problem, "probably Latin-1 or Windows-1252"));
  CHECK_FALSE(contains(latin.errors[0].problem, "\xE9"));
}
