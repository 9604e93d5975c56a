// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "app/scene/command.h"
#include "app/views/common/view.h"
#include "engine/analysis/logit_lens.h"
#include "engine/model/transformer.h"

namespace glassformer {

// What the Layer by layer view shows: the logit lens of the typed sentence in words, which rows of it are
// open, and the place whose word is followed through all parts.

// Whose lens. The key keeps both alive.
struct LensKey {
  std::shared_ptr<const Transformer<float>> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const LensKey&) const = default;
};
using LensCache = Background<LensKey, LogitLens>;

// One line of the picture: a row of the lens, or all of a closed layer, of which its last one is shown.
struct LayersLine {
  int row = 0;         // of the lens
  int first = 0;       // the rows [first, row] are what this line does; smaller than row: a closed layer
  bool opens = false;  // the first line of a layer
  bool closed() const { return first < row; }
};

// Up to so many layers all are open; beyond, the one with the pinned cell alone (the last without one).
inline constexpr int kOpenLayers = 3;

struct LayersScene {
  const ViewInput& input;
  std::shared_ptr<const LogitLens> lens;  // null: being computed
  std::vector<LayersLine> lines;
  std::vector<std::string> read, written;  // words of the places
  bool pre_norm = false, final_norm = false;
  int begins = 0;             // the first place of the sentence that is here
  int place = 0;              // whose word is followed
  bool place_pinned = false;  // a person chose it
  std::optional<int> line;    // of the pinned or hovered cell

  int places() const { return static_cast<int>(read.size()); }
  const LensCell& cell(int line_index, int at) const;
  const LensWord& says(int line_index, int at) const { return cell(line_index, at).strongest.front(); }
  double probability(int line_index, int at) const;  // of the word it says
  bool finite(int line_index, int at) const { return cell(line_index, at).finite(); }
  // Another word than the line above.
  bool turns(int line_index, int at) const;
  // From this line on it stays the word that is written: the first such line, and all from it on.
  bool settles(int line_index, int at) const;
  bool settled(int line_index, int at) const;
  // What the line did to log p of the written word; nothing for the first.
  std::optional<double> change(int line_index, int at) const;
  // Pre-norm: the shares of all its heads and parts together in the logit of the written word.
  double share(int line_index, int at) const;

  std::string word(int id) const;           // "·v" inside a word, "␣" for a blank
  bool inside_word(int id) const;           // it continues a word that another piece began
  std::string part(int line_index) const;   // "cross-attention", "all parts" of a closed layer
  std::string title(int line_index) const;  // "layer 2, cross-attention"
};

LayersScene layers_scene(const ViewInput& input, LensCache& cache, bool at_once);

// The same at so many places round the followed one.
LayersScene part_of_places(LayersScene scene, int most);

std::string part_words(LensPart part);
// The row of the lens whose value this is; nothing for any other.
std::optional<int> lens_row_of(const Config& config, const CellRef& cell);
// What a click on a cell pins: the place, and the row of numbers of this name that is read there.
Selection selecting_lens(Selection before, const std::string& name, int place);

// What the menu of a row of the lens is about: the part that wrote it.
Command about_part(const LensRow& row);

// Two sentences under the picture that say what it shows.
std::string lens_summary(const LayersScene& scene);
std::string lens_warning(const LayersScene& scene);

// What the decoder would write if it stopped after each of its parts (the logit lens), and what every part
// does to the word that is written in the end.

class LayersView : public View {
 public:
  LayersView() : cache_(std::make_shared<LensCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<LayersView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View&) override { return true; }

 private:
  std::shared_ptr<LensCache> cache_;  // shared with copies
};

// Where the parts of the picture are.
struct LayersLayout {
  bool subtitle = true, two_lines = true;  // p is under the word
  Rect cells;                              // all lines; columns of equal width
  float column = 0, line = 0;              // pitch of a column, height of a line without the gap
  std::vector<float> tops;                 // y of each line
  Rect labels;                             // left of the cells
  Rect follow;                             // right of them: the word of one place, part by part
  float writes = 0, legend = 0, text = 0;  // y of what is below
  Rect cell(int line_index, int place) const;
  Rect row(int line_index) const;
};
LayersLayout layout_layers(const Rect& area, const LayersScene& scene);
int layers_places_alone(float width);                                          // how many places have room
LayersLayout layout_layers_alone(const Rect& room, const LayersScene& scene);  // without what is beside
Point layers_minimum(const LayersScene& scene);
void draw_layers(Canvas& canvas, const Rect& area, const LayersScene& scene);
// The words after each part, at as many places round the followed one as have room.
void draw_layers_alone(Canvas& canvas, const Rect& room, const LayersScene& scene);
void draw_followed_word(Canvas& canvas, const LayersLayout& at, const LayersScene& scene);

// Of the word that is followed: what each part changes of its log p; of a pre-norm model, the shares of each
// part in the logit of every word.
NumberTable changes_table(const LayersScene& scene);
NumberTable shares_table(const LayersScene& scene);

InspectorPage lens_page(const LayersScene& scene, int line_index, int place);

}  // namespace glassformer
