// The right side: the word of one place through all parts.
#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/layers/layers_view.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/signed_bar.h"

namespace glassformer {

namespace {

constexpr float kRank = 44, kLog = 104, kHeads = 4;  // right ends of the columns; height of the heads' strip
constexpr double kFoot = 0.005;                      // what two decimals show

double largest_of(const LayersScene& scene) {
  double largest = 1e-9;
  const auto widen = [&](double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line)
    widen(scene.pre_norm ? scene.share(line, scene.place) : scene.change(line, scene.place).value_or(0));
  if (!scene.pre_norm) return largest;
  // One head may give more than all of its part together.
  for (const LayersLine& line : scene.lines)
    if (!line.closed())
      for (const double share : scene.lens->shares[static_cast<std::size_t>(scene.place)]
                                    .parts[static_cast<std::size_t>(line.row)])
        widen(share);
  return largest;
}

// A colour a head: what each gives of the number above, on the scale of the bars.
void draw_shares_of_heads(Canvas& canvas, const Rect& strip, const LayersScene& scene, int line,
                          double limit) {
  const LayersLine& shown = scene.lines[static_cast<std::size_t>(line)];
  const std::vector<double>& shares =
      scene.lens->shares[static_cast<std::size_t>(scene.place)].parts[static_cast<std::size_t>(shown.row)];
  if (shown.closed() || shares.size() < 2) return;
  std::vector<float> values(shares.begin(), shares.end());
  draw_heatmap_tile(canvas, strip, {.values = {values.data(), 1, static_cast<int>(values.size())}},
                    {.scale = ColorScale::signed_value, .limit = limit});
}

// Pre-norm: what else is in the logit, so that the column adds up.
void draw_foot(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  TextStyle style = caption_style(canvas);
  style.x = AlignX::right;
  const float right = at.follow.right();
  if (!scene.pre_norm) return canvas.text({right, at.writes}, "blue nearer, red farther", style);
  const LogitShares& shares = scene.lens->shares[static_cast<std::size_t>(scene.place)];
  std::string text = "biases " + format_signed(shares.biases, 2);
  if (std::abs(shares.rest) >= kFoot) text += ", what-ifs " + format_signed(shares.rest, 2);
  canvas.text({right, at.writes}, text, style);
  style.color = canvas.theme().ink;
  canvas.text({right, at.legend}, "logit " + format_fixed(shares.logit, 2), style);
}

}  // namespace

void draw_followed_word(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect& area = at.follow;
  const TextStyle title{.font = Font::semibold, .size = 14, .color = theme.ink, .x = AlignX::right};
  const std::string word = scene.written[static_cast<std::size_t>(scene.place)];
  canvas.text({area.right(), area.y - 37}, elided(canvas, "“" + word + "”, part by part", title, area.width),
              title);
  TextStyle head = caption_style(canvas);
  head.x = AlignX::right;
  const float heads = area.y - 16;
  canvas.text({area.x + kRank, heads}, "rank", head);
  canvas.text({area.x + kLog, heads}, "log p", head);
  canvas.text({area.right(), heads}, scene.pre_norm ? "share of logit" : "change", head);

  const double largest = largest_of(scene);
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line) {
    const Rect row = at.row(line);
    const LensCell& cell = scene.cell(line, scene.place);
    const float y = row.center().y;
    TextStyle number{.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::right};
    if (cell.rank == 1 && cell.finite()) number.color = theme.ink;
    canvas.text({area.x + kRank, y}, cell.finite() ? format_count(cell.rank) : "–", number);
    number.color = theme.ink;
    canvas.text({area.x + kLog, y}, format_fixed(cell.log_probability(cell.written), 2), number);

    const std::optional<double> value =
        scene.pre_norm ? std::optional(scene.share(line, scene.place)) : scene.change(line, scene.place);
    if (!value) continue;
    const float up = at.two_lines ? 10.0f : 0.0f;
    canvas.text({area.right(), y - up}, format_signed(*value, 2), number);
    const Rect bar{area.x + kLog + 16, y + (up > 0 ? 4.0f : 8.0f), area.width - kLog - 16,
                   up > 0 ? 7.0f : 3.0f};
    if (std::isfinite(*value)) draw_signed_bar(canvas, bar, *value / largest);
    if (scene.pre_norm && up > 0)
      draw_shares_of_heads(canvas, {bar.x, bar.bottom() + 4, bar.width, kHeads}, scene, line, largest);
  }
  draw_foot(canvas, at, scene);
}

}  // namespace glassformer
