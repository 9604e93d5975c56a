#include "app/session/run_thread.h"

#include <utility>

#include "app/scene/sentences.h"
#include "app/session/run_loop.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

template <class Model>
RunThreadOf<Model>::RunThreadOf(Make make, Options options)
    : moments_(options.moments),
      make_(std::move(make)),
      options_(std::move(options)),
      thread_([this] { Loop(*this).run(); }) {}

template <class Model>
RunThreadOf<Model>::~RunThreadOf() {
  end();
}

template <class Model>
std::string RunThreadOf<Model>::finish_saving() {
  std::unique_lock lock(mutex_);
  if (!prepared_) return {};
  const auto problem = std::make_shared<std::optional<std::string>>();
  wishes_.emplace_back([this, problem](Loop& loop) {
    std::string said = loop.finish_saving();
    const std::lock_guard done(mutex_);
    *problem = std::move(said);
  });
  ++waited_for_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return problem->has_value() || over_; });
  --waited_for_;
  return problem->value_or(last_error_);
}

template <class Model>
std::string RunThreadOf<Model>::end() {
  ask_to_end();
  if (thread_.joinable()) thread_.join();
  const std::string copy_error = update_ ? std::exchange(update_->copy_error, {}) : std::string();
  return joined({last_error_, copy_error});
}

template <class Model>
void RunThreadOf<Model>::ask_to_end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
}

template <class Model>
bool RunThreadOf<Model>::prepared() const {
  const std::lock_guard lock(mutex_);
  return prepared_;
}

template <class Model>
void RunThreadOf<Model>::wish(std::function<void(Loop&)> what) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.push_back(std::move(what));
  }
  changed_.notify_all();
}

template <class Model>
void RunThreadOf<Model>::go() {
  wish([](Loop& loop) { loop.set_running(true); });
}
template <class Model>
void RunThreadOf<Model>::resume() {
  wish([](Loop& loop) { loop.resume(); });
}
template <class Model>
void RunThreadOf<Model>::pause() {
  wish([](Loop& loop) { loop.set_running(false); });
}
template <class Model>
void RunThreadOf<Model>::one_step() {
  wish([](Loop& loop) { loop.step_once(); });
}
template <class Model>
void RunThreadOf<Model>::change(const SetLearning& settings, long at_step) {
  wish([settings, at_step](Loop& loop) { loop.change(settings, at_step); });
}
template <class Model>
void RunThreadOf<Model>::keep_history(std::size_t bytes) {
  wish([bytes](Loop& loop) { loop.keep_history(bytes); });
}
template <class Model>
void RunThreadOf<Model>::save_copy(const std::string& folder) {
  wish([folder](Loop& loop) { loop.save_copy(folder); });
}

template <class Model>
void RunThreadOf<Model>::save() {
  wish([](Loop& loop) { loop.finish_saving(); });
}
template <class Model>
void RunThreadOf<Model>::keep_in(const std::string& folder) {
  wish([folder](Loop& loop) { loop.keep_in(folder); });
}

template <class Model>
std::optional<RunUpdateOf<Model>> RunThreadOf<Model>::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(update_, std::nullopt);
}

template class RunThreadOf<Transformer<float>>;
template class RunThreadOf<RecurrentModel<float>>;

}  // namespace glassformer
