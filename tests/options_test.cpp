// Options as they are typed and written, and what is said of those that are wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/corpus_reader.h"
#include "engine/text/segments.h"
#include "engine/train/options.h"
#include "engine/train/presets.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace glassformer::options_test {

using namespace testing;
using testing::refusal;

TEST_CASE("training options come back from JSON as they were") {
  TrainingOptions options;
  options.steps = 5'000'000'000;
  options.epochs = 1.5;
  options.schedule = "cosine";
  options.seed = 18446744073709551615u;
  options.keep = Keep::last;
  options.average = 4;
  options.smoothing = 0.05;
  CHECK(training_options_from_json(nlohmann::json::parse(to_json(options).dump())) == options);
}

TEST_CASE("unknown keys, wrong types and values out of range are refused by name") {
  const auto refused = [](const nlohmann::json& json, const std::string& word) {
    try {
      training_options_from_json(json);
    } catch (const Error& error) {
      return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
  };
  CHECK(refused({{"warmpu", 5}}, "warmpu"));
  CHECK(refused({{"steps", 1.5}}, "steps"));
  CHECK(refused({{"seed", -1}}, "seed"));
  CHECK(refused({{"batch_tokens", 3e9}}, "batch_tokens"));
  CHECK(refused({{"smoothing", 1}}, "smoothing"));
  CHECK(refused({{"schedule", "exponential"}}, "schedule"));
  CHECK(refused({{"keep", "worst"}}, "keep"));
  CHECK(refused({{"schedule", "linear"}, {"minutes", 5}}, "total_steps"));
  CHECK_FALSE(refused({{"schedule", "linear"}, {"steps", 5}}, ""));
}

TEST_CASE("who sees the padding is named as it is masked, and not without padding") {
  const auto masks = [](const std::string& named) {
    TrainingOptions options;
    options.extra_padding = 2;
    options.unmasked_padding = named;
    const TrainingOptions read = training_options_from_json(to_json(options));
    CHECK(read == options);
    return padding_masks(read);
  };
  CHECK(masks("") == std::array{true, true, true});
  CHECK(masks("cross") == std::array{true, true, false});
  CHECK(masks("cross,encoder") == std::array{false, true, false});
  CHECK(masks("encoder+decoder+cross") == std::array{false, false, false});
  for (const char* wrong : {"Encoder", "encoder,", ",encoder", "encoder cross", ","})
    CHECK_THROWS_WITH_AS(masks(wrong), doctest::Contains("unmasked_padding must be encoder, decoder, cross"),
                         Error);
  CHECK_THROWS_WITH_AS(training_options_from_json({{"unmasked_padding", "cross"}}),
                       doctest::Contains("set extra_padding to 1 or more"), Error);
  CHECK_THROWS_WITH_AS(training_options_from_json({{"extra_padding", -1}}),
                       doctest::Contains("extra_padding"), Error);
}

TEST_CASE("a warm-up of no steps is none, which noam alone cannot have") {
  for (const char* schedule : {"constant", "linear", "cosine"})
    CHECK_NOTHROW(training_options_from_json({{"schedule", schedule}, {"warmup", 0}, {"steps", 9}}));
  CHECK_THROWS_WITH_AS(training_options_from_json({{"schedule", "noam"}, {"warmup", 0}}),
                       doctest::Contains("warmup must be from 1 to 1e+15, found 0"), Error);
}

TEST_CASE("presets are those of the command line's table") {
  CHECK(preset("nano").dropout == 0);
  const Config base = with_preset({}, preset("base"));
  CHECK(base.d_model == 512);
  CHECK(base.heads == 8);
  CHECK(base.d_ff == 2048);
  CHECK(base.encoder_layers == 6);
  CHECK(base.decoder_layers == 6);
  CHECK_THROWS_AS(preset("huge"), Error);
  for (const Preset& each : presets())
    for (const char* data : {"copy", "reverse", "sort", "add", "dates", "grammar", "corpus"})
      CHECK_NOTHROW(check(suggested_options(data, with_preset({}, each), each)));
}

TEST_CASE("the paper's recipe for what the program makes itself has a quick one, and no other has") {
  for (const char* data : {"grammar", "copy", "add"}) {
    Config config = suggested_config(data, preset("tiny"));
    config.sharing = Sharing::all;
    TrainingOptions training = suggested_options(data, config, preset("tiny"));
    training.seed = 7;
    Config other = config;
    TrainingOptions longer = training;
    longer.steps *= 2;
    REQUIRE(learn_quickly(data, config, training));
    CHECK(config.norm == NormPlace::pre);
    CHECK(config.sharing == Sharing::all);
    TrainingOptions quick = suggested_options(data, config, preset("quick"));
    quick.seed = 7;
    CHECK(training == quick);
    CHECK(learn_quickly(data, other, longer));
    CHECK(!learn_quickly(data, config, training));  // it is one already
  }
  Config config = suggested_config("grammar", preset("tiny"));
  TrainingOptions training = suggested_options("grammar", config, preset("tiny"));
  training.warmup = 0;  // an experiment
  const Config before = config;
  const TrainingOptions as_before = training;
  CHECK(!learn_quickly("grammar", config, training));
  CHECK(config == before);
  CHECK(training == as_before);
  training = suggested_options("corpus", config, preset("tiny"));
  CHECK(!learn_quickly("corpus", config, training));
  Config larger = suggested_config("grammar", preset("small"));  // of which nothing is known
  TrainingOptions suggested = suggested_options("grammar", larger, preset("small"));
  CHECK(!learn_quickly("grammar", larger, suggested));
}

TEST_CASE("a small corpus is learned in enough steps, and warmed up for a part of them") {
  const Config config = with_preset({}, preset("tiny"));
  for (const Preset& size : {preset("tiny"), preset("multi30k")}) {
    const TrainingOptions small = suggested_options("corpus", config, size, 4000);
    CHECK(small.steps >= 1000);
    CHECK(small.epochs == 0);
    CHECK(small.batch_tokens <= 1000);
    CHECK(small.warmup * 5 <= small.steps);
    CHECK_NOTHROW(check(small));
    // The highest rate is that of a large corpus, which is learned as ever.
    const TrainingOptions large = suggested_options("corpus", config, size, 900000);
    CHECK(large == suggested_options("corpus", config, size));
    if (small.schedule == "noam")
      CHECK(small.factor / std::sqrt(double(small.warmup)) ==
            doctest::Approx(large.factor / std::sqrt(double(large.warmup))));
    else
      CHECK(small.peak == large.peak);
  }
}

// ---- Embeddings that begin with what others learned, that keep their numbers, or whose <pad> stays 0; and
// mistakes made on purpose.

Transformer<float> trained(const TrainingOptions& options, const Config& config = copying_config(),
                           int steps = 4) {
  Trainer trainer(copying_set(), config, options);
  for (int i = 0; i < steps; ++i) trainer.step();
  return *trainer.snapshot()->weights;
}

Transformer<float> begun(const TrainingOptions& options, const Config& config = copying_config()) {
  return trained(options, config, 0);
}

TEST_CASE("a frozen embedding keeps its numbers to the bit, the others learn") {
  TrainingOptions options = small_options();
  const Transformer<float> first = begun(options);
  for (const char* const which : {"", "source", "target", "source,target"}) {
    CAPTURE(std::string(which));
    options.freeze = which;
    const std::string frozen = which;
    const Transformer<float> after = trained(options);
    CHECK((after.source_embedding == first.source_embedding) == (frozen.find("source") != std::string::npos));
    CHECK((after.target_embedding == first.target_embedding) == (frozen.find("target") != std::string::npos));
    CHECK_FALSE(after.output_projection.weight == first.output_projection.weight);
  }
  options.freeze = "encoder";
  CHECK(refusal([&] { begun(options); }).find("freeze must be source, target or both") != std::string::npos);
}

TEST_CASE("of a shared matrix either name freezes it") {
  Config config = copying_config();
  config.sharing = Sharing::all;
  TrainingOptions options = small_options();
  const Transformer<float> first = begun(options, config);
  options.freeze = "source";
  CHECK(trained(options, config).target_embedding == first.target_embedding);
}

TEST_CASE("the row of <pad> stays 0 where it is asked to") {
  for (const Sharing sharing : {Sharing::none, Sharing::all}) {
    Config config = copying_config();
    config.sharing = sharing;
    TrainingOptions options = small_options();
    CHECK(trained(options, config).target_embedding.row(config.pad_id).norm() > 0);
    options.zero_pad = true;
    CHECK(trained(options, config).target_embedding.row(config.pad_id).norm() == 0);
  }
}

TEST_CASE("embeddings of deviation 1 are those of 1/sqrt(d), stretched") {
  TrainingOptions options = small_options();
  const Matrix<float> small = begun(options).source_embedding;
  options.unit_embeddings = true;
  const Matrix<float> large = begun(options).source_embedding;
  CHECK(large.isApprox(4 * small));  // d is 16
  const double deviation = std::sqrt(double(large.array().square().mean()));
  CHECK(deviation > 0.8);
  CHECK(deviation < 1.2);
}

TEST_CASE("given vectors stand in the rows that have them, of the right width alone") {
  auto set = std::make_shared<TrainingSet>(*copying_set());
  auto given = std::make_shared<GivenEmbeddings>();
  given->rows = Matrix<float>::Random(12, 16);
  given->found.assign(12, false);
  given->found[5] = given->found[9] = true;
  set->source_vectors = given;
  const TrainingOptions options = small_options();
  const Matrix<float> drawn = begun(options).source_embedding;
  const Trainer trainer(set, copying_config(), options);
  const Matrix<float> rows = trainer.snapshot()->weights->source_embedding;
  for (int id = 0; id < 12; ++id) CHECK(rows.row(id) == (id == 5 || id == 9 ? given->rows : drawn).row(id));
  given->rows = Matrix<float>::Random(12, 50);
  CHECK(refusal([&] { Trainer(set, copying_config(), options); }) ==
        "source embedding: its vectors have 50 numbers, but the model is 16 wide");
}

TEST_CASE("with a second softmax the loss stays far above that of one") {
  TrainingOptions options = small_options();
  options.smoothing = 0;
  const auto last_loss = [&] {
    Trainer trainer(copying_set(), copying_config(), options);
    double loss = 0;
    for (int i = 0; i < 150; ++i) loss = trainer.step().loss;
    return loss;
  };
  const double once = last_loss();
  options.softmax_twice = true;
  const double twice = last_loss(), floor = std::log(1 + 11 / std::exp(1.0));
  CHECK(twice > floor - 1e-6);
  CHECK(once < twice);
}

TEST_CASE("a number is taken in every spelling that people use") {
  CHECK(typed_number(".25") == 0.25);
  CHECK(typed_number("3.") == 3.0);
  CHECK(typed_number("+7") == 7.0);
  CHECK(typed_number("007") == 7.0);
  CHECK(typed_number("-2E-1") == -0.2);
  CHECK(typed_number(" 4 ") == 4.0);
}

TEST_CASE("what is no number is not taken for one") {
  for (const char* text :
       {"", " ", "+", ".", "e3", "nan", "inf", "-inf", "0x10", "1,5", "+-3", "--3", "3 4", "1e999", "12a"}) {
    INFO(text);
    CHECK(!typed_number(text));
    CHECK(!typed_whole(text));
    CHECK(!typed_unsigned(text));
  }
}

TEST_CASE("whole numbers are exact, and a fraction is none") {
  CHECK(typed_whole("2e2") == 200);
  CHECK(typed_whole("+30.0") == 30);
  CHECK(typed_whole("-4") == -4);
  CHECK(typed_whole("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(typed_unsigned("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"2.5", "1e-1", "1e30", "9223372036854775808"}) CHECK(!typed_whole(text));
  for (const char* text : {"-1", "-1e3", "18446744073709551616", "0.5"}) CHECK(!typed_unsigned(text));
}

TEST_CASE("an error says where it happened before what happened") {
  const glassformer::Error error("config.json", "heads must divide d_model, found 3 and 16");
  CHECK(std::string(error.what()) == "config.json: heads must divide d_model, found 3 and 16");
}

TEST_CASE("what the library throws is told as path and reason, or that memory is short") {
  namespace fs = std::filesystem;
  const auto said = [](const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      return glassformer::failure_words(error);
    }
    return std::string();
  };
  CHECK(said([] { (void)fs::file_size(fs::path("/") / std::string(300, 'n')); }) ==
        "/" + std::string(300, 'n') + ": File name too long");
  CHECK(said([] { fs::directory_iterator("/nowhere at all"); }) ==
        "/nowhere at all: No such file or directory");
  CHECK(said([] { throw std::bad_alloc(); }).starts_with("memory is short: "));
  CHECK(said([] {
          std::vector<int>().reserve(std::vector<int>().max_size() + 1);
        }).starts_with("memory is short: "));
  CHECK(said([] {
          throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        }).find("no more threads") != std::string::npos);
  CHECK(said([] { throw glassformer::Error("a", "b"); }) == "a: b");
}

// ---- What the window shows of data that it cannot read: no option of the command line, which it does not
// have.

TEST_CASE("a refusal of data, and a note about them, names no option of the command line") {
  const ScratchFolder folder;
  std::vector<std::string> said;
  const auto read = [&](const std::string& bytes, const std::string& columns = {}) {
    said.push_back(refusal([&] {
      const Corpus corpus = read_tab_separated(folder.write("pairs.tsv", bytes), {}, {.columns = columns});
      for (const std::string& note : corpus.notes) said.push_back(note);
    }));
  };
  std::string latin, wide;
  for (int i = 0; i < 3; ++i) latin += "une \xE9toile\ta star\n";
  for (const char c : std::string("a star\tune lune\n")) wide += c, wide += '\0';
  const std::string table = "id\ten\tfr\n1\tthe moon\tla lune\n2\ta star\tune étoile\n";
  read(latin);
  read(wide);
  read(table);
  for (const char* columns : {"2", "2,2", "2,9", "en,de", "en,en", ","}) read(table, columns);
  read("");
  read("no tab here\n");
  read("S-1\ta star\nT-1\tune lune\n");
  said.push_back(refusal([&] { read_segments(folder.write("wide", wide)); }));
  CHECK(std::ranges::count(said, "no error") == 1);  // the table without a choice of columns
  for (const std::string& words : said) CHECK_MESSAGE(words.find("--") == std::string::npos, words);
}

}  // namespace glassformer::options_test
