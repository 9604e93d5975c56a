// A tokenizer of ours as a tokenizer.json, which Hugging Face's libraries read (@huggingface/tokenizers 0.2.0
// in a browser). It takes text that is cleaned (engine/text/clean.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/text/tokenizer.h"

namespace glassformer {

// A piece inside a word of WordPiece begins with a blank there, and a special token's name ends in one: no
// text can spell them. Throws Error for a tokenizer that others made.
nlohmann::json tokenizer_json(const Tokenizer& tokenizer);

// Why that library may cut a sentence otherwise than this program, in a sentence; empty where it cannot.
std::string about_other_cuts(const Tokenizer& tokenizer);

}  // namespace glassformer
