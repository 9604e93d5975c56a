#include <algorithm>
#include <array>

#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/panel_captions.h"
#include "app/views/common/stage_head.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks_batch.h"
#include "app/views/masks/masks_dropout.h"
#include "app/views/masks/masks_mistake.h"
#include "app/views/masks/masks_padding.h"
#include "app/views/masks/masks_picture.h"

namespace glassformer {

namespace {

enum class MasksPage { masks, padding, batch, dropout, mistake };

constexpr const char* kMasksTitle = "What each word is allowed to see";
// Where the controls leave no more room.
constexpr const char* kMasksShort = "Masks";
constexpr const char* kDropoutShort = "Dropout";
// Panels, but the first.
constexpr std::array kPageNames = {"masks", "padding", "batch", "dropout", "mistake"};
constexpr float kKindsWidth = 196, kKindsHeight = 28, kPagesWidth = 328, kPagesRoom = 340;
// From these widths on a whole title has room beside both switches, beside one; both switches have.
constexpr float kWideHead = 900, kOneHead = 720, kBothHead = 680;

MasksPage page_named(std::string_view name) {
  return static_cast<MasksPage>(std::ranges::find(kPageNames, name) - kPageNames.begin());
}

// What each word is allowed to see, and what leaks when it may see more. On its other pages who needs a
// padding mask, the batch as tensors, what dropout drops, and a mask that comes too late.
class MasksView : public View, public PanelCaptions {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<MasksView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override { return caption_of(page_, input); }
  std::string panel_caption(std::string_view panel, const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View& first) override {
    // Not its studies: those are of another Scene.
    const auto& other = dynamic_cast<const MasksView&>(first);
    page_ = other.page_;
    cross_ = other.cross_;
    return true;
  }

 private:
  Selection attention_of(const Selection& selection) const;
  Selection chosen(const ViewInput& input) const { return attention_of(input.shown); }
  MistakeScene mistake(const ViewInput& input, bool at_once) const {
    return mistake_scene(input, input.shown, *mistakes_, at_once);
  }
  std::string caption_of(MasksPage page, const ViewInput& input) const;
  void draw_page(MasksPage page, Canvas& canvas, const ViewInput& input, const Rect& area,
                 bool at_once) const;
  std::string_view title(const Rect& area) const;  // on screen
  void choose(ui::Ui& ui, const ViewInput& input, const Rect& area);

  MasksPage page_ = MasksPage::masks;
  bool cross_ = false;  // cross-attention was asked for here; until then the decoder's own stands for it
  // Shared with copies.
  std::shared_ptr<PaddingStudies> studies_ = std::make_shared<PaddingStudies>();
  std::shared_ptr<MistakeStudies> mistakes_ = std::make_shared<MistakeStudies>();
};

ViewTraits MasksView::traits() const {
  std::string state = cross_ ? "masks, cross" : "masks";
  if (page_ != MasksPage::masks) state = kPageNames[static_cast<std::size_t>(page_)];
  return {.shows = is_weight,
          .shows_weights = true,
          .follows_kind = true,
          .shows_batch = true,
          .busy = studies_->busy() || mistakes_->busy(),
          .state = state,
          .panels = {kPageNames.begin() + 1, kPageNames.end()}};
}

// Cross-attention masks nothing but padding. Whoever comes from it is shown the decoder's own attention,
// where there is something to see.
Selection MasksView::attention_of(const Selection& selection) const {
  if (page_ == MasksPage::mistake) return of_kind(selection, AttentionKind::decoder);
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

void MasksView::draw_page(MasksPage page, Canvas& canvas, const ViewInput& input, const Rect& area,
                          bool at_once) const {
  const float pages = canvas.is_file() ? 0 : kPagesRoom;
  if (page == MasksPage::padding) {
    draw_stage_title(canvas, area, kPaddingTitle,
                     "Other words stand in the place of the padding: which rows notice?", pages);
    return draw_padding_page(canvas, area, input, padding_study(input, *studies_, at_once).get());
  }
  if (page == MasksPage::batch) {
    draw_stage_title(canvas, area, kBatchTitle, kBatchSubtitle, pages);
    return draw_batch_page(canvas, area, input);
  }
  if (page == MasksPage::dropout) {
    const DroppedStep step = dropped_step(input, chosen(input));
    draw_stage_title(canvas, area,
                     canvas.is_file() || area.width >= kWideHead ? kDropoutTitle : kDropoutShort,
                     dropout_subtitle(step), canvas.is_file() ? 0 : kKindsWidth + pages);
    return draw_dropout_page(canvas, area, input, step);
  }
  if (page == MasksPage::mistake) {
    const MistakeScene scene = mistake(input, at_once);
    draw_stage_title(canvas, area, canvas.is_file() || area.width >= kOneHead ? kMistakeTitle : kMistakeShort,
                     mistake_subtitle(scene), pages);
    return draw_mistake_page(canvas, area, scene);
  }
  const MaskScene scene = mask_scene(input, chosen(input));
  const MaskLayout layout = layout_masks(area, scene, static_cast<int>(input.result.trace->source.size()));
  draw_stage_title(
      canvas, area, canvas.is_file() || area.width >= kWideHead ? kMasksTitle : kMasksShort,
      layout.subtitle ? "Sentences in a batch are padded to one length. " + hidden_words(scene) : "",
      canvas.is_file() ? 0 : pages + (area.width >= kBothHead ? kKindsWidth : 0));
  draw_masks(canvas, area, scene);
}

void MasksView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  draw_page(page_, canvas, input, area, canvas.is_file());
}

void MasksView::panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  draw_page(page_named(name), canvas, input, area, true);
}

std::string_view MasksView::title(const Rect& area) const {
  const bool wide = area.width >= kWideHead;
  switch (page_) {
    case MasksPage::padding:
      return kPaddingTitle;
    case MasksPage::batch:
      return kBatchTitle;
    case MasksPage::dropout:
      return wide ? kDropoutTitle : kDropoutShort;
    case MasksPage::mistake:
      return area.width >= kOneHead ? kMistakeTitle : kMistakeShort;
    default:
      return wide ? kMasksTitle : kMasksShort;
  }
}

// Which page, and on two of them whose masks: keys E, D and X do the same.
void MasksView::choose(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const std::vector<std::string> pages{"Masks", "Padding", "Batch", "Dropout", "Mistake"};
  const float width = std::min(ui.segmented_width(pages), kPagesWidth);
  // Where both have no room, keys and the map choose whose.
  const bool kinds =
      (page_ == MasksPage::masks || page_ == MasksPage::dropout) && ui.seen(area).width >= kBothHead;
  const StageHead head(ui, area, title(area), {width + (kinds ? kKindsWidth + 12 : 0), kKindsHeight});
  const Rect& control = head.control();
  int page = static_cast<int>(page_);
  if (ui.Segmented({control.right() - width, control.y, width, control.height}, "Page", pages, page)) {
    page_ = static_cast<MasksPage>(page);
    turn_to_top(ui);
    ui.ask_frame(0);
  }
  int kind = static_cast<int>(chosen(input).kind);
  if (kinds && ui.Segmented({control.x, control.y, kKindsWidth, control.height}, "Masks of",
                            {"Encoder", "Decoder", "Cross"}, kind)) {
    cross_ = kind == static_cast<int>(AttentionKind::cross);
    ui.push(SetPin{of_kind(input.pinned, static_cast<AttentionKind>(kind))});
  }
}

void MasksView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (studies_->busy() || mistakes_->busy()) ui.ask_frame(0.02);
  if (page_ == MasksPage::padding) {
    const auto places = padding_switches(area);
    for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
      bool on = !input.result.scene.what_if.padding_seen(kind);
      if (ui.Switch(places[static_cast<std::size_t>(kind)], padding_switch_label(kind), on, false))
        ui.push(with_padding_mask(input, kind, on));
    }
  } else if (page_ == MasksPage::masks) {
    const MaskScene scene = mask_scene(input, chosen(input));
    const MaskLayout layout = layout_masks(area, scene, static_cast<int>(input.result.trace->source.size()));
    bool padding = scene.padding_on, causal = !input.result.scene.what_if.has(ChangeKind::causal_mask_off);
    bool used = ui.Switch({layout.padding_switch.x, layout.padding_switch.y}, "Padding", padding, false);
    if (scene.causal)
      used |= ui.Switch({layout.causal_switch.x, layout.causal_switch.y}, "Causal", causal, false);
    if (used) ui.push(with_masks(input, scene.shown.kind, padding, causal));
  }
  choose(ui, input, area);
}

Point MasksView::minimum_size(const ViewInput& input) const {
  if (page_ == MasksPage::padding) return padding_minimum();
  if (page_ == MasksPage::batch) return batch_minimum(input);
  if (page_ == MasksPage::dropout) return dropout_minimum(dropped_step(input, chosen(input)));
  if (page_ == MasksPage::mistake) return mistake_minimum(input, chosen(input));
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

std::optional<InspectorPage> MasksView::inspect(const ViewInput& input) const {
  if (page_ != MasksPage::masks && input.shown.cell) return std::nullopt;
  if (page_ == MasksPage::padding) return padding_page(input, padding_study(input, *studies_, false).get());
  if (page_ == MasksPage::batch) return batch_page(input);
  if (page_ == MasksPage::dropout) return dropout_page(dropped_step(input, chosen(input)));
  if (page_ == MasksPage::mistake) return mistake_page(mistake(input, false));
  return mask_page(mask_scene(input, chosen(input)));
}

std::vector<NumberTable> MasksView::numbers(const ViewInput& input) const {
  std::vector<NumberTable> tables = mask_numbers(mask_scene(input, chosen(input)));
  tables.push_back(padding_numbers(*padding_study(input, *studies_, true)));
  for (NumberTable& table : batch_numbers(batch_tensors(input))) tables.push_back(std::move(table));
  for (NumberTable& table : dropout_numbers(dropped_step(input, chosen(input))))
    tables.push_back(std::move(table));
  for (NumberTable& table : mistake_numbers(mistake(input, true))) tables.push_back(std::move(table));
  return tables;
}

std::string MasksView::panel_caption(std::string_view panel, const ViewInput& input) const {
  return caption_of(page_named(panel), input);
}

std::string MasksView::caption_of(MasksPage page, const ViewInput& input) const {
  if (page == MasksPage::padding) return padding_caption(*padding_study(input, *studies_, true));
  if (page == MasksPage::batch)
    return "The batch as tensors of ids. " + batch_loss_words(batch_tensors(input));
  if (page == MasksPage::dropout) return dropout_caption(dropped_step(input, chosen(input)));
  if (page == MasksPage::mistake) return mistake_caption(mistake(input, true));
  return mask_caption(mask_scene(input, chosen(input)));
}

}  // namespace

std::unique_ptr<View> make_masks_view() {
  return std::make_unique<MasksView>();
}

}  // namespace glassformer
