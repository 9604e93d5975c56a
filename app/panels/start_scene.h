// What the quiet first screen shows of the model at work: the cross-attention of one head as links between
// the words read and the words written.
#pragma once

#include <string>
#include <vector>

#include "app/reading/view_input.h"

namespace glassformer {

struct StartScene {
  Selection head;                                // cross-attention, the last layer, head 1; nothing pinned
  int heads = 0;                                 // there are in all
  std::vector<std::string> reads;                // the source without its end
  std::vector<std::string> writes;               // the target without its end
  std::vector<float> weights;                    // (writes, reads)
  int query = 0, key = 0;                        // the link that the sentence tells of
  std::string source_language, target_language;  // empty: not known

  double weight(int query, int key) const;
  // "Type an English sentence and see what each French word read"
  std::string title() const;
  std::string short_title() const;  // where there is little room
  // "To write **fatiguée** this head read **tired** with 0.998 of its attention."
  std::string sentence() const;
  std::string short_sentence() const;
};

// What the mouse is on, else what is pinned, else of the links that are not straight the heaviest.
StartScene start_scene(const ViewInput& input);

// As Ctrl+D and --text say it: the sentence, its translation, a line a word.
std::string start_words(const ViewInput& input);

}  // namespace glassformer
