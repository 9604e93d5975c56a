#include "app/session/run_name.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>

#include "app/session/paths.h"

namespace glassformer {

namespace {

constexpr const char* kStamp = "%Y-%m-%d %H.%M.%S ";

// Where the name begins after its time.
std::optional<std::size_t> end_of_time(const std::string& name, std::tm& time) {
  const char* const rest = strptime(name.c_str(), kStamp, &time);
  if (rest == nullptr || *rest == 0) return std::nullopt;
  return static_cast<std::size_t>(rest - name.c_str());
}

}  // namespace

std::string run_folder_for(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, kStamp, &local);
  std::string folder = stamp + name;
  std::replace(folder.begin(), folder.end(), '/', '-');
  std::string path = (runs_folder() / folder).string(), free = path;
  std::error_code failed;
  for (int number = 2; std::filesystem::exists(free, failed); ++number)
    free = path + " " + std::to_string(number);
  return free;
}

std::string without_time(const std::string& folder_name) {
  std::tm time{};
  return folder_name.substr(end_of_time(folder_name, time).value_or(0));
}

std::string run_in_words(const std::string& folder_name) {
  std::tm time{};
  const auto name = end_of_time(folder_name, time);
  if (!name) return "“" + folder_name + "”";
  char words[64];
  const std::size_t length = std::strftime(words, sizeof words, " %B %Y, %H:%M", &time);
  return "“" + folder_name.substr(*name) + "” of " + std::to_string(time.tm_mday) +
         std::string(words, length);
}

}  // namespace glassformer
