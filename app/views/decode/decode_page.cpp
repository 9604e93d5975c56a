// What the inspector says of one node: what else was probable there, why it won or was cut.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/decode/decode.h"
#include "app/widgets/colormap.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

InspectorSection most_probable(const DecodeScene& scene, BeamPlace place) {
  const BeamStep& step = scene.record().steps[static_cast<std::size_t>(place.step)];
  const BeamNode& node = scene.record().at(place);
  InspectorSection section{.heading = "The five most probable here",
                           .note = "of " + format_count(scene.input.snapshot.config.target_vocab)};
  for (const BeamBeginning& beginning : step.beginnings) {
    if (beginning.node != node.parent) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, beginning.top.size()); ++i) {
      const Candidate& word = beginning.top[i];
      const double p = std::exp(word.log_probability);
      section.rows.push_back({.label = target_word(scene.input, word.id),
                              .value = format_fixed(p, 3),
                              .share = std::isfinite(p) ? p : 0,
                              .emphasized = word.id == node.id});
    }
  }
  if (section.rows.size() < 5) section.heading = "The most probable here";
  const std::vector<int>& forbidden = scene.input.snapshot.config.forbidden_ids;
  for (const int id : forbidden)
    section.rows.push_back({.label = target_word(scene.input, id), .value = "not allowed"});
  if (!forbidden.empty()) section.text = "Shares among what is allowed; those in Output are among all.";
  return section;
}

// The best sentence that continues from a node.
const BeamFinish* best_end(const BeamRecord& record, BeamPlace from) {
  for (const BeamFinish& finish : record.finished)
    for (std::optional<BeamPlace> at = finish.place; at; at = record.before(*at))
      if (*at == from) return &finish;
  return nullptr;
}

std::string padded(const std::string& number) {
  std::size_t signs = 0;  // code points
  for (const char c : number) signs += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return std::string(signs < 9 ? 9 - signs : 1, ' ') + number;
}

// The word beside the best other one behind the same beginning, each with the best sentence it led to.
std::optional<InspectorSection> against_other(const DecodeScene& scene, BeamPlace place) {
  const BeamRecord& record = scene.record();
  const BeamNode& node = record.at(place);
  const BeamFinish* own = best_end(record, place);
  const BeamFinish* other = nullptr;
  const BeamNode* rival = nullptr;
  const auto& nodes = record.steps[static_cast<std::size_t>(place.step)].considered;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    const BeamNode& each = nodes[static_cast<std::size_t>(i)];
    if (each.parent != node.parent || i == place.node) continue;
    const BeamFinish* end = best_end(record, {place.step, i});
    if (end && (!other || end->score > other->score)) {
      other = end;
      rival = &each;
    }
  }
  if (!own || !other) return std::nullopt;
  const std::string first = target_word(scene.input, node.id), second = target_word(scene.input, rival->id);
  InspectorSection section{
      .heading = own->score >= other->score ? "Why it still wins" : "Why it does not win",
      .note = first + " …, " + second + " …"};
  const auto row = [&](std::string label, double a, double b, bool strong = false) {
    section.rows.push_back({.label = std::move(label),
                            .value = format_fixed(a, 3) + padded(format_fixed(b, 3)),
                            .emphasized = strong});
  };
  row("log p of this word", node.log_probability, rival->log_probability);
  row("log p of those after", own->total - node.total, other->total - rival->total);
  row("sum, all words", own->total, other->total);
  row("penalty", own->penalty, other->penalty);
  row("score", own->score, other->score, true);
  const bool likelier = node.log_probability > rival->log_probability;
  const bool wins = own->score >= other->score;
  if (likelier == wins)
    section.text = "“" + first + "” is " + (likelier ? "more" : "less") + " probable than “" + second +
                   "” here, and its best sentence ends with the " + (wins ? "better" : "worse") + " score.";
  else
    section.text = "“" + (likelier ? first : second) +
                   "” looks better here, but its best sentence ends with the worse score.";
  return section;
}

InspectorSection forcing_section(const std::string& beginning) {
  return {.heading = "Force it",
          .text = "F keeps “" + beginning +
                  "”: the beginning becomes a change, and the search goes on from there.",
          .for_hands = true};
}

}  // namespace

InspectorPage decode_page(const DecodeScene& scene) {
  const int index = *scene.explained;
  const BeamPlace place = scene.tree.nodes[static_cast<std::size_t>(index)].place;
  const BeamNode& node = scene.record().at(place);
  std::vector<int> words = scene.record().words(place);
  const std::vector<int> before(words.begin(), words.end() - 1);
  InspectorPage page;
  page.caption = "Candidate at step " + std::to_string(place.step + 1);
  page.subject =
      (before.empty() ? "after " + start_word(scene.input) + " " : "after " + scene.words(before) + " ") +
      "**" + scene.word(index) + "**";
  const double p = std::exp(node.log_probability);
  if (std::isfinite(p)) page.swatch = cividis(p);
  page.value = format_pinned(p);
  page.full_value = format_full(p);

  InspectorSection state{
      .heading = "Where it stands",
      .note = "of " +
              std::to_string(scene.record().steps[static_cast<std::size_t>(place.step)].considered.size())};
  state.rows = {{.label = "log p of this word", .value = format_fixed(node.log_probability, 3)},
                {.label = "sum so far", .value = format_fixed(node.total, 3)},
                {.label = "rank at this step", .value = ordinal(place.node + 1)}};
  state.text = cut_words(scene, index);
  if (!state.text.empty()) state.text = "Cut: " + state.text + ".";
  if (state.text.starts_with("Cut: cut")) state.text = "It is " + state.text.substr(5);
  page.sections = {state, most_probable(scene, place)};
  if (auto section = against_other(scene, place)) page.sections.push_back(std::move(*section));
  if (node.id != scene.input.snapshot.config.eos_id) {
    page.action = InspectorAction{"Force “" + scene.word(index) + "”",
                                  SetWhatIf{forcing(scene.input.result.scene.what_if, words)}};
    page.sections.push_back(forcing_section(scene.words(words)));
  }
  page.sections.push_back(
      {.heading = "Several models",
       .text =
           "An ensemble asks several models for the next word and takes the mean of their probabilities, at "
           "the cost of as many decodings. The paper takes the mean of one model’s last weights instead, "
           "which costs no more than one."});
  page.meaning =
      "A beam keeps the best beginnings side by side. A word that is not the most probable one can still "
      "begin the best sentence.";
  page.paper = "Paper, section 6.1";
  return page;
}

namespace {

constexpr int kMostWidth = 16;
constexpr double kMostAlpha = 1.2;

std::string node_label(const TreeNode& node) {
  return "beam step " + std::to_string(node.place.step + 1) + " rank " + std::to_string(node.place.node + 1);
}

}  // namespace

void DecodeView::want(ui::Ui& ui, const ViewInput& input, const BeamKey& key) {
  own_ = BeamKey{.width = key.width, .alpha = key.alpha, .penalty = key.penalty};
  DecodeOptions options = input.result.scene.decode;
  if (options.search != Search::beam) return ui.ask_frame(0);
  options.beam = key.width;
  options.alpha = key.alpha;
  options.penalty = key.penalty;
  ui.push(SetDecode{options});
}

void DecodeView::choose_page(ui::Ui& ui, const Rect& area, std::string_view title) {
  const float width = ui.segmented_width({"Beam", "Computed anew", "Sampling"});
  const StageHead head(ui, area, title, {width, 32});
  int page = static_cast<int>(page_);
  if (!Segmented(ui, head.control(), "Decode", {"Beam", "Computed anew", "Sampling"}, page)) return;
  page_ = static_cast<DecodePage>(page);
  turn_to_top(ui);
  ui.ask_frame(0);
}

void DecodeView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (cache_->busy() || uses_->busy() || sampling_.busy()) ui.ask_frame(0.02);
  if (page_ == DecodePage::cache) return choose_page(ui, area, kCacheTitle);
  if (page_ == DecodePage::sampling) {
    sampling_controls(ui, area, sampling_scene(input, sampling_, false), sampling_);
    return choose_page(ui, area, kSamplingTitle);
  }
  const DecodeScene now = scene(input, false);
  choose_page(ui, area, beam_title(now));
  const DecodeLayout at = layout_decode(area, now);
  BeamKey key = wanted(input);
  const TextStyle name{.size = 14, .color = ui.theme().ink};
  const float y = at.controls.center().y;
  float x = at.controls.x;
  const auto said = [&](std::string_view text) {
    ui.canvas().text({x, y}, text, name);
    x += ui.text_width(text) + 10;
  };

  said("Width");
  std::vector<std::string> offered;
  for (int width = 1; width <= kMostWidth; ++width) offered.push_back(std::to_string(width));
  int chosen = key.width - 1;
  constexpr float widths = 68;
  if (Combo(ui, {x, at.controls.y, widths, 32}, "Beam width", offered, chosen)) {
    key.width = chosen + 1;
    want(ui, input, key);
  }
  x += widths + 20;

  said("Penalty");
  int form = key.penalty == LengthPenalty::paper ? 0 : 1;
  const float forms = ui.segmented_width({"paper’s", "n^α"});
  const Rect choices{x, at.controls.y, forms, 32};
  if (Segmented(ui, choices, "Form of the penalty", {"paper’s", "n^α"}, form)) {
    key.penalty = form == 0 ? LengthPenalty::paper : LengthPenalty::length;
    want(ui, input, key);
  }
  ui.tooltip(choices, "What the sum of n words’ log p is divided by: ((5 + n) / 6)^α, or n^α");
  x += forms + 16;

  said("α");
  if (Slider(ui, {x, at.controls.y, 96, 32}, "Length penalty", key.alpha,
             {.minimum = 0, .maximum = kMostAlpha, .step = 0.05}))
    want(ui, input, key);
  ui.canvas().text({x + 106, y}, format_fixed(key.alpha, 2),
                   {.font = Font::mono, .size = 14, .color = ui.theme().ink});
  ui.note({x, at.controls.y, 140, 32}, "alpha", format_fixed(key.alpha, 2));
  x += 160;
  if (!now.found) return;
  show_forced(ui, now, at.controls, x);
  choose_nodes(ui, now, area);
  move_with_arrows(ui, now, at);
}

// The words that everything begins with, and the way back.
void DecodeView::show_forced(ui::Ui& ui, const DecodeScene& scene, const Rect& row, float x) {
  const float y = row.center().y;
  const std::vector<int> forced = forced_beginning(scene.input.result.scene.what_if);
  const float room = row.right() - x;
  if (forced.empty()) {
    const std::string hint = "click a word, F forces it";
    if (ui.text_width(hint, 12) <= room) ui.canvas().text({x, y}, hint, caption_style(ui.canvas()));
    return;
  }
  const std::string release = "Release";
  const float button = ui.button_width(release);
  const TextStyle style{.font = Font::semibold, .size = 12, .color = ui.theme().ink};
  const std::string text = elided(ui.canvas(), "begins with “" + scene.words(forced) + "”", style,
                                  std::max(40.0f, room - button - 8));
  ui.canvas().text({x, y}, text, style);
  const float after = std::min(x + ui.text_width(text, 12, Font::semibold) + 8, row.right() - button);
  if (Button(ui, {after, row.y, button, 32}, release))
    ui.push(SetWhatIf{forcing(scene.input.result.scene.what_if, {})});
}

void DecodeView::choose_nodes(ui::Ui& ui, const DecodeScene& scene, const Rect& area) {
  const DecodeLayout at = layout_decode(area, scene);
  for (int i = 0; i < static_cast<int>(scene.tree.nodes.size()); ++i) {
    if (!scene.visible(i)) continue;
    const TreeNode& node = scene.tree.nodes[static_cast<std::size_t>(i)];
    const Rect box = at.node(node.lane, node.place.step);
    const std::vector<int> words = scene.record().words(node.place);
    const ui::Response response = ui.area(box, node_label(node), "button");
    if (response.clicked) {
      pinned_ = words;
      ui.ask_frame(0);
    }
    if (response.menu) ui.wish_menu(node_label(node), box, about_beginning(words));
    ui.tooltip(box, "“" + scene.word(i) + "”, p " + format_pinned(scene.probability(i)) + ", sum " +
                        format_fixed(scene.at(i).total, 3) +
                        (node.stub ? ". Cut: " + cut_words(scene, i) : ""));
  }
}

// Left and right along a way, up and down among the nodes of a step; the menu of the pinned one.
void DecodeView::move_with_arrows(ui::Ui& ui, const DecodeScene& scene, const DecodeLayout& at) {
  if (ui.field_active() || ui.popup.is_open() || ui.shift() || pinned_.empty() || !scene.explained) return;
  const std::vector<TreeNode>& nodes = scene.tree.nodes;
  const TreeNode& now = nodes[static_cast<std::size_t>(*scene.explained)];
  if (ui.pressed(ui::Key::menu))
    ui.wish_menu(node_label(now), at.node(now.lane, now.place.step), about_beginning(pinned_));
  std::optional<int> next;
  if (ui.pressed(ui::Key::left) && now.parent >= 0) next = now.parent;
  if (ui.pressed(ui::Key::right))
    for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i)
      if (nodes[static_cast<std::size_t>(i)].parent == *scene.explained && scene.visible(i) &&
          (!next || nodes[static_cast<std::size_t>(i)].lane < nodes[static_cast<std::size_t>(*next)].lane))
        next = i;
  const auto beside = [&](int way) {
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
      const TreeNode& each = nodes[static_cast<std::size_t>(i)];
      const int distance = (each.lane - now.lane) * way;
      if (each.place.step != now.place.step || distance <= 0) continue;
      if (!next || distance < (nodes[static_cast<std::size_t>(*next)].lane - now.lane) * way) next = i;
    }
  };
  if (ui.pressed(ui::Key::down)) beside(1);
  if (ui.pressed(ui::Key::up)) beside(-1);
  if (!next) return;
  pinned_ = scene.record().words(nodes[static_cast<std::size_t>(*next)].place);
  ui.ask_frame(0);
}

}  // namespace glassformer
