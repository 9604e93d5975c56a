// Words as chips, in a row: position above, probability below. All chips of a strip are equally wide; longer
// words are cut with an ellipsis (full on hover and in files as far as there is room).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"

namespace glassformer {

enum class ChipPin { none, query, key };

struct TokenChip {
  std::string text = {};
  bool special = false;     // <bos>, <eos>: dashed
  bool padding = false;     // hatched and dashed
  bool word_start = false;  // 3-px ink bar: a sub-word that begins a word
  bool unknown = false;     // dashed in the colour of mistakes, "?" before it
  bool wrong = false;       // underlined, with a cross
  bool changed = false;     // underlined in the colour of changes
  bool gap_before = false;  // a mark of that colour before it: words are gone there
  bool hovered = false;
  bool future = false;  // not written yet: an empty sunken place
  ChipPin pin = ChipPin::none;
  std::optional<double> probability = {};  // bar and value below
};

struct TokenStripOptions {
  std::string label = {};      // left of the chips: "Source"
  float label_width = 56;      // kept free for it when there is one
  bool positions = true;       // mono index above
  bool probabilities = false;  // keep the room below, also for chips without one
  float chip_height = 28;
  float gap = 8;
  float min_width = 24, max_width = 128;  // of a chip
  float width = 0;                        // of every chip; 0: chosen so that `count` chips fill the area
  int count = 0;        // chips to make room for (0: as many as there are), so that two strips align
  float text_size = 0;  // of all chips; 0: the largest from 14 to 11 in which every word fits
  // Label and commands of a chip; the rect and a tooltip are filled in.
  std::function<HitRegion(int index)> hit = {};
};

struct TokenStripLayout {
  float chip_width = 0, chip_height = 0, gap = 0;
  Point first;       // top left of chip 0
  float height = 0;  // positions and probabilities included
  int shown = 0;     // chips that fit; the others are left out, "+ 12" is at the end
  Rect chip(int index) const;
};

TokenStripLayout layout_token_strip(const Rect& area, const std::vector<TokenChip>& chips,
                                    const TokenStripOptions& options);
// Draws from the area's top left.
TokenStripLayout draw_token_strip(Canvas& canvas, const Rect& area, const std::vector<TokenChip>& chips,
                                  const TokenStripOptions& options = {});
// One chip alone. A word that does not fit is set smaller, down to 10 (9 in files), then cut.
void draw_chip(Canvas& canvas, const Rect& rect, const TokenChip& chip, float text_size = 14);
// One size for all chips of a strip: the largest from `most` to 11 in which every word fits, else 11.
float chip_text_size(const Canvas& canvas, const std::vector<TokenChip>& chips, float chip_width,
                     float most = 14);
// The share of the chips whose word can be read in full at this width.
double readable_share(const Canvas& canvas, const std::vector<TokenChip>& chips, float chip_width);
// Sunken track with an ink part, radius 2.
void draw_share_bar(Canvas& canvas, const Rect& rect, double share, Color color);

}  // namespace glassformer
