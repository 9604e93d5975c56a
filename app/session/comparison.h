// A second Scene beside the open one, which differs from it in one thing: the step, the sentence, the model,
// the run, or the what-ifs.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/scene/compared.h"
#include "app/session/opened_model.h"
#include "app/session/run.h"
#include "app/session/scenes.h"

namespace glassformer {

class SceneComparison {
 public:
  // What the open side is made of, and the variant that it is compared with (null: none).
  struct First {
    SceneWorker::Weights weights;
    const Tokenizers& tokenizers;
    const ModelTitle& title;
    const RunState& run;
    const Scenes& scenes;
    const Run* beside;
  };

  // `opening`: the model of OtherModel. `held`: a step of the variant's own, wherever the slider is.
  SceneComparison(Other other, std::future<OpenedModel> opening, std::shared_ptr<const KeptWeights> held,
                  const std::function<void()>& wake);

  const Compared& shown() const { return shown_; }
  const Other& other() const { return other_; }
  int variant() const { return shown_.variant; }  // that the second is of; 0: it is of none
  // A new result of the variant is shown: its side is neither held nor looked back at.
  bool follows_variant(const First& first) const;
  bool working() const { return worker_.working() || opening_.valid(); }
  // Whether there is something to compare with: a Scene without what-ifs is its own untouched one.
  bool meaningful(const Scenes& scenes) const;

  // Whenever the first has a new result, whose words the second is to read.
  void compute(const First& first, bool low_priority = false);
  void gradients_came(const std::shared_ptr<const SceneResult>& first);  // of the first, which is unchanged

  enum class News { none, changed, result };
  News take(const First& first);
  void follow_folder(const std::string& from, const std::string& to);

 private:
  struct Side;
  Side second_side(const First& first) const;
  Scene second_scene(const Scenes& scenes) const;
  bool take_model();
  void name_both(const First& first, const Side& second);

  Other other_;
  Compared shown_;
  std::future<OpenedModel> opening_;
  std::optional<OpenedModel> model_;
  std::shared_ptr<const Snapshot> snapshot_;  // of that model
  RunState recorded_;
  std::shared_ptr<const KeptWeights> held_;
  std::string refused_;  // why the model could not be opened
  SceneWorker worker_;   // last: ends first
};

}  // namespace glassformer
