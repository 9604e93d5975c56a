#include "app/commands/train_process.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/lines.h"
#include "engine/text/printable.h"

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

namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(100);
constexpr double kSmoothing = 0.9;  // of the speed
constexpr int kBar = 24;            // columns

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return "?";
  std::array<char, 64> text = {};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
  return {text.data(), end};
}

std::string scientific(double value) {
  std::array<char, 64> text = {};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 1).ptr;
  return {text.data(), end};
}

std::string duration(double seconds) {
  const long whole = std::lround(std::clamp(seconds, 0.0, 1e9));
  const auto two = [](long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (whole >= 3600) return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
  return std::to_string(whole / 60) + ":" + two(whole % 60);
}

// How much of the run is done by the first limit that is in sight; below 0: no end is known.
double part_done(const RunLimits& limits, long step, double seconds) {
  double part = -1;
  if (limits.steps > 0) part = static_cast<double>(step) / static_cast<double>(limits.steps);
  if (limits.seconds > 0) part = std::max(part, seconds / limits.seconds);
  return std::min(part, 1.0);
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string validation_text(const ValidationPoint& point) {
  const bool held_out = has_held_out_pairs(point);
  std::string text = std::string(loss_name(held_out)) + " " + fixed(point.loss, 4);
  if (held_out) text += ", " + fixed(100 * point.token_accuracy, 1) + " % of tokens";
  if (point.exact_match >= 0) text += ", " + fixed(100 * point.exact_match, 1) + " % of sentences right";
  return text;
}

TrainingProgress::TrainingProgress(const TrainingSet& data, RunLimits limits, std::function<double()> seconds)
    : limits_(limits), seconds_(std::move(seconds)), terminal_(isatty(STDERR_FILENO) == 1) {
  const std::size_t held_out = data.validation.size();
  std::cerr << message_text(data.name) << ": " << data.training.size() << " pairs to learn from, "
            << (held_out > 0 ? std::to_string(held_out) + " to validate" : "none held out to validate")
            << "\n";
}

void TrainingProgress::step(const StepReport& report) {
  const double speed = static_cast<double>(report.tokens) / std::max(report.seconds, 1e-9);
  tokens_per_s_ = tokens_per_s_ == 0 ? speed : kSmoothing * tokens_per_s_ + (1 - kSmoothing) * speed;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - drawn_ < kBetweenDraws) return;
  drawn_ = now;
  draw(report);
}

void TrainingProgress::draw(const StepReport& report) {
  std::string line = "step " + std::to_string(report.step) + "  loss " + fixed(report.loss, 3) + "  rate " +
                     scientific(report.learning_rate) + "  " + fixed(tokens_per_s_ / 1000, 1) + "k tokens/s";
  if (const double part = part_done(limits_, report.step, seconds_()); part >= 0) {
    const auto filled = static_cast<std::size_t>(std::lround(kBar * part));
    line = "[" + std::string(filled, '#') + std::string(kBar - filled, ' ') + "] " + line;
    if (part > 0) line += "  " + duration(seconds_() * (1 - part) / part) + " left";
  }
  line.resize(std::min(line.size(), static_cast<std::size_t>(terminal_columns() - 1)));
  std::cerr << "\r\x1b[K" << line << std::flush;
  line_open_ = true;
}

void TrainingProgress::validated(const ValidationPoint& point) {
  if (line_open_) std::cerr << "\r\x1b[K";
  line_open_ = false;
  std::cerr << "step " << point.step << ": " << validation_text(point)
            << (point.best ? ", the best so far" : "") << ", " << fixed(tokens_per_s_ / 1000, 1)
            << "k tokens/s, " << duration(seconds_()) << "\n";
}

void TrainingProgress::end() {
  if (line_open_) std::cerr << "\n";
  line_open_ = false;
}

int finish(const RunEnd& end, const TrainArguments& arguments) {
  const std::optional<Stop>& stop = end.stop;
  const std::string& folder = end.folder;
  const bool diverged = stop && stop->reason == StopReason::diverged;
  const std::string resume = "; go on with --resume " + folder;
  const std::string reason = arguments.beginning_alone ? "saved untrained, as --steps 0 asks" + resume
                             : stop                    ? stop->message
                                                       : "stopped by request" + resume;
  const auto& validations = end.curves.validations;
  const ValidationPoint* best = nullptr;
  for (const ValidationPoint& point : validations)
    if (point.best || (end.keep == Keep::last)) best = &point;
  if (arguments.json) {
    nlohmann::json json = {{"out", folder},
                           {"step", end.step},
                           {"epoch", end.epoch},
                           {"seconds", end.seconds},
                           {"stopped", reason},
                           {"finished", arguments.beginning_alone || (stop.has_value() && !diverged)},
                           {"diverged", diverged},
                           {"kept_step", end.kept_step},
                           {"parameters", end.parameters}};
    if (!end.curves.steps.empty()) json["loss"] = end.curves.steps.back().loss;
    if (best)
      json["validation"] = {
          {"step", best->step},
          {"loss", best->loss},
          {"nll", best->nll},
          {"token_accuracy", best->token_accuracy},
          {"exact_match", best->exact_match < 0 ? nlohmann::json() : nlohmann::json(best->exact_match)}};
    print_json(json);
  }
  if (diverged) throw Error(folder, reason);
  if (!arguments.json)
    std::cout << folder << ": " << reason << " (step " << end.step << ", "
              << (best ? validation_text(*best) : std::string("not validated")) << ")\n";
  return 0;
}

}  // namespace glassformer
