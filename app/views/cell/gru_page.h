// One number of a recurrent model, worked out term by term: a gate, a candidate or a state of one step. Every
// operand that was computed can be clicked, and so back to the first word.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

struct GruPage {
  const RecurrentScene& scene;
  RecurrentPin pin;  // within the scene
  GruCell cell;

  const GruPlace& place() const { return pin.place; }
  const std::vector<std::string>& words() const { return place().encoder ? scene.reads : scene.writes; }
};
GruPage gru_page(const RecurrentLook& look);

std::string gru_title(const GruPage& page);  // "One cell: r of unit 5 behind “k”"
std::string gru_subtitle(const GruPage& page);
// Below the title: the chosen number's work. On the screen the top is kept free for the controls.
void draw_gru(Canvas& canvas, const Rect& content, const GruPage& page);
void gru_controls(ui::Ui& ui, const Rect& content, const GruPage& page);
// Left and right: a word on; up and down: a layer.
bool gru_key(ViewKey key, const GruPage& page, Commands& commands);
Point gru_minimum();
InspectorPage gru_inspector_page(const GruPage& page);
std::vector<NumberTable> gru_numbers(const GruPage& page);
std::string gru_caption(const GruPage& page);

}  // namespace glassformer
