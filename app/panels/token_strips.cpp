#include "app/panels/token_strips.h"

#include <algorithm>
#include <cmath>

#include "app/panels/decode_controls.h"
#include "app/panels/styles.h"
#include "app/reading/scene_words.h"
#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

// Which words of the first sentence's output begin a word; none when no word was cut.
std::vector<bool> word_starts(const Tokenizer* tokenizer, const std::vector<std::vector<int>>& sentences) {
  std::vector<bool> starts;
  if (!tokenizer || sentences.empty()) return starts;
  bool cut = false, after_blank = true;
  for (const int id : sentences.front()) {
    const SpecialIds& special = tokenizer->special();
    const bool word = id >= 0 && id < tokenizer->size() && id != special.eos && id != special.unk;
    const bool blank = word && (tokenizer->piece(id) == " " || tokenizer->piece(id) == kWordStart);
    // A letter begins a word by where it is.
    const bool begins = tokenizer->kind() == TokenizerKind::character ? after_blank && !blank
                                                                      : word && tokenizer->starts_word(id);
    starts.push_back(word && begins);
    cut = cut || (word && !begins);
    after_blank = blank;
  }
  if (!cut) starts.clear();
  return starts;
}

// The chip that a click or a step has lit.
std::optional<int> pinned_chip(const std::vector<TokenChip>& chips) {
  for (size_t i = 0; i < chips.size(); ++i)
    if (chips[i].pin != ChipPin::none) return static_cast<int>(i);
  return std::nullopt;
}

// What a click on a chip selects, starting from what is pinned.
Selection chosen(Selection s, bool is_source, int word) {
  s.cell.reset();
  s.more_queries.clear();
  s.more_keys.clear();
  if (is_source && s.kind == AttentionKind::cross)
    s.key = word;
  else if (is_source)
    s = of_kind(s, AttentionKind::encoder), s.query = word;
  else if (s.kind == AttentionKind::encoder)
    s = of_kind(s, AttentionKind::cross), s.query = word;
  else
    s.query = word;
  return s;
}

// With Ctrl the chip alone is meant.
Selection chosen_as_well(Selection s, bool is_source) {
  if (is_source && s.kind == AttentionKind::cross)
    s.query.reset();
  else
    s.key.reset();
  return s;
}

HitRegion chip_hit(const Selection& pinned, const TokenChip& chip, bool is_source, int word) {
  const Selection s = chosen(pinned, is_source, word);
  HitRegion hit{.label = (is_source ? "source chip " : "output chip ") + std::to_string(word),
                .hover = SetHover{s},
                .click = SetPin{s},
                .add = AddPin{chosen_as_well(s, is_source)},
                .tooltip = chip.text};
  if (!is_source) {
    Selection place = s;
    place.cell = CellRef{output_value(ValueKind::logits), {0, word}};
    hit.menu = SetPin{place};
  }
  if (!chip.future) return hit;
  // A word not yet written: the click leads to its step.
  hit.hover.reset();
  hit.add.reset();
  hit.click = ShowDecodeStep{word + 1};
  hit.tooltip = "step " + std::to_string(word + 1) + " of the decoding: not written yet";
  return hit;
}

// True when some word was cut: only then does a word start deserve a mark.
bool pieces_split(const std::vector<Piece>& pieces) {
  return std::ranges::any_of(pieces, [](const Piece& piece) { return !piece.word_start; });
}

// How probable the model held the word it was asked for.
std::optional<double> right_probability(const PanelInput& in, int row) {
  const Tensor* p = in.result->trace->find(output_value(ValueKind::log_probabilities));
  if (!p || p->rank() != 3 || in.result->trace->target_out.empty()) return std::nullopt;
  const std::vector<int>& ids = in.result->trace->target_out.front();
  if (row < 0 || static_cast<size_t>(row) >= ids.size()) return std::nullopt;
  const int index[3] = {0, row, ids[static_cast<size_t>(row)]};
  return std::exp(static_cast<double>(p->at(index)));
}

std::vector<TokenChip> source_chips(const PanelInput& in) {
  const SceneResult& r = *in.result;
  const bool split = pieces_split(r.source_pieces);
  const size_t first = r.snapshot->config.source_bos ? 1 : 0;
  std::vector<TokenChip> chips;
  for (size_t at = 0; at < r.source_words.size(); ++at) {
    TokenChip chip{.text = r.source_words[at]};
    if (at >= first && at - first < r.source_pieces.size()) {
      chip.unknown = r.source_pieces[at - first].unknown;
      chip.word_start = r.source_pieces[at - first].word_start && split;
    } else {
      chip.special = true;
    }
    const auto lit = [word = static_cast<int>(at)](const Selection& s) {
      if (s.kind == AttentionKind::encoder && has_query(s, word)) return ChipPin::query;
      return s.kind != AttentionKind::decoder && has_key(s, word) ? ChipPin::key : ChipPin::none;
    };
    chip.pin = lit(in.session.pinned());
    chip.hovered = in.session.hovering() && lit(in.session.shown()) != ChipPin::none;
    chips.push_back(std::move(chip));
  }
  return chips;
}

// Which words of the output are not those that the Scene without its changes has, and before which some of
// those are gone.
struct ChangedWords {
  std::vector<bool> changed, gap;
};
ChangedWords mark_changed(const SceneResult& r, const Tokenizer* tokenizer) {
  const std::size_t count = r.target_out_words.size();
  ChangedWords marks{std::vector<bool>(count, false), std::vector<bool>(count, false)};
  const std::vector<int>& now = r.trace->target_out.front();
  if (!r.plain || now.size() != count) return marks;
  bool gone = false;  // words of before, since the last chip
  for (const OutputColumn& column : aligned(r.plain->trace->target_out.front(), now, tokenizer)) {
    if (!column.after) {
      gone = gone || !column.same;
      continue;
    }
    const auto at = static_cast<std::size_t>(*column.after);
    marks.changed[at] = !column.same;
    marks.gap[at] = column.same && gone && (at == 0 || !marks.changed[at - 1]);
    gone = false;
  }
  return marks;
}

std::vector<TokenChip> output_chips(const PanelInput& in) {
  const SceneResult& r = *in.result;
  const std::vector<bool> starts = word_starts(in.session.tokenizers().target.get(), r.trace->target_out);
  const bool free = output_is_free(in.result);
  const ChangedWords marks = mark_changed(r, in.session.tokenizers().target.get());
  const int outputs = static_cast<int>(r.target_out_words.size());
  const int steps = in.session.shown_steps() < 0 ? outputs : in.session.shown_steps();
  std::vector<TokenChip> chips;
  for (int word = 0; word < outputs; ++word) {
    const auto at = static_cast<size_t>(word);
    TokenChip chip{.text = r.target_out_words[at]};
    if (at < r.target_pieces.size())
      chip.unknown = r.target_pieces[at].unknown;
    else
      chip.special = chip.text == "<eos>";
    chip.word_start = at < starts.size() && starts[at];
    chip.future = word >= steps;
    chip.changed = marks.changed[at];
    chip.gap_before = marks.gap[at];
    if (free && at < r.decoding.log_probabilities.size())
      chip.probability = std::exp(r.decoding.log_probabilities[at]);
    else if (!free)
      chip.probability = right_probability(in, word);
    const auto lit = [word](const Selection& s) {
      if (s.kind == AttentionKind::encoder) return ChipPin::none;
      if (has_query(s, word)) return ChipPin::query;
      return s.kind == AttentionKind::decoder && has_key(s, word + 1) ? ChipPin::key : ChipPin::none;
    };
    chip.pin = lit(in.session.pinned());
    chip.hovered = in.session.hovering() && lit(in.session.shown()) != ChipPin::none;
    chips.push_back(std::move(chip));
  }
  return chips;
}

// What of a translation that is in one line is not as it would be without the changes. `line` begins
// where the text does and ends where it is cut.
void underline_changed(ui::Ui& ui, const Rect& line, std::string text, const SceneResult& result,
                       const TextStyle& style) {
  if (!result.plain) return;
  Canvas& canvas = ui.canvas();
  const auto [now, before] = compare_both(result.translation, result.plain->translation);
  std::string marked;
  for (std::size_t i = 0; i < now.words.size(); ++i) {
    if (i > 0) text += " ";
    const float x = line.x + canvas.measure(text, style).x;
    text += now.words[i].text;
    const float end = std::min(line.x + canvas.measure(text, style).x, line.right());
    if (now.words[i].right || x >= end) continue;
    canvas.rectangle({x, line.y + style.size * 0.7f, end - x, 2}, {.fill = ui.theme().reference});
    marked += (marked.empty() ? "" : " ") + now.words[i].text;
  }
  // Words that are gone leave nothing to mark.
  if (marked.empty() && result.translation != result.plain->translation) {
    canvas.rectangle({line.x, line.y + style.size * 0.7f, line.width, 2}, {.fill = ui.theme().reference});
    marked = "words are gone";
  }
  ui.note({line.x, line.y - 8, line.width, 4}, "changed words", marked.empty() ? "none" : marked);
}

}  // namespace

bool output_is_free(const SceneResult* result) {
  if (!result || result->target_origin == TargetOrigin::model_output) return true;
  return result->trace && !result->trace->target_out.empty() &&
         result->trace->target_out.front() == result->decoding.ids;
}

void TokenStrips::draw(ui::Ui& ui, const PanelInput& in) {
  if (!in.result) return;
  const Layout& layout = in.layout;
  const Rect& bar = layout.sentence;
  if (layout.bottom == BottomSize::one_row) return translation(ui, in);
  const bool one = layout.bottom == BottomSize::low;
  const float left = one ? layout.left : layout.left + kPadding;
  const Rect rect{left, bar.y, (one ? layout.right - 16 : layout.right - kPadding) - left, bar.height};
  const SceneResult& r = *in.result;
  const std::vector<TokenChip> source = source_chips(in), output = output_chips(in);
  ui.note({rect.x, rect.y, rect.width, 10}, "translation", r.translation);
  const bool free = output_is_free(in.result), typed = r.target_origin == TargetOrigin::typed;
  const bool changed = !r.scene.what_if.empty();
  if (one) {
    const std::vector<TokenChip>& chips = in.opened.source_strip ? source : output;
    const bool named = changed && free && !in.opened.source_strip;
    strip(ui, in, {in.opened.source_strip, {rect.x, rect.y + 14, rect.width, 68}, chips},
          {.label = named ? "Changed" : "",
           .label_width = named ? 72.0f : 0.0f,
           .gap = 5,
           .count = static_cast<int>(chips.size())});
    return;
  }

  // "Reference" is the longest name of a strip.
  TokenStripOptions options{.label = "Source",
                            .label_width = free && changed ? 72.0f
                                           : free || typed ? 56.0f
                                                           : 72.0f,
                            .count = static_cast<int>(std::max(source.size(), output.size()))};
  strip(ui, in, {true, {rect.x, rect.y + 10, rect.width, 68}, source}, options);
  options.label = free && changed ? "Changed" : free ? "Output" : typed ? "Target" : "Reference";
  strip(ui, in, {false, {rect.x, rect.y + 74, rect.width, 68}, output}, options);
  if (free) return;
  const TextStyle style = styles::caption(in.theme);
  const std::string words = std::string(changed ? "changed, the model writes  " : "the model writes  ") +
                            (r.translation.empty() ? "nothing" : r.translation);
  const Rect line{rect.x + options.label_width, rect.y + 139, rect.width - options.label_width, 16};
  ui.canvas().text({line.x, line.center().y}, elided(ui.canvas(), words, style, line.width), style);
  ui.note(line, "what the model writes", words);
}

// The row that sentence and slider share has room for the words alone.
void TokenStrips::translation(ui::Ui& ui, const PanelInput& in) {
  Canvas& canvas = ui.canvas();
  const Rect& bar = in.layout.sentence;
  const float left = in.layout.left + 12, room = decode_button(bar).x - in.layout.left - 24;
  const std::string before = in.result->scene.what_if.empty() ? "→ " : "changed → ";
  const std::string text = before + in.result->translation;
  TextStyle style = styles::body(in.theme);
  if (canvas.measure(text, style).x > room) style.size = 12;
  const std::string shown = elided(canvas, text, style, room);
  canvas.text({left, bar.center().y}, shown, style);
  underline_changed(ui, {left, bar.center().y, canvas.measure(shown, style).x, 0}, before, *in.result, style);
  ui.tooltip({left, bar.y, room, bar.height}, in.result->translation);
  ui.note({left, bar.y + 18, room, 20}, "translation", in.result->translation);
}

// One of them. Where its words do not find room, it scrolls, and the chip lit last is brought into sight.
void TokenStrips::strip(ui::Ui& ui, const PanelInput& in, const Strip& shown, TokenStripOptions options) {
  const auto& [is_source, rect, chips] = shown;
  options.probabilities = !is_source;
  options.hit = [&in, &chips = chips, is_source = is_source](int word) {
    return chip_hit(in.session.pinned(), chips[static_cast<size_t>(word)], is_source, word);
  };
  const float chip = 60, step = chip + options.gap;
  const bool crowded =
      options.label_width + static_cast<float>(options.count) * (52 + options.gap) > rect.width;
  const float needed = options.label_width + static_cast<float>(chips.size()) * step;
  if (crowded) {
    options.width = chip;
    options.count = static_cast<int>(chips.size());
  }
  if (!crowded || needed <= rect.width) {
    draw_token_strip(ui.canvas(), rect, chips, options);
    return;
  }

  const char* label = is_source ? "source strip" : "output strip";
  const std::optional<int> lit = pinned_chip(chips);
  int& revealed = is_source ? revealed_source_ : revealed_output_;
  if (lit && *lit != revealed) {
    const float at = options.label_width + (static_cast<float>(*lit) + 0.5f) * step;
    const float from = ui.scroll.of(label).x;
    if (at - step < from || at + step > from + rect.width) ui.scroll.to(label, {at - rect.width / 2, 0});
  }
  revealed = lit.value_or(-1);
  // The bar lies under the last line of numbers: the source has none below its chips.
  const float height = is_source ? 66.0f : 78.0f;
  Rect area = ui.scroll.begin({rect.x, rect.y - 2, rect.width, height}, label, {needed, height - 4});
  area.y += 2;
  draw_token_strip(ui.canvas(), area, chips, options);
  ui.scroll.end();
}

}  // namespace glassformer
