#include "app/lessons/session_setup.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/lessons/session_text.h"
#include "app/session/paths.h"

namespace glassformer {

namespace {

constexpr std::array<std::string_view, 5> kOfModel = {"model", "step", "layer", "head", "pin"};
constexpr const char* kOthersStay = " The other lines can be shown with another model.";

bool of_model(const std::vector<SceneLine>& lines, int line) {
  return std::ranges::any_of(lines, [&](const SceneLine& each) {
    return each.line == line && std::ranges::find(kOfModel, each.keyword) != kOfModel.end();
  });
}

bool names_model(const SceneLine& line) {
  return line.keyword == "model" || line.keyword == "compare" || line.keyword == "recurrent";
}

}  // namespace

void find_model_beside(std::vector<SceneLine>& lines, const std::string& file) {
  for (SceneLine& line : lines) {
    const std::string of_model = line.keyword == "compare" ? "model " : "";
    if (!names_model(line) || !line.value.starts_with(of_model + "./")) continue;
    line.value =
        of_model + (std::filesystem::absolute(file).parent_path() / line.value.substr(of_model.size()))
                       .lexically_normal()
                       .string();
  }
}

void name_model_beside(std::vector<SceneLine>& lines, const std::string& file) {
  const std::filesystem::path place = std::filesystem::absolute(file);
  for (SceneLine& line : lines) {
    const std::string of_model = line.keyword == "compare" ? "model " : "";
    if (!names_model(line) || !line.value.starts_with(of_model + "/")) continue;
    const std::filesystem::path folder = line.value.substr(of_model.size());
    const std::string name = folder.filename().string(), stem = place.stem().string();
    if (plain_path(folder.parent_path()) == plain_path(place.parent_path()) &&
        (name.starts_with(stem + "-step-") || name.starts_with(stem + "-other-step-") ||
         name.starts_with(stem + "-recurrent-step-")))
      line.value = of_model + "./" + name;
  }
}

SessionSetUp set_up_session(LessonStage& stage, const std::vector<SceneLine>& lines, bool any_weights,
                            const std::string& name, const std::string& file) {
  SessionProblem problem{.name = name, .lines = lines};
  const auto at = [&](int line) { return file + ":" + std::to_string(line) + ": "; };
  const SceneLine* const model = find_line(lines, "model");
  if (model && !std::filesystem::is_directory(folder_of_model(model->value))) {
    problem.text = at(model->line) + "the model “" + model->value + "” is not here." + kOthersStay;
    problem.of_model = true;
    return {nullptr, problem};
  }
  std::vector<LessonError> errors;
  auto page = stage.page(lines, errors);
  if (!page) {
    problem.text = told(errors, file);
    problem.of_model = !errors.empty() && of_model(lines, errors.front().line);
    return {nullptr, problem};
  }
  const SceneLine* const fingerprint = find_line(lines, "fingerprint");
  if (fingerprint && !any_weights && page->fingerprint != fingerprint->value) {
    problem.text = at(fingerprint->line) + "the weights of “" + (model ? model->value : "english-french") +
                   "” are not those that it was saved with: its numbers will be others.";
    problem.of_model = problem.of_weights = true;
    return {nullptr, problem};
  }
  return {std::make_shared<const StagedPage>(std::move(*page)), std::nullopt};
}

}  // namespace glassformer
