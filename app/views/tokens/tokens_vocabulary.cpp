// All pieces of the tokenizer, those of the sentence in bold.
#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/tokens/token_words.h"
#include "app/views/tokens/tokens_picture.h"

namespace glassformer {

void draw_vocabulary(Canvas& canvas, const TokensLayout& layout, const TokenScene& scene) {
  const Theme& theme = canvas.theme();
  const Tokenizer& tokenizer = *scene.tokenizer;
  const std::string pieces = format_count(tokenizer.size()) + " pieces";
  draw_heading(canvas, layout.vocabulary, "Vocabulary",
               {.note = pieces, .note_right = layout.columns, .reserved = layout.columns ? 0.0f : 188.0f});
  const Rect& rows = layout.rows;
  const float head_y = rows.y - 14, id_right = rows.x + 48, piece_x = rows.x + 68,
              score_right = rows.right() - 16;
  TextStyle head = caption_style(canvas);
  head.color = theme.faint_text;
  canvas.text({piece_x, head_y}, "piece", head);
  head.x = AlignX::right;
  canvas.text({id_right, head_y}, "id", head);
  if (tokenizer.size() > 0 && tokenizer.score(tokenizer.size() - 1))
    canvas.text({score_right, head_y}, tokenizer.kind() == TokenizerKind::bpe ? "rank" : "log p", head);
  canvas.line({rows.x, rows.y - 2}, {rows.right(), rows.y - 2}, {theme.border, 1});

  const bool bpe = tokenizer.kind() == TokenizerKind::bpe;
  const int fit = static_cast<int>(rows.height / kVocabularyRow);
  const int first = std::clamp(scene.first_row, 0, std::max(0, tokenizer.size() - fit));
  const int chosen = scene.chosen ? scene.pieces[static_cast<size_t>(*scene.chosen)].id : -1;
  for (int i = 0; i < fit && first + i < tokenizer.size(); ++i) {
    const int id = first + i;
    const float y = rows.y + (static_cast<float>(i) + 0.5f) * kVocabularyRow;
    const Rect row{rows.x, y - kVocabularyRow / 2, rows.width - 12, kVocabularyRow};
    const bool used = std::any_of(scene.pieces.begin(), scene.pieces.end(),
                                  [&](const Piece& each) { return each.id == id; });
    if (id == chosen)
      canvas.rectangle(row, {.fill = scene.source ? theme.key_tint : theme.query_tint,
                             .outline = scene.source ? theme.key : theme.query,
                             .outline_width = 1.5f,
                             .radius = 4});
    TextStyle number{.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::right};
    canvas.text({id_right, y}, format_count(id), number);
    if (tokenizer.starts_word(id)) canvas.rectangle({piece_x - 9, y - 7, 3, 14}, {.fill = theme.ink});
    const TextStyle word{.font = used ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
    const std::string piece = shown_piece(tokenizer.piece(id));
    canvas.text({piece_x, y}, elided(canvas, piece, word, score_right - 64 - piece_x), word);
    if (const std::optional<double> score = tokenizer.score(id))
      canvas.text({score_right, y}, bpe ? format_count(std::lround(-*score)) : format_fixed(*score, 2),
                  number);
    HitRegion hit;
    hit.rect = row;
    hit.label = "vocabulary " + std::to_string(id);
    Selection selection = scene.input.pinned;
    const bool own_table = scene.source && scene.input.snapshot.config.sharing != Sharing::all;
    selection.cell = CellRef{embedding_value(own_table, ValueKind::embedding_table), {id, 0}};
    hit.click = SetPin{selection};
    canvas.hit(hit);
  }
}

}  // namespace glassformer
