#include "app/session/data_reader.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/session/data_consent.h"
#include "app/session/paths.h"
#include "app/session/priority.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"
#include "engine/text/ready_data.h"

namespace glassformer {

namespace {

constexpr std::chrono::milliseconds kReadMoment{100}, kPatience{20};
constexpr long kMostPairs = 300'000;  // some 100 MB

// A file of one's own may change before it is trained on.
bool made_here(const DataOptions& data) {
  const DataSource& source = data.training;
  const auto own = [](const std::string& file) { return file.empty() || comes_with_program(file); };
  return (!source.task.empty() || !source.grammar.empty()) && own(source.grammar) && own(data.leave_out) &&
         own(data.source_embedding) && own(data.target_embedding) && data.validation.empty() &&
         source.pairs <= kMostPairs;
}

// Read where they were made ready, else made.
PreparedData made_ready(const DataOptions& data, const Tokenizers& tokenizers, const DataProgress& progress) {
  const std::string grammar = std::filesystem::path(data.training.grammar).stem().string();
  if (const auto file = ready_file(grammar + ".data"); !grammar.empty() && std::filesystem::exists(file))
    if (auto ready = read_ready_data(file.string(), ready_key(data, tokenizers), tokenizers))
      return *std::move(ready);
  return prepare_data(data, progress, tokenizers);
}

// Null when they are aborted or cannot be prepared: whoever trains prepares them again and hears why.
std::shared_ptr<const PreparedData> prepared(const DataOptions& data, const Tokenizers& tokenizers,
                                             const std::atomic<bool>& stopped) {
  for (auto waited = kPatience; waited < kReadMoment && !stopped; waited += kPatience)
    std::this_thread::sleep_for(kPatience);
  if (stopped) return nullptr;
  give_way(Patience::scene);
  const DataProgress progress = [&](const std::string&, double) { return !stopped; };
  try {
    return std::make_shared<const PreparedData>(made_ready(data, tokenizers, progress));
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

bool DataAhead::same(const DataOptions& data, const Tokenizers& tokenizers) const {
  return prepared_.valid() && tokenizers.source == tokenizers_.source &&
         tokenizers.target == tokenizers_.target && data == data_;
}

DataAhead::~DataAhead() {
  stop();
  for (const FutureData& each : ending_) each.wait();
}

void DataAhead::prepare(const DataOptions& data, const Tokenizers& tokenizers) {
  if (same(data, tokenizers)) return;
  stop();
  if (!made_here(data)) return;
  data_ = data;
  tokenizers_ = tokenizers;
  stopped_ = std::make_shared<std::atomic<bool>>(false);
  prepared_ = std::async(std::launch::async, [data, tokenizers, stopped = stopped_] {
                return prepared(data, tokenizers, *stopped);
              }).share();
}

void DataAhead::stop() {
  std::erase_if(ending_, [](const FutureData& each) { return is_ready(each); });
  if (!prepared_.valid()) return;
  *stopped_ = true;
  ending_.push_back(std::exchange(prepared_, {}));
}

FutureData DataAhead::of(const DataOptions& data, const Tokenizers& tokenizers) const {
  return same(data, tokenizers) ? prepared_ : FutureData();
}

std::shared_ptr<const PreparedData> wait_for(const FutureData& data, const DataProgress& progress) {
  if (!data.valid()) return nullptr;
  while (data.wait_for(kPatience) != std::future_status::ready)
    if (progress && !progress("preparing", 0)) throw Error("data", "preparing them was given up");
  return data.get();
}

DataReader::DataReader(const DataOptions& options, Tokenizers given, std::function<void()> wake)
    : wake_(std::move(wake)),
      preview_{
          .options = options, .reading = true, .stage = "", .progress = 0, .error = "", .data = nullptr} {
  thread_ = std::thread([this, options, given = std::move(given)] {
    DataPreview done{
        .options = options, .reading = false, .stage = "", .progress = 1, .error = "", .data = nullptr};
    const auto progress = [this](const std::string& stage, double fraction) {
      {
        const std::lock_guard lock(mutex_);
        preview_.stage = stage;
        preview_.progress = fraction;
      }
      if (wake_) wake_();
      return !ending_;
    };
    try {
      done.data = std::make_shared<const PreparedData>(prepare_data(options, progress, given));
    } catch (const std::exception& error) {
      done.error = failure_words(error);
    }
    {
      const std::lock_guard lock(mutex_);
      preview_ = std::move(done);
    }
    if (wake_) wake_();
  });
}

DataReader::~DataReader() {
  ending_ = true;
  thread_.join();
}

DataPreview DataReader::preview() const {
  const std::lock_guard lock(mutex_);
  return preview_;
}

}  // namespace glassformer
