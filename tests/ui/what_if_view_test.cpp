// What the changes of a Scene do word by word, and what the model loses without each of its parts.
#include "app/views/what_if/what_if_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "app/format/number_format.h"
#include "app/session/measuring.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/ablation.h"
#include "engine/model/what_if/changed_model.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

Config config_of(NormPlace norm = NormPlace::post, int layers = 2) {
  Config config;
  config.d_model = 32;
  config.d_ff = 48;
  config.norm = norm;
  config.encoder_layers = config.decoder_layers = layers;
  return config;
}

// With pairs that are held out.
SampleScene scene_of(const WhatIf& what_if = {}, const Config& config = config_of(),
                     TokenizerKind tokenizer = TokenizerKind::word) {
  SampleOptions options;
  options.config = config;
  options.what_if = what_if;
  options.tokenizer = tokenizer;
  SampleScene scene = make_sample_scene(options);
  auto text = std::make_shared<TrainingText>(*scene.training_text);
  for (const SceneSentence& each : options.sentences)
    text->held_out.push_back({each.source, *each.reference});
  scene.training_text = text;
  return scene;
}

const Change kHead = mute_head(AttentionKind::cross, 1, 1);

// Logits (L, V_t) of the untouched words in double, by the model as it stands.
Matrix<double> logits_of(const Transformer<double>& model, const PlainSentence& plain,
                         const std::vector<int>& words) {
  Batch batch;
  batch.source.add(plain.source);
  std::vector<int> read{model.config.bos_id};
  read.insert(read.end(), words.begin(), words.end() - 1);
  batch.target_in.add(read);
  batch.target_out.add(words);
  Saved<double> saved;
  model.forward(batch, saved);
  return saved.logits;
}

// Muting a head's context is the same as an output projection that does not read it.
Transformer<double> without_head(const Transformer<float>& model, const Change& head) {
  Transformer<double> changed = model.cast<double>();
  const std::string name = written(head.block, ValueKind::output_weight);
  const int width = model.config.head_width();
  bool found = false;
  changed.visit([&](const std::string& each, const Parameter<double>& tensor) {
    if (each != name) return;
    found = true;
    for (int row = 0; row < tensor.rows; ++row)
      for (int k = 0; k < width; ++k)
        tensor.data[static_cast<std::size_t>(row) * static_cast<std::size_t>(tensor.columns) +
                    static_cast<std::size_t>(head.head * width + k)] = 0;
  });
  REQUIRE(found);
  return changed;
}

double log_p(const Matrix<double>& logits, int row, int word) {
  double sum = 0;
  for (int id = 0; id < logits.cols(); ++id) sum += std::exp(logits(row, id));
  return logits(row, word) - std::log(sum);
}

double loss_by_hand(const Transformer<double>& model, const PlainSentence& plain) {
  const Matrix<double> logits = logits_of(model, plain, plain.target_out);
  const int vocabulary = model.config.target_vocab;
  double loss = 0;
  for (std::size_t place = 0; place < plain.target_out.size(); ++place) {
    const auto row = static_cast<int>(place);
    double all = 0;
    for (int id = 0; id < vocabulary; ++id) all += log_p(logits, row, id);
    loss -= (1 - plain.smoothing) * log_p(logits, row, plain.target_out[place]) +
            plain.smoothing * all / vocabulary;
  }
  return loss / static_cast<double>(plain.target_out.size());
}

void work(const View& view, const SampleScene& scene) {
  view.numbers(scene.input());
}

Selection at_place(int place) {
  return selecting_place({}, place);
}

// What the inspector says when nothing is being worked out any more.
std::optional<InspectorPage> page_of(const View& view, const SampleScene& scene) {
  view.inspect(scene.input());
  for (int i = 0; i < 4000 && view.traits().busy; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return view.inspect(scene.input());
}

bool settled(ViewStage& stage) {
  for (int i = 0; i < 4000; ++i) {
    stage.frames(1);
    if (i > 3 && !stage.view().traits().busy) return true;
  }
  return false;
}

std::string tile_of(const Change& change) {
  return "mute " + part_name(change);
}

const WhatIf* wanted_change(const Commands& commands, WhatIf& kept) {
  for (const Command& each : commands)
    if (const auto* set = each.get_if<SetWhatIf>()) {
      kept = set->what_if;
      return &kept;
    }
  return nullptr;
}

}  // namespace

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

TEST_CASE("what if stays inside its stage for every kind of model, tokenizer and part") {
  for (const Config& config : {config_of(), config_of(NormPlace::pre), config_of(NormPlace::post, 5)})
    for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::character}) {
      for (const WhatIf& what_if : {WhatIf{}, WhatIf{{kHead, change_of(ChangeKind::causal_mask_off)}}}) {
        SampleScene scene = scene_of(what_if, config, kind);
        const auto view = make_view("what-if");
        work(*view, scene);
        const auto bare = complaints(*view, scene.input());
        CHECK_MESSAGE(bare.empty(), in_lines(bare));
        scene.pin(at_place(3));
        const auto pinned = complaints(*view, scene.input());
        CHECK_MESSAGE(pinned.empty(), in_lines(pinned));
      }
    }
  SampleScene scene = scene_of();
  scene.tokenizers = {};
  const auto view = make_view("what-if");
  work(*view, scene);
  const auto without = complaints(*view, scene.input());
  CHECK_MESSAGE(without.empty(), in_lines(without));
}

TEST_CASE("p, KL and logit difference on screen are those of a model whose projection drops the head") {
  for (const NormPlace norm : {NormPlace::post, NormPlace::pre}) {
    const SampleScene scene = scene_of({{kHead}}, config_of(norm));
    const PlainSentence plain = plain_sentence(*scene.result);
    const Matrix<double> before = logits_of(plain.model->cast<double>(), plain, plain.output);
    const Matrix<double> after = logits_of(without_head(*plain.model, kHead), plain, plain.output);
    const auto view = make_view("what-if");
    const std::vector<NumberTable> tables = view->numbers(scene.input());
    REQUIRE(tables.size() == 3);
    REQUIRE(tables[0].values.size() == plain.output.size());
    const RecordingCanvas canvas = drawn(*view, scene);
    for (std::size_t place = 0; place < plain.output.size(); ++place) {
      const auto row = static_cast<int>(place);
      const int word = plain.output[place];
      int other = word == 0 ? 1 : 0;
      double kl = 0;
      for (int id = 0; id < before.cols(); ++id) {
        if (id != word && before(row, id) > before(row, other)) other = id;
        kl += std::exp(log_p(before, row, id)) * (log_p(before, row, id) - log_p(after, row, id));
      }
      const std::vector<double>& shown = tables[0].values[place];
      CHECK(shown[0] == doctest::Approx(std::exp(log_p(before, row, word))).epsilon(1e-4));
      CHECK(shown[1] == doctest::Approx(std::exp(log_p(after, row, word))).epsilon(1e-4));
      CHECK(shown[2] == doctest::Approx(kl).epsilon(1e-3).scale(0.01));
      CHECK(shown[3] == doctest::Approx(before(row, word) - before(row, other)).epsilon(1e-4));
      CHECK(shown[4] == doctest::Approx(after(row, word) - after(row, other)).epsilon(1e-4));
      CHECK(canvas.find(format_probability(shown[1])) != nullptr);
    }
    // Loss before and after, at the right end of the title.
    const double untouched = loss_by_hand(plain.model->cast<double>(), plain);
    const double muted = loss_by_hand(without_head(*plain.model, kHead), plain);
    CHECK(canvas.find(format_loss(untouched) + " → " + format_loss(muted)) != nullptr);
    CHECK(tables[2].rows.back() == "all, as now");
    CHECK(tables[2].values[1][1] == doctest::Approx(muted).epsilon(1e-4));
  }
}

TEST_CASE("each tile is the loss without that head less the untouched loss, and stands in it") {
  const SampleScene scene = scene_of({{mute_head(AttentionKind::encoder, 0, 0)}});
  const PlainSentence plain = plain_sentence(*scene.result);
  const auto view = make_view("what-if");
  const NumberTable parts = view->numbers(scene.input())[1];
  const std::vector<Change> heads = every_head(*plain.model);
  REQUIRE(parts.values.size() == heads.size());
  const double untouched = loss_by_hand(plain.model->cast<double>(), plain);
  const RecordingCanvas canvas = drawn(*view, scene);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CAPTURE(parts.rows[i]);
    CHECK(parts.rows[i] == part_name(heads[i]));
    const double change = loss_by_hand(without_head(*plain.model, heads[i]), plain) - untouched;
    CHECK(parts.values[i][0] == doctest::Approx(change).epsilon(1e-3).scale(0.01));
    CHECK(canvas.find(tile_number(parts.values[i][0])) != nullptr);
  }
  CHECK(tile_number(0.2641) == "+.264");
  CHECK(tile_number(-0.0331) == "\u2212.033");
  CHECK(tile_number(0.0004) == "0");
  CHECK(tile_number(1.1379) == "+1.14");
}

TEST_CASE("what is changed is measured on held-out sentences too, less what names a place") {
  const WhatIf what_if{{kHead, edit_row(AttentionKind::cross, 0, 0, 1, {1, 0})}};
  SampleScene scene = scene_of(what_if);
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  const auto batch = measuring_batch(scene.training_text->held_out, scene.tokenizers, scene.snapshot->config);
  REQUIRE(batch);
  const LossJob job{.model = *scene.snapshot->weights, .batch = *batch};
  const MeanLoss untouched = loss_with(job, {}), with = loss_with(job, {{kHead}});
  double mean = 0;
  for (std::size_t s2 = 0; s2 < 4; ++s2) mean += (with.of_sentence[s2] - untouched.of_sentence[s2]) / 4;
  const std::optional<InspectorPage> page = stage.view().inspect(scene.input());
  REQUIRE(page);
  const auto section = std::ranges::find(page->sections, "4 held-out sentences", &InspectorSection::heading);
  REQUIRE(section != page->sections.end());
  REQUIRE(section->rows.size() == 3);
  std::string number = section->rows[1].value;
  if (const auto minus = number.find("−"); minus != std::string::npos) number.replace(minus, 3, "-");
  CHECK(std::stod(number) == doctest::Approx(mean).epsilon(0.02).scale(1e-3));
  CHECK(section->text.find("name a place") != std::string::npos);
}

TEST_CASE("over held-out sentences a tile is the mean of the differences, with its interval") {
  SampleScene scene = scene_of();
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click("Loss over: 4 held-out"));
  CHECK(stage.state() == "heads, by 0, held-out");
  REQUIRE(settled(stage));
  const NumberTable parts = stage.view().numbers(scene.input())[1];
  const auto batch = measuring_batch(scene.training_text->held_out, scene.tokenizers, scene.snapshot->config);
  REQUIRE(batch);
  const LossJob job{.model = *scene.snapshot->weights, .batch = *batch};
  const MeanLoss untouched = loss_with(job, {});
  const std::vector<Change> heads = every_head(*scene.snapshot->weights);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const MeanLoss with = loss_with(job, {{heads[i]}});
    double mean = 0, square = 0;
    for (std::size_t s = 0; s < 4; ++s) mean += (with.of_sentence[s] - untouched.of_sentence[s]) / 4;
    for (std::size_t s = 0; s < 4; ++s)
      square += std::pow(with.of_sentence[s] - untouched.of_sentence[s] - mean, 2) / 3;
    CHECK(parts.values[i][0] == doctest::Approx(mean));
    CHECK(parts.values[i][2] - parts.values[i][0] == doctest::Approx(1.96 * std::sqrt(square / 4)));
  }

  // By the mean, and without any sentences to take it over.
  REQUIRE(stage.click("Replaced: its mean"));
  REQUIRE(settled(stage));
  CHECK(stage.view().numbers(scene.input())[1].values[5][0] != doctest::Approx(parts.values[5][0]));
  scene.training_text = nullptr;
  stage.frames();
  RecordingCanvas canvas;
  stage.view().picture(canvas, scene.input(), stage.area());
  CHECK(canvas.find("No held-out sentences of this model can be read, so this is not known.") != nullptr);
}

TEST_CASE("a click mutes in place of others, Ctrl-click besides them, and a second click restores") {
  const Change other = mute_head(AttentionKind::encoder, 0, 2), mask = change_of(ChangeKind::causal_mask_off);
  SampleScene scene = scene_of({{other, mask}});
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click(tile_of(kHead)));
  WhatIf wanted;
  REQUIRE(wanted_change(stage.take_commands(), wanted));
  CHECK(wanted == WhatIf{{mask, kHead}});
  CHECK(scene.pinned.kind == AttentionKind::cross);
  CHECK(scene.pinned.layer == 1);
  CHECK(scene.pinned.head == 1);
  REQUIRE(stage.click(tile_of(other)));
  REQUIRE(wanted_change(stage.take_commands(), wanted));
  CHECK(wanted == WhatIf{{mask}});

  const WhatIfChoice choice;
  WhatIfWork aside;
  const ViewInput input = scene.input();
  const WhatIfScene shown = what_if_scene(input, choice, aside, true);
  const std::vector<Change> heads = every_head(*scene.snapshot->weights);
  const auto at = static_cast<std::size_t>(std::ranges::find(heads, kHead) - heads.begin());
  CHECK(clicked_part(shown, at, true) == WhatIf{{other, mask, kHead}});
}

TEST_CASE("sub-blocks and places are muted one by one too") {
  SampleScene scene = scene_of();
  ViewStage stage("what-if", scene);
  REQUIRE(settled(stage));
  REQUIRE(stage.click("Mute each: sub-blocks"));
  REQUIRE(settled(stage));
  const PlainSentence plain = plain_sentence(*scene.result);
  Batch batch;
  batch.source.add(plain.source);
  batch.target_in.add(plain.target_in);
  batch.target_out.add(plain.target_out);
  const LossJob job{.model = *plain.model, .batch = batch, .smoothing = plain.smoothing};
  const auto same = [&](const std::vector<Change>& changes) {
    const NumberTable parts = stage.view().numbers(scene.input())[1];
    REQUIRE(parts.values.size() == changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i)
      CHECK(parts.values[i][0] ==
            doctest::Approx(loss_with(job, {{changes[i]}}).mean - loss_with(job, {}).mean).epsilon(1e-6));
  };
  same(every_sub_block(*plain.model));
  REQUIRE(stage.click("Mute each: layer × place"));
  REQUIRE(settled(stage));
  same(every_place(*plain.model, part_blocks()[0], static_cast<int>(plain.source.size())));
  CHECK(stage.has(tile_of(every_place(*plain.model, part_blocks()[0], 3)[5])));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("a pinned place is compared with the word that is chosen") {
  SampleScene scene = scene_of({{kHead}});
  scene.pin(at_place(2));
  const auto view = make_view("what-if");
  work(*view, scene);
  const auto page = page_of(*view, scene);
  REQUIRE(page);
  REQUIRE(page->sections.size() >= 2);
  const InspectorSection& against = page->sections[1];
  REQUIRE(!against.rows.empty());
  REQUIRE(against.rows.back().link);
  const auto& pin = against.rows.back().link->get<SetPin>().selection;
  REQUIRE(pin.cell);
  CHECK(view->traits().shows(*pin.cell));
  const int word = pin.cell->index.back();
  scene.pin(pin);
  REQUIRE(page_of(*view, scene));
  const PlainSentence plain = plain_sentence(*scene.result);
  const Matrix<double> after = logits_of(without_head(*plain.model, kHead), plain, plain.output);
  const std::string less = format_loss(after(2, plain.output[2]) - after(2, word));
  const RecordingCanvas canvas = drawn(*view, scene);
  CHECK(std::ranges::any_of(canvas.texts, [&](const auto& each) {
    return each.text.starts_with("place 2") && each.text.find("→ " + less) != std::string::npos;
  }));
}

TEST_CASE("the inspector of a muted head says what it does, restores it and opens it") {
  SampleScene scene = scene_of({{kHead}});
  scene.pin(selecting_part({}, kHead));
  const auto view = make_view("what-if");
  work(*view, scene);
  const auto page = page_of(*view, scene);
  REQUIRE(page);
  CHECK(page->caption == "Muted head");
  CHECK(page->subject == "**decoder cross-attention, layer 2, head 2**");
  REQUIRE(page->action);
  CHECK(page->action->label == "Restore it");
  CHECK(page->action->command.get<SetWhatIf>().what_if.empty());
  REQUIRE(page->switches.size() == 1);
  CHECK(page->switches[0].command.get<SetWhatIf>().what_if.changes[0].by == Replacement::mean);
  const PlainSentence plain = plain_sentence(*scene.result);
  const std::string muted = format_loss(loss_by_hand(without_head(*plain.model, kHead), plain));
  REQUIRE(page->sections[0].rows.size() == 3);  // untouched, by 0, by its mean
  CHECK(page->sections[0].rows[1].value == muted);
  Commands commands;
  CHECK(view->key(ViewKey::enter, scene.input(), commands));
  CHECK(commands.back().get<OpenView>().view == "head");
}

TEST_CASE("weights that are not finite are crossed out and said") {
  SampleScene scene = scene_of();
  auto weights = std::make_shared<Transformer<float>>(*scene.snapshot->weights);
  weights->output_projection.bias(5) = std::numeric_limits<float>::quiet_NaN();
  auto snapshot = std::make_shared<Snapshot>(*scene.snapshot);
  snapshot->weights = weights;
  scene.snapshot = snapshot;
  scene.result = run_scene(scene.snapshot, scene.tokenizers, scene.result->scene);
  scene.pin(selecting_part({}, kHead));
  const auto view = make_view("what-if");
  work(*view, scene);
  const auto page = page_of(*view, scene);
  REQUIRE(page);
  CHECK(page->value == "not finite");
  CHECK(in_lines(complaints(*view, scene.input())) == "");
}

TEST_CASE("in the window arrows move over the tiles, Space mutes and restores, Enter opens the head") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .view = "what-if"});
  begin(program);
  program.session().apply({SetPin{selecting_part({}, mute_head(AttentionKind::encoder, 0, 0))}});
  program.frame(2);
  program.press(ui::Key::right);
  program.press(ui::Key::down);
  program.frame(2);
  CHECK(program.session().pinned().head == 1);
  CHECK(program.session().pinned().layer == 1);
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if == WhatIf{{mute_head(AttentionKind::encoder, 1, 1)}});
  program.press(ui::Key::space);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(program.click("Scale off"));
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.has(ChangeKind::scale_off));
  program.press(ui::Key::enter);
  program.frame(2);
  CHECK(program.visible("What if") == false);
}

}  // namespace glassformer
