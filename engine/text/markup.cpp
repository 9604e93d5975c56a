#include "engine/text/markup.h"

#include <algorithm>
#include <functional>
#include <map>
#include <pugixml.hpp>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/grammar_lines.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

void parse(pugi::xml_document& document, const std::string& text, const std::string& path,
           const std::string& kind) {
  const std::string whole = with_entities(text, path);
  // Between two tags within a sentence a blank parts words.
  const auto result = document.load_buffer(whole.data(), whole.size(),
                                           pugi::parse_default | pugi::parse_fragment | pugi::parse_ws_pcdata,
                                           pugi::encoding_utf8);
  if (!result)
    throw Error(path, "the " + kind + " file is damaged or cut short near byte " +
                          std::to_string(result.offset) + " (" + result.description() +
                          "); write or download it anew");
}

// Codes within a sentence, and what is said of a sentence beside it.
bool is_no_text(std::string_view name) {
  constexpr std::string_view kCodes[] = {"bpt", "ept", "ph", "it", "ut", "note", "prop"};
  return std::find(std::begin(kCodes), std::end(kCodes), name) != std::end(kCodes);
}

// The text below a node, without recursion: a hostile file may nest as deep as it likes.
std::string text_below(const pugi::xml_node& top) {
  std::string text;
  for (pugi::xml_node node = top.first_child(); node;) {
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) text += node.value();
    if (node.first_child() && !is_no_text(node.name())) {
      node = node.first_child();
      continue;
    }
    while (node != top && !node.next_sibling()) node = node.parent();
    if (node == top) break;
    node = node.next_sibling();
  }
  return cleaned(text);
}

// The next element of that name after `node` in the order of the file.
pugi::xml_node next_named(pugi::xml_node node, std::string_view name) {
  while (node) {
    if (node.first_child()) {
      node = node.first_child();
    } else {
      while (node && !node.next_sibling()) node = node.parent();
      if (node) node = node.next_sibling();
    }
    if (node && to_lower(std::string_view(node.name())) == name) return node;
  }
  return node;
}

std::string head_of(std::string_view text) {
  return to_lower(trimmed(text.substr(0, 4096)));
}

bool is_tag_line(std::string_view line) {
  constexpr std::string_view kTags[] = {"<url>",     "<keywords>",  "<speaker>",     "<talkid>", "<title>",
                                        "<reviewer", "<translator", "<description>", "<doc ",    "</doc>"};
  line = trimmed(line);
  return std::any_of(std::begin(kTags), std::end(kTags), [&](auto tag) { return line.starts_with(tag); });
}

// "en-US" belongs to "en" where the file has both; two regions of one language stay apart.
void join_regions(TranslationMemory& memory) {
  for (std::size_t i = memory.languages.size(); i-- > 0;) {
    const std::size_t cut = memory.languages[i].find_first_of("-_");
    if (cut == std::string::npos) continue;
    const auto base =
        std::find(memory.languages.begin(), memory.languages.end(), memory.languages[i].substr(0, cut));
    if (base == memory.languages.end()) continue;
    const auto whole = static_cast<std::size_t>(base - memory.languages.begin());
    for (auto& cells : memory.units) {
      if (cells[whole].empty()) cells[whole] = std::move(cells[i]);
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(i));
    }
    memory.languages.erase(memory.languages.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// WMT's XML since 2021: documents that hold the source and its translations.
bool is_dataset(std::string_view head) {
  return head.find("<dataset") != std::string::npos && head.find("<doc") != std::string::npos;
}

using ColumnOf = std::function<std::size_t(std::string)>;

void read_units(const pugi::xml_document& document, const ColumnOf& column_of, TranslationMemory& memory) {
  for (pugi::xml_node unit = next_named(document, "tu"); unit; unit = next_named(unit, "tu")) {
    std::vector<std::string>& cells = memory.units.emplace_back();
    for (pugi::xml_node variant = unit.child("tuv"); variant; variant = variant.next_sibling("tuv")) {
      const pugi::xml_attribute named = variant.attribute("xml:lang");
      const std::size_t column = column_of((named ? named : variant.attribute("lang")).value());
      if (cells.size() <= column) cells.resize(column + 1);
      const pugi::xml_node segment = variant.child("seg");
      if (cells[column].empty()) cells[column] = text_below(segment ? segment : variant);
    }
  }
}

// The first reference of a language counts.
void read_documents(const pugi::xml_document& all, const ColumnOf& column_of, TranslationMemory& memory) {
  for (pugi::xml_node document = next_named(all, "doc"); document; document = next_named(document, "doc")) {
    std::map<std::string, std::size_t> unit_of;
    for (const pugi::xml_node side : document.children()) {
      const std::string_view name = side.name();
      if (name != "src" && name != "ref") continue;
      const std::size_t column = column_of(side.attribute("lang").value());
      pugi::xml_document alone;
      alone.append_copy(side);
      for (pugi::xml_node node = next_named(alone, "seg"); node; node = next_named(node, "seg")) {
        const auto [found, fresh] = unit_of.emplace(node.attribute("id").value(), memory.units.size());
        if (fresh) memory.units.emplace_back();
        std::vector<std::string>& cells = memory.units[found->second];
        if (cells.size() <= column) cells.resize(column + 1);
        if (cells[column].empty()) cells[column] = text_below(node);
      }
    }
  }
}

}  // namespace

bool is_tmx(std::string_view text) {
  const std::string head = head_of(text);
  return head.find("<tmx") != std::string::npos || is_dataset(head);
}

std::optional<std::string> lines_of_segments(const std::string& text, const std::string& path) {
  const std::string head = head_of(text);
  if (!head.starts_with("<")) return std::nullopt;
  std::string lines;
  const bool dataset = is_dataset(head);
  if (dataset && text.find("<src") != text.npos && text.find("<ref") != text.npos)
    throw Error(
        path,
        "the WMT file holds the source and its translation, where a file for each is expected; give it "
        "alone, as a corpus");
  const bool sets = dataset || head.find("<srcset") != std::string::npos ||
                    head.find("<refset") != std::string::npos || head.find("<tstset") != std::string::npos ||
                    head.find("<mteval") != std::string::npos;
  if (sets) {
    pugi::xml_document document;
    parse(document, tidied_tags(text), path, "SGM");
    for (pugi::xml_node node = next_named(document, "seg"); node; node = next_named(node, "seg"))
      lines += text_below(node) + "\n";
    return lines;
  }
  if (!head.starts_with("<url>") && !head.starts_with("<doc ") && head.find("<talkid>") == std::string::npos)
    return std::nullopt;
  for (const std::string_view line : split_lines(text))
    if (!is_tag_line(line)) lines += std::string(line) + "\n";
  return lines;
}

TranslationMemory read_tmx(const std::string& text, const std::string& path) {
  pugi::xml_document document;
  const bool documents = is_dataset(head_of(text));
  parse(document, text, path, documents ? "WMT" : "TMX");
  TranslationMemory memory{.languages = {}, .units = {}, .documents = documents};
  const auto column_of = [&](std::string language) {
    language = to_lower(cleaned(language));
    const auto found = std::find(memory.languages.begin(), memory.languages.end(), language);
    if (found != memory.languages.end()) return static_cast<std::size_t>(found - memory.languages.begin());
    memory.languages.push_back(language);
    return memory.languages.size() - 1;
  };
  const pugi::xml_node header = next_named(document, "header");
  const std::string source = header.attribute("srclang").value();
  if (!source.empty() && source != "*all*") column_of(source);
  (documents ? read_documents : read_units)(document, column_of, memory);
  for (auto& cells : memory.units) cells.resize(memory.languages.size());
  join_regions(memory);
  if (memory.units.empty() || memory.languages.size() < 2)
    throw Error(
        path, documents
                  ? "the WMT file holds no sentences in two languages; expected <src> and <ref> in a <doc>"
                  : "the TMX file holds no sentences in two languages; expected <tu> with a <tuv> for each");
  return memory;
}

}  // namespace glassformer
