#include "app/views/tokens/tokens.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "engine/math/error.h"
#include "engine/text/reading.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// The blocks of pictographs, symbols and dingbats, and what goes with them: joiners and styles.
bool is_emoji(char32_t c) {
  return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x2600 && c <= 0x27BF) || (c >= 0x2B00 && c <= 0x2BFF) ||
         c == 0x200D || c == 0xFE0F;
}

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

std::string described(const std::string& sign) {
  return "“" + sign + "” (" + what_it_is(sign) + ")";
}

// "“a” (a letter), “b” (a letter) and 2 more"
std::string listed(const std::vector<std::string>& all) {
  constexpr std::size_t kMostListed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMostListed); ++i) text += (i > 0 ? ", " : "") + all[i];
  return all.size() > kMostListed ? text + " and " + std::to_string(all.size() - kMostListed) + " more"
                                  : text;
}

// Of a piece that represents a byte, as sentencepiece writes it: "<0xF0>".
std::optional<char> byte_of(const Piece& piece) {
  unsigned value = 0;
  const std::string& text = piece.text;
  if (!piece.byte || text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>'))
    return std::nullopt;
  const auto read = std::from_chars(text.data() + 3, text.data() + 5, value, 16);
  if (read.ec != std::errc() || read.ptr != text.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

// The signs that byte pieces represent, each once; none that the bytes leave in pieces.
std::vector<std::string> signs_in_bytes(const std::vector<Piece>& pieces) {
  std::string bytes;
  for (const Piece& piece : pieces) bytes += byte_of(piece).value_or(' ');
  std::vector<std::string> signs;
  for (const char32_t c : code_points(bytes)) {
    if (c == ' ' || c == kReplacement) continue;
    const std::string sign = described(to_utf8({c}));
    if (std::ranges::find(signs, sign) == signs.end()) signs.push_back(sign);
  }
  return signs;
}

}  // namespace

std::string what_it_is(const std::string& piece) {
  const std::vector<char32_t> signs = code_points(piece);
  if (!signs.empty() && std::ranges::all_of(signs, is_emoji)) return "an emoji";
  if (!signs.empty() && std::ranges::all_of(signs, is_digit)) return signs.size() == 1 ? "a digit" : "digits";
  if (std::ranges::any_of(signs, is_letter)) return signs.size() == 1 ? "a letter" : "a word";
  return signs.size() == 1 ? "a sign" : "signs";
}

std::string shown_piece(const std::string& piece) {
  return piece == " " || piece == "\u2581" ? "\u2423" : piece;
}

bool any_unknown(const std::vector<Piece>& pieces) {
  return std::ranges::any_of(pieces, &Piece::unknown);
}

std::string chips_note(const std::vector<Piece>& pieces) {
  std::vector<std::string> unknown;
  for (const Piece& piece : pieces)
    if (piece.unknown && std::ranges::find(unknown, described(piece.text)) == unknown.end())
      unknown.push_back(described(piece.text));
  if (!unknown.empty()) return "Not in the vocabulary: " + listed(unknown) + ". The model reads <unk> there.";
  if (std::ranges::any_of(pieces, &Piece::byte)) {
    const std::vector<std::string> signs = signs_in_bytes(pieces);
    return "A dashed piece is one byte of a sign that has no piece of its own" +
           (signs.empty() ? "" : ": " + listed(signs)) + ".";
  }
  return "A bar marks the first piece of a word.";
}

std::vector<Piece> with_marks(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<Piece> pieces = tokenizer.encode(readable(tokenizer, text));
  const SpecialIds ids = tokenizer.special();
  if (ids.bos < 0 || tokenizer.piece(ids.bos) != "[CLS]") return pieces;
  const auto mark = [&](int id) { return Piece{.id = id, .text = tokenizer.piece(id), .special = true}; };
  pieces.insert(pieces.begin(), mark(ids.bos));
  if (ids.eos >= 0) pieces.push_back(mark(ids.eos));
  return pieces;
}

namespace {

constexpr int kExtraPieces =
    1000;  // beyond the smallest size, so that frequent words stay whole and rare ones do not

ComparedTokenizer learn(TokenizerKind kind, const std::vector<std::string>& lines) {
  ComparedTokenizer compared{.kind = kind, .tokenizer = nullptr, .note = {}};
  try {
    const bool pieces = cuts_into_pieces(kind);
    const int wanted = pieces ? smallest_vocabulary(lines, kind) + kExtraPieces : 0;
    try {
      compared.tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = wanted});
    } catch (const Error&) {
      // Too little text for that many pieces.
      compared.tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    }
    compared.note = "learned from the same text";
  } catch (const std::exception&) {
    compared.note = "too little text to learn from";
  }
  return compared;
}

}  // namespace

TokenComparison compare_tokenizers(const std::shared_ptr<const Tokenizer>& own,
                                   const std::vector<std::string>& lines) {
  constexpr std::array kKinds = {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word_piece,
                                 TokenizerKind::word, TokenizerKind::character};
  TokenComparison comparison;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] == own->kind()) {
      comparison[i] = {.kind = kKinds[i], .own = true, .tokenizer = own, .note = "this model"};
    } else {
      comparison[i] = learn(kKinds[i], lines);
    }
  }
  return comparison;
}

std::vector<std::string> bytes_of(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::string> bytes;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bytes.push_back({kDigits[byte / 16], kDigits[byte % 16]});
  }
  return bytes;
}

std::string kind_words(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::bpe:
      return "BPE";
    case TokenizerKind::unigram:
      return "Unigram";
    case TokenizerKind::word_piece:
      return "WordPiece";
    case TokenizerKind::word:
      return "Words";
    case TokenizerKind::character:
      break;
  }
  return "Characters";
}

std::string kind_meaning(TokenizerKind kind) {
  if (kind == TokenizerKind::word)
    return "Each word is one piece, and a word that is not in the vocabulary is unknown.";
  if (kind == TokenizerKind::character)
    return "Each character is one piece, and a character that is not in the vocabulary is unknown.";
  return "Frequent words stay whole, rare ones are spelled in pieces: so a few thousand pieces can write any "
         "text.";
}

// The numbers behind the first two pages of the Tokens view.
NumberTable vocabulary_numbers(const Tokenizer& tokenizer) {
  NumberTable vocabulary{.title = "vocabulary", .columns = {"id", "starts a word", "score"}};
  for (int id = 0; id < tokenizer.size(); ++id) {
    vocabulary.rows.push_back(tokenizer.piece(id));
    vocabulary.values.push_back(
        {double(id), tokenizer.starts_word(id) ? 1.0 : 0.0, tokenizer.score(id).value_or(std::nan(""))});
  }
  return vocabulary;
}

NumberTable piece_numbers(const std::vector<Piece>& pieces) {
  NumberTable sentence{.title = "pieces of the sentence", .columns = {"id", "starts a word", "unknown"}};
  for (const Piece& piece : pieces) {
    sentence.rows.push_back(piece.text);
    sentence.values.push_back({double(piece.id), piece.word_start ? 1.0 : 0.0, piece.unknown ? 1.0 : 0.0});
  }
  return sentence;
}

NumberTable opened_numbers(const TokenScene& scene, const ComparedTokenizer& opened) {
  NumberTable table = piece_numbers(with_marks(*opened.tokenizer, scene.text));
  table.title = "pieces of the same text, by " + opened.note;
  return table;
}

std::string opened_in_words(const TokenScene& scene, const ComparedTokenizer& opened) {
  if (!opened.tokenizer) return opened.note;
  std::string words = "By " + opened.note + ", piece and id:";
  for (const Piece& piece : with_marks(*opened.tokenizer, scene.text))
    words += " " + piece.text + " " + std::to_string(piece.id) + ",";
  words.back() = '.';
  return words;
}

std::string cuts_in_words(const TokenScene& scene, const TokenComparison& comparison) {
  std::string all;
  for (const ComparedTokenizer& each : comparison) {
    if (!each.tokenizer || each.own) continue;
    const auto pieces = std::ssize(with_marks(*each.tokenizer, scene.text));
    all += (all.empty() ? "Pieces of the same text cut in other ways: " : ", ") + kind_words(each.kind) +
           " " + format_count(pieces);
  }
  if (all.empty()) return all;
  return all + ", bytes " + format_count(std::ssize(bytes_of(scene.text))) + ".";
}

// All pieces of the tokenizer, those of the sentence in bold.
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
