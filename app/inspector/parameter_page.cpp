// The page of a weight of the model.
#include "app/inspector/pages.h"
#include "app/reading/walk_scene.h"

namespace glassformer {

InspectorPage parameter_page(const InspectedCell& inspected) {
  const CellRef& cell = inspected.cell();
  const ValueName name = *read_name(cell.name);
  std::string subject = "a weight of the model";
  const bool embedding = name.value == ValueKind::embedding_table;
  const bool source = embedding && name.encoder;
  const bool vocabulary = embedding || name.block == BlockKind::output;
  const Tokenizers& tokenizers = inspected.input().tokenizers;
  const Tokenizer* tokenizer = source ? tokenizers.source.get() : tokenizers.target.get();
  if (vocabulary && tokenizer && cell.index[0] < tokenizer->size())
    subject = "of **" + tokenizer->piece(cell.index[0]) + "**";
  InspectorPage page = cell_page(inspected,
                                 is_bias(name.value) ? "Bias"
                                 : embedding         ? "Embedding weight"
                                                     : "Weight",
                                 subject);
  page.full_value = format_full(inspected.value());
  InspectorSection learned;
  learned.heading = "How it was computed";
  learned.rows.resize(1);
  learned.rows[0].label = "training step";
  learned.rows[0].value = format_count(inspected.input().snapshot.step);
  learned.text = embedding && is_frozen(inspected.input(), name.encoder)
                     ? "Frozen: training leaves this table as it began."
                 : inspected.input().snapshot.step > 0
                     ? "Learned: at every step Adam moves it a little against its gradient."
                     : "No training step here has moved it: it is as it began.";
  page.sections.push_back(std::move(learned));
  page.meaning =
      "Weights are the same for every sentence; everything else on screen follows from them and the words.";
  page.paper = "Paper, section 5.3";
  return page;
}

}  // namespace glassformer
