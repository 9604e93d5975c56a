#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/background.h"
#include "app/reading/scene_words.h"
#include "app/session/paths.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/tokens/tokens.h"
#include "engine/math/error.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr float kFileField = 36;
constexpr const char* kSentence = "sentence";
constexpr const char* kNoText = "It would be learned from this model’s training text, which is not at hand.";

// How a sentence becomes the numbers that the model reads.
class TokensView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<TokensView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override {
    if (page_ != TokensPage::sentence) return {560, 424};
    return {560, file_.empty() ? 580.0f : 612.0f};  // six rows, or seven, of which none covers another
  }
  ViewPlace place(const ViewInput&) const override {
    return {.path = {source_ ? "Encoder" : "Decoder", "Tokens"}};
  }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  std::vector<std::string> sentences(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override;

 private:
  TokenScene scene(const ViewInput& input) const;
  // The other tokenizers of this side; started when first asked for, waited for when `wait`.
  std::shared_ptr<const TokenComparison> comparison(const TokenScene& scene, bool wait) const;

  // Null: being learned, or there is no training text (or no unigram tokenizer).
  std::shared_ptr<const PairMerges> merges(const ViewInput& input, bool wait) const;
  std::shared_ptr<const UnigramLosses> losses(const TokenScene& scene, bool wait) const;
  // Null: no file is named, or it is still being read.
  std::shared_ptr<const ComparedTokenizer> opened(bool wait) const;
  void file_field(ui::Ui& ui, const Rect& comparison);
  MergeScene merge_scene(const PairMerges& merges, const TokenScene& scene) const;
  void draw_page(Canvas& canvas, const ViewInput& input, const Rect& area, TokensPage page) const;
  void merge_controls(ui::Ui& ui, const PairMerges& merges, const Rect& area);

  bool source_ = true;
  TokensPage page_ = TokensPage::sentence;
  bool alone_ = false;  // the sentence's pieces and ids are described, and nothing beside them
  int made_ = 0;        // merges
  bool playing_ = false;
  std::chrono::steady_clock::time_point next_merge_ = {};
  int first_row_ = 0;
  int followed_ = -1;  // the piece that the vocabulary last scrolled to

  // Learned away from the screen's thread, once a tokenizer and its text; source and target.
  using LearnedOf = std::pair<std::shared_ptr<const Tokenizer>, std::shared_ptr<const TrainingText>>;
  using Learned = Background<LearnedOf, TokenComparison>;
  std::shared_ptr<std::array<Learned, 2>> learned_ = std::make_shared<std::array<Learned, 2>>();
  std::string file_, typed_file_;  // that is compared; what is in the field
  std::shared_ptr<Background<std::string, ComparedTokenizer>> opened_ =
      std::make_shared<Background<std::string, ComparedTokenizer>>();
  using Merged = Background<std::shared_ptr<const TrainingText>, PairMerges>;
  std::shared_ptr<std::array<Merged, 2>> merged_ = std::make_shared<std::array<Merged, 2>>();
  using LossesOf = std::pair<std::shared_ptr<const Tokenizer>, std::string>;
  std::shared_ptr<Background<LossesOf, std::optional<UnigramLosses>>> losses_ =
      std::make_shared<Background<LossesOf, std::optional<UnigramLosses>>>();
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

std::shared_ptr<const PairMerges> TokensView::merges(const ViewInput& input, bool wait) const {
  const std::shared_ptr<const TrainingText> text = input.training_text;
  if (!text) return nullptr;
  const auto found = (*merged_)[source_ ? 0 : 1].get(text, wait, [text, side = source_] {
    const std::vector<std::string>& lines = (side ? text->source : text->target).lines;
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), kMergedLines));
    return PairMerges({lines.begin(), end}, kMostMerges);
  });
  return found.current ? found.value : nullptr;
}

std::shared_ptr<const UnigramLosses> TokensView::losses(const TokenScene& scene, bool wait) const {
  const auto learned = comparison(scene, wait);
  if (!learned) return nullptr;
  const auto unigram = std::ranges::find(*learned, TokenizerKind::unigram, &ComparedTokenizer::kind);
  if (unigram == learned->end() || !unigram->tokenizer) return nullptr;
  const auto found = losses_->get(
      {unigram->tokenizer, scene.read}, wait,
      [tokenizer = unigram->tokenizer, text = scene.read] { return unigram_losses(*tokenizer, text); });
  if (!found.current || !found.value || !*found.value) return nullptr;
  return {found.value, &**found.value};
}

MergeScene TokensView::merge_scene(const PairMerges& merges, const TokenScene& scene) const {
  return {.merges = merges,
          .words = split_words(scene.read),
          .made = std::clamp(made_, 0, static_cast<int>(merges.merges().size()))};
}

void TokensView::draw_page(Canvas& canvas, const ViewInput& input, const Rect& area, TokensPage page) const {
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return;
  if (page == TokensPage::merges) {
    if (const auto found = merges(input, canvas.is_file()))
      return draw_merges(canvas, area, merge_scene(*found, shown));
  } else if (const auto found = losses(shown, canvas.is_file())) {
    return draw_piece_losses(canvas, area, *found);
  }
  const bool coming = input.training_text_state != TextState::unknown;
  draw_nothing_yet(canvas, area, coming ? "One moment…" : "No training text",
                   coming ? "It is learned from the training text." : kNoText);
}

void TokensView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                       const Rect& area) const {
  const TokenScene shown = scene(input);
  if (name == kSentence && shown.tokenizer) draw_token_steps(canvas, area.inset(kStagePadding), shown, true);
  if (name == "merges") draw_page(canvas, input, area.inset(kStagePadding), TokensPage::merges);
  if (name == "unigram-pieces") draw_page(canvas, input, area.inset(kStagePadding), TokensPage::pieces);
}

bool TokensView::open_panel(std::string_view name) {
  alone_ = name == kSentence;
  page_ = alone_ ? TokensPage::sentence : name == "merges" ? TokensPage::merges : TokensPage::pieces;
  return true;
}

std::shared_ptr<const ComparedTokenizer> TokensView::opened(bool wait) const {
  if (file_.empty()) return nullptr;
  const auto found = opened_->get(file_, wait, [path = file_] {
    ComparedTokenizer file{.tokenizer = nullptr, .note = std::filesystem::path(path).filename().string()};
    try {
      file.tokenizer = open_tokenizer_file(path);
      file.kind = file.tokenizer->kind();
    } catch (const std::exception& error) {
      file.note = failure_words(error);
    }
    return file;
  });
  return found.current ? found.value : nullptr;
}

// A tokenizer that others made, beside the six.
void TokensView::file_field(ui::Ui& ui, const Rect& comparison) {
  const float y = comparison.bottom() - kFileField;
  ui.canvas().text({comparison.x, y + 16}, "Another", caption_style(ui.canvas()));
  const ui::FieldEvent event =
      TextField(ui, {comparison.x + 96, y, std::min(360.0f, comparison.width - 96), 32}, "Tokenizer file",
                typed_file_, {.hint = "a .model or vocab.txt: its path, then Enter"});
  if (event == ui::FieldEvent::entered) file_ = expanded(typed_file_);
  if (file_.empty()) return;
  if (const auto file = opened(false))
    ui.note({comparison.x, y, 90, 32}, "opened tokenizer", file->note);
  else
    ui.ask_frame(0.1);
}

void TokensView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const TokensLayout parts = layout_tokens(area, page_);
  TokenScene shown = scene(input);
  draw_stage_title(
      canvas, area, parts.columns ? "How the sentence becomes numbers" : "Text to numbers",
      parts.subtitle ? "A tokenizer cuts text into pieces that it knows; the model sees only their ids." : "",
      parts.part_switch.width + 8);
  if (!shown.tokenizer) {
    draw_nothing_yet(canvas, stage_content(area), "No tokenizer",
                     "This model came without one. It reads ids: type numbers between blanks.");
    return;
  }
  const auto learned = comparison(shown, canvas.is_file());
  shown.comparison = learned.get();
  if (parts.lab.width > 0) draw_page(canvas, input, parts.lab, page_);
  if (parts.sentence.width > 0) {
    const auto file = opened(canvas.is_file());
    shown.opened = file.get();
    const float used = draw_token_steps(canvas, parts.sentence, shown) + 28;
    Rect comparison = parts.comparison;
    const float field = canvas.is_file() ? 0 : kFileField + 4;
    comparison.height = std::min(comparison.bottom() - parts.sentence.y - used - field, 400.0f);
    comparison.y = parts.sentence.y + used;
    draw_token_comparison(canvas, comparison, shown);
  }
  if (parts.vocabulary.width > 0) draw_vocabulary(canvas, parts, shown);
}

void TokensView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const TokensLayout parts = layout_tokens(area, page_);
  int side = source_ ? 0 : 1;
  const std::vector<std::string> sides{source_language(input), target_language(input)};
  if (Segmented(ui, parts.side_switch, "Side", sides, side)) first_row_ = 0;
  source_ = side == 0;
  // Beside a sentence the vocabulary is anyway.
  std::vector<std::pair<const char*, TokensPage>> pages{{"Sentence", TokensPage::sentence},
                                                        {"Vocabulary", TokensPage::vocabulary},
                                                        {"Merges", TokensPage::merges},
                                                        {"Pieces", TokensPage::pieces}};
  if (parts.columns) pages.erase(pages.begin() + 1);
  std::vector<std::string> names;
  int chosen = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    names.emplace_back(pages[i].first);
    if (pages[i].second == page_) chosen = static_cast<int>(i);
  }
  Segmented(ui, parts.part_switch, "Show", names, chosen);
  const TokensPage page = pages[static_cast<std::size_t>(chosen)].second;
  if (std::exchange(page_, page) != page) turn_to_top(ui);
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return;
  const bool text_comes = input.training_text_state != TextState::unknown;
  if (page_ == TokensPage::merges) {
    if (const auto found = merges(input, false))
      merge_controls(ui, *found, parts.lab);
    else if (text_comes)
      ui.ask_frame(0.1);
  }
  if (page_ == TokensPage::pieces && text_comes && !losses(shown, false)) ui.ask_frame(0.1);
  if (parts.sentence.width > 0) file_field(ui, parts.comparison);
  if (input.training_text_state != TextState::unknown && !comparison(shown, false)) ui.ask_frame(0.1);
  if (parts.vocabulary.width <= 0) return;

  // The table scrolls by whole rows, and follows the piece that is pointed at.
  const float fit = parts.rows.height / kVocabularyRow;
  const int wanted = shown.chosen ? shown.pieces[static_cast<size_t>(*shown.chosen)].id : -1;
  if (wanted >= 0 && wanted != followed_) {
    const auto row = static_cast<float>(wanted);
    const auto first = static_cast<float>(first_row_);
    if (row < first || row >= first + fit - 1)
      ui.scroll.to("Vocabulary", {0, std::max(0.0f, row - std::floor(fit / 2)) * kVocabularyRow});
  }
  followed_ = wanted;
  const Rect content =
      ui.scroll.begin(parts.rows, "Vocabulary",
                      {parts.rows.width, static_cast<float>(shown.tokenizer->size()) * kVocabularyRow});
  ui.scroll.end();
  first_row_ = static_cast<int>(std::round((parts.rows.y - content.y) / kVocabularyRow));
}

// Back, next, play, and a slider over all merges.
void TokensView::merge_controls(ui::Ui& ui, const PairMerges& merges, const Rect& area) {
  constexpr auto kPause = std::chrono::milliseconds(400);
  const int all = static_cast<int>(merges.merges().size());
  made_ = std::clamp(made_, 0, all);
  const auto now = std::chrono::steady_clock::now();
  if (playing_ && now >= next_merge_) ++made_, next_merge_ = now + kPause;
  playing_ = playing_ && made_ < all;
  made_ = std::min(made_, all);
  float x = area.x;
  const float y = area.y + kHeadingHeight;
  const auto button = [&](ui::Icon icon, const char* name, bool enabled) {
    const bool pressed = IconButton(ui, {x, y, 36, 32}, icon, name, {.enabled = enabled});
    x += 40;
    return pressed;
  };
  if (button(ui::Icon::back, "Merge back", made_ > 0)) --made_, playing_ = false;
  if (button(playing_ ? ui::Icon::pause : ui::Icon::play, playing_ ? "Pause the merges" : "Play the merges",
             made_ < all || playing_)) {
    playing_ = !playing_;
    next_merge_ = now;
  }
  if (button(ui::Icon::next, "Next merge", made_ < all)) ++made_, playing_ = false;
  double value = made_;
  if (Slider(ui, {x + 8, y + 4, std::max(60.0f, area.right() - x - 8), 24}, "Merges", value,
             {.minimum = 0, .maximum = static_cast<double>(std::max(1, all)), .step = 1}))
    made_ = std::min(all, static_cast<int>(std::lround(value))), playing_ = false;
  if (playing_) ui.ask_frame(0.05);
  ui.note({area.x, y, 1, 1}, "merges made", std::to_string(made_));
}

std::optional<InspectorPage> TokensView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return std::nullopt;
  const std::string language = source_ ? source_language(input) : target_language(input);
  if (page_ == TokensPage::merges) {
    const auto found = merges(input, false);
    return found ? std::optional(merge_page(merge_scene(*found, shown), language)) : std::nullopt;
  }
  if (page_ == TokensPage::pieces) {
    const auto found = losses(shown, false);
    return found ? std::optional(piece_loss_page(*found, language)) : std::nullopt;
  }
  const auto row = [](std::string label, std::string value) {
    return InspectorRow{.label = std::move(label), .value = std::move(value)};
  };
  const auto unknown = std::ranges::count_if(shown.pieces, &Piece::unknown);
  const auto words = std::ranges::count_if(shown.pieces, &Piece::word_start);
  InspectorPage page;
  page.caption = "Tokenizer, " + language;
  page.subject = "**" + kind_words(shown.tokenizer->kind()) + "**";
  InspectorSection section;
  section.heading = "This sentence";
  section.rows = {row("pieces", format_count(std::ssize(shown.pieces))), row("words", format_count(words)),
                  row("unknown pieces", format_count(unknown)),
                  row("vocabulary", format_count(shown.tokenizer->size()))};
  section.rows[2].wrong = unknown > 0;
  page.sections.push_back(std::move(section));
  page.meaning = kind_meaning(shown.tokenizer->kind()) + " Each id picks one row of the embedding table.";
  page.paper = "Paper, section 5.1";
  return page;
}

std::vector<NumberTable> TokensView::numbers(const ViewInput& input) const {
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return {};
  if (page_ == TokensPage::merges) {
    const auto found = merges(input, true);
    return found ? merge_numbers(merge_scene(*found, shown)) : std::vector<NumberTable>();
  }
  if (page_ == TokensPage::pieces) {
    const auto found = losses(shown, true);
    return found ? piece_loss_numbers(*found) : std::vector<NumberTable>();
  }
  if (page_ == TokensPage::vocabulary) return {vocabulary_numbers(*shown.tokenizer)};
  std::vector<NumberTable> tables{piece_numbers(shown.pieces)};
  if (alone_) return tables;
  if (const auto file = opened(true); file && file->tokenizer) tables.push_back(opened_numbers(shown, *file));
  tables.push_back(vocabulary_numbers(*shown.tokenizer));
  return tables;
}

std::vector<std::string> TokensView::sentences(const ViewInput& input) const {
  const TokenScene shown = scene(input);
  if (!shown.tokenizer || alone_ || page_ != TokensPage::sentence) return {};
  std::vector<std::string> sentences;
  if (const auto learned = comparison(shown, true)) sentences.push_back(cuts_in_words(shown, *learned));
  if (const auto file = opened(true)) sentences.push_back(opened_in_words(shown, *file));
  return sentences;
}

std::string TokensView::caption(const ViewInput& input) const {
  const TokenScene shown = scene(input);
  if (!shown.tokenizer) return "The model has no tokenizer; it reads ids.";
  if (page_ == TokensPage::merges) {
    const auto found = merges(input, true);
    return found ? merge_caption(merge_scene(*found, shown)) : std::string("Byte-pair encoding. ") + kNoText;
  }
  if (page_ == TokensPage::pieces) {
    const std::string what = "What each unigram piece of “" + shown.read + "” is worth to it.";
    return losses(shown, true) ? what : what + " " + kNoText;
  }
  return "The " + (source_ ? source_language(input) : target_language(input)) + " sentence in " +
         format_count(static_cast<long long>(shown.pieces.size())) + " pieces of a vocabulary of " +
         format_count(shown.tokenizer->size()) + " (" + kind_words(shown.tokenizer->kind()) + ")" +
         (input.training_text && page_ == TokensPage::sentence && !alone_
              ? ", beside five other ways to cut it."
              : ".");
}

ViewTraits TokensView::traits() const {
  constexpr const char* kNames[] = {"", " vocabulary", " merges", " pieces"};
  return {.wants_training_text = true,
          .state = std::string(source_ ? "source" : "target") + kNames[static_cast<int>(page_)],
          .panels = {kSentence, "merges", "unigram-pieces"}};
}

}  // namespace

std::unique_ptr<View> make_tokens_view() {
  return std::make_unique<TokensView>();
}

}  // namespace glassformer
