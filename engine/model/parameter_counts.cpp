#include "engine/model/parameter_counts.h"

#include <algorithm>
#include <tuple>

#include "engine/model/names.h"
#include "engine/model/place_words.h"
#include "engine/model/transformer.h"

namespace glassformer {

std::vector<ParameterView> parameters(const Transformer<float>& model) {
  std::vector<ParameterView> views;
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    views.push_back({name, tensor.shape(), tensor.data});
  });
  return views;
}

namespace {

// A model with the same tensors, one layer a stack, whose axes have distinct lengths.
struct Miniature {
  enum Length { one = 1, width = 2, hidden = 3, positions = 5, three_widths = 6, source = 7, target = 11 };

  explicit Miniature(const Config& like) : config(like) {
    config.d_model = width;
    config.heads = 1;
    config.d_ff = hidden;
    config.encoder_layers = config.decoder_layers = 1;
    config.source_vocab = like.sharing == Sharing::all ? target : source;
    config.target_vocab = target;
    config.max_length = positions;
    config.dropout = 0;
    config.layer_norm_eps = Config().layer_norm_eps;
    config.pad_id = config.unk_id = config.bos_id = config.eos_id = 0;
    config.start_id = -1;
    config.forbidden_ids.clear();
  }

  Config config;
};

int real_length(int length, const Config& config) {
  switch (length) {
    case Miniature::width:
      return config.d_model;
    case Miniature::three_widths:
      return 3 * config.d_model;
    case Miniature::hidden:
      return config.d_ff;
    case Miniature::positions:
      return config.max_length;
    case Miniature::source:
      return config.source_vocab;
    case Miniature::target:
      return config.target_vocab;
    default:
      return 1;
  }
}

struct NamedShape {
  ValueName name;
  ParameterShape shape;
};

// Every tensor of the model, each layer's again for every layer, in the order of the model.
std::vector<NamedShape> all_tensors(const Config& config) {
  std::vector<NamedShape> tensors;
  Transformer<float>(Miniature(config).config).visit([&](const std::string& text, Parameter<float> tensor) {
    ValueName name = *read_name(text);
    const int layers = name.encoder ? config.encoder_layers : config.decoder_layers;
    const int times = in_layer(name.block) ? layers : 1;
    for (name.layer = 0; name.layer < times; ++name.layer) {
      tensors.push_back(
          {name, {written(name), real_length(tensor.rows, config), real_length(tensor.columns, config)}});
    }
  });
  return tensors;
}

// 0 to 6: where on its way a sentence meets the block.
int station(const ValueName& name) {
  const int stack = name.encoder ? 0 : 3;
  switch (name.block) {
    case BlockKind::embedding:
    case BlockKind::embedding_norm:
      return stack;
    case BlockKind::final_norm:
      return stack + 2;
    case BlockKind::output:
      return 6;
    default:
      return stack + 1;
  }
}

// A layer's LayerNorms are with the sub-block that they follow or precede.
int sublayer_of(const ValueName& name) {
  switch (name.block) {
    case BlockKind::self_attention:
      return 1;
    case BlockKind::cross_attention:
      return 2;
    case BlockKind::feed_forward:
      return name.encoder ? 2 : 3;
    default:
      return name.sublayer;
  }
}

auto block_key(const ValueName& name) {
  return std::tuple(station(name), in_layer(name.block) ? name.layer : 0, sublayer_of(name));
}

std::string part_title(const ValueName& name, bool one_embedding) {
  const std::string stack = name.encoder ? "Encoder" : "Decoder";
  if (in_layer(name.block)) return stack + " " + layer_words(name.layer);
  if (name.block == BlockKind::final_norm) return stack + ", final norm";
  if (!in_embedding(name.block)) return "Output projection";
  if (name.encoder) return "Source embedding";
  return one_embedding ? "Embedding, shared" : "Target embedding";
}

std::string title_inside(const ValueName& name) {
  switch (name.block) {
    case BlockKind::self_attention:
      return name.encoder ? "self-attention" : "masked self-attention";
    case BlockKind::cross_attention:
      return "cross-attention";
    case BlockKind::feed_forward:
      return "feed-forward";
    default:
      return {};
  }
}

}  // namespace

std::string ParameterBlock::title() const {
  return inside.empty() ? part : part + ", " + inside;
}

long ParameterBlock::count() const {
  long sum = 0;
  for (const ParameterShape& tensor : tensors) sum += tensor.count();
  return sum;
}

std::vector<ParameterBlock> parameter_blocks(const Config& config) {
  std::vector<NamedShape> tensors = all_tensors(config);
  std::ranges::stable_sort(tensors, {}, [](const NamedShape& each) { return block_key(each.name); });
  std::vector<ParameterBlock> blocks;
  const NamedShape* before = nullptr;
  for (const NamedShape& each : tensors) {
    if (before == nullptr || block_key(before->name) != block_key(each.name))
      blocks.push_back({parameters_block(each.name),
                        part_title(each.name, config.sharing == Sharing::all),
                        title_inside(each.name),
                        {}});
    blocks.back().tensors.push_back(each.shape);
    before = &each;
  }
  return blocks;
}

long parameter_count(const Config& config) {
  long sum = 0;
  for (const ParameterBlock& block : parameter_blocks(config)) sum += block.count();
  return sum;
}

}  // namespace glassformer
