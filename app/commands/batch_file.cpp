#include "app/commands/batch_file.h"

#include <utility>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

std::vector<std::vector<int>> read_rows(const Safetensors& file, const std::string& name) {
  const Safetensors::Entry& entry = file.at(name);
  if (entry.shape.size() != 2) {
    throw Error(file.where(), name + " must have the shape (sentences, length), found " +
                                  std::to_string(entry.shape.size()) + " axes");
  }
  const std::vector<long> ids = file.integers(name);
  const auto length = static_cast<std::size_t>(entry.shape[1]);
  if (length == 0) throw Error(file.where(), name + " holds no tokens");
  std::vector<std::vector<int>> rows;
  for (std::size_t first = 0; first < ids.size(); first += length) {
    std::vector<int>& row = rows.emplace_back();
    for (std::size_t i = first; i < first + length; ++i) {
      if (!std::in_range<int>(ids[i]))
        throw Error(file.where(), "found the id " + std::to_string(ids[i]) + " in " + name +
                                      ", larger than any vocabulary");
      row.push_back(static_cast<int>(ids[i]));
    }
  }
  return rows;
}

}  // namespace

Batch read_batch(const std::string& path, const Config& config) {
  const Safetensors file = Safetensors::read(path);
  return make_raw_batch(read_rows(file, "source"), read_rows(file, "target_in"),
                        read_rows(file, "target_out"), config);
}

}  // namespace glassformer
