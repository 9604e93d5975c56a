// From ids to the residual stream, and back to the table's rows.
#include "engine/model/steps/step_list.h"

namespace glassformer {

void add_embedding(StepList& list, bool encoder) {
  const Config& config = list.config();
  const EmbeddingValues v = list.values.embedding(encoder);
  const StepPlace at{StepPhase::forward, StepBlock::embedding, encoder};

  // Words.
  if (encoder) {
    list.add(StepKind::tokenize, at, {}, v.ids);
  } else {
    list.add(StepKind::shift_target, at, {}, v.ids, {list.values.output().wanted});
  }
  list.add(StepKind::look_up, at, {v.ids, v.table}, v.lookup);
  if (config.scale_embeddings) list.add(StepKind::scale_embedding, at, {v.lookup}, v.embedding);

  // Places.
  const bool has_positions = config.adds_positions();
  if (config.positions == PositionKind::sinusoidal) list.add(StepKind::sinusoids, at, {}, v.positions);
  if (config.learns_positions()) list.add(StepKind::learned_positions, at, {v.position_table}, v.positions);
  if (has_positions) {
    list.add(StepKind::add_positions, at, {v.embedding, v.positions},
             config.embedding_norm ? v.norm.x : v.input);
  }

  // What the first layer reads.
  if (config.embedding_norm) {
    list.add_norm(at, v.norm);
  } else if (!has_positions) {
    list.add(StepKind::hand_on, at, {v.embedding}, v.input);
  }
  list.add_dropout(at, v.input, list.config().dropout);
}

void add_embedding_backward(StepList& list, bool encoder) {
  const Config& config = list.config();
  const EmbeddingValues v = list.values.embedding(encoder);
  const StepPlace at{StepPhase::backward, StepBlock::embedding, encoder};
  const bool has_positions = config.adds_positions();

  // The sum: words and places get the same.
  if (config.embedding_norm) list.add_norm_backward(at, v.norm);
  const Operand d_sum = gradient_of(config.embedding_norm ? v.norm.x : v.input);
  if (has_positions) {
    list.add(StepKind::d_position_signal, at, {d_sum}, gradient_of(v.positions));
    if (config.learns_positions()) {
      list.add(StepKind::d_learned_positions, at, {gradient_of(v.positions)}, gradient_of(v.position_table));
    }
    list.add(StepKind::d_add_positions, at, {d_sum}, gradient_of(v.embedding));
  } else if (!config.embedding_norm) {
    list.add(StepKind::d_hand_on, at, {d_sum}, gradient_of(v.embedding));
  }

  // The table. What is shared waits until all its uses are known.
  if (config.scale_embeddings)
    list.add(StepKind::d_scale_embedding, at, {gradient_of(v.embedding)}, gradient_of(v.lookup));
  const bool shared = encoder ? config.sharing == Sharing::all : config.sharing != Sharing::none;
  if (!shared) list.add(StepKind::d_look_up, at, {v.ids, gradient_of(v.lookup)}, gradient_of(v.table));
}

void add_shared_table_backward(StepList& list) {
  const Sharing sharing = list.config().sharing;
  if (sharing == Sharing::none) return;
  const OutputValues output = list.values.output();
  const EmbeddingValues target = list.values.embedding(false), source = list.values.embedding(true);
  const StepPlace at{StepPhase::backward, StepBlock::embedding, false};
  std::vector<Operand> inputs = {gradient_of(output.logits), output.decoder_output, target.ids,
                                 gradient_of(target.lookup)};
  std::string formula = "{=} = {0}ᵀ {1} + {3} added up by target word";
  if (sharing == Sharing::all) {
    inputs.push_back(source.ids);
    inputs.push_back(gradient_of(source.lookup));
    formula += " + {5} added up by source word";
  }
  list.add(StepKind::d_shared_table, at, std::move(inputs), gradient_of(target.table)).formula = formula;
}

}  // namespace glassformer
