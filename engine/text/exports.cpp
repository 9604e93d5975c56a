#include "engine/text/exports.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

using Named = std::pair<std::string_view, char>;
constexpr std::array<Named, 6> kSeparators{
    {{"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"pipe", '|'}, {"colon", ':'}, {"space", ' '}}};

std::optional<char> separator_named(std::string_view name) {
  for (const auto& [known, sign] : kSeparators)
    if (name == known) return sign;
  return name.size() == 1 ? std::optional(name[0]) : std::nullopt;
}

bool begins_tag(std::string_view text) {
  return text.size() > 1 && text[0] == '<' &&
         (text[1] == '/' || text[1] == '!' || (text[1] >= 'a' && text[1] <= 'z') ||
          (text[1] >= 'A' && text[1] <= 'Z'));
}

// Of tags that end a line on screen; others, such as <b>, part no words.
bool parts_words(std::string_view tag) {
  constexpr std::array<std::string_view, 8> kParting{"br", "div", "p", "li", "hr", "tr", "td", "ul"};
  tag.remove_prefix(tag.starts_with("</") ? 2 : 1);
  const std::string name = to_lower(tag.substr(0, tag.find_first_of(" />")));
  return std::ranges::find(kParting, name) != kParting.end();
}

}  // namespace

std::optional<AnkiHead> anki_head(const std::vector<std::string_view>& lines) {
  AnkiHead head;
  bool sure = false;  // "#tags: ..." alone may begin a sentence
  for (const std::string_view line : lines) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with('#') || colon == line.npos) break;
    const std::string key = to_lower(line.substr(0, colon).substr(1));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "separator") {
      const std::optional<char> separator = separator_named(to_lower(value));
      if (!separator) break;
      head.separator = *separator;
    } else if (key == "html") {
      head.html = value == "true";
    } else if (key.ends_with(" column")) {
      const std::optional<double> column = typed_number(std::string(value));
      if (!column || *column < 1 || *column > 1000) break;
      head.own_columns.push_back(static_cast<std::size_t>(*column) - 1);
    } else if (key != "columns" && key != "tags" && key != "deck" && key != "notetype" &&
               key != "if matches") {
      break;
    }
    sure = sure || key == "separator" || key == "html";
    ++head.lines;
  }
  return sure ? std::optional(head) : std::nullopt;
}

std::string without_html(std::string_view cell) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEntities{
      {{"&nbsp;", " "}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}};
  std::string text;
  for (std::size_t at = 0; at < cell.size();) {
    const std::string_view rest = cell.substr(at);
    const std::size_t end = begins_tag(rest) ? rest.find('>') : rest.npos;
    const auto entity =
        std::ranges::find_if(kEntities, [&](const auto& e) { return rest.starts_with(e.first); });
    if (end != rest.npos) {
      if (parts_words(rest.substr(0, end + 1)) && !text.ends_with(' ')) text += ' ';
      at += end + 1;
    } else if (entity != kEntities.end()) {
      text += entity->second;
      at += entity->first.size();
    } else {
      text += cell[at++];
    }
  }
  return text;
}

void refuse_generated(const std::vector<std::string_view>& lines, const std::string& path) {
  constexpr std::size_t kEnough = 1000;
  std::size_t seen = 0, named = 0;
  for (const std::string_view line : lines) {
    const std::string_view name = line.substr(0, line.find('\t'));
    const bool numbered = name.size() > 2 && name[1] == '-' &&
                          std::ranges::all_of(name.substr(2), [](char c) { return c >= '0' && c <= '9'; });
    named += numbered && name.size() < line.size() && std::string_view("STHDPEVL").find(name[0]) != line.npos;
    if (++seen == kEnough) break;
  }
  if (2 * named <= seen) return;
  throw Error(path,
              "the first column names lines (S-0, T-0, H-0), as fairseq's generate prints them; expected a "
              "sentence and its translation on each line. Take the sentences out of it, for example with: "
              "grep '^T-' | cut -f 2");
}

}  // namespace glassformer
