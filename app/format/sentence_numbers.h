// Numbers within the sentences that the engine writes, as on screen. The engine's own words go to
// terminals and files, where numbers are ASCII.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// "loss is -2e+05 at step 12000" becomes "loss is −200 000 at step 12 000". Only numbers that are by
// themselves: those in names, versions, paths and quotation marks stay.
std::string numbers_on_screen(std::string_view sentence);

}  // namespace glassformer
