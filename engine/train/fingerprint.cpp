#include <array>
#include <cstdint>

#include "engine/math/text_hash.h"
#include "engine/train/trainer_state.h"

namespace glassformer {
namespace {

// Of numbers, a byte at a time.
class Hash {
 public:
  void add(std::uint32_t number) {
    std::array<char, 4> bytes{};
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>((number >> (8 * i)) & 0xFFU);
    hash_ = text_hash({bytes.data(), bytes.size()}, hash_);
  }
  void add(const std::vector<EncodedPair>& pairs) {
    add(static_cast<std::uint32_t>(pairs.size()));
    for (const EncodedPair& pair : pairs)
      for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
        add(static_cast<std::uint32_t>(ids->size()));
        for (const int id : *ids) add(static_cast<std::uint32_t>(id));
      }
  }
  std::string text() const { return hash_digits(hash_); }

 private:
  std::uint64_t hash_ = kHashOfNothing;
};

}  // namespace

std::string fingerprint(const TrainingSet& data) {
  Hash hash;
  hash.add(data.training);
  hash.add(data.validation);
  return hash.text();
}

}  // namespace glassformer
