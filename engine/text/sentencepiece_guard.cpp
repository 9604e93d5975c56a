#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// Reads protocol buffer fields one after the other.
class Fields {
 public:
  Fields(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  bool next() {
    if (position_ == bytes_.size()) return false;
    const std::uint64_t key = varint();
    number = key >> 3;
    wire = static_cast<int>(key & 7);
    switch (wire) {
      case 0:
        value = varint();
        break;
      case 1:
        content = take(8);
        break;
      case 2:
        content = take(varint());
        break;
      case 5:
        content = take(4);
        break;
      default:
        fail();
    }
    return true;
  }

  bool is_content(std::uint64_t field) const { return number == field && wire == 2; }

  std::uint64_t number = 0;
  int wire = 0;
  std::uint64_t value = 0;   // of wire type 0
  std::string_view content;  // of the others

 private:
  [[noreturn]] void fail() const {
    throw Error(where_, "this is not a sentencepiece model (broken at byte " + std::to_string(position_) +
                            "); expected the file that sentencepiece's training writes");
  }

  std::uint64_t varint() {
    std::uint64_t result = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position_ == bytes_.size()) fail();
      const auto byte = static_cast<unsigned char>(bytes_[position_++]);
      result |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return result;
    }
    fail();
  }

  std::string_view take(std::uint64_t length) {
    if (length > bytes_.size() - position_) fail();
    const std::string_view part = bytes_.substr(position_, static_cast<std::size_t>(length));
    position_ += static_cast<std::size_t>(length);
    return part;
  }

  std::string_view bytes_;
  std::string where_;
  std::size_t position_ = 0;
};

void check_piece(std::string_view bytes, const std::string& where) {
  for (Fields fields(bytes, where); fields.next();) {
    if (fields.is_content(1)) {
      const bool sound = first_invalid_utf8(fields.content) == std::string_view::npos &&
                         fields.content.find('\0') == std::string_view::npos && !fields.content.empty();
      if (!sound)
        throw Error(where, "the sentencepiece model holds a piece that is empty or not UTF-8; train it anew");
    }
    if (fields.number == 2 && fields.wire == 5) {
      float score = 0;
      std::memcpy(&score, fields.content.data(), sizeof score);
      if (!std::isfinite(score))
        throw Error(where, "the sentencepiece model holds a score that is no number; train it anew");
    }
  }
}

// The rules of normalisation are a double-array trie (a unit: label, offset to the children, leaf mark)
// followed by the replacement texts, each ended by a NUL. The library walks it without looking at its bounds,
// so every unit that can be reached must lie inside, and so must every child that could be asked for.
bool is_sound_charsmap(std::string_view map) {
  if (map.empty()) return true;
  std::uint32_t trie_bytes = 0;
  if (map.size() < sizeof trie_bytes) return false;
  std::memcpy(&trie_bytes, map.data(), sizeof trie_bytes);
  map.remove_prefix(sizeof trie_bytes);
  if (trie_bytes >= map.size() || trie_bytes % 4 != 0 || trie_bytes == 0) return false;
  std::vector<std::uint32_t> units(trie_bytes / 4);
  std::memcpy(units.data(), map.data(), trie_bytes);
  const std::string_view texts = map.substr(trie_bytes);
  if (texts.back() != '\0' || first_invalid_utf8(texts) != std::string_view::npos) return false;

  std::vector<bool> seen(units.size(), false);
  std::vector<std::uint32_t> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    const std::uint32_t unit = units[node];
    const std::uint32_t children = node ^ ((unit >> 10) << ((unit & (1u << 9)) >> 6));
    if ((children | 0xFFu) >= units.size()) return false;
    if (((unit >> 8) & 1u) != 0 && (units[children] & 0x7FFFFFFFu) >= texts.size()) return false;
    for (std::uint32_t label = 0; label < 256; ++label) {
      const std::uint32_t child = children ^ label;
      if ((units[child] & 0x800000FFu) != label || seen[child]) continue;
      seen[child] = true;
      open.push_back(child);
    }
  }
  return true;
}

void check_normalizer(std::string_view bytes, const std::string& where) {
  for (Fields fields(bytes, where); fields.next();) {
    if (fields.is_content(2) && !is_sound_charsmap(fields.content)) {
      throw Error(where,
                  "the sentencepiece model's normalisation table is broken; train it or download it anew");
    }
  }
}

}  // namespace

TokenizerKind check_sentencepiece_bytes(const std::string& bytes, const std::string& where) {
  constexpr std::uint64_t kBpe = 2, kWords = 3, kCharacters = 4;
  TokenizerKind kind = TokenizerKind::unigram;
  for (Fields model(bytes, where); model.next();) {
    if (model.is_content(1)) check_piece(model.content, where);
    if (model.is_content(2)) {
      for (Fields trainer(model.content, where); trainer.next();) {
        if (trainer.number == 3 && trainer.wire == 0) {
          kind = trainer.value == kBpe          ? TokenizerKind::bpe
                 : trainer.value == kWords      ? TokenizerKind::word
                 : trainer.value == kCharacters ? TokenizerKind::character
                                                : TokenizerKind::unigram;
        }
      }
    }
    if (model.is_content(3) || model.is_content(5)) check_normalizer(model.content, where);
  }
  return kind;
}

}  // namespace glassformer
