#include <cmath>

#include "app/format/number_format.h"
#include "app/views/layers/layers_view.h"
#include "app/widgets/colormap.h"

namespace glassformer {

namespace {

// p = exp(logit - log of the sum), with the numbers of this cell.
InspectorSection how_computed(const LayersScene& scene, const LensCell& cell) {
  const LensWord& word = cell.strongest.front();
  const Config& config = scene.input.snapshot.config;
  InspectorSection section{.heading = "How it was computed"};
  const std::string x = config.final_norm ? "norm( x )" : "x";
  section.formulas = {
      formula_row({formula_text("p = softmax( " + x + " · "),
                   formula_power(formula_text("E"), formula_text("T")),
                   formula_text(config.output_bias ? " + b )" : " )")}),
      formula_mono("= exp( " + format_loss(word.logit) + " − " +
                   (cell.log_sum < 0 ? "( " + format_loss(cell.log_sum) + " )" : format_loss(cell.log_sum)) +
                   " )"),
      formula_mono("= " + format_pinned(std::exp(cell.log_probability(word))))};
  section.text =
      "x: this row. E: the table of all words. First the word’s logit, then the log of the sum "
      "of exp over all words.";
  return section;
}

InspectorSection most_probable(const LayersScene& scene, const LensCell& cell) {
  if (!cell.finite())
    return {.heading = "The most probable here",
            .text = "The numbers of this row are not finite: no word is more probable than another."};
  InspectorSection section{
      .heading = cell.strongest.size() == 5 ? "The five most probable here" : "The most probable here",
      .note = "of " + format_count(scene.input.snapshot.config.target_vocab)};
  for (const LensWord& word : cell.strongest) {
    const double p = std::exp(cell.log_probability(word));
    section.rows.push_back({.label = scene.word(word.id),
                            .value = format_fixed(p, 3),
                            .share = std::isfinite(p) ? p : 0,
                            .emphasized = section.rows.empty()});
  }
  return section;
}

// Pre-norm: what the part gave to the logit of the word that is written, a head each.
InspectorSection shares_of(const LayersScene& scene, int line_index, int place) {
  const LayersLine& shown = scene.lines[static_cast<std::size_t>(line_index)];
  const LogitShares& shares = scene.lens->shares[static_cast<std::size_t>(place)];
  InspectorSection section{
      .heading = "Shares in the logit of “" + scene.written[static_cast<std::size_t>(place)] + "”",
      .note = format_signed(scene.share(line_index, place), 2)};
  for (int row = shown.first; row <= shown.row; ++row) {
    const std::vector<double>& parts = shares.parts[static_cast<std::size_t>(row)];
    const std::string part = part_words(scene.lens->rows[static_cast<std::size_t>(row)].part);
    if (parts.size() == 1 || shown.closed()) {
      section.rows.push_back(
          {.label = part, .value = format_signed(shares.of_row(static_cast<std::size_t>(row)), 3)});
      continue;
    }
    for (std::size_t head = 0; head < parts.size(); ++head)
      section.rows.push_back(
          {.label = "head " + std::to_string(head + 1), .value = format_signed(parts[head], 3)});
  }
  section.text = "The whole logit is " + format_loss(shares.logit) + "; biases give " +
                 format_signed(shares.biases, 3) + " of it.";
  if (scene.final_norm)
    section.text += " The deviation of the final norm is taken as it is: then the parts add up.";
  return section;
}

InspectorSection why_not_heads() {
  return {.heading = "Why not head by head",
          .text =
              "This model is post-norm: a LayerNorm stands behind every sum, so what one head adds does "
              "not simply pass on to the word. In a pre-norm model this page lists each head’s own share."};
}

}  // namespace

InspectorPage lens_page(const LayersScene& scene, int line_index, int place) {
  const LensCell& cell = scene.cell(line_index, place);
  const LensWord& says = cell.strongest.front();
  const double p = std::exp(cell.log_probability(says));
  const std::string name =
      scene.lens->rows[static_cast<std::size_t>(scene.lines[static_cast<std::size_t>(line_index)].row)].name;
  InspectorPage page;
  page.caption = "First word after " + scene.title(line_index);
  page.subject = "reads **" + scene.read[static_cast<std::size_t>(place)] + "**" +
                 (cell.finite() ? "  says **" + scene.word(says.id) + "**" : ", no word is said");
  // Of two that are compared the value would be taken for a number of the row.
  if (!scene.input.other) {
    if (std::isfinite(p)) page.swatch = cividis(p);
    page.value = format_pinned(p);
    page.full_value = format_full(p);
    page.action = InspectorAction{"How was this row computed?", OpenStep{CellRef{name, {0, place, 0}}}};
  }
  page.name = name;
  page.index = "[" + std::to_string(place) + ", :] of " + format_count(scene.places()) + " × " +
               format_count(scene.input.snapshot.config.d_model);
  page.sections = {how_computed(scene, cell), most_probable(scene, cell)};
  page.sections.push_back(scene.pre_norm ? shares_of(scene, line_index, place) : why_not_heads());
  page.meaning = scene.final_norm
                     ? "The final norm behind the last layer is applied in every row: the model itself does "
                       "so in the last one alone."
                     : "There is no norm behind the last layer here; where there is one, it is applied in "
                       "every row.";
  page.paper = "Paper, section 3.4";
  return page;
}

}  // namespace glassformer
