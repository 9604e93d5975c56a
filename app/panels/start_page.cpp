#include "app/panels/start_page.h"

#include <algorithm>
#include <array>

#include "app/format/number_format.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/styles.h"
#include "app/views/common/picking.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/marks.h"
#include "app/widgets/ribbons.h"
#include "app/widgets/rich_text.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kWidest = 920, kNarrowest = 36,
                kBetweenChips = 8;  // the page; a chip of a long sentence, its gap

// Down the page, each from what is above: for a stage this high.
struct Spacing {
  float stage, title, field, field_height, words, words_height, sentence, ways, ways_height;
};
constexpr std::array<Spacing, 5> kSpacings{{{800, 92, 44, 44, 52, 280, 36, 88, 112},
                                            {660, 84, 33, 44, 32, 232, 28, 64, 112},
                                            {600, 49, 33, 44, 32, 232, 28, 64, 112},
                                            {390, 28, 20, 40, 16, 144, 22, 28, 84},
                                            {0, 14, 10, 36, 6, 76, 16, 14, 36}}};

std::string number_word(int number) {
  static constexpr std::array kWords{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                     "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return number < static_cast<int>(kWords.size()) ? kWords[static_cast<std::size_t>(number)]
                                                  : std::to_string(number);
}

// A large button: its title, its key at the right, a line or two of words.
bool draw_way(ui::Ui& ui, const Rect& rect, const StartWay& way, bool primary, bool enabled = true) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const ui::Response response = enabled ? ui.area(rect, way.title, "button") : ui::Response{};
  const Color ink = primary   ? t.on_ink
                    : enabled ? t.ink
                              : t.faint_text,
              words = primary ? t.on_ink : t.second_text;
  canvas.rectangle(rect, {.fill = !primary           ? (response.hovered ? t.hover : t.panel)
                                  : response.hovered ? t.second_text
                                                     : t.ink,
                          .outline = primary ? t.ink : t.control,
                          .radius = 8});
  if (response.focused)
    canvas.rectangle(rect.inset(-4), {.outline = t.ink, .outline_width = 2, .radius = 10});
  const bool low = rect.height < 60;  // its title alone
  const float side = low ? 12 : 24,
              top = low ? rect.center().y : rect.y + std::min(30.0f, rect.height * 0.35f);
  const float key = canvas.measure(way.key, {.size = 12}).x + 12;
  const Rect cap{rect.right() - side - key, top - 10, key, 20};
  canvas.rectangle(cap, {.outline = words, .radius = 4});
  canvas.text(cap.center(), way.key, {.size = 12, .color = words, .x = AlignX::center});
  const TextStyle title{.font = Font::semibold, .size = low ? 12.0f : 18.0f, .color = ink};
  const float room = cap.x - rect.x - (low ? 16 : 2 * side);
  // Where there is no room for it, the lesson goes without its minutes.
  const std::string shown =
      canvas.measure(way.title, title).x > room ? way.title.substr(0, way.title.find(',')) : way.title;
  canvas.text({rect.x + side, top}, elided(canvas, shown, title, room), title);
  TextStyle style{.size = 14, .color = words, .y = AlignY::top};
  const float width = std::min(rect.width - 2 * side, 320.0f), first = top + 20;
  std::string text = low ? std::string() : way.words;
  // What does not fit is cut at a word.
  while (first + paragraph_height(canvas, width, text, style) > rect.bottom() - 8 &&
         text.find(' ') != std::string::npos)
    text = text.substr(0, text.find_last_of(' ')) + "…";
  paragraph(canvas, {rect.x + side, first}, width, text, style);
  ui.note({rect.x + side, first, width, 20}, way.title + " says", way.words);
  return response.clicked;
}

std::vector<TokenChip> chips_of(const std::vector<std::string>& words, int marked, ChipPin pin) {
  std::vector<TokenChip> chips;
  for (const std::string& word : words)
    chips.push_back({.text = word, .pin = static_cast<int>(chips.size()) == marked ? pin : ChipPin::none});
  return chips;
}

void draw_links(Canvas& canvas, const Rect& area, const StartScene& scene) {
  const auto hit = [&scene](const char* side, int at, bool query) {
    Selection selection = scene.head;
    (query ? selection.query : selection.key) = at;
    return picking(std::string("start ") + side + " " + std::to_string(at), selection);
  };
  const RibbonsOptions options{.keys = chips_of(scene.reads, scene.key, ChipPin::key),
                               .queries = chips_of(scene.writes, scene.query, ChipPin::query),
                               .full_width = 11,
                               .row = scene.query,
                               .keep_row = scene.query,
                               .keep_column = scene.key,
                               .key_hit = [&](int key) { return hit("key", key, false); },
                               .query_hit = [&](int query) { return hit("query", query, true); }};
  draw_ribbons(canvas, area,
               {.values = {scene.weights.data(), static_cast<int>(scene.writes.size()),
                           static_cast<int>(scene.reads.size())}},
               options);
}

}  // namespace

std::optional<std::size_t> next_lesson(LessonGuide& lessons, const Settings& settings) {
  const std::vector<ListedLesson>& all = lessons.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LessonMark* const mark = mark_of(settings, all[i]);
    const bool numbered = !all[i].own && !all[i].alone && std::isdigit(all[i].name().front()) != 0;
    if (numbered && !(mark && mark->done)) return i;
  }
  return std::nullopt;
}

StartWay lesson_way(LessonGuide& lessons, const Settings& settings) {
  const std::optional<std::size_t> next = next_lesson(lessons, settings);
  if (!next) return {"All lessons", "Every one is done. The list has them all, to be looked at again.", "F3"};
  const Lesson& lesson = lessons.all()[*next].read.lesson;
  const std::string time = lesson.minutes <= 0 ? std::string()
                                               : ", " + number_word(lesson.minutes) +
                                                     (lesson.minutes == 1 ? " minute" : " minutes");
  const std::string about = lesson.about.in("");
  return {"Lesson " + std::to_string(*next + 1) + time,
          lesson.title.in("") + (about.empty() ? "" : ". " + about), "F3"};
}

std::string first_screen_words(const PanelInput& in) {
  const ViewInput& input = *in.input;
  StartScene scene = start_scene(input);
  const SceneResult& result = input.result;
  std::string words = scene.title() + "\n";
  words += "“" + result.scene.sentences.front().source + "” → “" + result.translation + "”\n";
  const std::string where =
      ", " + layer_words(scene.head.layer) + " head " + std::to_string(scene.head.head + 1) + " read ";
  for (int query = 0; query < std::ssize(scene.writes) && !scene.reads.empty(); ++query) {
    Selection row = scene.head;
    row.query = query;
    follow(scene, row);
    words += "to write " + scene.writes[static_cast<std::size_t>(query)] + where +
             scene.reads[static_cast<std::size_t>(scene.key)] + ", " +
             format_fixed(scene.weight(query, scene.key), 3) + "\n";
  }
  const StartWay lesson = lesson_way(in.lessons, in.session.settings());
  return words + lesson.key + ": " + lesson.title + ". " + lesson.words +
         "\nF4: Watch one learn\nF2: Whole window\n";
}

StartPage::Way StartPage::draw(ui::Ui& ui, const PanelInput& in, const Rect& stage, float taken,
                               SentenceBar& sentence) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const auto spacing = [](float height) {
    return *std::ranges::find_if(kSpacings, [&](const Spacing& s) { return height >= s.stage; });
  };
  // A notice has its room above the title: nothing moves when it comes.
  const bool above = taken + 16 <= spacing(stage.height).title;
  const Rect rect = above ? stage : Rect{stage.x, stage.y + taken, stage.width, stage.height - taken};
  const Spacing at = spacing(rect.height);
  const float side = rect.width < 848 ? 24 : 48, width = std::min(kWidest, rect.width - 2 * side);
  const float x = std::round(rect.center().x - width / 2);
  float y = rect.y + at.title;
  Way chosen = Way::none;

  const bool known = in.input && !in.input->result.scene.sentences.empty();
  const StartScene scene = known ? start_scene(*in.input) : StartScene{};
  TextStyle title{.font = Font::semibold, .size = rect.width < 848 ? 18.0f : 24.0f, .color = t.ink};
  std::string asks = scene.title();
  while (title.size > 12 && canvas.measure(asks, title).x > width) title.size -= 1;
  if (canvas.measure(asks, title).x > width) asks = scene.short_title();
  canvas.text({x, y}, elided(canvas, asks, title, width), title);
  ui.note({x, y - 12, width, 24}, "start title", scene.title());
  y += at.field - at.field_height / 2 + 22;
  sentence.wide_field(ui, in, {x, y, width, at.field_height});
  y += at.field_height + at.words;

  const float label = rect.width < 848 ? 60 : 72;
  if (!scene.weights.empty()) {
    TextStyle caption = styles::caption(t);
    const Rect links{x + label, y, width - label, at.words_height};
    canvas.text({x, y + 14}, scene.source_language, caption);
    canvas.text({x, y + at.words_height - 14}, scene.target_language, caption);
    // A long sentence scrolls, words and links together.
    const auto count = static_cast<float>(std::max(scene.reads.size(), scene.writes.size()));
    const float all = count * (kNarrowest + kBetweenChips);
    if ((count > 10 || rect.width < 600) && all > links.width) {
      const Rect content = ui.scroll.begin({links.x, links.y, links.width, links.height + 12}, "start words",
                                           {all, links.height});
      draw_links(canvas, {content.x, content.y, all, links.height}, scene);
      ui.scroll.end();
    } else {
      draw_links(canvas, links, scene);
    }
    y += at.words_height + at.sentence;
    const std::string link = "All " + std::to_string(scene.heads) + " heads";
    const float end = x + width - ui.text_width(link, 12);
    const float room = end - links.x - 16;
    std::string says = scene.sentence();
    if (canvas.measure(says, {.font = Font::semibold, .size = 14}).x > room) says = scene.short_sentence();
    draw_rich_text(canvas, {links.x, y - 10}, room, says, {.plain = styles::body_second(t)});
    ui.note({links.x, y - 10, room, 20}, "start sentence", says);
    ui.tooltip({links.x, y - 10, room, 20}, explained("head"));
    if (LinkButton(ui, {end, y - 9}, link, {.tooltip = "What each word read, in every head of the model"})) {
      Selection head = scene.head;
      head.query = scene.query;
      head.key = scene.key;
      ui.push(SetPin{head});
      ui.push(OpenView{"attention", "Heads of every attention", "on"});
      chosen = Way::heads;
    }
    if (at.ways > 40) {
      canvas.text({links.x, y + 24}, scene.caption(), caption);
      ui.note({links.x, y + 16, links.width, 16}, "start caption", scene.caption());
    }
  } else {
    const char* words = in.session.snapshot() == nullptr ? "No model is open: File, Open model."
                        : in.session.working()           ? "It is being translated."
                        : known                          ? "It writes nothing: it ends at once."
                                                         : "Type one and press Enter.";
    canvas.text({x, y + 14}, words, styles::body_second(t));
    y += at.words_height + at.sentence;
  }
  y += at.ways;

  const float gap = 16, way = std::round((width - gap) / 2);
  if (draw_way(ui, {x, y, way, at.ways_height}, lesson_way(in.lessons, in.session.settings()), true))
    chosen = Way::lesson;
  const std::string why = in.session.why_no_watching();
  const StartWay watch{"Watch one learn",
                       why.empty()
                           ? "A fresh model starts from noise and learns what this one knows, while you "
                             "look on."
                           : why,
                       "F4"};
  if (draw_way(ui, {x + way + gap, y, width - way - gap, at.ways_height}, watch, false, why.empty()))
    chosen = Way::watch;
  return chosen;
}

}  // namespace glassformer
