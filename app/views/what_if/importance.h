// How much each part of a model matters: the change of the loss when that part alone is muted, worked out
// aside, one part after another.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/what_if/ablation.h"

namespace glassformer {

// The parts that are muted one by one.
enum class PartsShown { heads, sub_blocks, places };

// Parts that stand together: layers down, heads (or sub-blocks, or places) across.
struct PartGroup {
  std::string title, short_title;
  std::vector<std::string> columns;
  int layers = 0;
  std::vector<Change> changes;  // layers x columns, row by row

  std::size_t count() const { return changes.size(); }
};
// `block` and `words` are those of the places.
std::vector<PartGroup> part_groups(const Transformer<float>& model, PartsShown parts, Replacement by,
                                   const ValueName& block, const std::vector<std::string>& words);
// "encoder self-attention", "decoder feed-forward"
std::string block_words(const ValueName& block);
// What one part is called: "cross 2, head 1", "encoder feed-forward 1, place 3".
std::string part_name(const Change& change);

struct ImportanceKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> held_out;           // null: the sentence alone
  std::vector<int> source, target_in, target_out;  // of the sentence, where it is that
  double smoothing = 0.1;
  std::shared_ptr<const ValueMeans> means;  // where parts are replaced by them
  std::shared_ptr<const Trace> other;       // where they are taken from it
  std::vector<Change> changes;
  bool operator==(const ImportanceKey&) const = default;
};

// Losses are means over the sentences, each over its own words.
struct Importance {
  double untouched = 0;
  std::vector<Difference> parts;  // those known so far, in the order of the changes
  std::size_t count = 0;          // of all
  bool whole() const { return parts.size() == count && count > 0; }
};

// Keeps what was worked out last. Shared by copies of a view; safe to use from several threads.
class ImportanceWork {
 public:
  ImportanceWork() = default;
  ~ImportanceWork();
  ImportanceWork(const ImportanceWork&) = delete;
  ImportanceWork& operator=(const ImportanceWork&) = delete;

  // What is known by now; the rest goes on aside. Another key ends the work on the one before, unless only
  // the weights are newer. `at_once`: all of it here and now.
  Importance get(const ImportanceKey& key, bool at_once);
  bool busy();

 private:
  struct Job {
    ImportanceKey key;
    std::mutex mutex;
    Importance found;
    std::atomic<bool> cancelled{false};
    std::future<void> work;
    bool running() const;
  };
  static void work(Job& job);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Job>> jobs_;  // the oldest first
};

}  // namespace glassformer
