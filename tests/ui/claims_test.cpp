// What pictures, captions and the inspector say, for Scenes of every kind: claims that can be computed hold.
#include <doctest/doctest.h>

#include <cctype>
#include <functional>
#include <set>

#include "app/inspector/inspector.h"
#include "app/inspector/overview_pages.h"
#include "app/views/view_table.h"
#include "engine/model/steps/step_text.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

struct SaidThere {
  std::string view, text;
};

void add_page(std::vector<SaidThere>& all, const std::string& view, const InspectorPage& page) {
  for (const std::string& text : {page.caption, page.subject, page.value, page.meaning})
    all.push_back({view, text});
  for (const InspectorSection& section : page.sections) {
    for (const std::string& text : {section.heading, section.note, section.text}) all.push_back({view, text});
    for (const InspectorRow& row : section.rows) {
      all.push_back({view, row.label});
      all.push_back({view, row.value});
    }
  }
}

// What a view says as it is: its picture, its caption, its page of the inspector.
void add_view(std::vector<SaidThere>& all, const std::string& name, const View& view,
              const ViewInput& input) {
  RecordingCanvas canvas(light_theme(), true);  // as a file: nothing is still being computed
  view.picture(canvas, input, area_for(view, input, {1000, 704}));
  for (const RecordingCanvas::Text& text : canvas.texts) all.push_back({name, text.text});
  for (const HitRegion& region : canvas.regions) all.push_back({name, region.tooltip});
  all.push_back({name, view.caption(input)});
  if (const auto page = view.inspect(input)) add_page(all, name, *page);
}

// Every text of every view, behind each of its switches and choices.
std::vector<SaidThere> all_said(SampleScene& scene) {
  std::vector<SaidThere> all;
  const ViewInput input = scene.input();
  for (const ViewEntry& entry : view_table()) {
    ViewStage stage(entry.name, scene, {1000, 704});
    add_view(all, entry.name, stage.view(), input);
    std::set<std::pair<std::string, std::string>> done;
    for (bool more = true; more;) {
      more = false;
      for (const auto& choice : stage.choices()) {
        if (!done.insert(choice).second) continue;
        stage.set(choice.first, choice.second);
        add_view(all, std::string(entry.name) + ", " + choice.first + ": " + choice.second, stage.view(),
                 input);
        more = true;
        break;  // another page has other choices
      }
    }
  }
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    Selection selection{.kind = kind};
    SampleScene pinned = scene;
    pinned.pin(selection);
    add_page(all, "inspector", attention_overview(pinned.input(), selection));
    selection.query = selection.key = 1;
    pinned.pin(selection);
    add_page(all, "inspector", describe_cell(pinned.input(), *selected_cell(selection)));
  }
  for (const char* name : {"logits", "log_probabilities", "smoothed_target"})
    add_page(all, "inspector", describe_cell(input, {name, {0, 1, 5}}));
  add_page(all, "inspector", describe_cell(input, {"token_loss", {0, 1}}));
  return all;
}

std::vector<std::string> broken(const std::vector<SaidThere>& all,
                                const std::function<bool(const std::string&)>& wrong) {
  std::vector<std::string> found;
  for (const SaidThere& each : all)
    if (wrong(each.text)) found.push_back(each.view + ": " + each.text);
  return found;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// "-3" where a number begins; not "2-layer" nor "x-1".
bool has_ascii_minus(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '-' && is_digit(text[i + 1]) && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '('))
      return true;
  return false;
}

// Five digits in a row, or four in a whole number: "3200". Decimals, the paper's 10000, the year of a
// source ("2017, ") and options are left out.
bool lacks_thousands(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    const bool decimals = start > 0 && text[start - 1] == '.';
    const bool year = i - start == 4 && text[start] <= '2' && text.substr(i, 2) == ", ";
    const bool option = start > 0 && text[start - 1] == '=';  // "--steps=2500"
    if (!decimals && !year && !option && i - start >= 4 && text.substr(start, i - start) != "10000")
      return true;
  }
  return false;
}

SampleScene without_target(SampleOptions options = {}) {
  for (SceneSentence& sentence : options.sentences) sentence.reference.reset();
  return make_sample_scene(options);
}

SampleScene with_positions(PositionKind kind) {
  SampleOptions options;
  options.config.positions = kind;
  return make_sample_scene(options);
}

std::vector<std::pair<std::string, SampleScene>> scenes() {
  std::vector<std::pair<std::string, SampleScene>> all;
  all.emplace_back("untouched", make_sample_scene());
  all.emplace_back("no target", without_target());
  SampleOptions off;
  off.what_if.changes = {change_of(ChangeKind::causal_mask_off), change_of(ChangeKind::padding_mask_off)};
  all.emplace_back("masks off", make_sample_scene(off));
  SampleOptions typed;
  typed.sentences[0].target = "le chat voit";
  all.emplace_back("typed target", make_sample_scene(typed));
  all.emplace_back("rotary", with_positions(PositionKind::rotary));
  all.emplace_back("ALiBi", with_positions(PositionKind::alibi));
  all.emplace_back("no positions", with_positions(PositionKind::none));
  all.emplace_back("pre-norm, learned positions, GELU",
                   sample_scene("norm pre final_norm true positions learned activation gelu"));
  all.emplace_back("no scales, characters",
                   sample_scene("attention_scale false scale_embeddings false tokenizer char"));
  SampleOptions relu;
  relu.config.attention_activation = AttentionActivation::relu;
  all.emplace_back("ReLU in place of the softmax", make_sample_scene(relu));
  SampleOptions rms;
  rms.config.norm_kind = NormKind::rms;
  rms.config.embedding_norm = true;
  all.emplace_back("RMSNorm", make_sample_scene(rms));
  all.emplace_back("SwiGLU", sample_scene("feed_forward swiglu"));
  SampleOptions changed;
  changed.what_if.changes = {change_of(ChangeKind::positions_off), change_of(ChangeKind::scale_off),
                             mute_head(AttentionKind::cross, 0, 0)};
  all.emplace_back("positions and scale off, a head muted", make_sample_scene(changed));
  SampleScene trained = make_sample_scene();
  add_run(trained, 3200, 0.3);
  all.emplace_back("a run", std::move(trained));
  if (auto bundled = bundled_scene("The cat saw a Zoo.")) all.emplace_back("bundled", std::move(*bundled));
  return all;
}

TEST_CASE("claims that can be computed hold in every view") {
  for (auto& [name, scene] : scenes()) {
    const std::string of_scene = name;
    CAPTURE(of_scene);
    const std::vector<SaidThere> all = all_said(scene);
    REQUIRE(all.size() > 200);
    const auto check = [&](const std::function<bool(const std::string&)>& wrong) {
      const auto found = broken(all, wrong);
      CHECK_MESSAGE(found.empty(), in_lines(found));
    };
    const SceneSentence& first = scene.result->scene.sentences.front();
    if (!first.target && !first.reference)
      check([](const std::string& text) { return contains(text, "right word"); });
    else
      check([](const std::string& text) { return contains(text, "own word"); });
    if (scene.result->scene.what_if.has(ChangeKind::causal_mask_off))
      check([](const std::string& text) {
        return contains(text, "stays hidden") || contains(text, "hide the padding") ||
               contains(text, "hides the words not yet written");
      });
    const Config& config = scene.snapshot->config;
    if (config.positions == PositionKind::none || scene.result->scene.what_if.has(ChangeKind::positions_off))
      check([](const std::string& text) {
        return contains(text, "position is added") || contains(text, "positions are added");
      });
    if (!config.scale_embeddings)
      check([](const std::string& text) { return contains(text, "multiplied by √d"); });
    if (!config.attention_scale || scene.result->scene.what_if.has(ChangeKind::scale_off))
      check([](const std::string& text) {
        return contains(text, "divided by √k") && !contains(text, "not divided by √k");
      });
    if (config.attention_activation == AttentionActivation::relu)
      check([](const std::string& text) {
        return contains(text, "sums to 1") || contains(text, "sum to 1.") ||
               contains(text, "of its attention") || contains(text, "weights = softmax");
      });
    if (config.norm_kind == NormKind::rms)
      check([](const std::string& text) {
        return (contains(text, "LayerNorm") && !contains(text, "Unlike LayerNorm")) ||
               contains(text, "mean 0 and") || contains(text, "deviation of the row") ||
               contains(text, "scaled and shifted") || contains(text, "γ + β");
      });
    if (config.feed_forward == FeedForwardKind::swiglu)
      check([](const std::string& text) {
        return contains(text, "two matrices") || contains(text, " fires for") ||
               contains(text, "stays silent") || contains(text, "before the activation") ||
               contains(text, "feed-forward units") || contains(text, "as often as its key") ||
               contains(text, "b_1") || contains(text, "b_2");
      });
    if (scene.snapshot->step == 0)
      check([](const std::string& text) { return contains(text, "all of them learned"); });
    check(has_ascii_minus);
    check(lacks_thousands);
  }
}

TEST_CASE("what a step says of itself holds for every Scene") {
  for (const auto texts : {embedding_texts(), attention_texts(), feed_forward_texts(), layer_texts(),
                           output_texts(), update_texts()}) {
    for (const StepText& text : texts) {
      const std::string why(text.why);
      CAPTURE(why);
      for (const char* words :
           {"right word", "Right word", "order of 1", "were learned", "evenly", "has seen", "0 everywhere"})
        CHECK_FALSE(contains(why, words));
    }
  }
}

TEST_CASE("the Tokens view shows what the model reads") {
  const auto bundled = bundled_scene("The cat saw a Zoo.");
  if (!bundled) return;
  const RecordingCanvas canvas = picture_of(*make_view("tokens"), bundled->input(), {0, 0, 1000, 704}, true);
  CHECK(canvas.find("read as") != nullptr);
  for (std::size_t i = 0; i < bundled->result->source_pieces.size(); ++i)
    CHECK(pinned_by(canvas, "source piece " + std::to_string(i)).key == static_cast<int>(i));
  CHECK_FALSE(live_part(canvas, "source piece " + std::to_string(bundled->result->source_pieces.size())));
}

}  // namespace
}  // namespace glassformer
