#include "engine/text/huggingface.h"

#include <algorithm>
#include <utility>

#include "engine/text/huggingface_added.h"
#include "engine/text/huggingface_model.h"
#include "engine/text/huggingface_stage.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"

namespace glassformer {

namespace huggingface {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

class HuggingFaceTokenizer final : public Tokenizer {
 public:
  HuggingFaceTokenizer(const nlohmann::json& json, std::string bytes, const SpecialIds& special,
                       std::vector<std::string> names, std::vector<AddedToken> added,
                       std::unique_ptr<PieceModel> model, const std::string& where)
      : Tokenizer(special),
        bytes_(std::move(bytes)),
        names_(std::move(names)),
        added_(std::move(added)),
        model_(std::move(model)),
        normalize_(read_normalizer(part(json, "normalizer"), where)),
        typed_(looked_for(false)),
        normalized_(looked_for(true)),
        pre_tokenize_(read_pre_tokenizer(part(json, "pre_tokenizer"), where)),
        decode_(read_piece_decoder(part(json, "decoder"), where)) {
    // Decoded text shows them as found.
    for (const AddedToken& token : looked_for(true))
      names_[static_cast<std::size_t>(token.id)] = token.content;
    byte_signs_ =
        part(json, "decoder").is_object() && text_of(part(json, "decoder"), "type", "") == "ByteLevel";
  }

  static const nlohmann::json& part(const nlohmann::json& json, const char* key) {
    static const nlohmann::json none;
    const auto found = json.find(key);
    return found == json.end() ? none : *found;
  }

  TokenizerKind kind() const override { return model_->kind(); }
  int size() const override { return static_cast<int>(names_.size()); }
  bool reads_as_typed() const override { return true; }
  std::string bytes() const override { return bytes_; }

  std::string normalized(std::string_view text) const override { return normalize_(std::string(text)); }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    bool first = true;
    for (const auto& [typed, token] : typed_.cut(text)) {
      if (token) {
        pieces.push_back(piece_of(*token));
      } else {
        const std::string normal = normalize_(std::string(typed));
        for (const auto& [plain, found] : normalized_.cut(normal)) {
          if (found)
            pieces.push_back(piece_of(*found));
          else
            encode_plain(std::string(plain), first, pieces);
          first = false;
        }
      }
      first = false;
    }
    return pieces;
  }

  std::string decode(const std::vector<int>& ids) const override {
    Words pieces;
    for (const int id : ids) {
      const bool known = id >= 0 && id < size() && id != special().unk;
      if (known && (!special_name(id, special()).empty() || is_special(id))) continue;
      pieces.push_back(known ? names_[static_cast<std::size_t>(id)] : kUnknownText);
    }
    return joined(decode_(std::move(pieces)));
  }

  std::string piece(int id) const override {
    const std::string name = special_name(id, special());
    if (!name.empty() || id < 0 || id >= size()) return name;
    return readable_piece(names_[static_cast<std::size_t>(id)]);
  }
  bool starts_word(int id) const override {
    return id >= 0 && id < size() && special_name(id, special()).empty() &&
           begins_word(names_[static_cast<std::size_t>(id)], false);
  }
  std::optional<double> score(int id) const override { return model_->score(id); }

 private:
  // Added tokens as they look in the text in which they are found.
  std::vector<AddedToken> looked_for(bool normalized) const {
    std::vector<AddedToken> tokens;
    for (const AddedToken& token : added_) {
      if (token.normalized != normalized) continue;
      tokens.push_back(token);
      if (normalized) tokens.back().content = normalize_(token.content);
    }
    return tokens;
  }
  Piece piece_of(const AddedToken& token) const {
    return {.id = token.id,
            .text = names_[static_cast<std::size_t>(token.id)],
            .word_start = true,
            .special = token.special};
  }

  void encode_plain(const std::string& text, bool first, std::vector<Piece>& pieces) const {
    for (const std::string& word : pre_tokenize_({text}, first)) {
      bool begins = true;
      for (const CutPiece& cut : model_->cut(word)) {
        const bool known = cut.id >= 0 && cut.id != special().unk;
        const std::string& raw = known ? names_[static_cast<std::size_t>(cut.id)] : cut.text;
        pieces.push_back({.id = known ? cut.id : special().unk,
                          .text = readable_piece(raw),
                          .word_start = begins_word(raw, begins),
                          .unknown = !known});
        begins = false;
      }
    }
  }

  // Without what marks its place in a word.
  std::string readable_piece(const std::string& raw) const {
    std::string text = raw;
    if (byte_signs_) {
      text = bytes_of_signs(raw);
      if (first_invalid_utf8(text) != std::string::npos) text = raw;
    }
    if (text.starts_with(kWordStart)) text.erase(0, kWordStart.size());
    if (text.starts_with(' ')) text.erase(0, 1);
    if (model_->kind() == TokenizerKind::word_piece && text.size() > 2 && text.starts_with("##"))
      text.erase(0, 2);
    return text.empty() ? std::string(kWordStart) : text;
  }
  bool begins_word(const std::string& raw, bool first_of_word) const {
    if (model_->kind() == TokenizerKind::word) return true;
    if (model_->kind() == TokenizerKind::word_piece) return !raw.starts_with("##");
    if (byte_signs_) return bytes_of_signs(raw).starts_with(' ');
    return raw.starts_with(kWordStart) || first_of_word;
  }
  bool is_special(int id) const {
    return std::ranges::any_of(added_,
                               [&](const AddedToken& token) { return token.special && token.id == id; });
  }

  std::string bytes_;
  std::vector<std::string> names_;  // of each id
  std::vector<AddedToken> added_;
  std::unique_ptr<PieceModel> model_;
  Normalizer normalize_;
  AddedFinder typed_, normalized_;  // of added tokens, in the typed and in the normalised text
  PreTokenizer pre_tokenize_;
  PieceDecoder decode_;
  bool byte_signs_ = false;
};

// What each id is called.
std::vector<std::string> names_of(const PieceIds& ids, const std::vector<AddedToken>& added) {
  int last = -1;
  for (const auto& [piece, id] : ids) last = std::max(last, id);
  for (const AddedToken& token : added) last = std::max(last, token.id);
  std::vector<std::string> names(static_cast<std::size_t>(last + 1));
  for (const auto& [piece, id] : ids) names[static_cast<std::size_t>(id)] = piece;
  for (const AddedToken& token : added) names[static_cast<std::size_t>(token.id)] = token.content;
  return names;
}

SpecialIds usual_specials(const std::vector<std::string>& names, const std::optional<std::string>& unknown) {
  const auto find = [&](std::initializer_list<std::string_view> wanted, int absent) {
    for (const std::string_view name : wanted) {
      const auto found = std::ranges::find(names, name);
      if (found != names.end()) return static_cast<int>(found - names.begin());
    }
    return absent;
  };
  const std::string own = unknown.value_or("[UNK]");
  return {.pad = find({"[PAD]", "<pad>", "<blank>"}, -1),
          .unk = find({own, "[UNK]", "<unk>"}, 0),
          .bos = find({"[SOS]", "<s>", "<bos>"}, -1),
          .eos = find({"[EOS]", "</s>", "<eos>"}, -1)};
}

std::shared_ptr<const Tokenizer> load(const std::string& bytes, const std::optional<SpecialIds>& special,
                                      const std::string& where) try {
  if (bytes.size() > kMostBytes) throw Error(where, "a tokenizer.json of more than 64 MB");
  const nlohmann::json json = parse_json(bytes, where);
  if (!json.is_object()) throw Error(where, "expected a tokenizer.json, an object with a model");
  std::vector<AddedToken> added = read_added(json, where);
  std::unique_ptr<PieceModel> model = read_piece_model(HuggingFaceTokenizer::part(json, "model"), where);
  std::vector<std::string> names = names_of(model->ids(), added);
  if (names.empty()) throw Error(where, "its vocabulary is empty");
  const SpecialIds ids = special ? *special : usual_specials(names, model->unknown());
  return std::make_shared<HuggingFaceTokenizer>(json, bytes, ids, std::move(names), std::move(added),
                                                std::move(model), where);
} catch (const nlohmann::json::exception& error) {
  throw Error(where, in_words(error));
}

}  // namespace

}  // namespace huggingface

bool is_huggingface(const Tokenizer& tokenizer) {
  return dynamic_cast<const huggingface::HuggingFaceTokenizer*>(&tokenizer) != nullptr;
}

std::shared_ptr<const Tokenizer> load_huggingface(const std::string& bytes, const std::string& where) {
  return huggingface::load(bytes, std::nullopt, where);
}
std::shared_ptr<const Tokenizer> load_huggingface(const std::string& bytes, const SpecialIds& special,
                                                  const std::string& where) {
  return huggingface::load(bytes, special, where);
}

}  // namespace glassformer
