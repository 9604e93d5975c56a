// Two pages of the Tokens view: byte-pair encoding merge by merge, and what each unigram piece is worth to
// the sentence. Both of the model's own training text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/common/view.h"
#include "engine/text/pair_merges.h"
#include "engine/text/unigram_loss.h"

namespace glassformer {

inline constexpr int kMostMerges = 400;            // that are looked at
inline constexpr std::size_t kMergedLines = 2000;  // of the training text

struct MergeScene {
  const PairMerges& merges;
  std::vector<std::string> words;  // of the sentence, without blanks
  int made = 0;                    // merges until now, 0 to all of them
  const PairMerge* last() const;   // the newest; null: none was made
  const PairMerge* next() const;   // the one to come; null: no pair is left
  long pieces() const;             // of the text, now
  int vocabulary() const;
};

// Controls stand on its top, so high; files have none.
inline constexpr float kMergeControls = 44;
void draw_merges(Canvas& canvas, const Rect& area, const MergeScene& scene);
std::vector<NumberTable> merge_numbers(const MergeScene& scene);
InspectorPage merge_page(const MergeScene& scene, const std::string& language);
std::string merge_caption(const MergeScene& scene);  // "After 12 merges the text has 9 812 pieces of ..."

void draw_piece_losses(Canvas& canvas, const Rect& area, const UnigramLosses& losses);
std::vector<NumberTable> piece_loss_numbers(const UnigramLosses& losses);
InspectorPage piece_loss_page(const UnigramLosses& losses, const std::string& language);

}  // namespace glassformer
