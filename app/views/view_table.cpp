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
std::unique_ptr<View> make_tokens_view();
std::unique_ptr<View> make_training_view();
std::unique_ptr<View> make_walk_view();
std::unique_ptr<View> make_what_if_view();

namespace {

constexpr std::array kViews = {
    ViewEntry{"lookup", "Lookup", make_lookup_view},
    ViewEntry{"attention", "Attention", make_attention_view},
    ViewEntry{"block", "One block", make_block_view},
    ViewEntry{"head", "One head", make_head_view},
    ViewEntry{"cell", "One cell", make_cell_view},
    ViewEntry{"walk", "Walk", make_walk_view},
    ViewEntry{"tokens", "Tokens", make_tokens_view},
    ViewEntry{"embedding", "Embedding", make_embedding_view},
    ViewEntry{"positions", "Positions", make_positions_view},
    ViewEntry{"masks", "Masks", make_masks_view},
    ViewEntry{"output", "Output", make_output_view},
    ViewEntry{"decode", "Decode", make_decode_view},
    ViewEntry{"teacher-forcing", "Teacher forcing", make_forcing_view},
    ViewEntry{"layers", "Layer by layer", make_layers_view},
    ViewEntry{"what-if", "What if", make_what_if_view},
    ViewEntry{"heads", "Head report", make_heads_view},
    ViewEntry{"bottleneck", "Before attention", make_bottleneck_view},
    ViewEntry{"training", "Training", make_training_view},
    ViewEntry{"forming", "Heads forming", make_forming_view},
    ViewEntry{"diagnosis", "Diagnosis", make_diagnosis_view},
    ViewEntry{"schedule", "Schedule", make_schedule_view},
    ViewEntry{"parameters", "Parameters", make_parameters_view},
};

}  // namespace

std::span<const ViewEntry> view_table() {
  return kViews;
}

}  // namespace glassformer
