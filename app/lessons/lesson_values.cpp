#include "app/lessons/lesson_values.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/reading/run_schedule.h"
#include "app/session/kept_studies.h"
#include "app/session/run_scene.h"
#include "engine/layers/adam.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/ablation.h"
#include "engine/train/curves.h"

namespace glassformer {

std::optional<ValueKind> kind_in_head(std::string_view name) {
  static constexpr std::pair<std::string_view, ValueKind> kValues[] = {
      {"weights", ValueKind::weights},
      {"scores", ValueKind::scores},
      {"dot_products", ValueKind::dot_products},
      {"query", ValueKind::query},
      {"key", ValueKind::key},
      {"value", ValueKind::value},
      {"context", ValueKind::context}};
  const auto* const found = std::ranges::find(kValues, name, &std::pair<std::string_view, ValueKind>::first);
  return found == std::end(kValues) ? std::nullopt : std::optional(found->second);
}

namespace {

constexpr long kMostRates = 1'000'000;

struct Names {
  const LessonScene& scene;
  const SceneResult& result;
  std::string name;

  const Trace& trace() const { return *result.trace; }
  const Config& config() const { return result.snapshot->config; }
};

// The words along the rows and the columns of a value; empty: columns of numbers.
struct ValueAxes {
  ValueAxis rows, columns;
};

ValueAxes axes_of(const SceneResult& result, const Tokenizers& tokenizers, const ValueName& name) {
  const ValueAxis source{.words = result.source_words}, target{.words = result.target_in_words};
  const bool cross = name.block == BlockKind::cross_attention;
  ValueAxes axes{.rows = name.encoder ? source : target, .columns = {}};
  if (cross && (name.value == ValueKind::key || name.value == ValueKind::value)) axes.rows = source;
  switch (name.value) {
    case ValueKind::dot_products:
    case ValueKind::scores:
    case ValueKind::masked_scores:
    case ValueKind::weights:
      axes.columns = cross ? source : axes.rows;
      break;
    case ValueKind::logits:
    case ValueKind::log_probabilities:
    case ValueKind::smoothed_target:
      for (int id = 0; id < result.snapshot->config.target_vocab; ++id)
        axes.columns.words.push_back(word_of(tokenizers.target.get(), result.snapshot->config, id));
      break;
    default:
      break;
  }
  return axes;
}

// Of the first sentence, its real rows and columns alone.
Value of_tensor(const Names& at, const Tensor& tensor, const ValueName& name) {
  const ValueAxes axes = axes_of(at.result, at.scene.input.tokenizers, name);
  const bool batched = tensor.rank() > 1 && name.value != ValueKind::positions;
  std::vector<int> full(tensor.shape.begin() + (batched ? 1 : 0), tensor.shape.end());
  Value value;
  value.shape = full;
  value.axes.resize(full.size());
  const std::size_t row_axis = full.size() == 1 ? 0 : full.size() - 2;
  const auto real = [](const ValueAxis& axis, int length) {
    return axis.words.empty() ? length : std::min(length, static_cast<int>(axis.words.size()));
  };
  value.axes[row_axis] = axes.rows;
  value.shape[row_axis] = real(axes.rows, full[row_axis]);
  if (full.size() > 1) {
    value.axes.back() = axes.columns;
    value.shape.back() = real(axes.columns, full.back());
  }
  if (full.size() == 3) value.axes.front().counted = true;  // heads
  const auto rows = static_cast<std::size_t>(full[row_axis]),
             columns = static_cast<std::size_t>(full.size() > 1 ? full.back() : 1),
             tables = static_cast<std::size_t>(full.size() == 3 ? full.front() : 1);
  for (std::size_t table = 0; table < tables; ++table)
    for (std::size_t row = 0; row < static_cast<std::size_t>(value.shape[row_axis]); ++row)
      for (std::size_t column = 0;
           column < (full.size() > 1 ? static_cast<std::size_t>(value.shape.back()) : 1); ++column)
        value.numbers.push_back(static_cast<double>(tensor.values[(table * rows + row) * columns + column]));
  return value;
}

std::optional<Value> of_parameter(const Transformer<float>& weights, const std::string& name) {
  for (const ParameterView& each : parameters(weights)) {
    if (each.name != name) continue;
    return Value{.shape = each.shape,
                 .axes = std::vector<ValueAxis>(each.shape.size()),
                 .numbers = std::vector<double>(each.data, each.data + each.size()),
                 .words = {}};
  }
  return std::nullopt;
}

std::optional<Value> by_its_name(const Names& at) {
  const auto name = read_name(at.name);
  if (!name) return std::nullopt;
  if (is_parameter(name->value)) return of_parameter(*at.result.snapshot->weights, at.name);
  const Tensor* const tensor = at.trace().find(at.name);
  return tensor ? std::optional(of_tensor(at, *tensor, *name)) : std::nullopt;
}

Value gradient_of(const Names& at) {
  const auto& gradients = at.result.gradients;
  const auto name = read_name(at.name);
  std::optional<Value> found;
  if (gradients && name && is_parameter(name->value)) {
    found = of_parameter(*gradients->trace.parameter_gradients, at.name);
  } else if (gradients && name) {
    const auto tensor = gradients->trace.gradients.find(at.name);
    if (tensor != gradients->trace.gradients.end()) found = of_tensor(at, tensor->second, *name);
  }
  if (!found) throw Mismatch("a value or a parameter of the model behind gradient", "“" + at.name + "”");
  return *found;
}

// As the Walk takes the step with moments anew (paper, section 5.3).
Value update_of(const Names& at) {
  const auto name = read_name(at.name);
  const auto& gradients = at.result.gradients;
  std::optional<Value> found;
  if (gradients && name && is_parameter(name->value))
    found = of_parameter(*gradients->trace.parameter_gradients, at.name);
  if (!found) throw Mismatch("a parameter of the model behind update", "“" + at.name + "”");
  const RunState& run = at.scene.input.run;
  AdamStep step;
  step.step = 1;
  step.rate = run_rate(run, run_schedule(run, at.config()), 1);
  step.gradient_scale = clip_scale(gradients->norm, run.live.clip);
  std::vector<double> weights = of_parameter(*at.result.snapshot->weights, at.name)->numbers,
                      before = weights, first(weights.size()), second(weights.size());
  adam_update(weights.data(), found->numbers.data(), first.data(), second.data(), weights.size(), step);
  for (std::size_t i = 0; i < weights.size(); ++i) found->numbers[i] = weights[i] - before[i];
  return *found;
}

// The open head's.
std::optional<Value> of_head(const Names& at) {
  const auto kind = kind_in_head(at.name);
  if (!kind) return std::nullopt;
  const Selection& shown = at.scene.input.shown;
  const ValueName name = value_in(shown.kind, shown.layer, *kind);
  const Tensor* const tensor = at.trace().find(written(name));
  if (!tensor) return std::nullopt;
  Value all = of_tensor(at, *tensor, name);
  const auto heads = static_cast<std::size_t>(all.shape.front()), each = all.numbers.size() / heads;
  Value one{
      .shape = {all.shape[1], all.shape[2]}, .axes = {all.axes[1], all.axes[2]}, .numbers = {}, .words = {}};
  if (shown.head >= 0) {
    const auto from =
        all.numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(shown.head) * each);
    one.numbers.assign(from, from + static_cast<std::ptrdiff_t>(each));
    return one;
  }
  if (*kind != ValueKind::weights) throw Mismatch("one head for " + at.name, "the mean over heads");
  one.numbers.assign(each, 0);
  for (std::size_t i = 0; i < all.numbers.size(); ++i)
    one.numbers[i % each] += all.numbers[i] / static_cast<double>(heads);
  return one;
}

// How probable each asked word is, given the words before it.
std::vector<double> asked_log_probabilities(const Names& at) {
  const Tensor& all = at.trace().at(output_value(ValueKind::log_probabilities));
  const std::vector<int>& asked = at.trace().target_out.front();
  std::vector<double> found;
  for (std::size_t row = 0; row < asked.size(); ++row)
    found.push_back(static_cast<double>(
        all.values[row * static_cast<std::size_t>(all.columns()) + static_cast<std::size_t>(asked[row])]));
  return found;
}

Value row_entropy(const Names& at) {
  const std::optional<Value> weights = of_head({at.scene, at.result, "weights"});
  if (!weights) throw Mismatch("an open head for entropy", "none");
  const auto columns = static_cast<std::size_t>(weights->shape[1]);
  std::vector<double> entropies(static_cast<std::size_t>(weights->shape[0]));
  for (std::size_t i = 0; i < weights->numbers.size(); ++i) {
    const double p = weights->numbers[i];
    if (p > 0) entropies[i / columns] -= p * std::log(p);
  }
  return row_of(std::move(entropies), weights->axes[0]);
}

// The loss of the sentence with each head of the open layer muted in turn.
Value muted_loss(const Names& at) {
  const Selection& shown = at.scene.input.shown;
  const std::vector<int>& wanted = at.trace().target_out.front();
  const std::vector<std::vector<int>> sources{at.trace().source.front()}, reads{at.trace().target_in.front()};
  const Batch batch = make_raw_batch(sources, reads, std::vector<std::vector<int>>{wanted}, at.config());
  std::vector<Change> changes;
  for (const Change& each : every_head(*at.result.snapshot->weights))
    if (each.block == value_in(shown.kind, shown.layer, ValueKind::whole)) changes.push_back(each);
  const std::vector<MeanLoss> losses = losses_with_each({.model = *at.result.snapshot->weights,
                                                         .batch = batch,
                                                         .smoothing = at.result.scene.smoothing,
                                                         .substitutes = at.result.scene.substitutes},
                                                        at.result.scene.what_if, changes);
  std::vector<double> means;
  for (const MeanLoss& each : losses) means.push_back(each.mean);
  return row_of(std::move(means), ValueAxis{.words = {}, .counted = true});
}

std::optional<Value> of_sentence(const Names& at) {
  const std::string& name = at.name;
  if (name == "loss") return one_number(at.trace().sentence_loss.front());
  if (name == "batch_loss") return one_number(at.trace().loss);
  if (name == "log_p") {
    double sum = 0;
    for (const double each : at.result.decoding.log_probabilities) sum += each;
    return one_number(sum);
  }
  if (name == "entropy") return row_entropy(at);
  if (name == "muted_loss") return muted_loss(at);
  if (name != "nll" && name != "p_asked") return std::nullopt;
  std::vector<double> logs = asked_log_probabilities(at);
  if (name == "nll") {
    double sum = 0;
    for (const double each : logs) sum -= each;
    return one_number(sum / static_cast<double>(logs.size()));
  }
  for (double& each : logs) each = std::exp(each);
  return row_of(std::move(logs), ValueAxis{.words = at.result.target_out_words});
}

Value running_text(std::vector<std::string> words) {
  Value text = row_of_words(std::move(words));
  text.of_text = true;
  return text;
}

std::optional<Value> words_called(const Names& at) {
  const std::string& name = at.name;
  if (name == "reads") return running_text(at.result.target_in_words);
  if (name == "asked") return running_text(at.result.target_out_words);
  std::vector<std::string> words;
  if (name == "output") {
    std::vector<int> ids = at.result.decoding.ids;
    if (!ids.empty() && ids.back() == at.config().eos_id) ids.pop_back();
    return running_text(words_of(at.scene.input.tokenizers.target.get(), at.config(), ids));
  }
  for (const Piece& piece : at.result.source_pieces) words.push_back(piece.text);
  if (name == "pieces") return row_of_words(std::move(words));
  if (name != "ids") return std::nullopt;
  std::vector<double> ids;
  for (const Piece& piece : at.result.source_pieces) ids.push_back(piece.id);
  return row_of(std::move(ids), ValueAxis{.words = std::move(words)});
}

Value config_value(const Names& at, const std::string& key) {
  const nlohmann::json all = to_json(at.config());
  const auto found = all.find(key);
  if (found == all.end()) throw Mismatch("a key of config.json behind config", "“" + key + "”");
  if (found->is_number()) return one_number(found->get<double>());
  if (found->is_boolean()) return one_word(found->get<bool>() ? "true" : "false");
  return one_word(found->is_string() ? found->get<std::string>() : found->dump());
}

// Entry N is step N; there is no step 0.
Value rates(const Names& at) {
  const RunState& run = at.scene.input.run;
  const Schedule schedule = run_schedule(run, at.config());
  const long steps = std::min(chart_steps(run), kMostRates);
  std::vector<double> all{0};
  for (long step = 1; step <= steps; ++step) all.push_back(run_rate(run, schedule, step));
  return row_of(std::move(all));
}

Value curve(const RunState& run, const std::string& key) {
  static constexpr std::pair<const char*, float StepPoint::*> kKeys[] = {
      {"loss", &StepPoint::loss},
      {"rate", &StepPoint::learning_rate},
      {"gradient_norm", &StepPoint::gradient_norm}};
  const auto* const found =
      std::ranges::find(kKeys, key, [](const auto& each) { return std::string_view(each.first); });
  if (found == std::end(kKeys)) throw Mismatch("loss, rate or gradient_norm behind curve", "“" + key + "”");
  std::vector<double> all{0};
  if (run.curves)
    for (const StepPoint& point : run.curves->steps)
      all.push_back(static_cast<double>(point.*(found->second)));
  return row_of(std::move(all));
}

std::optional<Value> of_the_rest(const Names& at) {
  const std::string& name = at.name;
  if (name == "parameters") {
    double count = 0;
    for (const ParameterView& each : parameters(*at.result.snapshot->weights))
      count += static_cast<double>(each.size());
    return one_number(count);
  }
  if (name == "rate") return rates(at);
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string key = name.substr(dot + 1);
  if (name.starts_with("config.")) return config_value(at, key);
  if (name.starts_with("curve.")) return curve(at.scene.input.run, key);
  if (name.starts_with("view.") && at.scene.of_view) return at.scene.of_view(key);
  return std::nullopt;
}

std::shared_ptr<const SceneResult> required(std::shared_ptr<const SceneResult> result, const char* what,
                                            const std::string& name) {
  if (!result) throw Mismatch(what, "none for “" + name + "”");
  return result;
}

}  // namespace

Value lesson_value(const LessonScene& scene, const std::string& before, const std::string& name) {
  if (before == "run") {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || !scene.of_run)
      throw Mismatch("a run that this lesson trains", "“" + name + "”");
    return scene.of_run(name.substr(0, dot), name.substr(dot + 1));
  }
  if (before == "study") return study_value(name);
  std::shared_ptr<const SceneResult> meant;
  if (before == "untouched") meant = scene.input.result.plain;
  if (before == "other") meant = required(scene.other, "a Scene beside this one", name);
  if (before == "greedy")
    meant = required(scene.greedy ? scene.greedy() : nullptr, "a greedy translation", name);
  const Names at{scene, meant ? *meant : scene.input.result, name};
  if (before == "gradient") return gradient_of(at);
  if (before == "update") return update_of(at);
  if (before == "at") throw Mismatch("it or answer behind at, in a text", "“" + name + "”");
  for (const auto find : {of_head, of_sentence, words_called, of_the_rest, by_its_name}) {
    if (std::optional<Value> found = find(at)) return *found;
  }
  throw Mismatch("a value of the Scene such as weights, loss or output", "“" + name + "”");
}

Value study_value(const std::string& name, const std::filesystem::path& folder) try {
  const std::string study = name.substr(0, name.find('.'));
  const KeptStudy* const kept = study_read_once((folder / (study + ".study")).string());
  if (!kept) {
    std::string names;
    for (const std::string& file : study_files(folder))
      names += (names.empty() ? "" : ", ") + std::filesystem::path(file).stem().string();
    throw Mismatch("a study (" + names + ")", "“" + study + "”");
  }
  const std::string key = name.substr(std::min(name.size(), study.size() + 1));
  const double number = study_number(kept->study, kept->runs, key);
  if (kept->runs.empty() || std::isnan(number))
    throw Mismatch("results of the study " + study, "none for “" + key + "”");
  return one_number(number);
} catch (const Error& error) {
  throw Mismatch(error);
}

bool has_row_a_query(std::string_view name) {
  const auto kind = kind_in_head(name);
  return kind == ValueKind::weights || kind == ValueKind::scores || kind == ValueKind::dot_products;
}

}  // namespace glassformer
