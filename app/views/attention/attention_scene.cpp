#include <algorithm>

#include "app/inspector/inspector.h"
#include "app/reading/scene_words.h"
#include "app/views/attention/attention_drawing.h"

namespace glassformer {

namespace {

std::string kind_label(AttentionKind kind) {
  return kind == AttentionKind::encoder ? "encoder" : kind == AttentionKind::decoder ? "decoder" : "cross";
}

}  // namespace

Selection repinned(Selection selection) {
  selection.cell.reset();
  selection.cell = selected_cell(selection);
  return selection;
}

std::string head_label(const Selection& selection) {
  const std::string head = selection.head < 0 ? "mean" : std::to_string(selection.head + 1);
  return kind_label(selection.kind) + " layer " + std::to_string(selection.layer + 1) + " head " + head;
}

std::vector<WallRow> wall_rows(const ViewInput& input, bool every) {
  std::vector<WallRow> rows;
  for (const AttentionKind kind : {AttentionKind::cross, AttentionKind::encoder, AttentionKind::decoder})
    for (int layer = 0; layer < attention_layers(input.snapshot.config, kind); ++layer)
      if (every || kind == input.shown.kind) rows.push_back({kind, layer});
  return rows;
}

std::string wall_row_name(const WallRow& row, bool every) {
  return (every ? kind_label(row.kind) + ", " : "") + "layer " + std::to_string(row.layer + 1);
}

std::string all_heads(const ViewInput& input) {
  return "all " + std::to_string(std::ssize(wall_rows(input, true)) * input.snapshot.config.heads);
}

int computed_rows(const ViewInput& input, AttentionKind kind, int sentence, int rows) {
  const bool all = kind == AttentionKind::encoder || input.shown_steps < 0 || sentence != 0;
  return all ? rows : std::min(input.shown_steps, rows);
}

AttentionScene attention_scene(const ViewInput& input, bool every) {
  AttentionScene scene{
      .input = input,
      .pinned = within(input.pinned, input),
      .shown = within(input.shown, input),
      .every = every,
      .heads = input.snapshot.config.heads,
      .queries = {},
      .keys = {},
      .writes = {},
      .should = input.shown.kind != AttentionKind::encoder && has_right_words(input, input.shown.sentence) &&
                !writes_what_is_asked(*input.result.trace, within(input.shown, input).sentence),
      .table = {},
      .padding = {},
      .limit = difference_limit(input, within(input.shown, input).kind, within(input.shown, input).sentence),
      .computed_rows = 0};
  const AttentionKind kind = scene.shown.kind;
  const int sentence = scene.shown.sentence;
  scene.queries = query_words(input, kind, sentence);
  scene.keys = key_words(input, kind, sentence);
  if (kind != AttentionKind::encoder) scene.writes = target_out_words(input, sentence);
  scene.table = shown_attention(input, kind, scene.shown.layer, scene.shown.head, sentence);
  scene.padding = padding_weights(*input.result.trace, scene.shown);

  // While the decoding is stepped, words to come are not on the axes yet. Row j has read word j and writes
  // word j + 1.
  scene.computed_rows = computed_rows(input, kind, sentence, scene.table.rows);
  if (scene.computed_rows == scene.table.rows) return scene;
  const auto rows = static_cast<size_t>(scene.computed_rows);
  for (size_t i = rows; i < scene.queries.size(); ++i) scene.queries[i].clear();
  for (size_t i = rows; i < scene.writes.size(); ++i) scene.writes[i].clear();
  if (kind == AttentionKind::decoder)
    for (size_t i = rows; i < scene.keys.size(); ++i) scene.keys[i].clear();
  return scene;
}

namespace {

bool sees_future(const ViewInput& input) {
  return input.result.scene.what_if.has(ChangeKind::causal_mask_off);
}

}  // namespace

std::string attention_question(const ViewInput& input, AttentionKind kind) {
  const std::string source = source_language(input), target = target_language(input);
  switch (kind) {
    case AttentionKind::encoder:
      return "Which other " + source + " words each " + source + " word reads";
    case AttentionKind::decoder:
      return sees_future(input) ? "Which " + target + " words each " + target + " word reads, later ones too"
                                : "Which earlier words each " + target + " word looks back at";
    case AttentionKind::cross:
      break;
  }
  return "Which " + source + " words each " + target + " word reads";
}

std::string attention_subtitle(const ViewInput& input, AttentionKind kind) {
  const std::string source = source_language(input);
  const std::string target = input.target_language.empty() || input.target_language == "target"
                                 ? "the target"
                                 : input.target_language;
  const std::string article = std::string("aeiouAEIOU").find(source[0]) == std::string::npos ? "a " : "an ";
  switch (kind) {
    case AttentionKind::encoder:
      return "Self-attention of the encoder: every row is a word that reads, every column a word it reads, "
             "brighter is more.";
    case AttentionKind::decoder:
      return (sees_future(input) ? "Self-attention, its mask off: every row is one step of writing "
                                 : "Masked self-attention: every row is one step of writing ") +
             target +
             (sees_future(input) ? ", every column a word, written or not, brighter is more."
                                 : ", every column a word already written, brighter is more.");
    case AttentionKind::cross:
      break;
  }
  return "Cross-attention: every row is one step of writing " + target + ", every column " + article +
         source + " word, brighter is more.";
}

}  // namespace glassformer
