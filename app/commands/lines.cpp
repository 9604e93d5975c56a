#include "app/commands/lines.h"

#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"
#include "engine/text/segments.h"
#include "engine/text/text_notes.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr const char* kStandardInput = "standard input";
constexpr std::size_t kEndless = 16 * kMostLineBytes;

bool more_has_arrived() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) > 0;
}

// Cuts what arrives into lines; of a line that is too long it keeps nothing but the length.
class LineCutter {
 public:
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      keep(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      finish();
      bytes.remove_prefix(end + 1);
    }
  }
  void finish_last() {
    if (length_ > 0) finish();
  }

  std::vector<InputLine> lines;

 private:
  void keep(std::string_view part) {
    length_ += part.size();
    if (length_ > kEndless)
      throw Error(kStandardInput, "a line of more than " + std::to_string(kEndless) +
                                      " bytes comes without an end; give text, a sentence a line");
    if (length_ > kMostLineBytes) {
      line_.clear();
    } else {
      line_ += part;
    }
  }

  void finish() {
    for (int i = 0; i < 2 && line_.ends_with('\r'); ++i) line_.pop_back();
    if (first_) check_start();
    first_ = false;
    InputLine line{.text = std::move(line_)};
    if (length_ > kMostLineBytes) {
      line.problem = "it has " + std::to_string(length_) + " bytes; expected a sentence of at most " +
                     std::to_string(kMostLineBytes);
    } else if (const auto fault = line_fault(line.text)) {
      line.problem = *fault + "; write it in UTF-8";
      line.text = to_utf8(code_points(line.text));
    }
    lines.push_back(std::move(line));
    line_.clear();
    length_ = 0;
  }

  void check_start() {
    if (line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
    if (line_.starts_with("\xFF\xFE") || line_.starts_with("\xFE\xFF") || line_.starts_with("\x1F\x8B"))
      throw Error(kStandardInput,
                  "it is UTF-16 or packed with gzip; expected lines of UTF-8. Give the file with --input");
  }

  std::string line_;
  std::size_t length_ = 0;
  bool first_ = true;
};

}  // namespace

void read_standard_input(std::size_t most, const std::function<void(std::vector<InputLine>)>& handle) {
  LineCutter cutter;
  std::vector<InputLine>& lines = cutter.lines;
  const auto hand_on = [&](bool all) {
    while (lines.size() >= most || (all && !lines.empty())) {
      const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(most, lines.size()));
      handle({lines.begin(), end});
      lines.erase(lines.begin(), end);
    }
  };
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t count = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(kStandardInput, std::string("reading failed: ") + std::strerror(errno));
    if (count == 0) break;
    cutter.add({chunk.data(), static_cast<std::size_t>(count)});
    hand_on(!more_has_arrived());
  }
  cutter.finish_last();
  hand_on(true);
}

void add_encoding_option(CLI::App& command, std::string& encoding) {
  command
      .add_option("--encoding", encoding,
                  "How files without a byte order mark are read: utf-8, windows-1252, latin-1, utf-16le, "
                  "utf-16be")
      ->check(CLI::IsMember({"utf-8", "windows-1252", "latin-1", "utf-16le", "utf-16be"}));
}

void add_bleu_words_option(CLI::App& command, BleuWords& words) {
  const auto take = [&words](const std::string& name) {
    words = static_cast<BleuWords>(std::ranges::find(kBleuWordsNames, name) - kBleuWordsNames.begin());
  };
  command
      .add_option_function<std::string>("--tokenize", take,
                                        "What a word is to BLEU: 13a, the rules of WMT; char, each "
                                        "character, for text without blanks; none, "
                                        "what is between blanks (13a)")
      ->check(CLI::IsMember(std::vector<std::string>(kBleuWordsNames.begin(), kBleuWordsNames.end())));
}

void print_notes(const std::vector<std::string>& notes, const std::string& about) {
  for (const std::string& note : notes)
    std::cerr << "glassformer: " << message_text(about + (about.empty() ? "" : ": ") + note) << "\n";
}

std::vector<std::string> notes_for_bleu(const std::vector<std::string>& lines, const std::string& name,
                                        const BleuOptions& options) {
  return notes_on_text(lines, name,
                       {.by_words = options.words != BleuWords::characters,
                        .cut_by_rule = options.words == BleuWords::wmt_13a});
}

namespace {

std::vector<std::vector<int>> read_rows(const Safetensors& file, const std::string& name) {
  const Safetensors::Entry& entry = file.at(name);
  if (entry.shape.size() != 2) {
    throw Error(file.where(), name + " must have the shape (sentences, length), found " +
                                  std::to_string(entry.shape.size()) + " axes");
  }
  const std::vector<long> ids = file.integers(name);
  const auto length = static_cast<std::size_t>(entry.shape[1]);
  if (length == 0) throw Error(file.where(), name + " holds no tokens");
  std::vector<std::vector<int>> rows;
  for (std::size_t first = 0; first < ids.size(); first += length) {
    std::vector<int>& row = rows.emplace_back();
    for (std::size_t i = first; i < first + length; ++i) {
      if (!std::in_range<int>(ids[i]))
        throw Error(file.where(), "found the id " + std::to_string(ids[i]) + " in " + name +
                                      ", larger than any vocabulary");
      row.push_back(static_cast<int>(ids[i]));
    }
  }
  return rows;
}

}  // namespace

Batch read_batch(const std::string& path, const Config& config) {
  const Safetensors file = Safetensors::read(path);
  return make_raw_batch(read_rows(file, "source"), read_rows(file, "target_in"),
                        read_rows(file, "target_out"), config);
}

}  // namespace glassformer
