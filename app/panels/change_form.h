// One thing that is to be changed, where, and beginning anew: what their dialogs remember while they are
// open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/command.h"

namespace glassformer {

class Session;

enum class ChangePlace { here, copy, beside };  // in this run, in a copy from an earlier step, or beside it

struct ChangeForm {
  NewRun base;                           // the open run's; `possible` says whether it is known
  LiveSettings now;                      // of the open run
  double highest = 0, highest_anew = 0;  // rate of its schedule, of one that begins anew
  std::optional<ForkRun> fork;           // what a copy from the step that is looked at would learn by
  long step = 0;                         // that one, else the newest
  std::vector<Variation> all;
  bool possible = false;
  int thing = 1;      // of the list: dropout
  std::string typed;  // its new value, where that is a number
  int choice = 0;     // else which one
  ChangePlace place = ChangePlace::here;
  bool focus = false;

  void start(const Session& session);
};

struct StartOverForm {
  int seed = 0;  // 1: another
};

}  // namespace glassformer
