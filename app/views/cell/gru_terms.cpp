#include "app/views/cell/cell.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/bars.h"

namespace glassformer {

namespace {

constexpr float kGruRow = 20, kGruBetween = 32, kGruResult = 100;

TextStyle mono(const Theme& theme, AlignX x = AlignX::right) {
  return {.font = Font::mono, .size = 12, .color = theme.ink, .x = x};
}

std::string in_brackets(double number) {
  const std::string text = format_pinned(number);
  return number < 0 ? "(" + text + ")" : text;
}

RecurrentPin pin_at(const GruPage& page, const GruPlace& place) {
  RecurrentPin pin = page.pin;
  pin.place = place;
  return pin;
}

HitRegion hit_of(const GruPage& page, const GruPlace& place, const Rect& rect, const std::string& label,
                 const std::string& tooltip) {
  HitRegion hit;
  hit.rect = rect;
  hit.label = label;
  hit.click = PinRecurrent{pin_at(page, place)};
  hit.tooltip = tooltip;
  return hit;
}

// Where number `unit` of the old state was made; nothing: it is the 0 that an encoder begins with.
std::optional<GruPlace> state_before(const GruPage& page, int unit) {
  GruPlace place = page.place();
  place.number = GruNumber::state;
  place.unit = unit;
  if (place.word > 0) {
    --place.word;
    return place;
  }
  if (place.encoder) return std::nullopt;
  place.encoder = true;  // the decoder begins where the encoder has ended
  place.word = static_cast<int>(page.scene.reads.size()) - 1;
  return place;
}

// Where number `unit` of what the layer reads was made; nothing: it is learned, a number of an embedding.
std::optional<GruPlace> state_below(const GruPage& page, int unit) {
  GruPlace place = page.place();
  if (place.layer == 0) return std::nullopt;
  --place.layer;
  place.number = GruNumber::state;
  place.unit = unit;
  return place;
}

struct SumWords {
  std::string heading, formula, input, name;
};

// The largest products first, as many as there is room for, then the rest, the bias and the sum.
void draw_sum(Canvas& canvas, const Rect& area, const GruPage& page, const GruSum& sum, const SumWords& words,
              std::optional<GruPlace> (*maker)(const GruPage&, int)) {
  const Theme& theme = canvas.theme();
  const Rect content =
      draw_heading(canvas, area, words.heading, {.note = words.formula, .note_right = false});
  const float right = content.right();
  const bool bars = content.width >= 380;
  const float bar = bars ? 84.0f : 0, product = right - bar - (bars ? 12 : 0), input = product - 84,
              weight = input - 92;
  const TextStyle caption = caption_style(canvas);
  TextStyle ends = caption;
  ends.x = AlignX::right;
  float y = content.y + 6;
  if (weight - content.x > 150) canvas.text({content.x, y}, words.input, caption);
  canvas.text({weight, y}, "weight", ends);
  canvas.text({input, y}, "number", ends);
  canvas.text({product, y}, "product", ends);
  y += kGruRow;

  std::vector<int> order(sum.weights.size());
  std::iota(order.begin(), order.end(), 0);
  const auto product_of = [&](int i) {
    return sum.weights[static_cast<std::size_t>(i)] * sum.inputs[static_cast<std::size_t>(i)];
  };
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return std::abs(product_of(a)) > std::abs(product_of(b)); });
  const float room = content.bottom() - y - 3 * kGruRow - 8;
  const auto shown =
      std::min(order.size(), static_cast<std::size_t>(std::max(1.0f, std::floor(room / kGruRow))));
  const double largest = std::max(std::abs(product_of(order.front())), std::abs(sum.bias));
  const auto draw_bar = [&](double value) {
    if (bars && largest > 0) draw_signed_bar(canvas, {right - bar, y - 4, bar, 8}, value / largest);
  };
  double rest = 0;
  for (std::size_t i = shown; i < order.size(); ++i) rest += product_of(order[i]);
  for (std::size_t i = 0; i < shown; ++i) {
    const int unit = order[i];
    const auto at = static_cast<std::size_t>(unit);
    canvas.text({content.x, y}, words.name + " " + std::to_string(unit), mono(theme, AlignX::left));
    canvas.text({weight, y}, format_pinned(sum.weights[at]), mono(theme));
    canvas.text({input, y}, "× " + in_brackets(sum.inputs[at]), mono(theme));
    canvas.text({product, y}, format_pinned(product_of(unit)), mono(theme));
    draw_bar(product_of(unit));
    if (const auto place = maker(page, unit))
      canvas.hit(hit_of(page, *place, {content.x - 4, y - kGruRow / 2, content.width + 8, kGruRow},
                        words.name + " " + std::to_string(unit), "how this number was made"));
    y += kGruRow;
  }
  if (shown < order.size()) {
    canvas.text({content.x, y}, "and " + std::to_string(order.size() - shown) + " more, together", caption);
    canvas.text({product, y}, format_pinned(rest), mono(theme));
  }
  y += kGruRow;
  canvas.text({content.x, y}, "bias, learned", caption);
  canvas.text({product, y}, format_pinned(sum.bias), mono(theme));
  draw_bar(sum.bias);
  y += kGruRow / 2 + 3;
  canvas.line({content.x, y}, {product, y}, {theme.border, 1});
  y += kGruRow / 2 + 3;
  canvas.text({content.x, y}, words.heading, {.font = Font::semibold, .size = 12, .color = theme.ink});
  TextStyle total = mono(theme);
  total.font = Font::mono;
  canvas.text({product, y}, format_pinned(sum.total), total);
}

// Lines with their result at the right: what the numbers above come to.
void draw_lines(Canvas& canvas, const Rect& area, const std::vector<std::string>& lines) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(area, {.fill = theme.hover, .radius = 6});
  float y = area.y + 12;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool last = i + 1 == lines.size();
    y += paragraph(canvas, {area.x + 16, y}, area.width - 32, lines[i],
                   {.font = last ? Font::semibold : Font::regular,
                    .size = 14,
                    .color = theme.ink,
                    .y = AlignY::top}) +
         4;
  }
}

}  // namespace

void draw_gru_gate(Canvas& canvas, const Rect& area, const GruPage& page) {
  const GruCell& cell = page.cell;
  const bool candidate = page.place().number == GruNumber::candidate;
  const char* const letter = candidate ? "n" : page.place().number == GruNumber::reset ? "r" : "z";
  const float width = (area.width - kGruBetween) / 2, height = area.height - kGruResult - 12;
  const std::string i = std::string("W_i") + letter, h = std::string("W_h") + letter;
  draw_sum(
      canvas, {area.x, area.y, width, height}, page, cell.by_word,
      {"By the word", i + " x + b", page.place().layer == 0 ? "of the embedding" : "of the layer below", "x"},
      state_below);
  draw_sum(canvas, {area.x + width + kGruBetween, area.y, width, height}, page, cell.by_state,
           {"By the old state", h + " h + b", "of the state before", "h"}, state_before);
  const std::string function = candidate ? "tanh" : "σ";
  std::vector<std::string> lines;
  if (candidate) {
    lines.push_back(
        "The old state counts as far as its reset gate lets it: r = " + format_pinned(cell.reset) + ".");
    lines.push_back(format_pinned(cell.by_word.total) + " + " + format_pinned(cell.reset) + " · " +
                    in_brackets(cell.by_state.total) + " = " + format_pinned(cell.argument));
  } else {
    lines.emplace_back("Both together, and σ(x) = 1 / (1 + exp(−x)) brings them between 0 and 1.");
    lines.push_back(format_pinned(cell.by_word.total) + " + " + in_brackets(cell.by_state.total) + " = " +
                    format_pinned(cell.argument));
  }
  lines.push_back(std::string(letter) + " = " + function + "(" + format_pinned(cell.argument) +
                  ") = " + format_pinned(cell.value));
  draw_lines(canvas, {area.x, area.bottom() - kGruResult, area.width, kGruResult - 8}, lines);
}

void draw_gru_state(Canvas& canvas, const Rect& area, const GruPage& page) {
  const GruCell& cell = page.cell;
  const Theme& theme = canvas.theme();
  const Rect content = draw_heading(canvas, area, "A mixture of two numbers",
                                    {.note = "h′ = (1 − z) · n + z · h", .note_right = false});
  struct Part {
    const char *letter, *words;
    double value;
    std::optional<GruPlace> maker;
  };
  const auto gate = [&](GruNumber number) {
    GruPlace place = page.place();
    place.number = number;
    return place;
  };
  const std::vector<Part> parts{
      {"z", "the update gate: what stays of the old state", cell.update, gate(GruNumber::update)},
      {"n", "the candidate: what the word would make of it", cell.candidate, gate(GruNumber::candidate)},
      {"h",
       page.place().word > 0  ? "the old state, behind the word before"
       : page.place().encoder ? "the old state: the encoder begins with 0"
                              : "the old state: where the encoder has ended",
       cell.before, state_before(page, page.place().unit)}};
  constexpr float kPart = 44;
  float y = content.y + 16;
  for (const Part& part : parts) {
    const Rect row{content.x, y - kPart / 2, std::min(content.width, 720.0f), kPart};
    canvas.text({row.x, y}, part.letter, {.font = Font::semibold, .size = 16, .color = theme.ink});
    canvas.text({row.x + 32, y}, part.words, {.size = 14, .color = theme.ink});
    TextStyle number = mono(theme);
    number.size = 14;
    canvas.text({row.x + 470, y}, format_pinned(part.value), number);
    draw_signed_bar(canvas, {row.x + 490, y - 5, row.width - 490, 10}, std::clamp(part.value, -1.0, 1.0));
    canvas.line({row.x, row.bottom()}, {row.right(), row.bottom()}, {theme.border, 1});
    if (part.maker)
      canvas.hit(
          hit_of(page, *part.maker, row, std::string("operand ") + part.letter, "how this number was made"));
    y += kPart;
  }
  const std::string z = format_pinned(cell.update);
  draw_lines(canvas, {content.x, y, std::min(content.width, 720.0f), kGruResult - 8},
             {"Of the candidate (1 − z) · n = (1 − " + z + ") · " + in_brackets(cell.candidate) + " = " +
                  format_pinned((1 - cell.update) * cell.candidate),
              "Of the old state z · h = " + z + " · " + in_brackets(cell.before) + " = " +
                  format_pinned(cell.update * cell.before),
              "h′ = " + format_pinned(cell.value) + ", both together"});
}

}  // namespace glassformer
