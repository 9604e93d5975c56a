// From a Scene to everything that is shown of it: pieces, ids, a translation, and the Trace.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace glassformer {

// The engine's work on one Scene; takes milliseconds on small models and runs on a worker. Throws Error with
// a sentence for the person: nothing typed, longer than the model reads, ids where the model has no
// tokenizer. `keep_going` is asked between the words of the translation; false gives null. What a result
// `before` has of the same Scene without its changes is not computed anew.
std::shared_ptr<const SceneResult> run_scene(const std::shared_ptr<const Snapshot>& snapshot,
                                             const Tokenizers& tokenizers, const Scene& scene,
                                             const std::function<bool()>& keep_going = {},
                                             const std::shared_ptr<const SceneResult>& before = {});

// The same result with what leaks where the decoder may see the words not yet written
// (SceneResult::unmasked).
std::shared_ptr<const SceneResult> with_leak(const SceneResult& result);

// The same result with the gradients of this sentence (the first when there are fewer).
std::shared_ptr<const SceneResult> with_gradients(const SceneResult& result, int sentence = 0);

// One side as pieces, without bos and eos. A model without tokenizers reads numbers: "5 17 3".
std::vector<Piece> pieces_of(const Tokenizer* tokenizer, const std::string& text, int vocabulary);
// What a chip says for an id: the piece, "<eos>", or the number itself without a tokenizer.
std::string word_of(const Tokenizer* tokenizer, const Config& config, int id);
std::vector<std::string> words_of(const Tokenizer* tokenizer, const Config& config,
                                  const std::vector<int>& ids);

}  // namespace glassformer
