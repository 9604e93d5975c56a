// A page of the Masks view: words to come hidden before the softmax, as it should be, and behind it, a
// classic mistake after which rows no longer add up to 1.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/attention_table.h"
#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/model/mask_mistake.h"

namespace glassformer {

// Of which Scene and layer; the key keeps both alive.
struct MistakeKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  int layer = 0;
  bool operator==(const MistakeKey&) const = default;
};
using MistakeStudies = Background<MistakeKey, MaskMistake>;

// One sentence and head of the decoder's own attention.
struct MistakeScene {
  Selection shown;                           // inside the model and the batch
  std::shared_ptr<const MaskMistake> study;  // null: being computed
  std::vector<std::string> words;            // of rows and columns, no padding
  AttentionTable right, mistaken;            // (words, words); empty without a causal mask
  bool relu = false;                         // in place of the softmax: rows add up to 1 in neither
  bool padding_seen = false;                 // what is behind the words counts padding
  std::string given;                         // the right words, or its own: to the passes
  std::optional<int> covered;                // the row that a lesson asks for: no number of it is told
  int row = 0;                               // that is told of: the pinned one, else one that loses much

  bool causal() const { return study && study->causal; }
  int rows() const { return right.rows; }
  const MistakenHead& head() const;
  std::string told(int of, double sum) const;  // a row's: "0.43"; of the covered one: "?"
};
// `chosen`: whose layer, head and sentence; the attention is always the decoder's own.
MistakeScene mistake_scene(const ViewInput& input, const Selection& chosen, MistakeStudies& studies,
                           bool at_once);

inline constexpr const char* kMistakeTitle = "A mask that comes too late";
std::string mistake_subtitle(const MistakeScene& scene);
void draw_mistake_page(Canvas& canvas, const Rect& area, const MistakeScene& scene);
Point mistake_minimum(const ViewInput& input, const Selection& chosen);

// What the two ways make of one row: "Row “voit” keeps 0.43; 0.57 went to the four words to come …".
std::string mistake_words(const MistakeScene& scene, int row);
std::string mistake_caption(const MistakeScene& scene);
std::vector<NumberTable> mistake_numbers(const MistakeScene& scene);
InspectorPage mistake_page(const MistakeScene& scene);

}  // namespace glassformer
