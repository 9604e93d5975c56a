#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "engine/math/error.h"

namespace glassformer {

namespace {

// "the folder of temporary files" where the library names no path.
std::string place_of(const std::filesystem::filesystem_error& error) {
  const std::string path = error.path1().string();
  return path.empty() ? "the folder for temporary files" : path;
}

std::string about_system(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    return "the system starts no more threads: memory is short, or their number is limited; use fewer "
           "of them";
  return "the system refused something (" + error.code().message() + ")";
}

}  // namespace

std::string failure_words(const std::exception& error) {
  if (const auto* files = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return place_of(*files) + ": " + files->code().message();
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) return about_system(*system);
  // What asks for more than a container can hold is not to be had either.
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error))
    return "memory is short: this work needs more of it than is to be had; take a smaller model, shorter "
           "sentences or fewer at once";
  return error.what();
}

}  // namespace glassformer
