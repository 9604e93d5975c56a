// What the quiet first screen shows of the model at work: the cross-attention of one head as links between
// the words read and the words written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reading/view_input.h"

namespace glassformer {

struct StartScene {
  Selection head;                                // cross-attention, the last layer, head 1; nothing pinned
  int heads = 0;                                 // there are in all
  std::vector<std::string> reads;                // the source; "(end)" last where a word reads that most
  std::vector<std::string> writes;               // the target without its end
  std::vector<float> weights;                    // (writes, reads)
  int query = 0, key = 0;                        // the link that the sentence describes
  std::string source_language, target_language;  // empty: not known

  // Where the link is to the end: of the other heads that read the source, the one that reads a word most for
  // the same word written.
  struct Reader {
    int layer = 0, head = 0, key = 0;
    double weight = 0;
  };
  std::optional<Reader> word_reader;

  double weight(int query, int key) const;
  // "Type an English sentence and see what is read for each French word"
  std::string title() const;
  std::string short_title() const;  // where there is little room
  // "To write **fatiguée** the model read **tired**: 99.8 % of the attention of this head."
  std::string sentence() const;
  std::string short_sentence() const;
  // What a ribbon and a head are; where the link is to the end, what that is and which head reads a word.
  std::string caption() const;
  bool shows_end() const;
  bool reads_end() const;  // the link is to it
  int most_read() const;   // by the word written
};

// What the mouse is on, else what is pinned, else of the links that are not straight the heaviest.
StartScene start_scene(const ViewInput& input);
// To the link of a word written and the one it reads most, of a word read and the one that reads it most;
// where `at` is no word of the head, to the heaviest as above.
void follow(StartScene& scene, const Selection& at);

}  // namespace glassformer
