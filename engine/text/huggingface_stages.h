// The stages of a tokenizer.json of Hugging Face's tokenizers that are rules about text: what is done to it
// before it is cut, where it is cut before pieces are looked up, and how pieces become text again. Written
// from the documentation of the library; a stage that is not known is refused by its name.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::huggingface {

using Words = std::vector<std::string>;
using Normalizer = std::function<std::string(std::string)>;
using PreTokenizer = std::function<Words(Words, bool first)>;  // first: of the beginning of a text
using PieceDecoder = std::function<Words(Words)>;              // the text is what it leaves, put together

// Of null: the text unchanged; its words are cut nowhere; pieces are joined by blanks. Throw Error naming the
// stage that is not known.
Normalizer read_normalizer(const nlohmann::json& json, const std::string& where);
PreTokenizer read_pre_tokenizer(const nlohmann::json& json, const std::string& where);
PieceDecoder read_piece_decoder(const nlohmann::json& json, const std::string& where);

// A byte as the sign that ByteLevel writes for it (GPT-2's table), and text in such signs alone as bytes;
// any other text stays.
char32_t byte_sign(unsigned char byte);
std::string bytes_of_signs(std::string_view signs);

}  // namespace glassformer::huggingface
