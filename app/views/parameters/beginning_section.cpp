#include "app/views/parameters/beginning_section.h"

#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/formula.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

// Whether these numbers are what the beginning would give.
std::string within_words(long step, const TensorSheet& sheet) {
  const std::string all = format_count(sheet.summary.count);
  if (sheet.outside == 0)
    return step == 0 ? "All " + all + " numbers lie within."
                     : "All " + all + " numbers still lie within after " + format_count(step) +
                           (step == 1 ? " step." : " steps.");
  const std::string some = format_count(sheet.outside) + " of " + all + " numbers lie outside";
  return step == 0 ? some + ": these weights did not all begin so." : some + ": training carried them there.";
}

InspectorSection even_section(const InitialWeights& begin, long step, const TensorSheet* sheet) {
  const std::string fans = std::to_string(begin.fan_in) + " + " + std::to_string(begin.fan_out);
  InspectorSection section{.heading = "How it began", .note = "Xavier"};
  section.formulas = {
      formula_row({formula_text("a ="),
                   formula_root(formula_fraction(formula_text("6"), formula_text("inputs + outputs")))}),
      formula_row({formula_mono("="), formula_root(formula_fraction(formula_mono("6"), formula_mono(fans)))}),
      formula_mono("= " + format_pinned(begin.limit))};
  section.text = "Drawn evenly from −a to a";
  if (begin.matrices == 3) section.text += ", query, key and value each as a matrix of its own";
  section.text += ".";
  if (!sheet) return section;
  section.rows = {{.label = "smallest now", .value = format_pinned(sheet->summary.smallest)},
                  {.label = "largest now", .value = format_pinned(sheet->summary.largest)},
                  {.label = "outside ±a now", .value = share_outside(*sheet), .emphasized = true}};
  section.text += " " + within_words(step, *sheet);
  return section;
}

}  // namespace

bool is_embedding_table(const std::string& name) {
  return name == embedding_value(true, ValueKind::embedding_table) ||
         name == embedding_value(false, ValueKind::embedding_table);
}

InitialWeights as_begun(InitialWeights begin, const std::string& name, const TrainingOptions& options) {
  if (options.unit_embeddings && is_embedding_table(name) && begin.kind == InitialWeights::Kind::normal)
    begin.deviation = 1;
  return begin;
}

InspectorSection beginning_section(const InitialWeights& begin, long step, const TensorSheet* sheet,
                                   bool given_rows) {
  if (begin.kind == InitialWeights::Kind::even) return even_section(begin, step, sheet);
  InspectorSection section{.heading = "How it began"};
  if (begin.kind == InitialWeights::Kind::normal) {
    section.text = "Drawn from a normal distribution around 0 with deviation " +
                   (begin.deviation == 1 ? "1" : "1/√d = " + format_pinned(begin.deviation)) +
                   (given_rows ? ", but for the rows that a file of vectors had." : ".");
    if (sheet) section.rows = {{.label = "deviation now", .value = format_pinned(sheet->summary.deviation)}};
    return section;
  }
  section.text = "Every number began as " + format_short(begin.value) + ".";
  if (sheet)
    section.rows = {{.label = "smallest now", .value = format_pinned(sheet->summary.smallest)},
                    {.label = "largest now", .value = format_pinned(sheet->summary.largest)}};
  return section;
}

NumberTable beginning_numbers(const std::string& name, const InitialWeights& begin,
                              const TensorSheet& sheet) {
  NumberTable numbers{.title = name + ", how it began", .rows = {"weights"}};
  switch (begin.kind) {
    case InitialWeights::Kind::even:
      numbers.columns = {"inputs", "outputs", "limit a", "outside now", "of"};
      numbers.values = {{double(begin.fan_in), double(begin.fan_out), begin.limit, double(sheet.outside),
                         double(sheet.summary.count)}};
      break;
    case InitialWeights::Kind::normal:
      numbers.columns = {"mean", "deviation"};
      numbers.values = {{0, begin.deviation}};
      break;
    case InitialWeights::Kind::constant:
      numbers.columns = {"every number"};
      numbers.values = {{begin.value}};
      break;
  }
  return numbers;
}

}  // namespace glassformer
