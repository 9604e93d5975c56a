#include "app/commands/train_process.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

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
