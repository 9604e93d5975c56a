#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/format/number_format.h"
#include "app/views/forcing/forcing.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

SampleScene scene_to_force(const SampleOptions& options = {}) {
  SampleOptions small = options;
  small.config.d_model = 16;
  small.config.d_ff = 24;
  small.config.max_length = options.tokenizer == TokenizerKind::word ? 16 : 64;
  return make_sample_scene(small);
}

// −log p of `asked` at each place when `read` is read, through a trace of its own.
std::vector<double> losses_by_hand(const SampleScene& scene, const std::vector<int>& written,
                                   const std::vector<int>& asked) {
  std::vector<int> source = scene.result->trace->source.front(), target = written;
  if (scene.snapshot->config.source_eos) source.pop_back();
  if (!target.empty() && target.back() == scene.snapshot->config.eos_id) target.pop_back();
  const Trace trace = record_trace(*scene.snapshot->weights, {{source}, {target}});
  const Plane logits = trace.plane("logits");
  std::vector<double> losses;
  for (std::size_t place = 0; place < asked.size() && static_cast<int>(place) < logits.rows; ++place) {
    double sum = 0;
    for (int id = 0; id < logits.columns; ++id)
      sum += std::exp(static_cast<double>(logits(static_cast<int>(place), id)));
    losses.push_back(std::log(sum) - static_cast<double>(logits(static_cast<int>(place), asked[place])));
  }
  return losses;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("the given words alone, with what each costs, are whole in the room of a lecture") {
  const Rect room{24, 24, 576, 256};
  for (const TokenizerKind tokenizer : {TokenizerKind::word, TokenizerKind::character}) {
    SampleOptions options;
    options.tokenizer = tokenizer;
    SampleScene scene = scene_to_force(options);
    Selection pin{.query = 3};
    scene.pin(pin);
    const auto view = make_view("teacher-forcing");
    RecordingCanvas canvas;
    canvas.set_least_type(12);
    view->panel("words-given", canvas, scene.input(), room.inset(-24));
    CHECK_MESSAGE(texts_outside(canvas, room).empty(), in_lines(texts_outside(canvas, room)));
    CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
    if (tokenizer == TokenizerKind::word) CHECK(canvas.find("fatiguée"));
    const auto alone = view->clone();
    CHECK(alone->open_panel("words-given"));
    const std::vector<NumberTable> tables = alone->numbers(scene.input());
    REQUIRE(tables.size() == 1);
    CHECK_FALSE(contains(alone->caption(scene.input()), "on its own"));
    // −log p of each place that is drawn; of many those around the pin, as it says.
    const std::size_t places = tables[0].values.size();
    for (std::size_t place = 0; place < std::min<std::size_t>(places, 7); ++place)
      CHECK(canvas.find(format_fixed(tables[0].values[place][1], 2)));
    CHECK((canvas.find("places 0 to 7 of " + std::to_string(places)) != nullptr) == (places > 8));
  }
}

TEST_CASE("the losses of both ways of reading and their means are those of traces of their own") {
  const SampleScene scene = scene_to_force();
  ForcingCache cache;
  const ViewInput input = scene.input();
  const ForcingScene shown = forcing_scene(input, cache, true);
  REQUIRE(shown.known);
  const std::vector<double> given = losses_by_hand(scene, shown.right, shown.right);
  std::vector<double> own = losses_by_hand(scene, shown.own->ids, shown.right);
  own.resize(static_cast<std::size_t>(shown.own_places()));
  const RecordingCanvas canvas =
      picture_of(*make_view("teacher-forcing"), scene.input(), {0, 0, 1100, 704}, true);
  for (std::size_t place = 0; place < given.size(); ++place) {
    CHECK(shown.given_log_p[place] == doctest::Approx(-given[place]).epsilon(1e-4));
    CHECK(canvas.find(format_fixed(given[place], 2)) != nullptr);
  }
  for (std::size_t place = 0; place < own.size(); ++place)
    CHECK(shown.own->right_log_probabilities[place] == doctest::Approx(-own[place]).epsilon(1e-4));
  CHECK(canvas.find(format_loss(mean(given))) != nullptr);
  CHECK(canvas.find(format_loss(mean(own))) != nullptr);
  CHECK(shown.own->ids == scene.result->decoding.ids);
}

TEST_CASE("what a place is asked for is what it should write, not what it writes") {
  SampleScene scene = scene_to_force();
  ViewStage stage("teacher-forcing", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1200, 760}, true);
  CHECK(canvas.find("should write") != nullptr);
}

TEST_CASE("they part at the first word that is not right, and up to there both read the same") {
  const SampleScene scene = scene_to_force();
  ForcingCache cache;
  const ViewInput input = scene.input();
  const ForcingScene shown = forcing_scene(input, cache, true);
  REQUIRE(shown.parts);
  for (int place = 0; place < *shown.parts; ++place) CHECK(shown.own_right(place));
  CHECK_FALSE(shown.own_right(*shown.parts));
  for (int place = 0; place <= *shown.parts; ++place) {
    CHECK(shown.read_given(place) == shown.read_own(place));
    CHECK(shown.given[static_cast<std::size_t>(place)] == shown.own->ids[static_cast<std::size_t>(place)]);
  }
  CHECK(parting_words(shown).starts_with("Given “"));
}

TEST_CASE("with the future in sight they part at the first place where the two rows of words differ") {
  int earlier = 0;
  for (std::uint64_t seed = 1; seed <= 60 && earlier == 0; ++seed) {
    SampleOptions options;
    options.seed = seed;
    options.what_if = {{change_of(ChangeKind::causal_mask_off)}};
    // What the model writes on its own is what is right: it never leaves it, and yet the rows differ.
    SampleScene scene = scene_to_force(options);
    std::istringstream written(scene.result->translation);
    std::string text, word;
    for (int i = 0; i < 6 && written >> word; ++i) text += (i > 0 ? " " : "") + word;
    if (text.empty()) continue;
    options.sentences[0].target = text;
    scene = scene_to_force(options);
    ForcingCache cache;
    const ViewInput input = scene.input();
    const ForcingScene shown = forcing_scene(input, cache, true);
    REQUIRE(shown.own);
    CHECK(shown.ahead);
    std::optional<int> first;
    for (int place = 0; place < shown.rights() && place < std::ssize(shown.own->ids) && !first; ++place) {
      const auto at = static_cast<std::size_t>(place);
      if (shown.given[at] != shown.own->ids[at] || shown.right[at] != shown.own->ids[at]) first = place;
    }
    if (!first) continue;
    CHECK(shown.parts == first);
    const auto at = static_cast<std::size_t>(*first);
    if (shown.right[at] != shown.own->ids[at]) continue;
    ++earlier;
    const std::string words = parting_words(shown);
    CHECK(contains(words, "“" + shown.word(shown.given[at]) + "” given them"));
    CHECK(contains(words, "“" + shown.word(shown.own->ids[at]) + "” on its own"));
  }
  CHECK(earlier > 0);
}

TEST_CASE("a click pins a place and its page tells the shift and the losses") {
  SampleScene scene = scene_to_force();
  ViewStage stage("teacher-forcing", scene, {1200, 800});
  REQUIRE(stage.click("forcing place 3"));
  CHECK(scene.pinned.query == 3);
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.caption == "The right word, place 3");
  CHECK(page.subject == "reads **fatiguée**  should write **voit**");
  CHECK(page.sections[0].heading == "Shifted by one");
  CHECK(page.sections[0].rows.size() == 3);
  CHECK(page.sections[1].rows[2].value == format_loss(scene.result->trace->sentence_loss.front()));
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].rows.size() == 8);
}

TEST_CASE("without a known translation it offers to set one, and nothing else") {
  SampleOptions options;
  options.sentences = {{"the cat sees a bird", {}, {}}};
  SampleScene scene = scene_to_force(options);
  ViewStage stage("teacher-forcing", scene, {1200, 800});
  REQUIRE(stage.click("set the right words"));
  bool asked = false;
  for (const Command& command : stage.take_commands()) asked = asked || command.is<OpenDialog>();
  CHECK(asked);
  CHECK_FALSE(stage.has("forcing place 0"));
  CHECK(stage.view().numbers(scene.input()).empty());
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), stage.area());
  CHECK(canvas.find("They part here. ") == nullptr);
}

TEST_CASE("words of the model's own that were accepted are set, and not called right") {
  SampleOptions options;
  options.sentences = {{"the cat sees a bird", {}, {}}};
  SampleScene scene = scene_to_force(options);
  auto accepted = std::make_shared<SceneResult>(*scene.result);
  accepted->target_origin = TargetOrigin::typed;
  scene.result = accepted;
  ForcingCache cache;
  const ViewInput input = scene.input();
  const ForcingScene shown = forcing_scene(input, cache, true);
  CHECK(shown.own_accepted);
  const RecordingCanvas canvas =
      picture_of(*make_view("teacher-forcing"), scene.input(), {0, 0, 1100, 704}, true);
  CHECK(canvas.find("Probability of the word it should write") != nullptr);
  CHECK_FALSE(contains(make_view("teacher-forcing")->caption(scene.input()), "the right words"));
  CHECK_FALSE(contains(parting_words(shown), "every word right"));
  CHECK_FALSE(forcing_scene(scene_to_force().input(), cache, true).own_accepted);
}

}  // namespace glassformer
