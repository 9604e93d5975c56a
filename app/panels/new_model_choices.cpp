// What a new model can have, field by field.
#include "app/panels/new_model_form.h"

namespace glassformer {

namespace {

// Of a table of kinds, each by one of its words.
template <class Kinds, class Word>
std::vector<std::string> words_of(const Kinds& kinds, Word word) {
  std::vector<std::string> words;
  for (const auto& each : kinds) words.emplace_back(each.*word);
  return words;
}

}  // namespace

std::vector<std::string> who_sees_padding() {
  return {"nobody",          "encoder",       "decoder",       "cross",
          "encoder,decoder", "encoder,cross", "decoder,cross", "encoder,decoder,cross"};
}

std::vector<ChoiceField> structure_choices() {
  return {
      {"norm",
       "Norm",
       {"after the sum (paper)", "before the block"},
       "Before the block, or pre-norm: nothing is normalized on the way from sum to sum. Xiong et al. 2020."},
      {"norm_kind", "Kind of norm", words_of(kNormKinds, &NormTraits::name),
       "RMSNorm divides by the root of the mean square and takes no mean off. Zhang and Sennrich 2019."},
      {"final_norm", "Norm after each stack", {"no", "yes"}},
      {kFeedForwardChoice, "Feed-forward", words_of(kFeedForwardKinds, &FeedForwardTraits::name),
       "SwiGLU multiplies each hidden unit by a gate that it learns; no biases. Shazeer 2020."},
      {"activation", "Activation", {"relu", "gelu", "swish", "gelu_sigmoid"}},
      {"positions", "Positions", words_of(kPositionKinds, &PositionTraits::spelling),
       "rotary turns queries and keys by their place, Su et al. 2021; alibi takes off of each score by "
       "distance, Press et al. 2022."},
      {"sharing", "Shared embeddings", {"none", "output", "all three"}},
      {"scale_embeddings", "Embeddings times √d", {"no", "yes"}},
      {"embedding_norm", "Norm after embedding", {"no", "yes"}},
      {"attention_scale", "Scores divided by √k", {"no", "yes"}},
      {"attention_activation", "Attention weights by", {"softmax", "ReLU"}},
      {"attention_bias", "Attention biases", {"no", "yes"}},
      {"output_bias", "Output bias", {"no", "yes"}},
      {"source_eos", "Source ends in <eos>", {"no", "yes"}},
      {"unit_embeddings", "Embeddings begin as", {"N(0, 1/d)", "N(0, 1)"}},
      {"freeze", "Embeddings that stay", {"none", "source", "target", "both"}},
      {"zero_pad", "Embedding of <pad>", {"learns", "stays 0"}},
      {"unmasked_padding", "Padding seen by", who_sees_padding()}};
}

}  // namespace glassformer
