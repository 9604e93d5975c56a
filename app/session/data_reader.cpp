#include "app/session/data_reader.h"

#include <utility>

#include "engine/math/failure.h"

namespace glassformer {

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
