// The second page of the Decode view: what one more word costs with the keys and values of the words before
// it kept, and without.
#pragma once

#include <memory>
#include <string>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/decode/cache_use.h"

namespace glassformer {

// Of which Scene; the key keeps both alive.
struct CacheKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const CacheKey&) const = default;
};
using CacheUses = Background<CacheKey, CacheUse>;

// Null: being computed. The words are those that the Scene's decoder reads.
std::shared_ptr<const CacheUse> cache_use(const ViewInput& input, CacheUses& cache, bool at_once);

inline constexpr const char* kCacheTitle = "What a new word costs";
void draw_cache_page(Canvas& canvas, const Rect& area, const ViewInput& input, const CacheUse& use);
Point cache_page_minimum(const ViewInput& input);
InspectorPage cache_page(const ViewInput& input, const CacheUse& use);
NumberTable cache_numbers(const ViewInput& input, const CacheUse& use);
std::string cache_words(const CacheUse& use);  // "with the cache …, without …: … times as many"

}  // namespace glassformer
