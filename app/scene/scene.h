// A Scene: weights at some training step, sentences, and what-if changes. Running the engine on it gives a
// Trace; every view is a picture of one. Scenes are values, so undo is a stack of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/model/batch.h"
#include "engine/model/snapshot.h"
#include "engine/model/trace.h"
#include "engine/model/what_if/what_if.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct SceneSentence {
  std::string source;
  std::optional<std::string> target;  // typed by the person; absent: the reference or the model's own output
  std::optional<std::string> reference;  // known when the sentence comes from a corpus or task
  bool operator==(const SceneSentence&) const = default;
};

struct Scene {
  std::vector<SceneSentence>
      sentences;  // the first is the one typed; the others fill the batch of the Masks view
  WhatIf what_if;
  Substitutes substitutes;                // what the changes put in
  std::shared_ptr<const Batch> held_out;  // pairs to take means over; null: not known
  DecodeOptions decode;
  double smoothing = 0.1;  // of the loss shown: what the model was trained with
};

enum class TargetOrigin { typed, reference, model_output };  // where the decoder's words come from

// One sentence of the Scene alone, as a training step on it goes: forward, loss and backward, nothing
// dropped.
struct SentenceGradients {
  int sentence = 0;
  WhatIf what_if;   // the Scene's changes that concern it, less swapped words: the trace has read those
  Trace trace;      // with the gradients of every value and every parameter
  double norm = 0;  // length of all parameters' gradients together
};

// What one run of the engine on a Scene gave. Made on a worker, immutable afterwards.
struct SceneResult {
  std::shared_ptr<const Snapshot> snapshot;            // with the weights that were edited
  std::shared_ptr<const Snapshot> untouched_snapshot;  // without; the same object when none was
  Scene scene;
  std::shared_ptr<const Trace> trace;      // with the what-ifs
  std::shared_ptr<const Trace> untouched;  // the same words without them; the same object when there are none
  std::shared_ptr<const SceneResult> plain;  // the Scene without its what-ifs; null when there are none
  std::shared_ptr<const Trace> unmasked;  // as trace, without the causal mask: the leak; null: not recorded
  std::shared_ptr<const SentenceGradients> gradients;            // with the what-ifs; null: nobody asked
  std::shared_ptr<const SentenceGradients> untouched_gradients;  // the same object when there are none
  DecodeResult decoding;                                         // of the first sentence, with the what-ifs
  TargetOrigin target_origin = TargetOrigin::model_output;
  std::string source_read;           // the source as the model reads it: capitals it never saw are lowered
  std::vector<Piece> source_pieces;  // of the first sentence, without eos
  std::vector<Piece> target_pieces;  // of the target when it is typed or known, without eos; else empty
  std::vector<std::string>
      source_words;  // chip texts, "<eos>" included: key axis of cross-attention, L_source
  std::vector<std::string> target_in_words;   // "<bos>" first: rows of the decoder, L_target
  std::vector<std::string> target_out_words;  // "<eos>" last: what each decoder row writes, L_target
  std::string translation;                    // the decoding as text
};

}  // namespace glassformer
