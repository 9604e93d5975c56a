#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/weights_file.h"
#include "engine/train/run_data.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

namespace fs = std::filesystem;

struct TemporaryFolder : ScratchFolder {
  std::string operator/(const std::string& name) const { return path(name); }
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("a resumed run gives the same bits as one that was never interrupted") {
  for (const int interruption : {1, 8, 14, 20}) {
    CAPTURE(interruption);
    const TemporaryFolder folder;
    Trainer whole(copying_set(), copying_config(), demanding_options());
    run(whole, 30);

    {
      Trainer first(copying_set(), copying_config(), demanding_options());
      run(first, interruption);
      first.save(folder / "run");
    }
    const auto second = Trainer::resume(folder / "run", copying_set());
    CHECK(second->step_count() == interruption);
    run(*second, 30 - interruption);

    check_same_curves(whole.curves(), second->curves());
    CHECK(same_weights(*whole.snapshot(), *second->snapshot()));
    CHECK(same_weights(*whole.kept(), *second->kept()));
    CHECK(whole.kept()->step == second->kept()->step);
  }
}

TEST_CASE("a model without a record of its training is somebody's") {
  const TemporaryFolder folder;
  const Trainer trainer(copying_set(), copying_config(), small_options());
  CHECK_FALSE(holds_a_model(folder / "model"));
  save_model(folder / "model", *trainer.snapshot(), {});
  CHECK(holds_a_model(folder / "model"));
}

TEST_CASE("the folder translates with the kept weights") {
  const TemporaryFolder folder;
  Trainer trainer(copying_set(), copying_config(), small_options());
  run(trainer, 10);
  trainer.save(folder / "run");
  const Checkpoint checkpoint = load_checkpoint(folder / "run");
  CHECK(same_weights(checkpoint.snapshot, *trainer.kept()));
  CHECK(checkpoint.training.at("step") == 10);
  CHECK(checkpoint.training.at("label_smoothing") == 0.1);
  CHECK(checkpoint.training.at("curves").at("loss").size() == 10);
}

TEST_CASE("a diverged run leaves the last whole state in its folder") {
  const TemporaryFolder folder;
  TrainingOptions options = small_options();
  options.schedule = "constant";
  options.peak = 1e3;
  {
    Trainer trainer(copying_set(), copying_config(), options);
    set_rate_scale(trainer, 1e-6);
    run(trainer, 6);
    trainer.save(folder / "run");
    set_rate_scale(trainer, 1e6);
    run(trainer, 20);
    REQUIRE(trainer.stop());
    trainer.save(folder / "run");
  }
  CHECK(Trainer::resume(folder / "run", copying_set())->step_count() == 6);
}

TEST_CASE("a run that diverges before its first save leaves its curves with the weights that it began with") {
  const ScratchFolder folder;
  auto trainer = std::make_unique<Trainer>(copying_set(), copying_config(), exploding_options());
  const auto begun = trainer->snapshot();
  explode(*trainer);
  trainer->save(folder.path("run"));
  const long ended = trainer->step_count();
  const Curves curves = trainer->curves();
  trainer.reset();
  const Checkpoint left = load_checkpoint(folder.path("run"));
  CHECK(left.snapshot.step == 0);
  CHECK(same_weights(*begun, left.snapshot));
  CHECK(left.training.at("step") == ended);
  const auto on = Trainer::train_on(folder.path("run"), copying_set(), 1);
  CHECK(on->curves().steps.size() == curves.steps.size());
  CHECK(on->curves().marks.front().text == curves.marks.front().text);
}

TEST_CASE("a run that went on after a divergence is resumed bit for bit") {
  const TemporaryFolder folder;
  Trainer trainer(copying_set(), copying_config(), exploding_options());
  set_rate_scale(trainer, 1e-6);
  run(trainer, 3);
  explode(trainer);
  trainer.recover();
  set_rate_scale(trainer, 1e-6);
  run(trainer, 3);
  trainer.save_copy(folder / "run");
  const auto resumed = Trainer::resume(folder / "run", copying_set());
  run(trainer, 3);
  run(*resumed, 3);
  check_same_curves(trainer.curves(), resumed->curves());
  CHECK(same_weights(*trainer.snapshot(), *resumed->snapshot()));
}

TEST_CASE("a resumed run that diverges goes back to the weights that it began with") {
  const TemporaryFolder folder;
  Trainer before(copying_set(), copying_config(), small_options());
  run(before, 6);
  const auto weights = before.snapshot();
  {
    TrainingOptions options = exploding_options();
    options.peak = 1e5;  // of which it continues with a tenth
    const auto fork = Trainer::begin_with(*weights, "step 6", 0.1, copying_set(), options);
    set_rate_scale(*fork, 1e-8);
    run(*fork, 3);
    fork->save(folder / "run");
  }
  const auto check_goes_back = [&](Trainer& trainer, const Snapshot& good, long step) {
    explode(trainer);
    CHECK(same_weights(good, *trainer.snapshot()));
    CHECK(trainer.snapshot()->step == step);
    CHECK(trainer.stop()->message.ends_with("The weights of step " + std::to_string(step) + " are kept."));
  };
  check_goes_back(*Trainer::resume(folder / "run", copying_set(), 0, false), *weights, 0);

  // Without the state: what its training resumes from.
  const auto on = Trainer::train_on(folder / "run", copying_set());
  on->set_limits(100, 0, 0);
  const auto of_folder = on->snapshot();
  check_goes_back(*on, *of_folder, 3);
}

TEST_CASE("other data, a folder without a run and a damaged record are refused, never believed") {
  const TemporaryFolder folder;
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    run(trainer, 3);
    trainer.save(folder / "run");
  }

  auto other = std::make_shared<TrainingSet>(*copying_set());
  other->training[5].target[0] = other->training[5].target[0] == 4 ? 5 : 4;
  CHECK_THROWS_AS(Trainer::resume(folder / "run", other), Error);
  CHECK_THROWS_AS(Trainer::resume(folder / "nowhere", copying_set()), Error);

  const std::string record = content(folder / "run/training.json");
  for (std::size_t size = 0; size + 2 < record.size(); size += 97) {
    write(folder / "run/training.json", record.substr(0, size));
    CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
  }
  for (const char* text : {"[]", "{}", "null", "{\"format\": 1}", "{\"format\": 99}", "\xff\xfe"}) {
    write(folder / "run/training.json", text);
    CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
  }
  write(folder / "run/training.json", record);
  CHECK_NOTHROW(Trainer::resume(folder / "run", copying_set()));
  for (const auto& [place, value] : std::initializer_list<std::pair<const char*, nlohmann::json>>{
           {"/position/batch", 2.5},
           {"/position/batch", -1},
           {"/position/epoch", 18446744073709551615U},
           {"/step", 9223372036854775808U},
           {"/schedule/d_model", 4294967297},
           {"/validation/without_improvement", 4294967296},
           {"/options/batch_tokens", 4294967297},
           {"/options/seed", -1}}) {
    const auto& this_place = place;
    CAPTURE(this_place);
    nlohmann::json hostile = nlohmann::json::parse(record);
    const nlohmann::json::json_pointer pointer(place);
    REQUIRE(hostile.contains(pointer));
    hostile[pointer] = value;
    write(folder / "run/training.json", hostile.dump());
    CHECK_THROWS_WITH_AS(Trainer::resume(folder / "run", copying_set()),
                         doctest::Contains("should be a whole number"), Error);
  }
  nlohmann::json changed = nlohmann::json::parse(record);
  changed.erase("live");
  write(folder / "run/training.json", changed.dump());
  CHECK_THROWS_WITH_AS(Trainer::resume(folder / "run", copying_set()),
                       doctest::Contains("the entry \"live\" is missing"), Error);
  write(folder / "run/training.json", record);
  // A configuration that asks for far more numbers than the files hold is refused before memory is asked for.
  const std::string config = content(folder / "run/config.json");
  nlohmann::json huge = nlohmann::json::parse(config);
  huge["source_vocab"] = huge["target_vocab"] = 16'000'000;
  huge["d_model"] = 65'536;
  write(folder / "run/config.json", huge.dump());
  CHECK_THROWS_WITH_AS(Trainer::resume(folder / "run", copying_set()), doctest::Contains("too small"), Error);
  write(folder / "run/config.json", config);
  fs::remove(folder / "run/last-3.optimizer.safetensors");
  CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
}

TEST_CASE("a state with numbers that are none is refused by the tensor's name, whichever file holds them") {
  for (const std::string kind : {"weights", "optimizer"}) {
    CAPTURE(kind);
    const TemporaryFolder folder;
    Trainer trainer(copying_set(), copying_config(), small_options());
    run(trainer, 3);
    trainer.save_copy(folder / "run");
    std::string state;
    for (const auto& entry : fs::directory_iterator(folder / "run"))
      if (entry.path().filename().string() == "last-3." + kind + ".safetensors") state = entry.path();
    REQUIRE_FALSE(state.empty());
    std::string bytes = content(state);
    bytes.replace(bytes.size() - 4, 4, std::string("\x00\x00\xc0\x7f", 4));
    write(state, bytes);
    const std::string said = refusal([&] { Trainer::resume(folder / "run", copying_set()); });
    CHECK(said.find("holds NaN or infinity") != std::string::npos);
    CHECK(said.find(state) != std::string::npos);
    CHECK(content(state) == bytes);
  }
}

TEST_CASE("a model from elsewhere learns on although all its names have a prefix") {
  const TemporaryFolder folder;
  Trainer trainer(copying_set(), copying_config(), small_options());
  run(trainer, 3);
  trainer.save_copy(folder / "run");
  const auto kept = trainer.kept();
  std::vector<TensorToWrite> tensors;
  add_tensors(tensors, "module.", *kept->weights);
  write_safetensors(folder / "run/weights.safetensors", tensors);
  const auto tuned = Trainer::train_on(folder / "run", copying_set());
  CHECK(same_weights(*tuned->snapshot(), *kept));
}

TEST_CASE("a folder that cannot be written is an error and the run goes on") {
  const TemporaryFolder folder;
  write(folder / "file", "in the way");
  Trainer trainer(copying_set(), copying_config(), small_options());
  CHECK_THROWS_AS(trainer.save(folder / "file/run"), Error);
  CHECK(trainer.step().step == 1);
}

TEST_CASE("a run's folder has one writer from its first save, or from its resuming, until it ends") {
  const TemporaryFolder folder;
  Trainer other(copying_set(), copying_config(), small_options());
  {
    Trainer first(copying_set(), copying_config(), small_options());
    run(first, 3);
    first.save(folder / "run");
    CHECK_THROWS_WITH_AS(other.save(folder / "run"), doctest::Contains("is being trained and saved there"),
                         Error);
    CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
  }
  const auto resumed = Trainer::resume(folder / "run", copying_set());
  CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
  CHECK_THROWS_AS(other.save(folder / "run"), Error);
  CHECK_NOTHROW(resumed->save(folder / "run"));
}

TEST_CASE("a run that goes on elsewhere keeps nobody from its old folder") {
  const TemporaryFolder folder;
  {
    Trainer first(copying_set(), copying_config(), small_options());
    first.save(folder / "run");
  }
  const auto one = Trainer::resume(folder / "run", copying_set(), 0, false);
  const auto two = Trainer::resume(folder / "run", copying_set(), 0, false);
  CHECK_NOTHROW(one->save(folder / "one"));
  CHECK_NOTHROW(two->save(folder / "two"));
  CHECK_NOTHROW(Trainer::resume(folder / "run", copying_set()));
}

TEST_CASE("a copy is whole, and the run goes on being kept in its own folder") {
  const TemporaryFolder folder;
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    run(trainer, 4);
    trainer.save(folder / "run");
    trainer.save_copy(folder / "copy");
    CHECK(Trainer::resume(folder / "copy", copying_set())->step_count() == 4);
    CHECK_THROWS_AS(Trainer::resume(folder / "run", copying_set()), Error);
    run(trainer, 2);
    trainer.save(folder / "run");
  }
  CHECK(Trainer::resume(folder / "run", copying_set())->step_count() == 6);
  CHECK(Trainer::resume(folder / "copy", copying_set())->step_count() == 4);
}

TEST_CASE("the steps that a run kept are saved with it, to look back at and to go on from") {
  const TemporaryFolder folder;
  const auto steps_in = [&](const std::string& run) {
    std::vector<long> steps;
    const auto trainer = Trainer::resume(folder / run, copying_set(), 0, false);
    for (const auto& kept : trainer->history().kept()) steps.push_back(kept->step());
    return steps;
  };
  const auto all_steps = [](long last) {
    std::vector<long> steps;
    for (long step = 0; step <= last; ++step) steps.push_back(step);
    return steps;
  };
  std::shared_ptr<const Snapshot> at_3;
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    trainer.keep_history(1 << 20);
    run(trainer, 6);
    at_3 = trainer.history().kept()[3]->snapshot();
    trainer.save(folder / "run");
    run(trainer, 2);
    trainer.save(folder / "run");
    trainer.save_copy(folder / "copy");
    CHECK(trainer.history().kept().size() == 9);
  }
  CHECK(steps_in("run") == all_steps(8));
  CHECK(steps_in("copy").empty());

  // A run that is resumed keeps them; what was saved after its state belongs to a future that is gone.
  fs::copy_file(folder / "run/history/8.safetensors", folder / "run/history/11.safetensors");
  append(folder / "run/.glassformer", "+ history/11.safetensors\n", Sync::no);
  {
    const auto resumed = Trainer::resume(folder / "run", copying_set());
    resumed->keep_history(1 << 20);
    CHECK(same_weights(*resumed->history().kept()[3]->snapshot(), *at_3));
    run(*resumed, 1);
    resumed->save(folder / "run");
  }
  CHECK(steps_in("run") == all_steps(9));
  CHECK_FALSE(fs::exists(folder / "run/history/11.safetensors"));

  // Another run in the same folder begins with none.
  fs::remove(folder / "run/training.json");
  Trainer(copying_set(), copying_config(), small_options()).save(folder / "run");
  CHECK(steps_in("run").empty());
}

TEST_CASE("looking back costs a run nothing of its curve") {
  Trainer plain(copying_set(), copying_config(), small_options());
  Trainer keeping(copying_set(), copying_config(), small_options());
  keeping.keep_history(1 << 20);
  run(plain, 12);
  run(keeping, 12);
  check_same_curves(plain.curves(), keeping.curves());
  CHECK(same_weights(*plain.snapshot(), *keeping.snapshot()));
}
