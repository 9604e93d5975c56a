#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/output/output.h"
#include "app/widgets/bars.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

bool is_value_of_output(const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  return read && read->block == BlockKind::output && !is_parameter(read->value);
}

namespace {

std::vector<OutputRow> output_rows(const ViewInput& input, int sentence) {
  const Trace& trace = *input.result.trace;
  const auto at = static_cast<size_t>(sentence);
  std::vector<OutputRow> rows;
  if (at >= trace.target_out.size()) return rows;
  const std::vector<std::string> read = target_in_words(input, sentence),
                                 right = target_out_words(input, sentence);
  for (int position = 0; position < static_cast<int>(trace.target_out[at].size()); ++position) {
    OutputRow& row = rows.emplace_back();
    row.position = position;
    row.read = read[static_cast<size_t>(position)];
    row.right = right[static_cast<size_t>(position)];
    row.said = prediction_at(trace, sentence, position, kMostGuesses);
    for (const WordShare& share : row.said.strongest)
      row.guesses.push_back({share, word_of(input.tokenizers.target.get(), input.snapshot.config, share.id)});
  }
  return rows;
}

}  // namespace

const std::vector<OutputRow>& OutputRows::of(const ViewInput& input, int sentence) {
  const auto& words = input.tokenizers.target;
  if (trace_ != input.result.trace || words_ != words || sentence_ != sentence) {
    rows_ = output_rows(input, sentence);
    trace_ = input.result.trace, words_ = words, sentence_ = sentence;
  }
  return rows_;
}

// One position of the Output view: logit, prediction beside target, and p − y of its strongest words; the
// loss of its word taken apart.
namespace {

constexpr float kChoiceHead = 24, kChoice = 30, kAloneChoice = 38, kNumbers = 132, kLink = 24;
constexpr int kMostChoices = 8;
constexpr const char* kWhy =
    "p \u2212 y is the gradient of this word’s loss with respect to the logits: words on the right are "
    "pushed down, words on the left up.";

// Where the columns of the list are.
struct Columns {
  Rect content;
  float words = 0;            // right end of the word
  float logits = 0;           // right end of the number
  float bars = 0, share = 0;  // p over y: where they begin, and right end of the numbers
  float length = 0;
  float difference = 0, difference_length = 0;
  float choice = kChoice;  // height of a row
  bool alone = false;
};

Columns columns_of(const Rect& content, bool alone) {
  constexpr float kLogit = 48, kGap = 12;
  const float kShare = alone ? 76 : 60, kDifference = alone ? 82 : 66;
  Columns columns{.content = content, .choice = alone ? kAloneChoice : kChoice, .alone = alone};
  const float word = std::min(96.0f, content.width * 0.21f);
  const float room = content.width - word - kLogit - kShare - kDifference - 3 * kGap;
  columns.words = content.x + word;
  columns.logits = columns.words + kLogit;
  columns.bars = columns.logits + kGap;
  columns.length = std::floor(room * 0.58f);
  columns.share = columns.bars + columns.length + kShare;
  columns.difference = columns.share + kGap;
  columns.difference_length = std::floor(room - columns.length);
  return columns;
}

// Three digits behind the point, and what is smaller with a power of ten: 1.6 × 10⁻⁴.
std::string share_words(double share) {
  const double size = std::abs(share);
  if (size == 0 || size >= 0.000995) return format_fixed(share, 3);
  std::string text = size < 1e-4 ? format_short(share) : format_fixed(share * 1e4, 1) + format_power(-4);
  std::erase(text, ' ');  // the column is narrow
  return text;
}

void draw_heads(Canvas& canvas, const Columns& columns) {
  TextStyle head = caption_style(canvas);
  head.color = canvas.theme().faint_text;
  const float y = columns.content.y + kChoiceHead / 2 - 4;
  canvas.text({columns.bars, y}, "p", head);
  TextStyle target = head;
  target.color = canvas.theme().reference;
  canvas.text({columns.bars + canvas.measure("p  ", head).x, y}, columns.alone ? "y, its target" : "y",
              target);
  canvas.text({columns.difference, y}, "p − y", head);
  head.x = AlignX::right;
  canvas.text({columns.logits, y}, "logit", head);
}

void draw_choice(Canvas& canvas, const Columns& columns, float y, const OutputScene& scene,
                 const Guess& guess, bool right) {
  const Theme& theme = canvas.theme();
  const WordShare& share = guess.share;
  const float middle = y + columns.choice / 2, apart = columns.alone ? 8 : 6;
  const TextStyle word{.font = right ? Font::semibold : Font::regular,
                       .size = 12,
                       .color = right ? theme.ink : theme.second_text,
                       .x = AlignX::right};
  const std::string shown = elided(canvas, guess.word, word, columns.words - columns.content.x);
  canvas.text({columns.words, middle}, shown, word);
  if (begins_word(scene.input.tokenizers.target.get(), share.id))
    draw_word_start(canvas, {columns.words - canvas.measure(shown, word).x, middle});
  TextStyle number{.font = Font::mono, .size = 11, .color = theme.second_text, .x = AlignX::right};
  canvas.text({columns.logits, middle}, format_fixed(share.logit, 2), number);
  draw_share_bar(canvas, {columns.bars, middle - apart - 3, columns.length, 7}, share.probability,
                 right ? theme.ink : theme.faint_text);
  draw_share_bar(canvas, {columns.bars, middle + apart - 4, columns.length, 7}, share.target,
                 theme.reference);
  number.color = theme.reference;
  canvas.text({columns.share, middle + apart}, share_words(share.target), number);
  number.color = theme.ink;
  canvas.text({columns.share, middle - apart}, share_words(share.probability), number);
  draw_signed_bar(canvas, {columns.difference, middle - 4, columns.difference_length, 9}, share.difference);
  canvas.text({columns.content.right(), middle},
              (share.difference > 0 ? "+" : "") + share_words(share.difference), number);

  const int row = scene.chosen;
  const std::string name = "choice “" + guess.word + "”";
  const float left = columns.content.x, high = columns.choice, half = high / 2;
  const auto hit = [&](const Rect& rect, const char* part, ValueKind value) {
    canvas.hit(
        output_hit(scene, rect, name + part, row, {output_value(value), {scene.sentence, row, share.id}}));
  };
  hit({left, y, columns.logits + 4 - left, high}, " logit", ValueKind::logits);
  hit({columns.bars - 4, y, columns.share - columns.bars + 8, half}, "", ValueKind::log_probabilities);
  hit({columns.bars - 4, y + half, columns.share - columns.bars + 8, half}, " target",
      ValueKind::smoothed_target);
  // p - y is what the logit gets back.
  hit({columns.difference - 4, y, columns.content.right() - columns.difference + 4, high}, " difference",
      ValueKind::logits);
}

// The word of this row that is pinned by a number of its own; nothing: none is, or it is in the list.
std::optional<Guess> pinned_choice(const OutputScene& scene, const std::vector<Guess>& shown) {
  const std::optional<CellRef>& cell = scene.input.shown.cell;
  if (!cell || cell->index.size() != 3 || cell->index[1] != scene.chosen || !is_value_of_output(cell->name))
    return std::nullopt;
  const int id = cell->index[2];
  if (std::ranges::any_of(shown, [&](const Guess& each) { return each.share.id == id; })) return std::nullopt;
  const ViewInput& input = scene.input;
  if (id < 0 || id >= input.snapshot.config.target_vocab) return std::nullopt;
  return Guess{word_share_at(*input.result.trace, scene.sentence, scene.chosen, id),
               word_of(input.tokenizers.target.get(), input.snapshot.config, id)};
}

// The guesses, with the word asked for and the one that is pinned even when they are not among them.
std::vector<Guess> choices(const Rect& content, const OutputScene& scene, bool alone = false) {
  const OutputRow& row = scene.rows[static_cast<size_t>(scene.chosen)];
  std::vector<Guess> shown = row.guesses;
  const float free = content.height - kChoiceHead - (alone ? 0 : kNumbers);
  const int room = std::clamp(static_cast<int>(free / (alone ? kAloneChoice : kChoice)), 2, kMostChoices);
  if (static_cast<int>(shown.size()) > room) shown.resize(static_cast<size_t>(room));
  const bool listed = std::any_of(shown.begin(), shown.end(),
                                  [&](const Guess& each) { return each.share.id == row.said.right.id; });
  if (!listed && !shown.empty()) shown.back() = {row.said.right, row.right};
  // The last that is not the right word gives way to the pinned one.
  const auto way = std::find_if(shown.rbegin(), shown.rend(),
                                [&](const Guess& each) { return each.share.id != row.said.right.id; });
  if (const auto pinned = pinned_choice(scene, shown); pinned && way != shown.rend()) *way = *pinned;
  return shown;
}

// Where the words about p - y begin; nothing where they and the link below them have no room.
std::optional<float> why_from(const Canvas& canvas, const Rect& content, const OutputScene& scene) {
  const float y =
      content.y + kChoiceHead + kChoice * static_cast<float>(choices(content, scene).size()) + 106;
  const float height = paragraph_height(canvas, content.width, kWhy, caption_style(canvas));
  return y + height + kLink <= content.bottom() ? std::optional(y) : std::nullopt;
}

Rect content_of(const Rect& area) {
  return {area.x, area.y + kHeadingHeight, area.width, std::max(0.0f, area.height - kHeadingHeight)};
}

}  // namespace

std::optional<Point> output_link(const Canvas& canvas, const Rect& area, const OutputScene& scene) {
  if (scene.rows.empty() || area.width <= 0) return std::nullopt;
  const Rect content = content_of(area);
  const auto y = why_from(canvas, content, scene);
  if (!y) return std::nullopt;
  return Point{content.x, *y + paragraph_height(canvas, content.width, kWhy, caption_style(canvas)) + 6};
}

void draw_output_detail(Canvas& canvas, const Rect& area, const OutputScene& scene, bool alone) {
  if (scene.rows.empty()) return;
  const Theme& theme = canvas.theme();
  const OutputRow& row = scene.rows[static_cast<size_t>(scene.chosen)];
  const Rect content = draw_heading(
      canvas, area,
      "After “" + row.read + "”: " + the_asked_word(scene.input, scene.sentence) + " is “" + row.right + "”");

  const std::vector<Guess> shown = choices(content, scene, alone);
  const Columns columns = columns_of(content, alone);
  draw_heads(canvas, columns);
  float y = content.y + kChoiceHead;
  for (const Guess& guess : shown) {
    draw_choice(canvas, columns, y, scene, guess, guess.share.id == row.said.right.id);
    y += columns.choice;
  }
  if (alone) return;

  // The loss of this word, taken apart.
  y += 12;
  const auto number = [&](std::string_view name, double amount, bool strong) {
    const TextStyle text{.size = 12, .color = strong ? theme.ink : theme.second_text};
    const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    canvas.text({content.x, y + 9}, elided(canvas, name, text, content.width - 60), text);
    canvas.text({content.right(), y + 9}, format_loss(amount), mono);
    y += 22;
  };
  canvas.line({content.x, y - 4}, {content.right(), y - 4}, {theme.border, 1});
  number("loss of this word", row.said.loss, true);
  number("entropy of the smoothed target: always stays", row.said.target_entropy, false);
  number("KL: the part that learning can remove", row.said.kl, false);
  number("entropy of the prediction: 0 when sure", row.said.entropy, false);
  TextStyle caption = caption_style(canvas);
  caption.y = AlignY::top;
  if (const auto from = why_from(canvas, content, scene))
    paragraph(canvas, {content.x, *from}, content.width, kWhy, caption);
}

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
  mutable OutputRows rows_;
};

bool OutputView::shows(const CellRef& cell) {
  return !cell.gradient && is_value_of_output(cell.name);
}

void OutputView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const OutputLayout parts = layout_output(area, detail_);
  const OutputScene scene = output_scene(input, rows_);
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
  const OutputScene scene = output_scene(input, rows_);
  const Rect inside = area.inset(kStagePadding);
  if (name == kAskedWords) draw_asked_words(canvas, inside, scene);
  if (name == kOnePlace) draw_output_detail(canvas, inside, scene, true);
  if (name == kEveryPlace) draw_output_table(canvas, inside, scene, true);
}

void OutputView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const OutputLayout parts = layout_output(area, detail_);
  const OutputScene scene = output_scene(input, rows_);
  const auto link = output_link(ui.canvas(), parts.detail, scene);
  if (link && LinkButton(ui, *link, "How does p − y flow back?",
                         {.tooltip = "Opens the Walk at the gradient of this word’s logit"})) {
    const int right = scene.rows[static_cast<size_t>(scene.chosen)].said.right.id;
    ui.push(OpenStep{{output_value(ValueKind::logits), {scene.sentence, scene.chosen, right}, true}});
  }
  if (parts.part_switch.width <= 0) return;
  int chosen = detail_ ? 1 : 0;
  Segmented(ui, parts.part_switch, "Show", {"Every position", "One position"}, chosen);
  detail_ = chosen == 1;
}

Point OutputView::minimum_size(const ViewInput& input) const {
  const float rows = static_cast<float>(target_in_words(input, input.shown.sentence).size());
  return {560, std::max(400.0f, 44 + kHeadingHeight + 24 + rows * smallest_row_height() + 28 + 24)};
}

std::optional<InspectorPage> OutputView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const OutputScene scene = output_scene(input, rows_);
  if (scene.rows.empty()) return std::nullopt;
  return describe_cell(input, {output_value(ValueKind::token_loss), {scene.sentence, scene.chosen}});
}

std::vector<NumberTable> OutputView::numbers(const ViewInput& input) const {
  const OutputScene scene = output_scene(input, rows_);
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
  const OutputScene scene = output_scene(input, rows_);
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
