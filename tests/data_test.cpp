#include "engine/text/data.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <numeric>
#include <set>
#include <string>

#include "engine/math/error.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

std::string table_of(int pairs) {
  const std::vector<std::string> words = {"the", "cat", "sees", "a", "small", "house", "and", "sleeps"};
  std::string text;
  for (int i = 0; i < pairs; ++i) {
    const std::string line = words[static_cast<std::size_t>(i % 8)] + " " +
                             words[static_cast<std::size_t>(i / 8 % 8)] + " " +
                             words[static_cast<std::size_t>(i / 64 % 8)];
    text += line + "\tx " + line + "\n";
  }
  return text;
}

DataOptions of_task(const std::string& task, long pairs) {
  DataOptions options;
  options.training.task = task;
  options.training.pairs = pairs;
  return options;
}

std::set<std::string> sources_of(const DataPart& part) {
  std::set<std::string> sources;
  for (const SentencePair& pair : part.pairs) sources.insert(pair.source);
  return sources;
}

std::string message_of(const DataOptions& options) {
  try {
    prepare_data(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a task gives encoded pairs on two sides that share no source") {
  for (const ToyTask task : toy_tasks()) {
    CAPTURE(toy_task_name(task));
    const PreparedData data = prepare_data(of_task(toy_task_name(task), 2000));
    CHECK(data.training.pairs.size() == 1800);
    CHECK(data.validation.pairs.size() == 200);
    CHECK(data.kind == toy_tokenizer(task));
    CHECK(data.report.name == "task " + toy_task_name(task));
    CHECK(data.report.kept == 2000);
    CHECK(data.report.validation_notes.empty());
    const auto training = sources_of(data.training), validation = sources_of(data.validation);
    for (const std::string& source : validation) CHECK_FALSE(training.contains(source));
    REQUIRE(data.training.encoded.size() == data.training.pairs.size());
    for (std::size_t i = 0; i < 50; ++i) {
      CHECK(data.tokenizers.source->decode(data.training.encoded[i].source) == data.training.pairs[i].source);
      CHECK(data.tokenizers.target->decode(data.training.encoded[i].target) == data.training.pairs[i].target);
    }
    CHECK(data.report.source.unknown == 0);
    CHECK(data.report.source.validation_coverage() == 1.0);
  }
}

TEST_CASE("the same description gives the same data, another seed another split") {
  const auto validation = [](std::uint64_t seed) {
    DataOptions options = of_task("reverse", 500);
    options.seed = seed;
    return prepare_data(options).validation.pairs;
  };
  CHECK(validation(3) == validation(3));
  CHECK(validation(3) != validation(4));
}

TEST_CASE("a shared vocabulary is one tokenizer for both sides") {
  DataOptions options = of_task("copy", 300);
  CHECK(prepare_data(options).tokenizers.source != prepare_data(options).tokenizers.target);
  options.shared_vocabulary = true;
  const PreparedData data = prepare_data(options);
  CHECK(data.tokenizers.source == data.tokenizers.target);
  CHECK(data.tokenizers.source->size() == 24);
}

TEST_CASE("files are read, split, cut into pieces and counted") {
  const ScratchFolder folder;
  DataOptions options;
  options.training.corpus = folder.write("pairs.tsv", table_of(400) + "no tab here\n");
  options.validation_pairs = 40;
  options.test_pairs = 30;
  const PreparedData data = prepare_data(options);
  CHECK(data.kind == TokenizerKind::bpe);
  CHECK(data.validation.pairs.size() == 40);
  CHECK(data.test.pairs.size() == 30);
  CHECK(data.training.pairs.size() == 330);
  CHECK(data.report.lines == 401);
  CHECK(data.report.kept == 400);
  REQUIRE(data.report.rejected.size() == 1);
  CHECK(data.report.rejected[0].line == 401);

  const SideReport& target = data.report.target;
  CHECK(std::accumulate(target.lengths.begin(), target.lengths.end(), 0L) == 330);
  long tokens = 0;
  for (const EncodedPair& pair : data.training.encoded) tokens += static_cast<long>(pair.target.size());
  CHECK(target.tokens == tokens);
  CHECK(target.shortest <= target.median);
  CHECK(target.median <= target.percentile_95);
  CHECK(target.percentile_95 <= target.longest);
  CHECK(target.distinct_words == 9);
  CHECK(target.vocabulary == data.tokenizers.target->size());
  CHECK(target.vocabulary_used > 8);
  CHECK(target.vocabulary_used <= target.vocabulary - 4);
}

TEST_CASE("validation files of their own are read whole and overlap is told") {
  const ScratchFolder folder;
  DataOptions options;
  options.training.source = folder.write("train.en", "one\ntwo\nthree\n");
  options.training.target = folder.write("train.de", "eins\nzwei\ndrei\n");
  options.validation.source = folder.write("val.en", "two\nfive\n");
  options.validation.target = folder.write("val.de", "zwei\nfünf\n");
  options.tokenizer = TokenizerKind::word;
  const PreparedData data = prepare_data(options);
  CHECK(data.training.pairs.size() == 3);
  CHECK(data.validation.pairs.size() == 2);
  CHECK(data.report.validation_name == "val.en, val.de");
  CHECK(data.report.validation_notes == std::vector<std::string>{"pairs whose source is also trained on: 1"});
  CHECK(data.report.source.validation_unknown == 1);
  CHECK(data.report.source.validation_coverage() == 0.5);
}

TEST_CASE("pairs with more tokens than fit are left out and reported with their line") {
  const ScratchFolder folder;
  DataOptions options;
  options.training.corpus = folder.write("pairs.tsv", "a b\tc\na b c d\tx\nb\ta b c d e\nd e\tf\n");
  options.tokenizer = TokenizerKind::word;
  options.max_tokens = 3;
  const PreparedData data = prepare_data(options);
  CHECK(data.training.pairs.size() + data.validation.pairs.size() == 2);
  REQUIRE(data.report.rejected.size() == 2);
  CHECK(data.report.rejected[0].line == 2);
  CHECK(data.report.rejected[0].reason == "the source has 4 tokens, more than the limit of 3");
  CHECK(data.report.rejected[1].reason == "the target has 5 tokens, more than the limit of 3");
}

TEST_CASE("given tokenizers are used as they are") {
  const PreparedData first = prepare_data(of_task("reverse", 200));
  const PreparedData second = prepare_data(of_task("copy", 200), {}, first.tokenizers);
  CHECK(second.tokenizers.source == first.tokenizers.source);
}

TEST_CASE("progress goes through the stages and can stop the work") {
  std::vector<std::string> stages;
  prepare_data(of_task("copy", 100), [&](const std::string& stage, double fraction) {
    CHECK(fraction >= 0);
    CHECK(fraction <= 1);
    if (stages.empty() || stages.back() != stage) stages.push_back(stage);
    return true;
  });
  CHECK(stages == std::vector<std::string>{"reading", "learning pieces", "encoding"});
  CHECK_THROWS_WITH_AS(prepare_data(of_task("copy", 100), [](const std::string&, double) { return false; }),
                       doctest::Contains("stopped"), Error);
}

TEST_CASE("building sentences of a grammar tells how far it is, and stops in the middle") {
  DataOptions options;
  options.training.grammar = source_folder() + "/assets/grammars/english-french.grammar";
  options.training.pairs = 5000;
  std::vector<double> reported;
  CHECK_THROWS_WITH_AS(prepare_data(options,
                                    [&](const std::string&, double part) {
                                      reported.push_back(part);
                                      return part < 0.5;
                                    }),
                       doctest::Contains("stopped"), Error);
  CHECK(reported == std::vector<double>{0, 0.2, 0.4, 0.6});
}

TEST_CASE("training and validation sentences of a grammar share one scale, which never goes back") {
  DataOptions options;
  options.training.grammar = options.validation.grammar =
      source_folder() + "/assets/grammars/english-french.grammar";
  options.training.pairs = options.validation.pairs = 2000;
  std::vector<double> reported;
  CHECK_THROWS_AS(prepare_data(options,
                               [&](const std::string&, double part) {
                                 reported.push_back(part);
                                 return part < 0.75;
                               }),
                  Error);
  CHECK(reported == std::vector<double>{0, 0.25, 0.5, 0.5, 0.75});
}

TEST_CASE("a description that contradicts itself is refused") {
  CHECK(message_of({}).find("exactly one of") != std::string::npos);
  DataOptions two = of_task("copy", 10);
  two.training.corpus = "x.tsv";
  CHECK(message_of(two).find("exactly one of") != std::string::npos);
  DataOptions half;
  half.training.source = "x.en";
  CHECK(message_of(half).find("exactly one of") != std::string::npos);
  CHECK(message_of(of_task("copy", -1)).find("must not be negative") != std::string::npos);
  CHECK(message_of(of_task("juggle", 10)).find("unknown task") != std::string::npos);
  DataOptions size = of_task("dates", 100);
  size.tokenizer = TokenizerKind::bpe;
  size.pieces = 100000;
  CHECK(message_of(size).find("source side: ") == 0);
}

TEST_CASE("few pairs are still split, one source is not") {
  const ScratchFolder folder;
  DataOptions options;
  options.tokenizer = TokenizerKind::word;
  options.training.corpus = folder.write("two.tsv", "a\tb\nc\td\n");
  CHECK(prepare_data(options).validation.pairs.size() == 1);
  options.training.corpus = folder.write("one.tsv", "a\tb\na\tc\n");
  CHECK(prepare_data(options).validation.pairs.empty());
}

TEST_CASE("a description survives the way through JSON") {
  DataOptions options;
  options.training.source = "a.en";
  options.training.target = "a.de";
  options.training.pairs = 12;
  options.validation.task = "sort";
  options.validation.toy = {.length = 7, .symbols = 9};
  options.validation_pairs = 5;
  options.test_pairs = 6;
  options.seed = 18446744073709551615u;
  options.tokenizer = TokenizerKind::unigram;
  options.pieces = 321;
  options.shared_vocabulary = true;
  options.max_tokens = 64;
  options.limits.max_characters = 77;
  const nlohmann::json json = to_json(options);
  const DataOptions back = data_options_from_json(nlohmann::json::parse(json.dump()));
  CHECK(to_json(back) == json);
  CHECK(back.training == options.training);
  CHECK(back.validation == options.validation);
  CHECK(back.seed == options.seed);
  CHECK(back.tokenizer == options.tokenizer);
  CHECK(back.limits.max_characters == 77);
  CHECK(to_json(data_options_from_json(nlohmann::json::object())) == to_json(DataOptions{}));
}

TEST_CASE("a broken description names the key") {
  CHECK_THROWS_WITH_AS(data_options_from_json({{"colour", 1}}), doctest::Contains("colour"), Error);
  CHECK_THROWS_WITH_AS(data_options_from_json({{"seed", "one"}}), doctest::Contains("seed"), Error);
  const auto refused = [](const char* key, const nlohmann::json& value) {
    CAPTURE(key);
    CHECK_THROWS_WITH_AS(data_options_from_json({{key, value}}), doctest::Contains("whole number"), Error);
  };
  refused("seed", -1);
  refused("pieces", 4294967297);
  refused("max_tokens", -4294967295);
  refused("validation_pairs", 9223372036854775808U);
  refused("test_pairs", 2.5);
  CHECK_THROWS_WITH_AS(data_options_from_json({{"training", {{"task", "copy"}, {"length", 4294967304}}}}),
                       doctest::Contains("\"length\" should be a whole number"), Error);
  CHECK_THROWS_AS(data_options_from_json(nlohmann::json::array()), Error);
}

TEST_CASE("Multi30k comes out of its pieces as it went in") {
  const auto folder = std::filesystem::path(source_folder()) / ".." / "shared" / "data" / "multi30k";
  if (!std::filesystem::is_directory(folder)) {
    std::cout << "skipped: no folder " << folder << "\n";
    return;
  }
  DataOptions options;
  options.training.source = (folder / "train.de").string();
  options.training.target = (folder / "train.en").string();
  options.validation.source = (folder / "val.de").string();
  options.validation.target = (folder / "val.en").string();
  options.shared_vocabulary = true;
  options.pieces = 6000;
  const PreparedData data = prepare_data(options);
  CHECK(data.training.pairs.size() == 29000);
  CHECK(data.validation.pairs.size() == 1014);
  CHECK(data.tokenizers.source->size() == 6000);
  CHECK(data.report.source.coverage() == 1.0);
  CHECK(data.report.source.validation_coverage() > 0.999);
  for (std::size_t i = 0; i < data.training.pairs.size(); ++i) {
    REQUIRE(data.tokenizers.source->decode(data.training.encoded[i].source) == data.training.pairs[i].source);
    REQUIRE(data.tokenizers.target->decode(data.training.encoded[i].target) == data.training.pairs[i].target);
  }
}

TEST_CASE("a grammar gives as many different pairs as asked for, cut into sub-words") {
  DataOptions options;
  options.training.grammar = source_folder() + "/assets/grammars/english-french.grammar";
  options.training.pairs = 3000;
  const PreparedData data = prepare_data(options);
  CHECK(data.report.name == "grammar english-french");
  CHECK(data.kind == TokenizerKind::bpe);
  CHECK(data.training.pairs.size() == 2700);
  CHECK(sources_of(data.training).size() == 2700);
  CHECK(data.report.source.coverage() == 1.0);
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(data.tokenizers.target->decode(data.training.encoded[i].target) == data.training.pairs[i].target);
  }
}

TEST_CASE("what is left out is neither trained on nor validates, whatever its capitals and last mark") {
  const ScratchFolder folder;
  DataOptions options = of_task("copy", 400);
  const std::vector<SentencePair> all = read_pairs(options.training, options.seed).pairs;
  options.leave_out =
      folder.write("left-out.tsv", all[3].source + "\tx\n" + all[7].source + " .\tx\nOF NO TASK\tx\n");
  const PreparedData data = prepare_data(options);
  CHECK(data.training.pairs.size() + data.validation.pairs.size() == 398);
  for (const DataPart* part : {&data.training, &data.validation})
    for (const std::size_t left_out : {3u, 7u}) CHECK_FALSE(sources_of(*part).contains(all[left_out].source));
  CHECK(data.report.notes == std::vector<std::string>{"pairs on the list of those to leave out: 2"});
  CHECK(data_options_from_json(to_json(options)).leave_out == options.leave_out);

  options.leave_out = folder.path("nowhere.tsv");
  CHECK(message_of(options).find("nowhere.tsv") != std::string::npos);
}

TEST_CASE("a file from which lines are left out keeps the numbers of the others") {
  const ScratchFolder folder;
  DataOptions options;
  options.training.corpus = folder.write("pairs.tsv", "A cat.\tx\nthe dog\ty z y\nThe dog!\tz\na bird\tv\n");
  options.validation.corpus = folder.write("more.tsv", "a cat\tx\na fox\tw\n");
  options.leave_out = folder.write("left-out.tsv", "a cat\tx\n");
  options.tokenizer = TokenizerKind::word;
  options.max_tokens = 2;
  const PreparedData data = prepare_data(options);
  CHECK(sources_of(data.training) == std::set<std::string>{"The dog!", "a bird"});
  CHECK(sources_of(data.validation) == std::set<std::string>{"a fox"});
  REQUIRE(data.report.rejected.size() == 1);
  CHECK(data.report.rejected[0].line == 2);

  options.leave_out = options.training.corpus;
  CHECK(message_of(options).find("on the list of those to leave out") != std::string::npos);
}

TEST_CASE("none of the sentences that judge the English-French model is trained on") {
  const std::string folder = source_folder() + "/assets/grammars/english-french";
  DataOptions options;
  options.training.grammar = folder + ".grammar";
  options.training.pairs = 60'000;
  options.tokenizer = TokenizerKind::word;
  const auto left_out = read_tab_separated(folder + ".left-out.tsv").pairs;
  std::vector<SentencePair> judged;
  for (const char* name : {"tutorial", "held-back"})
    for (const SentencePair& pair :
         read_tab_separated(source_folder() + "/tests/fixtures/" + name + "-sentences.tsv").pairs)
      judged.push_back(pair);
  CHECK(left_out == judged);
  options.leave_out = folder + ".left-out.tsv";
  const PreparedData data = prepare_data(options);
  for (const DataPart* part : {&data.training, &data.validation}) {
    const std::set<std::string> sources = sources_of(*part);
    for (const SentencePair& pair : judged) CHECK_FALSE(sources.contains(pair.source));
  }
}
