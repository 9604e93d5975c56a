#include <memory>
#include <type_traits>
#include <utility>

#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/page.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kKindsWidth = 196;
// From these widths on a whole title has room beside both switches, beside one; both switches have.
constexpr float kWideHead = 900, kOneHead = 720, kBothHead = 680;

struct MasksState {
  bool cross = false;  // cross-attention was asked for here; until then the decoder's own is shown
  // Shared with copies.
  std::shared_ptr<PaddingStudies> studies = std::make_shared<PaddingStudies>();
  std::shared_ptr<MistakeStudies> mistakes = std::make_shared<MistakeStudies>();

  // Cross-attention masks nothing but padding. Whoever comes from it is shown the decoder's own attention,
  // where there is something to see.
  Selection attention_of(const Selection& selection) const {
    const bool other = selection.kind == AttentionKind::cross && !cross;
    return other ? of_kind(selection, AttentionKind::decoder) : selection;
  }
};

// What all pages share.
template <class Scene>
class MasksPage : public PageOf<Scene> {
 public:
  MasksPage(std::shared_ptr<MasksState> state, PageLabels names)
      : state_(std::move(state)), names_(std::move(names)) {}
  PageLabels names() const override { return names_; }
  ViewTraits traits() const override {
    return {.shows = is_weight,
            .shows_weights = true,
            .follows_kind = true,
            .shows_batch = true,
            .busy = state_->studies->busy() || state_->mistakes->busy(),
            .state = names_.panel};
  }
  ViewPlace place(const ViewInput& input) const override {
    const Selection shown = within(chosen(input), input);
    const bool encoder = shown.kind == AttentionKind::encoder;
    return {.path = {encoder ? "Encoder" : "Decoder", capitalized(layer_words(shown.layer)),
                     encoder                                ? "Self-attention"
                     : shown.kind == AttentionKind::decoder ? "Masked self-attention"
                                                            : "Cross-attention",
                     "Masks"},
            .attention = attention_of(input.pinned).kind};
  }

 protected:
  virtual Selection attention_of(const Selection& selection) const { return state_->attention_of(selection); }
  Selection chosen(const ViewInput& input) const { return attention_of(input.shown); }
  // Whose masks: keys E, D and X do the same, where both switches have no room.
  void choose_kind(ui::Ui& ui, const ViewInput& input, const Rect& place) const {
    int kind = static_cast<int>(chosen(input).kind);
    if (!Segmented(ui, place, "Masks of", {"Encoder", "Decoder", "Cross"}, kind)) return;
    state_->cross = kind == static_cast<int>(AttentionKind::cross);
    ui.push(SetPin{of_kind(input.pinned, static_cast<AttentionKind>(kind))});
  }

  std::shared_ptr<MasksState> state_;

 private:
  PageLabels names_;
};

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

class WhoSeesWhom : public MasksPage<MaskScene> {
 public:
  using MasksPage::MasksPage;
  ViewTraits traits() const override {
    ViewTraits traits = MasksPage::traits();
    traits.state = state_->cross ? "masks, cross" : "masks";
    return traits;
  }
  float head_width(float stage) const override { return stage >= kBothHead ? kKindsWidth : 0; }
  void head_control(ui::Ui& ui, const ViewInput& input, const Rect& place) override {
    choose_kind(ui, input, place);
  }
  std::optional<MaskScene> scene(const ViewInput& input, Wait) const override {
    return mask_scene(input, chosen(input));
  }
  PageWords words_of(const ViewInput&, const MaskScene* scene) const override {
    return {.title = "What each word is allowed to see",
            .short_title = "Masks",
            .subtitle = "Sentences in a batch are padded to one length. " + hidden_words(*scene),
            .caption = mask_caption(*scene),
            .whole_from = kWideHead,
            .subtitle_from = kMasksSubtitleFrom};
  }
  void draw_scene(Canvas& canvas, const Rect& area, const MaskScene& scene) const override {
    draw_masks(canvas, area, scene);
  }
  void controls_of(ui::Ui& ui, const Rect& area, const MaskScene& scene) override {
    const SceneResult& result = scene.input.result;
    const MaskLayout layout = layout_masks(area, scene, static_cast<int>(result.trace->source.size()));
    bool padding = scene.padding_on, causal = !result.scene.what_if.has(ChangeKind::causal_mask_off);
    bool used = Switch(ui, {layout.padding_switch.x, layout.padding_switch.y}, "Padding", padding, false);
    if (scene.causal)
      used |= Switch(ui, {layout.causal_switch.x, layout.causal_switch.y}, "Causal", causal, false);
    if (used) ui.push(with_masks(scene.input, scene.shown.kind, padding, causal));
  }
  Point minimum_of(const MaskScene& scene) const override { return masks_minimum(scene); }
  std::optional<InspectorPage> inspect_scene(const MaskScene& scene) const override {
    return mask_page(scene);
  }
  PageContent describe_scene(const MaskScene& scene) const override {
    return {.tables = mask_numbers(scene)};
  }
  void draw_part(std::string_view part, Canvas& canvas, const Rect& area,
                 const MaskScene& scene) const override {
    draw_mask_part(canvas, area.inset(kStagePadding), scene, part == kWeightsPart);
  }
  // Of the tables: may look, scores, weights.
  PageContent describe_part(std::string_view part, const MaskScene& scene) const override {
    return {.tables = {mask_numbers(scene)[part == kWeightsPart ? 2 : 0]}};
  }
};

struct PaddingScene {
  const ViewInput& input;
  std::shared_ptr<const PaddingStudy> study;  // null: being computed, while its switches can be used
};

class WhoNeedsPadding : public MasksPage<PaddingScene> {
 public:
  using MasksPage::MasksPage;
  std::optional<PaddingScene> scene(const ViewInput& input, Wait wait) const override {
    return PaddingScene{input, padding_study(input, *state_->studies, wait == Wait::until_there)};
  }
  PageWords words_of(const ViewInput&, const PaddingScene* scene) const override {
    return {.title = kPaddingTitle,
            .subtitle = "Other words stand in the place of the padding: which rows notice?",
            .caption = scene->study ? padding_caption(*scene->study) : ""};
  }
  void draw_scene(Canvas& canvas, const Rect& area, const PaddingScene& scene) const override {
    draw_padding_page(canvas, area, scene.input, scene.study.get());
  }
  Point minimum_of(const PaddingScene&) const override { return padding_minimum(); }
  void controls_of(ui::Ui& ui, const Rect& area, const PaddingScene& scene) override {
    const auto places = padding_switches(area);
    for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
      bool on = !scene.input.result.scene.what_if.padding_seen(kind);
      if (Switch(ui, places[static_cast<std::size_t>(kind)], padding_switch_label(kind), on, false))
        ui.push(with_padding_mask(scene.input, kind, on));
    }
  }
  std::optional<InspectorPage> inspect_scene(const PaddingScene& scene) const override {
    if (scene.input.shown.cell) return std::nullopt;
    return padding_page(scene.input, scene.study.get());
  }
  PageContent describe_scene(const PaddingScene& scene) const override {
    PageContent content{.tables = {padding_numbers(*scene.study), zeroed_numbers(*scene.study)}};
    if (!scene.input.shown.cell) return content;  // the inspector's page has the sentences
    for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
      content.sentences.push_back(zeroed_words(
          *scene.study, kind, scene.input.snapshot.config.attention_activation == AttentionActivation::relu));
    std::erase(content.sentences, "");
    return content;
  }
};

struct BatchScene {
  const ViewInput& input;
  BatchTensors tensors;
};

class BatchAsTensors : public MasksPage<BatchScene> {
 public:
  using MasksPage::MasksPage;
  std::optional<BatchScene> scene(const ViewInput& input, Wait) const override {
    return BatchScene{input, batch_tensors(input)};
  }
  PageWords words_of(const ViewInput&, const BatchScene* scene) const override {
    return {.title = kBatchTitle,
            .subtitle = kBatchSubtitle,
            .caption = "The batch as tensors of ids. " + batch_loss_words(scene->tensors)};
  }
  void draw_scene(Canvas& canvas, const Rect& area, const BatchScene& scene) const override {
    draw_batch_page(canvas, area, scene.input);
  }
  Point minimum_of(const BatchScene& scene) const override { return batch_minimum(scene.input); }
  std::optional<InspectorPage> inspect_scene(const BatchScene& scene) const override {
    if (scene.input.shown.cell) return std::nullopt;
    return batch_page(scene.input);
  }
  PageContent describe_scene(const BatchScene& scene) const override {
    PageContent content{.tables = batch_numbers(scene.tensors)};
    for (const auto& [name, numbers, letters] : shape_way(scene.tensors))
      content.sentences.push_back(name + ": " + numbers + ", " + letters + ".");
    content.sentences.push_back(mask_signs_words(scene.tensors));
    content.sentences.push_back(target_slices_words(
        scene.tensors, !scene.input.result.scene.what_if.has(ChangeKind::causal_mask_off)));
    return content;
  }
};

struct DropoutScene {
  const ViewInput& input;
  DroppedStep step;
};

class WhatIsDropped : public MasksPage<DropoutScene> {
 public:
  using MasksPage::MasksPage;
  float head_width(float stage) const override { return stage >= kBothHead ? kKindsWidth : 0; }
  void head_control(ui::Ui& ui, const ViewInput& input, const Rect& place) override {
    choose_kind(ui, input, place);
  }
  std::optional<DropoutScene> scene(const ViewInput& input, Wait) const override {
    return DropoutScene{input, dropped_step(input, chosen(input))};
  }
  PageWords words_of(const ViewInput&, const DropoutScene* scene) const override {
    return {.title = kDropoutTitle,
            .short_title = "Dropout",
            .subtitle = dropout_subtitle(scene->step),
            .caption = dropout_caption(scene->step),
            .whole_from = kWideHead};
  }
  void draw_scene(Canvas& canvas, const Rect& area, const DropoutScene& scene) const override {
    draw_dropout_page(canvas, area, scene.input, scene.step);
  }
  Point minimum_of(const DropoutScene& scene) const override { return dropout_minimum(scene.step); }
  std::optional<InspectorPage> inspect_scene(const DropoutScene& scene) const override {
    if (scene.input.shown.cell) return std::nullopt;
    return dropout_page(scene.step);
  }
  PageContent describe_scene(const DropoutScene& scene) const override {
    return {.tables = dropout_numbers(scene.step)};
  }
};

struct LateScene {
  const ViewInput& input;
  MistakeScene mistake;
};

class MaskTooLate : public MasksPage<LateScene> {
 public:
  using MasksPage::MasksPage;
  std::optional<LateScene> scene(const ViewInput& input, Wait wait) const override {
    MistakeScene found = mistake_scene(input, input.shown, *state_->mistakes, wait == Wait::until_there);
    if (!found.study) return std::nullopt;
    return LateScene{input, std::move(found)};
  }
  PageWords words_of(const ViewInput&, const LateScene* scene) const override {
    return {.title = kMistakeTitle,
            .short_title = "Mistake",
            .subtitle = scene ? mistake_subtitle(scene->mistake) : "",
            .caption = scene ? mistake_caption(scene->mistake) : "",
            .whole_from = kOneHead};
  }
  void draw_scene(Canvas& canvas, const Rect& area, const LateScene& scene) const override {
    draw_mistake_page(canvas, area, scene.mistake);
  }
  Point minimum_of(const LateScene& scene) const override {
    return mistake_minimum(scene.input, scene.mistake.shown);
  }
  std::optional<InspectorPage> inspect_scene(const LateScene& scene) const override {
    if (scene.input.shown.cell) return std::nullopt;
    return mistake_page(scene.mistake);
  }
  PageContent describe_scene(const LateScene& scene) const override {
    return {.tables = mistake_numbers(scene.mistake)};
  }

 protected:
  Selection attention_of(const Selection& selection) const override {
    return of_kind(selection, AttentionKind::decoder);
  }
};

std::vector<std::unique_ptr<Page>> masks_pages(const std::shared_ptr<MasksState>& state) {
  std::vector<std::unique_ptr<Page>> pages;
  const auto add = [&]<class Kind>(std::type_identity<Kind>, const char* label, const char* panel,
                                   std::vector<std::string> parts = {}) {
    pages.push_back(
        std::make_unique<Kind>(state, PageLabels{.label = label, .panel = panel, .parts = std::move(parts)}));
  };
  add(std::type_identity<WhoSeesWhom>(), "Masks", "", {kMaskPart, kWeightsPart});
  add(std::type_identity<WhoNeedsPadding>(), "Padding", "padding");
  add(std::type_identity<BatchAsTensors>(), "Batch", "batch");
  add(std::type_identity<WhatIsDropped>(), "Dropout", "dropout");
  add(std::type_identity<MaskTooLate>(), "Mistake", "mistake");
  return pages;
}

// What each word is allowed to see, and what leaks when it may see more. On its other pages who needs a
// padding mask, the batch as tensors, what dropout drops, and a mask that comes too late.
class MasksView : public ViewOfPages<MasksState> {
 public:
  MasksView() : ViewOfPages({}, masks_pages) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<MasksView>(*this); }
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override {
    const char typed = key.typed;
    if (typed != 'e' && typed != 'd' && typed != 'x') return false;
    state().cross = typed == 'x';
    const AttentionKind kind = typed == 'e'   ? AttentionKind::encoder
                               : typed == 'd' ? AttentionKind::decoder
                                              : AttentionKind::cross;
    commands.push_back(SetPin{of_kind(input.pinned, kind)});
    return true;
  }
  bool show_like(const View& first) override {
    // Not its studies: those are of another Scene.
    state().cross = dynamic_cast<const MasksView&>(first).state().cross;
    return PagedView::show_like(first);
  }
};

}  // namespace

std::unique_ptr<View> make_masks_view() {
  return std::make_unique<MasksView>();
}

}  // namespace glassformer
