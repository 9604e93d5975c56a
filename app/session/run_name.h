// What the folders of runs are called, and what that means to a person.
#pragma once

#include <string>

namespace glassformer {

// A free folder among the runs, "2026-11-20 17.05.31 reverse": sorts by time, tells what it is.
std::string run_folder_for(const std::string& name);

// "reverse" of "2026-11-20 17.05.31 reverse"; any other name unchanged.
std::string without_time(const std::string& folder_name);

// "“reverse” of 20 November 2026, 17:05"; any other name in quotes.
std::string run_in_words(const std::string& folder_name);

}  // namespace glassformer
