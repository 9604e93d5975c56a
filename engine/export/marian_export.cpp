#include "engine/export/marian_export.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/export/export_folder.h"
#include "engine/export/marian_pieces.h"
#include "engine/import/marian_names.h"
#include "engine/math/error.h"
#include "engine/model/config_json.h"
#include "engine/model/weights_file.h"

namespace glassformer {

namespace {

// What MarianMT computes and has no key for.
struct Fixed {
  const char* key;
  nlohmann::json value;
};
const std::vector<Fixed>& fixed_keys() {
  static const std::vector<Fixed> keys{{"norm", "post"},
                                       {"norm_kind", "layer"},
                                       {"final_norm", false},
                                       {"embedding_norm", false},
                                       {"layer_norm_eps", 1e-5},
                                       {"feed_forward", "plain"},
                                       {"positions", "sinusoidal"},
                                       {"position_order", "halves"},
                                       {"position_divisor", "d"},
                                       {"attention_scale", true},
                                       {"attention_activation", "softmax"},
                                       {"attention_bias", true},
                                       {"output_bias", true},
                                       {"source_bos", false},
                                       {"source_eos", true},
                                       {"length_penalty", "power"}};
  return keys;
}

const char* activation_name(Activation activation) {
  const auto* const found = std::ranges::find(kMarianActivations, activation, &MarianActivation::activation);
  return found->name;
}

nlohmann::json marian_config(const Config& config) {
  return {{"model_type", "marian"},
          {"architectures", {"MarianMTModel"}},
          {"is_encoder_decoder", true},
          {"torch_dtype", "float32"},
          {"d_model", config.d_model},
          {"encoder_layers", config.encoder_layers},
          {"decoder_layers", config.decoder_layers},
          {"num_hidden_layers", config.encoder_layers},
          {"encoder_attention_heads", config.heads},
          {"decoder_attention_heads", config.heads},
          {"encoder_ffn_dim", config.d_ff},
          {"decoder_ffn_dim", config.d_ff},
          {"vocab_size", config.source_vocab},
          {"decoder_vocab_size", config.target_vocab},
          {"max_position_embeddings", config.max_length},
          {"dropout", config.dropout},
          {"activation_dropout", config.dropout},
          {"attention_dropout", config.attention_dropout < 0 ? config.dropout : config.attention_dropout},
          {"activation_function", activation_name(config.activation)},
          {"scale_embedding", config.scale_embeddings},
          {"static_position_embeddings", true},
          {"share_encoder_decoder_embeddings", config.sharing == Sharing::all},
          {"tie_word_embeddings", config.sharing != Sharing::none},
          {"pad_token_id", config.pad_id},
          {"unk_token_id", config.unk_id},
          {"eos_token_id", config.eos_id},
          {"forced_eos_token_id", nullptr},
          {"decoder_start_token_id", config.first_id()}};
}

// How it is searched.
nlohmann::json marian_generation(const Config& config, const nlohmann::json& suggested) {
  nlohmann::json forbidden = nullptr;  // none: an empty list is refused
  for (const int id : config.forbidden_ids) forbidden.push_back({id});
  return {{"pad_token_id", config.pad_id},     {"eos_token_id", config.eos_id},
          {"forced_eos_token_id", nullptr},    {"decoder_start_token_id", config.first_id()},
          {"bad_words_ids", forbidden},        {"max_length", config.max_length},
          {"num_beams", suggested.at("beam")}, {"length_penalty", suggested.at("alpha")}};
}

// As the model's own files said when it was imported, else as transformers does.
nlohmann::json suggested_search(const std::string& folder) {
  nlohmann::json search{{"beam", 4}, {"alpha", 1.0}};
  const std::string report = folder + "/import.json";
  if (!std::filesystem::is_regular_file(report)) return search;
  const nlohmann::json json = read_json(report);
  if (!json.is_object() || !json.contains("suggested")) return search;
  for (auto& [key, value] : search.items())
    if (const nlohmann::json& said = json["suggested"]; said.is_object() && said.contains(key))
      if (said[key].is_number()) value = said[key];
  return search;
}

// Each tensor of ours under the names that import finds it by, cut by rows where it is several there.
std::vector<TensorToWrite> marian_tensors(const Transformer<float>& model) {
  const bool all = model.shares_all();
  ImportPlan plan{.config = model.config};
  add_marian_sources(plan, all ? kMarianShared : kMarianSource, all ? kMarianShared : kMarianTarget,
                     !model.shares_output());
  std::vector<TensorToWrite> tensors;
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    const std::vector<std::string>& names = plan.sources.at(name).from;
    const int parts = static_cast<int>(names.size());
    std::vector<int> shape = tensor.shape();
    shape.front() /= parts;
    if (name == "output_projection.bias") shape.insert(shape.begin(), 1);  // a row, as it has it
    for (int part = 0; part < parts; ++part)
      tensors.push_back({names[static_cast<std::size_t>(part)], shape,
                         tensor.data + tensor.size() / names.size() * static_cast<std::size_t>(part)});
  });
  return tensors;
}

}  // namespace

void check_marian(const Config& config) {
  const nlohmann::json ours = all_keys(config);
  for (const Fixed& fixed : fixed_keys())
    if (ours.at(fixed.key) != fixed.value)
      throw Error("config.json", std::string(fixed.key) + " is " + ours.at(fixed.key).dump() +
                                     ", and MarianMT computes " + fixed.value.dump() + " alone");
  if (config.first_id() != config.bos_id)
    throw Error("config.json", "start_id is " + std::to_string(config.first_id()) + " and bos_id " +
                                   std::to_string(config.bos_id) + ", and MarianMT has one id for both");
}

std::vector<std::string> export_marian(const Checkpoint& model, const std::string& folder) {
  const Config& config = model.snapshot.config;
  check_marian(config);
  const nlohmann::json suggested = suggested_search(model.folder);
  std::vector<std::string> left;
  write_export(folder, [&](OwnedFolder& to) {
    to.write_unless_changed("config.json", marian_config(config).dump(1) + "\n");
    to.write_unless_changed("generation_config.json", marian_generation(config, suggested).dump(1) + "\n");
    if (const std::string why = write_marian_pieces(to, model.tokenizers); !why.empty()) left.push_back(why);
    write_exported_weights(to, marian_tensors(*model.snapshot.weights));
  });
  return left;
}

}  // namespace glassformer
