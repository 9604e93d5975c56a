#include "tests/ui/view_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/views/cell/cell.h"
#include "app/views/head/head.h"
#include "app/views/lookup/lookup.h"
#include "app/views/view_table.h"
#include "engine/analysis/logit_lens.h"
#include "engine/model/steps/steps.h"
#include "engine/model/transformer.h"
#include "tests/random_models.h"
#include "tests/ui/view_stage.h"
#include "tests/ui/what_if_scene.h"

namespace glassformer {

SampleScene diagnosed_scene(long steps, const SampleOptions& options) {
  SampleScene scene = make_sample_scene(options);
  add_run(scene, steps);
  const DiagnosedPlaces places = diagnosed_places(scene.snapshot->config);
  auto curves = std::make_shared<Curves>(*scene.run.curves);
  for (long step = 1; step <= steps; ++step) {
    if (!wants_look(curves->diagnosis, step, 50)) continue;
    Look look = look_at(*scene.result->untouched, scene.snapshot->config);
    look.step = step;
    const auto done = static_cast<float>(step) / static_cast<float>(steps);
    for (std::size_t i = 0; i < places.parts.size(); ++i) {
      look.gradient_norms.push_back(2.0F / (1.0F + 20 * done) / static_cast<float>(i + 1));
      look.update_ratios.push_back(0.004F * (1 - 0.9F * done) * static_cast<float>(i + 1));
    }
    for (std::size_t i = 0; i < look.heads.size(); ++i) {
      look.heads[i].entropy = 1 - done * static_cast<float>(i) / static_cast<float>(look.heads.size());
      look.heads[i].saturation = 1 - look.heads[i].entropy;
    }
    for (std::size_t i = 0; i < look.silent.size(); ++i) look.silent[i] = 0.1F * static_cast<float>(i) * done;
    add_look(curves->diagnosis, std::move(look), 50);
  }
  scene.run.curves = curves;
  return scene;
}

SampleScene kept_scene() {
  SampleScene scene = make_sample_scene();
  add_run(scene, 100);
  const Transformer<float>& last = *scene.snapshot->weights;
  const Transformer<float> first = random_model<float>(scene.snapshot->config, 9);
  for (long step = 0; step <= 100; step += 5) {
    Transformer<float> between = first;
    std::vector<Parameter<const float>> ends;
    last.visit([&](const std::string&, const Parameter<const float>& end) { ends.push_back(end); });
    size_t next = 0;
    between.visit([&](const std::string&, const Parameter<float>& tensor) {
      const Parameter<const float>& end = ends[next++];
      const float share = static_cast<float>(step) / 100;
      for (size_t i = 0; i < tensor.size(); ++i) tensor.data[i] += share * (end.data[i] - tensor.data[i]);
    });
    scene.run.history.push_back(KeptWeights::of(between, step));
  }
  Snapshot newest = *scene.run.history.back()->snapshot();
  scene.snapshot = std::make_shared<const Snapshot>(newest);
  return scene;
}

SampleScene learning_scene() {
  SampleScene scene = make_sample_scene();
  Snapshot snapshot = *scene.snapshot;
  auto other = std::make_shared<Transformer<float>>(snapshot.config);
  other->initialize(9);
  snapshot.gradients = snapshot.first_moment = snapshot.second_moment = other;
  scene.snapshot = std::make_shared<const Snapshot>(snapshot);
  return scene;
}

SampleScene scheduled_scene(long step) {
  SampleScene scene = make_sample_scene();
  scene.run.phase = RunPhase::training;
  scene.run.options.warmup = 400;
  scene.run.options.factor = 0.4;
  scene.run.planned_steps = 3200;
  scene.run.step = step;
  return scene;
}

SampleScene trained_scene(long steps) {
  SampleScene scene = make_sample_scene();
  add_run(scene, steps);
  HeldOutSentence sentence;
  sentence.pair = {"the tired girl sees a red car", "la fille fatiguée voit une voiture rouge"};
  sentence.attempts = {{0, "une une une"},
                       {50, "la fille voit une voiture"},
                       {200, "la fille fatiguée voit une voiture rouge"}};
  scene.run.held_out = {sentence};
  return scene;
}

std::shared_ptr<RaceRunner> small_runner() {
  auto runner = std::make_shared<RaceRunner>();
  runner->run({.task = "reverse", .longest = 8, .symbols = 5, .pairs = 900, .width = 16, .steps = 60});
  return runner;
}

SampleScene marked_scene(int words, long steps) {
  SampleScene scene = sample_scene("words " + std::to_string(words), {.layer = 1, .query = 2, .key = 3});
  if (steps == 0) return scene;
  add_run(scene, steps, 0.3);
  auto curves = std::make_shared<Curves>(*scene.run.curves);
  curves->marks = {{steps / 3, "learning rate × 0.5"}, {steps / 2, "resumed"}};
  scene.run.curves = curves;
  return scene;
}

namespace {

using Cases = std::vector<ViewCase>;
constexpr AttentionKind kKinds[] = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};

void add_each_step(Cases& cases, const std::string& view, const std::string& settings, const Selection& pin) {
  const SampleScene scene = sample_scene(settings, pin);
  const int count = make_view(view)->step_count(scene.input());
  REQUIRE(count > 0);
  for (int step = 0; step < count; ++step)
    cases.push_back({.view = view, .settings = settings, .pin = pin, .step = step});
}

void add_attention(Cases& cases) {
  for (const AttentionKind kind : kKinds) {
    const Selection head{.kind = kind, .layer = 1, .head = 2};
    Selection cell = head;
    cell.query = 3, cell.key = 2;
    cases.push_back({.view = "attention", .pin = head});
    cases.push_back({.view = "attention", .pin = cell});
    cell.query = 2, cell.key = 1;
    add_each_step(cases, "head", "", cell);
    cases.push_back({.view = "head",
                     .settings = "positions rotary",
                     .pin = head,
                     .step = static_cast<int>(HeadStage::match)});
    add_each_step(cases, "lookup", "", {.kind = kind, .layer = 1, .head = -1, .query = 2, .key = 1});
    for (const char* const off :
         {"", "causal_mask off", "padding_mask off", "causal_mask off padding_mask off"})
      cases.push_back({.view = "masks", .settings = off, .pin = {.kind = kind, .head = 1, .sentence = 1}});
    if (kind == AttentionKind::decoder) continue;
    for (const char* const settings : {"", "norm pre final_norm true activation gelu", "feed_forward swiglu"})
      add_each_step(cases, "block", settings, {.kind = kind, .layer = 1, .query = 2, .key = 1});
  }
  cases.push_back({.view = "attention",
                   .settings = "d_model 64 heads 8 encoder_layers 6 decoder_layers 6 words 35",
                   .pin = {.layer = 5, .head = 7}});
  cases.push_back({.view = "lookup", .settings = "sharpness nan", .step = static_cast<int>(LookupPage::row)});
  for (const char* const warmth : {"-2", "0", "3"})
    for (const char* const hour : {"6", "9", "13", "16.4", "20.5", "24"})
      cases.push_back(
          {.view = "lookup", .hands = {std::string("Temperature=") + warmth, std::string("Query=") + hour}});
  for (const char* const settings : {"", "causal_mask off padding_mask off"})
    for (const char* const dropout : {" dropout 0", " dropout 0.2"})
      for (const char* const page : {"Masks", "Padding", "Batch", "Dropout", "Mistake"}) {
        // It says in words that there is none, and nothing to compare.
        const bool words = page == std::string("Dropout") ? dropout == std::string(" dropout 0")
                                                          : page == std::string("Mistake") && *settings;
        cases.push_back({.view = "masks",
                         .settings = std::string(settings) + dropout,
                         .pin = {.kind = AttentionKind::decoder, .layer = 1, .head = 1, .sentence = 1},
                         .hands = {std::string("Page=") + page},
                         .shapes = words ? Shapes::few : Shapes::many});
      }
}

// One step of each kind, the later ones where a model has them.
void add_steps_of_training(Cases& cases) {
  std::set<StepKind> walked;
  for (const char* const settings : {"", "norm_kind rms feed_forward swiglu"}) {
    const SampleScene scene = sample_scene(settings);
    const auto steps =
        training_steps(scene.snapshot->config, {.weight = ChosenWeight{"output_projection.weight"}});
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (walked.insert(steps[i].kind).second)
        cases.push_back({.view = "walk",
                         .settings = settings,
                         .shapes = steps[i].output.rows == Extent::one ? Shapes::few : Shapes::many,
                         .step = static_cast<int>(i)});
  }
  const SampleScene scene = sample_scene("");
  std::set<StepKind> seen;
  const std::vector<Step> steps = training_steps(scene.snapshot->config);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!seen.insert(steps[i].kind).second) continue;
    const bool row = steps[i].output.rows != Extent::one, column = steps[i].output.columns != Extent::one;
    cases.push_back(
        {.view = "cell",
         .pin = CellView().cell_of_step(scene.input(), static_cast<int>(i), row ? 2 : 0, column ? 3 : 0),
         .shapes = column ? Shapes::many : Shapes::few});  // an id and the loss are one number
  }
  CHECK(seen.size() > 45);
}

void add_models_and_tokenizers(Cases& cases) {
  for (const std::string norm : {"norm post ", "norm pre "})
    for (const std::string kind : {"tokenizer word", "tokenizer bpe", "tokenizer char"}) {
      const std::string small = norm + kind + " d_model 16 d_ff 24 max_length ";
      const bool word = kind == "tokenizer word";
      cases.push_back({.view = "decode", .settings = small + (word ? "12" : "64")});
      cases.push_back({.view = "teacher-forcing", .settings = small + (word ? "16" : "64")});
    }
  const std::string small = "d_model 16 d_ff 24 ids only max_length ";
  cases.push_back({.view = "decode", .settings = small + "12"});
  cases.push_back({.view = "teacher-forcing", .settings = small + "16"});

  for (const std::string norm :
       {"norm post final_norm false", "norm post final_norm true", "norm pre final_norm true",
        "norm pre final_norm false", "norm pre final_norm true decoder_layers 6"})
    for (const char* const kind : {" tokenizer word", " tokenizer bpe", " tokenizer char"}) {
      const std::string settings = "d_model 32 d_ff 48 " + norm + kind;
      const CellRef cell{lens_rows(sample_options(settings).config)[2].name, {0, 3, 0}};
      cases.push_back({.view = "layers", .settings = settings});
      cases.push_back({.view = "layers", .settings = settings, .pin = {.query = 3, .cell = cell}});
    }
  cases.push_back({.view = "layers", .settings = "d_model 32 d_ff 48 norm pre final_norm true ids only"});

  using namespace what_if_test;
  for (const Config& config : {config_of(), config_of(NormPlace::pre), config_of(NormPlace::post, 5)})
    for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::character})
      for (const WhatIf& what_if : {WhatIf{}, WhatIf{{kHead, change_of(ChangeKind::causal_mask_off)}}})
        for (const Selection& pin : {Selection(), at_place(3)})
          cases.push_back(
              {.view = "what-if", .pin = pin, .scene = [=] { return scene_of(what_if, config, kind); }});
  cases.push_back({.view = "what-if", .settings = "d_model 32 d_ff 48 held_out own ids only"});

  for (const char* const kind : {"tokenizer word", "tokenizer char"})
    cases.push_back({.view = "tokens", .settings = kind, .pin = {.key = 2}});
  for (const char* const kind : {"sinusoidal", "none"})
    for (const char* const side : {"Side: English", "Side: French"})
      cases.push_back({.view = "embedding", .settings = std::string("positions ") + kind, .hands = {side}});
  for (const char* const kind : {"sinusoidal", "learned", "none", "rotary", "alibi"})
    for (const Selection& pin :
         {Selection(), Selection{.key = 3, .cell = CellRef{"source.positions", {3, 8}}}})
      cases.push_back({.view = "positions",
                       .settings = std::string("d_model 32 max_length 32 positions ") + kind,
                       .pin = pin});
  cases.push_back({.view = "positions", .settings = "d_model 128 max_length 32"});
  cases.push_back({.view = "output"});
  cases.push_back({.view = "output", .pin = {.query = 5}});
}

void add_runs(Cases& cases) {
  cases.push_back({.view = "parameters"});
  cases.push_back({.view = "parameters", .scene = learning_scene});
  cases.push_back({.view = "forming"});
  for (const char* const heads : {"Heads: One head", "Heads: All heads"})
    cases.push_back({.view = "forming", .hands = {heads}, .scene = kept_scene});
  cases.push_back({.view = "heads", .settings = "held_out own"});
  cases.push_back({.view = "schedule", .shapes = Shapes::few, .scene = [] { return scheduled_scene(1240); }});

  cases.push_back({.view = "diagnosis"});
  cases.push_back({.view = "diagnosis", .settings = "feed_forward swiglu"});
  const auto diagnosed = [&](long steps, const std::string& settings) {
    cases.push_back(
        {.view = "diagnosis", .scene = [=] { return diagnosed_scene(steps, sample_options(settings)); }});
  };
  for (const long steps : {1L, 40L, 3200L}) diagnosed(steps, "");
  diagnosed(2200, "feed_forward swiglu");
  diagnosed(300, "encoder_layers 6 decoder_layers 6 heads 8 activation gelu");
  diagnosed(300, "encoder_layers 6 decoder_layers 6 heads 1 activation gelu");

  for (const RunPhase phase : {RunPhase::none, RunPhase::preparing, RunPhase::stopped})
    cases.push_back({.view = "training", .shapes = Shapes::few, .scene = [=] {
                       SampleScene scene = make_sample_scene();
                       scene.run.phase = phase;
                       scene.run.message = "The loss is not a number at step 412. Step 400 is kept.";
                       return scene;
                     }});
  for (const long steps : {1L, 40L, 2200L})
    cases.push_back({.view = "training", .scene = [=] { return trained_scene(steps); }});

  const auto runner = small_runner();
  for (const char* const page : {"Page=Lengths", "Page=Sentence"})
    cases.push_back({.view = "bottleneck", .hands = {page}, .made = [=] {
                       return std::make_unique<BottleneckView>(runner);
                     }});

  // Every view with short and long sentences, and those of a run before, during and after it.
  for (const ViewEntry& entry : view_table()) {
    const std::string view(entry.name);
    const bool of_run = view == "training" || view == "schedule";
    for (const int words : {7, 25, 60})
      for (const long steps : {0L, 260L, 3200L})
        // Training says only what will be there; Heads has pairs of its own.
        if ((of_run ? words == 7 : steps == 0) && view != "heads" && (view != "training" || steps > 0))
          cases.push_back({.view = view,
                           .shapes = view == "studies" ? Shapes::few : Shapes::many,  // dots, or words alone
                           .scene = [=] { return marked_scene(words, steps); }});
  }
}

}  // namespace

std::string ViewCase::name() const {
  std::string name = view + " " + settings;
  for (const std::string& each : hands) name += ", " + each;
  return step < 0 ? name : name + ", step " + std::to_string(step);
}

const std::vector<ViewCase>& view_cases() {
  static const Cases all = [] {
    Cases cases;
    add_attention(cases);
    add_steps_of_training(cases);
    add_models_and_tokenizers(cases);
    add_runs(cases);
    return cases;
  }();
  return all;
}

StagedCase& staged(std::size_t row) {
  static std::map<std::size_t, std::unique_ptr<StagedCase>> made;
  auto& one = made[row];
  if (one) return *one;
  const ViewCase& of = view_cases()[row];
  CAPTURE(of.name());
  one.reset(new StagedCase{of, of.scene ? of.scene() : sample_scene(of.settings),
                           of.made ? of.made() : make_view(of.view)});
  if (!of.scene || of.pin != Selection()) one->scene.pin(of.pin);
  for (const std::string& each : of.hands) {
    if (const auto equals = each.find('='); equals != std::string::npos) {
      REQUIRE(one->view->set(each.substr(0, equals), each.substr(equals + 1)));
      continue;
    }
    ViewStage stage(of.view, one->scene);
    for (int i = 0; i < 2000 && !stage.has(each); ++i) stage.frames(1);
    REQUIRE(stage.click(each));
    one->view = stage.view().clone();
  }
  if (of.step >= 0) one->view->show_step(one->scene.input(), of.step);
  one->view->numbers(one->scene.input());
  return *one;
}

}  // namespace glassformer
