#include "engine/text/file_format.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr const char* kWanted =
    "expected text with a tab between source and target, or two line-aligned files";

bool has_extension(const std::string& path, std::string_view extension) {
  return to_lower(std::filesystem::path(path).extension().string()) == extension;
}

struct Packing {
  std::string_view magic, name;
};
constexpr std::array<Packing, 7> kPackings = {{{"PK\x03\x04", "a zip archive inside of another"},
                                               {"\xFD"
                                                "7zXZ",
                                                "packed with xz"},
                                               {"BZh", "packed with bzip2"},
                                               {"\x28\xB5\x2F\xFD", "packed with zstd"},
                                               {"7z\xBC\xAF", "a 7z archive"},
                                               {"%PDF", "a PDF document"},
                                               {"\xD0\xCF\x11\xE0", "an old office document"}}};
constexpr std::array<Packing, 7> kOthers = {{{"\x89PNG", "a picture (PNG)"},
                                             {"\xFF\xD8\xFF", "a picture (JPEG)"},
                                             {"GIF8", "a picture (GIF)"},
                                             {"RIFF", "a picture, sound or film (RIFF)"},
                                             {"OggS", "sound or film (Ogg)"},
                                             {"\x7F"
                                              "ELF",
                                              "a program"},
                                             {"SQLite format 3", "a database (SQLite)"}}};

// Names and codes of languages that parallel text comes in, and what people call the two sides.
constexpr std::string_view kColumnNames[] = {"source",
                                             "target",
                                             "src",
                                             "tgt",
                                             "trg",
                                             "input",
                                             "output",
                                             "text",
                                             "translation",
                                             "original",
                                             "reference",
                                             "sentence",
                                             "sentence1",
                                             "sentence2",
                                             "from",
                                             "to",
                                             "x",
                                             "y",
                                             "source text",
                                             "target text",
                                             "source sentence",
                                             "target sentence",
                                             "source_text",
                                             "target_text",
                                             "source language",
                                             "target language",
                                             "english source",
                                             "arabic",
                                             "bengali",
                                             "bulgarian",
                                             "catalan",
                                             "chinese",
                                             "croatian",
                                             "czech",
                                             "danish",
                                             "dutch",
                                             "english",
                                             "esperanto",
                                             "estonian",
                                             "finnish",
                                             "french",
                                             "german",
                                             "greek",
                                             "hebrew",
                                             "hindi",
                                             "hungarian",
                                             "icelandic",
                                             "indonesian",
                                             "irish",
                                             "italian",
                                             "japanese",
                                             "kazakh",
                                             "korean",
                                             "latin",
                                             "latvian",
                                             "lithuanian",
                                             "norwegian",
                                             "persian",
                                             "polish",
                                             "portuguese",
                                             "romanian",
                                             "russian",
                                             "serbian",
                                             "slovak",
                                             "slovene",
                                             "spanish",
                                             "swahili",
                                             "swedish",
                                             "tamil",
                                             "thai",
                                             "turkish",
                                             "ukrainian",
                                             "urdu",
                                             "vietnamese",
                                             "welsh",
                                             "deutsch",
                                             "français",
                                             "español",
                                             "italiano",
                                             "polski",
                                             "ar",
                                             "bg",
                                             "bn",
                                             "ca",
                                             "cs",
                                             "cy",
                                             "da",
                                             "de",
                                             "el",
                                             "en",
                                             "eo",
                                             "es",
                                             "et",
                                             "fa",
                                             "fi",
                                             "fr",
                                             "ga",
                                             "he",
                                             "hi",
                                             "hr",
                                             "hu",
                                             "id",
                                             "is",
                                             "it",
                                             "ja",
                                             "kk",
                                             "ko",
                                             "kz",
                                             "la",
                                             "lt",
                                             "lv",
                                             "nl",
                                             "no",
                                             "pl",
                                             "pt",
                                             "ro",
                                             "ru",
                                             "sk",
                                             "sl",
                                             "sr",
                                             "sv",
                                             "sw",
                                             "ta",
                                             "th",
                                             "tr",
                                             "uk",
                                             "ur",
                                             "vi",
                                             "zh",
                                             "ara",
                                             "ben",
                                             "bul",
                                             "cat",
                                             "ces",
                                             "chi",
                                             "cmn",
                                             "cym",
                                             "cze",
                                             "dan",
                                             "deu",
                                             "dut",
                                             "ell",
                                             "eng",
                                             "epo",
                                             "est",
                                             "fas",
                                             "fin",
                                             "fra",
                                             "fre",
                                             "ger",
                                             "gle",
                                             "gre",
                                             "heb",
                                             "hin",
                                             "hrv",
                                             "hun",
                                             "ind",
                                             "isl",
                                             "ita",
                                             "jpn",
                                             "kaz",
                                             "kor",
                                             "lat",
                                             "lav",
                                             "lit",
                                             "nld",
                                             "nor",
                                             "per",
                                             "pol",
                                             "por",
                                             "ron",
                                             "rum",
                                             "rus",
                                             "slk",
                                             "slv",
                                             "spa",
                                             "srp",
                                             "swe",
                                             "tam",
                                             "tha",
                                             "tur",
                                             "ukr",
                                             "urd",
                                             "vie",
                                             "zho"};

bool is_known_name(std::string_view name) {
  return std::find(std::begin(kColumnNames), std::end(kColumnNames), name) != std::end(kColumnNames);
}

// Text of any encoding has hardly a control character; packed or compiled bytes have one in ten.
bool looks_binary(const std::vector<std::string_view>& lines) {
  constexpr std::size_t kControlShare = 50;
  std::size_t all = 0, controls = 0;
  for (const std::string_view line : lines) {
    all += line.size();
    controls += static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\f' && c != '\v';
    }));
  }
  return controls * kControlShare > all;
}

}  // namespace

void refuse_packed(std::string_view bytes, const std::string& path) {
  for (const Packing& packing : kPackings) {
    if (!bytes.starts_with(packing.magic)) continue;
    throw Error(path, "the file is " + std::string(packing.name) + "; " + kWanted +
                          " (plain or packed with gzip or zip). Unpack it or save it as plain text");
  }
  if (bytes.size() > 512 && bytes.substr(257, 5) == "ustar")
    throw Error(path, std::string("the file is a tar archive; ") + kWanted + ". Unpack it with: tar -xf");
  for (const Packing& other : kOthers) {
    if (!bytes.starts_with(other.magic)) continue;
    throw Error(path,
                "the file is " + std::string(other.name) + "; " + kWanted + ". Choose a file of sentences");
  }
}

void refuse_markup(std::string_view text, const std::string& path) {
  const std::string head = to_lower(trimmed(text.substr(0, 2000)));
  const auto begins = [&](std::string_view start) { return head.starts_with(start); };
  if (has_extension(path, ".tmx") || head.find("<tmx") != std::string::npos) {
    throw Error(path, std::string("this is a TMX file (a translation memory); ") + kWanted +
                          ". Export its two languages as tab-separated text from the program that wrote it");
  }
  if (begins("<?xml") || begins("<!doctype") || begins("<html") || begins("<xliff")) {
    throw Error(
        path, std::string("this is an XML or HTML file; ") + kWanted + ". Save its sentences as plain text");
  }
  if (begins("1\n00:") || begins("1\r\n00:"))
    throw Error(path, std::string("this is a SubRip file (subtitles); ") + kWanted +
                          ". Save its sentences as plain text, a line each");
}

void refuse_csv(const std::vector<std::string_view>& lines, const std::string& path) {
  constexpr std::size_t kEnough = 1000;
  std::size_t seen = 0, tabs = 0, commas = 0, semicolons = 0;
  for (const std::string_view line : lines) {
    if (trimmed(line).empty()) continue;
    tabs += line.find('\t') != std::string_view::npos;
    commas += line.find(',') != std::string_view::npos;
    semicolons += line.find(';') != std::string_view::npos;
    if (++seen == kEnough) break;
  }
  const std::size_t separated = std::max(commas, semicolons);
  const bool named = has_extension(path, ".csv") && tabs * 2 <= seen;
  const bool looks = tabs == 0 && seen >= 2 && separated * 10 >= seen * 9;
  if (!named && !looks) return;
  throw Error(
      path, std::string("this is a CSV file (values between ") +
                (semicolons > commas ? "semicolons" : "commas") + "); " + kWanted +
                ". Open it in a spreadsheet, keep the source column and then the target column, and save as "
                "tab-separated text in UTF-8");
}

void refuse_table(const std::vector<std::string_view>& lines, const std::string& path) {
  const auto most = [&](const auto& holds) {
    return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), holds)) * 2 > lines.size();
  };
  const std::string wanted =
      ", where a sentence a line is expected; give it alone, as a corpus, or take the sentences out of it";
  if (most([](auto line) { return line.starts_with("{\"") || line.starts_with("{ \""); }))
    throw Error(path, "this is JSON lines" + wanted);
  if (has_extension(path, ".csv")) refuse_csv(lines, path);
  if (most([](auto line) { return line.find('\t') != line.npos; }))
    throw Error(path, "most lines have a tab: this is a tab-separated table" + wanted);
}

void refuse_other_encoding(const std::vector<std::string_view>& lines, const std::string& path) {
  std::size_t beyond_ascii = 0, invalid = 0, first = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::all_of(lines[i].begin(), lines[i].end(),
                    [](char c) { return static_cast<signed char>(c) >= 0; }))
      continue;
    ++beyond_ascii;
    if (first_invalid_utf8(lines[i]) == std::string_view::npos) continue;
    if (invalid++ == 0) first = i + 1;
  }
  if (invalid < 2 || invalid * 2 <= beyond_ascii) return;
  if (looks_binary(lines))
    throw Error(path, std::string("the file is binary (a picture, a program, packed data), not text; ") +
                          kWanted + ". Choose a file of sentences");
  throw Error(path, "the file is not UTF-8: " + std::to_string(invalid) +
                        " lines are invalid, the first is line " + std::to_string(first) +
                        "; it is probably Latin-1 or Windows-1252. Convert it, for example with: "
                        "iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW; a command also takes the encoding’s name");
}

bool is_column_name(const std::string& cell) {
  std::string name = to_lower(cell);
  if (name.size() == 5 && (name[2] == '-' || name[2] == '_')) name.resize(2);  // "en-US", "pt_BR"
  if (is_known_name(name)) return true;
  // "text_en", "sentence-fr", "en.text"
  const std::size_t cut = name.find_first_of("_-.:");
  return cut != std::string::npos && name.find(' ') == std::string::npos &&
         is_known_name(std::string_view(name).substr(0, cut)) &&
         is_known_name(std::string_view(name).substr(cut + 1));
}

bool is_source_name(const std::string& cell) {
  const std::string name = to_lower(cell);
  return name == "source" || name == "src" || name == "input" || name == "from" || name == "x";
}

bool is_target_name(const std::string& cell) {
  const std::string name = to_lower(cell);
  return name == "target" || name == "tgt" || name == "trg" || name == "output" || name == "to" ||
         name == "y" || name == "translation";
}

bool is_language_name(const std::string& cell) {
  return cell.size() >= 2 && is_column_name(cell) && !is_source_name(cell) && !is_target_name(cell);
}

bool is_header(const SentencePair& first) {
  return to_lower(first.source) != to_lower(first.target) && is_column_name(first.source) &&
         is_column_name(first.target);
}

}  // namespace glassformer
