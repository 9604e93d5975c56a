#include <array>
#include <cstdint>

#include "engine/train/trainer_state.h"

namespace glassformer {
namespace {

// FNV-1a, a byte at a time.
class Hash {
 public:
  void add(std::uint32_t number) {
    for (int byte = 0; byte < 4; ++byte) {
      hash_ ^= (number >> (8 * byte)) & 0xFFU;
      hash_ *= 0x100000001B3U;
    }
  }
  void add(const std::vector<EncodedPair>& pairs) {
    add(static_cast<std::uint32_t>(pairs.size()));
    for (const EncodedPair& pair : pairs)
      for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
        add(static_cast<std::uint32_t>(ids->size()));
        for (const int id : *ids) add(static_cast<std::uint32_t>(id));
      }
  }
  std::string text() const {
    constexpr std::array<char, 17> kDigits = {"0123456789abcdef"};
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[(hash_ >> shift) & 0xFU];
    return digits;
  }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

}  // namespace

std::string fingerprint(const TrainingSet& data) {
  Hash hash;
  hash.add(data.training);
  hash.add(data.validation);
  return hash.text();
}

}  // namespace glassformer
