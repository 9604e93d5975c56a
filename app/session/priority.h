// What computes for the screen gives way to what draws it.
#pragma once

namespace glassformer {

// How far back a thread stands: a person waits for a Scene, nobody for a training step.
enum class Patience { scene = 5, training = 15 };

// From here on this thread, and those that it starts, get little of a core that others want: with training on
// every core a frame takes half as long.
void give_way(Patience patience);

// From its making until its end somebody waits for a Scene.
class Waiting {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

// Between two steps of a training: returns when nobody waits, at the latest after a fifth of a second, so
// that the training goes on under whoever never stops.
void let_them_pass();

}  // namespace glassformer
