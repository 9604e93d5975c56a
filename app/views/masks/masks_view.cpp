#include <algorithm>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_head.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks_picture.h"

namespace glassformer {

namespace {

// What each word is allowed to see, and what leaks when it may see more.
class MasksView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<MasksView>(*this); }
  ViewTraits traits() const override {
    return {.shows = is_weight,
            .shows_weights = true,
            .follows_kind = true,
            .shows_batch = true,
            .state = cross_ ? "masks, cross" : "masks"};
  }
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View& first) override {
    *this = dynamic_cast<const MasksView&>(first);
    return true;
  }

 private:
  Selection attention_of(const Selection& selection) const;
  Selection chosen(const ViewInput& input) const { return attention_of(input.shown); }

  bool cross_ = false;  // cross-attention was asked for here; until then the decoder's own stands for it
};

constexpr const char* kTitle = "What each word is allowed to see";
constexpr float kKindsWidth = 196, kKindsHeight = 28;

// Cross-attention masks nothing but padding. Whoever comes from it is shown the decoder's own attention,
// where there is something to see.
Selection MasksView::attention_of(const Selection& selection) const {
  const bool cross = selection.kind == AttentionKind::cross;
  return cross && !cross_ ? of_kind(selection, AttentionKind::decoder) : selection;
}

bool MasksView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  const char typed = key.typed;
  if (typed != 'e' && typed != 'd' && typed != 'x') return false;
  cross_ = typed == 'x';
  const AttentionKind kind = typed == 'e'   ? AttentionKind::encoder
                             : typed == 'd' ? AttentionKind::decoder
                                            : AttentionKind::cross;
  commands.push_back(SetPin{of_kind(input.pinned, kind)});
  return true;
}

SetWhatIf with_masks(const ViewInput& input, bool padding, bool causal) {
  WhatIf what_if = input.result.scene.what_if;
  what_if.set(change_of(ChangeKind::padding_mask_off), !padding);
  what_if.set(change_of(ChangeKind::causal_mask_off), !causal);
  return {what_if};
}

// What the masks hide as the Scene is.
std::string hidden_words(const MaskScene& scene) {
  if (!scene.causal)
    return scene.padding_on ? "A mask hides the padding: nobody may read what is not a word."
                            : "The padding mask is off: it is read as if it were words.";
  if (scene.padding_on && scene.causal_on) return "Masks hide the padding and the words not yet written.";
  if (scene.padding_on) return "A mask hides the padding; the causal mask is off.";
  return scene.causal_on ? "A mask hides the words not yet written; the padding mask is off."
                         : "Both masks are off: every row reads everything.";
}

void MasksView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const MaskScene scene = mask_scene(input, chosen(input));
  const MaskLayout layout = layout_masks(area, scene, static_cast<int>(input.result.trace->source.size()));
  draw_stage_title(
      canvas, area, kTitle,
      layout.subtitle ? "Sentences in a batch are padded to one length. " + hidden_words(scene) : "",
      canvas.is_file() ? 0 : kKindsWidth + 16);
  draw_masks(canvas, area, scene);
}

void MasksView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const MaskScene scene = mask_scene(input, chosen(input));
  const MaskLayout layout = layout_masks(area, scene, static_cast<int>(input.result.trace->source.size()));
  bool padding = !input.result.scene.what_if.has(ChangeKind::padding_mask_off),
       causal = !input.result.scene.what_if.has(ChangeKind::causal_mask_off);
  bool used = ui.Switch({layout.padding_switch.x, layout.padding_switch.y}, "Padding", padding, false);
  if (scene.causal)
    used |= ui.Switch({layout.causal_switch.x, layout.causal_switch.y}, "Causal", causal, false);
  if (used) ui.push(with_masks(input, padding, causal));

  // Whose masks: keys E, D and X do the same.
  const StageHead head(ui, area, kTitle, {kKindsWidth, kKindsHeight});
  int kind = static_cast<int>(scene.shown.kind);
  if (ui.Segmented(head.control(), "Masks of", {"Encoder", "Decoder", "Cross"}, kind)) {
    cross_ = kind == static_cast<int>(AttentionKind::cross);
    ui.push(SetPin{of_kind(input.pinned, static_cast<AttentionKind>(kind))});
  }
}

Point MasksView::minimum_size(const ViewInput& input) const {
  const MaskScene scene = mask_scene(input, chosen(input));
  const auto sentences = static_cast<float>(input.result.trace->source.size());
  const float smallest_cell = scene.rows > 16 ? 5 : 10;
  return {std::max(440.0f, narrowest_masks(scene.columns)),
          44 + 20 + sentences * 27 + 2 * (smallest_cell * static_cast<float>(scene.rows) + 78) +
              (input.other ? 56 : 32)};
}

ViewPlace MasksView::place(const ViewInput& input) const {
  const Selection shown = within(chosen(input), input);
  const bool encoder = shown.kind == AttentionKind::encoder;
  return {.path = {encoder ? "Encoder" : "Decoder", "Layer " + std::to_string(shown.layer + 1),
                   encoder                                ? "Self-attention"
                   : shown.kind == AttentionKind::decoder ? "Masked self-attention"
                                                          : "Cross-attention",
                   "Masks"},
          .attention = attention_of(input.pinned).kind};
}

InspectorRow number_row(std::string label, std::string value, bool wrong = false) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  row.wrong = wrong;
  return row;
}

std::optional<InspectorPage> MasksView::inspect(const ViewInput& input) const {
  const MaskScene scene = mask_scene(input, chosen(input));
  const bool padding = scene.padding_on,
             causal = !input.result.scene.what_if.has(ChangeKind::causal_mask_off);
  InspectorPage page;
  page.caption = scene.causal ? "What the causal mask is for" : "What the padding mask is for";
  page.subject = "**Switch it off and see**";
  page.switches.push_back({"Padding mask", padding, with_masks(input, !padding, causal)});
  page.switches.push_back({"Causal mask", causal, with_masks(input, padding, !causal)});

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

std::vector<NumberTable> MasksView::numbers(const ViewInput& input) const {
  const MaskScene scene = mask_scene(input, chosen(input));
  std::vector<NumberTable> tables;
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
    }
  };
  AttentionTable allowed = scene.weights;
  for (int row = 0; row < allowed.rows; ++row)
    for (int column = 0; column < allowed.columns; ++column)
      allowed.values[static_cast<size_t>(row * allowed.columns + column)] =
          scene.may_look(row, column) ? 1.0f : 0.0f;
  add("may look (1) or hidden (0)", allowed);
  add("scores, before the mask", scene.scores);
  add("weights, after the mask", scene.weights);
  add(std::string("weights, ") + (scene.causal ? "causal" : "padding") + " mask " +
          (scene.compared_is_leak ? "off" : "on"),
      scene.compared);
  return tables;
}

std::string MasksView::caption(const ViewInput& input) const {
  const MaskScene scene = mask_scene(input, chosen(input));
  std::string text =
      "Masks of the " + attention_title(scene.shown.kind) + ", layer " +
      std::to_string(scene.shown.layer + 1) + ", head " + std::to_string(scene.shown.head + 1) + ", row " +
      std::to_string(scene.shown.sentence) + " of the batch" +
      (scene.padding_on || scene.causal_on ? ": hatched pairs are hidden." : ": no pair is hidden.");
  if (const AttentionTable* leaking = scene.leaking())
    text += " Without the mask " + format_percent(leaked_share(scene, *leaking)) + " of attention falls on " +
            (scene.causal ? "words not yet written." : "padding.");
  return text;
}

}  // namespace

std::unique_ptr<View> make_masks_view() {
  return std::make_unique<MasksView>();
}

}  // namespace glassformer
