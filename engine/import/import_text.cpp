#include "engine/import/import_text.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/text/huggingface.h"
#include "engine/text/listed_pieces.h"
#include "engine/text/vocabulary.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr long kMostListBytes = 64L << 20;

struct TokenList {
  std::vector<std::string> tokens;  // in id order
  bool cut_signs = false;
  std::string where;
  std::string json;         // a tokenizer.json that is more than a list of words, unchanged
  SpecialIds named;         // of that one; -1 where it lacks them
  std::string unread = {};  // what of it is not read
};

std::string lines_of(const std::vector<std::string>& tokens) {
  std::string lines;
  for (const std::string& token : tokens) lines += token + '\n';
  return lines;
}

// Tokens by their ids; an id that no token has stays empty.
class TokenTable {
 public:
  TokenTable(std::string where, int size)
      : where_(std::move(where)), tokens_(static_cast<std::size_t>(size)) {}

  void add(const std::string& token, long id) {
    if (id < 0 || id >= std::ssize(tokens_))
      throw Error(where_, "the id " + std::to_string(id) + " of " + shown(token) +
                              " is outside of the model's " + std::to_string(tokens_.size()) + " rows");
    tokens_[static_cast<std::size_t>(id)] = token;
  }
  std::vector<std::string> take() { return std::move(tokens_); }

 private:
  std::string where_;
  std::vector<std::string> tokens_;
};

std::vector<std::string> read_json_vocabulary(const nlohmann::json& json, const std::string& where,
                                              int size) {
  if (!json.is_object()) throw Error(where, "expected an object from tokens to ids");
  TokenTable table(where, size);
  for (const auto& [token, id] : json.items()) table.add(token, whole<long>(id, where, token));
  return table.take();
}

std::vector<std::string> read_yaml_vocabulary(const std::string& path, int size) try {
  const YAML::Node node = YAML::Load(read_file(path, kMostListBytes));
  if (!node.IsMap()) throw Error(path, "expected a token and its id a line");
  TokenTable table(path, size);
  for (const auto& entry : node) {
    long id = -1;
    if (!entry.first.IsScalar() || !entry.second.IsScalar() || !YAML::convert<long>::decode(entry.second, id))
      throw Error(path, "expected a token and its id a line");
    table.add(entry.first.Scalar(), id);
  }
  return table.take();
} catch (const YAML::Exception&) {
  throw Error(path, "it is no YAML that can be read");
}

// ---- word lists of courses

// A tokenizer.json of Hugging Face's tokenizers that is a list of words; nothing where it is of another kind.
std::optional<TokenList> read_word_level(const nlohmann::json& json, const std::string& where, int size) {
  const auto type_of = [&](const char* part) {
    const nlohmann::json::json_pointer type("/" + std::string(part) + "/type");
    return json.contains(type) && json.at(type).is_string() ? json.at(type).get<std::string>()
                                                            : std::string();
  };
  if (type_of("model") != "WordLevel" || !json["model"].contains("vocab")) return std::nullopt;
  if (!type_of("normalizer").empty() || type_of("pre_tokenizer") != "Whitespace") return std::nullopt;
  return TokenList{read_json_vocabulary(json["model"]["vocab"], where, size), true, where};
}

// A tokenizer.json of any other kind.
TokenList read_huggingface(const std::string& bytes, const std::string& path, int size) {
  TokenList list{.where = path, .json = bytes};
  std::shared_ptr<const Tokenizer> tokenizer;
  try {
    tokenizer = load_huggingface(bytes, path);
  } catch (const Error& error) {
    list.unread = error.what();
    return list;
  }
  if (tokenizer->size() != size)
    throw Error(path, "it has " + std::to_string(tokenizer->size()) + " tokens, the model's table " +
                          std::to_string(size) + " rows");
  list.named = tokenizer->special();
  return list;
}

// Lists may have a count behind each token and a tab.
std::string_view without_count(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  const bool count = tab != line.npos && tab > 0 && tab + 1 < line.size() &&
                     line.find_first_not_of("0123456789", tab + 1) == line.npos;
  return line.substr(0, count ? tab : line.npos);
}

TokenList read_list(const std::string& path, int size) {
  const std::string bytes = read_file(path, kMostListBytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != bytes.npos && bytes[first] == '{') {
    const auto words = read_word_level(parse_json(bytes, path), path, size);
    return words ? *words : read_huggingface(bytes, path, size);
  }
  TokenList list{.where = path};
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    list.tokens.emplace_back(without_count(line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (std::ssize(list.tokens) != size)
    throw Error(path, "it has " + std::to_string(list.tokens.size()) + " tokens, the model's table " +
                          std::to_string(size) + " rows");
  return list;
}

// The special ids by the names that courses give them.
void name_specials(Config& config, const TokenList& list) {
  if (!list.json.empty()) {
    const auto take = [](int named, int& id) { id = named >= 0 ? named : id; };
    take(list.named.pad, config.pad_id), take(list.named.unk, config.unk_id);
    take(list.named.bos, config.bos_id), take(list.named.eos, config.eos_id);
    return;
  }
  const auto find = [&](std::initializer_list<std::string_view> names, int& id) {
    for (const std::string_view name : names) {
      const auto found = std::ranges::find(list.tokens, name);
      if (found == list.tokens.end()) continue;
      id = static_cast<int>(found - list.tokens.begin());
      return;
    }
  };
  find({"[PAD]", "<pad>", "<blank>"}, config.pad_id);
  find({"[UNK]", "<unk>"}, config.unk_id);
  find({"[SOS]", "<s>", "<bos>"}, config.bos_id);
  find({"[EOS]", "</s>", "<eos>"}, config.eos_id);
}

SpecialIds specials_of(const Config& config) {
  return {config.pad_id, config.unk_id, config.bos_id, config.eos_id};
}

void assume_ids(ImportPlan& plan, const std::string& why) {
  plan.assumed.push_back({"tokenizers", nullptr, why + ": ids go in and out"});
}

Tokenizers word_tokenizers(ImportPlan& plan, const ImportOptions& options) {
  if (options.source_vocabulary.empty() != options.target_vocabulary.empty())
    throw Error("vocabulary", "give those of both sides, or none");
  if (options.source_vocabulary.empty()) {
    assume_ids(plan, "no vocabularies were given");
    const SpecialIds ids = specials_of(plan.config);
    plan.assumed.push_back({"pad, unk, bos, eos",
                            {ids.pad, ids.unk, ids.bos, ids.eos},
                            "the code that it comes from numbers them so; vocabularies would name them"});
    return {};
  }
  const auto source = read_list(options.source_vocabulary, plan.config.source_vocab);
  const auto target = read_list(options.target_vocabulary, plan.config.target_vocab);
  for (const TokenList* const side : {&source, &target}) {
    if (side->unread.empty()) continue;
    assume_ids(plan, side->unread);
    return {};
  }
  name_specials(plan.config, source);
  Config by_target = plan.config;
  name_specials(by_target, target);
  if (by_target != plan.config)
    throw Error(target.where, "its special tokens have other ids than those of " + source.where +
                                  "; a model has one set of them");
  const auto load = [&](const TokenList& list) {
    if (!list.json.empty()) return load_huggingface(list.json, specials_of(plan.config), list.where);
    return load_vocabulary(lines_of(list.tokens), TokenizerKind::word, specials_of(plan.config), list.where,
                           list.cut_signs);
  };
  return {load(source), load(target)};
}

// ---- Marian's: a sentencepiece model for each side, and lists of ids

std::string only_file(const fs::path& folder, std::string_view ending) {
  std::string found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || !entry.path().string().ends_with(ending)) continue;
    if (!found.empty()) return {};
    found = entry.path().string();
  }
  return found;
}

std::vector<std::string> marian_pieces(const ImportPlan& plan, const fs::path& folder, bool source,
                                       int size) {
  if (plan.kind == kMarianNpz.name) {
    auto pieces = read_yaml_vocabulary(only_file(folder, "vocab.yml"), size);
    pieces[static_cast<std::size_t>(plan.config.pad_id)] = "<pad>";
    return pieces;
  }
  const fs::path own = folder / "target_vocab.json";
  const std::string path = (!source && fs::exists(own) ? own : folder / "vocab.json").string();
  return read_json_vocabulary(read_json(path, kMostListBytes), path, size);
}

void name_marian_specials(Config& config, const std::vector<std::string>& pieces) {
  const auto find = [&](std::string_view name, int& id) {
    const auto found = std::ranges::find(pieces, name);
    if (found != pieces.end()) id = static_cast<int>(found - pieces.begin());
  };
  find("<unk>", config.unk_id);
  find("</s>", config.eos_id);
}

// Marian's own way with sentencepiece: one model that cuts and numbers both sides.
Tokenizers pieces_for_both(ImportPlan& plan, const std::string& path) {
  const std::string bytes = read_file(path, kMostListBytes);
  std::vector<std::string> pieces = own_pieces(bytes, path);
  pieces.emplace_back("<pad>");  // the row that the import adds
  for (const int rows : {plan.config.source_vocab, plan.config.target_vocab})
    if (std::ssize(pieces) != rows)
      throw Error(path, "it has " + std::to_string(pieces.size() - 1) + " pieces, the model's table " +
                            std::to_string(rows - 1) + " rows");
  name_marian_specials(plan.config, pieces);
  const auto tokenizer = make_listed_pieces(bytes, std::move(pieces), specials_of(plan.config), path);
  return {tokenizer, tokenizer};
}

Tokenizers marian_tokenizers(ImportPlan& plan, const ForeignModel& model) {
  const fs::path folder = model.folder;
  const std::string alone = plan.kind == kMarianNpz.name ? only_file(folder, ".spm") : "";
  if (!alone.empty()) return pieces_for_both(plan, alone);
  const bool listed = plan.kind == kMarianNpz.name ? !only_file(folder, "vocab.yml").empty()
                                                   : fs::exists(folder / "vocab.json");
  if (!listed || !fs::exists(folder / "source.spm") || !fs::exists(folder / "target.spm")) {
    assume_ids(plan, "source.spm, target.spm and the list of their ids are not all beside the weights");
    return {};
  }
  const auto pieces = marian_pieces(plan, folder, true, plan.config.source_vocab);
  name_marian_specials(plan.config, pieces);
  const auto load = [&](const char* name, std::vector<std::string> list) {
    const std::string path = (folder / name).string();
    return make_listed_pieces(read_file(path, kMostListBytes), std::move(list), specials_of(plan.config),
                              path);
  };
  return {load("source.spm", pieces),
          load("target.spm", marian_pieces(plan, folder, false, plan.config.target_vocab))};
}

}  // namespace

Tokenizers import_tokenizers(ImportPlan& plan, const ForeignModel& model, const ImportOptions& options) {
  const bool marian = plan.kind == kMarianNpz.name || plan.kind == kMarianMt.name;
  if (marian && options.source_vocabulary.empty()) return marian_tokenizers(plan, model);
  return word_tokenizers(plan, options);
}

}  // namespace glassformer
