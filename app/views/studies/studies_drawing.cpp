#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/studies/studies.h"
#include "app/widgets/marks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kMarkRoom = 24, kGap = 6, kParagraphGap = 12, kFoot = 24, kMeans = 64;
constexpr float kMostPitch = 44, kDot = 3.5f, kTableRow = 28, kCell = 148, kNameCell = 200;

std::string claim_words(const Study& study) {
  return "“" + study.claim + "”";
}

std::string source_words(const Study& study) {
  return "Source: " + study.source + ".";
}

// The verdict in words, then its sentences; one alone says both.
struct VerdictLine {
  Verdict verdict;
  std::string words;
  bool whole = false;  // of all rules
};

std::vector<VerdictLine> verdict_lines(const StudyEntry& entry) {
  std::vector<VerdictLine> lines;
  if (!entry.run()) return lines;
  if (entry.rules.size() > 1) {
    lines.push_back({entry.verdict, capitalized(verdict_words(entry.verdict)), true});
  }
  for (const RuleResult& rule : entry.rules) lines.push_back({rule.verdict, rule.sentence});
  return lines;
}

void draw_verdict_mark(Canvas& canvas, Point at, Verdict verdict) {
  const Theme& theme = canvas.theme();
  if (verdict == Verdict::holds) return draw_mark(canvas, at, Mark::tick, theme.ink, 12);
  if (verdict == Verdict::contrary) return draw_mark(canvas, at, Mark::cross, theme.wrong, 10);
  canvas.circle(at, 5.5f, {}, {.color = theme.second_text, .width = 1.5f});
  if (verdict == Verdict::in_part) canvas.circle(at, 2, theme.second_text, {});
}

// Of a paragraph without a canvas, at the most.
float height_of(const std::string& text, float size, float width) {
  constexpr float kLetter = 0.56f;  // of the size
  return std::ceil(kLetter * size * static_cast<float>(text.size()) / width) * size * kLineHeight;
}

}  // namespace

std::string measure_words(const StudyMeasure& measure) {
  return measure.words + (measure.unit.empty() ? "" : ", " + measure.unit);
}

std::string titled(const Study& study) {
  return study.title + (study.title.ends_with('?') ? "" : ":");
}

std::string expectation_words(const Study& study) {
  return "Expected before the first run, that it holds: " + format_fixed(study.expected, 0) + " %, " +
         study.expectation + ".";
}

std::string StudyScene::number(double value) const {
  if (!std::isfinite(value)) return "–";
  return format_fixed(value, shown().decimals) + (shown().unit.empty() ? "" : " " + shown().unit);
}

std::vector<StudyBand> StudyScene::bands() const {
  std::vector<StudyBand> bands = study_bands(study(), measure);
  const auto of_head = [this](const StudyBand& band) {
    return study().measures[band.number.measure].of_part.head.has_value();
  };
  if (only_means && !std::ranges::all_of(bands, of_head)) std::erase_if(bands, of_head);
  return bands;
}

std::vector<StudyDot> StudyScene::dots() const {
  std::vector<StudyDot> dots;
  const std::vector<StudyBand> of = bands();
  const std::vector<StudyRun>& runs = entry().kept.runs;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (std::size_t band = 0; band < of.size(); ++band)
      if (of[band].number.setting == runs[run].setting)
        dots.push_back({band, run, runs[run].figures[of[band].number.measure]});
  return dots;
}

std::string StudyScene::dot_words(const StudyDot& dot) const {
  return bands()[dot.band].name + ", seed " + std::to_string(entry().kept.runs[dot.run].seed) + ": " +
         number(dot.value);
}

namespace {

// The verdict and the rules it comes from, below y; returns where they end.
float lay_verdicts(Canvas& canvas, const Rect& content, float y, const StudyEntry& entry, bool draws) {
  const float width = content.width - kMarkRoom;
  for (const VerdictLine& line : verdict_lines(entry)) {
    const TextStyle style{.font = line.whole ? Font::semibold : Font::regular,
                          .size = 14,
                          .color = canvas.theme().ink,
                          .y = AlignY::top};
    if (draws) draw_verdict_mark(canvas, {content.x + 7, y + 14 * kLineHeight / 2}, line.verdict);
    y += kGap + (draws ? paragraph(canvas, {content.x + kMarkRoom, y}, width, line.words, style)
                       : paragraph_height(canvas, width, line.words, style));
  }
  return y;
}

// From the claim to the verdict; returns where that ends.
float lay_head(Canvas& canvas, const Rect& content, const StudyScene& scene, bool draws) {
  const Theme& theme = canvas.theme();
  float y = content.y + kParagraphGap;
  const auto add = [&](const std::string& words, TextStyle style, float gap) {
    style.y = AlignY::top;
    y += gap + (draws ? paragraph(canvas, {content.x, y}, content.width, words, style)
                      : paragraph_height(canvas, content.width, words, style));
  };
  add(claim_words(scene.study()), {.size = 18, .color = theme.ink}, kGap);
  add(source_words(scene.study()), caption_style(canvas), 0);
  add(expectation_words(scene.study()), caption_style(canvas), kParagraphGap);
  return lay_verdicts(canvas, content, y, scene.entry(), draws);
}

}  // namespace

StudyLayout layout_study(Canvas& canvas, const Rect& area, const StudyScene& scene) {
  const Rect content = stage_content(area, false);
  const float y = lay_head(canvas, content, scene, false) + kParagraphGap;
  const float bottom = content.bottom() - (canvas.is_file() ? 0 : kRunRow + kParagraphGap);
  return {
      .heading = {content.x, y, content.width, kHeadingHeight},
      .figure = {content.x, y + kHeadingHeight, content.width, std::max(0.0f, bottom - y - kHeadingHeight)}};
}

float study_head_height(const StudyScene& scene, float width) {
  width -= 2 * kStagePadding;
  float height = kStageTopBare + kHeadingHeight + 5 * kParagraphGap;
  height += height_of(claim_words(scene.study()), 18, width) +
            height_of(source_words(scene.study()), 12, width) +
            height_of(expectation_words(scene.study()), 12, width);
  for (const VerdictLine& line : verdict_lines(scene.entry()))
    height += kGap + height_of(line.words, 14, width - kMarkRoom);
  return height;
}

void draw_study_head(Canvas& canvas, const Rect& area, const StudyScene& scene) {
  lay_head(canvas, stage_content(area, false), scene, true);
}

float DotLayout::x(double value) const {
  return plot.x + plot.width * static_cast<float>(std::clamp(axis.share(value), 0.0, 1.0));
}

DotLayout layout_dots(const Canvas& canvas, const Rect& area, const StudyScene& scene) {
  DotLayout at;
  const std::vector<StudyBand> bands = scene.bands();
  for (const StudyBand& band : bands)
    at.names = std::max(at.names, canvas.measure(band.name, caption_style(canvas)).x);
  at.names = std::ceil(std::min(at.names, area.width * 0.4f));
  at.pitch = std::min(kMostPitch, std::floor((area.height - kFoot) / static_cast<float>(bands.size())));
  at.plot = {area.x + at.names + 12, area.y, area.width - at.names - 12 - kMeans,
             at.pitch * static_cast<float>(bands.size())};

  // All dots, and of a wide interval as much again to both sides.
  std::vector<double> edges;
  for (const StudyDot& dot : scene.dots())
    if (std::isfinite(dot.value)) edges.push_back(dot.value);
  if (!edges.empty()) {
    const auto [least, most] = std::ranges::minmax(edges);
    const bool positive = least >= 0, percent = scene.shown().unit == "%";
    for (const StudyBand& band : bands) {
      const StudyMean& mean = scene.mean(band);
      if (!std::isfinite(mean.low)) continue;
      edges.push_back(std::max({mean.low, least - (most - least), positive ? 0.0 : mean.low}));
      edges.push_back(std::min({mean.high, most + (most - least), percent ? 100.0 : mean.high}));
    }
    if (least == most) edges.push_back(percent && most == 100 ? 99 : least + 0.1 * std::max(1.0, least));
  }
  const Series all{.x = edges, .y = edges};
  const bool wide = edges.empty() || std::ranges::min(edges) < std::ranges::max(edges) / 2;
  at.axis = fit_axis(std::span(&all, 1), AxisKind::linear, wide);
  return at;
}

std::optional<Point> dot_place(const DotLayout& at, const StudyScene& scene, const StudyDot& dot) {
  if (!std::isfinite(dot.value)) return std::nullopt;
  // One below the other by their order, so that equal ones are seen.
  const std::vector<StudyRun>& runs = scene.entry().kept.runs;
  const std::size_t setting = runs[dot.run].setting;
  const auto count = std::ranges::count(runs, setting, &StudyRun::setting);
  const auto before = std::ranges::count(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(dot.run),
                                         setting, &StudyRun::setting);
  const float step = std::min(4.0f, (at.pitch - 2 * kDot) / static_cast<float>(count));
  const float away = step * (static_cast<float>(before) - static_cast<float>(count - 1) / 2);
  return Point{at.x(dot.value), at.y(dot.band) + away};
}

void draw_study_dots(Canvas& canvas, const Rect& area, const StudyScene& scene) {
  const Theme& theme = canvas.theme();
  const DotLayout at = layout_dots(canvas, area, scene);
  TextStyle number{.font = Font::mono, .size = 11, .color = theme.second_text, .x = AlignX::center};
  const int ticks = at.plot.width < 320 ? 3 : 5;
  for (const double tick : round_ticks(at.axis.low, at.axis.high, ticks)) {
    canvas.line({at.x(tick), at.plot.y}, {at.x(tick), at.plot.bottom()}, {.color = theme.border});
    canvas.text({at.x(tick), at.plot.bottom() + 12}, format_short(tick), number);
  }
  TextStyle name = caption_style(canvas);
  name.x = number.x = AlignX::right;
  name.color = number.color = theme.ink;
  number.size = 12;
  const std::vector<StudyBand> bands = scene.bands();
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const float y = at.y(i), half = std::min(at.pitch / 2 - 1, 10.0f);
    canvas.text({at.plot.x - 12, y},
                canvas.is_file() ? bands[i].name : elided(canvas, bands[i].name, name, at.names), name);
    const StudyMean& mean = scene.mean(bands[i]);
    canvas.text({area.right(), y}, scene.number(mean.value.mean), number);
    if (mean.value.count == 0) continue;
    const float left = at.x(mean.low), right = at.x(mean.high);
    if (std::isfinite(mean.low))
      canvas.rectangle({left, y - half, std::max(1.0f, right - left), 2 * half},
                       {.fill = theme.ink.with_alpha(0.13f), .radius = 2});
    const float middle = at.x(mean.value.mean);
    canvas.line({middle, y - half}, {middle, y + half}, {.color = theme.ink, .width = 2});
  }
  const std::vector<StudyDot> dots = scene.dots();
  for (const StudyDot& dot : dots)
    if (const auto place = dot_place(at, scene, dot))
      canvas.circle(*place, kDot, theme.paper, {.color = theme.second_text, .width = 1.5f});
  if (!scene.hovered || canvas.is_file()) return;
  const auto place = dot_place(at, scene, dots[*scene.hovered]);
  if (!place) return;
  canvas.circle(*place, kDot + 1, theme.ink, {});
  const std::string words = scene.dot_words(dots[*scene.hovered]);
  const TextStyle style{.size = 12, .color = theme.ink};
  const float width = std::ceil(canvas.measure(words, style).x) + 12;
  const float top = place->y - 30 < area.y ? place->y + 10 : place->y - 30;
  const Rect box{std::clamp(place->x - width / 2, area.x, std::max(area.x, area.right() - width)), top, width,
                 20};
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.control, .radius = 4});
  canvas.text({box.x + 6, box.center().y}, words, style);
}

void draw_study_part(Canvas& canvas, const Rect& area, const StudyScene& scene) {
  StudyScene fitting = scene;
  const auto fits = [&](float height) {
    return height >= kLeastPitch * static_cast<float>(fitting.bands().size() + 1);
  };
  fitting.only_means = !fits(area.height);
  Rect dots = area;
  const float lines = lay_verdicts(canvas, area, kParagraphGap, scene.entry(), false);
  const bool all = fits(area.height - lines);
  if (all) dots.height -= lines;
  draw_study_dots(canvas, dots, fitting);
  if (all)
    lay_verdicts(canvas, area, layout_dots(canvas, dots, fitting).plot.bottom() + kFoot + kParagraphGap,
                 scene.entry(), true);
}

namespace {

// A row a setting with all its measures, or, of a single setting, a row a measure.
struct StudyTable {
  std::vector<std::string> heads, names;
  std::vector<std::vector<StudyNumber>> numbers;
  float name_cell = kNameCell;

  explicit StudyTable(const Study& study) {
    const std::size_t settings = study.sweep.settings.size(), measures = study.measures.size();
    const bool single = settings == 1;
    for (std::size_t row = 0; row < (single ? measures : settings); ++row) {
      names.push_back(single ? measure_words(study.measures[row]) : study.sweep.settings[row].name);
      auto& cells = numbers.emplace_back();
      for (std::size_t i = 0; i < (single ? 1 : measures); ++i)
        cells.push_back(single ? StudyNumber{row, 0} : StudyNumber{i, row});
    }
    if (single) {
      heads = {study.sweep.settings[0].name};
      name_cell = 2 * kNameCell;
    } else {
      for (const StudyMeasure& measure : study.measures) heads.push_back(measure_words(measure));
    }
  }
};

}  // namespace

float study_table_width(const StudyScene& scene) {
  const StudyTable table(scene.study());
  return table.name_cell + kCell * static_cast<float>(table.heads.size());
}

void draw_study_table(Canvas& canvas, const Rect& area, const StudyScene& scene) {
  const Theme& theme = canvas.theme();
  const StudyTable table(scene.study());
  TextStyle head = caption_style(canvas), name{.size = 14, .color = theme.ink};
  TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
  head.x = AlignX::right;
  const auto right = [&](std::size_t i) {
    return area.x + table.name_cell + kCell * static_cast<float>(i + 1);
  };
  // Long heads break before "of".
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    const std::string& words = table.heads[i];
    const std::size_t of = words.find(" of ");
    if (of != std::string::npos) canvas.text({right(i), area.y + 4}, words.substr(0, of), head);
    canvas.text({right(i), area.y + 20}, of == std::string::npos ? words : words.substr(of + 1), head);
  }
  float y = area.y + 36;
  for (std::size_t row = 0; row < table.names.size(); ++row, y += kTableRow) {
    canvas.line({area.x, y}, {right(table.heads.size() - 1), y}, {.color = theme.border});
    canvas.text({area.x, y + kTableRow / 2}, elided(canvas, table.names[row], name, table.name_cell - 8),
                name);
    for (std::size_t i = 0; i < table.heads.size(); ++i) {
      const StudyNumber at = table.numbers[row][i];
      const MeanAndDeviation& value = scene.entry().means[at.measure][at.setting].value;
      const auto digits = [&](double of) {
        return format_fixed(of, scene.study().measures[at.measure].decimals);
      };
      canvas.text({right(i), y + kTableRow / 2},
                  value.count == 0
                      ? "–"
                      : digits(value.mean) + (value.count < 2 ? "" : " ± " + digits(value.deviation)),
                  number);
    }
  }
}

}  // namespace glassformer
