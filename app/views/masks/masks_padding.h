// A page of the Masks view: which attention needs a padding mask, answered by putting other words in the
// place of the padding and looking which rows notice.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/model/padding_study.h"

namespace glassformer {

// Of which Scene; the key keeps both alive.
struct PaddingKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const PaddingKey&) const = default;
};
using PaddingStudies = Background<PaddingKey, PaddingStudy>;

// Null: being computed.
std::shared_ptr<const PaddingStudy> padding_study(const ViewInput& input, PaddingStudies& studies,
                                                  bool at_once);

inline constexpr const char* kPaddingTitle = "Who needs a padding mask";
void draw_padding_page(Canvas& canvas, const Rect& area, const ViewInput& input, const PaddingStudy* study);
Point padding_minimum();
// Where the switches stand, by AttentionKind, and what they are called.
std::array<Point, 3> padding_switches(const Rect& area);
std::string padding_switch_label(AttentionKind kind);
// The Scene's changes with this mask on or off.
SetWhatIf with_padding_mask(const ViewInput& input, AttentionKind kind, bool on);

// Whether this attention needs the mask, in a sentence or two that hold for these numbers.
std::string padding_words(const PaddingStudy& study, AttentionKind kind);
// What zeros behind the softmax would leave of a row; empty where that is all of it.
std::string zeroed_words(const PaddingStudy& study, AttentionKind kind, bool relu);
NumberTable padding_numbers(const PaddingStudy& study);
std::string padding_caption(const PaddingStudy& study);
InspectorPage padding_page(const ViewInput& input, const PaddingStudy* study);

}  // namespace glassformer
