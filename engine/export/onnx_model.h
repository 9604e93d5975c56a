// A model as two ONNX files, which any runtime can drive: the encoder once a sentence, the decoder a word at
// a time. In both, sentences of a batch may differ in length; a decoder's step may be of several words.
//
// encoder.onnx
//   source_ids (sentences, words) int64         padded with any id
//   source_lengths (sentences) int64            how many of them are the sentence's
//   -> memory (sentences, words, d), and for each decoder layer I the memory's cross_key.I, cross_value.I
//      (sentences, H, words, k)
// decoder.onnx
//   target_ids (sentences, steps) int64         the next words
//   source_lengths, cross_key.I, cross_value.I  the encoder's
//   past_key.I, past_value.I (sentences, H, past, k)  of self-attention: past is 0 at first
//   -> logits (sentences, steps, V_t), and present_key.I, present_value.I (sentences, H, past + steps, k),
//      the next step's past
// With attention, further outputs are the weights of every head, called as in a trace:
//   encoder.layers.I.self_attn.weights (sentences, H, words, words)
//   decoder.layers.I.self_attn.weights (sentences, H, steps, past + steps), .cross_attn.weights (.., words)
//
// settings.json says the rest: what a sentence begins and ends in, how many words there may be, and which
// logits decoding leaves out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/export/onnx_graph.h"
#include "engine/files/owned_folder.h"
#include "engine/model/snapshot.h"
#include "engine/model/transformer.h"

namespace glassformer {

OnnxGraph onnx_encoder(const Transformer<float>& model, bool attention);
OnnxGraph onnx_decoder(const Transformer<float>& model, bool attention);
nlohmann::json onnx_settings(const Config& config, bool attention);

// Throws Error when the weights are more than an ONNX file holds.
void check_onnx_size(const Config& config);

// encoder.onnx, decoder.onnx, settings.json. Throws Error as above, and when files of somebody's have these
// names.
void save_onnx(OwnedFolder& folder, const Snapshot& snapshot, bool attention);

}  // namespace glassformer
