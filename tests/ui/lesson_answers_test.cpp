// What the lessons ask, worked out once more without the engine: a pass in double of the weights of the model
// that they open, and the arithmetic that each question is about.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/lessons/answered_page.h"
#include "app/session/paths.h"
#include "app/views/lookup/lookup.h"
#include "engine/files/text_file.h"
#include "tests/naive_pass.h"

using namespace glassformer;
using glassformer::testing::NaivePass;

namespace {

using Numbers = NaivePass::Numbers;

constexpr const char* kSentence = "the tired girl sees a red car";
constexpr const char* kRight = "la fille fatiguée voit une voiture rouge";

// The model of the lessons, and passes of it that write down what they go through.
class Reckoner {
 public:
  Reckoner()
      : model_(open_model(program_file("models/english-french").string())),
        weights_(model_.snapshot.weights->cast<double>()) {}

  const Config& config() const { return model_.snapshot.config; }
  Transformer<double>& weights() { return weights_; }

  std::vector<int> source(const std::string& text) const {
    std::vector<int> ids = ids_of(*model_.tokenizers.source, text);
    ids.push_back(config().eos_id);
    return ids;
  }
  // What the decoder reads.
  std::vector<int> target(const std::string& text) const {
    std::vector<int> ids = ids_of(*model_.tokenizers.target, text);
    ids.insert(ids.begin(), config().bos_id);
    return ids;
  }
  std::string word(int id) const { return model_.tokenizers.target->piece(id); }

  // Logits, with the numbers of each head noted under "cross 1 weights 3"; `mute` names one whose context is
  // 0.
  Numbers pass(const std::vector<int>& from, const std::vector<int>& read, const std::string& mute = {}) {
    NaivePass pass(weights_);
    pass.replace = [&](const std::string& name, int head, Numbers& value) {
      const std::string key = head < 0 ? name : name + " " + std::to_string(head);
      if (key == mute) value.setZero();
      noted[key] = value;
    };
    return pass.logits(from, read);
  }

  // Greedy, bos and eos not among them.
  std::vector<int> written(const std::string& from, const std::string& mute = {}) {
    std::vector<int> ids = {config().bos_id};
    while (std::ssize(ids) < config().max_length) {
      const Numbers logits = pass(source(from), ids, mute);
      Eigen::Index best = 0;
      logits.row(logits.rows() - 1).maxCoeff(&best);
      if (best == config().eos_id) break;
      ids.push_back(static_cast<int>(best));
    }
    ids.erase(ids.begin());
    return ids;
  }

  // Probabilities of what is asked for: the words read, one further on, and eos.
  std::vector<double> asked(const Numbers& logits, const std::vector<int>& read) const {
    std::vector<double> p;
    for (std::size_t i = 0; i < read.size(); ++i) {
      const auto row = logits.row(static_cast<Eigen::Index>(i)).array();
      const int id = i + 1 < read.size() ? read[i + 1] : config().eos_id;
      p.push_back(std::exp(row(id) - row.maxCoeff()) / (row - row.maxCoeff()).exp().sum());
    }
    return p;
  }

  std::map<std::string, Numbers> noted;

 private:
  static std::vector<int> ids_of(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<int> ids;
    for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
    return ids;
  }

  OpenedModel model_;
  Transformer<double> weights_;
};

int place_of_word(const std::string& text, const std::string& word) {
  int place = 0;
  std::istringstream words(text);
  for (std::string each; words >> each; ++place)
    if (each == word) return place;
  FAIL("no such word: ", word);
  return 0;
}

// Every page of a lesson by its title.
class Answers {
 public:
  const Value& of(const std::string& lesson, const std::string& title) {
    if (!lessons_.contains(lesson)) {
      LessonFile file = read_lesson(
          read_unpacked(program_file("assets/lessons/" + lesson + ".lesson").string(), 1'000'000));
      lessons_[lesson] = answered(std::move(file), stage_, "en");
    }
    for (const AnsweredPage& page : lessons_[lesson].pages)
      if (page.title == title) return page.value;
    FAIL("no such page: ", title);
    return lessons_[lesson].pages.front().value;
  }
  double number(const std::string& lesson, const std::string& title) {
    const Value& value = of(lesson, title);
    REQUIRE_FALSE(value.numbers.empty());
    return value.numbers.front();
  }
  std::string word(const std::string& lesson, const std::string& title) {
    const Value& value = of(lesson, title);
    if (value.place) return value.place->axis.words.at(value.place->at);
    REQUIRE_FALSE(value.words.empty());
    return value.words.front();
  }

 private:
  LessonStage stage_;
  std::map<std::string, AnsweredLesson> lessons_;
};

Eigen::Index largest(const Numbers& table, int row) {
  Eigen::Index at = 0;
  table.row(row).maxCoeff(&at);
  return at;
}

// The pass of the sentence that most lessons open.
struct Desk {
  Reckoner by_hand;
  Answers lessons;
  const Config& config = by_hand.config();
  std::vector<int> source = by_hand.source(kSentence), read = by_hand.target(kRight);
  Numbers logits = by_hand.pass(source, read);

  // As the words are in rows: bos first.
  static int row(const char* word) { return place_of_word(kRight, word) + 1; }
  static int column(const char* word) { return place_of_word(kSentence, word); }
  const Numbers& noted(const char* name) const { return by_hand.noted.at(name); }

  double loss(const Numbers& of) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < of.rows(); ++i) {
      const auto each = of.row(i).array();
      const double total = each.maxCoeff() + std::log((each - each.maxCoeff()).exp().sum());
      const std::size_t next = static_cast<std::size_t>(i) + 1;
      const int id = next < read.size() ? read[next] : config.eos_id;
      sum += 0.9 * (total - each(id)) + 0.1 * (total - each.mean());
    }
    return sum / static_cast<double>(of.rows());
  }
};

}  // namespace

TEST_CASE_FIXTURE(Desk, "what lessons ask of embeddings and positions is worked out by hand") {
  CHECK(lessons.number("01-looking-things-up", "A blend") ==
        doctest::Approx(ask_facts(14.5, 1).soft.answer[0]).epsilon(1e-4));

  const auto& table = by_hand.weights().source_table();
  const int girl = source.at(static_cast<std::size_t>(column("girl")));
  CHECK(lessons.number("03-embeddings", "Times eight") ==
        doctest::Approx(table(girl, 0) * std::sqrt(config.d_model)).epsilon(1e-5));
  // "In the end the rows had a cosine near 1."
  const int daughter = by_hand.source("daughter").at(0);
  CHECK(table.row(girl).dot(table.row(daughter)) / (table.row(girl).norm() * table.row(daughter).norm()) >
        0.9);

  double waves = 0;
  for (int c = 0; c < config.d_model; ++c) waves += c % 2 == 0 ? std::sin(0.0) : std::cos(0.0);
  CHECK(lessons.number("04-positions", "Waves") == doctest::Approx(waves).epsilon(1e-5));
}

TEST_CASE_FIXTURE(Desk, "what lessons ask of attention is worked out by hand") {
  std::istringstream split(kSentence);
  const std::vector<std::string> columns{std::istream_iterator<std::string>(split), {}};
  CHECK(lessons.word("01-looking-things-up", "The same with words") ==
        columns.at(static_cast<std::size_t>(largest(noted("cross 1 weights 0"), row("fille")))));
  CHECK(lessons.number("06-scores-and-scaling", "Divided by a root") ==
        doctest::Approx(noted("cross 1 scores 3")(row("voit"), column("car"))).epsilon(1e-4));
  CHECK(lessons.number("07-masks", "Still one whole") == doctest::Approx(noted("decoder 1 weights 0")(0, 0)));

  const Numbers& shares = noted("cross 1 weights 3");
  CHECK(lessons.number("08-softmax", "Powers of e") == static_cast<double>((shares.array() < 0).count()));
  Eigen::Index flattest = 0;
  (-(shares.array() * shares.array().max(1e-300).log()).rowwise().sum()).maxCoeff(&flattest);
  CHECK(lessons.word("08-softmax", "Sharp or flat") ==
        (flattest == 0 ? "<bos>" : by_hand.word(read.at(static_cast<std::size_t>(flattest)))));
}

TEST_CASE_FIXTURE(Desk, "what lessons ask of muted heads is worked out by hand") {
  int needed = 0;
  double most = 0;
  for (int head = 0; head < config.heads; ++head) {
    const double without = loss(by_hand.pass(source, read, "cross 1 context " + std::to_string(head)));
    if (without > most) needed = head;
    most = std::max(most, without);
  }
  CHECK(lessons.number("09-heads", "Which one is needed most?") == needed + 1);
  CHECK(lessons.word("12-from-encoder-to-decoder", "Take a head away") ==
        (by_hand.written(kSentence) == by_hand.written(kSentence, "cross 1 context 0") ? "yes" : "no"));
}

TEST_CASE_FIXTURE(Desk, "what lessons ask of hidden words and of one head is worked out by hand") {
  std::vector<int> hidden = source;
  hidden.at(static_cast<std::size_t>(column("red"))) = config.unk_id;
  by_hand.pass(hidden, read);
  CHECK(largest(noted("cross 1 weights 0"), row("voiture")) == static_cast<int>(source.size()) - 1);
  CHECK(lessons.word("12-from-encoder-to-decoder", "A hidden word") == "<eos>");

  const std::string chair = "i did not buy the chair because it was too small";
  by_hand.pass(by_hand.source(chair), read);
  const Numbers& found = noted("encoder 1 weights 3");
  const int thing = place_of_word(chair, "chair");
  CHECK(lessons.word("09-heads", "Another thing") ==
        (found(place_of_word(chair, "it"), thing) > found(place_of_word(chair, "small"), thing) ? "yes"
                                                                                                : "no"));
}

TEST_CASE_FIXTURE(Desk, "what lessons ask of targets and losses is worked out by hand") {
  const std::vector<int> wrong = by_hand.target("le fille fatiguée voit un voiture rouge");
  int dear = 0;
  for (const double p : by_hand.asked(by_hand.pass(source, wrong), wrong)) dear += p < 0.5;
  CHECK(lessons.number("13-shifted-target", "What a mistake costs") == dear);

  const std::vector<int> house = by_hand.target("nous allons acheter une nouvelle maison");
  double whole = 1;
  for (const double p :
       by_hand.asked(by_hand.pass(by_hand.source("we are going to buy a new house"), house), house))
    whole *= p;
  CHECK(lessons.word("14-output-and-loss", "Where it hesitates") == (whole > 0.85  ? "about 90 %"
                                                                     : whole > 0.6 ? "about 80 %"
                                                                                   : "about 40 %"));
  CHECK(lessons.number("14-output-and-loss", "A number for every word") ==
        static_cast<double>(logits.size()));

  CHECK(lessons.number("15-label-smoothing", "A tenth for everyone") ==
        doctest::Approx(0.9 + 0.1 / config.target_vocab).epsilon(1e-4));
  CHECK(lessons.number("17-adam-and-warm-up", "Warm-up") == doctest::Approx(0.003 * 200 / 400));
}

TEST_CASE_FIXTURE(Desk, "where the model fails it does so in a pass worked out by hand") {
  CHECK(by_hand.written("red").empty());  // "it writes nothing and says <eos> at once"
  const int car = by_hand.target("voiture").at(1);
  const std::vector<int> again =
      by_hand.written("the tired girl sees a red car and a red car and a red car and a red car");
  CHECK(lessons.number("20-when-it-fails", "Again and again") == std::count(again.begin(), again.end(), car));
}

TEST_CASE_FIXTURE(Desk, "what a long step does to the loss is worked out by hand") {
  const double before = loss(logits);
  by_hand.weights().decoder_layers[1].norm3.weight(24) = 2;
  const double after = loss(by_hand.pass(source, read));
  CHECK(lessons.word("16-backward", "A long step") == (after < before   ? "it fell"
                                                       : after > before ? "it rose"
                                                                        : "it stayed"));
}
