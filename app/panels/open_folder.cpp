#include "app/panels/open_folder.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>

namespace glassformer {

std::string open_folder(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed)) return "There is no folder " + folder + " any more.";
  std::string program = "xdg-open", place = std::filesystem::absolute(folder).string();
  char* const words[] = {program.data(), place.data(), nullptr};
  pid_t process = 0;
  const int error = posix_spawnp(&process, program.c_str(), nullptr, nullptr, words, environ);
  if (error != 0)
    return "The folder could not be opened with xdg-open: " + std::string(std::strerror(error)) + ".";
  std::thread([process] { waitpid(process, nullptr, 0); }).detach();
  return {};
}

}  // namespace glassformer
