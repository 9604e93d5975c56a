// The other side of `render --against`: a kept step of the same model, or another model.
#pragma once

#include <memory>
#include <string>

#include "app/figure/figure.h"
#include "app/scene/command.h"
#include "app/session/opened_model.h"

namespace glassformer {

class RenderSecond {
 public:
  // A number is a step, all else a folder. `first` must outlive this. Throws Error when nothing is kept near
  // that step, or the folder is no model.
  RenderSecond(const OpenedModel& first, const std::string& against);

  // What “from other” takes from: the words of the first as they stand without changes, by the other weights.
  // Throws Error when a change finds no counterpart there.
  std::shared_ptr<const Trace> values_for(const WhatIf& what_if, const SceneResult& untouched) const;
  // Both, as `view` draws them.
  FigureContent::Second content(const View& view, ComparedAs as,
                                const std::shared_ptr<const SceneResult>& first) const;
  // As the window is asked for it.
  Other other() const;

 private:
  std::shared_ptr<const SceneResult> on_words_of(const SceneResult& first) const;

  const OpenedModel& first_;
  OpenedModel opened_;  // of another folder alone
  bool step_ = false;
  std::shared_ptr<const Snapshot> weights_;
  std::optional<long> looked_back_;
  const OpenedModel& model() const { return step_ ? first_ : opened_; }
};

}  // namespace glassformer
