#include "app/views/view_table.h"

#include <array>

namespace glassformer {

// Each view's file defines its maker; the line below makes it known to the menu, the keys and `render`.
std::unique_ptr<View> make_attention_view();
std::unique_ptr<View> make_block_view();
std::unique_ptr<View> make_bottleneck_view();
std::unique_ptr<View> make_cell_view();
std::unique_ptr<View> make_decode_view();
std::unique_ptr<View> make_diagnosis_view();
std::unique_ptr<View> make_embedding_view();
std::unique_ptr<View> make_entropy_view();
std::unique_ptr<View> make_forcing_view();
std::unique_ptr<View> make_forming_view();
std::unique_ptr<View> make_head_view();
std::unique_ptr<View> make_heads_view();
std::unique_ptr<View> make_layers_view();
std::unique_ptr<View> make_lookup_view();
std::unique_ptr<View> make_masks_view();
std::unique_ptr<View> make_output_view();
std::unique_ptr<View> make_parameters_view();
std::unique_ptr<View> make_positions_view();
std::unique_ptr<View> make_schedule_view();
std::unique_ptr<View> make_studies_view();
std::unique_ptr<View> make_tokens_view();
std::unique_ptr<View> make_training_view();
std::unique_ptr<View> make_walk_view();
std::unique_ptr<View> make_what_if_view();

namespace {

constexpr const char* kReads = "What does it read?";
constexpr const char* kGetsIn = "How does a sentence get in?";
constexpr const char* kWrites = "What does it write?";
constexpr const char* kComputed = "How is it computed?";
constexpr const char* kLearns = "How does it learn?";
constexpr const char* kMatters = "What matters, what breaks?";

constexpr std::array kViews = {
    ViewEntry{"attention", "Attention", kReads, "every head: which words each word reads", "one-head",
              make_attention_view},
    ViewEntry{"masks", "Masks", kReads, "what it may not see: padding, the future", "mask", make_masks_view},
    ViewEntry{"entropy", "Entropy", kReads, "which heads read one word, which many", "map",
              make_entropy_view},
    ViewEntry{"lookup", "Lookup", kReads, "the idea in small: a table and one slider", "curve",
              make_lookup_view, "dots, nearest, weights, slopes or temperature"},
    ViewEntry{"tokens", "Tokens", kGetsIn, "the text cut into pieces, each with a number", "sentence",
              make_tokens_view},
    ViewEntry{"embedding", "Embedding", kGetsIn, "each piece becomes a row of numbers", "rows",
              make_embedding_view},
    ViewEntry{"positions", "Positions", kGetsIn, "how it tells first from last", "whole-table",
              make_positions_view},
    ViewEntry{"output", "Output", kWrites, "its guesses for each next word, and the loss", "asked-words",
              make_output_view},
    ViewEntry{"decode", "Decode", kWrites, "word by word: greedy, beam or by lot", "tree", make_decode_view},
    ViewEntry{"teacher-forcing", "Teacher forcing", kWrites, "given the right words, and on its own",
              "words-given", make_forcing_view},
    ViewEntry{"layers", "Layer by layer", kWrites, "what it would write after each part", "after-each-part",
              make_layers_view},
    ViewEntry{"block", "One block", kComputed, "attention, adding, norm, feed-forward", "step",
              make_block_view},
    ViewEntry{"head", "One head", kComputed, "query and key to scores, softmax, values", "step",
              make_head_view},
    ViewEntry{"cell", "One cell", kComputed, "one number: each product and the sum", "work", make_cell_view},
    ViewEntry{"walk", "Walk", kComputed, "a training step, one operation at a time", "step", make_walk_view},
    ViewEntry{"training", "Training", kLearns, "loss, words right, held-out sentences", "loss",
              make_training_view},
    ViewEntry{"forming", "Heads forming", kLearns, "one head at five steps of the training", "steps",
              make_forming_view},
    ViewEntry{"schedule", "Schedule", kLearns, "the learning rate: warm-up, then decay", "learning-rate",
              make_schedule_view},
    ViewEntry{"parameters", "Parameters", kLearns, "every weight, its gradient, Adam's memory", "weights",
              make_parameters_view},
    ViewEntry{"diagnosis", "Diagnosis", kLearns, "is the run healthy, layer by layer", "layers",
              make_diagnosis_view},
    ViewEntry{"studies", "Studies", kLearns, "what tutorials claim: a study each, over seeds", "dots",
              make_studies_view},
    ViewEntry{"what-if", "What if", kMatters, "all that is changed, and what it did", "words",
              make_what_if_view},
    ViewEntry{"heads", "Head report", kMatters, "which heads can go", "report", make_heads_view},
    ViewEntry{"bottleneck", "Before attention", kMatters, "one vector for a sentence, and where it fails",
              "three-models", make_bottleneck_view},
};

}  // namespace

std::span<const ViewEntry> view_table() {
  return kViews;
}

}  // namespace glassformer
