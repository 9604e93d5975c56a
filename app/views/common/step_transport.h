// Back, play, Next and a bar with a stop a step: how one goes through the stages of a picture.
#pragma once

#include <chrono>
#include <string>

#include "app/ui/ui.h"

namespace glassformer {

struct TransportOptions {
  std::string name;       // "Head": makes the buttons unique
  std::string word;       // "Step": "Step 5 of 8"
  std::string hint = {};  // at the right end, when there is room
};

constexpr float kTransport = 56;  // kept free below the picture

// How the row below is called where it lies over the picture.
inline constexpr const char* kStageFoot = "stage foot";

// The row of the stage's bottom where a transport is. When the stage is scrolled it stays in sight and
// covers what would lie there; ends with the scope.
class StageFoot {
 public:
  StageFoot(ui::Ui& ui, const Rect& area, float height);
  ~StageFoot();
  StageFoot(const StageFoot&) = delete;
  StageFoot& operator=(const StageFoot&) = delete;

  Rect transport() const { return {inside_.x, inside_.bottom() - 44, inside_.width, 32}; }
  Rect above() const { return {inside_.x, inside_.bottom() - 84, inside_.width, 32}; }  // a second row

 private:
  ui::Ui& ui_;
  bool covers_;
  Rect inside_;
};

// Where one is and whether it is playing. Copies are independent.
class StepTransport {
 public:
  explicit StepTransport(int start = 0) : at(start) {}

  int at = 0;

  // Buttons and bar along the rect (32 high); the keys left, right, Home, End and Space. Returns true when
  // the place changed.
  bool show(ui::Ui& ui, const Rect& rect, int count, const TransportOptions& options);
  bool playing() const { return playing_; }
  // How long a step stays while it plays.
  double seconds = 1.2;

 private:
  bool advance(ui::Ui& ui, int count);

  bool playing_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace glassformer
