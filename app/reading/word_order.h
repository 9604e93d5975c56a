// The order in which an axis shows a vocabulary: the words of the sentence, then all others by their ids.
#pragma once

#include <algorithm>
#include <vector>

namespace glassformer {

class WordOrder {
 public:
  WordOrder() = default;
  // `sentence` may name a word twice.
  WordOrder(const std::vector<int>& sentence) {
    for (const int id : sentence)
      if (std::ranges::find(own_, id) == own_.end()) own_.push_back(id);
    sorted_ = own_;
    std::ranges::sort(sorted_);
  }

  int own() const { return static_cast<int>(own_.size()); }  // words of the sentence

  int id(int place) const {
    if (place < own()) return own_[static_cast<std::size_t>(place)];
    int id = place - own();
    for (const int before : sorted_)
      if (before <= id) ++id;
    return id;
  }

  int place(int id) const {
    const auto found = std::ranges::find(own_, id);
    if (found != own_.end()) return static_cast<int>(found - own_.begin());
    return own() + id - static_cast<int>(std::ranges::lower_bound(sorted_, id) - sorted_.begin());
  }

 private:
  std::vector<int> own_, sorted_;
};

}  // namespace glassformer
