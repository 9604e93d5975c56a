// Sentences between tags: TMX (a translation memory), the SGM of WMT and the XML of IWSLT. Read by pugixml,
// which opens no other file; of entities the five of XML, numbers and short declared ones are expanded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// The sentences of a file of segments (<seg id="1">...</seg>), a line each; or a file of IWSLT's training
// data (train.tags.en) without its lines of tags. Nothing for any other text. Throws Error for a file that
// begins so and is damaged.
std::optional<std::string> lines_of_segments(const std::string& text, const std::string& path);

bool is_tmx(std::string_view text);  // or WMT's XML since 2021, which holds both languages too

struct TranslationMemory {
  std::vector<std::string> languages;           // the source language first
  std::vector<std::vector<std::string>> units;  // a sentence a language, empty where it is missing
  bool documents = false;                       // of WMT's XML; else of TMX
};
// Tags within a sentence (bpt, ept, ph, it, ut) and what is in them are left out. Throws Error when the file
// is damaged, cut short or holds fewer than two languages.
TranslationMemory read_tmx(const std::string& text, const std::string& path);

}  // namespace glassformer
