#include "app/lessons/scene_lines.h"

#include <algorithm>
#include <charconv>
#include <utility>

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

}  // namespace

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
  if (words[0] == "beam") {
    options.search = Search::beam;
    options.beam = static_cast<int>(number_behind(words, at));
  } else if (words[0] == "greedy" || words[0] == "sample") {
    options.search = words[0] == "greedy" ? Search::greedy : Search::sampling;
    at = 1;
  } else {
    throw Mismatch("greedy, beam or sample", "“" + words[0] + "”");
  }
  while (at < words.size()) {
    const std::string key = words[at];
    const double number = number_behind(words, at);
    if (key == "alpha")
      options.alpha = number;
    else if (key == "temperature")
      options.temperature = number;
    else if (key == "top-k")
      options.top_k = static_cast<int>(number);
    else if (key == "top-p")
      options.top_p = number;
    else if (key == "seed")
      options.seed = static_cast<std::uint64_t>(number);
    else
      throw Mismatch("alpha, temperature, top-k, top-p or seed", "“" + key + "”");
  }
  return options;
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
