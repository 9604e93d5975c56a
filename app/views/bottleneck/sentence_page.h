// One sentence in a recurrent model: its states a row a letter, the one vector that is handed over, where the
// decoder looks if it can, and the arithmetic of one number of one state.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/scene/recurrent_scene.h"
#include "app/views/bottleneck/race_runner.h"
#include "app/views/common/view.h"

namespace glassformer {

// What is looked at.
struct SentenceChoice {
  Racer racer = Racer::attention;  // one_vector or attention
  int letters = 6;                 // of recall the sentences in between
  int word = 0, unit = 0;          // of the encoder's states
  bool operator==(const SentenceChoice&) const = default;
};

struct SentencePage {
  SentenceChoice choice;  // brought into range
  std::shared_ptr<const RecurrentScene> scene;
  std::string written;          // by the model on its own
  std::string word = "letter";  // what a piece is called
  bool right = false;
  std::array<GruCell, 3> gates;  // r, z and n of the chosen word and unit

  int width() const { return static_cast<int>(scene->trace.handed_over.size()); }
  RecurrentPin pin() const;               // the state of that word and unit
  float gate(int which, int unit) const;  // 0 r, 1 z, 2 n of the chosen word
};

// The first held-out sentence of that length; null: there is none.
const EncodedPair* held_out_of(const ShownRace& race, int length);
// Where a page with sliders on its top begins; files have none.
Rect under_sliders(const Canvas& canvas, const Rect& content);

// Nothing: the race has no models yet, or no such sentence.
std::optional<SentencePage> sentence_page(const ShownRace& race, const SentenceChoice& choice);

struct SentenceLayout {
  Rect states, vector, side, gates;
  Rect cells;  // of the states' map
};
SentenceLayout layout_sentence(const Canvas& canvas, const Rect& content, const SentencePage& page);
Rect sentence_sliders(const Rect& content);  // on its top
void draw_sentence(Canvas& canvas, const Rect& content, const SentencePage& page);
Point sentence_minimum();

// r, z, n and "h' = (1 - z) n + z h" with their numbers, a line a step.
std::vector<std::string> gate_lines(const SentencePage& page);
std::vector<NumberTable> sentence_numbers(const SentencePage& page);
std::string sentence_caption(const SentencePage& page);

}  // namespace glassformer
