// What a file is, when it is not the parallel text that was hoped for: recognised by its content (its name
// helps with CSV alone) and refused by name, with what to do instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/text/corpus.h"

namespace glassformer {

// Each throws Error when it finds what it looks for.
void refuse_packed(std::string_view bytes, const std::string& path);  // zip, xz, bzip2, zstd, PDF ...
void refuse_markup(std::string_view text, const std::string& path);   // TMX, other XML, HTML, SubRip
void refuse_csv(const std::vector<std::string_view>& lines, const std::string& path);
// A table or JSON lines, where a sentence a line is expected.
void refuse_table(const std::vector<std::string_view>& lines, const std::string& path);
// Most lines that hold other characters than ASCII are not UTF-8: another encoding, not a damaged line.
void refuse_other_encoding(const std::vector<std::string_view>& lines, const std::string& path);

// The name or code of a language, or of a side: what a column may be called.
bool is_column_name(const std::string& cell);
bool is_source_name(const std::string& cell);    // "source", "src" ...
bool is_target_name(const std::string& cell);    // "target", "tgt" ...
bool is_language_name(const std::string& cell);  // neither

// The first line of a table that names its columns: both sides are the name or code of a language, or a word
// such as "source" and "target".
bool is_header(const SentencePair& first);

}  // namespace glassformer
