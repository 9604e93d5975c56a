// One row of a head by hand: a draft that shows what it would do. Applied, it is a change of the Scene; until
// then it is seen here alone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "app/ui/ui.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

class RowEditor {
 public:
  // The pinned row of a head of the Scene's own sentence; nothing happens where none is pinned.
  void begin(const ViewInput& input);
  // The draft is of the words and the head that are shown; else it is let go.
  bool open(const ViewInput& input);

  void draw(ui::Ui& ui, const ViewInput& input, const Rect& area);

  const std::vector<float>& weights() const { return draft_->weights; }

 private:
  struct Draft {
    AttentionKind kind = AttentionKind::cross;
    int layer = 0, head = 0, query = 0;
    std::shared_ptr<const Trace> trace;  // of which it is a row
    std::vector<float> untouched, weights;
    std::vector<bool> hidden;  // what a mask hides stays at 0
    int key = 0;               // that the arrows move
    int heads = 1;             // of the layer
    bool all_heads = false;    // the row is put into each of them
    bool operator==(const Draft&) const = default;
  };
  // What the row would make of the output.
  struct Effect {
    struct Word {
      std::string word;
      double before = 0, after = 0;
    };
    std::vector<Word> next;   // of the decoder's rows: the likeliest words after this one, before or now
    std::string translation;  // from there on
  };

  void set(int key, float to);
  void take_keys(ui::Ui& ui);
  void draw_bars(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_heading(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_buttons(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_effect(ui::Ui& ui, const ViewInput& input, const Rect& area);
  float sum_of_draft() const;
  WhatIf applied(const WhatIf& what_if) const;
  Effect effect(const SceneResult& result, const Tokenizers& tokenizers) const;

  std::optional<Draft> draft_;
  bool give_way_ = false;  // when one moves, the others share what is left
  std::shared_ptr<Background<Draft, Effect>> effects_ = std::make_shared<Background<Draft, Effect>>();
};

}  // namespace glassformer
