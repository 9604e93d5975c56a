#include "engine/model/place_words.h"

namespace glassformer {

std::string layer_words(int layer) {
  return "layer " + std::to_string(layer + 1);
}

std::string head_words(int layer, int head) {
  return layer_words(layer) + (head < 0 ? ", mean over heads" : ", head " + std::to_string(head + 1));
}

std::string capitalized(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

}  // namespace glassformer
