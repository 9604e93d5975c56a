#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

constexpr int kBars = 7;
constexpr float kBarRow = 24, kSampleRow = 24, kChip = 28;
constexpr float kSettingsRow = 44, kPlacesRow = 62, kBarsHeight = 34 + 22 + (kBars + 1) * kBarRow + 16;
constexpr float kSamplesHeight = 34 + 24 + (kSamples + 1) * kSampleRow;

std::string after_words(const SamplingScene& scene) {
  const std::vector<int> before(scene.written().begin(), scene.written().begin() + scene.step);
  return before.empty() ? start_word(scene.input) : target_text(scene.input, before);
}

// The Scene's own words; a click on one explains its place.
void draw_places(Canvas& canvas, const Rect& row, const SamplingScene& scene) {
  const Theme& theme = canvas.theme();
  const Search search = scene.input.result.scene.decode.search;
  const char* how = search == Search::beam       ? "Beam search wrote"
                    : search == Search::sampling ? "Sampling wrote"
                                                 : "Greedy search wrote";
  const char* hint = canvas.is_file() ? "" : "; a click on a word shows what it was chosen from";
  canvas.text({row.x, row.y + 8}, std::string(how) + hint, caption_style(canvas));
  const float room = row.width / static_cast<float>(std::max(scene.places(), 1));
  const float cell = std::floor(std::clamp(room, 64.0f, 104.0f));
  const int count = std::clamp(static_cast<int>(row.width / cell), 1, std::max(scene.places(), 1));
  const int first = std::clamp(scene.step - count / 2, 0, std::max(0, scene.places() - count));
  const float top = row.y + 22;
  for (int i = 0; i < std::min(count, scene.places()); ++i) {
    const int place = first + i;
    const Rect chip{row.x + cell * static_cast<float>(i), top, cell - 8, kChip};
    const bool chosen = place == scene.step;
    canvas.rectangle(chip, {.fill = theme.panel,
                            .outline = chosen ? theme.ink : theme.border,
                            .outline_width = chosen ? 2.0f : 1.0f,
                            .radius = 6});
    TextStyle style{.font = chosen ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
    style.x = AlignX::center;
    const std::string word = target_word(scene.input, scene.written()[static_cast<std::size_t>(place)]);
    canvas.text(chip.center(), elided(canvas, word, style, chip.width - 8), style);
  }
  HitGrid grid{.rect = {row.x, top, cell * static_cast<float>(std::min(count, scene.places())), kChip},
               .rows = 1,
               .columns = std::min(count, scene.places()),
               .cell = {}};
  grid.cell = [first, before = scene.input.pinned, words = scene.written()](int, int column) {
    const int place = first + column;
    HitRegion hit = picking("drawn step " + std::to_string(place + 1), at_step(before, place));
    hit.menu = about_beginning({words.begin(), words.begin() + place + 1});
    return hit;
  };
  if (grid.columns > 0) canvas.hit_grid(grid);
}

struct ShareColumns {
  float label, bars, width, before, after;
};

void draw_share(Canvas& canvas, const ShareColumns& at, float y, const TokenShare& share,
                const std::string& word, bool taken, const std::string& cut_by) {
  const Theme& theme = canvas.theme();
  const bool cut = share.fate != ShareFate::drawn;
  const TextStyle label{.font = taken ? Font::semibold : Font::regular,
                        .size = 12,
                        .color = cut ? theme.faint_text : theme.ink};
  const std::string shown = elided(canvas, word, label, at.bars - at.label - 12);
  canvas.text({at.label, y}, shown, label);
  if (cut)
    canvas.line({at.label, y}, {at.label + canvas.measure(shown, label).x, y}, {.color = theme.faint_text});
  const auto wide = [&](double value) {
    return at.width * static_cast<float>(std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0);
  };
  const Rect grey{at.bars, y - 8, std::max(1.0f, wide(share.before)), 7};
  canvas.rectangle(
      grey, {.fill = theme.control, .outline = grey.width > 4 ? theme.faint_text : Color{}, .radius = 2});
  if (share.after > 0)
    canvas.rectangle({at.bars, y + 1, std::max(1.0f, wide(share.after)), 7},
                     {.fill = theme.ink, .radius = 2});
  TextStyle mono{.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::right};
  canvas.text({at.before, y}, format_fixed(share.before, 3), mono);
  TextStyle small = caption_style(canvas);
  small.x = AlignX::right;
  mono.color = theme.ink;
  if (cut)
    canvas.text({at.after, y}, cut_by, small);
  else
    canvas.text({at.after, y}, format_fixed(share.after, 3), mono);
}

std::string fate_note(ShareFate fate) {
  return (fate == ShareFate::not_allowed ? "" : "cut: ") + fate_word(fate);
}

void draw_shares(Canvas& canvas, const Rect& area, const SamplingScene& scene) {
  const Theme& theme = canvas.theme();
  const std::string heading = "Step " + std::to_string(scene.step + 1);
  const float used = canvas.measure(heading, {.font = Font::semibold, .size = 14}).x + 12;
  const std::string note =
      elided(canvas, "after " + after_words(scene), caption_style(canvas), area.width - used);
  draw_heading(canvas, area, heading, {.note = note, .note_right = false});
  const float after = area.right(), before = after - 112, bars = area.x + 108;
  const ShareColumns at{area.x, bars, std::max(40.0f, before - 56 - bars), before, after};
  float y = area.y + 42;
  TextStyle small = caption_style(canvas);
  canvas.rectangle({bars, y - 4, 16, 7}, {.fill = theme.control, .outline = theme.faint_text, .radius = 2});
  canvas.text({bars + 22, y}, "before", small);
  const float second = bars + 22 + canvas.measure("before", small).x + 16;
  canvas.rectangle({second, y - 4, 16, 7}, {.fill = theme.ink, .radius = 2});
  canvas.text({second + 22, y}, "after", small);
  small.x = AlignX::right;
  canvas.text({before, y}, "before", small);
  canvas.text({after, y}, "after", small);
  y += 24;
  const int taken = scene.written()[static_cast<std::size_t>(scene.step)];
  for (int i = 0; i < bars_shown(scene); ++i) {
    const TokenShare& share = scene.shares[static_cast<std::size_t>(i)];
    draw_share(canvas, at, y, share, target_word(scene.input, share.id), share.id == taken,
               fate_note(share.fate));
    y += kBarRow;
  }
  const long others = others_count(scene);
  if (others <= 0) return;
  const TokenShare rest = others_share(scene);
  const bool by_one = rest.fate == scene.shares.back().fate;
  draw_share(canvas, at, y, rest, format_count(others) + " others", false,
             by_one ? fate_note(rest.fate) : "all cut");
}

void draw_setting_words(Canvas& canvas, const Rect& area, const SamplingScene& scene) {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, area, "What the settings do here");
  float y = area.y + 42;
  TextStyle text{.size = 12, .color = theme.second_text, .y = AlignY::top};
  for (const SettingWords& each : setting_words(scene)) {
    canvas.text({area.x, y}, each.heading, {.font = Font::regular, .size = 14, .color = theme.ink});
    y += 12;
    y += paragraph(canvas, {area.x, y}, area.width, each.text, text) + 20;
  }
  if (scene.forced)
    paragraph(canvas, {area.x, y - 10}, area.width,
              "Every output begins with the forced words: here nothing is drawn, whatever these shares say.",
              text);
}

// The words of a sentence; those that greedy search does not write are underlined.
void draw_marked(Canvas& canvas, Point at, float room, const WordDifference& words) {
  const Theme& theme = canvas.theme();
  const TextStyle style{.size = 14, .color = theme.ink};
  const float blank = canvas.measure(" ", style).x, end = at.x + room - canvas.measure("…", style).x;
  for (const MarkedWord& word : words.words) {
    const float width = canvas.measure(word.text, style).x;
    if (at.x + width > end) {
      canvas.text(at, "…", style);
      return;
    }
    canvas.text(at, word.text, style);
    if (!word.right)
      canvas.line({at.x, at.y + 9}, {at.x + width, at.y + 9}, {.color = theme.ink, .width = 1.5f});
    at.x += width + blank;
  }
}

void draw_samples(Canvas& canvas, const Rect& table, const SamplingScene& scene) {
  const Theme& theme = canvas.theme();
  std::string note = "underlined: not what greedy search writes";
  if (!canvas.is_file()) note += "; a click makes one the decoding";
  draw_heading(canvas, table, "Five samples", {.note = note, .note_right = false});
  if (!scene.samples) {
    canvas.text({table.x, table.y + 48}, "Drawing…", caption_style(canvas));
    return;
  }
  const Samples& samples = *scene.samples;
  const float sentence = table.x + 84, score = table.right() - 8;
  float y = table.y + 44;
  TextStyle small = caption_style(canvas);
  canvas.text({table.x, y}, "seed", small);
  canvas.text({sentence, y}, "sentence", small);
  small.x = AlignX::right;
  canvas.text({score, y}, "sum of log p", small);
  canvas.line({table.x, y + 11}, {table.right(), y + 11}, {.color = theme.border});
  y = table.y + 58;
  const std::string greedy = target_text(scene.input, samples.greedy.ids);
  const auto row = [&](const std::string& name, const DecodeResult& result, bool own) {
    const float middle = y + kSampleRow / 2;
    if (own)
      canvas.rectangle({table.x - 8, y + 1, table.width + 16, kSampleRow - 2},
                       {.fill = theme.hover, .outline = theme.ink, .radius = 4});
    const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink};
    if (name == "greedy")
      canvas.text({table.x, middle}, name, caption_style(canvas));
    else
      canvas.text({table.x, middle}, name, mono);
    draw_marked(canvas, {sentence, middle}, score - 90 - sentence,
                compare_words(target_text(scene.input, result.ids), greedy));
    TextStyle right = mono;
    right.x = AlignX::right;
    canvas.text({score, middle}, format_fixed(result.score, 3), right);
    y += kSampleRow;
  };
  row("greedy", samples.greedy, false);
  const Rect drawn{table.x - 8, y, table.width + 16, kSampleRow * kSamples};
  for (int i = 0; i < kSamples; ++i) {
    const std::uint64_t seed = samples.key.first_seed + static_cast<std::uint64_t>(i);
    const bool own = scene.is_scenes(seed) && samples.key.settings == scene.settings;
    row(std::to_string(seed), samples.drawn[static_cast<std::size_t>(i)], own);
  }
  HitGrid grid{.rect = drawn, .rows = kSamples, .columns = 1, .cell = {}};
  grid.cell = [key = samples.key, scenes = scene.input.result.scene.decode](int sample, int) {
    const std::uint64_t seed = key.first_seed + static_cast<std::uint64_t>(sample);
    HitRegion hit;
    hit.label = "sample of seed " + std::to_string(seed);
    hit.click = SetDecode{sampling_options(scenes, key.settings, seed)};
    return hit;
  };
  canvas.hit_grid(grid);
}

}  // namespace

int bars_shown(const SamplingScene& scene) {
  return std::min(kBars, static_cast<int>(scene.shares.size()));
}

long others_count(const SamplingScene& scene) {
  return std::ssize(scene.shares) - bars_shown(scene);
}

TokenShare others_share(const SamplingScene& scene) {
  TokenShare rest;
  const auto shown = static_cast<std::size_t>(bars_shown(scene));
  for (std::size_t i = shown; i < scene.shares.size(); ++i) {
    const TokenShare& share = scene.shares[i];
    rest.before += share.before;
    rest.tempered += share.tempered;
    rest.after += share.after;
    if (i == shown) rest.fate = share.fate;  // best first: where it is cut, all are
  }
  return rest;
}

SamplingLayout layout_sampling(const Rect& area) {
  const Rect content = stage_content(area);
  SamplingLayout at;
  at.controls = {content.x, content.y - 4, content.width, 32};
  at.places = {content.x, content.y + kSettingsRow, content.width, kPlacesRow};
  const float top = at.places.bottom();
  const float left = std::round((content.width - 40) * 0.58f);
  at.bars = {content.x, top, left, kBarsHeight};
  at.words = {content.x + left + 40, top, content.width - left - 40, kBarsHeight};
  at.samples = {content.x, top + kBarsHeight, content.width, kSamplesHeight};
  return at;
}

Point sampling_minimum() {
  return {820, kStageTop + kSettingsRow + kPlacesRow + kBarsHeight + kSamplesHeight + 12};
}

void draw_sampling_page(Canvas& canvas, const Rect& area, const SamplingScene& scene) {
  const std::string broken = not_finite_words(scene);
  draw_stage_title(canvas, area, kSamplingTitle,
                   broken.empty()
                       ? "Sampling takes a word as often as its share says. The settings change the shares."
                       : broken);
  const SamplingLayout at = layout_sampling(area);
  if (canvas.is_file())
    canvas.text({at.controls.x, at.controls.center().y}, settings_words(scene.settings),
                {.size = 14, .color = canvas.theme().ink});
  if (scene.places() == 0)
    return draw_nothing_yet(canvas, stage_content(area), "No word", "The model cannot write one here.");
  draw_places(canvas, at.places, scene);
  if (scene.shares.empty()) {
    draw_nothing_yet(canvas, at.bars, "Computing…", "The probabilities of all words are being worked out.");
  } else {
    draw_shares(canvas, at.bars, scene);
    draw_setting_words(canvas, at.words, scene);
  }
  draw_samples(canvas, at.samples, scene);
}

}  // namespace glassformer
