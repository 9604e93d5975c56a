#include "engine/text/markup.h"

#include <algorithm>
#include <pugixml.hpp>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

void parse(pugi::xml_document& document, const std::string& text, const std::string& path,
           const std::string& kind) {
  const auto result = document.load_buffer(text.data(), text.size(),
                                           pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
  if (!result)
    throw Error(path, "the " + kind + " file is damaged or cut short near byte " +
                          std::to_string(result.offset) + " (" + result.description() +
                          "); write or download it anew");
}

bool is_code(std::string_view name) {
  constexpr std::string_view kCodes[] = {"bpt", "ept", "ph", "it", "ut"};
  return std::find(std::begin(kCodes), std::end(kCodes), name) != std::end(kCodes);
}

// The text below a node, without recursion: a hostile file may nest as deep as it likes.
std::string text_below(const pugi::xml_node& top) {
  std::string text;
  for (pugi::xml_node node = top.first_child(); node;) {
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) text += node.value();
    if (node.first_child() && !is_code(node.name())) {
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

}  // namespace

bool is_tmx(std::string_view text) {
  return head_of(text).find("<tmx") != std::string::npos;
}

std::optional<std::string> lines_of_segments(const std::string& text, const std::string& path) {
  const std::string head = head_of(text);
  if (!head.starts_with("<")) return std::nullopt;
  std::string lines;
  const bool sets = head.find("<srcset") != std::string::npos || head.find("<refset") != std::string::npos ||
                    head.find("<tstset") != std::string::npos || head.find("<mteval") != std::string::npos;
  if (sets) {
    pugi::xml_document document;
    parse(document, text, path, "SGM");
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
  parse(document, text, path, "TMX");
  TranslationMemory memory;
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
  for (pugi::xml_node unit = next_named(document, "tu"); unit; unit = next_named(unit, "tu")) {
    std::vector<std::string>& cells = memory.units.emplace_back();
    for (pugi::xml_node variant = unit.child("tuv"); variant; variant = variant.next_sibling("tuv")) {
      const pugi::xml_attribute named = variant.attribute("xml:lang");
      const std::size_t column = column_of((named ? named : variant.attribute("lang")).value());
      if (cells.size() <= column) cells.resize(column + 1);
      if (cells[column].empty()) cells[column] = text_below(variant.child("seg"));
    }
  }
  for (auto& cells : memory.units) cells.resize(memory.languages.size());
  join_regions(memory);
  if (memory.units.empty() || memory.languages.size() < 2)
    throw Error(path,
                "the TMX file holds no sentences in two languages; expected <tu> with a <tuv> for each");
  return memory;
}

}  // namespace glassformer
