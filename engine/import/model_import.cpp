#include "engine/import/model_import.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/import/foreign_model.h"
#include "engine/import/import_text.h"
#include "engine/layers/embedding.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr int kMostPositions = 512;  // rows of a table that are taken
constexpr double kAgreement = 1e-4;  // between a table and the formula
constexpr const char* kReport = "import.json";

void throw_shape(const ForeignTensor& tensor, const std::vector<long>& wanted) {
  throw Error(tensor.file, "the tensor `" + tensor.name + "` should be " + shape_text(wanted) + ", found " +
                               shape_text(tensor.shape));
}

std::vector<float> finite_numbers(const ForeignTensor& tensor) {
  std::vector<float> numbers = tensor.numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw Error(tensor.file, "the tensor `" + tensor.name + "` holds " +
                                   (std::isnan(numbers[i]) ? "NaN" : "infinity") + " (number " +
                                   std::to_string(i + 1) + " of " + std::to_string(numbers.size()) + ")");
  return numbers;
}

// ---- settings that a person gives

nlohmann::json typed_setting(const std::string& text) {
  const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() || value.is_array() ? value : nlohmann::json(text);
}

void apply_settings(Config& config, const ImportOptions& options, const std::string& where) {
  nlohmann::json json = to_json(config);
  for (const auto& [key, text] : options.settings) json[key] = typed_setting(text);
  config = config_from_json(json, where);
}

// ---- tables of positions

// (rows, d) of L x 1 x d, 1 x L x d or L x d; 0 rows where it is none of these.
long table_rows(const ForeignTensor& tensor, long d) {
  long rows = 1;
  for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows *= tensor.shape[i];
  return !tensor.shape.empty() && tensor.shape.back() == d ? rows : 0;
}

bool agrees(const std::vector<float>& table, int rows, int d) {
  const Matrix<float> waves = sinusoids<float>(rows, d);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * static_cast<std::size_t>(d); ++i)
    if (!(std::abs(table[i] - waves.data()[i]) <= kAgreement)) return false;
  return true;
}

// A table that agrees with the formula is left out; else it is what the positions are.
void settle_positions(ImportPlan& plan, const ForeignModel& model) {
  const int d = plan.config.d_model;
  long rows = kMostPositions;
  std::vector<const ForeignTensor*> tables;
  for (const std::string& name : plan.positions) {
    if (!model.has(name)) continue;
    tables.push_back(&model.at(name));
    const long found = table_rows(*tables.back(), d);
    if (found == 0) throw_shape(*tables.back(), {kMostPositions, d});
    rows = std::min(rows, found);
  }
  plan.config.max_length = static_cast<int>(rows);
  bool formula = true;
  for (const ForeignTensor* const table : tables)
    formula = formula && agrees(finite_numbers(*table), plan.config.max_length, d);
  if (formula) {
    for (const ForeignTensor* const table : tables)
      plan.ignored.push_back(
          {table->name, "the formula gives the same to 1e-4 in " + std::to_string(rows) + " rows"});
    return;
  }
  plan.config.positions = PositionKind::learned;
  const std::string &source = plan.positions.front(), &target = plan.positions.back();
  plan.sources["source_positions.weight"] = {{model.has(source) ? source : target}, TensorForm::first_rows};
  plan.sources["target_positions.weight"] = {{model.has(target) ? target : source}, TensorForm::first_rows};
}

// ---- tables that are one

// The same tensor of the file, or equal numbers, or a copy that is absent.
bool is_one(const ForeignModel& model, const ImportPlan& plan, const char* a, const char* b) {
  const TensorSource &one = plan.sources.at(a), &other = plan.sources.at(b);
  if (one.form != other.form) return false;
  if (one.from == other.from || !model.has(one.from.front())) return true;
  const ForeignTensor &first = model.at(one.from.front()), &second = model.at(other.from.front());
  return first.shape == second.shape && first.numbers() == second.numbers();
}

void settle_sharing(ImportPlan& plan, const ForeignModel& model) {
  constexpr const char *kSource = "source_embedding.weight", *kTarget = "target_embedding.weight",
                       *kOutput = "output_projection.weight";
  if (!is_one(model, plan, kOutput, kTarget)) return;
  const bool all =
      plan.config.source_vocab == plan.config.target_vocab && is_one(model, plan, kSource, kTarget);
  plan.config.sharing = all ? Sharing::all : Sharing::output;
  if (const std::string& output = plan.sources.at(kOutput).from.front(); !model.has(output))
    plan.assumed.push_back({"sharing", all ? "all" : "output",
                            "there is no `" + output + "`: the target's table is the output's too"});
  for (const char* const copy : {kOutput, kSource}) {
    const std::string name = plan.sources.at(copy).from.front();
    if ((copy == kSource && !all) || name == plan.sources.at(kTarget).from.front() || !model.has(name))
      continue;
    plan.ignored.push_back(
        {model.at(name).name, "equal to `" + model.at(plan.sources.at(kTarget).from.front()).name + "`"});
  }
}

// ---- the numbers

class Filler {
 public:
  Filler(const ForeignModel& model, const ImportPlan& plan) : model_(model), plan_(plan) {}

  void fill(const std::string& name, const Parameter<float>& to) {
    const TensorSource source = source_of(name);
    const int parts = static_cast<int>(source.from.size());
    const int rows = to.rank == 2 ? to.rows / parts : 1,
              columns = to.rank == 2 ? to.columns : to.columns / parts;
    float* begin = to.data;
    for (const std::string& from : source.from) {
      write(model_.at(from), source, {rows, columns}, to.rank == 1, begin);
      begin += static_cast<std::ptrdiff_t>(rows) * columns;
    }
    used_.insert(source.from.begin(), source.from.end());
    nlohmann::json names = nlohmann::json::array();
    for (const std::string& from : source.from) names.push_back(model_.at(from).name);
    mapped_.push_back({{"to", name}, {"from", names}, {"shape", to.shape()}});
  }
  const std::set<std::string>& used() const { return used_; }
  const nlohmann::json& mapped() const { return mapped_; }

 private:
  TensorSource source_of(const std::string& name) const {
    if (plan_.own) return TensorSource{{name}};
    const auto found = plan_.sources.find(name);
    if (found != plan_.sources.end()) return found->second;
    throw Error(model_.weights.where,
                "the settings ask for the tensor `" + name + "`, which nothing in the file becomes");
  }

  struct Shape {
    long rows, columns;
  };

  // The shape that the file's tensor must have.
  static std::vector<long> wanted_shape(TensorForm form, Shape shape, bool vector) {
    const bool more = form == TensorForm::one_row_more || form == TensorForm::transposed_one_row_more;
    if (vector) return {shape.columns - (more ? 1 : 0)};
    const long rows = shape.rows - (more ? 1 : 0);
    const bool turned = form == TensorForm::transposed || form == TensorForm::transposed_one_row_more;
    return turned ? std::vector<long>{shape.columns, rows} : std::vector<long>{rows, shape.columns};
  }
  static bool fits(const ForeignTensor& tensor, const TensorSource& source, const std::vector<long>& wanted) {
    if (source.form == TensorForm::first_rows) return table_rows(tensor, wanted.back()) >= wanted.front();
    if (source.form == TensorForm::spread && tensor.shape.size() <= 1 &&
        (tensor.shape.empty() || tensor.shape[0] == 1))
      return true;
    const bool row = wanted.size() == 1 && tensor.shape.size() == 2 && tensor.shape[0] == 1;
    return row ? tensor.shape[1] == wanted[0] : tensor.shape == wanted;
  }

  void write(const ForeignTensor& tensor, const TensorSource& source, Shape shape, bool vector,
             float* to) const {
    const std::vector<long> wanted = wanted_shape(source.form, shape, vector);
    if (!fits(tensor, source, wanted)) throw_shape(tensor, wanted);
    std::vector<float> numbers = finite_numbers(tensor);
    const auto count = static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
    if (source.form == TensorForm::spread && numbers.size() == 1) numbers.assign(count, numbers.front());
    const bool turned =
        source.form == TensorForm::transposed || source.form == TensorForm::transposed_one_row_more;
    if (turned)
      turn(numbers, static_cast<std::size_t>(wanted[0]), static_cast<std::size_t>(wanted[1]), to);
    else
      std::copy_n(numbers.begin(), std::min(numbers.size(), count), to);
    if (numbers.size() < count) std::fill(to + numbers.size(), to + count, 0.0f);
    if (source.factor != 1)
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(to[i] * source.factor);
  }
  static void turn(const std::vector<float>& from, std::size_t rows, std::size_t columns, float* to) {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        to[column * rows + row] = from[row * columns + column];
  }

  const ForeignModel& model_;
  const ImportPlan& plan_;
  std::set<std::string> used_;
  nlohmann::json mapped_ = nlohmann::json::array();
};

// Every tensor of the file is used, or ignored for a reason.
void ignore_or_refuse(ImportPlan& plan, const ForeignModel& model, const ImportOptions& options,
                      const std::set<std::string>& used) {
  for (const std::string& other : model.weights.others)
    plan.ignored.push_back({other, "it is beside the state dict"});
  for (const auto& entry : model.weights.tensors) {
    const auto& name = entry.first;
    const auto& tensor = entry.second;
    const auto known = [&](const ImportPlan::Note& note) { return note.name == tensor.name; };
    if (used.contains(name) || std::ranges::any_of(plan.ignored, known)) continue;
    const auto asked = [&](const std::string& prefix) { return tensor.name.starts_with(prefix); };
    if (std::ranges::any_of(options.ignored_prefixes, asked))
      plan.ignored.push_back({tensor.name, "asked for"});
    else if (name.ends_with("mask"))
      plan.ignored.push_back({tensor.name, "masks are made anew for each sentence"});
    else
      throw Error(tensor.file, "it holds the tensor `" + tensor.name + "`, which no model of the kind " +
                                   plan.kind + " has; --ignore leaves it out");
  }
}

// Before room is made for them: the file must hold the numbers that the settings ask for. Few come from
// nowhere: rows of zeros, and those that one number is spread over.
void check_count(const Config& config, const ForeignModel& model) {
  double numbers = 0;
  for (const auto& [name, tensor] : model.weights.tensors) {
    double count = 1;
    for (const long extent : tensor.shape) count *= static_cast<double>(extent);
    numbers += count;
  }
  const auto asked = static_cast<double>(parameter_count(config));
  if (asked > 2 * numbers + 1e6)
    throw Error(model.weights.where, "its settings ask for " + std::to_string(parameter_count(config)) +
                                         " weights, and it holds " + std::to_string(std::llround(numbers)));
}

nlohmann::json report_of(const ImportPlan& plan, const ForeignModel& model, const std::string& source,
                         const nlohmann::json& mapped, std::size_t parameters) {
  nlohmann::json report{{"kind", plan.kind},
                        {"source", source},
                        {"files", model.weights.files},
                        {"parameters", parameters},
                        {"mapped", mapped},
                        {"ignored", nlohmann::json::array()},
                        {"assumed", nlohmann::json::array()},
                        {"changed", nlohmann::json::array()},
                        {"suggested", plan.suggested}};
  for (const auto& note : plan.ignored) report["ignored"].push_back({{"name", note.name}, {"why", note.why}});
  for (const auto& each : plan.assumed)
    report["assumed"].push_back({{"key", each.key}, {"value", each.value}, {"why", each.why}});
  for (const auto& change : plan.changed)
    report["changed"].push_back({{"what", std::string(change.what)}, {"error", change.error}});
  return report;
}

}  // namespace

ImportedModel import_model(const std::string& source, const ImportOptions& options) {
  const ForeignModel model = open_foreign_model(source);
  ImportPlan plan = plan_import(model, options);
  if (!plan.positions.empty()) settle_positions(plan, model);
  if (!plan.own) settle_sharing(plan, model);
  ImportedModel imported;
  imported.tokenizers =
      plan.own ? load_tokenizers(model.folder, plan.config) : import_tokenizers(plan, model, options);
  apply_settings(plan.config, options, source);
  check_count(plan.config, model);
  const auto weights = std::make_shared<Transformer<float>>(plan.config, Transformer<float>::Numbers::unset);
  Filler filler(model, plan);
  weights->visit([&](const std::string& name, Parameter<float> to) { filler.fill(name, to); });
  ignore_or_refuse(plan, model, options, filler.used());
  imported.snapshot.config = plan.config;
  imported.snapshot.weights = weights;
  imported.report = report_of(plan, model, source, filler.mapped(), weights->parameter_count());
  return imported;
}

bool was_imported(const std::string& folder) {
  return std::filesystem::is_regular_file(std::filesystem::path(folder) / kReport);
}

void save_import(const std::string& folder, const ImportedModel& model) {
  OwnedFolder owned(folder);
  save_model(owned, model.snapshot, model.tokenizers);
  owned.write(kReport, model.report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace glassformer
