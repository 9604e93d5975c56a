#include <algorithm>
#include <limits>

#include "app/format/number_format.h"
#include "app/inspector/overview_pages.h"
#include "app/inspector/value_words.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/difference.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/attention/attention.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/view.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr const char *kWallPanel = "all-heads", *kHeadPanel = "one-head";
constexpr const char* kEvery = "Heads of every attention";  // its switch

// Which word reads which: every head of one attention, and one of them large.
class AttentionView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<AttentionView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  std::vector<std::string> sentences(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override {
    alone_ = name;
    return true;
  }
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool set(std::string_view control, std::string_view value) override {
    if (control != kEvery) return model_.set(control, value);
    every_ = value == "on";
    return every_ || value == "off";
  }
  bool show_like(const View& first) override {
    *this = dynamic_cast<const AttentionView&>(first);
    return true;
  }

 private:
  std::string title(const ViewInput& input) const;
  int rows_of(const ViewInput& input) const { return static_cast<int>(wall_rows(input, every_).size()); }
  void transformer_controls(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void alignment_controls(ui::Ui& ui, const ViewInput& input, const Rect& area);
  std::string caption_of(const ViewInput& input) const;
  AttentionLayout layout(const ViewInput& input, const Rect& area) const;
  // Ribbons have no sign: a difference is a heatmap.
  AttentionPane part(const ViewInput& input) const {
    return input.difference_to && part_ == AttentionPane::ribbons ? AttentionPane::heatmap : part_;
  }

  static constexpr float kRowHeading = 40;
  ModelSwitch model_;
  AttentionPane part_ = AttentionPane::heatmap;
  bool every_ = false;  // the wall has the heads of every attention
  std::string alone_;   // the panel that alone is described; empty: all of the picture
  RowEditor rows_;
  bool editing_ = false;
};

// The room beside the large head's picture is too low for bars that a hand can drag.
bool is_low(const AttentionLayout& parts) {
  constexpr float kLeast = 240;
  return parts.below.width > 0 && parts.below.height < kLeast;
}

AttentionLayout AttentionView::layout(const ViewInput& input, const Rect& area) const {
  return layout_attention(area, rows_of(input), input.snapshot.config.heads, part(input));
}

void AttentionView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const float reserved = ModelSwitch::reserved(canvas, input);
  if (model_.recurrent(input)) {
    draw_stage_title(canvas, area, alignment_title(), alignment_subtitle(*input.recurrent.scene), reserved);
    return draw_alignment(canvas, stage_content(area), input.recurrent, part_ == AttentionPane::ribbons);
  }
  const AttentionLayout parts = layout(input, area);
  const AttentionScene scene = attention_scene(input, every_);
  if (parts.title)
    draw_stage_title(canvas, area, attention_question(input, scene.shown.kind),
                     !parts.subtitle       ? ""
                     : input.difference_to ? kDifferenceSubtitle
                                           : attention_subtitle(input, scene.shown.kind),
                     reserved);
  // A draft of a row is in the place of the head's other picture (controls()), and where that is low, of
  // the wall as well.
  const bool editing = !canvas.is_file() && editing_;
  if (parts.wall.width > 0 && !(editing && is_low(parts))) draw_attention_wall(canvas, parts, scene);
  if (parts.below.width > 0 && !input.difference_to && !editing) {
    if (parts.bars) {
      draw_attention_row(canvas, parts.below, scene);
    } else if (part_ == AttentionPane::ribbons) {
      draw_small_heatmap(canvas, parts.below, scene);
    } else {
      draw_small_ribbons(canvas, parts.below, scene);
    }
  }
  if (parts.head.width > 0 && !(editing && parts.below.width <= 0)) {
    if (part(input) == AttentionPane::ribbons) {
      draw_head_ribbons(canvas, parts.head, scene);
    } else {
      draw_head_heatmap(canvas, parts.head, scene);
    }
  }
}

void AttentionView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                          const Rect& area) const {
  const AttentionScene scene = attention_scene(input, every_);
  const Rect inner = area.inset(kStagePadding);
  if (name == kWallPanel)
    draw_attention_wall(canvas, layout_wall_alone(area, rows_of(input), scene.heads), scene);
  if (name == kHeadPanel) draw_head_heatmap(canvas, inner, scene, true);
  if (name == "ribbons") draw_head_ribbons(canvas, inner, scene);
}

void AttentionView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (model_.recurrent(input))
    alignment_controls(ui, input, area);
  else
    transformer_controls(ui, input, area);
  // Last: where the stage is scrolled it covers them. A stage too low for a title has no row for it.
  if (model_.recurrent(input) || layout(input, area).title) model_.show(ui, input, area, title(input));
}

void AttentionView::transformer_controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const AttentionLayout parts = layout(input, area);
  editing_ = rows_.open(input);
  if (parts.wall.width > 0 && !(editing_ && is_low(parts))) {
    const Point at{parts.wall.x + ui.text_width(kWallHeading, 14, Font::semibold) + 12, parts.wall.y + 3};
    Switch(ui, at, kEvery, every_, false);
    const std::string words = all_heads(input);
    ui.canvas().text({at.x + 40, parts.wall.y + 12}, words, caption_style(ui.canvas()));
    ui.tooltip({at.x, at.y, 40 + ui.text_width(words, 12), 18},
               "Those of the encoder, the decoder and between them");
  }
  if (editing_) {
    // Beside the switch there is no room for it.
    Rect own = parts.below.width > 0 ? parts.below : parts.head;
    if (parts.below.width <= 0) own.y += kRowHeading, own.height -= kRowHeading;
    if (is_low(parts)) own = {own.x, parts.wall.y, own.width, own.bottom() - parts.wall.y};
    rows_.draw(ui, input, own);
  }
  if (input.difference_to) {
    int all_heads = part(input) == AttentionPane::wall ? 1 : 0;
    if (!parts.columns && Segmented(ui, parts.part_switch, "Head as", {"Heatmap", "All heads"}, all_heads))
      part_ = all_heads == 1 ? AttentionPane::wall : AttentionPane::heatmap;
    return;
  }
  int chosen = static_cast<int>(part_);
  if (parts.columns) {
    chosen = std::min(chosen, 1);
    Segmented(ui, parts.part_switch, "Head as", {"Heatmap", "Ribbons"}, chosen);
  } else {
    Segmented(ui, parts.part_switch, "Head as", {"Heatmap", "Ribbons", "All heads"}, chosen);
  }
  part_ = static_cast<AttentionPane>(chosen);
}

std::string AttentionView::title(const ViewInput& input) const {
  return model_.recurrent(input) ? alignment_title()
                                 : attention_question(input, within(input.shown, input).kind);
}

void AttentionView::alignment_controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (!input.recurrent.scene->attends()) return;
  const Rect content = stage_content(area);
  int chosen = part_ == AttentionPane::ribbons ? 1 : 0;
  const Rect place{alignment_head_right(content) - kSwitchWidth, content.y - 4, kSwitchWidth, 32};
  if (Segmented(ui, place, "Head as", {"Heatmap", "Ribbons"}, chosen))
    part_ = chosen == 1 ? AttentionPane::ribbons : AttentionPane::heatmap;
}

Point AttentionView::minimum_size(const ViewInput& input) const {
  if (model_.recurrent(input)) return alignment_minimum(*input.recurrent.scene);
  const int heads = input.snapshot.config.heads;
  const float wall_width = static_cast<float>(heads) * 56 + 2 * kStagePadding;
  const float wall = 44 + smallest_wall_height(rows_of(input), heads) + 28;
  if (part_ == AttentionPane::wall) return {std::max(560.0f, wall_width), std::max(400.0f, wall)};
  // The enlarged head alone can do with less than a stage usually has: with rows that hold their words.
  const Selection shown = within(input.shown, input);
  const auto rows = static_cast<float>(query_words(input, shown.kind, shown.sentence).size());
  return {400, wall <= 400 ? std::min(400.0f, 176 + 19 * rows) : wall};
}

ViewPlace AttentionView::place(const ViewInput& input) const {
  if (model_.recurrent(input)) return {.path = {"Recurrent model", "Alignment"}};
  switch (input.shown.kind) {
    case AttentionKind::encoder:
      return {.path = {"Encoder", "Self-attention"}};
    case AttentionKind::decoder:
      return {.path = {"Decoder", "Masked self-attention"}};
    case AttentionKind::cross:
      break;
  }
  return {.path = {"Decoder", "Cross-attention"}};
}

std::optional<InspectorPage> AttentionView::inspect(const ViewInput& input) const {
  if (model_.recurrent(input)) return alignment_page(input.recurrent);
  if (selected_cell(input.shown) || alone_ == kWallPanel) return std::nullopt;
  return attention_overview(input, within(input.shown, input));
}

std::vector<NumberTable> AttentionView::numbers(const ViewInput& input) const {
  if (model_.recurrent(input)) return alignment_numbers(*input.recurrent.scene);
  const Selection shown = within(input.shown, input);
  std::vector<NumberTable> tables;
  const auto add = [&](AttentionKind kind, int layer, int head) {
    const std::vector<std::string> queries = query_words(input, kind, shown.sentence);
    const AttentionTable table = shown_attention(input, kind, layer, head, shown.sentence);
    NumberTable& numbers = tables.emplace_back();
    numbers.one_quantity = true;
    numbers.title = attention_title(kind) + ", " + layer_words(layer) +
                    (head < 0 ? ", mean over heads" : ", head " + std::to_string(head + 1)) +
                    difference_suffix(input);
    numbers.columns = key_words(input, kind, shown.sentence);
    numbers.rows = queries;
    const auto covered = covered_row(input.covered, kind, layer, head, shown.sentence);
    for (int row = 0; row < table.rows; ++row) {
      std::vector<double>& values = numbers.values.emplace_back();
      for (int column = 0; column < table.columns; ++column)
        values.push_back(row == covered ? std::numeric_limits<double>::quiet_NaN() : table.at(row, column));
      if (row == covered)
        numbers.rows[static_cast<std::size_t>(row)] = covered_name(queries[static_cast<std::size_t>(row)]);
    }
  };
  add(shown.kind, shown.layer, shown.head);
  if (!alone_.empty() && alone_ != kWallPanel) return tables;
  for (const auto& [kind, layer] : wall_rows(input, every_))
    for (int head = 0; head < input.snapshot.config.heads; ++head)
      if (kind != shown.kind || layer != shown.layer || head != shown.head) add(kind, layer, head);
  return tables;
}

// Of one head, the mean over heads, or all of them with that one enlarged.
std::string AttentionView::caption_of(const ViewInput& input) const {
  const std::string& panel = alone_;
  const Selection shown = within(input.shown, input);
  std::string title = attention_title(shown.kind);
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  const std::string which =
      layer_words(shown.layer) +
      (shown.head < 0 ? ", mean over heads" : ", head " + std::to_string(shown.head + 1));
  const bool alone = panel == kHeadPanel || panel == "ribbons";
  const std::string what =
      (alone ? title + ", " + which : (every_ ? "Attention" : title) + " of every layer and head") +
      (panel == "ribbons" ? ", as ribbons" : "") + difference_suffix(input) +
      (panel.empty() ? "; " + which + " enlarged" : "");
  const bool relu = input.snapshot.config.attention_activation == AttentionActivation::relu;
  const int others = relu ? 0 : rows_not_one(input, shown.kind, shown.sentence);
  const std::string but =
      others == 0 ? ""
                  : ", but for " + format_count(others) + (others == 1 ? " row" : " rows") + " set by hand";
  if (input.difference_to) {
    const std::string colours = what + ". Blue where the second looks more, red where it looks less";
    return colours + (relu ? "." : "; rows sum to 0" + but + ".");
  }
  if (panel == "ribbons")
    return what + (relu ? ". The weights of a query need not sum to 1: a ReLU makes them."
                        : ". The weights of a query sum to 1" + but + ".");
  if (relu)
    return what +
           ". Rows are queries, columns keys; a ReLU makes the weights, whose rows need not sum to 1; colour "
           "from 0 to 1.";
  return what + ". Rows are queries, columns keys; each row of weights sums to 1" +
         (input.result.scene.what_if.has(ChangeKind::padding_mask_off)
              ? " with the padding, which is not drawn"
              : "") +
         but + "; colour from 0 to 1.";
}

std::string AttentionView::caption(const ViewInput& input) const {
  if (model_.recurrent(input)) return alignment_caption(*input.recurrent.scene);
  const Selection shown = within(input.shown, input);
  const auto covered = covered_row(input.covered, shown.kind, shown.layer, shown.head, shown.sentence);
  const std::vector<std::string> rows = query_words(input, shown.kind, shown.sentence);
  std::string caption = caption_of(input);
  if (covered && *covered < std::ssize(rows))
    caption +=
        " Row “" + rows[static_cast<size_t>(*covered)] + "” is covered until the question is answered.";
  return caption;
}

// Of every head where all are shown alone; the inspector's page is of one.
std::vector<std::string> AttentionView::sentences(const ViewInput& input) const {
  if (alone_ != kWallPanel) return {};
  std::string all;
  Selection shown = within(input.shown, input);
  shown.query.reset();
  shown.key.reset();
  for (const WallRow& of : wall_rows(input, every_)) {
    shown.kind = of.kind, shown.layer = of.layer;
    for (shown.head = 0; shown.head < input.snapshot.config.heads; ++shown.head)
      if (const auto row = strongest_row(input, shown))
        all += (all.empty() ? "" : "; ") + (every_ ? attention_title(of.kind) + " " : "") +
               head_words(shown.layer, shown.head) + ": " + row->label + " " + row->value;
  }
  if (all.empty()) return {};
  return {(input.difference_to ? "Largest difference of each head: " : "Strongest weight of each head: ") +
          all + "."};
}

bool AttentionView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  const char typed = key.typed;
  if (model_.recurrent(input) && typed == ViewKey::enter) {
    commands.push_back(OpenView{"cell", "Model", "Recurrent"});
    return true;
  }
  if (model_.recurrent(input) && alignment_key(key, input.recurrent, commands)) return true;
  Selection next = input.pinned;
  const int head = typed - '1';
  if (typed == '0') {
    next.head = -1;
  } else if (head >= 0 && head < std::min(9, input.snapshot.config.heads)) {
    next.head = head;
  } else if (typed == 'e' || typed == 'd' || typed == 'x') {
    next = of_kind(next, typed == 'e'   ? AttentionKind::encoder
                         : typed == 'd' ? AttentionKind::decoder
                                        : AttentionKind::cross);
  } else if (typed == 'r') {
    model_.turn(false);
    rows_.begin(input);
    return true;
  } else {
    return false;
  }
  model_.turn(false);
  commands.push_back(SetPin{repinned(within(next, input))});
  return true;
}

ViewTraits AttentionView::traits() const {
  if (model_.turned()) return {.of_recurrent = true, .state = "recurrent"};
  constexpr const char* kNames[] = {"heatmap", "ribbons", "all heads"};
  return {.shows = is_weight,
          .shows_weights = true,
          .shows_difference = true,
          .state = kNames[static_cast<int>(part_)],
          .panels = {kWallPanel, kHeadPanel, "ribbons"}};
}

}  // namespace

std::unique_ptr<View> make_attention_view() {
  return std::make_unique<AttentionView>();
}

}  // namespace glassformer
