#include "app/views/forcing/forcing.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/colormap.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

constexpr const char* kTitle = "Given the right words, and on its own";
constexpr const char* kSubtitle =
    "In training the decoder reads the right words, whatever it wrote. On its own it reads what it has "
    "written, mistakes too.";
constexpr const char* kAhead =
    "A change lets a place of the right words see those behind it, the one it should write among them. On "
    "its own "
    "there are none.";
constexpr float kColumn = 58;
constexpr const char* kGivenPart = "words-given";

bool shows_log_p(const CellRef& cell) {
  return !cell.gradient && cell.name == output_value(ValueKind::log_probabilities);
}

// Where the invitation is when nobody knows what is right.
Rect invitation(const Rect& area) {
  const Rect content = stage_content(area);
  return {content.x, content.y + 60, content.width, 32};
}

void draw_unknown(Canvas& canvas, Point at, float width, const ViewInput& input) {
  paragraph(canvas, at, width,
            "Nobody has said how this sentence is to be translated. Set the " + target_language(input) +
                ", and see where the model parts from it.",
            {.size = 14, .color = canvas.theme().second_text, .y = AlignY::top});
}

}  // namespace

std::unique_ptr<View> make_forcing_view() {
  return std::make_unique<ForcingView>();
}

ViewTraits ForcingView::traits() const {
  const auto last = cache_->last();
  return {.shows = shows_log_p,
          .busy = cache_->busy(),
          .state = last ? std::to_string(last->ids.size()) + " words of its own" : "nothing yet",
          .panels = {kGivenPart}};
}

void ForcingView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const ForcingScene scene = forcing_scene(input, *cache_, canvas.is_file());
  if (scene.known && scene.own_accepted)
    draw_stage_title(canvas, area, "Given the words that were set, and on its own",
                     "What was set is what the model writes on its own: both read the same words.");
  else if (scene.known)
    draw_stage_title(canvas, area, kTitle, scene.ahead ? kAhead : kSubtitle);
  if (!scene.known) {
    draw_stage_title(canvas, area, "Given a known translation, and on its own",
                     "In training the decoder reads a known translation, whatever it wrote.");
    const Rect at = invitation(area);
    return draw_unknown(canvas, {at.x, at.y - 56}, std::min(at.width, 560.0f), input);
  }
  if (!scene.own)
    return draw_nothing_yet(canvas, stage_content(area), "Writing…", "The model translates on its own.");
  draw_forcing(canvas, area, scene);
}

void ForcingView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const ForcingScene scene = forcing_scene(input, *cache_, canvas.is_file());
  const Rect inner = area.inset(kStagePadding);
  if (!scene.known) return draw_unknown(canvas, {inner.x, inner.y}, inner.width, input);
  draw_given_alone(canvas, inner, scene);
}

bool ForcingView::open_panel(std::string_view name) {
  part_ = name;
  return true;
}

void ForcingView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const ForcingScene scene = forcing_scene(input, *cache_, false);
  if (cache_->busy()) ui.ask_frame(0.02);
  if (!scene.known) {
    const std::string label = "Set the " + target_language(input) + " yourself…";
    const Rect at = invitation(area);
    // Its own words to begin with: they are corrected at the bottom left.
    if (Button(ui, {at.x, at.y, ui.button_width(label), 32}, label, {.id = "set the right words"}))
      ui.push(OpenDialog{"target"});
    return;
  }
  if (!scene.own || ui.field_active() || ui.popup.is_open() || ui.shift()) return;
  int place = scene.place;
  if (ui.pressed(ui::Key::right)) ++place;
  if (ui.pressed(ui::Key::left)) --place;
  place = std::clamp(place, 0, scene.rights() - 1);
  if (place != scene.place) ui.push(SetPin{selecting_place(scene, place)});
}

Point ForcingView::minimum_size(const ViewInput& input) const {
  const ForcingScene scene = forcing_scene(input, *cache_, false);
  if (!scene.known) return {480, 260};
  return {std::max(680.0f, 2 * kStagePadding + 92 + 64 + kColumn * static_cast<float>(scene.places())),
          kStageTop + 12 + 358 + 74 + 52};
}

ViewPlace ForcingView::place(const ViewInput&) const {
  return {.path = {"Output", "Teacher forcing"}, .computing = output_value(ValueKind::log_probabilities)};
}

std::optional<InspectorPage> ForcingView::inspect(const ViewInput& input) const {
  const ForcingScene scene = forcing_scene(input, *cache_, false);
  if (!scene.known || !scene.own) return std::nullopt;
  return forcing_page(scene);
}

InspectorPage forcing_page(const ForcingScene& scene) {
  const int place = scene.place;
  const double p = std::exp(scene.given_log_p[static_cast<std::size_t>(place)]);
  InspectorPage page;
  page.caption = "The " + scene.called() + " word, place " + std::to_string(place);
  page.subject =
      "reads **" + scene.read_given(place) + "**  should write **" + scene.right_word(place) + "**";
  if (std::isfinite(p)) page.swatch = cividis(p);
  page.value = format_pinned(p);
  page.full_value = format_full(p);
  page.name = output_value(ValueKind::log_probabilities);
  page.index = "[" + std::to_string(place) + ", " +
               std::to_string(scene.right[static_cast<std::size_t>(place)]) + "] of " +
               format_count(scene.rights()) + " × " + format_count(scene.input.snapshot.config.target_vocab);
  InspectorSection shifted{
      .heading = "Shifted by one",
      .text =
          "At every place the decoder reads the word before and should write the word that comes next. So "
          "the " +
          scene.called() +
          " words are laid in twice: as what it should write, and, one place to the right behind "
          "<bos>, as what it reads."};
  for (int at = std::max(0, place - 1); at < std::min(scene.rights(), place + 2); ++at)
    shifted.rows.push_back({.label = "reads " + scene.read_given(at),
                            .value = "should write " + scene.right_word(at),
                            .emphasized = at == place});
  InspectorSection losses{.heading = "Mean −log p of this sentence"};
  losses.rows = {
      {.label = "given the " + scene.called() + " words", .value = format_loss(scene.mean_given())}};
  if (scene.own_places() > 0)
    losses.rows.push_back({.label = "on its own", .value = format_loss(scene.mean_own())});
  const SceneResult& result = scene.input.result;
  if (!result.trace->sentence_loss.empty() && result.scene.smoothing > 0)
    losses.rows.push_back({.label = "loss, with label smoothing " + format_short(result.scene.smoothing),
                           .value = format_loss(result.trace->sentence_loss.front())});
  double own = 0;
  for (const double log_p : scene.own->log_probabilities) own -= log_p;
  losses.rows.push_back({.label = "−log p of what it wrote",
                         .value = format_loss(own / static_cast<double>(scene.own->ids.size()))});
  if (scene.own_places() < scene.rights())
    losses.text = "On its own it wrote " + std::to_string(scene.own_places()) + " of " +
                  std::to_string(scene.rights()) + " words: the mean is of these places.";
  page.sections = {shifted, losses};
  page.meaning =
      "Training never shows the model its own mistakes: it always hands over the right word. So one early "
      "mistake can spoil the rest.";
  page.paper = "Paper, section 3.1";
  return page;
}

std::vector<NumberTable> ForcingView::numbers(const ViewInput& input) const {
  const ForcingScene scene = forcing_scene(input, *cache_, true);
  if (!scene.known) return {};
  const std::string called = scene.called();
  NumberTable given{.title = "given the " + called + " words",
                    .columns = {"p of the " + called + " word", "−log p", called}};
  for (int place = 0; place < scene.rights(); ++place) {
    const double log_p = scene.given_log_p[static_cast<std::size_t>(place)];
    given.rows.push_back(std::to_string(place) + " reads " + scene.read_given(place) + " writes " +
                         scene.word(scene.given[static_cast<std::size_t>(place)]) + " should write " +
                         scene.right_word(place));
    given.values.push_back({std::exp(log_p), -log_p, scene.given_right(place) ? 1.0 : 0.0});
  }
  NumberTable own{.title = "on its own",
                  .columns = {"p of what it writes", "p of the " + called + " word", "−log p", called}};
  for (int place = 0; place < static_cast<int>(scene.own->ids.size()); ++place) {
    const auto at = static_cast<std::size_t>(place);
    const double log_p = place < scene.own_places() ? scene.own->right_log_probabilities[at] : std::nan("");
    own.rows.push_back(std::to_string(place) + " reads " + scene.read_own(place) + " writes " +
                       scene.word(scene.own->ids[at]));
    own.values.push_back({std::exp(scene.own->log_probabilities[at]), std::exp(log_p), -log_p,
                          scene.own_right(place) ? 1.0 : 0.0});
  }
  if (!part_.empty()) return {given};
  return {given, own};
}

std::string ForcingView::caption(const ViewInput& input) const {
  const ForcingScene scene = forcing_scene(input, *cache_, true);
  if (!scene.known)
    return "The decoder given a known translation and on its own: there is none of “" +
           input.result.source_read + "”.";
  std::string text = "The decoder given the " + scene.called() + " words (teacher forcing)" +
                     (part_.empty() ? " and on its own" : "") + ", “" + input.result.source_read + "”.";
  if (scene.own_accepted) text += " The set words are those that the model writes on its own.";
  text +=
      " Mean −log p of the " + scene.called() + " words: " + format_loss(scene.mean_given()) + " given them";
  if (!part_.empty()) return text + ".";
  if (scene.own_places() > 0) text += ", " + format_loss(scene.mean_own()) + " on its own";
  return text + ". " + parting_words(scene);
}

}  // namespace glassformer
