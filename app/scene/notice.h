// A message to the person, shown in place.
#pragma once

#include <optional>
#include <string>

#include "app/scene/command.h"

namespace glassformer {

// Where on the screen a message belongs.
enum class Place { sentence, model, data, training, figure };

// What happened, what is kept, one way out.
struct Notice {
  Place place = Place::model;
  bool error = false;
  std::string text;
  std::string action;              // label of the way out; empty: none
  std::optional<Command> command;  // what it does
};

}  // namespace glassformer
