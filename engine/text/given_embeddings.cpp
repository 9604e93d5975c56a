#include "engine/text/given_embeddings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/files/safetensors.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kBuffer = 1 << 20, kLongestLine = 1 << 20;
constexpr long kMostUnpacked = 1L << 34;
constexpr std::size_t kMissing = 10;
constexpr int kWidest = 8192;

bool is_special(const Tokenizer& tokenizer, int id) {
  const SpecialIds& special = tokenizer.special();
  return id == special.pad || id == special.unk || id == special.bos || id == special.eos;
}

// The lines of a file of any size, one at a time, without their ends.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), file_(path, kMostUnpacked) {}

  // At least so many bytes of the beginning, where the file has them, before the first line is taken.
  std::string_view start(std::size_t bytes) {
    while (text_.size() < bytes && !over_) fill();
    if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    return text_;
  }

  std::optional<std::string_view> next() {
    while (true) {
      const std::size_t end = text_.find('\n', at_);
      if (end != std::string::npos) return line(end, end + 1);
      if (over_) return at_ == text_.size() ? std::nullopt : std::optional(line(text_.size(), text_.size()));
      if (text_.size() - at_ > kLongestLine)
        throw Error(path_, "line " + std::to_string(number_ + 1) + " is longer than a megabyte");
      text_.erase(0, std::exchange(at_, 0));
      const std::size_t wanted = text_.size() + kBuffer;
      while (text_.size() < wanted && !over_) fill();
    }
  }
  long number() const { return number_; }

 private:
  void fill() { over_ = !file_.add_to(text_); }

  std::string_view line(std::size_t end, std::size_t next) {
    std::string_view found = std::string_view(text_).substr(at_, end - at_);
    if (found.ends_with('\r')) found.remove_suffix(1);
    at_ = next;
    ++number_;
    return found;
  }

  std::string path_;
  TextStream file_;
  std::string text_;
  std::size_t at_ = 0;
  long number_ = 0;
  bool over_ = false;
};

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<float> number_of(std::string_view field) {
  float value = 0;
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool whole = error == std::errc() && end == field.data() + field.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

// Takes the last field off, and the blanks behind it.
std::string_view last_field(std::string_view& line) {
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  const std::size_t begin = line.find_last_of(" \t") + 1;
  const std::string_view field = line.substr(begin);
  line.remove_suffix(field.size());
  return field;
}

struct WordLine {
  std::string_view word;
  std::vector<std::string_view> numbers;  // the last one first
};

// The last `width` fields and what is before them; nothing when these look like no numbers.
bool take_apart(std::string_view line, int width, WordLine& parts) {
  parts.numbers.clear();
  for (int i = 0; i < width; ++i) {
    const std::string_view field = last_field(line);
    if (field.empty() || field.find_first_not_of("0123456789+-.eE") != field.npos) return false;
    parts.numbers.push_back(field);
  }
  // What is left is the word and the blanks behind it; the word may be a blank.
  const std::size_t end = line.find_last_not_of(" \t");
  parts.word =
      end == line.npos ? line.substr(0, line.empty() ? 0 : line.size() - 1) : line.substr(0, end + 1);
  if (end != line.npos) parts.word.remove_prefix(parts.word.find_first_not_of(" \t"));
  return !parts.word.empty();
}

// How many numbers the line ends in, one field left for the word.
int numbers_at_end(std::string_view line) {
  const bool blank_word = line.starts_with("  ");
  for (int count = 0;; ++count) {
    const std::string_view field = last_field(line);
    if (field.empty()) return blank_word ? count : std::max(0, count - 1);
    if (!number_of(field) || count > kWidest) return count;
  }
}

// "the,0.1,0.2" or "the;0.1;0.2", where a blank may follow the comma.
bool is_separated_values(std::string_view line) {
  for (const char separator : {',', ';'}) {
    const std::size_t last = line.rfind(separator);
    if (last == line.npos || last == 0) continue;
    const std::size_t before = line.rfind(separator, last - 1);
    if (before != line.npos && number_of(trimmed(line.substr(last + 1))) &&
        number_of(trimmed(line.substr(before + 1, last - before - 1))))
      return true;
  }
  return false;
}

constexpr const char* kTextForm =
    "; expected a line a word: the word, a blank and its numbers with blanks between. Save the vectors as ";

// Known by the bytes at a place of the file.
struct OtherForm {
  std::size_t at;
  std::string_view mark;
  const char *name, *instead;
};
constexpr OtherForm kOtherForms[] = {
    {0, "\xBA\x16\x4F\x2F", "a model in fastText's binary form",
     "text: fastText's training writes them as .vec beside this file"},
    {0, "\x93NUMPY", "an array of NumPy, which holds no words", "text, a word of your list before each row"},
    {0, "\x89HDF\r\n", "a file of HDF5", "text, with the program that wrote them"},
    {257, std::string_view("ustar\0", 6), "a tar archive", "text: tar -xf takes it out of this file"},
    {257, std::string_view("ustar  \0", 8), "a tar archive", "text: tar -xf takes it out of this file"},
    {0,
     "\xFD"
     "7zXZ",
     "compressed by xz", "text, or as .gz or .zip: unxz unpacks this file"},
    {4, "1AY&SY", "compressed by bzip2", "text, or as .gz or .zip: bunzip2 unpacks this file"},
    {0, "\x28\xB5\x2F\xFD", "compressed by zstd", "text, or as .gz or .zip: unzstd unpacks this file"},
    {0, "7z\xBC\xAF", "a 7z archive", "text, or as .gz or .zip: 7z x unpacks this file"},
    {0, "Rar!\x1A", "a RAR archive", "text, or as .gz or .zip: unrar x unpacks this file"},
    {0, "\x80\x02", "a pickle of Python", "text, for example with gensim's save_word2vec_format(name)"},
    {0, "\x80\x03", "a pickle of Python", "text, for example with gensim's save_word2vec_format(name)"},
    {0, "\x80\x04", "a pickle of Python", "text, for example with gensim's save_word2vec_format(name)"},
    {0, "\x80\x05", "a pickle of Python", "text, for example with gensim's save_word2vec_format(name)"}};

// "400000 300" and a word, then bytes.
bool is_word2vec(std::string_view start) {
  const std::string_view head = start.substr(0, start.find('\n'));
  const std::size_t blank = head.find(' ');
  return blank != head.npos && is_whole(head.substr(0, blank)) && is_whole(trimmed(head.substr(blank + 1)));
}

// What vectors come in besides the text form, by the beginning of the file. A word may be a brace: JSON is
// not asked for where lines end in numbers.
void refuse_other_form(std::string_view start, const std::vector<std::string_view>& lines,
                       const std::string& path) {
  const auto refuse = [&](const std::string& what, const std::string& instead) {
    throw Error(path, "this is " + what + kTextForm + instead);
  };
  for (const OtherForm& form : kOtherForms)
    if (start.size() > form.at && start.substr(form.at).starts_with(form.mark))
      refuse(form.name, form.instead);
  const auto controls = static_cast<std::size_t>(std::ranges::count_if(start, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  }));
  constexpr std::size_t kShareOfControls = 50;
  const bool binary = controls * kShareOfControls > start.size();
  if (binary && is_word2vec(start))
    refuse("word2vec's binary form",
           "text, for example with gensim's save_word2vec_format(name, binary=False)");
  const bool marked = start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF");
  if (const std::string wide = marked ? "UTF-16" : wide_encoding(start); !wide.empty())
    refuse((marked ? "text in " : "binary, or text in ") + wide,
           "text in UTF-8: of text, iconv -f " + wide + " -t UTF-8 makes it");
  if (binary) refuse("binary", "text, with the program that wrote them");
  const std::string_view head = trimmed(start);
  const bool numbers = !lines.empty() && numbers_at_end(lines.front()) > 0;
  if (!numbers && (head.starts_with("{\"") || head.starts_with("{\n") || head.starts_with("{\r") ||
                   head.starts_with('[')))
    refuse("JSON", "text, for example with a script of a few lines");
  if (std::ranges::any_of(lines, is_separated_values))
    refuse("CSV", "text with a blank in place of each comma or semicolon");
}

std::unordered_map<std::string, int> words_of(const Tokenizer& tokenizer) {
  std::unordered_map<std::string, int> words;
  for (int id = 0; id < tokenizer.size(); ++id)
    if (!is_special(tokenizer, id) && tokenizer.starts_word(id)) words.emplace(tokenizer.piece(id), id);
  return words;
}

class TextReader {
 public:
  TextReader(const std::string& path, const Tokenizer& tokenizer)
      : path_(path), tokenizer_(tokenizer), words_(words_of(tokenizer)), lines_(path) {}

  GivenEmbeddings read() {
    given_.found.assign(static_cast<std::size_t>(tokenizer_.size()), false);
    const std::string_view start = lines_.start(kBuffer);
    const int width = width_of(start);
    given_.rows = Matrix<float>::Zero(tokenizer_.size(), width);
    while (const auto line = lines_.next())
      if (!(has_head_ && lines_.number() == 1) && !trimmed(*line).empty()) take(*line);
    return std::move(given_);
  }

 private:
  // What the first line says, or how many numbers most lines end in.
  int width_of(std::string_view start) {
    constexpr std::size_t kLooked = 1000;
    std::vector<std::string_view> lines = split_lines(start);
    if (lines.size() > kLooked) lines.resize(kLooked);
    std::map<int, long> counts;
    for (const std::string_view line : lines) ++counts[numbers_at_end(line)];
    const std::optional<int> head = lines.empty() ? std::nullopt : head_width(lines.front());
    if (head) --counts[numbers_at_end(lines.front())];
    const auto common = std::ranges::max_element(counts, {}, [](const auto& entry) {
      return entry.first > 0 && entry.first <= kWidest ? entry.second : 0;
    });
    const bool none =
        common == counts.end() || common->first <= 0 || common->first > kWidest || common->second <= 0;
    has_head_ = head.has_value();
    refuse_other_form(start, lines, path_);
    WordLine parts;
    if (head && std::ranges::any_of(lines, [&](auto line) { return take_apart(line, *head, parts); }))
      return *head;
    if (!none && !head) return common->first;
    if (lines.empty()) return 1;
    if (!none)
      throw Error(path_, "line 1 says " + std::to_string(*head) + " numbers a word; most lines have " +
                             std::to_string(common->first));
    throw Error(path_, "line " + std::to_string(head ? 2 : 1) + ": expected a word and its 1 to " +
                           std::to_string(kWidest) + " numbers, found “" +
                           excerpt_of(lines[head && lines.size() > 1 ? 1 : 0]) + "”");
  }

  // "400000 300": how many words, and how long their vectors are.
  static std::optional<int> head_width(std::string_view line) {
    const std::string_view width = last_field(line), words = last_field(line);
    const auto length = number_of(width);
    const bool head = trimmed(line).empty() && is_whole(words) && is_whole(width) && length && *length >= 1 &&
                      *length <= kWidest;
    return head ? std::optional(static_cast<int>(*length)) : std::nullopt;
  }

  void take(std::string_view line) {
    if (!take_apart(line, given_.width(), parts_)) return leave_out();
    const auto word = words_.find(std::string(parts_.word));
    if (word == words_.end() || given_.found[static_cast<std::size_t>(word->second)]) return;
    std::vector<float> row;
    for (auto field = parts_.numbers.rbegin(); field != parts_.numbers.rend(); ++field) {
      const auto value = number_of(*field);
      if (!value) return leave_out();
      row.push_back(*value);
    }
    given_.rows.row(word->second) = Eigen::Map<const Eigen::RowVectorXf>(row.data(), given_.width());
    given_.found[static_cast<std::size_t>(word->second)] = true;
  }
  void leave_out() {
    if (given_.odd_lines++ == 0) given_.first_odd = lines_.number();
  }

  const std::string& path_;
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string, int> words_;
  LineReader lines_;
  GivenEmbeddings given_;
  WordLine parts_;
  bool has_head_ = false;
};

GivenEmbeddings read_matrix(const std::string& path, const Tokenizer& tokenizer) {
  const Safetensors file = Safetensors::read(path);
  std::vector<std::string> matrices;
  for (const auto& [name, entry] : file.entries())
    if (entry.shape.size() == 2 && file.holds_floats(name)) matrices.push_back(name);
  if (matrices.size() != 1)
    throw Error(path, "expected one matrix of numbers, found " + std::to_string(matrices.size()));
  const std::vector<long>& shape = file.at(matrices.front()).shape;
  if (shape[0] != tokenizer.size() || shape[1] < 1 || shape[1] > kWidest)
    throw Error(path, "expected a matrix of " + std::to_string(tokenizer.size()) + " rows of 1 to " +
                          std::to_string(kWidest) + " numbers, found " + std::to_string(shape[0]) + " × " +
                          std::to_string(shape[1]));
  GivenEmbeddings given;
  given.rows.resize(shape[0], shape[1]);
  file.copy_floats(matrices.front(), {static_cast<int>(shape[0]), static_cast<int>(shape[1])},
                   given.rows.data());
  if (!given.rows.allFinite()) throw Error(path, "its matrix holds what is no finite number");
  given.found.assign(static_cast<std::size_t>(tokenizer.size()), true);
  return given;
}

}  // namespace

GivenEmbeddings read_embeddings(const std::string& path, const Tokenizer& tokenizer) {
  const bool matrix = std::filesystem::path(path).extension() == ".safetensors";
  GivenEmbeddings given = matrix ? read_matrix(path, tokenizer) : TextReader(path, tokenizer).read();
  for (int id = 0; id < tokenizer.size(); ++id) {
    if (is_special(tokenizer, id)) continue;
    if (given.found[static_cast<std::size_t>(id)])
      ++given.words_found;
    else if (given.missing.size() < kMissing)
      given.missing.push_back(tokenizer.piece(id));
  }
  if (given.words_found == 0) throw Error(path, "it has not one word of the vocabulary");
  return given;
}

std::string found_words(const GivenEmbeddings& given, const Tokenizer& tokenizer, const std::string& path) {
  std::string text = std::to_string(given.words_found) + " of " +
                     std::to_string(tokenizer.size() - kSpecials) + " words found in " +
                     std::filesystem::path(path).filename().string();
  for (std::size_t i = 0; i < given.missing.size(); ++i)
    text += (i == 0 ? "; as drawn: " : ", ") + given.missing[i];
  const long all = tokenizer.size() - kSpecials - given.words_found;
  if (all > static_cast<long>(given.missing.size())) text += ", …";
  if (given.odd_lines > 0)
    text += "; left out: " + std::to_string(given.odd_lines) + (given.odd_lines == 1 ? " line" : " lines") +
            " without a word and its " + std::to_string(given.width()) + " numbers, the first is line " +
            std::to_string(given.first_odd);
  return text;
}

}  // namespace glassformer
