#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/background.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/tokens/tokens_picture.h"

namespace glassformer {

namespace {

// How a sentence becomes the numbers that the model reads.
class TokensView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<TokensView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override { return {560, 424}; }
  ViewPlace place(const ViewInput&) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  TokenScene scene(const ViewInput& input) const;
  // The other tokenizers of this side; started when first asked for, waited for when `wait`.
  std::shared_ptr<const TokenComparison> comparison(const TokenScene& scene, bool wait) const;

  bool source_ = true;
  bool vocabulary_ = false;  // in a narrow area: the vocabulary instead of the sentence
  int first_row_ = 0;
  int followed_ = -1;  // the piece that the vocabulary last scrolled to

  // Learned away from the screen's thread, once a tokenizer and its text; source and target.
  using LearnedOf = std::pair<std::shared_ptr<const Tokenizer>, std::shared_ptr<const TrainingText>>;
  using Learned = Background<LearnedOf, TokenComparison>;
  std::shared_ptr<std::array<Learned, 2>> learned_ = std::make_shared<std::array<Learned, 2>>();
};

TokenScene TokensView::scene(const ViewInput& input) const {
  TokenScene scene = token_scene(input, source_);
  scene.first_row = first_row_;
  return scene;
}

std::shared_ptr<const TokenComparison> TokensView::comparison(const TokenScene& scene, bool wait) const {
  if (!scene.tokenizer) return nullptr;
  const std::shared_ptr<const TrainingText> text = scene.input.training_text;
  if (!text) return nullptr;
  Learned& learned = (*learned_)[source_ ? 0 : 1];
  const auto found =
      learned.get({scene.tokenizer, text}, wait, [own = scene.tokenizer, text, side = source_] {
        return compare_tokenizers(own, (side ? text->source : text->target).lines);
      });
  return found.current ? found.value : nullptr;
}

void TokensView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const TokensLayout parts = layout_tokens(area, vocabulary_);
  TokenScene shown = scene(input);
  draw_stage_title(
      canvas, area, parts.columns ? "How the sentence becomes numbers" : "How text becomes numbers",
      parts.subtitle ? "A tokenizer cuts text into pieces that it knows; the model sees only their ids." : "",
      parts.part_switch.width > 0 ? 204 : 0);
  if (!shown.tokenizer) {
    draw_nothing_yet(canvas, stage_content(area), "No tokenizer",
                     "This model came without one. It reads ids: type numbers between blanks.");
    return;
  }
  const auto learned = comparison(shown, canvas.is_file());
  shown.comparison = learned.get();
  if (parts.sentence.width > 0) {
    const float used = draw_token_steps(canvas, parts.sentence, shown) + 28;
    Rect comparison = parts.comparison;
    comparison.height = std::min(comparison.bottom() - parts.sentence.y - used, 360.0f);
    comparison.y = parts.sentence.y + used;
    draw_token_comparison(canvas, comparison, shown);
  }
  if (parts.vocabulary.width > 0) draw_vocabulary(canvas, parts, shown);
}

void TokensView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const TokensLayout parts = layout_tokens(area, vocabulary_);
  int side = source_ ? 0 : 1;
  const std::vector<std::string> sides{source_language(input), target_language(input)};
  if (ui.Segmented(parts.side_switch, "Side", sides, side)) first_row_ = 0;
  source_ = side == 0;
  if (parts.part_switch.width > 0) {
    int part = vocabulary_ ? 1 : 0;
    ui.Segmented(parts.part_switch, "Show", {"Sentence", "Vocabulary"}, part);
    vocabulary_ = part == 1;
  }
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return;
  if (input.training_text_state != TextState::unknown && !comparison(shown, false)) ui.ask_frame(0.1);
  if (parts.vocabulary.width <= 0) return;

  // The table scrolls by whole rows, and follows the piece that is pointed at.
  const float fit = parts.rows.height / kVocabularyRow;
  const int wanted = shown.chosen ? shown.pieces[static_cast<size_t>(*shown.chosen)].id : -1;
  if (wanted >= 0 && wanted != followed_) {
    const auto row = static_cast<float>(wanted);
    const auto first = static_cast<float>(first_row_);
    if (row < first || row >= first + fit - 1)
      ui.scroll_to("Vocabulary", {0, std::max(0.0f, row - std::floor(fit / 2)) * kVocabularyRow});
  }
  followed_ = wanted;
  const Rect content =
      ui.begin_scroll(parts.rows, "Vocabulary",
                      {parts.rows.width, static_cast<float>(shown.tokenizer->size()) * kVocabularyRow});
  ui.end_scroll();
  first_row_ = static_cast<int>(std::round((parts.rows.y - content.y) / kVocabularyRow));
}

ViewPlace TokensView::place(const ViewInput&) const {
  return {.path = {source_ ? "Encoder" : "Decoder", "Tokens"}};
}

std::optional<InspectorPage> TokensView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return std::nullopt;
  const auto row = [](std::string label, std::string value) {
    InspectorRow made;
    made.label = std::move(label);
    made.value = std::move(value);
    return made;
  };
  const auto pieces = static_cast<long long>(shown.pieces.size());
  const auto unknown =
      std::count_if(shown.pieces.begin(), shown.pieces.end(), [](const Piece& each) { return each.unknown; });
  const auto words = std::count_if(shown.pieces.begin(), shown.pieces.end(),
                                   [](const Piece& each) { return each.word_start; });
  InspectorPage page;
  page.caption = "Tokenizer, " + (source_ ? source_language(input) : target_language(input));
  page.subject = "**" + kind_words(shown.tokenizer->kind()) + "**";
  InspectorSection section;
  section.heading = "This sentence";
  section.rows = {row("pieces", format_count(pieces)), row("words", format_count(words)),
                  row("unknown pieces", format_count(unknown)),
                  row("vocabulary", format_count(shown.tokenizer->size()))};
  section.rows[2].wrong = unknown > 0;
  page.sections.push_back(std::move(section));
  page.meaning =
      "Frequent words stay whole, rare ones are spelled in pieces: so a few thousand pieces can write any "
      "text. Each id picks one row of the embedding table.";
  page.paper = "Paper, section 5.1";
  return page;
}

std::vector<NumberTable> TokensView::numbers(const ViewInput& input) const {
  const TokenScene shown = scene(input);
  NumberTable sentence{.title = "pieces of the sentence", .columns = {"id", "starts a word", "unknown"}};
  for (const Piece& piece : shown.pieces) {
    sentence.rows.push_back(piece.text);
    sentence.values.push_back({double(piece.id), piece.word_start ? 1.0 : 0.0, piece.unknown ? 1.0 : 0.0});
  }
  NumberTable vocabulary{.title = "vocabulary", .columns = {"id", "starts a word", "score"}};
  for (int id = 0; shown.tokenizer && id < shown.tokenizer->size(); ++id) {
    vocabulary.rows.push_back(shown.tokenizer->piece(id));
    vocabulary.values.push_back({double(id), shown.tokenizer->starts_word(id) ? 1.0 : 0.0,
                                 shown.tokenizer->score(id).value_or(std::nan(""))});
  }
  return {sentence, vocabulary};
}

std::string TokensView::caption(const ViewInput& input) const {
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return "The model has no tokenizer; it reads ids.";
  return "The " + (source_ ? source_language(input) : target_language(input)) + " sentence in " +
         format_count(static_cast<long long>(shown.pieces.size())) + " pieces of a vocabulary of " +
         format_count(shown.tokenizer->size()) + " (" + kind_words(shown.tokenizer->kind()) + ")" +
         (input.training_text ? ", beside three other ways to cut it." : ".");
}

ViewTraits TokensView::traits() const {
  return {.wants_training_text = true,
          .state = std::string(source_ ? "source" : "target") + (vocabulary_ ? " vocabulary" : "")};
}

}  // namespace

std::unique_ptr<View> make_tokens_view() {
  return std::make_unique<TokensView>();
}

}  // namespace glassformer
