#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "engine/math/worker_pool.h"
#include "engine/model/checkpoint.h"
#include "engine/text/data.h"
#include "engine/text/grammar.h"
#include "engine/text/unicode.h"
#include "engine/train/curves.h"
#include "engine/train/evaluation.h"
#include "engine/train/history_folder.h"
#include "engine/train/translation.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::string kModels = source_folder() + "/models/";
const std::string kGrammar = source_folder() + "/assets/grammars/english-french.grammar";

// Of the model itself, or with the steps that were kept of its training.
long bytes_in(const std::string& folder, bool with_steps = false) {
  long sum = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file())
      sum += static_cast<long>(entry.file_size());
    else if (with_steps)
      sum += bytes_in(entry.path().string(), true);
  }
  return sum;
}

// The first `count` pairs whose source is not among `seen`.
std::vector<SentencePair> unseen(const std::vector<SentencePair>& pairs,
                                 const std::vector<SentencePair>& seen, std::size_t count) {
  std::set<std::string> sources;
  for (const SentencePair& pair : seen) sources.insert(pair.source);
  std::vector<SentencePair> found;
  for (const SentencePair& pair : pairs)
    if (found.size() < count && !sources.contains(pair.source)) found.push_back(pair);
  REQUIRE(found.size() == count);
  return found;
}

double exact_match(const Checkpoint& model, const std::vector<SentencePair>& pairs) {
  WorkerPool pool(2);
  EvaluationOptions options;
  options.decode.alternatives = 0;
  options.decode.pool = &pool;
  return evaluate(model.snapshot, model.tokenizers, pairs, options)->exact_match;
}

// As the lists ask for it: without capitals, and without blanks before marks. The source has a full stop
// where the target has one.
std::string compared(std::string text) {
  text = to_lower(text);
  for (const char* mark : {" .", " ,", " ?", " !"})
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.erase(at, 1);
  return text;
}

// What the model makes of a list of sentences, greedily, where that is not the French of the list.
std::vector<std::string> wrong_of(const Checkpoint& model, const std::string& list) {
  const auto pairs = read_tab_separated(source_folder() + "/tests/fixtures/" + list).pairs;
  std::vector<std::string> sources, wrong;
  for (const SentencePair& pair : pairs) sources.push_back(pair.source);
  const auto translations = translate_lines(model.snapshot, model.tokenizers, sources, {});
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (compared(translations[i].text) != compared(pairs[i].target))
      wrong.push_back(pairs[i].source + " -> " + translations[i].text);
  return wrong;
}

}  // namespace

TEST_CASE("both models bring about a dozen steps of their training, the first among them, in 16 MB at most") {
  CHECK(bytes_in(kModels, true) <= 16'000'000);
  for (const char* const name : {"english-french", "reverse"}) {
    const Checkpoint model = load_checkpoint(kModels + name);
    const History::Kept kept =
        read_history<Transformer<float>>(kModels + name, model.snapshot.config, model.snapshot.step);
    REQUIRE(kept.size() >= 10);
    CHECK(kept.size() <= 14);
    CHECK(kept.front()->step() == 0);
    CHECK(kept[3]->step() < model.snapshot.step / 10);  // denser at the beginning
    CHECK(kept.back()->step() < model.snapshot.step);   // which is the model itself
    for (const auto& each : kept) CHECK(each->snapshot()->step == each->step());
  }
}

TEST_CASE("the reverse model turns unseen sentences round") {
  const Checkpoint model = load_checkpoint(kModels + "reverse");
  CHECK(bytes_in(model.folder) <= 500'000);
  const DataOptions data = data_options_from_json(model.training.at("data").at("origin"));
  const auto seen = toy_pairs(ToyTask::reverse, data.training.toy, 20'000, data.seed);
  CHECK(exact_match(model, unseen(toy_pairs(ToyTask::reverse, {}, 3'000, 99), seen, 300)) >= 0.995);
}

TEST_CASE("the English-French model translates unseen sentences of its grammar") {
  const Checkpoint model = load_checkpoint(kModels + "english-french");
  CHECK(bytes_in(model.folder) <= 2'500'000);
  CHECK(model.snapshot.config.heads == 4);
  const DataOptions data = data_options_from_json(model.training.at("data").at("origin"));
  CHECK(data.training.grammar == "assets/grammars/english-french.grammar");
  const Grammar grammar = Grammar::read(kGrammar);
  const auto seen = grammar.generate(data.training.pairs, data.seed);
  CHECK(exact_match(model, unseen(grammar.generate(1'000, 99), seen, 300)) >= 0.98);
}

TEST_CASE("the English-French model translates all that tutorials show, though it never saw it") {
  const Checkpoint model = load_checkpoint(kModels + "english-french");
  CHECK(wrong_of(model, "tutorial-sentences.tsv") == std::vector<std::string>{});
}

TEST_CASE("the English-French model translates sentences of the same kinds with other words") {
  const Checkpoint model = load_checkpoint(kModels + "english-french");
  CHECK(wrong_of(model, "held-back-sentences.tsv").size() <= 3);
}

TEST_CASE("what judges the English-French model was kept out of its training") {
  const Checkpoint model = load_checkpoint(kModels + "english-french");
  const DataOptions data = data_options_from_json(model.training.at("data").at("origin"));
  CHECK(data.leave_out == "assets/grammars/english-french.left-out.tsv");
}

TEST_CASE("the models bring the curves of their training and no optimizer state") {
  for (const char* name : {"reverse", "english-french"}) {
    const Checkpoint model = load_checkpoint(kModels + name);
    const Curves curves = curves_from_json(model.training.at("curves"));
    CHECK(curves.steps.size() >= 1000);
    CHECK(curves.steps.back().loss < curves.steps.front().loss);
    CHECK(curves.validations.back().exact_match >= 0.98);
    for (const auto& entry : std::filesystem::directory_iterator(model.folder))
      CHECK_FALSE(entry.path().filename().string().starts_with("last-"));
  }
}
