// What the inspector, the caption and the CSV say of the masks.
#include <algorithm>
#include <limits>
#include <memory>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks.h"
#include "app/widgets/heatmap.h"
#include "engine/model/place_words.h"

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
    leak.text = capitalized(head_words(scene.shown.layer, scene.shown.head)) + ", row " +
                std::to_string(scene.shown.sentence) + " of the batch.";
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
      "Masks of the " + attention_title(scene.shown.kind) + ", " +
      head_words(scene.shown.layer, scene.shown.head) + ", row " + std::to_string(scene.shown.sentence) +
      " of the batch" +
      (scene.padding_on || scene.causal_on ? ": hatched pairs are hidden." : ": no pair is hidden.");
  if (scene.covered)
    text += " Row \u201c" + scene.queries[static_cast<size_t>(*scene.covered)] +
            "\u201d is covered until the question is answered.";
  if (const AttentionTable* leaking = scene.leaking())
    text +=
        " Without the mask " + format_percent(leaked_share(scene, *leaking)) + " " + leak_words(scene) + ".";
  return text;
}

// One mask, or the weights behind it, as a picture alone.
namespace {

constexpr float kMaskLine = 16, kMaskLineGap = 10;

// The rows of the sentence, and where the padding is what is hidden its columns too.
AttentionTable words_alone(const MaskScene& scene) {
  AttentionTable part{.rows = scene.real_rows,
                      .columns = scene.causal ? scene.real_columns : scene.columns,
                      .values = {},
                      .hidden = {}};
  for (int row = 0; row < part.rows; ++row)
    for (int column = 0; column < part.columns; ++column) {
      part.values.push_back(scene.weights.at(row, column));
      part.hidden.push_back(scene.may_look(row, column) ? 0 : 1);
    }
  return part;
}

HeatmapOptions part_options(const MaskScene& scene, bool weights) {
  HeatmapOptions options;
  options.row_title = {Badge::query, "query", ""};
  options.column_title = {Badge::key, "key", ""};
  options.row_labels = {scene.queries.begin(), scene.queries.begin() + scene.real_rows};
  options.column_labels = scene.keys;
  options.numbers = weights;
  options.color_bar = false;
  options.frame = true;
  options.max_aspect = 3;
  options.pinned_row = scene.shown.query;
  options.pinned_column = scene.shown.key;
  const PairName name{weights        ? "weights"
                      : scene.causal ? "combined mask"
                                     : "padding mask",
                      weights ? ValueKind::weights : ValueKind::masked_scores};
  options.cell_hit = [kept = std::make_shared<const MaskScene>(scene), name,
                      before = scene.input.result.scene.what_if](int row, int column) {
    return pair_hit(*kept, before, name, row, column);
  };
  return options;
}

std::string weights_line(const MaskScene& scene) {
  if (scene.leaking() == &scene.weights)
    return "The leak, outlined: " + format_percent(leaked_share(scene, scene.weights)) + " " +
           leak_words(scene) + ".";
  return capitalized(head_words(scene.shown.layer, scene.shown.head)) + ". Hatched: hidden by the mask.";
}

}  // namespace

void draw_mask_part(Canvas& canvas, const Rect& area, const MaskScene& scene, bool weights) {
  const Theme& theme = canvas.theme();
  const std::string line = weights ? weights_line(scene) : "";
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  const bool two = canvas.measure(line, style).x > area.width;
  const float below = kMaskLineGap + kMaskLine * (two ? 2 : 1);
  AttentionTable table = words_alone(scene);
  if (weights && scene.covered) table.cover(*scene.covered);
  HeatmapOptions options = part_options(scene, weights);
  options.column_labels.resize(static_cast<std::size_t>(table.columns));
  const HeatmapLayout drawn =
      draw_heatmap(canvas, {area.x, area.y, area.width, area.height - below}, table.data(), options);
  for (int row = 0; row < table.rows; ++row)
    for (int column = 0; column < table.columns; ++column) {
      const Rect cell = drawn.cell(row, column);
      if (weights && row == scene.covered) {
        canvas.rectangle(cell, {.fill = theme.sunken});
        canvas.text(cell.center(), "?", {.size = 12, .color = theme.second_text, .x = AlignX::center});
      } else if (!weights && scene.may_look(row, column)) {
        canvas.rectangle(cell, {.fill = theme.control});
      }
    }
  // What was drawn over it.
  if (scene.shown.query && *scene.shown.query < table.rows) {
    const Rect first = drawn.cell(*scene.shown.query, 0);
    canvas.rectangle({first.x - 2, first.y - 2, drawn.cells.width + 4, first.height + 4},
                     {.outline = theme.query, .outline_width = 2, .radius = 2});
  }
  const float y = drawn.bounds.bottom() + kMaskLineGap;
  if (!weights) {
    MaskLayout layout;
    layout.side_text = false;
    layout.mask_text = {drawn.cells.x, y, area.right() - drawn.cells.x, kMaskLine};
    return draw_mask_text(canvas, layout, scene);
  }
  if (scene.leaking() == &scene.weights)
    draw_leak_outline(canvas, {drawn.cell_width, drawn.cell_height}, drawn.cells, scene);
  paragraph(canvas, {area.x, y}, area.width, line, style);
}

}  // namespace glassformer
