#include "app/session/program_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>

#include "engine/math/error.h"
#include "engine/text/lines.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostSaid = 1U << 20;  // bytes
constexpr int kNotStarted = 127;

[[noreturn]] void cannot_start() {
  throw Error("glassformer", "no process can be started (" + std::generic_category().message(errno) + ")");
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
  return last.empty() ? first : last;  // wrong usage is reported in the first line
}

std::vector<std::string> notes_in(const std::string& said) {
  constexpr std::string_view kStart = "note: ";
  std::vector<std::string> notes;
  for (const std::string_view line : split_lines(said))
    if (line.starts_with(kStart)) notes.emplace_back(line.substr(kStart.size()));
  return notes;
}

}  // namespace

ProgramProcess::ProgramProcess(const std::vector<std::string>& arguments, const std::string& program)
    : output_(std::tmpfile()), messages_(std::tmpfile()) {
  if (!output_ || !messages_) cannot_start();
  std::vector<std::string> words{"glassformer"};
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
  execv(program.c_str(), pointers.data());
  _exit(kNotStarted);
}

ProgramProcess::~ProgramProcess() {
  if (process_ < 0) return;
  stop();
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ProgramProcess::stop() {
  if (process_ > 0) kill(process_, SIGTERM);
}

std::optional<ProgramProcess::End> ProgramProcess::ended() {
  if (process_ < 0) return std::nullopt;
  int status = 0;
  const pid_t ended = waitpid(process_, &status, WNOHANG);
  if (ended != process_) return std::nullopt;
  process_ = -1;
  return end_with(status);
}

ProgramProcess::End ProgramProcess::end_with(int status) {
  const std::string said = text_of(messages_.get());
  End end{.output = text_of(output_.get()), .sentence = last_sentence(said), .notes = notes_in(said)};
  end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status))
    end.sentence = "the training was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                   strsignal(WTERMSIG(status)) + ")";
  else if (end.status != 0 && end.sentence.empty())
    end.sentence = "the training ended with exit code " + std::to_string(end.status);
  return end;
}

std::string ProgramProcess::last_line(const std::string& with) const {
  const std::string said = text_of(messages_.get());
  std::string last;
  for (const std::string_view line : split_lines(said))
    if (!line.empty() && line.find(with) != std::string_view::npos) last = line;
  return last;
}

// The end of it, where it is long. pread leaves the place in the file, which the process shares.
std::string ProgramProcess::text_of(std::FILE* file) {
  struct stat facts {};
  if (fstat(fileno(file), &facts) != 0) return {};
  const auto size = static_cast<std::size_t>(facts.st_size), read = std::min(size, kMostSaid);
  std::string text(read, '\0');
  const ssize_t got = pread(fileno(file), text.data(), read, static_cast<off_t>(size - read));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return text;
}

}  // namespace glassformer
