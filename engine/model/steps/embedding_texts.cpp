// From ids to the residual stream in words, and the way back to the table.
#include <array>

#include "engine/model/steps/step_text.h"

namespace glassformer {
namespace {

using enum StepKind;

constexpr std::array kEmbeddingTexts = {
    // Words become vectors.
    StepText{tokenize, pattern::tokens, "Tokenize", "{=} = tokenizer(text)",
             "The tokenizer cuts the text into pieces and looks each up in its vocabulary. From here on the "
             "model knows only these numbers.",
             "5.1"},
    StepText{shift_target, pattern::tokens, "Shift right", "{=} = <bos>, then the words but the last",
             "The decoder reads the words it is asked for, moved one place to the right, so that each row "
             "begins with the word before the one it is asked for. This is called teacher forcing.",
             "3.1"},
    StepText{look_up, pattern::look_up, "Look up", "{=} = {1}[{0}]",
             "Each id picks its row of the embedding table. The rows are learned: words used alike come to "
             "have rows alike.",
             "3.4"},
    StepText{scale_embedding, pattern::times_root_width, "Scale by √d", "{=} = √d · {0}",
             "Every number of the row is multiplied by √d. Beside a position that is added next, the word "
             "then weighs more.",
             "3.4"},
    StepText{sinusoids, pattern::position_signal, "Position signal", "{=} = sin, cos(pos / 10000^(2i/d))",
             "Each place in the sentence gets a pattern of sines and cosines of its own, from fast waves in "
             "the first columns to slow ones in the last. Nothing here is learned.",
             "3.5"},
    StepText{learned_positions, pattern::position_rows, "Position rows", "{=} = {0}[pos]",
             "Each place in the sentence has a learned row, looked up like a word. Places never trained on "
             "mean nothing to the model.",
             "3.5"},
    StepText{add_positions, pattern::sum, "Add positions", "{=} = {0} + {1}",
             "Attention alone cannot tell one order of the words from another, so where a word stands is "
             "added to what it means. Both live in the same d numbers from here on.",
             "3.5"},

    // Backward.
    StepText{d_add_positions, pattern::same_cell, "Add positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the words.", "3.5"},
    StepText{d_position_signal, pattern::same_cell, "Positions, backward", "{=} = {0}",
             "A sum hands its gradient to both of its terms unchanged. This copy goes to the positions; a "
             "fixed signal does not learn from it.",
             "3.5"},
    StepText{d_learned_positions, pattern::by_position, "Gradient of the position rows",
             "row pos of {=} = {0} of its token",
             "Each place's row learns from the token that stood there. Places beyond the sentence get 0.",
             "3.5"},
    StepText{d_scale_embedding, pattern::times_root_width, "Scale, backward", "{=} = √d · {0}",
             "The slope of a stretch by √d is √d. So the rows of the table hear the message louder.", "3.4"},
    StepText{d_look_up, pattern::by_word, "Gradient of the table", "row {0} of {=} = sum of its tokens' {1}",
             "Only the rows that were looked up learn, each from every place where its word stood. All other "
             "words get 0.",
             "3.4"},
    StepText{d_shared_table, pattern::product_and_by_word, "Gradient of the shared table", "",
             "One matrix serves as embedding and as projection, so it learns from both uses. The gradients "
             "are added up.",
             "3.4"},
};

}  // namespace

std::span<const StepText> embedding_texts() {
  return kEmbeddingTexts;
}

}  // namespace glassformer
