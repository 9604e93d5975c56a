#include "app/commands/lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace glassformer {
namespace {

void take_lines(std::string& buffer, std::vector<std::string>& lines) {
  std::size_t begin = 0;
  for (std::size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(buffer.substr(begin, end - begin));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
  }
  buffer.erase(0, begin);
}

bool more_has_arrived() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) > 0;
}

}  // namespace

std::vector<std::string> read_segments(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw Error(path, "the file cannot be read; check the name and the permissions");
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  if (!content.empty() && content.back() != '\n') content += '\n';
  std::vector<std::string> lines;
  take_lines(content, lines);
  return lines;
}

void read_standard_input(std::size_t most, const std::function<void(std::vector<std::string>)>& handle) {
  std::string buffer;
  std::vector<std::string> lines;
  const auto hand_on = [&](bool all) {
    while (lines.size() >= most || (all && !lines.empty())) {
      const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(most, lines.size()));
      handle({lines.begin(), end});
      lines.erase(lines.begin(), end);
    }
  };
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t count = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("standard input", std::string("reading failed: ") + std::strerror(errno));
    if (count == 0) break;
    buffer.append(chunk.data(), static_cast<std::size_t>(count));
    take_lines(buffer, lines);
    hand_on(!more_has_arrived());
  }
  if (!buffer.empty()) lines.push_back(buffer);
  hand_on(true);
}

}  // namespace glassformer
