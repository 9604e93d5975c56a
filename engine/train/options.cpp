#include "engine/train/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr std::array<std::string_view, 4> kSchedules = {"noam", "constant", "linear", "cosine"};
constexpr double kLongest = 1e15;  // steps that a double still counts one by one

// Names every option once, for writing and for reading.
template <class Options, class Visit>
void visit_options(Options& options, Visit visit) {
  visit("steps", options.steps);
  visit("epochs", options.epochs);
  visit("minutes", options.minutes);
  visit("batch_tokens", options.batch_tokens);
  visit("schedule", options.schedule);
  visit("warmup", options.warmup);
  visit("factor", options.factor);
  visit("peak", options.peak);
  visit("total_steps", options.total_steps);
  visit("clip", options.clip);
  visit("smoothing", options.smoothing);
  visit("mask_future", options.mask_future);
  visit("zero_after_softmax", options.zero_after_softmax);
  visit("softmax_twice", options.softmax_twice);
  visit("extra_padding", options.extra_padding);
  visit("unmasked_padding", options.unmasked_padding);
  visit("freeze", options.freeze);
  visit("zero_pad", options.zero_pad);
  visit("unit_embeddings", options.unit_embeddings);
  visit("seed", options.seed);
  visit("validate_every", options.validate_every);
  visit("patience", options.patience);
  visit("keep", options.keep);
  visit("average", options.average);
  visit("threads", options.threads);
}

[[noreturn]] void fail(const std::string& where, const std::string& key, const std::string& allowed,
                       const std::string& found) {
  throw Error(where, key + " must be " + allowed + ", found " + found);
}

struct Writer {
  nlohmann::json& json;
  void operator()(const char* key, const auto& value) { json[key] = value; }
  void operator()(const char* key, Keep value) { json[key] = value == Keep::best ? "best" : "last"; }
};

struct Reader {
  const nlohmann::json& json;
  const std::string& where;
  std::set<std::string> known;

  const nlohmann::json* find(const char* key) {
    known.insert(key);
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
  }

  template <std::integral Number>
  void operator()(const char* key, Number& value) {
    const nlohmann::json* found = find(key);
    if (!found) return;
    value = whole<Number>(*found, where, key);
  }
  void operator()(const char* key, bool& value) {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (!found->is_boolean()) fail(where, key, "true or false", shown(*found));
    value = found->get<bool>();
  }
  void operator()(const char* key, double& value) {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (!found->is_number()) fail(where, key, "a number", shown(*found));
    value = found->get<double>();
  }
  void operator()(const char* key, std::string& value) {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (!found->is_string()) fail(where, key, "a text", shown(*found));
    value = found->get<std::string>();
  }
  void operator()(const char* key, Keep& value) {
    const nlohmann::json* found = find(key);
    if (!found) return;
    if (*found != "best" && *found != "last") fail(where, key, "\"best\" or \"last\"", shown(*found));
    value = *found == "best" ? Keep::best : Keep::last;
  }
};

std::string text_of(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e9) return std::to_string(std::lround(number));
  return nlohmann::json(number).dump();
}

void check_number(const char* key, double value, double low, double high) {
  if (value >= low && value <= high) return;
  fail("training", key, "from " + text_of(low) + " to " + text_of(high), text_of(value));
}

}  // namespace

std::array<bool, 3> padding_masks(const TrainingOptions& options) {
  constexpr std::array<std::string_view, 3> kNames = {"encoder", "decoder", "cross"};  // by AttentionKind
  std::array<bool, 3> masked = {true, true, true};
  const std::string_view named = options.unmasked_padding;
  for (std::size_t at = 0; at < named.size();) {
    const std::size_t end = std::min(named.find_first_of(",+", at), named.size());
    const auto found = std::ranges::find(kNames, named.substr(at, end - at));
    if (found == kNames.end() || end + 1 == named.size())
      fail("training", "unmasked_padding", "encoder, decoder, cross or several with commas between",
           shown(nlohmann::json(options.unmasked_padding)));
    masked[static_cast<std::size_t>(found - kNames.begin())] = false;
    at = end + 1;
  }
  return masked;
}

void check(const TrainingOptions& options) {
  constexpr std::array<std::string_view, 5> kFrozen = {"", "source", "target", "source,target",
                                                       "target,source"};
  if (std::ranges::find(kFrozen, options.freeze) == kFrozen.end())
    fail("training", "freeze", "source, target or both with a comma between",
         shown(nlohmann::json(options.freeze)));
  padding_masks(options);
  check_number("extra_padding", options.extra_padding, 0, 1000);
  if (!options.unmasked_padding.empty() && options.extra_padding == 0)
    throw Error("training",
                "unmasked_padding does nothing where extra_padding is 0, since batches have no padding of "
                "their own; set extra_padding to 1 or more");
  check_number("steps", static_cast<double>(options.steps), 0, kLongest);
  check_number("epochs", options.epochs, 0, kLongest);
  check_number("minutes", options.minutes, 0, kLongest);
  check_number("batch_tokens", options.batch_tokens, 1, 1e8);
  check_number("warmup", static_cast<double>(options.warmup), options.schedule == "noam" ? 1 : 0, kLongest);
  check_number("factor", options.factor, 1e-9, 1e6);
  check_number("peak", options.peak, 1e-12, 1e6);
  check_number("total_steps", static_cast<double>(options.total_steps), 0, kLongest);
  check_number("clip", options.clip, 0, 1e30);
  check_number("smoothing", options.smoothing, 0, 0.999999);
  check_number("validate_every", static_cast<double>(options.validate_every), 0, kLongest);
  check_number("patience", options.patience, 0, 1e9);
  check_number("average", options.average, 1, 1000);
  check_number("threads", options.threads, 0, 1024);
  if (std::find(kSchedules.begin(), kSchedules.end(), options.schedule) == kSchedules.end())
    fail("training", "schedule", "noam, constant, linear or cosine", shown(options.schedule));
  const bool needs_end = options.schedule == "linear" || options.schedule == "cosine";
  if (needs_end && options.total_steps == 0 && options.steps == 0 && options.epochs <= 0)
    throw Error("training",
                "the schedule " + options.schedule +
                    " falls to 0 at the last step, so it must know it; set steps, epochs or total_steps");
}

nlohmann::json to_json(const TrainingOptions& options) {
  nlohmann::json json = nlohmann::json::object();
  visit_options(options, Writer{json});
  return json;
}

TrainingOptions training_options_from_json(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where, "expected an object of training options, found " + shown(json));
  TrainingOptions options;
  Reader reader{json, where, {}};
  visit_options(options, [&](const char* key, auto& value) { reader(key, value); });
  for (const auto& [key, value] : json.items())
    if (!reader.known.contains(key))
      throw Error(where,
                  "the training option " + shown(key) + " is not known; remove it or correct its spelling");
  check(options);
  return options;
}

}  // namespace glassformer
