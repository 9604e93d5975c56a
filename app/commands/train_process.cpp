#include "app/commands/train_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>

#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";  // also when it was built anew meanwhile
constexpr std::size_t kMostSaid = 1U << 20;             // bytes
constexpr int kNotStarted = 127;

[[noreturn]] void cannot_start() {
  throw Error("sweep", "no training can be started (" + std::generic_category().message(errno) + ")");
}

// The last sentence of the program among its notes and its progress.
std::string last_sentence(const std::string& said) {
  constexpr std::string_view kStart = "glassformer: ";
  std::string first, last;
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    at = end + 1;
    if (line.starts_with(kStart)) last = line.substr(kStart.size());
    if (first.empty() && !line.starts_with("note: ")) first = line;
  }
  return last.empty() ? first : last;  // wrong usage is told in the first line
}

}  // namespace

TrainProcess::TrainProcess(const std::vector<std::string>& arguments)
    : output_(std::tmpfile()), messages_(std::tmpfile()) {
  if (!output_ || !messages_) cannot_start();
  std::vector<std::string> words{"glassformer", "train"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) cannot_start();
  if (process_ > 0) return;
  // Between fork and exec only calls that are safe after a fork of a program with threads.
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // it saves and ends when this program is killed
  const int nothing = open("/dev/null", O_RDONLY);
  if (getppid() != parent || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
      dup2(fileno(output_.get()), STDOUT_FILENO) < 0 || dup2(fileno(messages_.get()), STDERR_FILENO) < 0)
    _exit(kNotStarted);
  execv(kThisProgram, pointers.data());
  _exit(kNotStarted);
}

TrainProcess::~TrainProcess() {
  if (process_ < 0) return;
  stop();
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void TrainProcess::stop() {
  if (process_ > 0) kill(process_, SIGTERM);
}

std::optional<TrainProcess::End> TrainProcess::ended() {
  int status = 0;
  const pid_t ended = waitpid(process_, &status, WNOHANG);
  if (ended != process_) return std::nullopt;
  process_ = -1;
  return end_with(status);
}

TrainProcess::End TrainProcess::end_with(int status) {
  End end{.output = text_of(output_.get()), .sentence = last_sentence(text_of(messages_.get()))};
  end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status))
    end.sentence = "the training was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                   strsignal(WTERMSIG(status)) + ")";
  else if (end.status != 0 && end.sentence.empty())
    end.sentence = "the training ended with exit code " + std::to_string(end.status);
  return end;
}

// The end of it, where it is long.
std::string TrainProcess::text_of(std::FILE* file) {
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  const long from = std::max(0L, size - static_cast<long>(kMostSaid));
  std::fseek(file, from, SEEK_SET);
  std::string text(static_cast<std::size_t>(std::max(0L, size - from)), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

}  // namespace glassformer
