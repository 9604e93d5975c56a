#include "engine/export/training_script.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/export/export_folder.h"
#include "engine/files/read_file.h"
#include "engine/layers/adam.h"
#include "engine/math/error.h"
#include "engine/model/config_json.h"
#include "engine/model/weights_file.h"
#include "engine/train/batches.h"
#include "engine/train/limits.h"
#include "engine/train/run_json.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

namespace {

using State = TrainerState<Transformer<float>>;

constexpr std::array<const char*, 7> kScripts = {kTrainingScript, "learn.py", "order.py", "looks.py",
                                                 "run.py",        "model.py", "load.py"};
constexpr int kMostChecked = 512;  // tokens: trace writes every value of them

void refuse_mistakes(const TrainingOptions& options) {
  const auto refuse = [](bool made, const char* key) {
    if (made)
      throw Error("training.json", std::string("the run learns with ") + key +
                                       ", a mistake made on purpose that train.py does not make");
  };
  refuse(!options.mask_future, "mask_future false");
  refuse(options.zero_after_softmax, "zero_after_softmax");
  refuse(options.softmax_twice, "softmax_twice");
  refuse(options.extra_padding > 0, "extra_padding");
}

std::unique_ptr<State> first_state(const TrainingScript& script) {
  Config config = script.model.snapshot.config;
  TrainingOptions options = script.options;
  options.smoothing = script.live.smoothing;
  options.clip = script.live.clip;
  options.average = 1;
  options.minutes = 0;
  set_dropout(config, script.live.dropout);
  auto state = std::make_unique<State>(script.data, config, options);
  state->live.rate_scale = script.live.rate_scale;
  state->weights = *script.model.snapshot.weights;
  state->start = script.model.snapshot.weights;
  std::filesystem::path from = std::filesystem::path(script.model.folder).lexically_normal();
  if (!from.has_filename()) from = from.parent_path();
  const std::string name = from.filename().string();
  state->curves.marks.push_back({.step = 0,
                                 .text = "begun with the weights of " +
                                         (name.empty() ? "another run" : name) + ", Adam anew, in PyTorch"});
  return state;
}

nlohmann::json plan_of(const State& state, const TrainingScript& script) {
  Snapshot start = script.model.snapshot;
  start.step = 0;
  start.validation_loss = std::numeric_limits<double>::quiet_NaN();
  nlohmann::json plan = {{"record", run_to_json(state, start, {})}};
  auto &names = plan["parameters"] = nlohmann::json::array(), &parts = plan["parts"];
  state.weights.visit([&](const std::string& tensor, const Parameter<const float>&) {
    names.push_back(tensor);
    parts[tensor] = part_of(tensor, state.config);
  });
  const AdamOptions adam;
  plan["adam"] = {{"betas", {adam.beta1, adam.beta2}}, {"eps", adam.eps}};
  plan["steps"] = planned_steps(state.options, state.batches_per_epoch);
  plan["total_by_steps"] = state.options.total_steps == 0;
  plan["validate_every"] = state.validate_every;
  plan["look_pairs"] = pairs_looked_at(*state.data);
  auto &held_out = plan["held_out"] = nlohmann::json::array(), &ids = plan["held_out_ids"] = held_out;
  for (const TrainingScript::HeldOut& each : script.held_out) {
    held_out.push_back(
        {{"source", each.pair.source}, {"target", each.pair.target}, {"attempts", nlohmann::json::array()}});
    ids.push_back(each.source);
  }
  return plan;
}

// One side of many pairs: the ids one after another, and how many are of each.
struct Side {
  std::vector<std::int32_t> ids, lengths;
};

void write_pairs(OwnedFolder& to, const TrainingSet& data) {
  constexpr const char* kName = "pairs.safetensors";
  std::array<Side, 4> sides;
  std::vector<TensorToWrite> tensors;
  std::size_t next = 0;
  const auto add = [&](const std::string& name, const std::vector<std::int32_t>& numbers) {
    tensors.push_back({.name = name, .shape = {static_cast<int>(numbers.size())}, .wholes = numbers.data()});
  };
  constexpr std::array kNames = {"training.source", "training.target", "validation.source",
                                 "validation.target"};
  for (const auto* part : {&data.training, &data.validation})
    for (const auto member : {&EncodedPair::source, &EncodedPair::target}) {
      const std::string side_name = kNames[next];
      Side& side = sides[next++];
      for (const EncodedPair& pair : *part) {
        side.ids.insert(side.ids.end(), (pair.*member).begin(), (pair.*member).end());
        side.lengths.push_back(static_cast<std::int32_t>((pair.*member).size()));
      }
      add(side_name, side.ids);
      add(side_name + "_lengths", side.lengths);
    }
  to.claim({kName});
  write_safetensors(to.file(kName), std::move(tensors));
}

// The first sentences of the first step.
void write_check(OwnedFolder& to, State& state) {
  constexpr const char* kName = "check.safetensors";
  std::size_t count = 0;
  int tokens = 0;
  auto& first = state.plan.front();
  while (count < first.size() && (count == 0 || tokens <= kMostChecked))
    tokens += state.lengths[static_cast<std::size_t>(first[count++])].total();
  first.resize(count);
  state.fill_batch();
  std::array<std::vector<std::int32_t>, 3> padded;
  std::vector<TensorToWrite> tensors;
  const auto add = [&](const char* name, const PackedIds& rows, std::vector<std::int32_t>& ids) {
    const int longest = rows.longest();
    for (int i = 0; i < rows.sentences(); ++i) {
      ids.insert(ids.end(), rows.sentence(i).begin(), rows.sentence(i).end());
      ids.resize(static_cast<std::size_t>((i + 1) * longest), state.config.pad_id);
    }
    tensors.push_back({.name = name, .shape = {rows.sentences(), longest}, .wholes = ids.data()});
  };
  add("source", state.batch.source, padded[0]);
  add("target_in", state.batch.target_in, padded[1]);
  add("target_out", state.batch.target_out, padded[2]);
  to.claim({kName});
  write_safetensors(to.file(kName), std::move(tensors));
}

}  // namespace

std::vector<std::string> export_training_script(const TrainingScript& script, const std::string& scripts,
                                                const std::string& folder) {
  refuse_mistakes(script.options);
  const std::unique_ptr<State> state = first_state(script);
  write_export(folder, [&](OwnedFolder& to) {
    to.write_unless_changed("config.json", all_keys(state->config).dump(1) + "\n");
    save_tokenizers(to, script.model.tokenizers);
    nlohmann::json plan = plan_of(*state, script);
    plan["files"] = to.names();
    to.write_unless_changed("plan.json", plan.dump(1) + "\n");
    for (const char* const name : kScripts) to.write_unless_changed(name, read_file(scripts + "/" + name));
    write_pairs(to, *script.data);
    write_check(to, *state);
    to.claim({"weights.safetensors"});  // by which the folder opens here
    write_weights(to.file("weights.safetensors"), state->weights);
  });
  std::vector<std::string> notes;
  if (script.options.average > 1)
    notes.emplace_back("the run keeps the mean of several validations; train.py keeps the best weights");
  if (script.options.minutes > 0)
    notes.emplace_back("the run ends by minutes; train.py ends at the step given by --steps");
  return notes;
}

}  // namespace glassformer
