// What the quiet first screen shows of the model at work: the cross-attention of one head as links between
// the words read and the words written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_input.h"
#include "app/panels/sentence_bar.h"
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

  // Where the link is to the end: the head, of those that read what is written from the source, that reads a
  // word most for the same word written.
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

// The quiet first screen: a field for a sentence, the links of one head, and the ways on.

// A way on, as a large button: "Lesson 1, five minutes".
struct StartWay {
  std::string title, words, key;
};
// The next lesson that is not done; all done: the list of them.
StartWay lesson_way(LessonGuide& lessons, const Settings& settings);
// Of those that come with the program the first that is not done, by its number in the list from 0.
std::optional<std::size_t> next_lesson(LessonGuide& lessons, const Settings& settings);

// As Ctrl+D and --text say it: the sentence, its translation, a line a word, the ways on with their keys.
std::string first_screen_words(const PanelInput& in);

class StartPage {
 public:
  enum class Way { none, lesson, watch, heads };
  // What was chosen in this frame. `taken`: of the stage, by the notices at its top.
  Way draw(ui::Ui& ui, const PanelInput& in, const Rect& stage, float taken, SentenceBar& sentence);
};

}  // namespace glassformer
