#include "app/widgets/colormap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/widgets/heatmap_parts.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

double mix(double a, double b, double share) {
  return a + (b - a) * share;
}

std::uint8_t channel(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0) + 0.5);
}

Color between(Color a, Color b, double share) {
  return {channel(mix(a.r, b.r, share)), channel(mix(a.g, b.g, share)), channel(mix(a.b, b.b, share)), 255};
}

using Ramp = std::array<Color, 6>;  // from the middle outwards; the middle is the theme's

// ColorBrewer's RdBu on paper; on dark ground the ends are the bright colours, so that large values are
// out.
constexpr Ramp kBlueOnLight = {rgb(0xF7F7F7), rgb(0xD1E5F0), rgb(0x92C5DE),
                               rgb(0x4393C3), rgb(0x2166AC), rgb(0x053061)};
constexpr Ramp kRedOnLight = {rgb(0xF7F7F7), rgb(0xFDDBC7), rgb(0xF4A582),
                              rgb(0xD6604D), rgb(0xB2182B), rgb(0x67001F)};
constexpr Ramp kBlueOnDark = {rgb(0x2A2E33), rgb(0x21435F), rgb(0x20639B),
                              rgb(0x3A8AC4), rgb(0x6FB2DC), rgb(0xB5DAF0)};
constexpr Ramp kRedOnDark = {rgb(0x2A2E33), rgb(0x5A2B28), rgb(0x98352F),
                             rgb(0xCB5A47), rgb(0xEC9271), rgb(0xFBCDB4)};

Color along(const Ramp& ramp, double share, Color middle) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  return between(first == 0 ? middle : ramp[first], ramp[first + 1], place - static_cast<double>(first));
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

Color cividis(double share) {
  // Polynomials of the fifth degree through the published table (the fit that d3 uses), within 2 of 255.
  const double t = std::clamp(share, 0.0, 1.0);
  const auto fit = [t](double a, double b, double c, double d, double e, double f) {
    return channel(a + t * (b + t * (c + t * (d + t * (e + t * f)))));
  };
  return {fit(-4.54, -35.34, 2381.73, -6402.7, 7024.72, -2710.57),
          fit(32.49, 170.73, 52.82, -131.46, 176.58, -67.37),
          fit(81.24, 442.36, -2482.43, 6167.24, -6614.94, 2475.67), 255};
}

Color signed_color(double share, const Theme& theme) {
  const double size = std::abs(share);
  if (share >= 0) return along(theme.dark ? kBlueOnDark : kBlueOnLight, size, theme.signed_middle);
  return along(theme.dark ? kRedOnDark : kRedOnLight, size, theme.signed_middle);
}

Color value_color(ColorScale scale, double value, double limit, const Theme& theme) {
  if (std::isnan(value)) return theme.not_a_number;
  const double share = limit > 0 ? value / limit : 0;
  return scale == ColorScale::weight ? cividis(share) : signed_color(share, theme);
}

double relative_luminance(Color color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast(Color a, Color b) {
  const double first = relative_luminance(a), second = relative_luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

Color text_on(Color background) {
  const double luminance = relative_luminance(background);
  return luminance <= 0.18 ? rgb(0xFFFFFF) : luminance <= 0.26 ? rgb(0x000000) : rgb(0x1B1F24);
}

// Lines under a printed heatmap that say which row and column is which word, where not all have room.
namespace {

TextStyle key_style(const Canvas& canvas) {
  return {.size = 11, .color = canvas.theme().second_text};
}

constexpr std::size_t kMostKeyed = 40;  // rows: of more, indices say enough

using Entries = std::vector<std::string>;

// `shown`: what is drawn of a word; null: its index.
Entries key_entries(const std::vector<std::string>& words,
                    const std::function<std::string(const std::string&)>& shown) {
  Entries entries;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string label = shown ? shown(words[i]) : std::to_string(i);
    std::string entry = label + (shown ? " = " : " ") + words[i];
    if (label != words[i] && std::ranges::find(entries, entry) == entries.end())
      entries.push_back(std::move(entry));
  }
  return entries;
}

void add_lines(const Canvas& canvas, const Entries& entries, const std::string& name, float width,
               std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string longer = i == 0 ? name + entries[i] : lines.back() + ",  " + entries[i];
    if (i == 0 || canvas.measure(longer, key_style(canvas)).x > width)
      lines.push_back(i == 0 ? longer : entries[i]);
    else
      lines.back() = longer;
  }
}

}  // namespace

std::vector<std::string> words_key(const Canvas& canvas, const HeatmapOptions& options,
                                   const HeatmapLayout& layout, float width) {
  const auto over = [&](const std::string& word) { return column_word(canvas, layout, word); };
  const auto beside = [&](const std::string& word) { return row_word(canvas, layout, word); };
  using InWords = std::function<std::string(const std::string&)>;
  const Entries columns = key_entries(options.column_labels, layout.column_words ? InWords(over) : InWords());
  Entries rows;
  if (options.show_row_labels && options.row_labels.size() <= kMostKeyed)
    rows = key_entries(options.row_labels, layout.row_words ? InWords(beside) : InWords());
  const auto named = [](const AxisTitle& title, const char* otherwise) {
    return (title.word.empty() ? otherwise : title.word) + ": ";
  };
  std::vector<std::string> lines;
  if (rows == columns) rows.clear();  // one list for both
  add_lines(canvas, rows, named(options.row_title, "rows"), width, lines);
  add_lines(canvas, columns, rows.empty() ? "" : named(options.column_title, "columns"), width, lines);
  return lines;
}

void draw_words_key(Canvas& canvas, const HeatmapLayout& layout, Point top_left) {
  float y = top_left.y + kKeyLine / 2;
  for (const std::string& line : layout.key) {
    canvas.text({top_left.x, y}, line, key_style(canvas));
    y += kKeyLine;
  }
}

}  // namespace glassformer
