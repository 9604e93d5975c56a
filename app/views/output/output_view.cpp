#include <algorithm>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/output/output_picture.h"

namespace glassformer {

namespace {

constexpr const char *kAskedWords = "asked-words", *kOnePlace = "one-place", *kEveryPlace = "every-place";

// What the model would write at each position, against what is right.
class OutputView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<OutputView>(*this); }
  ViewTraits traits() const override {
    return {.shows = shows,
            .state = detail_ ? "one position" : "every position",
            .panels = {kAskedWords, kOnePlace, kEveryPlace}};
  }
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override {
    part_ = name;
    return true;
  }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Decoder", "Output"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell);
  bool show_like(const View& first) override {
    *this = dynamic_cast<const OutputView&>(first);
    return true;
  }

 private:
  bool detail_ = false;  // in a narrow area: one position instead of all
  std::string part_;     // that alone is described; empty: all of it
};

bool OutputView::shows(const CellRef& cell) {
  return !cell.gradient && is_value_of_output(cell.name);
}

void OutputView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const OutputLayout parts = layout_output(area, detail_);
  const OutputScene scene = output_scene(input);
  draw_stage_title(
      canvas, area, "Which " + target_language(input) + " word comes next",
      parts.subtitle ? "Linear and softmax: at every position each word of the vocabulary gets a share; the "
                       "shares add up to 1."
                     : "",
      parts.part_switch.width > 0 ? 228 : 0);
  if (parts.table.width > 0) draw_output_table(canvas, parts.table, scene);
  if (parts.detail.width > 0) draw_output_detail(canvas, parts.detail, scene);
}

void OutputView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                       const Rect& area) const {
  const OutputScene scene = output_scene(input);
  const Rect inside = area.inset(kStagePadding);
  if (name == kAskedWords) draw_asked_words(canvas, inside, scene);
  if (name == kOnePlace) draw_output_detail(canvas, inside, scene, true);
  if (name == kEveryPlace) draw_output_table(canvas, inside, scene, true);
}

void OutputView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const OutputLayout parts = layout_output(area, detail_);
  const OutputScene scene = output_scene(input);
  const auto link = output_link(ui.canvas(), parts.detail, scene);
  if (link && ui.LinkButton(*link, "How does p − y flow back?",
                            {.tooltip = "Opens the Walk at the gradient of this word’s logit"})) {
    const int right = scene.rows[static_cast<size_t>(scene.chosen)].said.right.id;
    ui.push(OpenStep{{output_value(ValueKind::logits), {scene.sentence, scene.chosen, right}, true}});
  }
  if (parts.part_switch.width <= 0) return;
  int chosen = detail_ ? 1 : 0;
  ui.Segmented(parts.part_switch, "Show", {"Every position", "One position"}, chosen);
  detail_ = chosen == 1;
}

Point OutputView::minimum_size(const ViewInput& input) const {
  const float rows = static_cast<float>(target_in_words(input, input.shown.sentence).size());
  return {560, std::max(400.0f, 44 + kHeadingHeight + 24 + rows * smallest_row_height() + 28 + 24)};
}

std::optional<InspectorPage> OutputView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const OutputScene scene = output_scene(input);
  if (scene.rows.empty()) return std::nullopt;
  return describe_cell(input, {output_value(ValueKind::token_loss), {scene.sentence, scene.chosen}});
}

std::vector<NumberTable> OutputView::numbers(const ViewInput& input) const {
  const OutputScene scene = output_scene(input);
  NumberTable losses{.title = "loss of each word",
                     .columns = {"loss", "KL", "entropy", "entropy of the target",
                                 "p of " + the_asked_word(input, scene.sentence)}};
  NumberTable guesses{.title = "strongest guesses, rows are position and word",
                      .columns = {"logit", "p", "target y", "p - y"}};
  for (const OutputRow& row : scene.rows) {
    if (part_ == kOnePlace && row.position != scene.chosen) continue;
    losses.rows.push_back(std::to_string(row.position) + " " + row.right);
    losses.values.push_back(
        {row.said.loss, row.said.kl, row.said.entropy, row.said.target_entropy, row.said.right.probability});
    for (const Guess& guess : row.guesses) {
      guesses.rows.push_back(std::to_string(row.position) + " " + guess.word);
      const WordShare& share = guess.share;
      guesses.values.push_back({share.logit, share.probability, share.target, share.difference});
    }
  }
  if (part_ == kAskedWords) return {losses};
  return {losses, guesses};
}

std::string OutputView::caption(const ViewInput& input) const {
  const OutputScene scene = output_scene(input);
  const std::string asked = the_asked_word(input, scene.sentence);
  std::string text = (part_ == kAskedWords ? "The probability of " + asked : "The strongest guesses") +
                     " at every position, " + given_words(input, scene.sentence) + "; loss of the sentence " +
                     format_loss(scene.loss) + smoothed_words(scene) + ".";
  if (scene.rows.empty() || part_ == kAskedWords || part_ == kEveryPlace) return text;
  const OutputRow& row = scene.rows[static_cast<size_t>(scene.chosen)];
  const std::string one = "fter “" + row.read + "” " + asked + " is “" + row.right + "”, predicted with " +
                          format_probability(row.said.right.probability) + ".";
  return part_ == kOnePlace ? "A" + one : text + " In detail: a" + one;
}

}  // namespace

std::unique_ptr<View> make_output_view() {
  return std::make_unique<OutputView>();
}

}  // namespace glassformer
