// The words in which the changes of a Scene are shown and typed.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "engine/model/what_if/change_kinds.h"
#include "engine/train/trainer.h"

namespace glassformer {

// Refers to the tokenizers, which must outlive it. `source` and `target_in` are the sentence's chips, "<eos>"
// and "<bos>" among them; empty: places are shown by number.
ChangeWords change_words(const Tokenizers& tokenizers, const Config& config, std::vector<std::string> source,
                         std::vector<std::string> target_in);
// In the words of the sentence before its changes, which its changes name.
ChangeWords change_words(const SceneResult& result, const Tokenizers& tokenizers);
// Throws Error for what cannot be read, and for a change that does nothing in this model and sentence.
WhatIf fitting_what_if(const std::string& text, const ChangeWords& words, const ChangeFit& fit);
// The words that these changes put in and the model does not know, of each side. Throws Error as read_what_if
// does.
struct UnknownWords {
  std::vector<std::string> source, target;
};
UnknownWords unknown_words(const std::string& changes, ChangeWords words, const Tokenizers& tokenizers);

// How a run is extended past its end, in words.

// Behind "Train": "2 000 steps more", "10 minutes more", "on".
std::string more_in_words(const Extension& extension);

// Behind "Training goes on": " for 2 000 steps more, on its schedule from the beginning".
std::string further_in_words(const Extension& extension);

}  // namespace glassformer
