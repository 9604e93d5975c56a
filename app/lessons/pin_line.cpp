#include "app/lessons/pin_line.h"

#include "app/lessons/scene_lines.h"
#include "app/reading/cell_names.h"

namespace glassformer {

namespace {

CellRef number_of_scene(const std::string& text, const SceneResult& result, bool gradient) {
  CellRef cell = cell_of(text);
  if (!stored_of({*result.snapshot->weights, *result.trace}, cell))
    throw Mismatch("a number of this Scene", "“" + text + "”");
  cell.gradient = gradient;
  return cell;
}

}  // namespace

void pin_as(const std::string& text, const SceneResult& result, Selection& selection) {
  const std::vector<std::string> words = words_of_line(text);
  const bool encoder = selection.kind == AttentionKind::encoder,
             own = selection.kind == AttentionKind::decoder;
  const auto place = [&](const std::string& word, const std::vector<std::string>& among, const char* what,
                         std::optional<int>& first, std::vector<int>& more) {
    const int found = place_in(word, among, what);
    if (!first)
      first = found;
    else
      more.push_back(found);
  };
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == "query")
      place(words[i + 1], encoder ? result.source_words : result.target_in_words, "rows", selection.query,
            selection.more_queries);
    else if (words[i] == "key")
      place(words[i + 1], own ? result.target_in_words : result.source_words, "columns", selection.key,
            selection.more_keys);
    else if (words[i] == "cell" || words[i] == "gradient")
      selection.cell = number_of_scene(words[i + 1], result, words[i] == "gradient");
    else
      throw Mismatch("query, key, cell or gradient", "“" + words[i] + "”");
  }
  if (words.size() % 2 != 0) throw Mismatch("query W key W", "“" + text + "”");
}

}  // namespace glassformer
