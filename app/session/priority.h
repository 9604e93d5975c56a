// What computes for the screen gives way to what draws it.
#pragma once

namespace glassformer {

// How far back a thread is: a person waits for a Scene, nobody for a training step.
enum class Patience { scene = 5, training = 15 };

// From here on this thread, and those that it starts, get little of a core that others want: with training on
// every core a frame takes half as long.
void give_way(Patience patience);
// That this thread has computed for.
double processor_seconds();

}  // namespace glassformer
