// Both sentences as chips that carry the selection: a click on one pins it.
#pragma once

#include <vector>

#include "app/panels/panel_input.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

// The rows of the decoder are the model's own output (else someone else's words are fed to it).
bool output_is_free(const SceneResult* result);

class TokenStrips {
 public:
  // Two strips; one in a low window; in one row the translation alone.
  void draw(ui::Ui& ui, const PanelInput& in);

 private:
  struct Strip {
    bool is_source;
    Rect rect;
    const std::vector<TokenChip>& chips;
  };
  void strip(ui::Ui& ui, const PanelInput& in, const Strip& shown, TokenStripOptions options);
  static void translation(ui::Ui& ui, const PanelInput& in);

  int revealed_source_ = -1, revealed_output_ = -1;  // chips that long strips were scrolled to
};

}  // namespace glassformer
