// Runs Scenes on its own thread. Only the newest wish counts: while somebody types or the training runs,
// what is outdated is dropped.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/scene/scene.h"
#include "engine/train/history.h"

namespace glassformer {

class SceneWorker {
 public:
  // What came of a wish: a result, or a sentence for the person.
  struct Answer {
    std::shared_ptr<const SceneResult> result;
    std::string error;
    std::shared_ptr<const SceneResult> beside = {};  // what it was asked to be compared with
  };

  explicit SceneWorker(std::function<void()> wake);
  ~SceneWorker();  // waits for the Scene being computed, which is asked to end early
  SceneWorker(const SceneWorker&) = delete;
  SceneWorker& operator=(const SceneWorker&) = delete;

  // What a Scene is computed with: the kept weights when there are some, which the worker brings back to full
  // precision, else the newest.
  struct Weights {
    std::shared_ptr<const Snapshot> newest;
    std::shared_ptr<const KeptWeights> kept;
  };
  // With the gradients of one of its sentences, which follow separately; -1: without.
  // `beside` comes back with the answer. `low_priority`: nobody waits for it; most of the time is left to the
  // training that it follows, and it is aborted when something else is asked.
  void ask(Weights weights, Tokenizers tokenizers, Scene scene, int gradients_of = -1,
           std::shared_ptr<const SceneResult> beside = {}, bool low_priority = false);
  // Only these, for a result that is kept.
  void ask_gradients(std::shared_ptr<const SceneResult> result, int sentence);
  void forget();                 // what was asked so far is not wanted any more: another model is open
  std::optional<Answer> take();  // the newest finished answer, once
  bool working() const;          // a wish is open that somebody waits for
  double seconds() const;        // since the oldest of those; 0: none

 private:
  struct Wish {
    Weights weights;
    Tokenizers tokenizers;
    Scene scene;
    std::shared_ptr<const SceneResult> known;  // only its gradients are missing
    int gradients_of = -1;
    std::shared_ptr<const SceneResult> beside = {};
    bool low_priority = false;
    long number = 0;
  };
  void take_up(Wish what);
  bool wanted(const Wish& wish);
  bool still_wanted(const Wish& wish);
  std::shared_ptr<const Snapshot> weights_of(const Wish& wish);
  void carry_out(const Wish& wish);
  void publish(const Wish& wish, Answer what);
  void rest(std::unique_lock<std::mutex>& lock);
  void run();

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Wish> wish_;      // not begun
  std::optional<Answer> answer_;  // not taken
  std::optional<std::chrono::steady_clock::time_point> since_;
  std::chrono::steady_clock::time_point rest_until_;
  long asked_ = 0, wanted_from_ = 0;  // wishes are numbered; older answers are dropped
  bool ending_ = false;
  // What the thread computed last, to continue from.
  std::weak_ptr<const SceneResult> last_;
  std::weak_ptr<const KeptWeights> kept_;
  std::weak_ptr<const Snapshot> kept_snapshot_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace glassformer
