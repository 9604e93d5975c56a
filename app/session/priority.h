// What computes for the screen gives way to what draws it.
#pragma once

namespace glassformer {

// From here on this thread, and those that it starts, wait while any other thread of the program has
// something to do: with training on every core a frame takes half as long.
void give_way_to_the_screen();

}  // namespace glassformer
