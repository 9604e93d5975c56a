#include "app/reading/scene_words.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/session/run_scene.h"
#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

std::vector<int> row_of(const std::vector<std::vector<int>>& rows, int sentence) {
  const auto at = static_cast<size_t>(sentence);
  return at < rows.size() ? rows[at] : std::vector<int>{};
}

}  // namespace

std::vector<std::string> source_words(const ViewInput& input, int sentence) {
  if (sentence == 0) return input.result.source_words;
  return words_of(input.tokenizers.source.get(), input.snapshot.config,
                  row_of(input.result.trace->source, sentence));
}

std::vector<std::string> target_in_words(const ViewInput& input, int sentence) {
  if (sentence == 0) return input.result.target_in_words;
  return words_of(input.tokenizers.target.get(), input.snapshot.config,
                  row_of(input.result.trace->target_in, sentence));
}

std::vector<std::string> target_out_words(const ViewInput& input, int sentence) {
  if (sentence == 0) return input.result.target_out_words;
  return words_of(input.tokenizers.target.get(), input.snapshot.config,
                  row_of(input.result.trace->target_out, sentence));
}

std::vector<std::string> query_words(const ViewInput& input, AttentionKind kind, int sentence) {
  return kind == AttentionKind::encoder ? source_words(input, sentence) : target_in_words(input, sentence);
}

std::vector<std::string> key_words(const ViewInput& input, AttentionKind kind, int sentence) {
  return kind == AttentionKind::decoder ? target_in_words(input, sentence) : source_words(input, sentence);
}

const char* bar_words(const Tokenizer* tokenizer) {
  return tokenizer && cuts_into_pieces(tokenizer->kind()) ? "; a bar begins a word" : "";
}

bool begins_word(const Tokenizer* tokenizer, int id) {
  return tokenizer && id >= 0 && id < tokenizer->size() && cuts_into_pieces(tokenizer->kind()) &&
         tokenizer->starts_word(id);
}

bool inside_word(const ViewInput& input, int id) {
  const Tokenizer* tokenizer = input.tokenizers.target.get();
  if (!tokenizer || id >= tokenizer->size()) return false;
  if (!cuts_into_pieces(tokenizer->kind())) return false;
  return !tokenizer->starts_word(id) && !is_special_word(word_of(tokenizer, input.snapshot.config, id));
}

std::string row_name(const std::string& read, const std::string& written) {
  return "after " + read + ", writing " + written;
}

std::string target_word(const ViewInput& input, int id) {
  const Tokenizer* tokenizer = input.tokenizers.target.get();
  const std::string text =
      word_of(tokenizer && id < tokenizer->size() ? tokenizer : nullptr, input.snapshot.config, id);
  if (text.empty() || text == " ") return "␣";
  return inside_word(input, id) ? "·" + text : text;
}

std::string start_word(const ViewInput& input) {
  return target_word(input, input.snapshot.config.first_id());
}

std::string target_text(const ViewInput& input, const std::vector<int>& ids) {
  const Tokenizer* tokenizer = input.tokenizers.target.get();
  const int eos = input.snapshot.config.eos_id;
  std::string text;
  if (tokenizer && std::ranges::all_of(ids, [&](int id) { return id < tokenizer->size(); })) {
    text = tokenizer->decode(ids);
    if (!ids.empty() && ids.back() == eos) text += text.empty() ? "<eos>" : " <eos>";
  }
  if (!text.empty()) return text;
  for (const int id : ids) text += (text.empty() ? "" : " ") + target_word(input, id);
  return text;
}

bool has_right_words(const ViewInput& input, int sentence) {
  const auto at = static_cast<size_t>(sentence);
  const SceneResult& result = input.second_of_two && input.other ? *input.other : input.result;
  if (at >= result.scene.sentences.size()) return false;
  const SceneSentence& shown = result.scene.sentences[at];
  return shown.target || shown.reference;
}

bool writes_what_is_asked(const Trace& trace, int sentence) {
  const std::vector<int>& asked = trace.target_out[static_cast<std::size_t>(sentence)];
  const Plane logits = trace.plane(output_value(ValueKind::logits), sentence);
  for (int place = 0; place < static_cast<int>(asked.size()); ++place) {
    const float right = logits(place, asked[static_cast<std::size_t>(place)]);
    for (int id = 0; id < logits.columns; ++id)
      if (logits(place, id) > right) return false;
  }
  return true;
}

std::string asked_word(const ViewInput& input, int sentence) {
  return has_right_words(input, sentence) ? "right word" : "own word";
}

std::string the_asked_word(const ViewInput& input, int sentence) {
  return (has_right_words(input, sentence) ? "the " : "its ") + asked_word(input, sentence);
}

std::string given_words(const ViewInput& input, int sentence) {
  return has_right_words(input, sentence) ? "given the right words" : "given its own words";
}

std::string given_words(const ViewInput& input) {
  const int all = static_cast<int>(input.result.scene.sentences.size());
  int known = 0;
  for (int sentence = 0; sentence < all; ++sentence) known += has_right_words(input, sentence) ? 1 : 0;
  if (known == all) return "given the right words";
  return known == 0 ? "given its own words" : "given the right words where they are known, else its own";
}

int attention_layers(const Config& config, AttentionKind kind) {
  return kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
}

std::string source_language(const ViewInput& input) {
  return input.source_language.empty() ? "source" : input.source_language;
}

std::string target_language(const ViewInput& input) {
  return input.target_language.empty() ? "target" : input.target_language;
}

std::string plain_word(const std::string& word) {
  return word == "<eos>" ? "(end)" : word;
}

bool is_special_word(const std::string& word) {
  return word == "<bos>" || word == "<eos>" || word == "<pad>" || word == "<unk>";
}

std::string attention_title(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "encoder self-attention";
    case AttentionKind::decoder:
      return "masked self-attention";
    case AttentionKind::cross:
      break;
  }
  return "cross-attention";
}

namespace {

struct OutputWord {
  int first = 0, count = 0;         // its pieces
  std::string text;                 // no two words that differ have the same
  std::vector<std::string> pieces;  // of each the text
};

std::vector<OutputWord> words_among(const std::vector<int>& ids, const Tokenizer* tokenizer) {
  std::vector<OutputWord> words;
  bool apart = true;  // the next piece begins a word
  for (int place = 0; place < static_cast<int>(ids.size()); ++place) {
    const int id = ids[static_cast<std::size_t>(place)];
    const bool known = tokenizer && id >= 0 && id < tokenizer->size();
    const SpecialIds special = known ? tokenizer->special() : SpecialIds{};
    const bool alone =
        !known || id == special.pad || id == special.unk || id == special.bos || id == special.eos;
    const std::string text = alone ? "<" + std::to_string(id) + ">" : tokenizer->piece(id);
    const bool blank = !alone && text == " ";
    if (words.empty() || alone || apart || tokenizer->starts_word(id)) words.push_back({.first = place});
    OutputWord& word = words.back();
    ++word.count;
    if (!blank) word.text += text;
    word.pieces.push_back(text);
    apart = alone || blank;  // of letters a blank ends the word
  }
  return words;
}

// Texts to compare, each as one word without a blank.
std::string in_one_line(const std::vector<std::string>& texts, std::vector<std::string>& known) {
  std::string line;
  for (const std::string& text : texts) {
    const auto found = std::ranges::find(known, text);
    line += (line.empty() ? "" : " ") + std::to_string(found - known.begin());
    if (found == known.end()) known.push_back(text);
  }
  return line;
}

// Indices of both.
std::vector<OutputColumn> laid_out(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after) {
  std::vector<std::string> known;
  const std::string first = in_one_line(before, known), second = in_one_line(after, known);
  const WordDifferences marked = compare_both(first, second);
  std::vector<OutputColumn> columns;
  std::size_t i = 0, j = 0;
  const auto common = [](const WordDifference& side, std::size_t at) {
    return at < side.words.size() && side.words[at].right;
  };
  while (i < before.size() || j < after.size()) {
    OutputColumn column;
    const bool first_common = common(marked.first, i), second_common = common(marked.second, j);
    column.same = first_common && second_common;
    if (i < before.size() && (column.same || !first_common)) column.before = static_cast<int>(i++);
    if (j < after.size() && (column.same || !second_common)) column.after = static_cast<int>(j++);
    columns.push_back(column);
  }
  return columns;
}

std::vector<std::string> texts_of(const std::vector<OutputWord>& words) {
  std::vector<std::string> texts;
  for (const OutputWord& word : words) texts.push_back(word.text);
  return texts;
}

}  // namespace

std::vector<OutputColumn> aligned(const std::vector<int>& before, const std::vector<int>& after,
                                  const Tokenizer* tokenizer) {
  const std::vector<OutputWord> first = words_among(before, tokenizer),
                                second = words_among(after, tokenizer);
  const OutputWord nothing;
  std::vector<OutputColumn> columns;
  for (const OutputColumn& pair : laid_out(texts_of(first), texts_of(second))) {
    const OutputWord& above = pair.before ? first[static_cast<std::size_t>(*pair.before)] : nothing;
    const OutputWord& below = pair.after ? second[static_cast<std::size_t>(*pair.after)] : nothing;
    bool begins = true;
    for (OutputColumn column : laid_out(above.pieces, below.pieces)) {
      if (column.before) *column.before += above.first;
      if (column.after) *column.after += below.first;
      column.same = pair.same;
      column.begins = std::exchange(begins, false);
      columns.push_back(column);
    }
  }
  return columns;
}

int words_in(const std::vector<OutputColumn>& columns) {
  return static_cast<int>(std::ranges::count(columns, true, &OutputColumn::begins));
}

int changed_words(const std::vector<OutputColumn>& columns) {
  return static_cast<int>(std::ranges::count_if(
      columns, [](const OutputColumn& column) { return column.begins && !column.same; }));
}

}  // namespace glassformer
