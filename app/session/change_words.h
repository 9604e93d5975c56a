// The words in which the changes of a Scene are told and typed.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

// Refers to the tokenizers, which must outlive it. `source` and `target_in` are the sentence's chips, "<eos>"
// and "<bos>" among them; empty: places are told by number.
ChangeWords change_words(const Tokenizers& tokenizers, const Config& config, std::vector<std::string> source,
                         std::vector<std::string> target_in);
ChangeWords change_words(const SceneResult& result, const Tokenizers& tokenizers);
// Which of the words that these changes put in the model does not know, in a sentence for each side; empty:
// none. Throws Error as read_what_if does.
std::string about_unknown_words(const std::string& changes, ChangeWords words, const Tokenizers& tokenizers,
                                const Config& config);

}  // namespace glassformer
