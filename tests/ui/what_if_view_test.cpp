// What the changes of a Scene do word by word, and what the model loses without each of its parts.
#include <doctest/doctest.h>

#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

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
      // Against the word that wins now, where another one does.
      Eigen::Index wins = 0;
      after.row(row).maxCoeff(&wins);
      if (wins != word) other = static_cast<int>(wins);
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
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  const auto section = std::ranges::find(page.sections, "4 held-out sentences", &InspectorSection::heading);
  REQUIRE(section != page.sections.end());
  REQUIRE(section->rows.size() == 3);
  std::string number = section->rows[1].value;
  if (const auto minus = number.find("−"); minus != std::string::npos) number.replace(minus, 3, "-");
  CHECK(std::stod(number) == doctest::Approx(mean).epsilon(0.02).scale(1e-3));
  CHECK(contains(section->text, "name a place"));
}

TEST_CASE("a pinned word is pinned where the other views have what stands beside it") {
  const SampleScene plain = scene_of();
  const std::vector<int>& untouched = plain.result->decoding.ids;
  REQUIRE(untouched.size() >= 4);
  // A right translation that is not what the model writes: its places are others.
  SampleOptions options;
  options.config = config_of();
  options.what_if = {{kHead}};
  options.sentences[0].target = "la fille";
  SampleScene scene = make_sample_scene(options);
  WhatIfWork working;
  const auto shown = [&](const ViewInput& input) { return what_if_scene(input, {}, working, true); };
  const ViewInput bare = scene.input();
  const WhatIfScene before = shown(bare);
  REQUIRE(before.plain.output == untouched);
  const std::vector<int>& read = scene.result->trace->target_out.front();
  REQUIRE(read.size() < untouched.size());
  int alone = 0;
  for (const OutputColumn& column : aligned(untouched, read)) {
    if (!column.before) continue;
    const Selection pin = selecting_place(before, *column.before);
    CHECK(pin.query == column.after);
    if (!column.after) ++alone;  // beside it is nothing: it is pinned here alone
    scene.pin(pin);
    const ViewInput input = scene.input();
    CHECK(shown(input).place == *column.before);
  }
  CHECK(alone > 0);
}

TEST_CASE("what takes a whole part away or makes the numbers overflow is said") {
  const Config config = config_of();
  const auto subtitle = [&](const WhatIf& what_if) {
    const SampleScene scene = scene_of(what_if, config);
    const ViewInput input = scene.input();
    WhatIfWork working;
    return what_if_subtitle(what_if_scene(input, {}, working, true));
  };
  WhatIf cross, one_left, everything;
  for (int layer = 0; layer < config.decoder_layers; ++layer)
    for (int head = 0; head < config.heads; ++head)
      cross.changes.push_back(mute_head(AttentionKind::cross, layer, head));
  CHECK(subtitle(cross).starts_with("Nothing of the source reaches the decoder"));
  one_left = cross;
  one_left.changes.pop_back();
  CHECK(subtitle(one_left).starts_with("The model runs twice"));
  one_left.changes.push_back(cross.changes.back());
  one_left.changes.back().row = 1;  // at one place alone
  CHECK(subtitle(one_left).starts_with("The model runs twice"));
  for (const ValueName& block : part_blocks())
    for (int layer = 0; layer < config.encoder_layers; ++layer) {
      Change mute = mute_sub_block(block);
      mute.block.layer = layer;
      everything.changes.push_back(mute);
    }
  CHECK(subtitle(everything).starts_with("Nothing but the word before it"));

  // A query and a key whose product no number holds.
  Change query = change_of(ChangeKind::edit_parameter);
  query.parameter = "decoder.layers.0.self_attn.in_proj_weight";
  query.row = query.column = 0;
  query.amount = 1e38;
  Change key = query;
  key.row = config.d_model;
  CHECK(contains(subtitle({{query, key}}), "no longer finite"));
}

TEST_CASE("a loss that overflows on held-out sentences has no interval, and a sentence says so") {
  const Config config = config_of();
  Change value = change_of(ChangeKind::edit_parameter);
  value.parameter = "encoder.layers.0.linear1.weight";
  value.row = value.column = 0;
  value.amount = 3e38;
  Change output = value;
  output.parameter = "encoder.layers.0.linear2.weight";
  const SampleScene scene = scene_of({{value, output}}, config);
  const auto view = make_view("what-if");
  work(*view, scene);
  const InspectorPage page = page_of(*view, scene);
  const InspectorSection* const section = section_of(page, "4 held-out sentences");
  REQUIRE(section);
  REQUIRE(section->rows.size() == 2);
  CHECK(section->rows[1].value == "not finite");
  CHECK(contains(section->text, "neither the mean nor its interval"));
}

TEST_CASE("a mean that is not known is told apart from one that is being taken") {
  Change mean = mute_head(AttentionKind::encoder, 1, 0);
  mean.by = Replacement::mean;
  SampleScene scene = scene_of({{mean}});
  const auto subtitle = [&] {
    const ViewInput input = scene.input();
    WhatIfWork working;
    return what_if_subtitle(what_if_scene(input, {}, working, true));
  };
  CHECK(subtitle().starts_with("The mean is being taken over the held-out sentences"));
  const auto text = std::exchange(scene.training_text, nullptr);
  CHECK(subtitle().starts_with("No held-out sentences are known"));
  scene.training_text = text;
  auto result = std::make_shared<SceneResult>(*scene.result);
  const auto batch = measuring_batch(text->held_out, scene.tokenizers, scene.snapshot->config);
  result->scene.substitutes.means =
      std::make_shared<const ValueMeans>(mean_values(*scene.snapshot->weights, *batch));
  scene.result = result;
  CHECK(subtitle().starts_with("The model runs twice"));
}

TEST_CASE("with the future in sight two losses are told apart") {
  const SampleScene scene = scene_of({{change_of(ChangeKind::causal_mask_off)}});
  const auto view = make_view("what-if");
  work(*view, scene);
  const InspectorPage page = page_of(*view, scene);
  const InspectorSection* const section = section_of(page, "The future in sight");
  REQUIRE(section);
  CHECK(section->rows[1].value == format_loss(scene.result->trace->sentence_loss[0]));
  CHECK(section->rows[0].value != section->rows[1].value);
}

TEST_CASE("a pinned place is compared with the word that is chosen") {
  SampleScene scene = scene_of({{kHead}});
  scene.pin(at_place(2));
  const auto view = make_view("what-if");
  work(*view, scene);
  const InspectorPage page = page_of(*view, scene);
  REQUIRE(page.sections.size() >= 2);
  const InspectorSection& against = page.sections[1];
  REQUIRE(!against.rows.empty());
  REQUIRE(against.rows.back().link);
  const auto& pin = against.rows.back().link->get<SetPin>().selection;
  REQUIRE(pin.cell);
  CHECK(view->traits().shows(*pin.cell));
  const int word = pin.cell->index.back();
  scene.pin(pin);
  page_of(*view, scene);
  const PlainSentence plain = plain_sentence(*scene.result);
  const Matrix<double> after = logits_of(without_head(*plain.model, kHead), plain, plain.output);
  const std::string less = format_loss(after(2, plain.output[2]) - after(2, word));
  const RecordingCanvas canvas = drawn(*view, scene);
  CHECK(std::ranges::any_of(canvas.texts, [&](const auto& each) {
    return each.text.starts_with("place 2") && contains(each.text, "→ " + less);
  }));
}

TEST_CASE("the inspector of a muted head says what it does, restores it and opens it") {
  SampleScene scene = scene_of({{kHead}});
  scene.pin(selecting_part({}, kHead));
  const auto view = make_view("what-if");
  work(*view, scene);
  const InspectorPage page = page_of(*view, scene);
  CHECK(page.caption == "Muted head");
  CHECK(page.subject == "**cross 2, head 2**");
  REQUIRE(page.action);
  CHECK(page.action->label == "Restore it");
  CHECK(page.action->command.get<SetWhatIf>().what_if.empty());
  REQUIRE(page.switches.size() == 1);
  CHECK(page.switches[0].command.get<SetWhatIf>().what_if.changes[0].by == Replacement::mean);
  const PlainSentence plain = plain_sentence(*scene.result);
  const std::string muted = format_loss(loss_by_hand(without_head(*plain.model, kHead), plain));
  REQUIRE(page.sections[0].rows.size() == 3);  // untouched, by 0, by its mean
  CHECK(page.sections[0].rows[1].value == muted);
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
  const InspectorPage page = page_of(*view, scene);
  CHECK(page.value == "not finite");
  CHECK(in_lines(complaints(*view, scene.input())) == "");
}

TEST_CASE("a word that another replaces is named as it was") {
  Change swap = change_of(ChangeKind::swap_words);
  swap.row = 2, swap.column = kEverywhere;
  SampleScene scene = scene_of();
  swap.numbers = {scene.result->trace->source.front()[0]};
  const std::string first = scene.result->source_words[0], third = scene.result->source_words[2];
  REQUIRE(first != third);
  scene = scene_of({{swap}});
  const auto view = make_view("what-if");
  work(*view, scene);
  CHECK(contains(view->caption(scene.input()), "“" + third + "” becomes “" + first + "”"));
}

}  // namespace glassformer::what_if_test
