#include "app/views/output/output_data.h"

#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"

namespace glassformer {

bool is_value_of_output(const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  return read && read->block == BlockKind::output && !is_parameter(read->value);
}

std::vector<OutputRow> output_rows(const ViewInput& input, int sentence, int count) {
  const Trace& trace = *input.result.trace;
  const auto at = static_cast<size_t>(sentence);
  std::vector<OutputRow> rows;
  if (at >= trace.target_out.size()) return rows;
  const std::vector<std::string> read = target_in_words(input, sentence),
                                 right = target_out_words(input, sentence);
  for (int position = 0; position < static_cast<int>(trace.target_out[at].size()); ++position) {
    OutputRow& row = rows.emplace_back();
    row.position = position;
    row.read = read[static_cast<size_t>(position)];
    row.right = right[static_cast<size_t>(position)];
    row.said = prediction_at(trace, sentence, position, count);
    for (const WordShare& share : row.said.strongest)
      row.guesses.push_back({share, word_of(input.tokenizers.target.get(), input.snapshot.config, share.id)});
  }
  return rows;
}

}  // namespace glassformer
