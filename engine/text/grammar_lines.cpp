#include "engine/text/grammar_lines.h"

#include <iconv.h>
#include <algorithm>
#include <array>
#include <map>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kLongestGrammarLine = 2000;  // bytes
constexpr std::size_t kLargestFile = 4u << 20;     // bytes

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The first byte that is no printable UTF-8 text, or npos.
std::size_t first_bad_byte(std::string_view line) {
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const std::size_t length = byte < 0x80   ? 1
                               : byte < 0xC2 ? 0
                               : byte < 0xE0 ? 2
                               : byte < 0xF0 ? 3
                               : byte < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > line.size() || (byte < 0x20 && byte != '\t') || byte == 0x7F) return i;
    for (std::size_t k = 1; k < length; ++k)
      if (!continues_character(line[i + k])) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::vector<GrammarToken> cut(std::string_view line, long number, const std::string& where) {
  std::vector<GrammarToken> tokens;
  long column = 0;
  int depth = 0;
  GrammarToken opening;
  bool inside = false;
  for (const char c : line) {
    if (!continues_character(c)) ++column;
    const bool blank = c == ' ' || c == '\t';
    if (c == '#' && !inside) break;
    if (blank && depth == 0) {
      inside = false;
      continue;
    }
    if (!inside) tokens.push_back({"", number, column});
    inside = true;
    tokens.back().text += blank ? ' ' : c;
    if (c == '(' && depth++ == 0) opening = tokens.back();
    if (c == ')' && --depth < 0)
      refuse(where, tokens.back(),
             "this word closes a parenthesis that was never opened; remove it or add \"(\"");
  }
  if (depth != 0)
    refuse(where, opening,
           "the parenthesis in " + in_quotes(opening.text) + " is not closed; write \")\" on the same line");
  return tokens;
}

}  // namespace

void refuse(const std::string& where, const GrammarToken& token, const std::string& what) {
  throw Error(where + ":" + std::to_string(token.line) + ":" + std::to_string(token.column), what);
}

std::string in_quotes(std::string_view word) {
  std::size_t length = std::min<std::size_t>(word.size(), 60);
  while (length < word.size() && length > 0 && continues_character(word[length])) --length;
  return "\"" + std::string(word.substr(0, length)) + (length < word.size() ? "...\"" : "\"");
}

std::vector<GrammarLine> grammar_lines(std::string_view text, const std::string& where) {
  if (text.size() > kLargestFile)
    throw Error(where, "a grammar is a text file of at most 4 MB; this file is larger");
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<GrammarLine> lines;
  long number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);

    // Refuse what is no text.
    const std::size_t bad = first_bad_byte(line);
    if (bad != std::string_view::npos)
      refuse(where, {"", number, static_cast<long>(bad) + 1},
             "a grammar is a UTF-8 text file, and this byte is not text; choose another file or save it as "
             "UTF-8");
    if (line.size() > kLongestGrammarLine)
      refuse(where, {"", number, static_cast<long>(kLongestGrammarLine)},
             "a line holds at most 2000 bytes and this one has " + std::to_string(line.size()) +
                 "; go on in a new line that begins with four blanks");

    // Join what continues the line above.
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    std::vector<GrammarToken> tokens = cut(line, number, where);
    if (tokens.empty()) continue;
    if (indent >= 4 && !lines.empty()) {
      lines.back().tokens.insert(lines.back().tokens.end(), tokens.begin(), tokens.end());
    } else {
      lines.push_back({indent > 0, std::move(tokens)});
    }
  }
  return lines;
}

namespace {

constexpr std::string_view kLost = "\xEF\xBF\xBD";

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':' || static_cast<signed char>(c) < 0;
}

std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

constexpr std::string_view kOfXml[] = {"amp", "lt", "gt", "quot", "apos"};

bool is_of_xml(std::string_view name) {
  return std::ranges::find(kOfXml, name) != std::end(kOfXml);
}

// What an entity may represent: a few letters, the five entities of XML and numbers among them.
bool is_plain(std::string_view value) {
  constexpr std::size_t kLongest = 1000;
  if (value.size() > kLongest || value.find('<') != value.npos) return false;
  for (std::size_t at = value.find('&'); at != value.npos; at = value.find('&', at + 1))
    if (!value.substr(at + 1).starts_with('#') && !is_of_xml(name_at(value, at + 1))) return false;
  return true;
}

std::map<std::string, std::string, std::less<>> entities_of(std::string_view declarations) {
  constexpr std::size_t kMost = 1000;
  constexpr std::string_view kBegin = "<!ENTITY";
  std::map<std::string, std::string, std::less<>> entities;
  std::size_t at = declarations.find(kBegin);
  for (; at != declarations.npos && entities.size() < kMost; at = declarations.find(kBegin, at + 1)) {
    const std::size_t begin = declarations.find_first_not_of(" \t\r\n", at + kBegin.size());
    if (begin == declarations.npos) break;
    const std::string_view name = name_at(declarations, begin);
    const std::size_t value = declarations.find_first_not_of(" \t\r\n", begin + name.size());
    if (name.empty() || value == declarations.npos) continue;
    std::string text(kLost);
    if (const char quote = declarations[value]; quote == '"' || quote == '\'') {
      const std::size_t end = declarations.find(quote, value + 1);
      const std::string_view given = declarations.substr(value + 1, end - value - 1);
      if (end != declarations.npos && is_plain(given)) text = given;
    }
    entities.emplace(name, text);  // the first declaration binds
  }
  return entities;
}

}  // namespace

std::string declared_encoding(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return {};
  const std::string_view head = bytes.substr(0, std::min<std::size_t>(bytes.find("?>"), 400));
  std::size_t at = head.find("encoding");
  if (at != head.npos) at = head.find_first_of("\"'", at);
  if (at == head.npos) return {};
  const std::string name(name_at(head, at + 1));
  const std::string lower = to_lower(name);
  const bool wide = lower.starts_with("utf") || lower.starts_with("ucs") || lower.find("10646") != lower.npos;
  return wide ? std::string() : name;
}

std::string converted(std::string_view bytes, const std::string& encoding, const std::string& where) {
  const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1))
    throw Error(where, "the file declares the encoding " + encoding +
                           ", which is not known here; expected UTF-8. Convert it with iconv -t UTF-8");
  std::string rest(bytes), text;
  char* in = rest.data();
  std::size_t left = rest.size(), failed = 0;
  while (left > 0 && failed == 0) {
    std::array<char, 1 << 14> part;
    char* out = part.data();
    std::size_t room = part.size();
    const std::size_t before = left;
    const bool done = iconv(converter, &in, &left, &out, &room) != static_cast<std::size_t>(-1);
    text.append(part.data(), out);
    if (!done && left == before) failed = rest.size() - left + 1;
  }
  iconv_close(converter);
  if (failed > 0)
    throw Error(where,
                "the file declares the encoding " + encoding + ", but byte " + std::to_string(failed) +
                    " is no letter of it; expected what is declared. Mend the declaration or the byte");
  return text;
}

std::string with_entities(const std::string& text, const std::string& where) {
  const std::size_t type = text.find("<!DOCTYPE"), open = text.find('[', type);
  const bool declares = type != text.npos && open != text.npos && text.find('>', type) > open;
  const std::size_t end = declares ? text.find(']', open) : 0;
  if (end == text.npos || text.find('&', end) == text.npos) return text;
  const auto entities =
      entities_of(declares ? std::string_view(text).substr(open, end - open) : std::string_view());
  std::string result = text.substr(0, end);
  std::size_t expanded = 0;
  for (std::size_t at = end; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const std::string_view name = rest[0] == '&' ? name_at(rest, 1) : std::string_view();
    if (!name.empty() && rest.substr(1 + name.size()).starts_with(';') && !is_of_xml(name)) {
      const auto found = entities.find(name);
      const bool known = found != entities.end() && found->second != kLost;
      result += known ? found->second : std::string(kLost) + "&amp;" + std::string(name) + ";";
      if (known) expanded += found->second.size();
      at += name.size() + 2;
    } else {
      // Nothing is an entity within CDATA.
      const bool raw = rest.starts_with("<![CDATA[");
      const std::size_t length = raw ? std::min(rest.find("]]>"), rest.size()) : 1;
      result += rest.substr(0, length);
      at += length;
    }
    if (expanded > text.size() + 1000)
      throw Error(where,
                  "the entities that the file declares would more than double it; expected short ones. Write "
                  "the file without entities");
  }
  return result;
}

std::string unread_entity(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::string begin = std::string(kLost) + "&";
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const std::string_view name = name_at(text, at + begin.size());
    if (!name.empty() && text.substr(at + begin.size() + name.size()).starts_with(';'))
      return "&" + std::string(name.substr(0, kLongest)) + ";";
  }
  return {};
}

std::string tidied_tags(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool closing = text.substr(i).starts_with("</");
    const std::string_view name = text[i] == '<' ? name_at(text, i + 1 + closing) : std::string_view();
    if (name.empty()) {
      // A separate sign, unless a comment or a declaration begins.
      const bool begins =
          text[i] != '<' || text.substr(i + 1).starts_with('!') || text.substr(i + 1).starts_with('?');
      result += begins ? std::string(1, text[i]) : "&lt;";
      ++i;
      continue;
    }
    result += (closing ? "</" : "<") + to_lower(name);
    i += 1 + closing + name.size();
    for (char quote = 0; i < text.size() && (quote != 0 || text[i] != '>'); ++i) {
      result += text[i];
      const bool is_quote = text[i] == '"' || text[i] == '\'';
      if (is_quote) quote = quote == 0 ? text[i] : quote == text[i] ? '\0' : quote;
      if (text[i] != '=' || quote != 0) continue;
      const std::string_view value = name_at(text, i + 1);
      if (value.empty()) continue;
      result += '"' + std::string(value) + '"';
      i += value.size();
    }
  }
  return result;
}

}  // namespace glassformer
