// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "app/views/common/view.h"
#include "engine/decode/decode.h"

namespace glassformer {

// What the Teacher forcing view shows: the decoder given the right words, and the decoder on its own, place
// by place.

// Of which Scene; the key keeps both alive.
struct ForcingKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const ForcingKey&) const = default;
};
using ForcingCache = Background<ForcingKey, FreeRun>;

struct ForcingScene {
  const ViewInput& input;
  bool known = false;                  // somebody said what is right
  bool own_accepted = false;           // what was set is the model's own output, word for word
  std::shared_ptr<const FreeRun> own;  // null: being written
  std::vector<int> right;              // ids, eos last
  std::vector<int> given;              // the most probable word at every place, given the right words
  std::vector<double> given_log_p;     // of the right word of each place
  bool ahead = false;                  // a change lets a place of the given words see those behind it
  // The first place where what it writes on its own is not right, or, with the future in sight, not what it
  // writes there given all words: without, the two are the same up to there.
  std::optional<int> parts;
  int place = 0;  // that is explained
  bool pinned = false;

  // What the words of the reference may be called: "right", or "set" where nobody but the model chose them.
  std::string called() const { return own_accepted ? "set" : "right"; }
  int rights() const { return static_cast<int>(right.size()); }
  int places() const;  // of both
  std::string word(int id) const;
  std::string right_word(int place) const;  // as typed
  std::string read_given(int place) const;  // "<bos>" first
  std::string read_own(int place) const;
  // Whether the word of a place is the right one.
  bool given_right(int place) const;
  bool own_right(int place) const;
  double mean_given() const;  // −log p of the right words
  double mean_own() const;    // over the places that both have
  int own_places() const;     // so many
};

ForcingScene forcing_scene(const ViewInput& input, ForcingCache& cache, bool at_once);

std::string parting_words(const ForcingScene& scene);  // a sentence behind "They part here."

// What a click on a place pins.
Selection selecting_place(const ForcingScene& scene, int place);

// Teacher forcing beside free running: the decoder given the right words, whatever it wrote, and the decoder
// that reads its own, with the place where they part and what it costs.

class ForcingView : public View {
 public:
  ForcingView() : cache_(std::make_shared<ForcingCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<ForcingView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  std::shared_ptr<ForcingCache> cache_;  // shared with copies
  std::string part_;                     // that alone is described; empty: all of the picture
};

void draw_forcing(Canvas& canvas, const Rect& area, const ForcingScene& scene);
// The given words with what each costs, without the model's own.
void draw_given_alone(Canvas& canvas, const Rect& area, const ForcingScene& scene);
InspectorPage forcing_page(const ForcingScene& scene);

}  // namespace glassformer
