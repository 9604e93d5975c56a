#include "engine/train/trainer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("a copying task is learned") {
  TrainingOptions options = small_options();
  options.steps = 400;
  options.schedule = "cosine";
  options.peak = 0.01;
  options.warmup = 50;
  options.smoothing = 0;
  options.validate_every = 400;
  Config config = copying_config();
  config.d_model = 32;
  config.dropout = 0;
  Trainer trainer(copying_set(), config, options);
  const auto before = trainer.validate();
  while (!trainer.stop()) trainer.step();
  const auto after = trainer.validate();
  REQUIRE(before);
  REQUIRE(after);
  CHECK(before->loss > 1.5);
  CHECK(after->loss < 0.5);
  CHECK(after->token_accuracy > 0.85);
  CHECK(after->exact_match > before->exact_match);
  CHECK(trainer.stop()->reason == StopReason::steps);
}

TEST_CASE("the curve has the same bits on any number of threads") {
  TrainingOptions options = small_options();
  options.threads = 1;
  Trainer one(copying_set(), copying_config(), options);
  options.threads = 3;
  Trainer three(copying_set(), copying_config(), options);
  run(one, 20);
  run(three, 20);
  check_same_curves(one.curves(), three.curves());
  CHECK(same_weights(*one.snapshot(), *three.snapshot()));
}

TEST_CASE("another seed gives another run, the same seed the same run") {
  TrainingOptions options = small_options();
  Trainer first(copying_set(), copying_config(), options), again(copying_set(), copying_config(), options);
  options.seed = 2;
  Trainer other(copying_set(), copying_config(), options);
  for (Trainer* trainer : {&first, &again, &other}) run(*trainer, 5);
  CHECK(same_weights(*first.snapshot(), *again.snapshot()));
  CHECK_FALSE(same_weights(*first.snapshot(), *other.snapshot()));
}

TEST_CASE("the reported rate is the schedule's, and a change while running takes effect and is marked") {
  Trainer trainer(copying_set(), copying_config(), small_options());
  CHECK(trainer.step().learning_rate == doctest::Approx(trainer.schedule().rate(1)));
  LiveSettings live = trainer.live();
  live.rate_scale = 0.5;
  live.dropout = 0;
  trainer.change(live);
  CHECK(trainer.step().learning_rate == doctest::Approx(0.5 * trainer.schedule().rate(2)));
  CHECK(trainer.config().dropout == 0);
  REQUIRE(trainer.curves().marks.size() == 1);
  CHECK(trainer.curves().marks[0].step == 1);
  CHECK(trainer.curves().marks[0].text == "learning rate × 1 to 0.5, dropout 0.1 to 0");
  trainer.change(live);  // nothing new
  CHECK(trainer.curves().marks.size() == 1);
  CHECK(settings_at(trainer.curves(), live, 1).rate_scale == 1);
  CHECK(settings_at(trainer.curves(), live, 2) == live);
  live.dropout = 1;
  CHECK_THROWS_AS(trainer.change(live), Error);
}

TEST_CASE("a rate of 0 moves no weight") {
  Trainer trainer(copying_set(), copying_config(), small_options());
  set_rate_scale(trainer, 0);
  const auto before = trainer.snapshot();
  run(trainer, 3);
  CHECK(same_weights(*before, *trainer.snapshot()));
}

TEST_CASE("a loss that is not finite stops the run, keeps finite weights and says where and why") {
  TrainingOptions options = exploding_options();
  options.validate_every = 5;
  Trainer trainer(copying_set(), copying_config(), options);
  set_rate_scale(trainer, 1e-6);
  run(trainer, 5);
  REQUIRE(trainer.curves().validations.size() == 1);
  const auto good = trainer.kept();
  explode(trainer);
  const long failed = trainer.step_count() + 1;
  CHECK(trainer.stop()->message.find("step " + std::to_string(failed)) != std::string::npos);
  CHECK(trainer.stop()->message.find("learning rate") != std::string::npos);
  CHECK(same_weights(*good, *trainer.snapshot()));
  const long steps = trainer.step_count();
  trainer.step();
  CHECK(trainer.step_count() == steps);
  CHECK_FALSE(trainer.validate());
}

TEST_CASE("a loss that stays finite but far above its start stops the run too, with step and cause") {
  for (const NormPlace norm : {NormPlace::post, NormPlace::pre}) {
    for (const double clip : {0.0, 1.0}) {
      CAPTURE(clip);
      CAPTURE(norm == NormPlace::pre);
      TrainingOptions options = small_options();
      options.schedule = "constant";
      options.peak = 1e6;
      options.warmup = 0;
      options.clip = clip;
      options.validate_every = 1000;
      Config config = copying_config();
      config.norm = norm;
      config.final_norm = norm == NormPlace::pre;
      Trainer trainer(copying_set(), config, options);
      const auto begun = trainer.snapshot();
      run(trainer, 300);
      REQUIRE(trainer.stop());
      CHECK(trainer.stop()->reason == StopReason::diverged);
      const std::string words = trainer.stop()->message;
      CAPTURE(words);
      CHECK(words.find("has diverged") != std::string::npos);
      CHECK(words.find("learning rate is probably too high (1e+06)") != std::string::npos);
      CHECK(words.find(clip == 0 ? "; lower the peak, warm up or clip the gradients at 1."
                                 : "; lower the peak or warm up.") != std::string::npos);
      CHECK((words.find("clip the gradients") != std::string::npos) == (clip == 0));
      CHECK(trainer.step_count() < 300);
      CHECK(trainer.curves().marks.back().text == "diverged");
      CHECK(same_weights(*begun, *trainer.snapshot()));
      trainer.recover();
      CHECK_FALSE(trainer.stop());
      CHECK(trainer.live().rate_scale * options.peak < 0.1);
      const StepReport next = trainer.step();
      CHECK(next.step == trainer.step_count());
    }
  }
}

TEST_CASE("a high loss that comes back is no divergence") {
  TrainingOptions options = small_options();
  options.schedule = "constant";
  options.peak = 1e-3;
  options.warmup = 0;
  Trainer trainer(copying_set(), copying_config(), options);
  set_rate_scale(trainer, 1e4);
  run(trainer, 20);
  set_rate_scale(trainer, 1e-3);
  run(trainer, 20);
  CHECK_FALSE(trainer.stop());
}

TEST_CASE("a rate of 0 is never blamed for a divergence") {
  Trainer first(copying_set(), copying_config(), exploding_options());
  explode(first);
  const int whole = static_cast<int>(first.step_count());
  Trainer second(copying_set(), copying_config(), exploding_options());
  set_rate_scale(second, 1e6);
  run(second, whole);
  set_rate_scale(second, 0);
  run(second, 1);  // what the last step left cannot be computed
  REQUIRE(second.stop());
  const std::string words = second.stop()->message;
  CAPTURE(words);
  CHECK(words.find("too high") == std::string::npos);
  CHECK(words.find("the cause lies in the steps before") != std::string::npos);
}

TEST_CASE("a diverged run goes on from good weights at a lower rate, and loses no curve") {
  TrainingOptions options = exploding_options();
  options.validate_every = 5;
  Trainer trainer(copying_set(), copying_config(), options);
  set_rate_scale(trainer, 1e-6);
  run(trainer, 5);
  const auto good = trainer.kept();
  explode(trainer);
  const long failed_after = trainer.step_count();
  CHECK(trainer.stop()->message.find("set it back") != std::string::npos);

  trainer.recover();
  CHECK_FALSE(trainer.stop());
  CHECK(trainer.live().rate_scale * options.peak < 0.1);  // the plan itself was far too high
  CHECK(same_weights(*good, *trainer.snapshot()));
  CHECK(trainer.curves().marks.back().text.starts_with("learning rate × 1e+06 to "));
  set_rate_scale(trainer, 1e-6);
  trainer.step();
  CHECK(trainer.step_count() == failed_after + 1);
  CHECK(trainer.curves().steps.size() == static_cast<std::size_t>(failed_after + 1));
  const auto first = trainer.snapshot(true);
  CHECK(first->moments_from == failed_after);  // Adam anew
  CHECK(first->step == failed_after + 1);

  explode(trainer);
  set_rate_scale(trainer, 1e-7);  // by hand: that is what it continues at
  trainer.recover();
  CHECK(trainer.live().rate_scale == 1e-7);
}

TEST_CASE("a run that diverges again before it validates tells of the same weights and a rate that learns") {
  TrainingOptions options = exploding_options();
  options.validate_every = 1000;
  Trainer trainer(copying_set(), copying_config(), options);
  const auto first = trainer.snapshot();
  explode(trainer);
  REQUIRE(trainer.stop()->message.find("The weights of step 0 are kept") != std::string::npos);
  trainer.recover();
  trainer.step();
  explode(trainer);
  CHECK(trainer.step_count() > 1);
  CHECK(trainer.stop()->message.find("The weights of step 0 are kept") != std::string::npos);
  CHECK(same_weights(*first, *trainer.snapshot()));
  CHECK(trainer.snapshot()->step == 0);

  // A peak a million times too high is not halved twenty times.
  options.schedule = "constant";
  options.peak = 1e6;
  Trainer wild(copying_set(), copying_config(), options);
  for (int i = 0; i < 100 && !wild.stop(); ++i) wild.step();
  REQUIRE(wild.stop());
  wild.recover();
  const double rate = wild.live().rate_scale * 1e6;
  CHECK(rate < 0.1);
  CHECK(rate > 1e-4);
  for (int i = 0; i < 30; ++i) wild.step();
  CHECK_FALSE(wild.stop());

  // A plan of the usual size is halved.
  options.peak = 0.05;
  Trainer usual(copying_set(), copying_config(), options);
  set_rate_scale(usual, 1e6);
  for (int i = 0; i < 100 && !usual.stop(); ++i) usual.step();
  REQUIRE(usual.stop());
  usual.recover();
  CHECK(usual.live().rate_scale == 0.5);
}

TEST_CASE("the best weights are kept, and patience ends the run") {
  TrainingOptions options = small_options();
  options.validate_every = 2;
  options.patience = 3;
  Trainer trainer(copying_set(), copying_config(), options);
  set_rate_scale(trainer, 0);  // nothing improves
  run(trainer, 50);
  REQUIRE(trainer.stop());
  CHECK(trainer.stop()->reason == StopReason::patience);
  CHECK(trainer.step_count() == 8);
  CHECK(trainer.kept()->step == 2);
  CHECK(trainer.curves().validations.front().best);
  CHECK_FALSE(trainer.curves().validations.back().best);
  trainer.set_limits(10, 0, 0);
  CHECK_FALSE(trainer.stop());
}

TEST_CASE("with an average the mean of the last weights is validated and kept") {
  TrainingOptions options = small_options();
  options.average = 2;
  options.validate_every = 3;
  Trainer trainer(copying_set(), copying_config(), options);
  run(trainer, 3);
  const auto first = trainer.snapshot();
  run(trainer, 3);
  const auto second = trainer.snapshot();
  REQUIRE(trainer.curves().validations.back().best);
  const auto kept = trainer.kept();
  const Matrix<float> wanted = (first->weights->target_embedding + second->weights->target_embedding) * 0.5F;
  CHECK((kept->weights->target_embedding - wanted).cwiseAbs().maxCoeff() < 1e-7F);
  CHECK_FALSE(same_weights(*kept, *second));

  // The folder names the steps whose mean it holds, also after a resume and worse validations.
  const ScratchFolder folder;
  trainer.save_copy(folder.path("run"));
  const auto resumed = Trainer::resume(folder.path("run"), copying_set());
  set_rate_scale(*resumed, 100);
  run(*resumed, 6);
  REQUIRE_FALSE(resumed->curves().validations.back().best);
  resumed->save(folder.path("run"));
  const auto record = read_json(folder.path("run") + "/training.json");
  CHECK(record.at("kept").at("mean_of_steps") == std::vector<long>{3, 6});
  CHECK(record.at("averaged_steps") == std::vector<long>{9, 12});
}

TEST_CASE("keeping the last keeps the last") {
  TrainingOptions options = small_options();
  options.keep = Keep::last;
  options.schedule = "constant";
  options.peak = 0.05;  // too high to get better steadily
  Trainer trainer(copying_set(), copying_config(), options);
  run(trainer, 7);
  CHECK(trainer.kept()->step == 7);
  CHECK(same_weights(*trainer.kept(), *trainer.snapshot()));
}

TEST_CASE("without validation pairs the training loss stands in") {
  auto set = std::make_shared<TrainingSet>(*copying_set());
  set->validation.clear();
  Trainer trainer(set, copying_config(), small_options());
  run(trainer, 4);
  const auto point = trainer.validate();
  REQUIRE(point);
  CHECK(std::isfinite(point->loss));
  CHECK(std::isnan(point->token_accuracy));
  CHECK_FALSE(has_held_out_pairs(*point));
  CHECK(point->exact_match < 0);

  // Read back, it is the same, and the run continues to the bit.
  const ScratchFolder folder;
  trainer.save_copy(folder.path("run"));
  run(trainer, 4);
  const auto resumed = Trainer::resume(folder.path("run"), set);
  CHECK_FALSE(has_held_out_pairs(resumed->curves().validations.front()));
  run(*resumed, 4);
  CHECK(same_weights(*resumed->snapshot(), *trainer.snapshot()));
}

TEST_CASE("a run begins with the weights of another, Adam and the schedule anew, and says so") {
  Trainer before(copying_set(), copying_config(), small_options());
  run(before, 6);
  const auto weights = before.snapshot();
  const auto fork = Trainer::begin_with(*weights, "step 6", 0.25, copying_set(), small_options());
  CHECK(fork->step_count() == 0);
  CHECK(same_weights(*fork->snapshot(), *weights));
  CHECK(fork->live().dropout == 0.25);
  REQUIRE(fork->curves().marks.size() == 1);
  CHECK(fork->curves().marks[0].text == "begun with the weights of step 6, Adam anew");
  // Its first step is Adam's first: m = 0.1 g.
  fork->step();
  const auto after = fork->snapshot(true);
  REQUIRE(after->first_moment);
  CHECK(after->moments_from == 0);
  CHECK(after->first_moment->output_projection.bias(3) ==
        doctest::Approx(0.1 * after->gradients->output_projection.bias(3)));
  CHECK_FALSE(same_weights(*after, *weights));
}

TEST_CASE("a copy that diverges before its first validation goes back to the weights that it began with") {
  Trainer before(copying_set(), copying_config(), small_options());
  run(before, 6);
  const auto weights = before.snapshot();
  const auto copy = Trainer::begin_with(*weights, "step 6", 0.1, copying_set(), exploding_options());
  copy->keep_history(1 << 20);
  set_rate_scale(*copy, 1e-6);
  run(*copy, 3);
  const ScratchFolder scratch;
  copy->save_copy(scratch.path("run"));
  const auto second = Trainer::resume(scratch.path("run"), copying_set(), 2);
  for (Trainer* each : {copy.get(), second.get()}) explode(*each);
  CHECK(same_weights(*copy->snapshot(), *weights));
  CHECK(same_weights(*second->snapshot(), *weights));
  CHECK(second->snapshot()->step == 0);
}

TEST_CASE("a validation that is given up leaves the run as it was") {
  Trainer trainer(copying_set(), copying_config(), small_options());
  run(trainer, 1);
  CHECK_FALSE(trainer.validate([] { return false; }));
  CHECK(trainer.curves().validations.empty());
}

TEST_CASE("data that do not fit the model are refused") {
  const auto refused = [](const EncodedPair& pair) {
    auto set = std::make_shared<TrainingSet>(*copying_set());
    set->training.push_back(pair);
    try {
      Trainer trainer(set, copying_config(), small_options());
      return false;
    } catch (const Error&) {
      return true;
    }
  };
  CHECK(refused({{copying_config().source_vocab}, {4}}));
  CHECK(refused({{4}, {-1}}));
  CHECK(refused({std::vector<int>(16, 4), {4}}));  // max_length 16, eos counts
  CHECK_FALSE(refused({std::vector<int>(15, 4), {4}}));
  auto empty = std::make_shared<TrainingSet>(*copying_set());
  empty->training.clear();
  CHECK_THROWS_AS(Trainer(empty, copying_config(), small_options()), Error);
}

TEST_CASE("a run ends at its epochs, and says how many steps that will be") {
  TrainingOptions options = small_options();
  options.epochs = 1.5;
  Trainer trainer(copying_set(), copying_config(), options);
  const long planned = trainer.planned_steps();
  while (!trainer.stop()) trainer.step();
  CHECK(trainer.stop()->reason == StopReason::epochs);
  CHECK(trainer.epoch() >= 1.5);
  CHECK(std::abs(trainer.step_count() - planned) <= 1);
}
