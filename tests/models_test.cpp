#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "engine/math/worker_pool.h"
#include "engine/model/checkpoint.h"
#include "engine/text/data.h"
#include "engine/text/grammar.h"
#include "engine/train/curves.h"
#include "engine/train/evaluation.h"
#include "engine/train/translation.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

const std::string kModels = source_folder() + "/models/";
const std::string kGrammar = source_folder() + "/assets/grammars/english-french.grammar";

long bytes_in(const std::string& folder) {
  long sum = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    sum += static_cast<long>(entry.file_size());
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

}  // namespace

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

TEST_CASE("the English-French model knows the sentences that people ask it first") {
  const Checkpoint model = load_checkpoint(kModels + "english-french");
  const std::vector<SentencePair> pairs = {
      {"the tired girl sees a red car", "la fille fatiguée voit une voiture rouge"},
      {"the cat drank the milk", "le chat a bu le lait"},
      {"the milk drank the cat", "le lait a bu le chat"},
      {"a kind girl", "une fille gentille"},
      {"she sat down in the chair, it was very comfortable",
       "elle s'est assise sur la chaise, elle était très confortable"},
      {"she sat down in the armchair, it was very comfortable",
       "elle s'est assise dans le fauteuil, il était très confortable"},
  };
  std::vector<std::string> sources;
  for (const SentencePair& pair : pairs) sources.push_back(pair.source);
  const auto translations = translate_lines(model.snapshot, model.tokenizers, sources, {});
  for (std::size_t i = 0; i < pairs.size(); ++i) CHECK(translations[i].text == pairs[i].target);
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
