#include "engine/train/part_readings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/layers/tap.h"
#include "engine/model/training_pass.h"
#include "engine/model/transformer.h"

namespace glassformer {
namespace {

constexpr int kGroup = 16;  // sentences of a pass

struct CountedMean {
  double sum = 0;
  long count = 0;
  void add(double value) { sum += value, ++count; }
  void add(const CountedMean& other) { sum += other.sum, count += other.count; }
  double value() const { return count > 0 ? sum / static_cast<double>(count) : HeadReading::kNone; }
};

struct PartSums {
  double gradient = 0;
  CountedMean entropy, largest, same_place, previous, next, same_word, bos, eos;
  std::map<int, long> words;  // rows in which this id has the largest weight
  long rows = 0;

  void add(const PartSums& other) {
    gradient += other.gradient;
    for (CountedMean PartSums::*each :
         {&PartSums::entropy, &PartSums::largest, &PartSums::same_place, &PartSums::previous, &PartSums::next,
          &PartSums::same_word, &PartSums::bos, &PartSums::eos})
      (this->*each).add(other.*each);
    for (const auto& [word, count] : other.words) words[word] += count;
    rows += other.rows;
  }
};

// Which values belong to which part: by name, of each head or (no heads) of all columns.
struct PartPlaces {
  std::map<std::string, std::map<int, std::size_t>> value, weights;

  explicit PartPlaces(const std::vector<Change>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool head = parts[i].kind == ChangeKind::mute_head;
      value[written(parts[i].block, head ? ValueKind::context : ValueKind::output)]
           [head ? parts[i].head : 0] = i;
      if (head) weights[written(parts[i].block, ValueKind::weights)][parts[i].head] = i;
    }
  }
};

class PartReader : public Tap<float> {
 public:
  PartReader(const Batch& batch, const Config& config, const PartPlaces& places, std::size_t parts)
      : sums(parts), batch_(batch), config_(config), places_(places) {}

  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    if (const auto found = places_.value.find(point.name); found != places_.value.end()) {
      if (point.gradient)
        weigh(point, value, found->second);
      else
        values_[{point.name, point.first_row}] = value;
    }
    const auto found = places_.weights.find(point.name);
    if (found == places_.weights.end() || point.gradient) return;
    if (const auto part = found->second.find(point.head); part != found->second.end())
      for (int query = 0; query < value.rows(); ++query) read_row(point, value, query, sums[part->second]);
  }

  std::vector<PartSums> sums;  // of the parts

 private:
  // Value times gradient, each sentence's over its own words.
  void weigh(const TapPoint& point, const MatrixRef<float>& gradient,
             const std::map<int, std::size_t>& parts) {
    const Matrix<float>& value = values_.at({point.name, point.first_row});
    const PackedIds& ids = point.side == Side::source ? batch_.source : batch_.target_in;
    const Eigen::Index width = gradient.cols() / point.heads;
    int sentence = 0;
    for (Eigen::Index row = 0; row < gradient.rows(); ++row) {
      while (point.first_row + row >= ids.begin(sentence + 1)) ++sentence;
      const auto right = batch_.target_out.sentence(sentence);
      const auto words =
          static_cast<double>(std::ranges::count_if(right, [&](int id) { return id != config_.pad_id; }));
      for (const auto& [head, part] : parts) {
        const auto here = value.row(row).segment(head * width, width).cast<double>();
        const auto back = gradient.row(row).segment(head * width, width).cast<double>();
        sums[part].gradient -= here.dot(back) / std::max(1.0, words);
      }
    }
  }

  void read_row(const TapPoint& point, const MatrixRef<float>& weights, int query, PartSums& sum) const {
    const bool decoder = point.side == Side::target, self = point.key_side == point.side;
    const auto queries = (decoder ? batch_.target_in : batch_.source).sentence(point.sentence);
    const bool target_keys = point.key_side == Side::target;
    const auto keys = (target_keys ? batch_.target_in : batch_.source).sentence(point.sentence);
    const int begins = target_keys ? config_.first_id() : config_.bos_id;
    const int own = queries[static_cast<std::size_t>(query)];
    const auto pads = [&](int id, int place, bool target) {
      return id == config_.pad_id && !(target && place == 0 && config_.starts_with_pad());
    };
    if (pads(own, query, decoder)) return;
    const bool causal = decoder && self && batch_.rules.mask_causal;
    const auto id = [&](int key) { return keys[static_cast<std::size_t>(key)]; };
    const auto seen = [&](int key) {
      return key >= 0 && key < std::ssize(keys) && !pads(id(key), key, target_keys) &&
             (!causal || key <= query);
    };
    const auto weight = [&](int key) { return static_cast<double>(weights(query, key)); };

    int visible = 0, largest = -1;
    double entropy = 0, all = 0, same = 0, bos = 0, eos = 0;
    bool has_same = false, has_bos = false, has_eos = false;
    for (int key = 0; key < std::ssize(keys); ++key) {
      if (!seen(key)) continue;
      const double w = weight(key);
      ++visible;
      all += w;
      if (w > 0) entropy -= w * std::log(w);
      if (largest < 0 || w > weight(largest)) largest = key;
      if (self && key != query && id(key) == own) has_same = true, same += w;
      if (id(key) == begins) has_bos = true, bos += w;
      if (id(key) == config_.eos_id) has_eos = true, eos += w;
    }
    if (visible < 2) return;
    if (all == 0) return;  // a ReLU's row may read nothing
    // Of the row's shares, whatever it adds up to.
    const auto share = [&](double part) { return part / all; };
    sum.entropy.add(entropy / all + std::log(all));
    sum.largest.add(share(weight(largest)));
    ++sum.words[id(largest)];
    ++sum.rows;
    if (seen(query)) sum.same_place.add(share(weight(query)));
    if (seen(query - 1)) sum.previous.add(share(weight(query - 1)));
    if (seen(query + 1)) sum.next.add(share(weight(query + 1)));
    if (has_same) sum.same_word.add(share(same));
    if (has_bos) sum.bos.add(share(bos));
    if (has_eos) sum.eos.add(share(eos));
  }

  const Batch& batch_;
  const Config& config_;
  const PartPlaces& places_;
  std::map<std::pair<std::string, int>, Matrix<float>> values_;  // by name and first row
};

HeadReading reading_of(const PartSums& sums) {
  HeadReading reading{.entropy = sums.entropy.value(),
                      .largest = sums.largest.value(),
                      .same_place = sums.same_place.value(),
                      .previous = sums.previous.value(),
                      .next = sums.next.value(),
                      .same_word = sums.same_word.value(),
                      .bos = sums.bos.value(),
                      .eos = sums.eos.value()};
  long most = 0;
  for (const auto& [word, count] : sums.words)
    if (count > most) most = count, reading.word = word;
  if (sums.rows > 0) reading.word_share = static_cast<double>(most) / static_cast<double>(sums.rows);
  return reading;
}

}  // namespace

std::vector<PartReading> read_parts(const LossJob& job, const std::vector<Change>& parts) {
  const PartPlaces places(parts);
  const int sentences = job.batch.sentences(), groups = (sentences + kGroup - 1) / kGroup;
  std::vector<std::vector<PartSums>> of_group(static_cast<std::size_t>(groups));
  run_on(job.pool, groups, [&](int group) {
    Batch batch;
    copy_sentences(job.batch, group * kGroup, std::min(sentences, (group + 1) * kGroup), batch);
    PartReader reader(batch, job.model.config, places, parts.size());
    Saved<float> saved;
    Transformer<float> gradient(job.model.config);
    // The sum over the words: each sentence is divided by its own number of them.
    const LossOptions options{.smoothing = job.smoothing, .gradient = true, .words = 1};
    job.model.forward(batch, saved, reader);
    job.model.loss(batch, saved, options);
    job.model.backward(batch, saved, gradient, reader);
    of_group[static_cast<std::size_t>(group)] = std::move(reader.sums);
  });

  std::vector<PartReading> readings(parts.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    PartSums all;
    for (const std::vector<PartSums>& group : of_group) all.add(group[part]);
    readings[part].gradient = all.gradient / std::max(1, sentences);
    if (parts[part].kind == ChangeKind::mute_head) readings[part].attention = reading_of(all);
  }
  return readings;
}

}  // namespace glassformer
