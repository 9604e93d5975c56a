// What the inspector says of one node: what else was probable there, why it won or was cut.
#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/decode/decode_view.h"
#include "app/widgets/colormap.h"

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
  return section;
}

// The best sentence that goes on from a node.
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
  page.subject = (before.empty() ? "after <bos> " : "after " + scene.words(before) + " ") + "**" +
                 scene.word(index) + "**";
  const double p = std::exp(node.log_probability);
  if (std::isfinite(p)) page.swatch = cividis(p);
  page.value = format_pinned(p);
  page.full_value = format_full(p);

  InspectorSection standing{
      .heading = "Where it stands",
      .note = "of " +
              std::to_string(scene.record().steps[static_cast<std::size_t>(place.step)].considered.size())};
  standing.rows = {{.label = "log p of this word", .value = format_fixed(node.log_probability, 3)},
                   {.label = "sum so far", .value = format_fixed(node.total, 3)},
                   {.label = "rank at this step", .value = ordinal(place.node + 1)}};
  standing.text = cut_words(scene, index);
  if (!standing.text.empty()) standing.text = "Cut: " + standing.text + ".";
  if (standing.text.starts_with("Cut: cut")) standing.text = "It is " + standing.text.substr(5);
  page.sections = {standing, most_probable(scene, place)};
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

}  // namespace glassformer
