// What a code base calls the parts of its encoder-decoder Transformer. The kinds of files differ in little
// else.
#pragma once

#include <array>
#include <string>

#include "engine/import/import_plan.h"

namespace glassformer {

// Parts of names, put together as prefix + layer + "." + part + ".weight".
struct Dialect {
  std::string encoder, decoder;                 // "encoder.layers."
  std::string self_attention, cross_attention;  // "self_attn"
  std::array<std::string, 3> projections;       // of queries, keys and values; empty: stacked, as in_proj_
  std::string projection;                       // of the output: "out_proj"
  std::string linear1, linear2;                 // "feed_forward.w_1"
  std::array<std::string, 3> encoder_norms, decoder_norms;  // the encoder has two
  std::string encoder_norm, decoder_norm;                   // after the stacks
  std::string gain = "weight", shift = "bias";              // of a norm
  std::string source_table, target_table, output;           // "generator.proj"
};

// Fills the sources of `plan` for its configuration's layers, biases and norms. `norms`: how the file's norms
// become ours.
void add_sources(ImportPlan& plan, const Dialect& dialect, const TensorSource& norms = {});

// d, f, the vocabularies and the number of layers, from the shapes.
void read_sizes(Config& config, const ForeignModel& model, const Dialect& dialect);

// Nothing in a state dict says how many heads there are: what is asked for, or 8 where that divides d.
void assume_heads(ImportPlan& plan, const ImportOptions& options);

}  // namespace glassformer
