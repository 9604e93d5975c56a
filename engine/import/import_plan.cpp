#include "engine/import/import_plan.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

const ForeignTensor& ForeignModel::at(const std::string& name) const {
  const auto found = weights.tensors.find(name);
  if (found != weights.tensors.end()) return found->second;
  throw Error(weights.where, "the tensor `" + weights.prefix + name + "` is missing");
}

namespace {

const std::vector<long>& matrix_shape(const ForeignModel& model, const std::string& name) {
  const ForeignTensor& tensor = model.at(name);
  constexpr long kMost = 1L << 30;
  if (tensor.shape.size() == 2 && tensor.shape[0] <= kMost && tensor.shape[1] <= kMost) return tensor.shape;
  throw Error(tensor.file,
              "the tensor `" + tensor.name + "` should be a matrix, found " + shape_text(tensor.shape));
}

}  // namespace

int ForeignModel::rows(const std::string& name) const {
  return static_cast<int>(matrix_shape(*this, name)[0]);
}
int ForeignModel::columns(const std::string& name) const {
  return static_cast<int>(matrix_shape(*this, name)[1]);
}

int ForeignModel::layers(const std::string& prefix, int first) const {
  std::set<int> found;
  for (auto at = weights.tensors.lower_bound(prefix);
       at != weights.tensors.end() && at->first.starts_with(prefix); ++at) {
    int number = -1;
    const char* const begin = at->first.data() + prefix.size();
    if (std::from_chars(begin, at->first.data() + at->first.size(), number).ec == std::errc())
      found.insert(number);
  }
  int expected = first;
  for (const int number : found) {
    if (number != expected)
      throw Error(weights.where, "the layer `" + weights.prefix + prefix + std::to_string(expected) +
                                     "` is missing, though there is `" + weights.prefix + prefix +
                                     std::to_string(number) + "`");
    ++expected;
  }
  if (found.empty()) throw Error(weights.where, "it has no layers `" + weights.prefix + prefix + "…`");
  return expected - first;
}

namespace {

// Families that cannot be computed here, by the model_type of their config.json.
struct Refused {
  std::string_view type, why;
};
constexpr Refused kRefused[] = {
    {"t5", "T5 has relative positions, RMSNorm and unscaled scores, which this program does not compute"},
    {"mt5", "T5 has relative positions, RMSNorm and unscaled scores, which this program does not compute"},
    {"bart", "BART (learned positions with offset, embedding norm, 50 265 pieces) is not read"},
    {"mbart", "BART (learned positions with offset, embedding norm, 50 265 pieces) is not read"},
    {"gpt2", "it is a decoder-only model; encoder and decoder are needed"},
    {"gpt_neo", "it is a decoder-only model; encoder and decoder are needed"},
    {"gpt_neox", "it is a decoder-only model; encoder and decoder are needed"},
    {"opt", "it is a decoder-only model; encoder and decoder are needed"},
    {"llama", "it is a decoder-only model; encoder and decoder are needed"},
    {"mistral", "it is a decoder-only model; encoder and decoder are needed"},
    {"bert", "it is an encoder-only model; encoder and decoder are needed"},
    {"roberta", "it is an encoder-only model; encoder and decoder are needed"},
    {"distilbert", "it is an encoder-only model; encoder and decoder are needed"},
};

void refuse_family(const ForeignModel& model) {
  if (!model.config.is_object() || !model.config.contains("model_type")) return;
  const nlohmann::json& type = model.config["model_type"];
  const auto* const found = std::ranges::find_if(
      kRefused, [&](const Refused& each) { return type.is_string() && type == std::string(each.type); });
  if (found != std::end(kRefused)) throw Error(model.weights.where, std::string(found->why));
  if (type != "marian")
    throw Error(model.weights.where,
                "a model of type " + shown(type) + " is not read; of Hugging Face's, MarianMT is");
}

bool any_name(const ForeignModel& model, std::string_view part) {
  return std::ranges::any_of(model.weights.tensors,
                             [&](const auto& each) { return each.first.find(part) != std::string::npos; });
}

// What it looks like, where it is none that is read.
std::string unknown_words(const ForeignModel& model) {
  const bool encoder = any_name(model, "encoder"), decoder = any_name(model, "decoder");
  if (any_name(model, "relative_attention_bias")) return std::string(kRefused[0].why);
  if (encoder && !decoder) return "it has an encoder alone; encoder and decoder are needed";
  if (decoder && !encoder) return "it has a decoder alone; encoder and decoder are needed";
  const std::string first = model.weights.tensors.empty() ? "" : model.weights.tensors.begin()->second.name;
  return "its tensors (`" + first +
         "`, …) are of no code base that is known: the PyTorch tutorial, the "
         "Annotated Transformer, hkproj, MarianMT";
}

// In the order that they are asked.
constexpr const ImportKind* kKinds[] = {&kMarianNpz, &kOwnExport, &kMarianMt,
                                        &kTutorial,  &kAnnotated, &kHkproj};

}  // namespace

const ImportKind kOwnExport{
    "glassformer", "Glassformer, exported",
    [](const ForeignModel& model) {
      return model.config.is_object() && model.config.contains("source_vocab");
    },
    [](const ForeignModel& model, const ImportOptions&) {
      return ImportPlan{.config = config_from_json(model.config, model.folder + "/config.json"), .own = true};
    }};

std::string_view import_kind_words(std::string_view name) {
  for (const ImportKind* const kind : kKinds)
    if (kind->name == name) return kind->words;
  return name;
}

ImportPlan plan_import(const ForeignModel& model, const ImportOptions& options) {
  for (const ImportKind* const kind : kKinds) {
    if (!kind->is(model)) continue;
    ImportPlan plan = kind->plan(model, options);
    plan.kind = kind->name;
    return plan;
  }
  refuse_family(model);
  throw Error(model.weights.where, unknown_words(model));
}

}  // namespace glassformer
