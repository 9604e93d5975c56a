#include "app/lessons/scene_lines.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "app/lessons/quoted_text.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

double number_behind(const std::vector<std::string>& words, std::size_t& at) {
  const std::string what = words[at];
  if (++at == words.size()) throw Mismatch("a number behind " + what, "nothing");
  double number = 0;
  const char* const end = words[at].data() + words[at].size();
  const auto [behind, failed] = std::from_chars(words[at].data(), end, number);
  if (failed != std::errc() || behind != end || !(number >= 0 && number < 1e9))
    throw Mismatch("a number behind " + what, "“" + words[at] + "”");
  ++at;
  return number;
}

std::uint64_t seed_behind(const std::vector<std::string>& words, std::size_t& at) {
  if (++at == words.size()) throw Mismatch("a whole number behind seed", "nothing");
  std::uint64_t seed = 0;
  const char* const end = words[at].data() + words[at].size();
  const auto [behind, failed] = std::from_chars(words[at].data(), end, seed);
  if (failed != std::errc() || behind != end)
    throw Mismatch("a whole number behind seed", "“" + words[at] + "”");
  ++at;
  return seed;
}

}  // namespace

bool is_scene_word(std::string_view word) {
  return std::ranges::find(kSceneWords, word) != kSceneWords.end();
}

SceneLine scene_line(const LessonLine& line) {
  const std::string& word = line.keyword;
  if (!line.language.empty()) throw Mismatch(word, "“" + line.keyword + "." + line.language + "”");
  if (line.value.empty()) throw Mismatch("a value behind " + word, "nothing");
  if (word == "kind") attention_kind(line.value);
  if (word == "layer") whole_number(line.value, "layer", 1);
  if (word == "head" && line.value != "mean") whole_number(line.value, "head", 1);
  if (word == "step") whole_number(line.value, word);
  return {.line = line.number, .keyword = word, .value = line.value};
}

std::string attention_text(AttentionKind kind) {
  return kind == AttentionKind::encoder ? "encoder" : kind == AttentionKind::decoder ? "decoder" : "cross";
}

AttentionKind attention_kind(const std::string& text) {
  if (text == "encoder") return AttentionKind::encoder;
  if (text == "decoder") return AttentionKind::decoder;
  if (text == "cross") return AttentionKind::cross;
  throw Mismatch("encoder, decoder or cross", "“" + text + "”");
}

DecodeOptions decode_options(const std::string& text) {
  DecodeOptions options;
  const std::vector<std::string> words = words_of_line(text);
  if (words.empty()) throw Mismatch("greedy, beam or sample", "nothing");
  std::size_t at = 0;
  const auto beam = [&] {
    const double width = number_behind(words, at);
    if (!(width >= 1 && width <= kMostBeam))
      throw Mismatch("a beam of 1 to " + std::to_string(kMostBeam), words[at - 1]);
    return static_cast<int>(width);
  };
  if (words[0] == "beam") {
    options.search = Search::beam;
    options.beam = beam();
  } else if (words[0] == "greedy" || words[0] == "sample") {
    options.search = words[0] == "greedy" ? Search::greedy : Search::sampling;
    at = 1;
  } else {
    throw Mismatch("greedy, beam or sample", "“" + words[0] + "”");
  }
  while (at < words.size()) {
    const std::string key = words[at];
    if (key == "width") {
      options.beam = beam();
      continue;
    }
    if (key == "penalty" && at + 1 < words.size() &&
        (words[at + 1] == "length" || words[at + 1] == "paper")) {
      options.penalty = words[at + 1] == "length" ? LengthPenalty::length : LengthPenalty::paper;
      at += 2;
      continue;
    }
    if (key == "seed") {
      options.seed = seed_behind(words, at);
      continue;
    }
    const double number = number_behind(words, at);
    if (key == "alpha")
      options.alpha = number;
    else if (key == "temperature")
      options.temperature = number;
    else if (key == "top-k")
      options.top_k = static_cast<int>(number);
    else if (key == "top-p")
      options.top_p = number;
    else
      throw Mismatch("alpha, temperature, top-k, top-p or seed", "“" + key + "”");
  }
  return options;
}

std::string decode_text(const DecodeOptions& options) {
  const DecodeOptions usual;
  std::string text = options.search == Search::greedy ? "greedy"
                     : options.search == Search::beam ? "beam " + std::to_string(options.beam)
                                                      : "sample";
  const auto put = [&](const char* key, const auto& value, const auto& as_usual, const std::string& written) {
    if (value != as_usual) text += std::string(" ") + key + " " + written;
  };
  if (options.search != Search::beam) put("width", options.beam, usual.beam, std::to_string(options.beam));
  put("alpha", options.alpha, usual.alpha, written_number(options.alpha));
  put("penalty", options.penalty, usual.penalty,
      options.penalty == LengthPenalty::length ? "length" : "paper");
  put("temperature", options.temperature, usual.temperature, written_number(options.temperature));
  put("top-k", options.top_k, usual.top_k, std::to_string(options.top_k));
  put("top-p", options.top_p, usual.top_p, written_number(options.top_p));
  put("seed", options.seed, usual.seed, std::to_string(options.seed));
  return text;
}

std::string pin_text(const Selection& selection) {
  std::string text;
  const auto put = [&](const std::string& word, const std::string& value) {
    text += (text.empty() ? "" : " ") + word + " " + value;
  };
  if (selection.query) put("query", std::to_string(*selection.query));
  if (selection.key) put("key", std::to_string(*selection.key));
  for (const int query : selection.more_queries) put("query", std::to_string(query));
  for (const int key : selection.more_keys) put("key", std::to_string(key));
  if (!selection.cell) return text;
  std::string cell = selection.cell->name + "[";
  for (std::size_t i = 0; i < selection.cell->index.size(); ++i)
    cell += (i == 0 ? "" : ",") + std::to_string(selection.cell->index[i]);
  put(selection.cell->gradient ? "gradient" : "cell", cell + "]");
  return text;
}

CellRef cell_of(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos || open == 0 || !text.ends_with(']'))
    throw Mismatch("NAME[0,1] for a number", "“" + text + "”");
  CellRef cell{.name = text.substr(0, open)};
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  if (inside.empty()) return cell;
  for (const std::string& each : between(inside, ',')) {
    cell.index.push_back(static_cast<int>(std::min(whole_number(each, "a place"), 1L << 30)));
    if (cell.index.size() > 8) throw Mismatch("NAME[0,1] for a number", "“" + text + "”");
  }
  return cell;
}

std::pair<std::string, std::string> control_and_value(const std::string& text) {
  const auto mismatch = [&] { return Mismatch("set CONTROL VALUE", "“" + text + "”"); };
  std::string_view rest = trimmed(text);
  std::string control;
  if (rest.starts_with('"')) {
    control = take_quoted(rest);
  } else {
    control = rest.substr(0, rest.find(' '));
    rest.remove_prefix(control.size());
  }
  rest = trimmed(rest);
  if (rest.empty()) throw mismatch();
  if (!rest.starts_with('"')) return {control, std::string(rest)};
  std::string value = take_quoted(rest);
  if (!trimmed(rest).empty()) throw mismatch();
  return {control, value};
}

std::string control_text(const std::string& control, const std::string& value) {
  return quoted_where_blank(control) + " " + quoted_where_blank(value);
}

int place_in(const std::string& text, const std::vector<std::string>& words, const std::string& what) {
  const ValueAxis axis{.words = words};
  const int length = static_cast<int>(words.size());
  const char* const end = text.data() + text.size();
  if (text.starts_with('"')) {
    const std::size_t closing = text.find('"', 1);
    if (closing == std::string::npos) throw Mismatch("a closing quotation mark", "“" + text + "”");
    int number = 1;
    if (closing + 1 < text.size()) {
      if (text[closing + 1] != '#') throw Mismatch("a quoted word", "“" + text + "”");
      number = static_cast<int>(
          std::min<long>(whole_number(text.substr(closing + 2), "which of them"), 1'000'000));
    }
    return static_cast<int>(entry_of(one_word(text.substr(1, closing - 1)), axis, length, what, number));
  }
  double number = 0;
  const auto [behind, failed] = std::from_chars(text.data(), end, number);
  const bool numeric = failed == std::errc() && behind == end;
  return static_cast<int>(entry_of(numeric ? one_number(number) : one_word(text), axis, length, what));
}

long whole_number(std::string_view text, const std::string& what, long from) {
  constexpr long kMost = 1L << 31;
  long number = -1;
  const char* const end = text.data() + text.size();
  const auto [behind, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || behind != end || number < from || number > kMost)
    throw Mismatch("a whole number from " + std::to_string(from) + " on for " + what,
                   text.empty() ? "nothing" : "“" + std::string(text) + "”");
  return number;
}

std::vector<std::string> words_of_line(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace glassformer
