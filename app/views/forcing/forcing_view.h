// Teacher forcing beside free running: the decoder given the right words, whatever it wrote, and the decoder
// that reads its own, with the place where they part and what it costs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/forcing/forcing_scene.h"

namespace glassformer {

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
// The given words with what each costs, without those of its own.
void draw_given_alone(Canvas& canvas, const Rect& area, const ForcingScene& scene);
InspectorPage forcing_page(const ForcingScene& scene);

}  // namespace glassformer
