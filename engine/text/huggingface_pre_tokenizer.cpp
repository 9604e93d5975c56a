#include "engine/text/huggingface_stage.h"

#include <algorithm>
#include <array>

#include "engine/text/categories.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

namespace {

enum class Behaviour { removed, isolated, with_previous, with_next, contiguous };

Behaviour behaviour_of(const nlohmann::json& json, const std::string& where) {
  const std::string name = text_of(json, "behavior", "Isolated");
  if (name == "Removed") return Behaviour::removed;
  if (name == "Isolated") return Behaviour::isolated;
  if (name == "MergedWithPrevious") return Behaviour::with_previous;
  if (name == "MergedWithNext") return Behaviour::with_next;
  if (name == "Contiguous") return Behaviour::contiguous;
  throw Error(where, "the behaviour " + shown(name) + " of one of its stages is not read");
}

struct Run {
  std::string text;
  bool match = false;
};

// What becomes of what matches, and of what is between. Of several matches in a row one alone is merged with
// the word beside them.
Words cut_runs(std::vector<Run> runs, Behaviour behaviour) {
  std::erase_if(runs, [](const Run& run) { return run.text.empty(); });
  if (behaviour == Behaviour::with_next) std::ranges::reverse(runs);
  Words words;
  bool last_match = false;
  for (const Run& run : runs) {
    const bool merges = behaviour == Behaviour::with_previous || behaviour == Behaviour::with_next
                            ? run.match && !last_match
                            : behaviour == Behaviour::contiguous && run.match && last_match;
    last_match = run.match;
    if (run.match && behaviour == Behaviour::removed) continue;
    if (!merges || words.empty())
      words.push_back(run.text);
    else if (behaviour == Behaviour::with_next)
      words.back().insert(0, run.text);
    else
      words.back() += run.text;
  }
  if (behaviour == Behaviour::with_next) std::ranges::reverse(words);
  return words;
}

// Every sign a separate run where it matches, or all neighbours that match one.
template <class Matches>
std::vector<Run> runs_of_signs(std::string_view text, Matches matches, bool each_alone) {
  std::vector<Run> runs;
  for (const char32_t sign : code_points(text)) {
    const bool match = matches(sign);
    if (runs.empty() || runs.back().match != match || (match && each_alone)) runs.push_back({"", match});
    append_utf8(runs.back().text, sign);
  }
  return runs;
}
std::vector<Run> runs_of_text(std::string_view text, std::string_view pattern) {
  std::vector<Run> runs;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(pattern, at);
    runs.push_back({std::string(text.substr(at, next - at)), false});
    if (next == text.npos) return runs;
    runs.push_back({std::string(pattern), true});
    at = next + pattern.size();
  }
}

template <class Cut>
PreTokenizer each_word(Cut cut) {
  return [cut](Words words, bool) {
    Words result;
    for (const std::string& word : words)
      for (std::string& part : cut(word)) result.push_back(std::move(part));
    return result;
  };
}

// The cuts of GPT-2: 's and its like, letters, numbers or other signs with at most one blank before them, and
// blanks.
Words as_gpt_cuts(const std::string& text) {
  const std::vector<char32_t> signs = code_points(text);
  const auto class_at = [&](std::size_t at) {
    const char32_t sign = signs[at];
    return is_white_space(sign) ? 0 : is_letter_by_category(sign) ? 1 : is_decimal_or_number(sign) ? 2 : 3;
  };
  const auto short_form = [&](std::size_t at) -> std::size_t {
    for (const std::u32string_view form : {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"})
      if (signs.size() - at >= form.size() &&
          std::equal(form.begin(), form.end(), signs.begin() + static_cast<std::ptrdiff_t>(at)))
        return form.size();
    return 0;
  };
  Words words;
  for (std::size_t at = 0; at < signs.size();) {
    std::size_t end = at + short_form(at);
    if (end == at) {
      const bool blank = signs[at] == U' ' && at + 1 < signs.size() && class_at(at + 1) != 0;
      const std::size_t begin = at + (blank ? 1 : 0);
      const int kind = class_at(begin);
      for (end = begin; end < signs.size() && class_at(end) == kind;) ++end;
      // Of blanks before a word the last belongs to the word, where it is a space.
      if (kind == 0 && end < signs.size() && end - at > 1) --end;
    }
    words.push_back(to_utf8(
        {signs.begin() + static_cast<std::ptrdiff_t>(at), signs.begin() + static_cast<std::ptrdiff_t>(end)}));
    at = end;
  }
  return words;
}

PreTokenizer byte_level(const nlohmann::json& json) {
  const bool prefix = flag_of(json, "add_prefix_space", true), cuts = flag_of(json, "use_regex", true);
  return [=](const Words& words, bool) {
    Words result;
    for (const std::string& word : words) {
      const std::string text = (prefix && !word.starts_with(' ') ? " " : "") + word;
      for (const std::string& part : cuts ? as_gpt_cuts(text) : Words{text}) {
        result.emplace_back();
        for (const char byte : part) append_utf8(result.back(), byte_sign(static_cast<unsigned char>(byte)));
      }
    }
    return result;
  };
}

PreTokenizer metaspace(const nlohmann::json& json, const std::string& where) {
  const std::string mark = sign_of(json, "replacement", "▁", where), scheme = prepend_scheme(json);
  const bool cuts = flag_of(json, "split", true);
  return [=](const Words& words, bool first) {
    Words result;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string text = replaced(words[i], " ", mark);
      const bool prepends = scheme == "always" || (scheme == "first" && first && i == 0);
      if (prepends && !text.starts_with(mark)) text.insert(0, mark);
      for (std::string& part : cuts ? cut_runs(runs_of_text(text, mark), Behaviour::with_next) : Words{text})
        result.push_back(std::move(part));
    }
    return result;
  };
}

}  // namespace

char32_t byte_sign(unsigned char byte) {
  static const std::array<char32_t, 256> signs = [] {
    std::array<char32_t, 256> table{};
    char32_t next = 256;
    for (unsigned i = 0; i < 256; ++i) {
      const bool itself = (i >= 33 && i <= 126) || (i >= 161 && i <= 172) || i >= 174;
      table[i] = itself ? i : next++;
    }
    return table;
  }();
  return signs[byte];
}

std::string bytes_of_signs(std::string_view signs) {
  std::string bytes;
  for (const char32_t sign : code_points(signs)) {
    int byte = 0;
    while (byte < 256 && byte_sign(static_cast<unsigned char>(byte)) != sign) ++byte;
    if (byte == 256) return std::string(signs);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

PreTokenizer read_pre_tokenizer(const nlohmann::json& json, const std::string& where) {
  if (json.is_null()) return [](Words words, bool) { return words; };
  const std::string type = stage_type(json, where);
  if (type == "Sequence") {
    const auto stages =
        read_stages<PreTokenizer>(parts_of(json, "pretokenizers", where),
                                  [&](const auto& part) { return read_pre_tokenizer(part, where); });
    return [stages](Words words, bool first) {
      for (const PreTokenizer& stage : stages) words = stage(std::move(words), first);
      return words;
    };
  }
  const auto by_sign = [&](auto matches, bool alone, Behaviour behaviour) {
    return each_word(
        [=](const std::string& word) { return cut_runs(runs_of_signs(word, matches, alone), behaviour); });
  };
  if (type == "Whitespace") return each_word(split_at_signs);
  if (type == "WhitespaceSplit") return by_sign(is_white_space, false, Behaviour::removed);
  if (type == "ByteLevel") return byte_level(json);
  if (type == "Metaspace") return metaspace(json, where);
  if (type == "BertPreTokenizer") {
    const PreTokenizer blanks = by_sign(is_white_space, false, Behaviour::removed),
                       signs = by_sign(is_bert_punctuation, true, Behaviour::isolated);
    return [=](const Words& words, bool first) { return signs(blanks(words, first), first); };
  }
  if (type == "Punctuation") return by_sign(is_bert_punctuation, true, behaviour_of(json, where));
  if (type == "Digits")
    return by_sign(is_decimal_or_number, flag_of(json, "individual_digits", false), Behaviour::isolated);
  if (type == "Split") {
    if (flag_of(json, "invert", false)) throw Error(where, "its Split is inverted, which is not read");
    return each_word([pattern = plain_pattern(json, where),
                      behaviour = behaviour_of(json, where)](const std::string& word) {
      return cut_runs(runs_of_text(word, pattern), behaviour);
    });
  }
  refuse_stage("pre-tokenizer", type, where);
}

}  // namespace glassformer::huggingface
