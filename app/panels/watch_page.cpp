#include "app/panels/watch_page.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/panels/train_words.h"
#include "app/panels/watch_attempts.h"
#include "app/panels/watch_column.h"
#include "app/reading/scene_words.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kWatchLabel = 124, kLabelSmall = 84;  // left of the table
constexpr float kWordsLeft = 80;                      // of the right words beside the table
constexpr Point kLeast{760, 408};                     // of the page; a smaller stage scrolls
constexpr float kLow = 480;                           // a page under it goes without what it can miss
constexpr double kPace = 0.1;                         // seconds between two pictures

// Of the table and what is beside it.
bool is_narrow(const Rect& left) {
  return left.width < 700;
}
float label_width(const Rect& left) {
  return is_narrow(left) ? kLabelSmall : kWatchLabel;
}

}  // namespace

float WatchPage::draw_sentences(ui::Ui& ui, const PanelInput& in, const WatchState& state,
                                const WatchScene& scene, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const bool small = is_narrow(rect);
  const float label = label_width(rect), size = small ? 14.0f : 18.0f;
  float y = rect.y;

  const TextStyle plain{.size = size, .color = t.second_text};
  const auto titled = [&](const std::string& name, const std::string& text) {
    canvas.text({rect.x, y + 10}, elided(canvas, name, styles::caption(t), label - 8), styles::caption(t));
    canvas.text({rect.x + label, y + 10}, elided(canvas, text, plain, rect.width - label), plain);
    y += small ? 26 : 36;
  };
  const bool low = rect.height < kLow - 160;
  if (!low) titled(in.input ? source_language(*in.input) : "Source", state.sentence.source);
  ui.tooltip({rect.x, y, rect.width, 20}, "The goal is " + goal_words(state) + ".");
  titled("Goal", scene.right);
  canvas.text({rect.x, y + 10}, "On its own", styles::caption(t));
  ui.tooltip({rect.x, y, rect.width, 20},
             std::string("What it writes now, from its own words on.\nUnderlined words ") +
                 (state.by_model ? "differ" : "are wrong") + "; an empty box is a word that is missing.");
  const std::string& says = scene.says;
  float end = rect.x + label;
  if (says.starts_with("nothing"))
    canvas.text({end, y + 10}, says, plain);
  else
    end = draw_attempt(canvas, {end, y + 10}, scene.own, size,
                       rect.right() - std::max(40.0f, ui.text_width(says, 12) + 20));
  if (!says.empty() && !says.starts_with("nothing"))
    canvas.text({end + 8, y + 10}, says, {.size = 12, .color = scene.guesses ? t.second_text : t.wrong});
  if (says.empty()) draw_mark(canvas, {end + 8, y + 10}, Mark::tick, t.ink);
  ui.note({rect.x + label, y, 200, 20}, "watched attempt", says.empty() ? "right" : says);
  return y + (small ? 36 : 48);
}

void WatchPage::draw_rows(ui::Ui& ui, const WatchScene& scene, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  const bool small = is_narrow(rect), low = rect.height < kLow - 270;
  const float label = label_width(rect), y = rect.y;
  const int open = std::clamp(head_.value_or((scene.layers - 1) * scene.heads_in_layer), 0,
                              static_cast<int>(scene.heads.size()) - 1);
  const AttentionTable& table = scene.heads[static_cast<std::size_t>(open)];
  const float write = small ? 200.0f : 284.0f;  // width of what it would write
  const float map = rect.width - label - write - (small ? 16 : 24);
  const bool tiled = !low && heads_shown_;
  const float tiles = !tiled ? 0.0f : small ? 40.0f : 112.0f, below = tiled ? 60.0f : 0.0f;
  const float room = rect.bottom() - y - 64 - tiles - below;
  canvas.text({rect.x + label, y + 10}, "What it reads", styles::heading(t));
  if (!small)
    canvas.text({rect.x + label + ui.text_width("What it reads", 14, Font::semibold) + 12, y + 10},
                "yellow is much, blue little", styles::caption(t));
  if (!low) other_heads(ui, {rect.x + label + map, y + 1}, scene, open, small);
  const float x2 = rect.x + label + map + (small ? 16 : 24);
  canvas.text({x2, y + 10}, "What it would write", styles::heading(t));
  const char* const given = "had it written the goal so far";
  if (x2 + ui.text_width("What it would write", 14, Font::semibold) + ui.text_width(given, 12) + 16 <
      rect.right())
    canvas.text({rect.right(), y + 10}, given, styles::right(styles::caption(t)));
  ui.tooltip({x2, y, write, 24},
             "For each row it is given the words of the goal above it, not its own, and guesses the next.");
  canvas.text({rect.x + label - 12, y + 48}, small ? "goal" : "word of the goal",
              styles::right(styles::caption(t)));
  canvas.text({x2, y + 48}, "its guess", styles::caption(t));
  canvas.text({small ? rect.right() : x2 + 116, y + 48},
              small ? "chance of goal’s" : "chance of the goal’s word",
              small ? styles::right(styles::caption(t)) : styles::caption(t));
  HeatmapOptions options{
      .color_bar = false, .column_labels = scene.reads, .max_cell = 44, .max_aspect = 1.4f};
  for (const WatchedRow& row : scene.rows) options.row_labels.push_back(row.right);
  const HeatmapLayout drawn = draw_heatmap(
      canvas, {rect.x + label - kWordsLeft, y + 30, map + kWordsLeft, room + 34}, table.data(), options);
  for (int row = 0; row < table.rows && row < std::ssize(scene.rows); ++row) {
    const WatchedRow& each = scene.rows[static_cast<std::size_t>(row)];
    const float line = drawn.cell(row, 0).center().y;
    const TextStyle next{.size = 14, .color = each.hit ? t.ink : t.wrong};
    const std::string shown = elided(canvas, each.next, next, small ? 70 : 96);
    const float width = canvas.measure(shown, next).x;
    canvas.text({x2, line}, shown, next);
    if (each.hit)
      draw_mark(canvas, {x2 + width + 12, line}, Mark::tick, t.ink);
    else
      canvas.line({x2, line + 9}, {x2 + width, line + 9}, {t.wrong, 1.5f});
    const float bar = x2 + (small ? 92 : 116), number = rect.right();
    draw_share_bar(canvas, {bar, line - 3, std::max(20.0f, number - 52 - bar), 6}, each.chance,
                   t.second_text);
    const std::string chance = each.chance < 0.0005   ? "<0.001"
                               : each.chance < 0.0095 ? format_fixed(each.chance, 3)
                                                      : format_fixed(each.chance, 2);
    canvas.text({number, line}, chance, styles::right(styles::number(t)));
  }
  std::string right_words;
  for (const WatchedRow& row : scene.rows) right_words += (right_words.empty() ? "" : " ") + row.right;
  ui.note({rect.x, drawn.cells.y, label, drawn.cells.height}, "watched rows", right_words);
  if (tiled)
    draw_heads(ui, scene, open,
               {rect.x + label, drawn.bounds.bottom() + (small ? 12 : 24), rect.width - label, tiles + 28},
               small);
}

// Leads to them: what is shown is one of several.
void WatchPage::other_heads(ui::Ui& ui, Point right, const WatchScene& scene, int open, bool small) {
  const std::string name = head_words(open / scene.heads_in_layer, open % scene.heads_in_layer);
  const std::string words = heads_shown_ ? "Hide the heads"
                            : small      ? "Heads"
                                         : "One of " + std::to_string(scene.all_heads) + " heads";
  const float width = ui.text_width(words, 12);
  if (LinkButton(ui, {right.x - width, right.y}, words,
                 {.id = "Other heads",
                  .tooltip = "This is " + name +
                             ": one of those that read the source. The others read within the source, or "
                             "within what is written.\n" +
                             std::string(explained("head"))}))
    heads_shown_ = !heads_shown_;
}

// The heads between the two languages.
void WatchPage::draw_heads(ui::Ui& ui, const WatchScene& scene, int open, const Rect& area, bool small) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  canvas.text({area.x, area.y + 10},
              "Of " + std::to_string(scene.all_heads) + " heads these " + std::to_string(scene.heads.size()) +
                  " read the source",
              styles::heading(t));
  ui.tooltip({area.x, area.y, area.width, 20}, explained("head"));
  const float y = area.y + 28;
  const float gap = small ? 6 : 16;
  const float tile = std::clamp(std::floor((area.width + gap) / static_cast<float>(scene.heads.size()) - gap),
                                12.0f, small ? 28.0f : 62.0f);
  for (std::size_t i = 0; i < scene.heads.size(); ++i) {
    const Rect place{area.x + static_cast<float>(i) * (tile + gap), y, tile, tile};
    if (place.right() > area.right() + 1) break;
    draw_heatmap_tile(canvas, place, scene.heads[i].data());
    const int head = static_cast<int>(i);
    const std::string title =
        layer_words(head / scene.heads_in_layer) + ", " + std::to_string(head % scene.heads_in_layer + 1);
    const bool shown = head == open;
    if (shown) canvas.rectangle(place.inset(-4), {.outline = t.ink, .outline_width = 2, .radius = 3});
    if (ui.area(place, "watched " + title, "button").clicked) head_ = head, ui.ask_frame(0);
    ui.tooltip(place, title);
    if (!small) {
      TextStyle style = styles::center(styles::caption(t));
      if (shown) style.font = Font::semibold, style.color = t.ink;
      canvas.text({place.center().x, place.bottom() + 14}, title, style);
    }
  }
}

void WatchPage::draw_part(ui::Ui& ui, const PanelInput& in, const WatchState& state, const WatchScene& scene,
                          const Rect& area, float foot, bool small) {
  switch (part_) {
    case WatchPart::writes:
      return draw_attempts(ui, state, scene, in.input ? source_language(*in.input) : "Source", area);
    case WatchPart::reads:
      return draw_rows(ui, scene, {area.x, area.y, std::min(area.width, 900.0f), area.height});
    case WatchPart::measures:
      return draw_watch_measures(ui, state, area);
    case WatchPart::all: {
      const float right = small ? 184 : 440, between = small ? 36 : 56;
      const Rect left{area.x, area.y, area.width - right - between, area.height};
      const float y = draw_sentences(ui, in, state, scene, left);
      draw_rows(ui, scene, {left.x, y, left.width, left.bottom() - y});
      draw_watch_column(ui, state, {area.right() - right, area.y, right, area.height + foot}, small);
    }
  }
}

bool WatchPage::draw(ui::Ui& ui, const PanelInput& in, const WatchState& state, const Rect& stage) {
  const Point size{std::max(stage.width, kLeast.x), std::max(stage.height, kLeast.y)};
  const Rect scrolled = ui.scroll.begin(stage, "watch", size);
  const Rect rect{scrolled.x, scrolled.y, size.x, size.y};
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  if (state.learns || !state.result || state.result->snapshot->step < state.run.step) ui.ask_frame(kPace);
  const bool small = rect.width < 1100;
  const float side = small ? 32 : 64, width = std::min(1328.0f, rect.width - 2 * side);
  const Rect page{std::round(rect.center().x - width / 2), rect.y + (small ? 20 : 40), width,
                  rect.height - (small ? 28 : 64)};
  const std::string seconds = format_count(static_cast<long>(state.seconds));
  canvas.text({page.x, page.y + 14}, "Watch one learn",
              {.font = Font::semibold, .size = small ? 18.0f : 24.0f, .color = t.ink});
  const float title = ui.text_width("Watch one learn", small ? 18 : 24, Font::semibold) + (small ? 16 : 32);
  int part = static_cast<int>(part_);
  const std::initializer_list<const char*> parts = {"What it writes", "What it reads", "How well", "All"};
  if (Segmented(ui, {page.x + title, page.y - 2, ui.segmented_width(parts), 32}, "Watch", parts, part))
    part_ = static_cast<WatchPart>(part);
  canvas.text({page.right(), page.y + 14}, "s", styles::right(styles::caption(t)));
  canvas.text({page.right() - 14, page.y + 14}, seconds, styles::right(styles::number(t, small ? 18 : 24)));
  ui.note({page.right() - 60, page.y, 60, 28}, "watched seconds", seconds);
  const std::string how = learns_how(state);
  ui.tooltip({page.right() - 80, page.y, 80, 28},
             "Seconds that it has learned for." + (how.empty() ? how : "\n" + how));
  std::string left;
  if (state.run.starved)
    left = kStarvedWords;
  else if (state.learns && state.run.seconds_left > 0)
    left = "about " + format_duration(state.run.seconds_left) + " to step " +
           format_count(state.run.planned_steps);
  canvas.text({page.right(), page.y + 44}, left, styles::right(styles::caption(t)));
  ui.note({page.right() - 200, page.y + 34, 200, 20}, "watched left", left);
  const auto& typed = in.session.scene().sentences;
  const bool another = !typed.empty() && typed.front().source != state.sentence.source;
  const bool of_sentence = part_ == WatchPart::writes || part_ == WatchPart::all;
  std::string words = another && of_sentence ? "Yours has unknown words: here is another. " : "";
  std::optional<WatchScene> scene;
  if (state.result) scene = watch_scene(*state.result, in.session.tokenizers(), !state.by_model);
  if (scene) words += scene->asks(part_, small || another);
  if (state.run.phase == RunPhase::preparing)
    words =
        "Its data are being prepared: " + state.run.message + " " + format_percent(state.run.progress) + ".";
  else if (state.run.phase == RunPhase::stopped && !state.run.message.empty())
    words = "It is over: " + state.run.message;
  canvas.text({page.x, page.y + 44}, elided(canvas, words, styles::body_second(t), width - 220),
              styles::body_second(t));
  ui.note({page.x, page.y + 34, width, 20}, "watched says", words);

  const bool low = rect.height < kLow;
  const float foot = low ? 44 : small ? 76 : 56;
  const float top = small ? 64 : 84;
  const Rect shown{page.x, page.y + top, width, page.height - top - foot};
  if (scene) draw_part(ui, in, state, *scene, shown, foot, small);

  const float x = page.x, y = page.bottom() - foot + 12;
  const float pause =
      std::max(ui.button_width("Pause", ui::Icon::pause), ui.button_width("Go on", ui::Icon::play));
  const bool over = state.run.phase == RunPhase::stopped;
  if (PrimaryButton(ui, {x, y, pause, 36}, state.learns ? "Pause" : "Go on",
                    {.icon = state.learns ? ui::Icon::pause : ui::Icon::play,
                     .enabled = !over && state.run.phase != RunPhase::preparing,
                     .id = "Pause watching"}) ||
      (!over && ui.pressed(ui::Key::space)))
    ui.push(SetWatching{!state.learns});
  const float back = ui.button_width("Back to the trained model");
  const bool leaves = Button(ui, {x + pause + 12, y, back, 36}, "Back to the trained model");
  const float key = x + pause + 12 + back + 12;
  const float cap = draw_keycap(canvas, {key, y + 18}, "Esc");
  const char* kept = "Leave when you like: its run is kept in Model, Runs…";
  if (key + cap + 12 + ui.text_width(kept, 12) < shown.right())
    canvas.text({key + cap + 12, y + 18}, kept, styles::caption(t));
  else if (!low)
    canvas.text({x, y + 52}, elided(canvas, kept, styles::caption(t), shown.right() - x), styles::caption(t));
  ui.scroll.end();
  return leaves;
}

}  // namespace glassformer
