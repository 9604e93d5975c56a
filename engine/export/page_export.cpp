#include "engine/export/page_export.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/export/export_folder.h"
#include "engine/export/onnx_model.h"
#include "engine/export/tokenizer_json.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

std::vector<std::string> export_page(const Checkpoint& model, const PageWords& words,
                                     const std::string& assets, const std::string& folder) {
  const Tokenizers& tokenizers = model.tokenizers;
  if (!tokenizers.source || !tokenizers.target)
    throw Error("tokenizer",
                "the model has none, so a page cannot read text; --to onnx writes it without one");
  const nlohmann::json source = tokenizer_json(*tokenizers.source),
                       target = tokenizer_json(*tokenizers.target);
  const bool shared = source == target;
  const char *const source_file = shared ? "tokenizer.json" : "source_tokenizer.json",
                    *const target_file = shared ? source_file : "target_tokenizer.json";
  std::vector<std::string> notes;
  if (const std::string note = about_other_cuts(*tokenizers.source); !note.empty()) notes.push_back(note);

  const auto side = [](const Tokenizer& tokenizer, const char* file) {
    return nlohmann::json{{"file", file}, {"kind", tokenizer_name(tokenizer.kind())}};
  };
  const nlohmann::json page{{"title", words.title},
                            {"description", words.description},
                            {"example", words.example},
                            {"notes", notes},
                            {"source", side(*tokenizers.source, source_file)},
                            {"target", side(*tokenizers.target, target_file)}};
  write_export(folder, [&](OwnedFolder& to) {
    for (const char* const name :
         {"index.html", "page.js", "text.js", "page.css", "package.json", "README.md"})
      to.write_unless_changed(name, read_file(assets + "/export/page/" + name));
    for (const char* const name : {"heads.js", "heads.css"})
      to.write_unless_changed(name, read_file(assets + "/web/" + name));
    to.write_unless_changed("page.json", page.dump(1) + "\n");
    to.write(source_file, source.dump() + "\n");
    if (!shared) to.write(target_file, target.dump() + "\n");
    save_onnx(to, model.snapshot, true);
  });
  return notes;
}

}  // namespace glassformer
