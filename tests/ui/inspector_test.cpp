#include "app/inspector/inspector.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "app/inspector/pages.h"
#include "app/views/view_table.h"
#include "engine/model/parameter_counts.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// "−1.250" -> -1.25
double number_of(const std::string& text) {
  return std::stod(to_file_text(text));
}

std::string last_formula(const InspectorPage& page) {
  for (const InspectorSection& section : page.sections)
    if (section.heading == "How it was computed" && !section.formulas.empty())
      return formula_as_text(section.formulas.back());
  return {};
}

std::vector<CellRef> links_of(const InspectorPage& page, const std::string& heading) {
  std::vector<CellRef> cells;
  const InspectorSection* section = section_of(page, heading);
  if (section == nullptr) return cells;
  for (const InspectorRow& row : section->rows)
    if (row.link) cells.push_back(row.link->get<SetPin>().selection.cell.value());
  return cells;
}

// One cell near the start of every tensor, and the same for another head and row where there are.
std::vector<CellRef> some_cells(const Trace& trace) {
  std::vector<CellRef> cells;
  for (const auto& [name, tensor] : trace.tensors) {
    for (const int step : {0, 2}) {
      CellRef cell{name, {}};
      for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        const bool batch = axis == 0 && !name.ends_with(".positions");
        cell.index.push_back(batch ? 0 : std::min(step, tensor.shape[axis] - 1));
      }
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

Config four_heads() {
  Config config;
  config.d_model = 16;
  config.heads = 4;
  config.d_ff = 24;
  return config;
}

std::vector<Config> configurations() {
  std::vector<Config> configs(10, four_heads());
  configs[1].norm = NormPlace::pre;
  configs[1].final_norm = true;
  configs[1].activation = Activation::gelu;
  configs[1].positions = PositionKind::learned;
  configs[2].attention_bias = configs[2].output_bias = configs[2].attention_scale =
      configs[2].scale_embeddings = false;
  configs[2].embedding_norm = true;
  configs[2].sharing = Sharing::output;
  configs[3].positions = PositionKind::none;
  configs[3].activation = Activation::swish;
  configs[3].norm = NormPlace::pre;
  configs[3].source_eos = false;
  configs[4].positions = PositionKind::rotary;
  configs[5].positions = PositionKind::alibi;
  configs[6].norm_kind = configs[7].norm_kind = NormKind::rms;
  configs[6].embedding_norm = configs[7].final_norm = true;
  configs[7].norm = NormPlace::pre;
  configs[8].feed_forward = configs[9].feed_forward = FeedForwardKind::swiglu;
  configs[9].norm = NormPlace::pre;
  return configs;
}

TEST_CASE("every value of the trace has a page, and its formula gives the number shown") {
  for (const Config& config : configurations()) {
    const SampleScene scene = make_sample_scene({.config = config});
    const ViewInput input = scene.input();
    for (const CellRef& cell : some_cells(*scene.result->trace)) {
      CAPTURE(cell.name);
      const double value = scene.result->trace->at(cell.name).at(cell.index);
      const InspectorPage page = describe_cell(input, cell);
      CHECK(page.value == value_text(value));
      CHECK(page.name == cell.name);
      CHECK(number_of(page.full_value) == doctest::Approx(value));
      CHECK((!page.meaning.empty() || !page.paper.empty()));
      // A formula recomputed from its operands that misses the trace's value is shown as a change.
      const InspectorSection* changed = section_of(page, "Changed by a what-if");
      CHECK_MESSAGE(changed == nullptr, cell.name, ": ", changed ? changed->rows[0].value : "", " is not ",
                    page.value);
      const std::string formula = last_formula(page);
      if (std::isfinite(value))
        CHECK_MESSAGE(contains(formula, page.value.substr(0, page.value.size() - 1)), formula);
    }
  }
}

TEST_CASE("what padding gets and gives in an attention is told by the same formulas") {
  for (const bool dropped : {false, true}) {
    SampleOptions options;
    options.config = four_heads();
    options.what_if.set(change_of(ChangeKind::padding_mask_off), dropped);
    options.sharpness = 0.5f;
    const SampleScene scene = make_sample_scene(options);
    const ViewInput input = scene.input();
    for (const auto& [name, tensor] : scene.result->trace->tensors) {
      if (!read_attention_name(name)) continue;
      CellRef last{name, {}};
      for (const int extent : tensor.shape) last.index.push_back(extent - 1);
      last.index[0] = 1;  // a short sentence
      const CellRef first{name, std::vector<int>(last.index.size(), 0)};
      for (const CellRef& cell : {last, first}) {
        const InspectorPage page = describe_cell(input, cell);
        CAPTURE(page.name);
        CHECK(section_of(page, "How it was computed") != nullptr);
        CHECK(section_of(page, "Changed by a what-if") == nullptr);
      }
    }
  }
}

TEST_CASE("every weight of the model has a page") {
  const SampleScene scene = make_sample_scene({.config = four_heads()});
  const ViewInput input = scene.input();
  for (const ParameterView& weight : parameters(*scene.snapshot->weights)) {
    CAPTURE(weight.name);
    const std::vector<int> last = weight.shape.size() == 2
                                      ? std::vector<int>{weight.rows() - 1, weight.columns() - 1}
                                      : std::vector<int>{weight.columns() - 1};
    const InspectorPage page = describe_cell(input, {weight.name, last});
    CHECK(page.value == value_text(weight.data[weight.size() - 1]));
    CHECK(page.paper == "Paper, section 5.3");
  }
}

TEST_CASE("the printed fraction of an attention weight is the weight") {
  const SampleScene scene = make_sample_scene({.config = four_heads(), .sharpness = 1});
  for (int key = 0; key < 8; ++key) {
    const InspectorPage page =
        describe_cell(scene.input(), {"decoder.layers.1.cross_attn.weights", {0, 1, 3, key}});
    CHECK(page.caption == "Attention weight");
    CHECK(page.subject.starts_with("after **fatiguée**, writing **voit**, it reads **"));
    CHECK(page.index == "[1, 3, " + std::to_string(key) + "] of 4 × 8 × 8");
    const std::string line = last_formula(page);  // "= 1.23456 / 8.91011 = 0.1385"
    const size_t slash = line.find(" / "), equals = line.rfind(" = ");
    const double above = number_of(line.substr(2, slash - 2)),
                 below = number_of(line.substr(slash + 3, equals - slash - 3));
    CHECK(std::abs(above / below - number_of(page.value)) < 0.00006);
  }
}

TEST_CASE("the whole row of a weight adds up to one and leads to each of its weights") {
  const SampleScene scene = make_sample_scene();
  const InspectorPage page =
      describe_cell(scene.input(), {"encoder.layers.0.self_attn.weights", {0, 0, 2, 1}});
  const InspectorSection* row = section_of(page, "The whole row");
  REQUIRE(row != nullptr);
  CHECK(row->note == "sum 1.000");
  REQUIRE(row->rows.size() == 8);
  double sum = 0;
  for (size_t key = 0; key < row->rows.size(); ++key) {
    sum += *row->rows[key].share;
    const Selection to = row->rows[key].link->get<SetPin>().selection;
    CHECK(to.kind == AttentionKind::encoder);
    CHECK(to.key == static_cast<int>(key));
    CHECK(to.cell == CellRef{"encoder.layers.0.self_attn.weights", {0, 0, 2, static_cast<int>(key)}});
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(row->rows[1].emphasized);
  CHECK(row->rows[0].label == "the");
}

TEST_CASE("a row that gives to unmasked padding says how much") {
  SampleOptions options;
  options.what_if.changes.push_back(change_of(ChangeKind::padding_mask_off));
  options.sharpness = 0.5f;
  const SampleScene scene = make_sample_scene(options);
  const InspectorPage page =
      describe_cell(scene.input(), {"encoder.layers.0.self_attn.weights", {1, 0, 2, 1}});
  const InspectorSection* row = section_of(page, "The whole row");
  REQUIRE(row != nullptr);
  const size_t takes = row->text.find("The padding behind the sentence takes ");
  REQUIRE(takes != std::string::npos);
  CHECK(number_of(row->note.substr(4)) + number_of(row->text.substr(takes + 38)) ==
        doctest::Approx(1).epsilon(0.002));
}

TEST_CASE("the printed pairs of a product, the rest of them and the bias add up to it") {
  const SampleScene scene = make_sample_scene({.config = four_heads()});
  const InspectorPage head =
      describe_cell(scene.input(), {"decoder.layers.0.self_attn.dot_products", {0, 1, 5, 4}});
  CHECK(head.subject == "**une** asks **voit**");
  const InspectorPage unit =
      describe_cell(scene.input(), {"decoder.layers.0.feed_forward.pre_activation", {0, 2, 3}});
  for (const InspectorPage& page : {head, unit}) {
    double sum = 0;
    int pairs = 0;
    for (const Formula& formula : page.sections.at(0).formulas) {
      const std::string line = formula_as_text(formula);
      const std::string sign = " × ";
      const size_t times = line.find(sign);
      const double first =
          line.size() > 2 && (times != line.npos || line.starts_with("+ ")) ? number_of(line.substr(2)) : 0;
      sum += times == line.npos ? first : first * number_of(line.substr(times + sign.size()));
      pairs += times != line.npos;
    }
    CHECK(pairs == 4);
    CHECK(std::abs(sum - number_of(page.value)) < 0.01);
  }
}

TEST_CASE("following the operands of an attention weight ends at weights of the model and token ids") {
  const SampleScene scene = make_sample_scene({.config = four_heads()});
  const ViewInput input = scene.input();
  std::deque<CellRef> open{{"decoder.layers.1.cross_attn.weights", {0, 1, 3, 3}}};
  std::set<std::pair<std::string, std::vector<int>>> seen;
  std::set<std::string> names;
  while (!open.empty() && seen.size() < 3000) {
    const CellRef cell = open.front();
    open.pop_front();
    if (!seen.insert({cell.name, cell.index}).second) continue;
    names.insert(cell.name);
    const InspectorPage page = describe_cell(input, cell);
    CHECK_MESSAGE(page.caption != "Not in this sentence", cell.name, " ", page.index);
    for (const CellRef& next : links_of(page, "Comes from")) open.push_back(next);
  }
  for (const char* end :
       {"source_embedding.weight", "target_embedding.weight", "source.positions",
        "encoder.layers.0.self_attn.in_proj_weight", "decoder.layers.1.multihead_attn.in_proj_weight",
        "encoder.layers.0.linear1.weight", "encoder.layers.1.norm2.weight", "memory"})
    CHECK_MESSAGE(names.count(end) == 1, std::string(end));
}

TEST_CASE("a hidden word has weight zero and the page says why") {
  const SampleScene scene = make_sample_scene();
  const InspectorPage page =
      describe_cell(scene.input(), {"decoder.layers.0.self_attn.weights", {0, 0, 2, 5}});
  CHECK(number_of(page.value) == 0);
  CHECK(contains(page.sections.at(0).text, "hidden"));
  const InspectorPage score =
      describe_cell(scene.input(), {"decoder.layers.0.self_attn.masked_scores", {0, 0, 2, 5}});
  CHECK(score.value == "\u2212∞");
  CHECK(contains(score.meaning, "not yet written"));
}

TEST_CASE("a what-if that changes a value is told beside the formula") {
  SampleOptions options;
  options.what_if.changes = {mute_head(AttentionKind::cross, 0, 1)};
  const SampleScene scene = make_sample_scene(options);
  int shown = 0;
  for (int column = 0; column < 4; ++column) {
    for (const char* part : {".weights", ".context"}) {
      const InspectorPage page = describe_cell(
          scene.input(), {std::string("decoder.layers.0.cross_attn") + part, {0, 1, 3, column}});
      shown += section_of(page, "Changed by a what-if") != nullptr;
    }
  }
  CHECK(shown > 0);
}

TEST_CASE("the mean over heads lists the heads it is made of") {
  const SampleScene scene = make_sample_scene();
  const InspectorPage page =
      describe_cell(scene.input(), {"decoder.layers.0.cross_attn.weights", {0, -1, 3, 2}});
  double mean = 0;
  REQUIRE(page.sections.at(0).rows.size() == 4);
  for (const InspectorRow& row : page.sections[0].rows) mean += *row.share / 4;
  CHECK(page.value == value_text(mean));
}

TEST_CASE("a cell outside the sentence says so") {
  const SampleScene scene = make_sample_scene();
  CHECK(describe_cell(scene.input(), {"decoder.layers.0.cross_attn.weights", {0, 0, 400, 0}}).caption ==
        "Not in this sentence");
  CHECK(describe_cell(scene.input(), {"no.such.name", {0}}).caption == "Not in this sentence");
}

TEST_CASE("a share in a sentence is never rounded to nothing or to everything") {
  CHECK(share_words(0.7) == "70 %");
  CHECK(share_words(0.0432) == "4.3 %");
  CHECK(share_words(0.0002) == "under 0.1 %");
  CHECK(share_words(0.9991) == "over 99 %");
  CHECK(share_words(1) == "100 %");
  CHECK(share_words(0) == "nothing");
}

TEST_CASE("a negative number behind a sign stands in brackets") {
  CHECK(bracketed_text(-0.25) == "(−0.2500)");
  CHECK(bracketed_text(0.25) == "0.2500");
}

bool shows(std::string_view view, const CellRef& cell) {
  const auto entry = std::ranges::find(view_table(), view, &ViewEntry::name);
  REQUIRE(entry != view_table().end());
  return entry->make()->traits().shows(cell);
}

TEST_CASE("a pin fits the views that draw its number") {
  const CellRef weight{"decoder.layers.0.cross_attn.weights", {0, 0, 1, 2}};
  CHECK(shows("attention", weight));
  CHECK(shows("masks", weight));
  CHECK_FALSE(shows("embedding", weight));
  CHECK_FALSE(shows("output", weight));
  CHECK(shows("output", {"token_loss", {0, 1}}));
  CHECK(shows("positions", {"source.positions", {1, 2}}));
  CHECK(shows("embedding", {"source.embedding", {0, 1, 2}}));
  CHECK(shows("parameters", {"encoder.layers.0.linear1.weight", {1, 2}}));
  CHECK_FALSE(shows("parameters", weight));
  CHECK(shows("head", {"encoder.layers.0.self_attn.query", {0, 1, 2}}));
  CHECK(shows("lookup", weight));
  CHECK(shows("block", {"encoder.layers.0.feed_forward.hidden", {0, 1, 2}}));
  CHECK_FALSE(shows("block", weight));
  const CellRef gradient{weight.name, weight.index, true};
  CHECK(shows("walk", gradient));
  CHECK(shows("cell", gradient));
  CHECK_FALSE(shows("attention", gradient));
  CHECK_FALSE(shows("training", weight));
}

TEST_CASE("a selection of query and key without a cell means their weight") {
  Selection selection;
  CHECK(!selected_cell(selection));
  selection.query = 3;
  selection.key = 2;
  selection.layer = 1;
  CHECK(selected_cell(selection) == CellRef{"decoder.layers.1.cross_attn.weights", {0, 0, 3, 2}});
}

}  // namespace
}  // namespace glassformer
