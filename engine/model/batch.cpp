#include "engine/model/batch.h"

#include <algorithm>
#include <string>

#include "engine/math/error.h"

namespace glassformer {
namespace {

using Rows = std::span<const std::vector<int>>;

void check_sentence(const char* side, std::size_t index, std::span<const int> ids, int vocabulary,
                    int max_length) {
  const auto where = [&] { return std::string(side) + " sentence " + std::to_string(index + 1); };
  if (std::ssize(ids) > max_length) {
    throw Error(where(), "the model reads at most " + std::to_string(max_length) +
                             " tokens (special tokens included), found " + std::to_string(ids.size()) +
                             "; shorten it");
  }
  for (const int id : ids) {
    if (id < 0 || id >= vocabulary) {
      throw Error(where(),
                  "ids go from 0 to " + std::to_string(vocabulary - 1) + ", found " + std::to_string(id));
    }
  }
}

void check_counts(std::size_t sources, std::size_t targets) {
  if (sources == targets) return;
  throw Error("batch", "expected as many targets as sources, found " + std::to_string(targets) + " and " +
                           std::to_string(sources));
}

}  // namespace

void check_ids(const Batch& batch, int source_vocab, int target_vocab, int max_length) {
  const auto check = [&](const char* side, const PackedIds& packed, int vocabulary) {
    for (int i = 0; i < packed.sentences(); ++i)
      check_sentence(side, static_cast<std::size_t>(i), packed.sentence(i), vocabulary, max_length);
  };
  check("source", batch.source, source_vocab);
  check("target", batch.target_in, target_vocab);
  check("target", batch.target_out, target_vocab);
}

void check_pairs(const Batch& batch) {
  check_counts(static_cast<std::size_t>(batch.source.sentences()),
               static_cast<std::size_t>(batch.target_in.sentences()));
}

void PackedIds::clear() {
  ids_.clear();
  offsets_.assign(1, 0);
}

void PackedIds::add(std::span<const int> sentence) {
  ids_.insert(ids_.end(), sentence.begin(), sentence.end());
  offsets_.push_back(static_cast<int>(ids_.size()));
}

int PackedIds::longest() const {
  int longest = 0;
  for (int i = 0; i < sentences(); ++i) longest = std::max(longest, length(i));
  return longest;
}

std::span<const int> PackedIds::sentence(int index) const {
  return ids().subspan(static_cast<std::size_t>(begin(index)), static_cast<std::size_t>(length(index)));
}

int PackedIds::padding_at_end(int index, int pad_id) const {
  const std::span<const int> ids = sentence(index);
  const auto last = std::find_if(ids.rbegin(), ids.rend(), [&](int id) { return id != pad_id; });
  return static_cast<int>(last - ids.rbegin());
}

bool PackedIds::contains(int id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

std::vector<std::uint8_t> PackedIds::padding(int pad_id, bool starts_with_pad) const {
  std::vector<std::uint8_t> padding;
  padding.reserve(ids_.size());
  for (const int id : ids_) padding.push_back(id == pad_id ? 1 : 0);
  for (int i = 0; i < sentences() && starts_with_pad; ++i)
    if (length(i) > 0) padding[static_cast<std::size_t>(begin(i))] = 0;
  return padding;
}

int Batch::target_words(int pad_id) const {
  const auto ids = target_out.ids();
  return static_cast<int>(std::ssize(ids) - std::count(ids.begin(), ids.end(), pad_id));
}

int Batch::padding(int pad_id) const {
  return static_cast<int>(std::ranges::count(source.ids(), pad_id) +
                          std::ranges::count(target_in.ids(), pad_id));
}

Batch make_batch(Rows sources, Rows targets, const Config& config) {
  check_counts(sources.size(), targets.size());
  Batch batch;
  std::vector<int> row;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    row = source_row(sources[i], config);
    check_sentence("source", i, row, config.source_vocab, config.max_length);
    batch.source.add(row);

    row.assign(1, config.first_id());
    row.insert(row.end(), targets[i].begin(), targets[i].end());
    check_sentence("target", i, row, config.target_vocab, config.max_length);
    batch.target_in.add(row);
    row.erase(row.begin());
    row.push_back(config.eos_id);
    batch.target_out.add(row);
  }
  return batch;
}

Batch make_raw_batch(Rows sources, Rows target_in, Rows target_out, const Config& config) {
  check_counts(sources.size(), target_in.size());
  check_counts(sources.size(), target_out.size());
  Batch batch;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    check_sentence("source", i, sources[i], config.source_vocab, config.max_length);
    check_sentence("target", i, target_in[i], config.target_vocab, config.max_length);
    check_sentence("target", i, target_out[i], config.target_vocab, config.max_length);
    if (target_in[i].size() != target_out[i].size()) {
      throw Error("target sentence " + std::to_string(i + 1),
                  "target_in and target_out must be equally long, found " +
                      std::to_string(target_in[i].size()) + " and " + std::to_string(target_out[i].size()));
    }
    batch.source.add(sources[i]);
    batch.target_in.add(target_in[i]);
    batch.target_out.add(target_out[i]);
  }
  return batch;
}

std::vector<std::vector<int>> filled_up(std::vector<std::vector<int>> rows, int pad_id) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  for (auto& row : rows) row.resize(longest, pad_id);
  return rows;
}

Batch with_trailing_padding(const Batch& batch, int count, const Config& config) {
  Batch result;
  result.rules = batch.rules;
  std::vector<int> row;
  const auto add = [&](const PackedIds& from, int sentence, PackedIds& to) {
    const auto ids = from.sentence(sentence);
    row.assign(ids.begin(), ids.end());
    const int room = std::max(0, config.max_length - from.length(sentence));
    row.insert(row.end(), static_cast<std::size_t>(std::min(count, room)), config.pad_id);
    to.add(row);
  };
  for (int i = 0; i < batch.sentences(); ++i) {
    add(batch.source, i, result.source);
    add(batch.target_in, i, result.target_in);
    add(batch.target_out, i, result.target_out);
  }
  return result;
}

Batch without_trailing_padding(const Batch& batch, int pad_id) {
  const auto real_length = [&](std::span<const int> ids) {
    std::size_t length = ids.size();
    while (length > 0 && ids[length - 1] == pad_id) --length;
    return length;
  };
  Batch result;
  result.rules = batch.rules;
  for (int i = 0; i < batch.sentences(); ++i) {
    const auto source = batch.source.sentence(i);
    result.source.add(source.first(real_length(source)));
    const auto read = batch.target_in.sentence(i), asked = batch.target_out.sentence(i);
    const std::size_t length = std::max(real_length(read), real_length(asked));
    result.target_in.add(read.first(length));
    result.target_out.add(asked.first(length));
  }
  return result;
}

}  // namespace glassformer
