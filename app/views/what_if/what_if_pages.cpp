#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/session/change_words.h"
#include "app/views/what_if/what_if.h"
#include "app/widgets/colormap.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

namespace {

// "0.89 → 0.18"
std::string from_to(double before, double after) {
  return format_probability(before) + " → " + format_probability(after);
}

bool is_known(const Difference& change) {
  return std::isfinite(change.mean) && std::isfinite(change.low) && std::isfinite(change.high);
}

std::string interval_words(const Difference& change, int decimals) {
  return format_signed(change.low, decimals) + " to " + format_signed(change.high, decimals);
}

std::string signed_loss(double change) {
  return std::isfinite(change) ? format_signed(change, 4) : "not finite";
}

// What a head of the decoder reads most at a place, where its rows are the places of the output.
std::string reads(const WhatIfScene& scene, const Change& change, std::size_t place) {
  const SceneResult& plain = scene.input.result.plain ? *scene.input.result.plain : scene.input.result;
  if (change.kind != ChangeKind::mute_head || change.block.encoder ||
      scene.plain.target_out != scene.plain.output)
    return {};
  const AttentionKind kind = kind_of(change);
  const Plane weights =
      plain.trace->plane(attention_value(kind, change.block.layer, ValueKind::weights), 0, change.head);
  const auto row = static_cast<int>(place);
  if (row >= weights.rows ||
      covered_row(scene.input.covered, kind, change.block.layer, change.head, 0) == row)
    return {};
  const std::vector<std::string>& keys =
      kind == AttentionKind::cross ? plain.source_words : plain.target_in_words;
  int best = 0;
  for (int key = 1; key < std::min(weights.columns, static_cast<int>(keys.size())); ++key)
    if (weights(row, key) > weights(row, best)) best = key;
  return " reads " + keys[static_cast<std::size_t>(best)] + " " +
         format_probability(static_cast<double>(weights(row, best)));
}

InspectorSection words_that_lose(const WhatIfScene& scene, const Change& change,
                                 const SentenceEffect& effect) {
  InspectorSection section{.heading = "What it does", .note = "this change alone"};
  std::vector<std::size_t> order(effect.places.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto lost = [&](std::size_t i) {
    return std::exp(effect.places[i].after) - std::exp(effect.places[i].before);
  };
  std::ranges::stable_sort(order, {}, lost);
  for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i) {
    const PlaceEffect& place = effect.places[order[i]];
    InspectorRow row;
    row.label = scene.word(place.word);
    if (const std::string read = reads(scene, change, order[i]); !read.empty()) {
      const auto& written = scene.input.result.plain ? *scene.input.result.plain : scene.input.result;
      row.label = row_name(written.target_in_words[order[i]], row.label) + read;
    }
    row.value = from_to(std::exp(place.before), std::exp(place.after));
    row.link = SetPin{selecting_place(scene, static_cast<int>(order[i]))};
    section.rows.push_back(std::move(row));
  }
  return section;
}

InspectorSection each_alone(const WhatIfScene& scene) {
  InspectorSection section{.heading = "Each change alone", .note = "words, loss"};
  const ChangeWords names = change_words(scene.input.result, scene.input.tokenizers);
  const auto add = [&](std::string label, const std::string& words, double loss, bool strong) {
    section.rows.push_back({.label = std::move(label), .value = words + "  " + format_loss(loss)});
    section.rows.back().emphasized = strong;
  };
  add("untouched", "–", scene.effects->loss_before, false);
  for (const AloneEffect& each : scene.effects->alone)
    add(chip_words(each.change, names), std::to_string(scene.changed_words_of(each.output)), each.loss,
        false);
  if (scene.what_if().changes.size() > 1)
    add("all, as now", std::to_string(changed_words(scene.columns)), scene.effects->loss_after, true);
  if (scene.what_if().changes.size() > kMostAlone)
    section.text = "The first " + std::to_string(kMostAlone) + " of the changes alone.";
  return section;
}

// What they cost over sentences that the model never saw, with how sure that is.
void add_held_out(InspectorPage& page, const WhatIfScene& scene) {
  if (!scene.held_out) return;
  const Difference& change = scene.held_out->change;
  InspectorSection section{.heading = format_count(scene.pairs->sentences()) + " held-out sentences",
                           .note = "loss"};
  section.rows.push_back({.label = "untouched", .value = format_loss(scene.held_out->untouched)});
  section.rows.push_back(
      {.label = "with the changes", .value = signed_loss(change.mean), .emphasized = true});
  if (is_known(change))
    section.rows.push_back({.label = "interval of 95 %", .value = interval_words(change, 4)});
  else
    section.text =
        "With the changes the numbers of at least one of these sentences are not finite: neither the "
        "mean nor its interval is known.";
  if (scene.what_if().of_all_sentences() != scene.what_if())
    section.text += (section.text.empty() ? "" : " ") +
                    std::string("Without the changes that name a place or a word of this sentence.");
  page.sections.push_back(std::move(section));
}

// A place that may read ahead sees its own word where that is there: in a training it is, in writing it is
// not.
void add_read_at_once(InspectorPage& page, const WhatIfScene& scene) {
  const Trace& trace = *scene.input.result.trace;
  if (!reads_ahead(scene.what_if()) || trace.target_out.front() != scene.plain.target_out) return;
  page.sections.push_back(
      {.heading = "The future in sight",
       .note = "loss",
       .rows = {{.label = "each after the words so far", .value = format_loss(scene.effects->loss_after)},
                {.label = "all words read at once", .value = format_loss(trace.sentence_loss.front())}},
       .text = "Written word by word, there is nothing ahead to see. Read at once, as in training and by "
               "“evaluate”, "
               "each place sees the word asked for and all behind it."});
}

void add_alone(InspectorPage& page, const WhatIfScene& scene) {
  if (!scene.changed() || !scene.effects) return;
  page.sections.push_back(each_alone(scene));
  add_read_at_once(page, scene);
  add_held_out(page, scene);
}

// The same with the other replacement.
WhatIf replaced(const WhatIfScene& scene, const Change& change, Replacement by) {
  WhatIf next = open_changes(scene.input);
  for (Change& each : next.changes)
    if (same_thing(each, change)) each.by = by;
  return next;
}

const char* what_is_muted(const Change& change) {
  if (change.kind == ChangeKind::mute_head)
    return "Muting replaces what the head hands over, its context, before W_O mixes the heads; the other "
           "heads and the residual go on as they are.";
  return "Muting replaces the sub-block’s output before it is added: by 0 only the residual goes on.";
}

}  // namespace

std::string part_tooltip(const WhatIfScene& scene, std::size_t part) {
  std::string text = part_name(scene.change(part));
  if (part >= scene.importance.parts.size()) return text + "\nnot known yet";
  const Difference& change = scene.importance.parts[part];
  text += "\nloss " + signed_loss(change.mean) + " without it";
  if (scene.choice.held_out && scene.choice.parts != PartsShown::places && is_known(change))
    text += "\n95 % interval: " + interval_words(change, 4);
  return text;
}

InspectorPage part_page(const WhatIfScene& scene, const MutedPart* known) {
  const Change& change = scene.change(*scene.part);
  const bool muted = scene.muted(change);
  InspectorPage page;
  const std::string kind = change.kind == ChangeKind::mute_head ? "head" : "sub-block";
  page.caption = muted ? "Muted " + kind : "A " + kind + " that may be muted";
  page.subject = "**" + part_name(change) + "**";
  page.name =
      written(change.block, change.kind == ChangeKind::mute_head ? ValueKind::context : ValueKind::output);
  const std::size_t part = *scene.part;
  if (part < scene.importance.parts.size()) {
    const Difference& found = scene.importance.parts[part];
    page.value = signed_loss(found.mean);
    page.full_value = format_full(found.mean);
    page.swatch = value_color(ColorScale::signed_value, found.mean, scene.limit(),
                              scene.input.dark_theme ? dark_theme() : light_theme());
    if (!std::isfinite(found.mean))
      page.sections.push_back({.heading = "Not finite",
                               .text = "Without this part the loss is no finite number: the model’s numbers "
                                       "overflow, or they are not finite to begin with."});
  }

  // What it is replaced by.
  const auto there = std::ranges::find_if(scene.what_if().changes,
                                          [&](const Change& each) { return same_thing(each, change); });
  const bool set = there != scene.what_if().changes.end();
  if (set)
    page.switches.push_back(
        {.label = "replaced by its mean, not by 0",
         .on = there->by == Replacement::mean,
         .command = SetWhatIf{replaced(
             scene, change, there->by == Replacement::mean ? Replacement::zero : Replacement::mean)}});
  page.action = InspectorAction{muted ? "Restore it" : "Mute it", SetWhatIf{clicked_part(scene, part, true)}};

  InspectorSection loss{.heading = "Loss", .note = given_words(scene.input, 0)};
  if (known) {
    if (scene.effects)
      loss.rows.push_back({.label = "untouched", .value = format_loss(scene.effects->loss_before)});
    loss.rows.push_back({.label = "replaced by 0", .value = format_loss(known->loss_zero)});
    if (known->loss_mean)
      loss.rows.push_back({.label = "by its mean over " +
                                    format_count(scene.pairs ? scene.pairs->sentences() : 0) + " sentences",
                           .value = format_loss(*known->loss_mean)});
    if (known->loss_other)
      loss.rows.push_back({.label = "from the second", .value = format_loss(*known->loss_other)});
  }
  if (!scene.means)
    loss.text = scene.pairs || scene.input.training_text_state == TextState::reading
                    ? "Its mean over held-out sentences is being taken."
                    : "Its mean is not known: no held-out sentences of this model can be read.";
  if (set && there->by == Replacement::mean && !scene.input.result.scene.substitutes.means)
    loss.text = "Its mean is not known, so replacing it by its mean does nothing yet.";
  if (scene.choice.held_out && scene.choice.parts != PartsShown::places &&
      part < scene.importance.parts.size()) {
    const Difference& found = scene.importance.parts[part];
    loss.rows.push_back({.label = "held-out, change", .value = signed_loss(found.mean)});
    if (is_known(found)) loss.rows.push_back({.label = "95 % interval", .value = interval_words(found, 3)});
  }
  page.sections.push_back(std::move(loss));
  if (known) {
    const Replacement by = set ? there->by : change.by;
    const SentenceEffect& effect = by == Replacement::mean && known->by_mean     ? *known->by_mean
                                   : by == Replacement::other && known->by_other ? *known->by_other
                                                                                 : known->by_zero;
    page.sections.push_back(words_that_lose(scene, change, effect));
  }
  add_alone(page, scene);
  if (change.kind == ChangeKind::mute_head) {
    InspectorSection ways{.for_hands = true};
    ways.rows.push_back({.label = "Open the head", .value = "Enter", .link = OpenView{"head"}});
    page.sections.push_back(std::move(ways));
  }
  page.meaning = what_is_muted(change);
  page.paper = change.kind == ChangeKind::mute_head ? "Paper, section 3.2.2" : "Paper, section 3.1";
  return page;
}

InspectorPage place_page(const WhatIfScene& scene, const std::vector<PlaceWord>* words) {
  InspectorPage page;
  const PlaceEffect* const place = scene.effect(*scene.place);
  page.caption = "One place of the untouched translation";
  page.subject = "place " + std::to_string(*scene.place) + ": **" +
                 scene.before[static_cast<std::size_t>(*scene.place)] + "**";
  if (!place) return page;
  InspectorSection now{.heading = "This word", .note = "before → after"};
  now.rows.push_back(
      {.label = "probability", .value = from_to(std::exp(place->before), std::exp(place->after))});
  now.rows.push_back(
      {.label = "log p", .value = format_loss(place->before) + " → " + format_loss(place->after)});
  now.rows.push_back({.label = "KL of all words", .value = format_pinned(place->kl)});
  page.sections.push_back(std::move(now));
  InspectorSection against{.heading = "Its logit less that of", .note = "before → after"};
  if (words) {
    for (const PlaceWord& each : *words) {
      InspectorRow row;
      row.label = scene.word(each.id);
      row.value = format_fixed(each.less_before, 2) + " → " + format_fixed(each.less_after, 2);
      row.emphasized = each.id == scene.against.value_or(place->against);
      row.link = SetPin{selecting_place(scene, *scene.place, each.id)};
      against.rows.push_back(std::move(row));
    }
  }
  page.sections.push_back(std::move(against));
  page.sections.push_back({.text = "A click chooses the word that it is compared with.", .for_hands = true});
  add_alone(page, scene);
  page.meaning =
      "The difference of two logits does not depend on what all other words get: below 0 the model prefers "
      "the "
      "other word. Both models have read the untouched words up to here.";
  return page;
}

InspectorPage changes_page(const WhatIfScene& scene) {
  InspectorPage page;
  page.caption = "What if";
  page.subject = scene.changed() ? "**" + format_count(std::ssize(scene.what_if().changes)) + "** in force"
                                 : "Nothing is changed. Click a head.";
  add_alone(page, scene);
  page.meaning = "A change holds in every view until it is taken back: with Undo all, its cross, or Ctrl+Z.";
  return page;
}

}  // namespace glassformer
