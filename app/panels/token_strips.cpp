#include <algorithm>
#include <cmath>

#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/token_strip.h"

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
    const bool blank = word && tokenizer->piece(id) == " ";
    // A letter begins a word by where it stands.
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

}  // namespace

// Both sentences as chips that carry the selection: a click on one pins it.
void Shell::token_strips(const Rect& rect, bool one) {
  if (!result_) return;
  ui::Ui& ui = *ui_;
  const SceneResult& r = *result_;
  const Selection& pinned = session_.pinned();
  const Selection& shown = session_.shown();
  const bool hovering = session_.hovering();

  std::vector<TokenChip> source, output;
  const int sources = static_cast<int>(r.source_words.size()),
            outputs = static_cast<int>(r.target_out_words.size());
  for (int i = 0; i < sources; ++i) {
    const auto at = static_cast<size_t>(i);
    TokenChip chip{.text = r.source_words[at]};
    if (at < r.source_pieces.size()) {
      chip.unknown = r.source_pieces[at].unknown;
      chip.word_start = r.source_pieces[at].word_start && pieces_split(r.source_pieces);
    } else {
      chip.special = true;
    }
    const auto lit = [&](const Selection& s) {
      if (s.kind == AttentionKind::encoder && has_query(s, i)) return ChipPin::query;
      return s.kind != AttentionKind::decoder && has_key(s, i) ? ChipPin::key : ChipPin::none;
    };
    chip.pin = lit(pinned);
    chip.hovered = hovering && lit(shown) != ChipPin::none;
    source.push_back(std::move(chip));
  }

  const std::vector<bool> starts = word_starts(session_.tokenizers().target.get(), r.trace->target_out);
  const bool free = output_is_free();
  const int steps = session_.shown_steps() < 0 ? outputs : session_.shown_steps();
  for (int j = 0; j < outputs; ++j) {
    const auto at = static_cast<size_t>(j);
    TokenChip chip{.text = r.target_out_words[at]};
    if (at < r.target_pieces.size())
      chip.unknown = r.target_pieces[at].unknown;
    else
      chip.special = chip.text == "<eos>";
    chip.word_start = at < starts.size() && starts[at];
    chip.future = j >= steps;
    if (free && at < r.decoding.log_probabilities.size())
      chip.probability = std::exp(r.decoding.log_probabilities[at]);
    else if (!free)
      chip.probability = right_probability(j);
    const auto lit = [&](const Selection& s) {
      if (s.kind == AttentionKind::encoder) return ChipPin::none;
      if (has_query(s, j)) return ChipPin::query;
      return s.kind == AttentionKind::decoder && has_key(s, j + 1) ? ChipPin::key : ChipPin::none;
    };
    chip.pin = lit(pinned);
    chip.hovered = hovering && lit(shown) != ChipPin::none;
    output.push_back(std::move(chip));
  }

  const auto choose = [&pinned](bool is_source, int i) {
    Selection s = pinned;
    s.cell.reset();
    s.more_queries.clear();
    s.more_keys.clear();
    if (is_source && s.kind == AttentionKind::cross)
      s.key = i;
    else if (is_source)
      s = of_kind(s, AttentionKind::encoder), s.query = i;
    else if (s.kind == AttentionKind::encoder)
      s = of_kind(s, AttentionKind::cross), s.query = i;
    else
      s.query = i;
    return s;
  };
  // With Ctrl the chip alone is meant.
  const auto also = [](Selection s, bool is_source) {
    if (is_source && s.kind == AttentionKind::cross)
      s.query.reset();
    else
      s.key.reset();
    return s;
  };
  // "Reference" is the longest name of a strip.
  const bool reference = !free && r.target_origin != TargetOrigin::typed;
  TokenStripOptions options{.label_width = one         ? 0.0f
                                           : reference ? 72.0f
                                                       : 56.0f,
                            .count = std::max(sources, outputs)};
  options.gap = one ? 5.0f : 8.0f;
  const auto strip = [&](bool is_source, float y, const std::vector<TokenChip>& chips) {
    TokenStripOptions these = options;
    these.label = one                                      ? ""
                  : is_source                              ? "Source"
                  : free                                   ? "Output"
                  : r.target_origin == TargetOrigin::typed ? "Target"
                                                           : "Reference";
    these.probabilities = !is_source;
    these.count = one ? static_cast<int>(chips.size()) : options.count;
    these.hit = [&](int i) {
      const Selection s = choose(is_source, i);
      HitRegion hit{.label = (is_source ? "source chip " : "output chip ") + std::to_string(i),
                    .hover = SetHover{s},
                    .click = SetPin{s},
                    .add = AddPin{also(s, is_source)},
                    .tooltip = chips[static_cast<size_t>(i)].text};
      if (!chips[static_cast<size_t>(i)].future) return hit;
      // A word not yet written: the click goes on to its step.
      hit.hover.reset();
      hit.add.reset();
      hit.click = ShowDecodeStep{i + 1};
      hit.tooltip = "step " + std::to_string(i + 1) + " of the decoding: not written yet";
      return hit;
    };
    Rect area{rect.x, y, rect.width, 68};
    // Too many words for both to stand under each other: each strip scrolls on its own.
    const float chip = 60, step = chip + these.gap;
    const bool crowded = these.label_width + static_cast<float>(these.count) * (52 + these.gap) > area.width;
    const float needed = these.label_width + static_cast<float>(chips.size()) * step;
    if (crowded) {
      these.width = chip;
      these.count = static_cast<int>(chips.size());
    }
    const bool scrolls = crowded && needed > area.width;
    if (scrolls) {
      // The bar lies under the last line of numbers: the source has none below its chips.
      const char* label = is_source ? "source strip" : "output strip";
      const float height = is_source ? 66.0f : 78.0f;
      const std::optional<int> lit = pinned_chip(chips);
      int& shown_chip = is_source ? revealed_source_ : revealed_output_;
      if (lit && *lit != shown_chip) {
        const float at = these.label_width * (these.label.empty() ? 0.0f : 1.0f) +
                         (static_cast<float>(*lit) + 0.5f) * step;
        const float from = ui.scroll_of(label).x;
        if (at - step < from || at + step > from + rect.width) ui.scroll_to(label, {at - rect.width / 2, 0});
      }
      shown_chip = lit.value_or(-1);
      area = ui.begin_scroll({rect.x, y - 2, rect.width, height}, label, {needed, height - 4});
      area.y += 2;
    }
    draw_token_strip(ui.canvas(), area, chips, these);
    if (scrolls) ui.end_scroll();
  };
  if (one) {
    strip(source_strip_, rect.y + 14, source_strip_ ? source : output);
  } else {
    strip(true, rect.y + 10, source);
    strip(false, rect.y + 74, output);
    if (!free) {
      const TextStyle style = styles::caption(theme_);
      const std::string words =
          r.translation.empty() ? "the model writes nothing" : "the model writes  " + r.translation;
      const Rect line{rect.x + options.label_width, rect.y + 139, rect.width - options.label_width, 16};
      ui.canvas().text({line.x, line.center().y}, elided(ui.canvas(), words, style, line.width), style);
      ui.note(line, "what the model writes", words);
    }
  }
  ui.note({rect.x, rect.y, rect.width, 10}, "translation", r.translation);
}

// True when some word was cut: only then does a word start deserve a mark.
bool Shell::pieces_split(const std::vector<Piece>& pieces) {
  return std::ranges::any_of(pieces, [](const Piece& piece) { return !piece.word_start; });
}

// The rows of the decoder are the model's own output (else someone else's words are fed to it).
bool Shell::output_is_free() const {
  if (!result_ || result_->target_origin == TargetOrigin::model_output) return true;
  return result_->trace && !result_->trace->target_out.empty() &&
         result_->trace->target_out.front() == result_->decoding.ids;
}

// How probable the model held the word it should have written.
std::optional<double> Shell::right_probability(int row) const {
  const Tensor* p = result_->trace->find("log_probabilities");
  if (!p || p->rank() != 3 || result_->trace->target_out.empty()) return std::nullopt;
  const std::vector<int>& ids = result_->trace->target_out.front();
  if (row < 0 || static_cast<size_t>(row) >= ids.size()) return std::nullopt;
  const int index[3] = {0, row, ids[static_cast<size_t>(row)]};
  return std::exp(static_cast<double>(p->at(index)));
}

}  // namespace glassformer
