#include "app/views/positions/positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/format/number_format.h"
#include "app/widgets/formula.h"
#include "engine/analysis/position_study.h"
#include "engine/layers/embedding.h"
#include "engine/layers/rotary.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

std::string side_value(TextSide side, ValueKind value) {
  return embedding_value(side == TextSide::source, value);
}

const std::vector<std::string>& words_of(const ViewInput& input, TextSide side) {
  return side == TextSide::source ? input.result.source_words : input.result.target_in_words;
}

int shown_positions(const ViewInput& input) {
  int longest =
      static_cast<int>(std::max(input.result.source_words.size(), input.result.target_in_words.size()));
  for (const bool source : {false, true})
    longest = std::max(longest, changed_positions(input.result.scene.what_if, source).end(longest));
  const int roomy = std::max(32, (longest + 7) / 8 * 8);
  return std::max(1, std::min(roomy, input.snapshot.config.max_length));
}

PositionTable position_table(const ViewInput& input, PositionKind kind, TextSide side) {
  const Config& config = input.snapshot.config;
  const int width = position_traits(kind).turned ? config.head_width() : config.d_model;
  PositionTable table{.kind = kind, .rows = shown_positions(input), .columns = width};
  table.own = kind == config.positions;
  if (table.own && table.kind == PositionKind::sinusoidal) table.form = config.wave_form();
  if (table.own) table.given = changed_positions(input.result.scene.what_if, side == TextSide::source);
  const auto size = static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns);
  table.values.assign(size, 0.0f);

  if (table.waves()) {
    table.values = sinusoidal_table(table.rows, table.columns, table.form);
  } else if (table.traits().learned) {
    table.untrained = true;
    table.values = untrained_positions(table.rows, table.columns, input.run.options.seed);
    const std::string name = side_value(side, ValueKind::position_table);
    if (!table.own || !input.snapshot.weights) return table;
    for (const ParameterView& parameter : parameters(*input.snapshot.weights)) {
      if (parameter.name != name || parameter.size() < static_cast<long>(size)) continue;
      std::copy_n(parameter.data, size, table.values.begin());
      table.untrained = false;
    }
  }
  return table;
}

std::optional<int> PositionTable::place_of(int position) const {
  for (int place = 0; place <= position + std::ssize(given.order); ++place)
    if (given.at(place) == position) return place;
  return std::nullopt;
}

std::vector<float> PositionTable::rows_of_places(int places) const {
  std::vector<float> all(static_cast<std::size_t>(places * columns));
  for (int place = 0; place < places && !given.none; ++place)
    if (const int position = given.at(place); position < rows)
      std::copy_n(values.begin() + std::ptrdiff_t(position) * columns, columns,
                  all.begin() + std::ptrdiff_t(place) * columns);
  return all;
}

std::vector<float> angles_of(const PositionTable& table) {
  std::vector<float> angles;
  for (int position = 0; position < table.rows; ++position)
    for (int pair = 0; pair < table.columns / 2; ++pair)
      angles.push_back(static_cast<float>(
          std::remainder(rotary_angle(position, pair, table.columns), 2 * std::numbers::pi)));
  return angles;
}

std::optional<PositionCell> position_cell(const Selection& selection) {
  if (selection.cell) {
    const CellRef& cell = *selection.cell;
    const std::optional<ValueName> name = read_name(cell.name);
    if (name && name->value == ValueKind::positions && cell.index.size() == 2)
      return PositionCell{cell.index[0], cell.index[1], name->encoder ? TextSide::source : TextSide::target};
  }
  if (selection.key && selection.kind != AttentionKind::decoder)
    return PositionCell{*selection.key, std::nullopt, TextSide::source};
  return std::nullopt;
}

std::optional<PositionCell> position_cell(const Selection& selection, const PositionTable& table) {
  std::optional<PositionCell> cell = position_cell(selection);
  if (cell && cell->dimension.value_or(0) >= table.columns) cell->dimension.reset();
  if (cell) cell->position = table.given.at(cell->position);
  return cell;
}

Selection select_position(const Selection& before, const PositionCell& cell, std::size_t words) {
  Selection selection = before;
  const bool source = cell.side == TextSide::source;
  selection.cell.reset();
  if (cell.dimension)
    selection.cell = CellRef{side_value(cell.side, ValueKind::positions), {cell.position, *cell.dimension}};

  // Light the chip of the word, when there is one.
  const bool word = cell.position < static_cast<int>(words);
  if (source && selection.kind == AttentionKind::decoder) selection.kind = AttentionKind::cross;
  selection.key = source && word ? std::optional(cell.position) : std::nullopt;
  selection.query = !source && word ? std::optional(cell.position) : std::nullopt;
  return selection;
}

void select_on(HitRegion& hit, const PositionTable& table, PositionCell cell, const Selection& before,
               std::size_t words) {
  const std::optional<int> place = table.place_of(cell.position);
  if (!place) return;
  cell.position = *place;
  const Selection selection = select_position(before, cell, words);
  hit.hover = SetHover{selection};
  hit.click = SetPin{selection};
}

namespace {

std::string larger_difference(const MovedPair& moved) {
  return format_short(std::max(std::abs(moved.sine_difference()), std::abs(moved.cosine_difference())));
}

// "= 0.9801 × 0.2955", "+ 0.1987 × 0.9553", "= 0.4794".
void add_products(std::vector<Formula>& lines, std::array<double, 2> factors, const MovedPair& moved,
                  double sum) {
  lines.push_back(formula_mono("= " + format_pinned(factors[0]) + " × " + format_pinned(moved.sine)));
  lines.push_back(formula_mono("+ " + format_pinned(factors[1]) + " × " + format_pinned(moved.cosine)));
  lines.push_back(formula_mono("= " + format_pinned(sum)));
}

}  // namespace

std::optional<ShiftChoice> shift_choice(const PositionTable& table, const std::optional<PositionCell>& cell,
                                        int shift) {
  const int pairs = table.columns / 2;
  if (!table.waves() || pairs == 0 || table.rows < 2) return std::nullopt;
  ShiftChoice choice;
  choice.shift = std::clamp(shift, 1, table.rows - 1);
  choice.from = std::clamp(cell ? cell->position : 0, 0, table.rows - 1 - choice.shift);
  choice.pair = std::clamp(cell && cell->dimension ? table.pair_of(*cell->dimension) : 0, 0, pairs - 1);
  return choice;
}

std::string exponent_whole(const PositionTable& table) {
  return std::to_string(wave_whole(table.columns, table.form));
}

std::string wavelength_text(double wavelength) {
  return wavelength < 100    ? format_fixed(wavelength, 2)
         : wavelength < 1000 ? format_fixed(wavelength, 1)
                             : format_count(std::llround(wavelength));
}

int longest_position(const Config& config) {
  return config.max_length - 1;
}

std::vector<InspectorRow> wave_rows(const PositionTable& table, const Config& config, int dimension) {
  const std::vector<Frequency> all = position_frequencies(table.columns, table.form);
  const auto pair = static_cast<std::size_t>(table.pair_of(dimension));
  if (pair >= all.size()) return {};
  return {{.label = "ω, radians a position", .value = format_short(all[pair].frequency)},
          {.label = "wavelength, 2π/ω", .value = wavelength_text(all[pair].wavelength)},
          {.label = "the model’s longest position", .value = format_count(longest_position(config))}};
}

InspectorSection wavelength_section(const PositionTable& table, const Config& config) {
  const std::vector<Frequency> all = position_frequencies(table.columns, table.form);
  InspectorSection section{.heading = "Wavelengths", .note = "in positions"};
  if (all.empty()) return section;
  const int longest = longest_position(config);
  const auto full =
      std::ranges::count_if(all, [&](const Frequency& one) { return one.wavelength <= longest; });
  section.formulas = {
      formula_row({formula_text("2π/ω = 2π ·"),
                   formula_power(formula_mono("10000"), formula_text("2i/" + exponent_whole(table)))})};
  section.rows = {{.label = "first pair, 2π", .value = wavelength_text(all.front().wavelength)},
                  {.label = "last pair, i = " + std::to_string(all.back().pair),
                   .value = wavelength_text(all.back().wavelength)},
                  {.label = table.form.divisor == PositionDivisor::d ? "no pair reaches 10 000 · 2π"
                                                                     : "10 000 · 2π, at i = d/2 − 1",
                   .value = wavelength_text(kLargestDivisor * all.front().wavelength)},
                  {.label = "the model’s longest position", .value = format_count(longest)},
                  {.label = "pairs that turn once within it",
                   .value = std::to_string(full) + " of " + std::to_string(all.size())}};
  section.text = frequency_ways(table);
  return section;
}

InspectorSection shift_section(const PositionTable& table, const ShiftChoice& choice, bool with_ways) {
  const MovedPair moved = moved_pair(table.plane(), choice.pair, choice.from, choice.shift, table.form);
  const auto [angle, cosine, sine] = moved.rotation;
  const std::string to = std::to_string(choice.from + choice.shift);
  const std::string share = std::to_string(2 * choice.pair) + "/" + exponent_whole(table);
  const double frequency =
      position_frequencies(table.columns, table.form)[static_cast<std::size_t>(choice.pair)].frequency;

  InspectorSection section{.heading = "Pair " + std::to_string(choice.pair) + ", " +
                                      std::to_string(choice.shift) +
                                      (choice.shift == 1 ? " place on" : " places on"),
                           .note = std::to_string(choice.from) + " → " + to};
  section.formulas = {
      formula_row(
          {formula_text("ω ="),
           formula_fraction(formula_text("1"), formula_power(formula_mono("10000"), formula_mono(share))),
           formula_mono("= " + format_short(frequency))}),
      formula_mono("ωk = " + format_short(frequency) + " × " + std::to_string(choice.shift) + " = " +
                   format_pinned(angle)),
      formula_mono("cos ωk = " + format_pinned(cosine)), formula_mono("sin ωk = " + format_pinned(sine)),
      formula_text("sine: cos ωk · sine + sin ωk · cosine")};
  add_products(section.formulas, {cosine, sine}, moved, moved.moved_sine);
  section.formulas.push_back(formula_text("cosine: −sin ωk · sine + cos ωk · cosine"));
  add_products(section.formulas, {-sine, cosine}, moved, moved.moved_cosine);
  section.rows = {{.label = "sine of row " + to, .value = format_pinned(moved.there_sine)},
                  {.label = "cosine of row " + to, .value = format_pinned(moved.there_cosine)},
                  {.label = "apart by at most", .value = larger_difference(moved), .emphasized = true}};
  section.text = "Equal to rounding.";
  if (with_ways) section.text += " " + frequency_ways(table);
  return section;
}

std::string frequency_ways(const PositionTable& table) {
  const FrequencyWays ways = compare_frequency_ways(table.rows, table.columns, table.form);
  const std::string d = exponent_whole(table);
  const auto apart = [](double difference) {
    return difference > 0 ? "by at most " + format_short(difference) : std::string("not at all");
  };
  return "ω by 1/10000^(2i/" + d + ") and by exp(−log(10000) · 2i/" + d + ") differ " +
         apart(ways.frequency) + " in 64 bits, and the " + std::to_string(table.rows) +
         " rows made with them, in 32 bits, " + apart(ways.table) + ".";
}

NumberTable wavelength_numbers(const PositionTable& table) {
  NumberTable numbers{.title = "wavelength of each pair, in positions",
                      .columns = {"frequency", "frequency by exp(-log)", "wavelength"}};
  for (const Frequency& one : position_frequencies(table.columns, table.form)) {
    numbers.rows.push_back("pair " + std::to_string(one.pair));
    numbers.values.push_back({one.frequency,
                              position_frequency_by_exp(table.sine(one.pair), table.columns, table.form),
                              one.wavelength});
  }
  return numbers;
}

NumberTable shift_numbers(const PositionTable& table, const ShiftChoice& choice) {
  const std::string from = std::to_string(choice.from), to = std::to_string(choice.from + choice.shift);
  NumberTable numbers{
      .title = "each pair moved from position " + from + " to " + to,
      .columns = {"angle", "cos", "sin", "sine at " + from, "cosine at " + from, "sine moved", "cosine moved",
                  "sine at " + to, "cosine at " + to, "sine apart", "cosine apart"}};
  for (int pair = 0; pair < table.columns / 2; ++pair) {
    const MovedPair moved = moved_pair(table.plane(), pair, choice.from, choice.shift, table.form);
    numbers.rows.push_back("pair " + std::to_string(pair));
    numbers.values.push_back({moved.rotation.angle, moved.rotation.cosine, moved.rotation.sine, moved.sine,
                              moved.cosine, moved.moved_sine, moved.moved_cosine, moved.there_sine,
                              moved.there_cosine, moved.sine_difference(), moved.cosine_difference()});
  }
  return numbers;
}

}  // namespace glassformer
