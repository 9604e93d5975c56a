// What the inspector, the caption and the CSV say of the masks.
#include <algorithm>
#include <limits>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "app/views/masks/masks_picture.h"

namespace glassformer {

SetWhatIf with_masks(const ViewInput& input, AttentionKind kind, bool padding, bool causal) {
  WhatIf what_if = input.result.scene.what_if;
  if (what_if.padding_seen(kind) == padding) {
    std::erase_if(what_if.changes,
                  [](const Change& change) { return change.kind == ChangeKind::padding_mask_off; });
    if (!padding) what_if.changes.push_back(change_of(ChangeKind::padding_mask_off));
  }
  what_if.set(change_of(ChangeKind::causal_mask_off), !causal);
  return {what_if};
}

namespace {

InspectorRow number_row(std::string label, std::string value, bool wrong = false) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  row.wrong = wrong;
  return row;
}

}  // namespace

InspectorPage mask_page(const MaskScene& scene) {
  const ViewInput& input = scene.input;
  const bool padding = scene.padding_on,
             causal = !input.result.scene.what_if.has(ChangeKind::causal_mask_off);
  InspectorPage page;
  page.caption = scene.causal ? "What the causal mask is for" : "What the padding mask is for";
  page.subject = "**Switch it off and see**";
  page.switches.push_back({"Padding mask", padding, with_masks(input, scene.shown.kind, !padding, causal)});
  page.switches.push_back({"Causal mask", causal, with_masks(input, scene.shown.kind, padding, !causal)});

  // A pinned number keeps its page, with the switches on it.
  if (input.shown.cell) {
    InspectorPage cell = describe_cell(input, *input.shown.cell);
    cell.switches = page.switches;
    return cell;
  }
  // Losses of the passes with and without the mask.
  const std::string given = given_words(input);
  const std::string hits = given == "given the right words" ? "words right" : "words as asked for";
  const auto section = [&](const Trace& with, const Trace& without, const std::string& mask) {
    InspectorSection losses;
    losses.heading = "This model, " + mask + " switched off";
    losses.rows = {number_row("loss, mask on", format_loss(with.loss)),
                   number_row("loss, mask off", format_loss(without.loss), true),
                   number_row(hits + ", mask on", format_percent(with.token_accuracy)),
                   number_row(hits + ", mask off", format_percent(without.token_accuracy), true)};
    losses.text = "Over the sentences above, " + given + ".";
    page.sections.push_back(std::move(losses));
  };
  const auto on = with_causal_mask(input.result), off = without_causal_mask(input.result);
  if (scene.causal && on && off) {
    section(*on, *off, "causal mask");
  } else if (!scene.causal && !padding) {
    section(*input.result.untouched, *input.result.trace, "padding mask");
  }
  if (const AttentionTable* leaking = scene.leaking()) {
    InspectorSection leak;
    leak.heading = "The leak";
    leak.rows = {number_row(scene.causal ? "attention on the future" : "attention on padding",
                            format_percent(leaked_share(scene, *leaking)))};
    leak.text = "Layer " + std::to_string(scene.shown.layer + 1) + ", head " +
                std::to_string(scene.shown.head + 1) + ", row " + std::to_string(scene.shown.sentence) +
                " of the batch.";
    page.sections.push_back(std::move(leak));
  }
  page.meaning =
      scene.causal
          ? "While it learns, the decoder is given the whole translation at once. Without the mask it could "
            "copy the next word instead of translating, and would fail on its own."
          : "Padding only fills the batch. Without the mask every word would also read it, and a translation "
            "would depend on the sentences it happens to stand beside.";
  page.paper = "Paper, section 3.2.3";
  return page;
}

std::vector<NumberTable> mask_numbers(const MaskScene& scene) {
  std::vector<NumberTable> tables;
  AttentionTable allowed = scene.weights;
  for (int row = 0; row < allowed.rows; ++row)
    for (int column = 0; column < allowed.columns; ++column)
      allowed.values[static_cast<size_t>(row * allowed.columns + column)] =
          scene.may_look(row, column) ? 1.0f : 0.0f;
  const auto add = [&](const std::string& title, const AttentionTable& table) {
    if (table.rows == 0) return;
    NumberTable& numbers = tables.emplace_back();
    numbers.one_quantity = true;
    numbers.title = title;
    numbers.rows = scene.queries;
    numbers.columns = scene.keys;
    for (int row = 0; row < table.rows; ++row) {
      std::vector<double>& values = numbers.values.emplace_back();
      for (int column = 0; column < table.columns; ++column) values.push_back(table.at(row, column));
      if (row == scene.covered && &table != &allowed)
        std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
    }
    if (scene.covered && &table != &allowed) {
      std::string& name = numbers.rows[static_cast<size_t>(*scene.covered)];
      name = covered_name(name);
    }
  };
  add("may look (1) or hidden (0)", allowed);
  add("scores, before the mask", scene.scores);
  add("weights, after the mask", scene.weights);
  add(std::string("weights, ") + (scene.causal ? "causal" : "padding") + " mask " +
          (scene.compared_is_leak ? "off" : "on"),
      scene.compared);
  return tables;
}

std::string leak_words(const MaskScene& scene) {
  const TrainingOptions& learned = scene.input.run.options;
  const std::string leak =
      std::string("of attention falls on ") + (scene.causal ? "words not yet written" : "padding");
  if (scene.input.run.data_name.empty()) return leak;  // how it learned is not known
  if (!scene.causal) return leak + (learned.extra_padding > 0 ? "" : ", in a model that learned without any");
  if (scene.input.step() == 0) return leak + ", in a model that has learned nothing yet";
  return leak + ", in a model that learned " + (learned.mask_future ? "with" : "without") + " the mask";
}

std::string mask_caption(const MaskScene& scene) {
  std::string text =
      "Masks of the " + attention_title(scene.shown.kind) + ", layer " +
      std::to_string(scene.shown.layer + 1) + ", head " + std::to_string(scene.shown.head + 1) + ", row " +
      std::to_string(scene.shown.sentence) + " of the batch" +
      (scene.padding_on || scene.causal_on ? ": hatched pairs are hidden." : ": no pair is hidden.");
  if (scene.covered)
    text += " Row \u201c" + scene.queries[static_cast<size_t>(*scene.covered)] +
            "\u201d is covered until the question is answered.";
  if (const AttentionTable* leaking = scene.leaking())
    text +=
        " Without the mask " + format_percent(leaked_share(scene, *leaking)) + " " + leak_words(scene) + ".";
  return text;
}

}  // namespace glassformer
