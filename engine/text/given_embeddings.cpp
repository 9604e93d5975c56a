#include "engine/text/given_embeddings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kBuffer = 1 << 20, kLongestLine = 1 << 20;
constexpr std::size_t kMissing = 10;
constexpr int kWidest = 8192;

bool is_special(const Tokenizer& tokenizer, int id) {
  const SpecialIds& special = tokenizer.special();
  return id == special.pad || id == special.unk || id == special.bos || id == special.eos;
}

// The lines of a file of any size, one at a time, without their ends.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : file_(path) {}

  std::optional<std::string_view> next() {
    while (true) {
      const std::size_t end = text_.find('\n', at_);
      if (end != std::string::npos) return line(end, end + 1);
      if (over_) return at_ == text_.size() ? std::nullopt : std::optional(line(text_.size(), text_.size()));
      if (text_.size() - at_ > kLongestLine)
        throw Error(file_.path(), "line " + std::to_string(number_ + 1) + " is longer than a megabyte");
      text_.erase(0, std::exchange(at_, 0));
      const std::size_t kept = text_.size();
      text_.resize(kept + kBuffer);
      const std::size_t read = file_.read(text_.data() + kept, kBuffer);
      text_.resize(kept + read);
      over_ = read < kBuffer;
    }
  }
  long number() const { return number_; }

 private:
  std::string_view line(std::size_t end, std::size_t next) {
    std::string_view found = std::string_view(text_).substr(at_, end - at_);
    if (found.ends_with('\r')) found.remove_suffix(1);
    at_ = next;
    ++number_;
    return found;
  }

  InputFile file_;
  std::string text_;
  std::size_t at_ = 0;
  long number_ = 0;
  bool over_ = false;
};

// What stands between blanks and tabs.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
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
    while (const auto line = lines_.next()) take(*line);
    return std::move(given_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(path_, "line " + std::to_string(lines_.number()) + ": " + why);
  }

  void take(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) return;
    // How many words, and how long their vectors are.
    if (lines_.number() == 1 && fields.size() == 2 && is_whole(fields[0]) && is_whole(fields[1])) return;
    const int count = static_cast<int>(fields.size()) - 1;
    if (count < 1 || count > kWidest)
      refuse("expected a word and its 1 to " + std::to_string(kWidest) + " numbers, found " +
             std::to_string(std::max(0, count)) + " numbers");
    if (given_.rows.cols() == 0) given_.rows = Matrix<float>::Zero(tokenizer_.size(), count);
    if (count != given_.width())
      refuse("expected " + std::to_string(given_.width()) + " numbers, as in the lines before, found " +
             std::to_string(count));
    const auto word = words_.find(std::string(fields.front()));
    if (word == words_.end() || given_.found[static_cast<std::size_t>(word->second)]) return;
    for (int i = 0; i < count; ++i)
      given_.rows(word->second, i) = number(fields[static_cast<std::size_t>(i) + 1]);
    given_.found[static_cast<std::size_t>(word->second)] = true;
  }

  float number(std::string_view field) const {
    float value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
      refuse("expected a number, found “" + printable(field) + "”");
    return value;
  }
  static std::string printable(std::string_view field) {
    constexpr std::size_t kShown = 20;
    std::string text(field.substr(0, kShown));
    text.resize(std::min(text.size(), first_invalid_utf8(text)));
    return text;
  }

  const std::string& path_;
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string, int> words_;
  LineReader lines_;
  GivenEmbeddings given_;
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
  return text;
}

}  // namespace glassformer
