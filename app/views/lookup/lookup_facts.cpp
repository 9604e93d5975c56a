#include "app/views/lookup/lookup.h"

#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

FactsAnswer ask_facts(double hour, double temperature) {
  std::array<double, kLookupFacts.size()> keys{};
  Matrix<double> values(std::ssize(kLookupFacts), 1);
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i) {
    keys[i] = kLookupFacts[i].hour;
    values(static_cast<Eigen::Index>(i), 0) = kLookupFacts[i].guests;
  }
  FactsAnswer answer;
  answer.scores = nearness(hour, keys);
  answer.hard = hard_lookup(answer.scores, values);
  answer.soft = soft_lookup(answer.scores, values, temperature);
  return answer;
}

namespace {

// Whether the weights with so many decimals give the answer that is shown.
bool adds_up(const FactsAnswer& answer, int decimals) {
  const double unit = std::pow(10.0, -decimals);
  double sum = 0;
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i)
    sum += std::round(answer.soft.weights[i] / unit) * unit * kLookupFacts[i].guests;
  return format_fixed(sum, 1) == format_fixed(answer.soft.answer[0], 1);
}

}  // namespace

std::string facts_sum(const FactsAnswer& answer) {
  int decimals = 3;
  while (decimals < 5 && !adds_up(answer, decimals)) ++decimals;
  const double least = 0.5 * std::pow(10.0, -decimals);
  std::string text;
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i) {
    if (answer.soft.weights[i] < least) continue;
    text += (text.empty() ? "" : " + ") + format_fixed(answer.soft.weights[i], decimals) + " × " +
            format_fixed(kLookupFacts[i].guests, 0);
  }
  return text + " ≈ " + format_fixed(answer.soft.answer[0], 1);
}

InspectorPage facts_page(const FactsState& state) {
  const FactsAnswer answer = ask_facts(state.hour, state.temperature);
  InspectorPage page;
  if (!state.shows(FactsParts::weights)) {
    page.caption = "Guests by hour";
    page.subject = "asked at **" + format_fixed(state.hour, 1) + "**";
    page.meaning = "The dots are what was counted. At the hours between them nobody counted.";
    return page;
  }
  page.paper = "Paper, section 3.2.1";
  if (!state.lit) {
    page.caption = "Soft lookup";
    page.subject = "guests at **" + format_fixed(state.hour, 1) + "**";
    page.value = format_pinned(answer.soft.answer[0]);
    page.full_value = format_full(answer.soft.answer[0]);
    InspectorSection how{.heading = "How it was computed", .note = "sum 1.000"};
    for (std::size_t i = 0; i < kLookupFacts.size(); ++i)
      how.rows.push_back({.label = kLookupFacts[i].name,
                          .value = format_fixed(answer.soft.weights[i], 3),
                          .share = answer.soft.weights[i],
                          .emphasized = answer.hard.best == static_cast<int>(i)});
    how.text = facts_sum(answer);
    page.sections.push_back(how);
    page.sections.push_back(
        {.heading = "Its gradient",
         .rows = {{.label = "softmax, guests an hour", .value = format_gradient(answer.soft.slope(0, 0))},
                  {.label = "argmax", .value = "0"}},
         .text = "Training follows gradients. Through argmax none comes, through softmax each key gets its "
                 "share."});
    page.meaning =
        "Attention is this lookup: words ask with a query, every word offers a key and a value, and the "
        "weights are learned because softmax can be differentiated.";
    return page;
  }
  const auto at = static_cast<std::size_t>(*state.lit);
  const LookupFact& fact = kLookupFacts[at];
  const std::string score = format_fixed(answer.scores.scores[at], 3);
  page.caption = "Weight of a fact";
  page.subject = "**" + std::string(fact.name) + "** at hour **" + format_fixed(fact.hour, 0) + "**";
  page.value = format_pinned(answer.soft.weights[at]);
  page.full_value = format_full(answer.soft.weights[at]);
  page.sections.push_back(
      {.heading = "How it was computed",
       .rows = {{.label = "query − key", .value = format_fixed(state.hour - fact.hour, 1)},
                {.label = "score −(Q − K)² / 2", .value = score},
                {.label = "÷ temperature", .value = format_short(state.temperature)},
                {.label = "softmax", .value = format_pinned(answer.soft.weights[at]), .emphasized = true}}});
  page.sections.push_back(
      {.heading = "Where it goes",
       .rows = {{.label = "× value " + format_fixed(fact.guests, 0),
                 .value = format_fixed(answer.soft.weights[at] * fact.guests, 3)},
                {.label = "sum over all facts", .value = format_fixed(answer.soft.answer[0], 3)}}});
  page.meaning = answer.hard.best == static_cast<int>(at)
                     ? "The nearest key: argmax takes this fact alone and never hears of the others."
                     : "Not the nearest key: argmax ignores this fact, softmax lets it have its say.";
  return page;
}

std::vector<NumberTable> facts_numbers(const FactsState& state) {
  const FactsAnswer answer = ask_facts(state.hour, state.temperature);
  NumberTable facts{.title = "facts asked at hour " + format_file(state.hour) + ", temperature " +
                             format_file(state.temperature),
                    .columns = {"key", "score", "argmax", "softmax", "value"}};
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i) {
    facts.rows.push_back(kLookupFacts[i].name);
    facts.values.push_back({kLookupFacts[i].hour, answer.scores.scores[i], answer.hard.weights[i],
                            answer.soft.weights[i], kLookupFacts[i].guests});
  }
  NumberTable answers{.title = "answer and its slope", .columns = {"answer", "slope"}};
  answers.rows = {"argmax", "softmax"};
  answers.values = {{answer.hard.answer[0], answer.hard.slope(0, 0)},
                    {answer.soft.answer[0], answer.soft.slope(0, 0)}};
  return {facts, answers};
}

std::string facts_caption(const FactsState& state) {
  const FactsAnswer answer = ask_facts(state.hour, state.temperature);
  return "A table of facts asked at hour " + format_fixed(state.hour, 1) + ": argmax answers " +
         format_fixed(answer.hard.answer[0], 0) + " with slope 0, softmax at temperature " +
         format_short(state.temperature) + " answers " + format_fixed(answer.soft.answer[0], 1) +
         " with slope " + format_fixed(answer.soft.slope(0, 0), 2) + ".";
}

}  // namespace glassformer
