// The lessons that come with the program are whole, and their answers are the engine's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/canvas/svg_canvas.h"
#include "app/lessons/answered_page.h"
#include "app/lessons/given_answer.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/slots.h"
#include "app/panels/lecture_words.h"
#include "app/session/paths.h"
#include "app/session/run_scene.h"
#include "engine/files/text_file.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

LessonFile lesson_of(const std::string& pages) {
  return read_lesson("lesson A\nmodel reverse\nsource a b c\n" + pages);
}

AnsweredLesson answered(const std::string& pages) {
  LessonStage stage;
  return answered(lesson_of(pages), stage, "en");
}

double number(const std::string& expression, const std::string& lines = "") {
  const AnsweredLesson done =
      answered("page One\n" + lines + "ask What?\nanswer number : " + expression + "\n");
  for (const LessonError& error : done.errors) FAIL_CHECK(expression, ": ", error.line, ": ", error.problem);
  return done.pages.empty() || done.pages[0].value.numbers.empty() ? NAN
                                                                   : done.pages[0].value.numbers.front();
}

std::string problem(const std::string& pages) {
  const AnsweredLesson done = answered(pages);
  return done.errors.empty() ? "" : std::to_string(done.errors[0].line) + ": " + done.errors[0].problem;
}

}  // namespace

TEST_CASE("every lesson that comes with the program is whole, in all of its languages") {
  LessonStage stage;
  const SvgCanvas canvas(light_theme(), find_font_files(), {});
  int lessons = 0;
  for (const auto& entry : std::filesystem::directory_iterator(program_file("assets/lessons"))) {
    CAPTURE(entry.path().string());
    LessonFile file = read_lesson(read_unpacked(entry.path().string(), 1'000'000));
    const std::vector<LessonPage> written = file.lesson.pages;
    for (const char* const language : {"fr", ""}) {
      const AnsweredLesson done = answered(file, stage, language);
      for (const LessonError& error : done.errors) FAIL_CHECK(error.line, ": ", error.problem);
      CHECK(done.pages.size() == written.size());
      // Each page has room in a lecture.
      for (const AnsweredPage& page : done.pages)
        for (const LessonError& notice : lecture_notices(canvas, page, written[page.number - 1], language))
          FAIL_CHECK(notice.line, ": ", notice.problem);
    }
    ++lessons;
  }
  CHECK(lessons == 21);
}

TEST_CASE("what a lesson asks for is what a pass of the engine has") {
  const OpenedModel model = open_model(program_file("models/reverse").string());
  const auto snapshot = std::make_shared<const Snapshot>(model.snapshot);
  Scene scene = first_scene(first_sentences(model), model.options.smoothing);
  scene.sentences.front() = {"a b c", {}, {}};
  CHECK(scene.sentences.size() > 1);  // the batch, as the window has it
  const auto result = run_scene(snapshot, model.tokenizers, scene);
  const Config& config = model.snapshot.config;
  const Tensor& weights = result->trace->at("decoder.layers.0.cross_attn.weights");
  const int columns = weights.columns();
  const auto at = [&](int head, int row, int column) {
    return static_cast<double>(weights.at(std::vector<int>{0, head, row, column}));
  };
  const std::string open = "kind cross\nlayer 1\nhead 2\n";
  CHECK(number("weights[1, 2]", open) == at(1, 1, 2));
  CHECK(number("weights[1, 2]", "kind cross\nlayer 1\nhead mean\n") ==
        doctest::Approx((at(0, 1, 2) + at(1, 1, 2)) / 2 * 2 / config.heads + [&] {
          double rest = 0;
          for (int head = 2; head < config.heads; ++head) rest += at(head, 1, 2);
          return rest / config.heads;
        }()));
  CHECK(number("decoder.layers.0.cross_attn.weights[1, 1, 2]") == at(1, 1, 2));
  double row = 0, largest = 0, entropy = 0;
  for (int column = 0; column < columns; ++column) {
    const double p = at(1, 1, column);
    row += p;
    largest = std::max(largest, p);
    if (p > 0) entropy -= p * std::log(p);
  }
  CHECK(number("sum(weights[1, :])", open) == doctest::Approx(row));
  CHECK(number("max(weights[\"c\", :])", open) == doctest::Approx(largest));
  CHECK(number("entropy[1]", open) == doctest::Approx(entropy));
  CHECK(number("loss") == result->trace->sentence_loss.front());
  CHECK(number("batch_loss") == result->trace->loss);
  CHECK(number("count(pieces)") == 3);
  CHECK(number("count(output)") == static_cast<double>(result->decoding.ids.size() - 1));
  CHECK(number("config.heads") == config.heads);
  CHECK(number("log(config.target_vocab)") == doctest::Approx(std::log(config.target_vocab)));
  CHECK(number("exp(0 - nll) ^ 4") == doctest::Approx([&] {
          const Tensor& logs = result->trace->at("log_probabilities");
          double sum = 0;
          for (int place = 0; place < 4; ++place)
            sum += static_cast<double>(logs.at(
                std::vector<int>{0, place, result->trace->target_out[0][static_cast<std::size_t>(place)]}));
          return std::exp(sum);
        }()));
  CHECK(number("sum(p_asked) / 4") > 0.9);  // it has learned this task
  CHECK(number("rows(query) * columns(query)", open) == 4 * config.d_model / config.heads);
  CHECK(std::abs(number("sum(gradient logits[0, :])")) < 1e-6);  // p - y adds up to 0
}

TEST_CASE("words before a name mean another Scene") {
  const std::string muted = "what-if mute cross 1\n";
  CHECK(number("untouched loss", muted) == number("loss"));
  CHECK(number("loss", muted) > number("loss"));
  CHECK(number("untouched batch_loss", muted) == number("batch_loss"));
  CHECK(number("if(output = untouched output, 1, 0)", muted) == 0);
  CHECK(number("if(output = untouched output, 1, 0)") == 1);
  CHECK(number("if(other pieces = pieces, 1, 0)", "compare source b b\n") == 0);
  CHECK(number("if(greedy output = output, 1, 0)", "decode beam 4\n") == 1);
  CHECK(number("-2 ^ 2") == -4);
  CHECK(problem("page One\nask What?\nanswer number : other loss\n") ==
        "6: expected a Scene beside this one, got none for “loss”");
  CHECK(problem("page One\nask What?\nanswer number : at loss\n") ==
        "6: expected it or answer behind at, in a text, got “loss”");
}

TEST_CASE("a study's numbers come from its results, and without them it is said what is missing") {
  const ScratchFolder scratch;
  const std::string head =
      "title = T\nclaim = C.\nsource = S\nexpect = 50 %, so\nbase = --task reverse --preset nano --steps 9\n"
      "vary heads = 1, 4\nseeds = 1, 2\ntest = held-out 9\nmeasure = exact\n"
      "verdict = exact of \"heads 4\" above exact of \"heads 1\"\n";
  scratch.write("so-many.study", head);
  scratch.write("later.study", head);
  scratch.write("torn.study", "title\n");
  scratch.write(
      "so-many.csv",
      "setting,seed,steps,exact,seconds,processor,version\nheads 1,1,9,40,1,P,1\nheads 4,1,9,50,1,P,1\n"
      "heads 1,2,9,41,1,P,1\nheads 4,2,9,53,1,P,1\n");
  const NameValues names = [&](const std::string& before, const std::string& name) {
    REQUIRE(before == "study");
    return study_value(name, scratch.path(""));
  };
  const auto said = [&](const std::string& text) -> std::string {
    try {
      return filled("{" + text + "}", names);
    } catch (const Mismatch& mismatch) {
      return mismatch.what();
    }
  };
  CHECK(said("study so-many.exact.heads-4.mean - study so-many.exact.heads-1.mean:.1") == "11.0");
  CHECK(said("study so-many.exact.heads-1.seeds") == "2");
  CHECK(said("if(study so-many.verdict > 0, 7, study so-many.difference.1.low)") == "−1.706");
  CHECK(said("study many.exact.heads-4.mean") == "expected a study (later, so-many, torn), got “many”");
  for (const char* wrong : {"study so-many", "study so-many.", "study so-many.bleu.heads-4.mean"})
    CHECK(said(wrong).starts_with("study so-many: expected a number such as exact.heads-1.mean, "));
  CHECK(said("study later.exact.heads-4.mean") ==
        "expected results of the study later, got none for “exact.heads-4.mean”");
  CHECK(said("study later.verdict") == "expected results of the study later, got none for “verdict”");
  CHECK(said("study torn.verdict").starts_with(scratch.path("torn.study") + ":1: expected "));

  CHECK(problem("page One\ntext {study nothing.verdict}\n").starts_with("5: expected a study (alignment, "));
  const AnsweredLesson done = answered("page One\ndo Try. : study mistakes.verdict > 1\n");
  CHECK(done.errors.empty());
  CHECK(done.notices.size() == 1);  // it is what it is: never so
}

TEST_CASE("a lesson's deed is done by what it asks for, and by no change beside it") {
  struct Deed {
    const char *file, *asked, *beside;
  };
  constexpr Deed kDeeds[] = {
      {"06-scores-and-scaling", "scale off", "mute encoder 1"},
      {"07-masks", "causal mask off", "scale off"},
      {"09-heads", "mute head cross 2.1", "mute head cross 2.3"},
      {"10-residual-and-norm", "mute encoder 1", "mute encoder 2"},
      {"11-feed-forward", "mute decoder feed-forward 2", "mute decoder feed-forward 1"}};
  for (const Deed& each : kDeeds) {
    CAPTURE(std::string(each.file));
    const std::string path = program_file("assets/lessons/" + std::string(each.file) + ".lesson").string();
    const std::string text = read_unpacked(path, 1'000'000);
    const std::size_t deed = text.find("\ndo "), colon = text.find(" : ", deed);
    REQUIRE(colon != std::string::npos);
    const std::string done = text.substr(colon + 3, text.find('\n', colon) - colon - 3);
    const std::string scene = "model english-french\nsource the tired girl sees a red car\n";
    CHECK(number(done, scene) == 0);
    CHECK(number(done, scene + "what-if " + each.asked + "\n") != 0);
    CHECK(number(done, scene + "what-if " + each.beside + "\n") == 0);
  }
}

TEST_CASE("what is said after a deed is not told with the numbers of before") {
  const AnsweredLesson done = answered("page One\ndo Turn it. : loss > 100\nright It is {loss:.3} now.\n");
  REQUIRE(done.errors.empty());
  CHECK(done.pages[0].right == "It is {loss:.3} now.");
}

TEST_CASE("a view opens at the step that its line names, and a pin can be taken away") {
  const AnsweredLesson done = answered(
      "page One\nview block 3\npin query \"a\" key \"b\"\ntext Words.\npage Two\npin none\ntext Words.\n");
  REQUIRE(done.errors.empty());
  CHECK(problem("page One\nview attention 2\ntext Words.\n") ==
        "5: expected a view (only head and block have steps), got attention 2");
  CHECK(problem("page One\nview head x\ntext Words.\n") ==
        "5: expected a whole number from 1 on for step, got “x”");
}

TEST_CASE("what cannot be set up or computed is told with its line") {
  CHECK(problem("page One\nlayer 9\ntext Words.\n").starts_with("5: expected layer 1 to "));
  CHECK(problem("page One\nwhat-if mute head cross 9.9\ntext Words.\n").starts_with("5: "));
  CHECK(problem("page One\nwhat-if mute head cross 1.1 from other\ntext Words.\n") ==
        "5: expected a compared Scene for “from other”, got none");
  CHECK(problem("page One\ncompare source b b\nwhat-if mute head cross 1.1 at 9 from other\ntext Words.\n") ==
        "6: what-if: “mute head cross 1.1 at 9 from other”: the sentence has 4 places; there is no place 9");
  CHECK(problem("page One\ncompare step abc\ntext Words.\n") ==
        "5: expected a whole number from 0 on for step, got “abc”");
  CHECK(problem("page One\nmodel nowhere\ntext Words.\n").starts_with("5: expected a model, got "));
  CHECK(problem("page One\npoint row \"z\"\ntext Words.\n").starts_with("5: expected a word of the rows ("));
  CHECK(problem("page One\npoint row \"a\"#x\ntext Words.\n") ==
        "5: expected a whole number from 0 on for which of them, got “x”");
  CHECK(problem("page One\ntext It is {losss}.\n") ==
        "5: expected a value of the Scene such as weights, loss or output, got “losss”");
  CHECK(problem("page One\nask What?\nanswer word : weights\n") ==
        "6: expected one word, got a table of 4 × 4");
  CHECK(problem("page One\nask What?\nanswer choice a | b : output[0]\n")
            .starts_with("6: expected an answer that is one of the choices, got "));
}

TEST_CASE("a name draws its own sentence, the same one each time") {
  CHECK(drawn_by("Anna", 1000) == drawn_by("Anna", 1000));
  CHECK(drawn_by("Anna", 1000) != drawn_by("Ben", 1000));
  CHECK(drawn_by("", 7) < 7);
  const auto source = [](const std::string& student) {
    LessonStage stage(student);
    const AnsweredLesson done = answered(
        read_lesson("lesson A\nmodel reverse\nsource from held-out by NAME\npage One\ntext {pieces}\n"),
        stage, "en");
    REQUIRE(done.errors.empty());
    return done.pages.at(0).texts.at(0);
  };
  CHECK(source("Anna") == source("Anna"));
  CHECK(source("Anna") != source("Ben"));
}

TEST_CASE("all that is wrong with a lesson is reported at once") {
  const AnsweredLesson done = answered(
      "page One\naks What?\nanswer number : nothing_such\nlayer 9\nhead 9\n"
      "page Two\nask Which?\nanswer number : rows(weights) +\n");
  std::vector<int> lines;
  for (const LessonError& error : done.errors) lines.push_back(error.line);
  for (const int line : {5, 6, 7, 8, 11})
    CHECK_MESSAGE(std::ranges::find(lines, line) != lines.end(), "line ", line);
}

TEST_CASE("a condition that nothing on the stage can make true is noticed, others are not") {
  const auto noticed = [](const std::string& condition) {
    const AnsweredLesson done = answered("view attention\npage One\ndo Try. : " + condition + "\n");
    CHECK_MESSAGE(done.errors.empty(), condition);
    return !done.notices.empty();
  };
  for (const char* never :
       {"weights[0, 0] > 1.5", "max(p_asked) < 0 - 0.1", "view.open = \"cross 9\"", "output[0] = \"fille\"",
        "config.heads = 99", "loss < 0", "1 = 2", "if(loss > 0 - 1, weights[0, 0] > 2, 1)",
        "count(pieces) < 0", "count(pieces) > 100000", "rows(weights) = 9000", "argmax(weights[0, :]) > 999",
        "count(scores[:, 0]) > 5000", "columns(query) > 4000"})
    CHECK_MESSAGE(noticed(never), never);
  for (const char* may : {"weights[0, 0] > 0.9999", "view.open = \"walk\"", "count(output) > 40",
                          "output[0] = \"b\"", "loss > 90", "scores[0, 0] > 900", "sum(weights) > 900",
                          "count(weights) > 90", "columns(query) = 1", "count(muted_loss) > 99999"})
    CHECK_MESSAGE(!noticed(may), may);
}

TEST_CASE("in another language the answer of a choice is that language's word") {
  LessonStage stage;
  const AnsweredLesson done =
      answered(lesson_of("page One\nask Which?\nask.fr Lequel ?\nanswer choice low | high : \"high\"\n"
                         "answer.fr bas | haut\nright It is {answer}.\nright.fr C'est {answer}.\n"),
               stage, "fr");
  REQUIRE(done.errors.empty());
  CHECK(done.pages[0].answer == "haut");
  CHECK(done.pages[0].choices == std::vector<std::string>{"bas", "haut"});
  CHECK(done.pages[0].right == "C'est haut.");
}

TEST_CASE("a share may be typed in per cent") {
  LessonQuestion asked;
  asked.tolerance = 0.005;
  const auto right = [&](const char* typed, double answer) {
    return is_right(asked, given_answer(asked, typed, one_number(answer)), one_number(answer));
  };
  CHECK(right("100 %", 1));
  CHECK(right("46,2%", 0.46));
  CHECK_FALSE(right("46 %", 0.0046));
  CHECK(right("46 %", 46));
}

TEST_CASE("running text joins what an elision joins") {
  Value text = row_of_words({"je", "n", "'", "ai", "pas"});
  CHECK(shown(text) == "je n ' ai pas");
  text.of_text = true;
  CHECK(shown(text) == "je n'ai pas");
}
