#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/forcing/forcing.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kLabels = 92, kChip = 28, kMean = 64;
constexpr float kIndex = 10, kGivenHead = 32, kGivenReads = 54, kGivenWrites = 110, kRight = 160;
constexpr float kOwnHead = 196, kOwnReads = 218, kOwnWrites = 274, kBarsHead = 334, kBars = 358;
constexpr float kBelowBars = 74;
// Of the given words alone: closer together, without headings and with the probabilities in numbers.
constexpr float kAloneLabels = 80, kAloneBarsHead = 190, kAloneBars = 212, kAloneBelow = 50;
constexpr int kMostAlonePlaces = 8;

struct ForcingLayout {
  Rect content;
  float first = 0, column = 0, bars = 0;  // x of the places; height of the bars
  int from = 0, to = 0;                   // places of the right words that are drawn
  bool alone = false;                     // the given words without the model's own
  float bars_head = kBarsHead, bars_top = kBars, apart = 12;
  Rect chip(int place, float top) const {
    return {first + column * static_cast<float>(place - from) + 4, content.y + top, column - apart, kChip};
  }
  float losses() const { return content.y + bars_top + bars + 16; }
};

ForcingLayout layout(const Rect& area, const ForcingScene& scene) {
  ForcingLayout at;
  at.content = stage_content(area);
  at.first = at.content.x + kLabels;
  const float places = static_cast<float>(std::max(scene.places(), 1));
  const bool beside = scene.places() > scene.rights();  // the mean is over the place that is too many
  at.column = std::min(110.0f, (at.content.width - kLabels - (beside ? 0 : kMean)) / places);
  at.bars = std::clamp(at.content.height - kBars - kBelowBars, 48.0f, 120.0f);
  at.to = scene.rights();
  return at;
}

// As many places as can be read, around the one that is explained.
ForcingLayout layout_alone(const Rect& area, const ForcingScene& scene) {
  ForcingLayout at{.alone = true, .bars_head = kAloneBarsHead, .bars_top = kAloneBars, .apart = 8};
  const int places = std::min(scene.rights(), kMostAlonePlaces);
  at.from = std::clamp(scene.place - places / 2, 0, scene.rights() - places);
  at.to = at.from + places;
  at.content = {area.x, area.y - kGivenReads, area.width, area.height + kGivenReads};
  at.first = area.x + kAloneLabels;
  at.column = std::min(110.0f, (area.width - kAloneLabels) / static_cast<float>(places));
  at.bars = std::max(32.0f, at.content.height - kAloneBars - kAloneBelow);
  return at;
}

// The band of the place where they part, under all else, and of the pinned one.
void draw_band(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const Theme& theme = canvas.theme();
  // Alone the places are too close for an outline.
  const float top = at.alone ? kGivenReads - 2 : -2, side = at.alone ? at.apart / 2 : 6;
  const auto band = [&](int place, const Box& box) {
    const Rect column = at.chip(place, top);
    canvas.rectangle({column.x - side, column.y, column.width + 2 * side, at.losses() + 32 - column.y}, box);
  };
  if (scene.parts && !at.alone) band(*scene.parts, {.fill = theme.hover, .radius = 6});
  if (!scene.pinned) return;
  band(scene.place, at.alone ? Box{.fill = theme.query_tint, .radius = 6}
                             : Box{.outline = theme.query, .outline_width = 1.5f, .radius = 6});
}

void draw_row_name(Canvas& canvas, const ForcingLayout& at, float top, std::string_view name) {
  canvas.text({at.content.x, at.content.y + top + kChip / 2}, name, caption_style(canvas));
}

void draw_word(Canvas& canvas, const Rect& rect, const std::string& word, bool wrong) {
  draw_chip(canvas, rect, {.text = word, .special = is_special_word(word), .wrong = wrong}, 12);
}

// From what is written (or right) at one place up to what is read at the next.
void draw_handed_on(Canvas& canvas, const ForcingLayout& at, int place, float from, float to, float start,
                    bool strong) {
  const Stroke stroke{.color = strong ? canvas.theme().ink : canvas.theme().second_text,
                      .width = strong ? 1.5f : 1.0f};
  const Rect here = at.chip(place, from), next = at.chip(place + 1, to);
  const float x = next.x - 4;
  canvas.line({start, here.center().y}, {x, here.center().y}, stroke);
  canvas.line({x, here.center().y}, {x, next.center().y}, stroke);
  canvas.line({x, next.center().y}, {next.x, next.center().y}, stroke);
}

void draw_given(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const Theme& theme = canvas.theme();
  if (!at.alone)
    canvas.text({at.content.x, at.content.y + kGivenHead}, "The " + scene.called() + " words given",
                {.font = Font::semibold, .size = 14, .color = theme.ink});
  draw_row_name(canvas, at, kGivenReads, "reads");
  draw_row_name(canvas, at, kGivenWrites, "writes");
  canvas.text({at.content.x, at.content.y + kRight}, "should write", caption_style(canvas));
  for (int place = at.from; place < at.to; ++place) {
    const Rect reads = at.chip(place, kGivenReads), writes = at.chip(place, kGivenWrites);
    draw_word(canvas, reads, scene.read_given(place), false);
    draw_arrow(canvas, {reads.center().x, reads.bottom() + 2}, {reads.center().x, writes.y - 2},
               {.color = theme.second_text});
    draw_word(canvas, writes, scene.word(scene.given[static_cast<std::size_t>(place)]),
              !scene.given_right(place));
    const bool strong = scene.place == place;
    const TextStyle style{
        .font = strong ? Font::semibold : Font::regular, .size = 12, .color = theme.ink, .x = AlignX::center};
    const std::string word = elided(canvas, scene.right_word(place), style, writes.width + 2);
    canvas.text({writes.center().x, at.content.y + kRight}, word, style);
    if (place + 1 < at.to)
      draw_handed_on(canvas, at, place, kRight - kChip / 2, kGivenReads,
                     writes.center().x + canvas.measure(word, style).x / 2 + 4, strong);
  }
}

void draw_own(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const Theme& theme = canvas.theme();
  canvas.text({at.content.x, at.content.y + kOwnHead}, "On its own",
              {.font = Font::semibold, .size = 14, .color = theme.ink});
  draw_row_name(canvas, at, kOwnReads, "reads");
  draw_row_name(canvas, at, kOwnWrites, "writes");
  const int count = static_cast<int>(scene.own->ids.size());
  for (int place = 0; place < count; ++place) {
    const Rect reads = at.chip(place, kOwnReads), writes = at.chip(place, kOwnWrites);
    draw_word(canvas, reads, scene.read_own(place), false);
    draw_arrow(canvas, {reads.center().x, reads.bottom() + 2}, {reads.center().x, writes.y - 2},
               {.color = theme.second_text});
    draw_word(canvas, writes, scene.word(scene.own->ids[static_cast<std::size_t>(place)]),
              !scene.own_right(place));
    if (place + 1 < count) draw_handed_on(canvas, at, place, kOwnWrites, kOwnReads, writes.right(), false);
  }
}

void draw_bar(Canvas& canvas, const Rect& bar, double log_p, bool filled) {
  const double p = std::exp(log_p);
  const Theme& theme = canvas.theme();
  if (!std::isfinite(p)) return draw_not_a_number(canvas, {bar.x, bar.bottom() - 12, bar.width, 12});
  const float height = std::max(1.0f, bar.height * static_cast<float>(p));
  const Rect filled_part{bar.x, bar.bottom() - height, bar.width, height};
  canvas.rectangle(filled_part, filled ? Box{.fill = theme.ink, .radius = 2}
                                       : Box{.fill = theme.paper, .outline = theme.second_text, .radius = 2});
}

// What the two kinds of bars are, and what is below them.
void draw_legend(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene, float x, float head) {
  const Theme& theme = canvas.theme();
  const TextStyle small = caption_style(canvas);
  const std::string given = "the " + scene.called() + " words given";
  canvas.rectangle({x, head - 4, 18, 8}, {.fill = theme.ink, .radius = 2});
  canvas.text({x + 26, head}, given, small);
  x += 26 + canvas.measure(given, small).x + 18;
  canvas.rectangle({x, head - 4, 18, 8}, {.fill = theme.paper, .outline = theme.second_text, .radius = 2});
  canvas.text({x + 26, head}, "on its own", small);
  x += 26 + canvas.measure("on its own", small).x + 24;
  TextStyle note = small;
  note.x = AlignX::right;
  const std::string said = "−log p of the " + scene.called() + " word: what a place costs";
  if (x + canvas.measure(said, note).x < at.content.right())
    canvas.text({at.content.right(), head}, said, note);
}

// In place of that: which places are drawn, where not all are, and what they cost on average.
void draw_mean(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene, float x, float head) {
  TextStyle note = caption_style(canvas);
  if (at.to - at.from < scene.rights())
    canvas.text({x, head},
                "places " + std::to_string(at.from) + " to " + std::to_string(at.to - 1) + " of " +
                    std::to_string(scene.rights()),
                note);
  note.x = AlignX::right;
  note.color = canvas.theme().ink;
  canvas.text({at.content.right(), head}, "mean −log p  " + format_loss(scene.mean_given()), note);
}

void draw_bars(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const Theme& theme = canvas.theme();
  const float head = at.content.y + at.bars_head, top = at.content.y + at.bars_top, foot = top + at.bars;
  const TextStyle strong{.font = Font::semibold, .size = 14, .color = theme.ink};
  const std::string title = "Probability of the word it should write";
  canvas.text({at.content.x, head}, title, strong);
  const float beside = at.content.x + canvas.measure(title, strong).x + 18;
  if (at.alone)
    draw_mean(canvas, at, scene, beside, head);
  else
    draw_legend(canvas, at, scene, beside, head);

  TextStyle axis = index_style(canvas);
  axis.x = AlignX::right;
  canvas.text({at.first - 10, top}, "1", axis);
  canvas.text({at.first - 10, foot}, "0", axis);
  const float right = at.chip(at.to - 1, 0).right() + 4;
  canvas.line({at.first, top}, {right, top}, {.color = theme.border});
  canvas.line({at.first, foot}, {right, foot}, {.color = theme.control});
  const int own_places = at.alone ? 0 : scene.own_places();
  for (int place = at.from; place < at.to; ++place) {
    const float middle = at.chip(place, 0).center().x, width = std::min(22.0f, at.column / 2 - 12);
    draw_bar(canvas, {at.alone ? middle - width / 2 : middle - width - 3, top, width, at.bars},
             scene.given_log_p[static_cast<std::size_t>(place)], true);
    if (place < own_places)
      draw_bar(canvas, {middle + 3, top, width, at.bars},
               scene.own->right_log_probabilities[static_cast<std::size_t>(place)], false);
  }
}

// p and −log p of each place.
void draw_prices(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const float p = at.losses(), price = p + 20;
  canvas.text({at.content.x, p}, "p", caption_style(canvas));
  canvas.text({at.content.x, price}, "−log p", caption_style(canvas));
  const TextStyle number{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::center};
  for (int place = at.from; place < at.to; ++place) {
    const double log_p = scene.given_log_p[static_cast<std::size_t>(place)];
    const float x = at.chip(place, 0).center().x;
    canvas.text({x, p}, std::exp(log_p) < 0.005 ? "<0.01" : format_probability(std::exp(log_p)), number);
    canvas.text({x, price}, format_fixed(-log_p, 2), number);
  }
}

void draw_losses(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const Theme& theme = canvas.theme();
  const float given = at.losses(), own = given + 20;
  const TextStyle name{.size = 12, .color = theme.ink};
  canvas.text({at.content.x, given}, "−log p, given", name);
  canvas.text({at.content.x, own}, "−log p, own", name);
  TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::center};
  for (int place = 0; place < scene.rights(); ++place) {
    const auto at_place = static_cast<std::size_t>(place);
    const float x = at.chip(place, 0).center().x;
    canvas.text({x, given}, format_fixed(-scene.given_log_p[at_place], 2), number);
    if (place < scene.own_places())
      canvas.text({x, own}, format_fixed(-scene.own->right_log_probabilities[at_place], 2), number);
  }
  const float x = std::min(at.chip(scene.rights(), 0).center().x, at.content.right() - 26);
  TextStyle mean = caption_style(canvas);
  mean.x = AlignX::center;
  canvas.text({x, given - 20}, "mean", mean);
  canvas.text({x, given}, format_loss(scene.mean_given()), number);
  if (scene.own_places() > 0) canvas.text({x, own}, format_loss(scene.mean_own()), number);

  // Under the place, or as far left as it must be to fit.
  const std::string_view lead = scene.parts ? "They part here. " : "";
  const TextStyle strong{.font = Font::semibold, .size = 12, .color = theme.ink};
  const TextStyle style = caption_style(canvas);
  const float lead_width = lead.empty() ? 0 : canvas.measure(lead, strong).x;
  const std::string text = elided(canvas, parting_words(scene), style, at.content.width - lead_width);
  const float width = lead_width + canvas.measure(text, style).x;
  const float wanted = scene.parts ? at.chip(*scene.parts, 0).x - 6 : at.content.x;
  const float start = std::max(at.content.x, std::min(wanted, at.content.right() - width));
  if (!lead.empty()) canvas.text({start, own + 28}, lead, strong);
  canvas.text({start + lead_width, own + 28}, text, style);
}

// A place is one live part, from its number down to its losses.
void make_live(Canvas& canvas, const ForcingLayout& at, const ForcingScene& scene) {
  const float top = at.chip(at.from, at.alone ? kGivenReads : 0).y;
  HitGrid grid{
      .rect = {at.first, top, at.column * static_cast<float>(at.to - at.from), at.losses() + 28 - top},
      .rows = 1,
      .columns = at.to - at.from,
      .cell = {}};
  std::vector<std::pair<Selection, std::string>> places;
  for (int place = at.from; place < at.to; ++place)
    places.emplace_back(selecting_place(scene, place),
                        "reads “" + scene.read_given(place) + "”, should write “" + scene.right_word(place) +
                            "”, p " +
                            format_pinned(std::exp(scene.given_log_p[static_cast<std::size_t>(place)])));
  grid.cell = [places = std::move(places), from = at.from](int, int column) {
    const auto& [selection, text] = places[static_cast<std::size_t>(column)];
    return picking("forcing place " + std::to_string(from + column), selection, text);
  };
  canvas.hit_grid(grid);
}

}  // namespace

void draw_forcing(Canvas& canvas, const Rect& area, const ForcingScene& scene) {
  const ForcingLayout at = layout(area, scene);
  draw_band(canvas, at, scene);
  TextStyle index = index_style(canvas);
  index.x = AlignX::center;
  for (int place = 0; place < scene.places(); ++place)
    canvas.text({at.chip(place, 0).center().x, at.content.y + kIndex}, std::to_string(place), index);
  draw_given(canvas, at, scene);
  draw_own(canvas, at, scene);
  draw_bars(canvas, at, scene);
  draw_losses(canvas, at, scene);
  make_live(canvas, at, scene);
}

void draw_given_alone(Canvas& canvas, const Rect& area, const ForcingScene& scene) {
  const ForcingLayout at = layout_alone({area.x, area.y + 6, area.width, area.height - 6}, scene);
  draw_band(canvas, at, scene);
  draw_given(canvas, at, scene);
  draw_bars(canvas, at, scene);
  draw_prices(canvas, at, scene);
  make_live(canvas, at, scene);
}

}  // namespace glassformer
