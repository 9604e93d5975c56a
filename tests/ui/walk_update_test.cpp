// The steps of the update in the Walk: what Enter pins, and what the inspector makes of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/views/walk/walk.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

TEST_CASE("Enter on a step of the update pins its number, which the inspector works out term by term") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps =
      training_steps(scene.snapshot->config, {.weight = ChosenWeight{"output_projection.bias"}});
  int worked_out = 0;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (steps[at].place.phase != StepPhase::update || steps[at].off) continue;
    CAPTURE(steps[at].name);
    WalkView view;
    view.go_to(static_cast<int>(at));
    scene.pin({});
    Commands commands;
    REQUIRE(view.key(ViewKey::enter, scene.input(), commands));
    REQUIRE(commands.size() == 1);
    scene.pin(commands.front().get<SetPin>().selection);
    const auto page = view.inspect(scene.input());
    REQUIRE(page);
    REQUIRE(!page->sections.empty());
    const std::vector<Formula>& lines = page->sections[0].formulas;
    REQUIRE(lines.size() >= 2);
    // Ends with the number itself.
    const std::string digits = page->full_value.substr(0, 3);
    CHECK_MESSAGE(formula_as_text(lines.back()).find(digits) != std::string::npos, digits);
    std::vector<std::string> from;
    for (const InspectorSection& section : page->sections)
      if (section.heading == "Comes from")
        for (const InspectorRow& row : section.rows) from.push_back(row.label);
    const auto has = [&](const char* label) { return std::ranges::find(from, label) != from.end(); };
    if (steps[at].kind == StepKind::first_moment) {
      for (const char* const label : {"β₁", "m", "g′"}) CHECK_MESSAGE(has(label), label);
      const std::string sum = formula_as_text(lines[lines.size() - 2]);
      CHECK(sum.ends_with(" ((1 − β_1) × g′)"));
      ++worked_out;
    }
    if (steps[at].kind == StepKind::new_weight) {
      for (const char* const label : {"rate", "corrected m′", "corrected v′", "ε", "w"})
        CHECK_MESSAGE(has(label), label);
      ++worked_out;
    }
  }
  CHECK(worked_out == 2);
}

}  // namespace glassformer
