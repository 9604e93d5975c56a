// What MarianMT calls its tensors as Hugging Face's transformers stores it: import reads them, export writes
// them.
#pragma once

#include <string>

#include "engine/import/dialect.h"

namespace glassformer {

inline constexpr const char *kMarianShared = "model.shared.weight",
                            *kMarianSource = "model.encoder.embed_tokens.weight",
                            *kMarianTarget = "model.decoder.embed_tokens.weight",
                            *kMarianOutput = "lm_head.weight";

// Fills the sources of `plan`, whose output is the target's table where `own_output` is false.
void add_marian_sources(ImportPlan& plan, const std::string& source_table, const std::string& target_table,
                        bool own_output);

// Its name of an activation, and back.
struct MarianActivation {
  const char* name;
  Activation activation;
};
inline constexpr MarianActivation kMarianActivations[] = {{"swish", Activation::swish},
                                                          {"silu", Activation::swish},
                                                          {"relu", Activation::relu},
                                                          {"gelu", Activation::gelu},
                                                          {"quick_gelu", Activation::gelu_sigmoid}};

}  // namespace glassformer
