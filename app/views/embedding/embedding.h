// What the files of this view share, part by part.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/analysis/statistics.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

// The vocabulary laid flat: the embedding rows of one side, their two strongest directions, and which rows
// resemble a chosen one.

// Whose rows. The model is kept alive by the key.
struct VocabularyKey {
  std::shared_ptr<const Transformer<float>> model = {};
  std::string matrix = {};  // "source_embedding.weight"
  bool operator==(const VocabularyKey&) const = default;
};
using VocabularyMapCache = Background<VocabularyKey, Projection>;

// The words most alike one of them.
struct NeighbourKey {
  VocabularyKey vocabulary = {};
  int id = 0;
  bool operator==(const NeighbourKey&) const = default;
};
using NeighbourCache = Background<NeighbourKey, std::vector<Neighbour>>;

VocabularyKey vocabulary_key(const ViewInput& input, bool source);
// The rows themselves, (V, d); empty when the model has no such matrix.
Plane vocabulary_rows(const VocabularyKey& key);
// The word of an id, or "#17" without a tokenizer.
std::string vocabulary_word(const ViewInput& input, bool source, int id);

// Dots on the map, in the picture's pixels, and the name of each.
struct MapDot {
  int id = 0;
  Point at;
};
// A square scale on both axes would waste room: each axis fills its side, a little margin kept.
std::vector<MapDot> map_dots(const Projection& projection, const Rect& plot);
inline constexpr int kFewDots = 400;   // up to here every dot is kept free and every word may be named
inline constexpr float kLargeDot = 5;  // px from its middle
// The dot nearest to a point, at most `reach` pixels away: of those drawn large their edge counts.
std::optional<int> dot_under(const std::vector<MapDot>& dots, Point at, float reach,
                             std::span<const int> large);

// Where words become numbers: the rows that a sentence looks up, with their positions added; the words whose
// rows resemble a chosen one; and the whole vocabulary laid flat.

// The three maps: what is looked up, what is added, what goes in.
inline constexpr std::array kEmbeddingMaps{ValueKind::embedding, ValueKind::positions, ValueKind::input};

class EmbeddingView : public View {
 public:
  EmbeddingView() : caches_(std::make_shared<Caches>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<EmbeddingView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override {
    part_ = name;
    return true;
  }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  // nearest: the word whose row is most alike the chosen word's; similarity: its cosine.
  std::vector<ViewFact> facts(const ViewInput& input) const override;
  static bool shows(const CellRef& cell);
  bool show_like(const View& first) override {
    const auto& of_first = dynamic_cast<const EmbeddingView&>(first);
    source_ = of_first.source_;
    word_ = of_first.word_;
    return true;
  }

 private:
  struct Parts {
    Rect rows, neighbours, map;
    float divider = 0;
  };
  Parts parts(const ViewInput& input, const Rect& area) const;
  static Rect map_plot(const Rect& map);

  bool source() const { return source_; }
  const std::vector<std::string>& words(const ViewInput& input) const;
  const std::vector<int>& ids(const ViewInput& input) const;
  // The row of the sentence that is pinned or hovered, when there is one on this side.
  std::optional<int> row(const ViewInput& input) const;
  int chosen_id(const ViewInput& input) const;
  VocabularyMapCache::Found projection(const ViewInput& input, bool at_once) const;
  bool of_part(std::string_view part) const { return part_.empty() || part_ == part; }
  std::vector<Neighbour> neighbours(const ViewInput& input) const;  // of the chosen word, best first
  // The word that this is, else the first that begins so.
  std::optional<int> word_called(const ViewInput& input, const std::string& text) const;
  void find_word(ui::Ui& ui, const ViewInput& input, const Rect& field);

  // The rows that are looked up, what is added to them, and the sum: where they are.
  struct Rows {
    bool source = true;         // of which side
    int length = 0;             // words
    float labels = 0;           // px for the words left of them
    float room = 0, width = 0;  // of one map, and of its cells
    float top = 0, cell = 0;    // where the first begins, and its height
    double limit = 0;           // of the colours
    float height() const { return cell * static_cast<float>(length); }
  };
  Rows rows_of(const Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_rows(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_row_map(Canvas& canvas, const Rect& map, const Rows& rows, const std::string& name,
                    const ViewInput& input) const;
  void draw_row_words(Canvas& canvas, const Rect& part, const Rows& rows, const ViewInput& input) const;
  void draw_neighbours(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_map(Canvas& canvas, const Rect& part, const ViewInput& input) const;

  bool source_ = true;
  std::string part_;             // that alone is described; empty: all of it
  std::optional<int> word_;      // chosen on the map: an id; nothing: follows the pinned word
  std::optional<int> hovered_;   // id under the mouse on the map
  std::string sought_;           // as typed
  std::optional<int> pin_seen_;  // the pin that word_ was chosen under: a new pin takes over
  // Shared with copies.
  struct Caches {
    std::array<VocabularyMapCache, 2> maps;  // source, target
    NeighbourCache neighbours;
  };
  std::shared_ptr<Caches> caches_;
};

}  // namespace glassformer
