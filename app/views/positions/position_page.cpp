#include <array>
#include <cmath>
#include <numbers>

#include "app/format/number_format.h"
#include "app/views/positions/positions.h"
#include "app/widgets/formula.h"
#include "engine/layers/embedding.h"
#include "engine/layers/rotary.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

std::string place_words(const ViewInput& input, const PositionTable& table, const PositionCell& cell) {
  const auto& words = words_of(input, cell.side);
  std::string text;
  if (const auto place = table.place_of(cell.position); place && *place < static_cast<int>(words.size()))
    text = "**" + words[static_cast<std::size_t>(*place)] + "** at ";
  text += "position **" + std::to_string(cell.position) + "**";
  if (cell.dimension) text += " dimension **" + std::to_string(table.column(*cell.dimension)) + "**";
  return text;
}

// sin( position / 10000^(dim/d) ), then with the numbers, then the value.
InspectorSection sinusoidal_formula(const PositionTable& table, const Config& config, int position,
                                    int dimension) {
  const int even = 2 * table.pair_of(dimension);
  const std::string wave = is_sine(dimension, table.columns, table.form) ? "sin" : "cos";
  const std::string d = exponent_whole(table);
  const double divisor = position_divisor(dimension, table.columns, table.form);
  const bool halves = table.form.order == PositionOrder::halves;
  InspectorSection section{.heading = "How it was computed"};
  section.formulas = {
      formula_text(halves ? "first half: sines; second half: cosines of the same pairs i"
                          : "even dimension: sine, odd: cosine of the one before"),
      formula_row({formula_text(wave),
                   formula_parenthesis(formula_fraction(
                       formula_text("position"),
                       formula_power(formula_mono("10000"), formula_text((halves ? "2i/" : "i/") + d))))}),
      formula_row({formula_mono("= " + wave + "( " + std::to_string(position) + " /"),
                   formula_power(formula_mono("10000"), formula_mono(std::to_string(even) + "/" + d)),
                   formula_mono(")")}),
      formula_mono("= " + wave + "( " + std::to_string(position) + " / " + format_short(divisor) + " )"),
      formula_mono("= " + format_pinned(position_wave(position, dimension, table.columns, table.form)))};
  section.rows = wave_rows(table, config, dimension);
  return section;
}

// The exponent of the paper is 2i/d, where i counts pairs of columns.
InspectorSection doubled_exponent(const PositionTable& table, int position, int dimension) {
  const int even = 2 * table.pair_of(dimension);
  const double angle = position / std::pow(10000.0, 2.0 * even / wave_whole(table.columns, table.form));
  const double wrong = is_sine(dimension, table.columns, table.form) ? std::sin(angle) : std::cos(angle);
  const std::string right = format_pinned(position_wave(position, dimension, table.columns, table.form));
  return {.heading = "With the exponent doubled: a common slip",
          .rows = {{.label = "10000 to the power " + std::to_string(2 * even) + "/" + exponent_whole(table),
                    .value = format_pinned(wrong),
                    .wrong = format_pinned(wrong) != right}},
          .text =
              "The paper’s 2i is the column of the pair already. Doubled once more, the waves get longer "
              "twice as fast from pair to pair, so that most columns hardly change over a sentence."};
}

// position / 10000^(2i/k), then with the numbers.
InspectorSection rotary_formula(const PositionTable& table, const Config& config, int position,
                                int dimension) {
  const int pair = dimension / 2;
  const std::string k = std::to_string(table.columns);
  const double angle = rotary_angle(position, pair, table.columns);
  InspectorSection section{.heading = "How it was computed"};
  section.formulas = {
      formula_row({formula_text("angle ="),
                   formula_fraction(formula_text("position"),
                                    formula_power(formula_mono("10000"), formula_text("2i/" + k)))}),
      formula_row({formula_mono("= " + std::to_string(position) + " /"),
                   formula_power(formula_mono("10000"), formula_mono(std::to_string(2 * pair) + "/" + k))}),
      formula_mono("= " + format_pinned(angle)),
      formula_mono("= " + format_fixed(angle * 180 / std::numbers::pi, 1) + "°"),
      formula_mono(dimension % 2 == 0 ? "sin: " + format_pinned(std::sin(angle))
                                      : "cos: " + format_pinned(std::cos(angle)))};
  section.rows = wave_rows(table, config, dimension);
  return section;
}

// The query and the key that the first head of the first layer turns by this angle.
std::optional<InspectorSection> what_it_turns(const ViewInput& input, const PositionTable& table,
                                              const PositionCell& cell) {
  if (!input.result.trace || !cell.dimension) return std::nullopt;
  const AttentionKind kind = cell.side == TextSide::source ? AttentionKind::encoder : AttentionKind::decoder;
  const std::optional<int> place = table.place_of(cell.position);
  if (!place || *place >= static_cast<int>(words_of(input, cell.side).size())) return std::nullopt;
  const int column = table.column(*cell.dimension);
  InspectorSection section{.heading = "Where it goes"};
  for (const ValueKind value : {ValueKind::rotated_query, ValueKind::rotated_key}) {
    const std::string name = attention_value(kind, 0, value);
    if (!input.result.trace->find(name)) return std::nullopt;
    section.rows.push_back(
        {.label = value == ValueKind::rotated_query ? "query, layer 1, head 1" : "key, layer 1, head 1",
         .value = format_pinned(input.result.trace->plane(name)(*place, column)),
         .link = SetPin{{.cell = CellRef{name, {0, 0, *place, column}}}}});
  }
  return section;
}

InspectorSection learned_formula(const PositionTable& table, const PositionCell& cell) {
  InspectorSection section{.heading = "How it was computed"};
  if (table.untrained) {
    section.text = "Drawn at random, as training would start it: normal, mean 0, deviation 1/√" +
                   std::to_string(table.columns) +
                   ". Train a model with “positions: learned” to see what it "
                   "becomes.";
    return section;
  }
  section.text = "Looked up: row " + std::to_string(cell.position) + ", column " +
                 std::to_string(*cell.dimension) + " of " + side_value(cell.side, ValueKind::position_table) +
                 ", a table that training changed like any other weight.";
  return section;
}

// embedding of the word + position = input to layer 1.
std::optional<InspectorSection> where_it_goes(const ViewInput& input, const PositionTable& table,
                                              const PositionCell& cell) {
  if (!input.result.trace || !cell.dimension) return std::nullopt;
  const std::string embedding_name = side_value(cell.side, ValueKind::embedding),
                    positions_name = side_value(cell.side, ValueKind::positions),
                    input_name = side_value(cell.side, ValueKind::input);
  const Trace& trace = *input.result.trace;
  const auto& words = words_of(input, cell.side);
  const std::optional<int> place = table.place_of(cell.position);
  if (!place || *place >= static_cast<int>(words.size())) return std::nullopt;
  if (!trace.find(embedding_name) || !trace.find(positions_name) || !trace.find(input_name))
    return std::nullopt;
  const Plane embedding = trace.plane(embedding_name), positions = trace.plane(positions_name),
              sum = trace.plane(input_name);
  const int p = *place, c = *cell.dimension;
  if (p >= embedding.rows || c >= embedding.columns) return std::nullopt;

  const Config& config = input.snapshot.config;
  InspectorSection section{.heading = "Where it goes"};
  const std::string scaled = config.scale_embeddings ? " · √" + std::to_string(config.d_model) : "";
  section.rows.push_back({.label = "embedding of “" + words[static_cast<std::size_t>(p)] + "”" + scaled,
                          .value = format_pinned(embedding(p, c)),
                          .link = SetPin{{.cell = CellRef{embedding_name, {0, p, c}}}}});
  section.rows.push_back({.label = "+ position", .value = format_pinned(positions(p, c))});
  section.rows.push_back(
      {.label = config.embedding_norm ? "after the norm: input to layer 1" : "= input to layer 1",
       .value = format_pinned(sum(p, c)),
       .emphasized = true,
       .link = SetPin{{.cell = CellRef{input_name, {0, p, c}}}}});
  return section;
}

// Tables of the same shape hold other numbers in other programs, and nothing says so but the model's
// settings.
InspectorSection form_section(const PositionTable& table) {
  InspectorSection section{.heading = "Laid out otherwise than in the paper"};
  if (table.form.order == PositionOrder::halves)
    section.text =
        "All sines come first, then all cosines, as in tensor2tensor and Marian; in the paper they take "
        "turns. ";
  if (table.form.divisor == PositionDivisor::d_less_two)
    section.text +=
        "Pair i turns by 1/10000^(2i/" + exponent_whole(table) + "), with d − 2 for the paper’s d.";
  return section;
}

}  // namespace

InspectorPage position_page(const ViewInput& input, const PositionTable& table, const PositionCell& cell) {
  InspectorPage page;
  page.caption = table.own ? "Position value" : "Position value, for comparison";
  page.subject = place_words(input, table, cell);
  page.paper = table.traits().source;
  page.meaning = table.kind == PositionKind::sinusoidal
                     ? "Moving by k positions is the same rotation everywhere, so a head can learn “one word "
                       "back” once for all places."
                     : std::string(table.traits().meaning);
  if (cell.position >= table.rows) return page;
  if (!table.has_rows()) {
    page.caption = "Position";
    page.sections.push_back(
        {.heading = "In the word's input",
         .text = "Nothing is added: the same word gets the same input wherever it stands."});
    if (table.traits().biased) page.sections.push_back(slopes_section(input));
    return page;
  }
  if (!cell.dimension) {
    page.caption = "Position";
    page.sections.push_back(
        {.heading = "The whole row",
         .text = std::to_string(table.columns) +
                 (table.turned() ? " numbers, sine and cosine of each pair's angle. "
                                 : " numbers, one a dimension, added to the word's embedding. ") +
                 "Choose one in the table to see its formula."});
    return page;
  }

  // The number and where it comes from.
  const Config& config = input.snapshot.config;
  const double value = table.plane()(cell.position, *cell.dimension);
  page.value = format_pinned(value);
  page.full_value = format_file(value);
  if (table.own && !table.turned()) page.name = side_value(cell.side, ValueKind::positions);
  page.index = format_index(std::array{cell.position, table.column(*cell.dimension)}) + " of " +
               format_shape(std::array{table.rows, table.columns});
  if (table.kind == PositionKind::sinusoidal)
    page.sections.push_back(sinusoidal_formula(table, config, cell.position, *cell.dimension));
  if (table.kind == PositionKind::sinusoidal)
    page.sections.push_back(doubled_exponent(table, cell.position, *cell.dimension));
  if (table.turned()) {
    page.sections.push_back(rotary_formula(table, config, cell.position, *cell.dimension));
    page.meaning =
        "Query and key are turned by their own angles, so their match depends on the difference alone: on "
        "how far apart two words are.";
    if (auto section = what_it_turns(input, table, cell)) page.sections.push_back(std::move(*section));
  }
  if (table.traits().learned) {
    page.sections.push_back(learned_formula(table, cell));
  }

  // Where it goes, when the model really adds it.
  if (table.own)
    if (auto section = where_it_goes(input, table, cell)) page.sections.push_back(std::move(*section));
  return page;
}

InspectorPage position_overview(const ViewInput& input, const PositionTable& table) {
  InspectorPage page;
  page.caption = "Positions";
  page.paper = table.traits().source;
  page.meaning = table.traits().meaning;
  const std::string d = std::to_string(table.columns);
  if (table.traits().learned)
    page.subject = table.untrained ? "as a table starts, for comparison" : "trained like any other weight";
  else if (table.waves())
    page.subject = table.own ? "computed, never trained" : "computed, for comparison";
  else if (table.traits().biased)
    page.subject = table.own ? "given, never trained" : "given, for comparison";
  else
    page.subject = table.own ? "this model adds nothing" : "nothing added, for comparison";
  if (table.traits().biased) page.sections.push_back(slopes_section(input));
  if (!table.has_rows()) return page;
  page.sections.push_back(
      {.heading = "How to read this",
       .text = std::string("Choose a number in the table, a ") + (table.waves() ? "wave" : "curve") +
               " or a word: it lights up in all four pictures, and its formula stands here. Every row has " +
               d + " numbers."});
  if (table.form != WaveForm()) page.sections.push_back(form_section(table));
  if (table.waves()) page.sections.push_back(wavelength_section(table, input.snapshot.config));
  return page;
}

}  // namespace glassformer
