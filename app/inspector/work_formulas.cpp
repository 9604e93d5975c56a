#include "app/inspector/work_formulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/inspector/pages.h"
#include "app/reading/cell_names.h"

namespace glassformer {

namespace {

constexpr std::array<std::string_view, 4> kOperators = {"+ ", "− ", "× ", "÷ "};

// "× √d" -> "× "; empty for a line that only names a number.
std::string_view operator_of(std::string_view label) {
  for (const std::string_view each : kOperators)
    if (label.starts_with(each)) return each;
  return {};
}

// "× 0.3600 (γ)"; behind a minus and a factor a negative number is in brackets.
Formula number_line(const std::string& sign, std::string number, std::string_view label) {
  if (number.starts_with("−") && sign != "= " && sign != "+ ") number = "(" + number + ")";
  return formula_row({formula_mono(sign + number + " "), walk_formula("(" + std::string(label) + ")")});
}

std::string number_text(const Step& step, const CellNumber& number) {
  const bool id =
      number.input >= 0 && step.inputs[static_cast<std::size_t>(number.input)].store == OperandStore::ids;
  const bool count =
      number.input < 0 && std::abs(number.value) < 1e9 && number.value == std::round(number.value);
  return number.whole || id || count ? format_count(std::lround(number.value))
                                     : work_text(step, number.value);
}

// The last line is the result itself: "its sine, as in every even column".
bool ends_with_result(const Step& step, const CellWork& work) {
  using enum PatternKind;
  switch (step.pattern.kind) {
    case by_position:
      return work.lines.size() == 1;
    case same_cell:
    case position_rows:
    case side_by_side:
    case position_signal:
    case look_up:
    case d_cross_entropy:
      return !work.lines.empty();
    case rms_norm:
    case layer_norm:  // what it finds of the row, which has neither gain nor shift
      return !work.lines.empty() && work.lines.size() <= 3;
    default:
      return false;
  }
}

std::vector<Product> products_of(const CellWork& work, const CellProduct& product) {
  std::vector<Product> terms;
  for (int i = product.first; i < product.first + product.count; ++i) {
    const CellTerm& term = work.terms[static_cast<std::size_t>(i)];
    terms.push_back({term.numbers[0].value, term.numbers[1].value});
  }
  return terms;
}

void add_products(std::vector<Formula>& lines, const CellWork& work) {
  for (std::size_t i = 0; i < work.products.size(); ++i) {
    std::vector<Formula> more = product_lines(products_of(work, work.products[i]), i == 0 ? 4 : 2, i > 0);
    lines.insert(lines.end(), more.begin(), more.end());
  }
}

// Of a plain sum the term that matters most, and the others together.
void add_largest(std::vector<Formula>& lines, const Step& step, const CellWork& work) {
  if (work.terms.empty()) return;
  double before = 0, largest = 0, sum = 0;
  for (const CellTerm& term : work.terms) {
    sum = term.numbers.back().value;
    if (std::abs(sum - before) > std::abs(largest)) largest = sum - before;
    before = sum;
  }
  const auto others = static_cast<long>(work.terms.size()) - 1;
  lines.push_back(number_line("= ", work_text(step, largest), others > 0 ? "the largest" : "the only one"));
  if (others > 0)
    lines.push_back(number_line(sum < largest ? "− " : "+ ", work_text(step, std::abs(sum - largest)),
                                format_count(others) + " more"));
}

// What is done besides, one line after another. A number that is used further begins its own sum.
void add_lines(std::vector<Formula>& lines, const Step& step, const CellWork& work, bool begun) {
  const std::size_t count = work.lines.size() - (ends_with_result(step, work) ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const CellLine& line = work.lines[i];
    const std::string number = number_text(step, line.number);
    const std::string_view sign = operator_of(line.label);
    const bool next = i + 1 < count && !operator_of(work.lines[i + 1].label).empty();
    if (!sign.empty()) {
      lines.push_back(
          number_line(std::string(sign), number, std::string_view(line.label).substr(sign.size())));
    } else if (next && !begun) {
      lines.push_back(number_line("= ", number, line.label));
      begun = true;
    } else {
      lines.push_back(formula_row({walk_formula(line.label + " ="), formula_mono(number)}));
    }
  }
}

// exp( score ) over the sum of the row, both less the largest score, as the engine takes them.
void add_softmax(std::vector<Formula>& lines, const CellWork& work, int column, double value) {
  const CellTerm& own = work.terms[static_cast<std::size_t>(column)];
  const double largest = work.lines[0].number.value;
  const std::string above = significant_text(own.numbers[2].value, 6),
                    below = significant_text(work.lines[1].number.value, 6);
  lines.push_back(formula_row(
      {formula_mono("="), formula_fraction(formula_mono("exp( " + value_text(own.numbers[0].value) + " − " +
                                                        bracketed_text(largest) + " )"),
                                           formula_mono(below))}));
  lines.push_back(formula_row({formula_text("largest score ="), formula_mono(value_text(largest))}));
  lines.push_back(formula_text("taken off above and below, it cancels"));
  lines.push_back(formula_mono("= " + above + " / " + below + " = " + value_text(value)));
}

void add_log_softmax(std::vector<Formula>& lines, const CellWork& work, int column, double value) {
  const CellTerm& own = work.terms[static_cast<std::size_t>(column)];
  const double largest = work.lines[0].number.value, log_of_sum = work.lines[2].number.value;
  lines.push_back(
      formula_mono("= " + value_text(own.numbers[0].value) + " − " + bracketed_text(largest + log_of_sum)));
  lines.push_back(formula_mono("= " + value_text(value)));
}

void add_scaled(std::vector<Formula>& lines, const Step& step, const CellWork& work) {
  const bool times = step.pattern.factor == ScaleFactor::root_of_width;
  const double factor = work.lines[1].number.value;
  const std::string width = format_count(std::lround(factor * factor));
  const Formula number = formula_mono(work_text(step, work.lines[0].number.value)),
                root = formula_root(formula_mono(width));
  lines.push_back(times ? formula_row({formula_mono("="), number, formula_mono("×"), root})
                        : formula_row({formula_mono("="), formula_fraction(number, root)}));
}

// What arrives, times a slope that the lines between the two compute, and what is multiplied besides.
void add_slope(std::vector<Formula>& lines, const Step& step, const CellWork& work) {
  const std::size_t slope = work.lines.size() - (step.inputs.size() > 2 ? 2 : 1);
  for (std::size_t i = 1; i < slope; ++i)
    lines.push_back(formula_row(
        {walk_formula(work.lines[i].label + " ="), formula_mono(number_text(step, work.lines[i].number))}));
  lines.push_back(number_line("= ", number_text(step, work.lines.front().number), work.lines.front().label));
  lines.push_back(number_line("× ", number_text(step, work.lines[slope].number), "slope there"));
  if (slope + 1 < work.lines.size())
    lines.push_back(number_line("× ", number_text(step, work.lines.back().number), step.inputs[2].symbol));
}

// The row's sum, and the cell's own weight and gradient around it.
void add_d_softmax(std::vector<Formula>& lines, const Step& step, const CellWork& work) {
  const int count = static_cast<int>(work.terms.size());
  for (Formula& line : product_lines(products_of(work, {.first = 0, .count = count})))
    lines.push_back(std::move(line));
  const double arrives = work.lines[0].number.value, sum = work.lines[1].number.value,
               weight = work.lines[2].number.value;
  lines.push_back(formula_mono("row sum = " + work_text(step, sum)));
  lines.push_back(formula_mono("= " + operand_text(weight) + " × (" + significant_text(arrives, 4) +
                               (sum < 0 ? " + " : " − ") + significant_text(std::abs(sum), 4) + ")"));
}

// g and n of the cell, the means of its row (an RMSNorm has one), and all of them in the rule.
void add_d_norm(std::vector<Formula>& lines, const Step& step, const CellWork& work, int column) {
  const auto minus = [](double value) {
    return (value < 0 ? " + " : " − ") + significant_text(std::abs(value), 4);
  };
  const std::vector<CellNumber>& own = term_at(work, column)->numbers;
  const double arrives = own[0].value, gain = own[1].value, x = own[2].value, g = own[3].value,
               n = own[4].value;
  const bool centred = step.pattern.kind == PatternKind::d_layer_norm;
  const std::size_t at = centred ? 3 : 1;  // the line that is taken off
  const double taken = work.lines[at].number.value, deviation = work.lines[at + 1].number.value;
  const std::string less_mean = centred ? minus(work.lines[0].number.value) : "",
                    less_mean_g = centred ? minus(work.lines[2].number.value) : "";
  double mean_product = 0;
  for (const CellTerm& term : work.terms)
    mean_product += term.numbers[5].value / static_cast<double>(work.terms.size());
  const auto named = [&](const std::string& name, const std::string& numbers) {
    lines.push_back(formula_row({walk_formula(name + " ="), formula_mono(numbers)}));
  };
  named("g", significant_text(arrives, 4) + " × " + bracketed_text(gain) + " = " + significant_text(g, 4));
  lines.push_back(formula_row(
      {walk_formula("n ="),
       formula_fraction(formula_mono(value_text(x) + less_mean), formula_mono(value_text(deviation))),
       formula_mono("= " + significant_text(n, 4))}));
  if (centred) named("mean g", significant_text(work.lines[2].number.value, 4));
  named("mean( g × n )", significant_text(mean_product, 4));
  lines.push_back(formula_row(
      {formula_mono("="), formula_fraction(formula_mono(significant_text(g, 4) + less_mean_g + minus(taken)),
                                           formula_mono(value_text(deviation)))}));
  if (work.lines.size() > at + 2)
    lines.push_back(number_line("+ ", work_text(step, work.lines[at + 2].number.value),
                                std::string_view(work.lines[at + 2].label).substr(2)));
}

}  // namespace

std::string work_text(const Step& step, double value) {
  return step.place.phase == StepPhase::backward || step.place.phase == StepPhase::update
             ? significant_text(value, 5)
             : value_text(value);
}

const CellTerm* term_at(const CellWork& work, int column) {
  const auto found = std::ranges::find_if(
      work.terms, [&](const CellTerm& term) { return !term.along_rows && term.place == column; });
  return found == work.terms.end() ? nullptr : &*found;
}

const CellTerm* largest_term(const CellWork& work, const CellProduct& product) {
  const CellTerm* largest = nullptr;
  const auto size = [](const CellTerm& term) { return std::abs(term.numbers[2].value); };
  for (int i = product.first; i < product.first + product.count; ++i) {
    const CellTerm& term = work.terms[static_cast<std::size_t>(i)];
    if (largest == nullptr || size(term) > size(*largest)) largest = &term;
  }
  return largest;
}

std::vector<Formula> work_formulas(const Step& step, const CellWork& work, int column, double value) {
  using enum PatternKind;
  std::vector<Formula> lines;
  switch (step.pattern.kind) {
    case softmax:
      add_softmax(lines, work, column, value);
      return lines;
    case log_softmax:
      add_log_softmax(lines, work, column, value);
      return lines;
    case scale:
      add_scaled(lines, step, work);
      break;
    case slope:
      add_slope(lines, step, work);
      break;
    case d_softmax:
      add_d_softmax(lines, step, work);
      break;
    case d_layer_norm:
    case d_rms_norm:
      if (work.lines.empty())  // γ's or β's gradient: a sum over the rows
        add_largest(lines, step, work);
      else
        add_d_norm(lines, step, work, column);
      break;
    default: {
      const bool sum = !work.product() && !work.headings.empty() && work.headings.back() == "sum";
      if (work.product()) add_products(lines, work);
      if (sum) add_largest(lines, step, work);
      add_lines(lines, step, work, work.product() || sum);
    }
  }
  const std::string result = "= " + work_text(step, value);
  if (ends_with_result(step, work) && operator_of(work.lines.back().label).empty()) {
    lines.push_back(
        formula_row({formula_mono(result + " "), walk_formula("(" + work.lines.back().label + ")")}));
  } else {
    lines.push_back(formula_mono(result));
  }
  return lines;
}

}  // namespace glassformer
