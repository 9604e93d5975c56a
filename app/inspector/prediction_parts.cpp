// What a prediction and its loss are told with besides their arithmetic.
#include <cmath>

#include "app/format/value_text.h"
#include "app/inspector/pages.h"
#include "app/inspector/value_words.h"
#include "app/session/run_scene.h"

namespace glassformer {

namespace {

InspectorRow told(std::string label, double value) {
  return {.label = std::move(label), .value = value_text(value)};
}

// What the loss cannot fall below, and what training can take away.
void add_two_parts(InspectorPage& page, const InspectedCell& inspected, int row) {
  double entropy = 0;
  for (const double target : inspected.row(output_value(ValueKind::smoothed_target), {row}))
    if (target > 0) entropy -= target * std::log(target);
  add_rows(
      page, "Its two parts",
      {told("entropy of the target", entropy), told("KL, what can be learned", inspected.value() - entropy)});
}

}  // namespace

void add_beside_prediction(InspectorPage& page, const InspectedCell& inspected, ValueKind value) {
  const std::vector<int> index = inspected.index();
  if (value == ValueKind::token_loss) return add_two_parts(page, inspected, index[0]);
  if (value == ValueKind::log_probabilities && !page.sections.empty())
    page.sections.front().rows.push_back(told("p = exp( log p )", std::exp(inspected.value())));
  if (value != ValueKind::smoothed_target) return;
  const std::string token = word_of(inspected.input().tokenizers.target.get(), inspected.config(), index[1]);
  add_rows(page, "Compared with",
           {operand_link(inspected, "log p of “" + token + "”",
                         inspected.at(output_value(ValueKind::log_probabilities), index))});
}

}  // namespace glassformer
