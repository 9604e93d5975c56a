// A recurrent model of one's own, trained in the window on any data or read from a folder: how it learns, and
// the typed sentence in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/reading/background.h"
#include "app/views/common/view.h"

namespace glassformer {

struct OwnKey {
  std::shared_ptr<const RecurrentModel<float>> model = {};
  std::string text = {};
  bool operator==(const OwnKey&) const = default;
};
struct OwnScene {
  std::shared_ptr<const RecurrentScene> scene;
  std::string problem;  // why there is none, a sentence
};
using OwnCache = Background<OwnKey, OwnScene>;

struct OwnPage {
  std::shared_ptr<const RecurrentRunState> state;  // null: there is none
  std::shared_ptr<const RecurrentScene> scene;     // null: not there yet
  std::string problem;                             // why there is no scene; empty: nothing
  bool typed = false;  // of the sentence that is typed; else of a held-out one, whose words it knows
};
// `at_once`: the scene is made here and now.
OwnPage own_page(const ViewInput& input, OwnCache& cache, bool at_once);

struct OwnLayout {
  Rect losses, text, states, looks;
};
OwnLayout layout_own(const Rect& content);
std::string own_title(const OwnPage& page);
std::string own_subtitle(const OwnPage& page);
void draw_own(Canvas& canvas, const Rect& content, const OwnPage& page);
Point own_minimum();
InspectorPage own_inspector_page(const OwnPage& page);
std::vector<NumberTable> own_numbers(const OwnPage& page);
std::string own_caption(const OwnPage& page);

}  // namespace glassformer
