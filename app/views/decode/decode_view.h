// How a beam search finds its sentence: the living beginnings as lanes, what was cut and by how much, and the
// finished sentences with the arithmetic of their scores.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/decode/decode_cache.h"
#include "app/views/decode/decode_sampling.h"
#include "app/views/decode/decode_scene.h"

namespace glassformer {

struct DecodeLayout;

enum class DecodePage { beam, cache, sampling };

class DecodeView : public View {
 public:
  DecodeView() : cache_(std::make_shared<BeamCache>()), uses_(std::make_shared<CacheUses>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<DecodeView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  DecodeScene scene(const ViewInput& input, bool at_once) const;
  BeamKey wanted(const ViewInput& input) const;
  // The Scene's own beam is changed where it has one, so that it can be undone; else the view's.
  void want(ui::Ui& ui, const ViewInput& input, const BeamKey& key);
  void choose_page(ui::Ui& ui, const Rect& area, std::string_view title);
  void choose_nodes(ui::Ui& ui, const DecodeScene& scene, const Rect& area);
  void move_with_arrows(ui::Ui& ui, const DecodeScene& scene, const DecodeLayout& at);
  void show_forced(ui::Ui& ui, const DecodeScene& scene, const Rect& row, float x);

  DecodePage page_ = DecodePage::beam;
  std::string part_;                  // of the beam, that alone is described; empty: all of it
  std::shared_ptr<BeamCache> cache_;  // shared with copies, as the next
  std::shared_ptr<CacheUses> uses_;
  SamplingState sampling_;
  BeamKey own_;              // width and penalty, where the Scene has no beam of its own
  std::vector<int> pinned_;  // the beginning that ends with the pinned node; empty: none
};

// Where the parts of the picture stand.
struct DecodeLayout {
  Rect controls;                          // one row
  Rect steps;                             // the names of the columns
  Rect tree;                              // all lanes
  float start = 0, column = 0, lane = 0;  // width of <bos>, pitch of a column and of a lane
  float folded = 0, legend = 0;           // y of two lines below
  int first_step = 0;                     // of the first column
  Rect table;
  Rect node(int lane_index, int column_index) const;
  Rect first() const;  // <bos>
};
DecodeLayout layout_decode(const Rect& area, const DecodeScene& scene);
// The tree without what is around it, as many of its steps and lanes as have room; `head` px are left above.
DecodeLayout layout_tree_alone(const Rect& inner, DecodeScene& scene, float head);
Point decode_minimum(const DecodeScene& scene);

std::string beam_title(const DecodeScene& scene);
void draw_tree(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene);
void draw_finished(Canvas& canvas, const Rect& table, const DecodeScene& scene);
int finished_rows(const DecodeScene& scene);
// px that hold its longest sentence beside the numbers, roughly.
float table_wants(const DecodeScene& scene);
InspectorPage decode_page(const DecodeScene& scene);

}  // namespace glassformer
