// All changes of the Scene, what they did to the translation word by word, and how much each head, sub-block
// or place matters: the change of the loss when it alone is muted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/what_if/change_field.h"
#include "app/views/what_if/what_if_layout.h"
#include "app/views/what_if/what_if_scene.h"

namespace glassformer {

class WhatIfView : public View {
 public:
  WhatIfView() : work_(std::make_shared<WhatIfWork>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<WhatIfView>(*this); }
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
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  WhatIfScene scene(const ViewInput& input, bool at_once) const;
  void switches(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);
  void tiles(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);
  void keys(ui::Ui& ui, const WhatIfScene& scene);
  // The cursor, and what a click on a part asks for besides.
  void choose(ui::Ui& ui, const WhatIfScene& scene, std::size_t part);

  WhatIfChoice choice_;
  std::string part_;  // that alone is described; empty: all of the picture
  ChangeField field_;
  std::shared_ptr<WhatIfWork> work_;  // shared with copies
};

// What the inspector says of the chosen part, of a pinned place, or of the changes.
InspectorPage part_page(const WhatIfScene& scene, const MutedPart* known);
InspectorPage place_page(const WhatIfScene& scene, const std::vector<PlaceWord>* words);
InspectorPage changes_page(const WhatIfScene& scene);
// What a hovered part says: its name, the change of the loss and how sure it is.
std::string part_tooltip(const WhatIfScene& scene, std::size_t part);

}  // namespace glassformer
