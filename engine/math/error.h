// The one kind of error of the whole program.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace glassformer {

// Something a person can mend: a file, an option, an input. The message is one sentence or two that say where
// it happened, what was expected, what was found and what to do. Shown on screen or on standard error as it
// is.
class Error : public std::runtime_error {
 public:
  // "where: what happened and what to do"
  Error(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {}
};

// Any failure in a person's words, for the places where everything is caught: main, and a worker's entry. One
// sentence: an Error's own; of the standard library's own kinds the path and the reason, or that memory is
// short.
std::string failure_words(const std::exception& error);

}  // namespace glassformer
