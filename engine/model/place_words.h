// How places in a model are said, everywhere alike: layers and heads count from 1.
#pragma once

#include <string>

namespace glassformer {

std::string layer_words(int layer);           // "layer 2"
std::string head_words(int layer, int head);  // "layer 2, head 3"; a head of -1: "layer 2, mean over heads"
std::string capitalized(std::string words);   // "Layer 2, head 3"; ASCII alone

}  // namespace glassformer
