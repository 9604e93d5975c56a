// The output, word by word.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/output/output.h"
#include "engine/text/word_difference.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::output_view_test {

namespace {

std::vector<OutputRow> rows_of(const SampleScene& scene) {
  return OutputRows().of(scene.input(), 0);
}
OutputScene shown_by(const SampleScene& scene) {
  OutputRows kept;
  return output_scene(scene.input(), kept);
}

}  // namespace

TEST_CASE("rows that are kept are those of the trace and the sentence that are asked for") {
  const SampleScene one = make_sample_scene(), other = make_sample_scene({.seed = 2});
  OutputRows kept;
  for (const SampleScene* const scene : {&one, &other, &one})
    for (const int sentence : {0, 0, 1}) {
      const std::vector<OutputRow>& found = kept.of(scene->input(), sentence);
      const std::vector<OutputRow> fresh = OutputRows().of(scene->input(), sentence);
      REQUIRE(found.size() == fresh.size());
      for (size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].said.loss == fresh[i].said.loss);
        CHECK(found[i].read == fresh[i].read);
      }
    }
  CHECK(kept.of(one.input(), 0)[0].said.loss != kept.of(other.input(), 0)[0].said.loss);
}

TEST_CASE("guesses are the largest probabilities of the trace, best first") {
  const SampleScene scene = make_sample_scene();
  const std::vector<OutputRow> rows = rows_of(scene);
  REQUIRE(rows.size() == 8);
  const Plane log_p = scene.result->trace->plane("log_probabilities", 0);
  for (const OutputRow& row : rows) {
    REQUIRE(row.guesses.size() == kMostGuesses);
    int larger = 0;
    for (int id = 0; id < log_p.columns; ++id)
      larger += std::exp(static_cast<double>(log_p(row.position, id))) >
                row.guesses.back().share.probability + 1e-7;
    CHECK(larger < kMostGuesses);
    for (size_t i = 1; i < row.guesses.size(); ++i)
      CHECK(row.guesses[i - 1].share.probability >= row.guesses[i].share.probability);
  }
  CHECK(rows[3].read == "fatiguée");
  CHECK(rows[3].right == "voit");
}

TEST_CASE("loss is KL and the entropy of the smoothed target, and its mean is the sentence's") {
  const SampleScene scene = make_sample_scene();
  const Trace& trace = *scene.result->trace;
  const std::vector<OutputRow> rows = rows_of(scene);
  const Plane target = trace.plane("smoothed_target", 0), log_p = trace.plane("log_probabilities", 0);
  double sum = 0;
  for (const OutputRow& row : rows) {
    double kl = 0;
    for (int id = 0; id < target.columns; ++id) {
      const double y = target(row.position, id);
      if (y > 0) kl += y * (std::log(y) - log_p(row.position, id));
    }
    CHECK(row.said.kl == doctest::Approx(kl).epsilon(1e-4));
    sum += row.said.loss;
  }
  CHECK(trace.sentence_loss.front() == doctest::Approx(sum / static_cast<double>(rows.size())));
  CHECK(trace.sentence_loss.front() != doctest::Approx(trace.loss));  // of the whole padded batch
  CHECK(shown_by(scene).loss == trace.sentence_loss.front());
}

TEST_CASE("the smoothed loss and the price of the words are told apart by name") {
  const SampleScene scene = make_sample_scene();
  const OutputScene shown = shown_by(scene);
  double price = 0;
  for (const OutputRow& row : shown.rows) price -= std::log(row.said.right.probability);
  price /= static_cast<double>(shown.rows.size());
  REQUIRE(shown.loss > price + 0.001);
  const std::string words = make_view("output")->caption(scene.input());
  CHECK(contains(
      words, format_loss(shown.loss) + " with label smoothing 0.1 (mean −log p " + format_loss(price) + ")"));
  SampleScene plain = make_sample_scene();
  auto unsmoothed = std::make_shared<SceneResult>(*plain.result);
  unsmoothed->scene.smoothing = 0;
  plain.result = unsmoothed;
  CHECK_FALSE(contains(make_view("output")->caption(plain.input()), "smoothing"));
}

TEST_CASE("a click on a guess pins its log-probability and the position") {
  const SampleScene scene = make_sample_scene();
  const auto view = make_view("output");
  const RecordingCanvas canvas = picture_of(*view, scene.input());
  const Selection pinned = pinned_by(canvas, "position 4 guess 2");
  CHECK(pinned.query == 4);
  REQUIRE(pinned.cell);
  CHECK(pinned.cell->name == "log_probabilities");
  CHECK(pinned.cell->index[1] == 4);
  CHECK(pinned_by(canvas, "position 2 loss").cell == CellRef{"token_loss", {0, 2}});
  CHECK(canvas.find(format_loss(rows_of(scene)[0].said.loss)) != nullptr);
}

TEST_CASE("beside a word stand its logit, p over y and p − y, as the trace has them") {
  SampleScene scene = make_sample_scene();
  Selection selection{.query = 3};
  scene.pin(selection);
  const auto view = make_view("output");
  const RecordingCanvas canvas = picture_of(*view, scene.input());
  const Trace& trace = *scene.result->trace;
  const Plane logits = trace.plane("logits"), log_p = trace.plane("log_probabilities"),
              target = trace.plane("smoothed_target");
  const Tensor& gradient = scene.result->gradients->trace.gradients.find("logits")->second;
  const auto words = static_cast<double>(scene.result->target_out_words.size());
  int choices = 0;
  bool right_seen = false;
  for (const HitRegion& region : canvas.regions) {
    if (!region.label.starts_with("choice ") || !region.label.ends_with(" difference")) continue;
    const CellRef cell = *region.click->get<SetPin>().selection.cell;
    CHECK(cell.name == "logits");
    const int id = cell.index[2];
    const double p = std::exp(static_cast<double>(log_p(3, id))), y = static_cast<double>(target(3, id));
    const auto beside = [&](const std::string& text) {
      return std::ranges::any_of(canvas.texts, [&](const auto& each) {
        const float middle = each.box.y + each.box.height / 2;
        return each.text == text && each.box.x > 600 && middle > region.rect.y &&
               middle < region.rect.bottom();
      });
    };
    CHECK(beside(format_fixed(static_cast<double>(logits(3, id)), 2)));
    CHECK(beside(format_fixed(p, 3)));
    CHECK(beside(format_fixed(y, 3)));
    CHECK(beside(format_signed(p - y, 3)));
    // What flows back, in the loss of the sentence.
    const int at[] = {0, 3, id};
    CHECK(p - y == doctest::Approx(words * static_cast<double>(gradient.at(at))).epsilon(1e-3).scale(0.01));
    right_seen = right_seen || id == trace.target_out[0][3];
    ++choices;
  }
  CHECK(choices >= 5);
  CHECK(right_seen);
  const Prediction said = rows_of(scene)[3].said;
  for (const double cost : {said.loss, said.target_entropy, said.kl, said.entropy})
    CHECK(canvas.find(format_loss(cost)) != nullptr);
}

TEST_CASE("the gradient of the right word's logit is one click away") {
  SampleScene scene = make_sample_scene();
  scene.pin({.query = 2});
  ViewStage stage("output", scene);
  REQUIRE(stage.click("How does p − y flow back?"));
  const Commands commands = stage.take_commands();
  const auto open = std::ranges::find_if(commands, [](const Command& each) { return each.is<OpenStep>(); });
  REQUIRE(open != commands.end());
  CHECK(open->get<OpenStep>().cell == CellRef{"logits", {0, 2, scene.result->trace->target_out[0][2]}, true});
}

// ---- Two outputs side by side, word by word, however their words are cut.

// Pieces as they are given; "_" begins a word.
class GivenPieces final : public Tokenizer {
 public:
  explicit GivenPieces(std::vector<std::string> pieces) : Tokenizer({}), pieces_(std::move(pieces)) {}
  TokenizerKind kind() const override { return TokenizerKind::bpe; }
  int size() const override { return kSpecials + static_cast<int>(pieces_.size()); }
  std::string normalized(std::string_view text) const override { return std::string(text); }
  std::vector<Piece> encode(std::string_view) const override { return {}; }
  std::string decode(const std::vector<int>& ids) const override {
    std::string text;
    for (const int id : ids)
      if (id >= kSpecials) text += (starts_word(id) && !text.empty() ? " " : "") + piece(id);
    return text;
  }
  std::string piece(int id) const override {
    if (id < kSpecials) return "<special>";
    const std::string& text = pieces_[static_cast<std::size_t>(id - kSpecials)];
    return text.starts_with('_') ? text.substr(1) : text;
  }
  bool starts_word(int id) const override {
    return id >= kSpecials && pieces_[static_cast<std::size_t>(id - kSpecials)].starts_with('_');
  }
  std::optional<double> score(int) const override { return {}; }
  std::string bytes() const override { return {}; }

  std::vector<int> ids(const std::string& written) const {
    std::vector<int> found;
    std::istringstream in(written);
    for (std::string piece; in >> piece;) {
      const auto at = std::ranges::find(pieces_, piece);
      REQUIRE(at != pieces_.end());
      found.push_back(kSpecials + static_cast<int>(at - pieces_.begin()));
    }
    return found;
  }

 private:
  std::vector<std::string> pieces_;
};

TEST_CASE("two outputs of other lengths stand word by word") {
  CHECK(aligned({4, 5, 6}, {4, 5, 6}) == std::vector<OutputColumn>{{0, 0, true}, {1, 1, true}, {2, 2, true}});
  CHECK(aligned({4, 5, 6}, {4, 7, 6}) ==
        std::vector<OutputColumn>{{0, 0, true}, {1, 1, false}, {2, 2, true}});
  CHECK(aligned({4, 5, 6}, {4, 6}) ==
        std::vector<OutputColumn>{{0, 0, true}, {1, std::nullopt, false}, {2, 1, true}});
  CHECK(aligned({4, 6}, {4, 8, 9, 6}) ==
        std::vector<OutputColumn>{
            {0, 0, true}, {std::nullopt, 1, false}, {std::nullopt, 2, false}, {1, 3, true}});
  CHECK(changed_words(aligned({1, 2}, {3})) == 2);
}

TEST_CASE("a word is the same however it is cut, and pieces of the same text stand in one column") {
  const GivenPieces cut({"_elle", "_n", "'", "ouvre", "_ouvre", "_ou", "vre", "_la", "_porte"});
  // Each in its own word: n'ouvre is one, ouvre another.
  const auto elided =
      aligned(cut.ids("_elle _n ' ouvre _la _porte"), cut.ids("_elle _ouvre _la _porte"), &cut);
  CHECK(elided == std::vector<OutputColumn>{{0, 0, true},
                                            {1, std::nullopt, false},
                                            {2, std::nullopt, false, false},
                                            {3, 1, false, false},
                                            {4, 2, true},
                                            {5, 3, true}});
  CHECK(changed_words(elided) == 1);
  CHECK(words_in(elided) == 4);
  const auto other_cut = aligned(cut.ids("_elle _ouvre _la"), cut.ids("_elle _ou vre _la"), &cut);
  CHECK(changed_words(other_cut) == 0);
  CHECK(other_cut ==
        std::vector<OutputColumn>{{0, 0, true}, {1, 1, true}, {std::nullopt, 2, true, false}, {2, 3, true}});
}

TEST_CASE("the words that differ are those of the two texts, for every tokenizer") {
  const std::vector<std::string> words = {"le",    "chat",  "voit", "un",    "oiseau", "petit",
                                          "chien", "mange", "une",  "pomme", "rouge",  "grande"};
  std::vector<std::string> lines;
  std::mt19937 random(7);
  const auto sentence = [&] {
    std::string text;
    const std::size_t count = 1 + random() % 8;
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? " " : "") + words[random() % words.size()];
    return text;
  };
  for (int i = 0; i < 200; ++i) lines.push_back(sentence());
  for (const TokenizerKind kind :
       {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word, TokenizerKind::character}) {
    const auto smallest = smallest_vocabulary(lines, kind);
    const auto tokenizer = train_tokenizer(
        lines, {.kind = kind,
                .pieces = kind == TokenizerKind::bpe || kind == TokenizerKind::unigram ? smallest + 6 : 0});
    const auto ids_of = [&](const std::string& text) {
      std::vector<int> ids;
      for (const Piece& piece : tokenizer->encode(text)) ids.push_back(piece.id);
      return ids;
    };
    for (int round = 0; round < 100; ++round) {
      const std::string first = sentence(), second = sentence();
      const std::vector<int> before = ids_of(first), after = ids_of(second);
      CAPTURE(first);
      CAPTURE(second);
      int next_before = 0, next_after = 0;
      std::vector<bool> right;  // of each word of the first
      bool counted = false;     // the word of this column
      for (const OutputColumn& column : aligned(before, after, tokenizer.get())) {
        if (column.begins) counted = false;
        CHECK((column.before || column.after));
        if (column.before) CHECK(*column.before == next_before++);
        if (column.after) CHECK(*column.after == next_after++);
        if (column.before && !std::exchange(counted, true)) right.push_back(column.same);
      }
      CHECK(next_before == std::ssize(before));
      CHECK(next_after == std::ssize(after));
      const WordDifferences expected = compare_both(first, second);
      CHECK(std::ranges::equal(right, expected.first.words, {}, {}, &MarkedWord::right));
    }
  }
}

TEST_CASE("the chips of the window and the What if view tell the same words") {
  SettledProgram program({.threads = 1});
  for (const char* sentence :
       {"the tired girl does not like the red car", "the old man does not see the dog"}) {
    for (int head = 0; head < 4; ++head) {
      program.session().apply({SetSource{sentence}, SetWhatIf{{{mute_head(AttentionKind::cross, 1, head)}}}});
      REQUIRE(program.settle());
      const SceneResult& result = *program.session().result();
      const auto columns = aligned(result.plain->decoding.ids, result.decoding.ids,
                                   program.session().tokenizers().target.get());
      const WordDifferences words = compare_both(result.plain->translation, result.translation);
      std::vector<bool> changed;  // of each word of the output, eos last
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i].begins) continue;
        bool here = false;  // some of it is in the changed output
        for (std::size_t j = i; j < columns.size() && (j == i || !columns[j].begins); ++j)
          here = here || columns[j].after.has_value();
        if (here) changed.push_back(!columns[i].same);
      }
      if (!changed.empty() && result.decoding.ids.back() == result.snapshot->config.eos_id)
        changed.pop_back();
      std::vector<bool> expected;
      for (const MarkedWord& word : words.second.words) expected.push_back(!word.right);
      CHECK(changed == expected);
    }
  }
}

}  // namespace glassformer::output_view_test
