// Means of values (engine/model/what_if/value_means.h) from one start of the program to the next: measuring
// them takes seconds, and the same weights on the same pairs have the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/session/opened_model.h"
#include "engine/model/snapshot.h"
#include "engine/model/what_if/value_means.h"

namespace glassformer {

// Means of these weights over the held-out pairs of the data that the opened model learned from. Throws Error
// where these are not recorded.
std::shared_ptr<const ValueMeans> means_of(const OpenedModel& opened, const Snapshot& model);

constexpr std::uintmax_t kMostKeptMeans = 64U << 20;  // bytes of all files together; the oldest go

// Those that are kept in the folder under this key, else measured ones, which are kept then. A file that is
// damaged or of another key counts as none; that one cannot be written is no error.
ValueMeans kept_means(const std::filesystem::path& folder, const std::string& key,
                      const std::function<ValueMeans()>& measured,
                      std::uintmax_t most_bytes = kMostKeptMeans);

}  // namespace glassformer
