#include "app/views/heads/heads_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <thread>

#include "app/format/number_format.h"
#include "app/reading/head_words.h"
#include "app/session/measuring.h"
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
  return format_signed(value, 1);
}
std::string bleu_text(double value) {
  return format_signed(value, 1);
}
std::string share_text(double value) {
  return format_probability(value);
}

constexpr std::array kColumns{
    HeadColumn{"loss", "What muting it by 0 adds to the loss.",
               [](const PartRow& row) { return row.by_zero.mean; }, loss_text, 60},
    HeadColumn{"±", "Half of the interval of 95 % of that change.",
               [](const PartRow& row) { return row.by_zero.high - row.by_zero.mean; },
               [](double value) { return format_fixed(value, 4); }, 50},
    HeadColumn{"by mean", "What is added when it gives its mean over the pairs instead.",
               [](const PartRow& row) { return row.by_mean.mean; }, loss_text, 60},
    HeadColumn{"exact", "Change of the pairs that are written word for word, in points of a hundred.",
               [](const PartRow& row) { return 100 * row.exact_match; }, points_text, 56},
    HeadColumn{"BLEU", "Change of BLEU, greedy search.", [](const PartRow& row) { return row.bleu; },
               bleu_text, 52},
    HeadColumn{"gradient", "What its gradient alone says that muting by 0 adds: minus value times gradient.",
               [](const PartRow& row) { return row.reading.gradient; }, gradient_text, 72},
    HeadColumn{"entropy", "Of the shares in its rows, in nats.",
               [](const PartRow& row) { return row.reading.attention.entropy; }, share_text, 56},
    HeadColumn{"largest", "The largest share in a row.",
               [](const PartRow& row) { return row.reading.attention.largest; }, share_text, 52},
    HeadColumn{"same", "Share on the place of the query itself.",
               [](const PartRow& row) { return row.reading.attention.same_place; }, share_text, 40},
    HeadColumn{"prev.", "Share on the place before.",
               [](const PartRow& row) { return row.reading.attention.previous; }, share_text, 40},
    HeadColumn{"next", "Share on the place behind.",
               [](const PartRow& row) { return row.reading.attention.next; }, share_text, 40},
    HeadColumn{"word", "Share on the same word at other places.",
               [](const PartRow& row) { return row.reading.attention.same_word; }, share_text, 40},
    HeadColumn{"bos", "Share on the beginning of the sentence.",
               [](const PartRow& row) { return row.reading.attention.bos; }, share_text, 34},
    HeadColumn{"eos", "Share on the end of the sentence.",
               [](const PartRow& row) { return row.reading.attention.eos; }, share_text, 34}};

}  // namespace

std::span<const HeadColumn> head_columns() {
  return kColumns;
}

std::string column_text(const HeadColumn& column, const PartRow& row) {
  const double value = column.number(row);
  return std::isnan(value) ? "–" : column.text(value);
}

std::string reads_text(const PartRow& row, const Tokenizers& tokenizers) {
  if (const std::optional<HeadHabit> habit = habit_of(row))
    return habit->brief + " " + format_percent(habit->share);
  const std::string word = word_read_most(row, tokenizers);
  return word.empty() ? "" : "“" + word + "” " + format_percent(row.reading.attention.word_share);
}

bool is_head(const PartRow& row) {
  return row.part.kind == ChangeKind::mute_head;
}

std::string row_name(const Change& part) {
  const std::string layer = std::to_string(part.block.layer + 1);
  const std::string side = part.block.encoder ? "encoder " : "decoder ";
  if (!is_attention(part.block.block)) return side + "feed-forward " + layer;
  const std::string kind = kind_of(part) == AttentionKind::cross ? "cross " : side;
  if (part.kind == ChangeKind::mute_head) return kind + layer + ", head " + std::to_string(part.head + 1);
  return (kind_of(part) == AttentionKind::cross ? "cross-attention " : side + "self-attention ") + layer;
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
  const HeadColumn& by = head_columns()[*column];
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const double first = by.number(report.rows[a]), second = by.number(report.rows[b]);
    if (std::isnan(first) || std::isnan(second)) return !std::isnan(first) && std::isnan(second);
    return falling ? second < first : first < second;
  });
  return order;
}

HeadMeasuring::~HeadMeasuring() {
  cancel();
}

void HeadMeasuring::cancel() {
  const std::lock_guard lock(mutex_);
  if (work_.progress) work_.progress->stop = true;
}

void HeadMeasuring::collect() {
  if (!work_.report.valid() || work_.report.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  work_.busy = false;
  if (std::optional<HeadReport> made = work_.report.get()) {
    kept_.push_back({work_.key, work_.step, std::make_shared<const HeadReport>(std::move(*made))});
    if (kept_.size() > kKept) kept_.erase(kept_.begin());
  } else {
    cancelled_ = {.key = work_.key, .step = work_.step, .progress = work_.progress, .report = {}};
  }
}

HeadMeasuring::Found HeadMeasuring::get(const ViewInput& input, bool start, bool at_once) {
  const Snapshot model = input.result.untouched_snapshot ? *input.result.untouched_snapshot : input.snapshot;
  const Key key{model.weights, input.training_text};
  std::unique_lock lock(mutex_);
  collect();
  Found found;
  if (const auto kept = std::ranges::find(kept_, key, &Kept::key); kept != kept_.end())
    found.report = kept->report, found.step = kept->step;
  found.reading = !input.training_text && input.training_text_state == TextState::reading;
  found.no_pairs = !found.reading && (!input.training_text || input.training_text->held_out.empty());
  if (!found.report && !found.reading && !found.no_pairs && (at_once || (start && !work_.busy))) {
    const auto progress = std::make_shared<Progress>();
    const auto make = [model, tokenizers = input.tokenizers, text = input.training_text,
                       smoothing = input.result.scene.smoothing, progress]() {
      WorkerPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
      return measured_heads(
          model, tokenizers, measuring_pairs(text->held_out, tokenizers, model.config), smoothing, &pool,
          [progress](long done, long all) {
            progress->done = done, progress->all = all;
            return !progress->stop;
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
        kept_.push_back({key, model.step, found.report});
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
  // Of earlier weights of the same run, told with their step.
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
