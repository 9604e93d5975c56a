#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/tokens/tokens.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kLabel = 96, kPagesWidth = 236, kNarrowPagesWidth = 312;

TokenChip chip_of(const Piece& piece) {
  TokenChip chip;
  chip.text = shown_piece(piece.text);
  chip.word_start = piece.word_start && !piece.unknown;
  chip.unknown = piece.unknown;
  chip.special = piece.byte || piece.special;
  return chip;
}

float chip_width(const Canvas& canvas, const TokenChip& chip, float text_size, float smallest) {
  const TextStyle style{.size = text_size};
  const float mark = chip.unknown ? canvas.measure("?", style).x : 0;
  return std::max(smallest,
                  std::ceil(canvas.measure(chip.text, style).x + mark) + (text_size < 13 ? 14 : 24));
}

struct FlowOptions {
  float chip_height = 28, text_size = 14, smallest = 40;
  float row_height = 56, gap = 8;
  bool ids = true;         // below each chip
  std::string hit_prefix;  // empty: not live
  int most_rows = 100;
};

// Chips of different widths, row after row; what does not fit is counted at the end. Returns the height used.
float flow_chips(Canvas& canvas, const Rect& area, const TokenScene& scene, const std::vector<Piece>& pieces,
                 bool with_marks, const FlowOptions& options) {
  const Theme& theme = canvas.theme();
  float x = area.x, y = area.y;
  int row = 0;
  const Config& config = scene.input.snapshot.config;
  const int begin = with_marks && scene.begins_with_bos ? -1 : 0;
  const int end = static_cast<int>(pieces.size()) + (with_marks && scene.ends_with_eos ? 1 : 0);
  for (int i = begin; i < end; ++i) {
    const bool special = i < 0 || i == static_cast<int>(pieces.size());
    TokenChip chip;
    if (special) {
      chip.text = i < 0 ? "<bos>" : "<eos>";
      chip.special = true;
    } else {
      chip = chip_of(pieces[static_cast<size_t>(i)]);
      if (!options.hit_prefix.empty() && scene.chosen == i)
        chip.pin = scene.source ? ChipPin::key : ChipPin::query;
    }
    const float width = std::min(chip_width(canvas, chip, options.text_size, options.smallest), area.width);
    const bool last_row = row + 1 == options.most_rows;
    const float kept = last_row && i + 1 < end ? 44.0f : 0.0f;
    if (x > area.x && x + width + kept > area.right()) {
      if (last_row) {
        canvas.text({x + 2, y + options.chip_height / 2}, "+ " + std::to_string(end - i),
                    caption_style(canvas));
        return y + options.row_height - area.y;
      }
      ++row;
      x = area.x;
      y += options.row_height;
    }
    const Rect rect{x, y, width, options.chip_height};
    draw_chip(canvas, rect, chip, options.text_size);
    if (options.ids) {
      const int id = i < 0 ? config.bos_id : special ? config.eos_id : pieces[static_cast<size_t>(i)].id;
      canvas.text({rect.center().x, rect.bottom() + 11}, format_count(id),
                  {.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::center});
    }
    if (!options.hit_prefix.empty() && !special) {
      HitRegion hit;
      hit.rect = rect;
      hit.label = options.hit_prefix + std::to_string(i);
      hit.hover = SetHover{choose_piece(scene, i)};
      hit.click = SetPin{choose_piece(scene, i)};
      canvas.hit(hit);
    }
    x += width + options.gap;
  }
  return y + options.row_height - area.y;
}

// "6 pieces", "5 words", "23 characters".
std::string counted(TokenizerKind kind, std::size_t count) {
  std::string unit = kind == TokenizerKind::word        ? "word"
                     : kind == TokenizerKind::character ? "character"
                                                        : "piece";
  return format_count(static_cast<long long>(count)) + " " + unit + (count == 1 ? "" : "s");
}

void draw_label(Canvas& canvas, Point at, std::string_view text) {
  canvas.text(at, text, caption_style(canvas));
}

// Of the words given; else those that the model wrote, which need not be how their text would be cut.
std::vector<Piece> target_pieces(const SceneResult& result, const Tokenizer& tokenizer) {
  if (result.target_origin != TargetOrigin::model_output) return result.target_pieces;
  std::vector<Piece> pieces;
  for (const int id : result.trace->target_out.front())
    if (id != tokenizer.special().eos)
      pieces.push_back({.id = id,
                        .text = tokenizer.piece(id),
                        .word_start = tokenizer.starts_word(id),
                        .unknown = id == tokenizer.special().unk});
  return pieces;
}

}  // namespace

TokenScene token_scene(const ViewInput& input, bool source) {
  TokenScene scene{.input = input,
                   .source = source,
                   .tokenizer = {},
                   .text = {},
                   .read = {},
                   .normalized = {},
                   .pieces = {},
                   .chosen = {}};
  const SceneResult& result = input.result;
  scene.tokenizer = source ? input.tokenizers.source : input.tokenizers.target;
  if (!result.scene.sentences.empty()) {
    const SceneSentence& first = result.scene.sentences.front();
    scene.text = source ? first.source : first.target.value_or(first.reference.value_or(result.translation));
  }
  scene.begins_with_bos = source && input.snapshot.config.source_bos;
  scene.ends_with_eos = !source || input.snapshot.config.source_eos;
  if (!scene.tokenizer) return scene;
  scene.read = source ? result.source_read : scene.text;
  scene.normalized = scene.tokenizer->normalized(scene.read);
  scene.pieces = source ? result.source_pieces : target_pieces(result, *scene.tokenizer);

  // The chip that the one selection means.
  const Selection& shown = input.shown;
  if (shown.sentence == 0) {
    if (source && shown.kind != AttentionKind::decoder) scene.chosen = shown.key;
    if (source && shown.kind == AttentionKind::encoder && !scene.chosen) scene.chosen = shown.query;
    if (!source && shown.kind != AttentionKind::encoder) scene.chosen = shown.query;
  }
  if (scene.chosen && scene.begins_with_bos) --*scene.chosen;
  if (scene.chosen && *scene.chosen < 0) scene.chosen.reset();
  if (scene.chosen && *scene.chosen >= static_cast<int>(scene.pieces.size())) scene.chosen.reset();
  return scene;
}

Selection choose_piece(const TokenScene& scene, int index) {
  Selection selection = scene.input.pinned;
  selection.sentence = 0;
  selection.cell.reset();
  selection.query.reset();
  selection.key.reset();
  if (selection.kind != AttentionKind::cross) {
    selection.kind = AttentionKind::cross;
    selection.layer = 0;
  }
  const int row = scene.begins_with_bos ? index + 1 : index;
  (scene.source ? selection.key : selection.query) = row;
  const std::string name = embedding_value(scene.source, ValueKind::embedding);
  // A decoder row has read the word before the one it writes.
  selection.cell = CellRef{name, {0, scene.source ? row : row + 1, 0}};
  return selection;
}

TokensLayout layout_tokens(const Rect& area, TokensPage page) {
  const bool lab = page == TokensPage::merges || page == TokensPage::pieces;
  const bool vocabulary_wanted = page == TokensPage::vocabulary;
  TokensLayout layout;
  layout.subtitle = area.height >= 480;
  const Rect content = stage_content(area, layout.subtitle);
  layout.columns = content.width >= 760;
  const bool both = layout.columns || !vocabulary_wanted;
  const float list = layout.columns ? std::clamp(content.width * 0.3f, 248.0f, 300.0f) : content.width;
  if (layout.columns || vocabulary_wanted)
    layout.vocabulary = {content.right() - list, content.y, list, content.height};
  if (lab) {
    layout.lab = {content.x, content.y, layout.columns ? content.width - list - 40 : content.width,
                  content.height};
  } else if (both) {
    const float width = layout.columns ? content.width - list - 40 : content.width;
    const float steps = std::clamp(content.height * 0.46f, 196.0f, 280.0f);
    layout.sentence = {content.x, content.y, width, steps};
    layout.comparison = {content.x, content.y + steps + 8, width, content.height - steps - 8};
  }
  layout.rows = {layout.vocabulary.x, layout.vocabulary.y + kHeadingHeight + 24, layout.vocabulary.width,
                 std::max(0.0f, layout.vocabulary.height - kHeadingHeight - 24)};
  layout.rows.height = std::floor(layout.rows.height / kVocabularyRow) * kVocabularyRow;
  const float right = layout.columns ? layout.vocabulary.x - 40 : content.right();
  layout.side_switch = {right - 176, content.y - 4, 176, 32};
  const float pages = layout.columns ? kPagesWidth : kNarrowPagesWidth;
  layout.part_switch = {content.right() - pages, area.y + 8, pages, 32};
  return layout;
}

namespace {

// Of all chips in one row.
float row_width(const Canvas& canvas, const TokenScene& scene, const FlowOptions& options) {
  float width = 0;
  for (const Piece& piece : scene.pieces)
    width += chip_width(canvas, chip_of(piece), options.text_size, options.smallest) + options.gap;
  return width + chip_width(canvas, {.text = "<eos>"}, options.text_size, options.smallest);
}

// How large the chips of the sentence are: many, or in a narrow column, are closer together.
FlowOptions steps_options(const Canvas& canvas, float room, const TokenScene& scene, bool alone) {
  const FlowOptions large{.chip_height = 36, .text_size = 16, .smallest = 48, .row_height = 72};
  if (alone && row_width(canvas, scene, large) <= room) return large;
  if (room >= 440 && scene.pieces.size() <= 16) return {.row_height = 60, .gap = alone ? 6.0f : 8.0f};
  return {.chip_height = 24, .text_size = 12, .smallest = 28, .row_height = 48, .gap = 6};
}

// The text, and as the tokenizer reads it. Returns the height used.
float draw_text_steps(Canvas& canvas, const Rect& area, float label, const TokenScene& scene, bool alone) {
  const float x = area.x + label, room = area.width - label;
  const Theme& theme = canvas.theme();
  // What is read may differ from what was typed before the tokenizer has a say.
  const bool lowered = scene.read != scene.text, same = !lowered && scene.normalized == scene.text;
  const TextStyle body{.size = 14, .color = theme.ink};
  draw_label(canvas, {area.x, area.y}, "text");
  TextStyle typed = body;
  if (canvas.measure(scene.text, typed).x > room) typed.size = 12;
  canvas.text({x, area.y}, elided(canvas, scene.text, typed, room), typed);
  if (same && alone) return 22;
  draw_label(canvas, {area.x, area.y + 28}, lowered ? "read as" : "normalised");
  TextStyle normalized = body;
  if (same) normalized.color = theme.second_text;
  canvas.text({x, area.y + 28}, elided(canvas, same ? "the same" : scene.normalized, normalized, room),
              normalized);
  return 50;
}

}  // namespace

float draw_token_steps(Canvas& canvas, const Rect& area, const TokenScene& scene, bool alone) {
  constexpr float kShort = 52, kLong = 72;  // px for the labels of a part: "pieces", "normalised"
  constexpr float kLow = 120;               // a part so low has chips alone
  const Rect content = alone ? area : draw_heading(canvas, area, "From text to ids", {.reserved = 188});
  const float label = !alone                           ? kLabel
                      : scene.normalized == scene.text ? kShort
                                                       : kLong,
              x = content.x + label, room = content.width - label;
  float y = content.y;
  if (!alone || area.height >= kLow)
    y += 10 + draw_text_steps(canvas, {content.x, y + 10, content.width, 0}, label, scene, alone);
  FlowOptions options = steps_options(canvas, room, scene, alone);
  options.hit_prefix = scene.source ? "source piece " : "target piece ";
  options.most_rows = std::max(1, static_cast<int>((area.bottom() - y - 12) / options.row_height));
  draw_label(canvas, {content.x, y + options.chip_height / 2}, "pieces");
  draw_label(canvas, {content.x, y + options.chip_height + 11}, "ids");
  y += flow_chips(canvas, {x, y, room, 0}, scene, scene.pieces, true, options);

  // What the chips' marks mean.
  const std::string note = chips_note(scene.pieces);
  TextStyle style = caption_style(canvas);
  if (any_unknown(scene.pieces)) style.color = canvas.theme().wrong;
  const float note_y = std::min(y + 6, area.bottom() - 8);
  canvas.text({x, note_y}, elided(canvas, note, style, room), style);
  return note_y + 8 - area.y;
}

namespace {

// One way to cut the text, as a row.
struct CutRow {
  std::string name;
  std::string count, low_count;  // below the name, or beside it in a low row
  std::vector<Piece> pieces = {};
  std::string note = {};  // under both
  bool own = false, ids = false;
};

void draw_cut(Canvas& canvas, const Rect& row, const TokenScene& scene, const CutRow& cut) {
  const Theme& theme = canvas.theme();
  const TextStyle name{.font = cut.own ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
  TextStyle note = caption_style(canvas);
  note.color = theme.faint_text;
  const bool low = row.height < 46;
  const float used = low ? canvas.measure(cut.name, name).x + 8 : 0;
  canvas.text({row.x, row.y + 12}, elided(canvas, cut.name, name, kLabel - 8), name);
  if (!low || used < kLabel - 16)
    canvas.text({row.x + used, row.y + (low ? 12.0f : 28.0f)},
                elided(canvas, low ? cut.low_count : cut.count, note, kLabel - used - 8), note);
  if (!cut.note.empty() && row.height >= 60) canvas.text({row.x, row.y + 44}, cut.note, note);
  const bool ids = cut.ids && row.height >= 46;
  const float row_height = ids ? 46 : 28;
  flow_chips(canvas, {row.x + kLabel, row.y, row.width - kLabel, 0}, scene, cut.pieces, false,
             {.chip_height = 24,
              .text_size = 12,
              .smallest = ids ? 40.0f : 20.0f,
              .row_height = row_height,
              .gap = 4,
              .ids = ids,
              .hit_prefix = {},
              .most_rows = std::max(1, static_cast<int>((row.height - 4) / row_height))});
}

// Of a tokenizer, or why there is none.
void draw_cut(Canvas& canvas, const Rect& row, const TokenScene& scene, const std::string& name,
              const ComparedTokenizer& each) {
  if (!each.tokenizer) {
    const Theme& theme = canvas.theme();
    const bool file = &each == scene.opened;
    const std::string label = file ? "File" : name;
    canvas.text({row.x, row.y + 12}, label, {.size = 12, .color = theme.ink});
    TextStyle note = caption_style(canvas);
    note.color = file ? theme.wrong : theme.faint_text;
    note.y = AlignY::top;
    paragraph(canvas, {row.x + kLabel, row.y + 4}, row.width - kLabel, each.note, note);
    return;
  }
  std::vector<Piece> pieces = each.own ? scene.pieces : with_marks(*each.tokenizer, scene.text);
  const std::string count = counted(each.kind, pieces.size());
  const std::string number = format_count(static_cast<long long>(pieces.size()));
  draw_cut(canvas, row, scene,
           {.name = name,
            .count = count,
            .low_count = number,
            .pieces = std::move(pieces),
            .note = each.own ? "this model" : "",
            .own = each.own,
            .ids = &each == scene.opened});
}

}  // namespace

void draw_token_comparison(Canvas& canvas, const Rect& area, const TokenScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect content = draw_heading(canvas, area, "The same text, cut in six ways");
  if (!scene.comparison) {
    const TextState state = scene.input.training_text_state;
    TextStyle style = caption_style(canvas);
    style.y = AlignY::top;
    paragraph(canvas, {content.x, content.y + 4}, content.width,
              state == TextState::there ? "Learning the other tokenizers from the training text…"
              : state == TextState::reading
                  ? "Reading the training text, to learn the other tokenizers from it…"
                  : "The other tokenizers would be learned from this model’s "
                    "training text, which is not at hand.",
              style);
    return;
  }
  // An opened one has its ids below its pieces, where the others keep a row each.
  constexpr float kWithIds = 50, kLeastRow = 28;
  const auto others = static_cast<float>(scene.comparison->size() + 1);
  float opened = scene.opened != nullptr ? content.height / (others + 1) : 0;
  if (scene.opened != nullptr && content.height - kWithIds >= kLeastRow * others)
    opened = std::max(opened, kWithIds);
  const float height = (content.height - opened) / others;
  Rect row{content.x, content.y, content.width, height};
  const auto below = [&] {
    row.y += height;
    canvas.line({row.x, std::round(row.y - 6)}, {row.right(), std::round(row.y - 6)}, {theme.border, 1});
  };
  for (const ComparedTokenizer& each : *scene.comparison) {
    draw_cut(canvas, row, scene, kind_words(each.kind), each);
    below();
  }
  // Every text can be written with 256 of them.
  std::vector<Piece> bytes;
  for (std::string& byte : bytes_of(scene.text)) bytes.push_back({.text = std::move(byte)});
  const std::string number = format_count(static_cast<long long>(bytes.size()));
  draw_cut(canvas, row, scene,
           {.name = "Bytes", .count = number + " bytes", .low_count = number, .pieces = bytes});
  if (scene.opened == nullptr) return;
  below();
  row.height = opened;
  draw_cut(canvas, row, scene, scene.opened->note, *scene.opened);
}

}  // namespace glassformer
