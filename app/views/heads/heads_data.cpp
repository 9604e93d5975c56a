#include "app/views/heads/heads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <thread>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/session/measuring.h"
#include "engine/math/ready.h"
#include "engine/math/worker_pool.h"

namespace glassformer {

namespace {

constexpr std::size_t kKept = 8;  // reports

std::string loss_text(double value) {
  return format_signed(value, 4);
}
std::string gradient_text(double value) {
  return format_signed(value, 5);
}
std::string points_text(double value) {
  return format_fixed(value, 1);
}
std::string right_text(double value) {
  return format_percent(value, 1);
}
std::string share_text(double value) {
  return format_probability(value);
}

constexpr std::array kColumns{
    HeadColumn{"right without it", "Held-out pairs that are written word for word right without it.",
               [](const HeadReport& report, const PartRow& row) { return right_without(report, row); },
               right_text, 104, true},
    HeadColumn{"lost, points", "What that is less than with all of them, in points of a hundred.",
               [](const HeadReport&, const PartRow& row) { return points_lost(row); }, points_text, 132},
    HeadColumn{"loss", "What muting it by 0 adds to the loss.",
               [](const HeadReport&, const PartRow& row) { return row.by_zero.mean; }, loss_text, 64},
    HeadColumn{"±", "Half of the interval of 95 % of that change.",
               [](const HeadReport&, const PartRow& row) { return row.by_zero.high - row.by_zero.mean; },
               [](double value) { return format_fixed(value, 4); }, 54},
    HeadColumn{"by mean", "What is added when it gives its mean over the pairs instead.",
               [](const HeadReport&, const PartRow& row) { return row.by_mean.mean; }, loss_text, 64},
    HeadColumn{"BLEU", "Change of BLEU, greedy search.",
               [](const HeadReport&, const PartRow& row) { return row.bleu; },
               [](double value) { return format_signed(value, 1); }, 52},
    HeadColumn{"gradient", "What its gradient alone says that muting by 0 adds: minus value times gradient.",
               [](const HeadReport&, const PartRow& row) { return row.reading.gradient; }, gradient_text, 76},
    HeadColumn{"entropy", "Of the shares in its rows, in nats.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.entropy; },
               share_text, 60},
    HeadColumn{"largest", "The largest share in a row.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.largest; },
               share_text, 56},
    HeadColumn{"same", "Share on the place of the query itself.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.same_place; },
               share_text, 44},
    HeadColumn{"prev.", "Share on the place before.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.previous; },
               share_text, 44},
    HeadColumn{"next", "Share on the place behind.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.next; }, share_text,
               44},
    HeadColumn{"word", "Share on the same word at other places.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.same_word; },
               share_text, 44},
    HeadColumn{"bos", "Share on the beginning of the sentence.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.bos; }, share_text,
               40},
    HeadColumn{"eos", "Share on the end of the sentence.",
               [](const HeadReport&, const PartRow& row) { return row.reading.attention.eos; }, share_text,
               40}};

}  // namespace

std::span<const HeadColumn> head_columns() {
  return kColumns;
}

std::string column_text(const HeadColumn& column, const HeadReport& report, const PartRow& row) {
  const double value = column.number(report, row);
  return std::isnan(value) ? "–" : column.text(value);
}

std::vector<std::size_t> shown_columns(const HeadReport& report, bool all) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < (all ? kColumns.size() : kFirstColumns); ++i)
    if (i != kBleuColumn || !std::isnan(report.bleu)) shown.push_back(i);
  return shown;
}

bool is_head(const PartRow& row) {
  return row.part.kind == ChangeKind::mute_head;
}

std::string word_read_most(const PartRow& row, const Tokenizers& tokenizers) {
  const HeadReading& reading = row.reading.attention;
  const auto& tokenizer = kind_of(row.part) == AttentionKind::decoder ? tokenizers.target : tokenizers.source;
  if (reading.word < 0 || !tokenizer || reading.word >= tokenizer->size()) return "";
  return tokenizer->piece(reading.word);
}

std::vector<std::size_t> sorted_parts(const HeadReport& report, bool heads, std::optional<std::size_t> column,
                                      bool falling) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i)
    if (is_head(report.rows[i]) == heads) order.push_back(i);
  if (!column) return order;
  // Of those that are alike the one that changes the loss less.
  const HeadColumn& by = head_columns()[*column];
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return report.rows[i].by_zero.mean; });
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const double first = by.number(report, report.rows[a]), second = by.number(report, report.rows[b]);
    if (std::isnan(first) || std::isnan(second)) return !std::isnan(first) && std::isnan(second);
    return falling ? second < first : first < second;
  });
  return order;
}

std::string HeadMeasuring::Found::at_step(const ViewInput& input) const {
  const auto& untouched = input.result.untouched_snapshot;
  return step == (untouched ? untouched->step : input.snapshot.step) ? "" : ", at step " + format_count(step);
}

HeadMeasuring::~HeadMeasuring() {
  cancel();
}

void HeadMeasuring::cancel() {
  const std::lock_guard lock(mutex_);
  if (work_.progress) work_.progress->stop = true;
}

void HeadMeasuring::keep(Kept report) {
  kept_.push_back(std::move(report));
  if (kept_.size() > kKept) kept_.erase(kept_.begin());
}

void HeadMeasuring::collect() {
  if (!is_ready(work_.report)) return;
  work_.busy = false;
  if (std::optional<HeadReport> made = work_.report.get()) {
    keep({work_.key, work_.step, std::make_shared<const HeadReport>(std::move(*made))});
  } else {
    cancelled_ = {.key = work_.key, .step = work_.step, .progress = work_.progress, .report = {}};
  }
}

bool HeadMeasuring::same(const Key& a, const Key& b) {
  if (a == b) return true;
  const auto& [first, first_text] = a;
  const auto& [second, second_text] = b;
  if (!first_text || !second_text || first->config != second->config) return false;
  const auto numbers = [](const Transformer<float>& model) {
    std::vector<std::span<const float>> all;
    model.visit([&](const std::string&, Parameter<const float> tensor) {
      all.emplace_back(tensor.data, tensor.size());
    });
    return all;
  };
  return std::ranges::equal(numbers(*first), numbers(*second), std::ranges::equal) &&
         std::ranges::equal(first_text->held_out, second_text->held_out);
}

std::shared_ptr<const HeadReport> HeadMeasuring::kept_of(const Key& key, long* step) const {
  const auto kept = std::ranges::find_if(kept_, [&](const Kept& each) { return same(each.key, key); });
  if (kept == kept_.end()) return nullptr;
  *step = kept->step;
  return kept->report;
}

HeadMeasuring::Found HeadMeasuring::get(const ViewInput& input, bool start, bool at_once,
                                        const std::atomic<bool>* stop) {
  const auto stopped = [stop] { return stop && *stop; };
  const Snapshot model = input.result.untouched_snapshot ? *input.result.untouched_snapshot : input.snapshot;
  const Key key{model.weights, input.training_text};
  std::unique_lock lock(mutex_);
  collect();
  Found found;
  const auto find = [&] {
    const auto known = std::ranges::find(kept_, key, &Kept::key);
    if (known != kept_.end()) {
      found.report = known->report, found.step = known->step;
    } else if ((found.report = kept_of(key, &found.step))) {
      keep({key, found.step, found.report});  // read anew: from now on it is known by these weights too
    }
  };
  find();
  while (at_once && !found.report && work_.busy && same(work_.key, key) && !stopped()) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    lock.lock();
    collect();
    find();
  }
  found.reading = !input.training_text && input.training_text_state == TextState::reading;
  found.no_pairs = !found.reading && (!input.training_text || input.training_text->held_out.empty());
  if (!found.report && !found.reading && !found.no_pairs && !stopped() &&
      (at_once || (start && !work_.busy))) {
    const auto progress = std::make_shared<Progress>();
    const auto make = [model, tokenizers = input.tokenizers, text = input.training_text,
                       smoothing = input.result.scene.smoothing, progress, stopped]() {
      WorkerPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
      return measured_heads(
          model, tokenizers, measuring_pairs(text->held_out, tokenizers, model.config), smoothing, &pool,
          [progress, stopped](long done, long all) {
            progress->done = done, progress->all = all;
            return !progress->stop && !stopped();
          },
          [progress](const HeadReport& so_far) {
            auto copy = std::make_shared<const HeadReport>(so_far);
            const std::lock_guard guard(progress->mutex);
            progress->so_far = std::move(copy);
          });
    };
    if (at_once) {
      lock.unlock();  // the screen does not wait for a picture that goes to a file
      std::optional<HeadReport> made = make();
      lock.lock();
      found.no_pairs = !made;
      if (made) {
        found.report = std::make_shared<const HeadReport>(std::move(*made));
        found.step = model.step;
        keep({key, model.step, found.report});
      }
    } else {
      work_.key = key;
      work_.step = model.step;
      work_.progress = progress;
      work_.report = std::async(std::launch::async, make);
      work_.busy = true;
    }
  }
  found.busy = work_.busy;
  // Of earlier weights of the same run, listed with their step.
  const auto same_run = [&](const Key& other) {
    return std::get<1>(other) == input.training_text && input.training_text &&
           std::get<0>(other)->config == model.config;
  };
  if (const auto last = std::ranges::find_if(kept_.rbegin(), kept_.rend(),
                                             [&](const Kept& each) { return same_run(each.key); });
      !found.report && !work_.busy && last != kept_.rend())
    found.report = last->report, found.step = last->step;
  const bool was_cancelled = !work_.busy && cancelled_.progress && cancelled_.key == key;
  if (was_cancelled) {
    Progress& progress = *cancelled_.progress;
    found.done = progress.done, found.all = progress.all;
    const std::lock_guard guard(progress.mutex);
    found.so_far = progress.so_far;
  }
  if (work_.busy) {
    Progress& progress = *work_.progress;
    found.done = progress.done, found.all = progress.all;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - progress.begun;
    constexpr long kEnough = 10;  // passes that say how long one takes
    if (found.done >= kEnough)
      found.seconds_left =
          spent.count() * static_cast<double>(found.all - found.done) / static_cast<double>(found.done);
    const std::lock_guard guard(progress.mutex);
    if (work_.key == key || same_run(work_.key)) found.so_far = progress.so_far, found.step = work_.step;
  }
  return found;
}

}  // namespace glassformer
