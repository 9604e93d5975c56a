// Beam search: the K best beginnings are continued side by side.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "engine/decode/beam_record.h"
#include "engine/decode/choices.h"
#include "engine/decode/search.h"
#include "engine/math/softmax.h"

namespace glassformer {
namespace {

// One token of a hypothesis and all before it. Hypotheses share their beginnings.
struct Node {
  std::shared_ptr<const Node> before;  // null at the first token
  DecodeStep step;
};

struct Beginning {
  double total = 0;                  // sum of log-probabilities
  std::shared_ptr<const Node> last;  // null: nothing written yet
  int rank = -1;                     // of its last word among all of that step; -1: nothing written yet
};

struct Finished {
  double score = 0;
  std::shared_ptr<const Node> last;
};

struct Continuation {
  double total = 0;
  int beginning = 0;
  int id = 0;
  double log_probability = 0;
};

// The search for one sentence.
struct Beam {
  std::vector<Beginning> alive = {Beginning{}};
  std::vector<Finished> finished;  // best first, at most K
  bool done = false;
  std::shared_ptr<BeamRecord> record;  // null: nobody asked for it
};

// What is not a number comes last, so that there is an order.
double orderly(double value) {
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

double score_of(double total, int written, const DecodeOptions& options) {
  return total / length_penalty(options.penalty, written, options.alpha);
}

void note_finish(Beam& beam, BeamPlace place, double total, bool ended, const DecodeOptions& options) {
  if (!beam.record) return;
  const int words = place.step + 1;
  BeamFinish finish{place, total, words, length_penalty(options.penalty, words, options.alpha), 0, ended};
  finish.score = score_of(total, words, options);
  beam.record->finished.push_back(finish);
}

std::vector<DecodeStep> steps_to(const std::shared_ptr<const Node>& last) {
  std::vector<DecodeStep> steps;
  for (const Node* node = last.get(); node != nullptr; node = node->before.get()) steps.push_back(node->step);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void keep_best(std::vector<Finished>& finished, std::size_t count) {
  std::stable_sort(finished.begin(), finished.end(),
                   [](const Finished& a, const Finished& b) { return orderly(a.score) > orderly(b.score); });
  if (finished.size() > count) finished.resize(count);
}

void write_result(Beam& beam, int written, const DecodeOptions& options, DecodeResult& result) {
  // Whatever is unfinished competes too.
  if (!beam.done) {
    for (const Beginning& beginning : beam.alive) {
      if (!beginning.last) continue;
      beam.finished.push_back({score_of(beginning.total, written, options), beginning.last});
      note_finish(beam, {written - 1, beginning.rank}, beginning.total, false, options);
    }
  }
  if (beam.record) {
    std::ranges::stable_sort(beam.record->finished, std::greater<>(),
                             [](const BeamFinish& finish) { return orderly(finish.score); });
    result.record = beam.record;
  }
  keep_best(beam.finished, static_cast<std::size_t>(options.beam));
  for (const Finished& finished : beam.finished) {
    Hypothesis& hypothesis = result.hypotheses.emplace_back();
    hypothesis.score = finished.score;
    for (const DecodeStep& step : steps_to(finished.last)) hypothesis.ids.push_back(step.id);
  }
  if (beam.finished.empty()) return;
  result.score = beam.finished.front().score;
  result.steps = steps_to(beam.finished.front().last);
  for (const DecodeStep& step : result.steps) {
    result.ids.push_back(step.id);
    result.log_probabilities.push_back(step.log_probability);
  }
}

template <class Scalar>
class BeamSearch {
 public:
  BeamSearch(PrefixDecoder<Scalar>& decoder, const SearchJob& job, const DecodeOptions& options)
      : job_(job), options_(options), decoder_(decoder), beams_(job.results.size()) {
    for (std::size_t i = 0; i < beams_.size(); ++i) active_.push_back(i);
    if (options.record)
      for (Beam& beam : beams_) beam.record = std::make_shared<BeamRecord>();
    ids_.assign(active_.size(), job_.bos_id);
  }

  void run() {
    int written = 0;
    bool stopped = false;
    while (written + 1 < job_.max_length && !active_.empty()) {
      stopped = job_.keep_going && !job_.keep_going();
      if (stopped) break;
      ++written;
      advance(decoder_.step(ids_), written);
    }
    for (const std::size_t sentence : active_)
      if (beams_[sentence].record && stopped) beams_[sentence].record->end = BeamEnd::stopped;
    for (std::size_t i = 0; i < beams_.size(); ++i)
      write_result(beams_[i], written, options_, job_.results[i]);
  }

 private:
  // All beams by one token; the rows of `logits` are the beginnings of the active sentences, one after
  // another.
  void advance(const Matrix<Scalar>& logits, int written) {
    std::vector<int> from, next_ids;
    std::vector<std::size_t> still;
    int first_row = 0;
    for (const std::size_t sentence : active_) {
      Beam& beam = beams_[sentence];
      const int rows = static_cast<int>(beam.alive.size());
      rank(logits, first_row, beam, written);
      continue_beam(beam, first_row, written, from, next_ids);
      if (!beam.done) still.push_back(sentence);
      first_row += rows;
    }
    decoder_.select(from);
    ids_ = std::move(next_ids);
    active_ = std::move(still);
  }

  // The best continuations of a sentence's beginnings: K of them may end in eos, K more are continued.
  void rank(const Matrix<Scalar>& logits, int first_row, const Beam& beam, int written) {
    ranked_.clear();
    tops_.resize(beam.alive.size());
    const int wanted = std::max(2 * options_.beam, options_.alternatives);
    for (std::size_t i = 0; i < beam.alive.size(); ++i) {
      const auto row = logits.row(first_row + static_cast<int>(i));
      const std::span<const Scalar> scores(row.data(), static_cast<std::size_t>(row.size()));
      const auto log_sum = static_cast<double>(log_sum_exp(scores.data(), static_cast<int>(scores.size())));
      likeliest(scores, log_sum, wanted, tops_[i]);
      const auto add = [&](int id, double log_probability) {
        ranked_.push_back({beam.alive[i].total + log_probability, static_cast<int>(i), id, log_probability});
      };
      if (written <= std::ssize(options_.forced)) {
        const int id = options_.forced[static_cast<std::size_t>(written - 1)];
        add(id, static_cast<double>(scores[static_cast<std::size_t>(id)]) - log_sum);
      } else {
        const std::size_t count = std::min(tops_[i].size(), static_cast<std::size_t>(2 * options_.beam));
        for (std::size_t c = 0; c < count; ++c) add(tops_[i][c].id, tops_[i][c].log_probability);
      }
    }
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const Continuation& a, const Continuation& b) {
      const double first = orderly(a.total), second = orderly(b.total);
      if (first != second) return first > second;
      return a.beginning != b.beginning ? a.beginning < b.beginning : a.id < b.id;
    });
  }

  void continue_beam(Beam& beam, int first_row, int written, std::vector<int>& from,
                     std::vector<int>& next_ids) {
    const auto beam_size = static_cast<std::size_t>(options_.beam);
    std::vector<Beginning> alive;
    std::vector<int> rows, ids;
    if (beam.record) note_step(beam);
    const auto fate = [&](std::size_t rank, BeamFate became) {
      if (beam.record) beam.record->steps.back().considered[rank].fate = became;
    };
    for (std::size_t rank = 0; rank < ranked_.size() && alive.size() < beam_size; ++rank) {
      const Continuation& next = ranked_[rank];
      if (next.id == job_.eos_id) {
        if (rank >= beam_size) continue;
        beam.finished.push_back({score_of(next.total, written, options_), extend(beam, next)});
        fate(rank, BeamFate::finished);
        note_finish(beam, {written - 1, static_cast<int>(rank)}, next.total, true, options_);
        continue;
      }
      alive.push_back({next.total, extend(beam, next), static_cast<int>(rank)});
      fate(rank, BeamFate::kept);
      rows.push_back(first_row + next.beginning);
      ids.push_back(next.id);
    }
    keep_best(beam.finished, beam_size);
    beam.alive = std::move(alive);

    // Nobody can strictly beat the worst of K finished ones any more.
    const bool full = beam.finished.size() == beam_size;
    const double bound =
        beam.alive.empty() ? 0 : score_of(beam.alive.front().total, job_.max_length - 1, options_);
    beam.done = beam.alive.empty() || (full && orderly(bound) <= orderly(beam.finished.back().score));
    if (beam.done && beam.record) {
      beam.record->end = beam.alive.empty() ? BeamEnd::nothing_alive : BeamEnd::beaten;
      beam.record->bound = bound;
      beam.record->worst = beam.finished.empty() ? 0 : beam.finished.back().score;
    }
    if (beam.done) return;
    from.insert(from.end(), rows.begin(), rows.end());
    next_ids.insert(next_ids.end(), ids.begin(), ids.end());
  }

  // All that was ranked, for the record: nothing is chosen yet.
  void note_step(Beam& beam) {
    BeamStep& step = beam.record->steps.emplace_back();
    for (const Continuation& next : ranked_)
      step.considered.push_back({beam.alive[static_cast<std::size_t>(next.beginning)].rank, next.id,
                                 next.log_probability, next.total, BeamFate::cut});
    for (std::size_t i = 0; i < beam.alive.size(); ++i)
      step.beginnings.push_back({beam.alive[i].rank, tops_[i]});
  }

  std::shared_ptr<const Node> extend(const Beam& beam, const Continuation& next) const {
    const auto beginning = static_cast<std::size_t>(next.beginning);
    auto node = std::make_shared<Node>();
    node->before = beam.alive[beginning].last;
    node->step.id = next.id;
    node->step.log_probability = next.log_probability;
    const std::vector<Candidate>& top = tops_[beginning];
    const auto kept = std::min(top.size(), static_cast<std::size_t>(std::max(options_.alternatives, 0)));
    node->step.top.assign(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(kept));
    return node;
  }

  const SearchJob& job_;
  const DecodeOptions& options_;
  PrefixDecoder<Scalar>& decoder_;
  std::vector<Beam> beams_;                   // a sentence each
  std::vector<std::size_t> active_;           // sentences still searched
  std::vector<int> ids_;                      // last token of each row
  std::vector<Continuation> ranked_;          // of one sentence, best first
  std::vector<std::vector<Candidate>> tops_;  // of each beginning of that sentence
};

}  // namespace

template <class Scalar>
void search_beam(PrefixDecoder<Scalar>& decoder, const SearchJob& job, const DecodeOptions& options) {
  BeamSearch<Scalar>(decoder, job, options).run();
}

template void search_beam(PrefixDecoder<float>&, const SearchJob&, const DecodeOptions&);
template void search_beam(PrefixDecoder<double>&, const SearchJob&, const DecodeOptions&);

}  // namespace glassformer
