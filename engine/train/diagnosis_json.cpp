#include <cmath>
#include <limits>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/train/diagnosis.h"
#include "engine/train/short_number.h"

namespace glassformer {
namespace {

constexpr long kMostSteps = 1'000'000'000'000, kMostStride = 1'000'000'000;
constexpr double kMostFloat = 3.4028235e38;  // as the largest float is spelled

const nlohmann::json& list(const nlohmann::json& json, const std::string& what, const std::string& where) {
  if (!json.is_array()) throw Error(where, what + " is " + shown(json) + ", expected a list");
  return json;
}

// One column: a row of numbers for each look, all equally long.
class Column {
 public:
  Column(const nlohmann::json& json, const char* key, std::size_t looks, const std::string& where)
      : name_("the column \"" + std::string(key) + "\" of the looks"), where_(where) {
    const auto found = json.find(key);
    if (found == json.end()) throw Error(where, name_ + " is missing");
    rows_ = &list(*found, name_, where);
    if (rows_->size() != looks)
      throw Error(where, name_ + " has " + std::to_string(rows_->size()) + " entries, expected " +
                             std::to_string(looks));
  }

  // The numbers of one look, from 0 to `most`; null is NaN.
  std::vector<float> row(std::size_t look, double most) const {
    const nlohmann::json& row = list((*rows_)[look], "an entry of " + name_, where_);
    if (row.size() != rows_->front().size()) throw Error(where_, name_ + " has entries of unequal length");
    std::vector<float> numbers;
    for (const nlohmann::json& value : row) {
      if (!value.is_null() && !(value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most))
        throw Error(where_, name_ + " holds " + shown(value) + ", expected a number from 0 to " +
                                nlohmann::json(most).dump());
      numbers.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN()
                                        : static_cast<float>(value.get<double>()));
    }
    return numbers;
  }

 private:
  std::string name_, where_;
  const nlohmann::json* rows_ = nullptr;
};

nlohmann::json short_numbers(const std::vector<float>& values) {
  auto row = nlohmann::json::array();
  for (const float value : values) row.push_back(short_number(value));
  return row;
}

}  // namespace

nlohmann::json to_json(const Diagnosis& diagnosis) {
  const auto empty = nlohmann::json::array();
  nlohmann::json json = {{"stride", diagnosis.stride}};
  auto &steps = json["steps"] = empty, &norms = json["gradient_norms"] = empty,
       &ratios = json["update_ratios"] = empty, &entropy = json["entropy"] = empty,
       &saturation = json["saturation"] = empty, &silent = json["silent_units"] = empty;
  for (const Look& look : diagnosis.looks) {
    std::vector<float> entropies, saturations;
    for (const HeadLook& head : look.heads) {
      entropies.push_back(head.entropy);
      saturations.push_back(head.saturation);
    }
    steps.push_back(look.step);
    norms.push_back(short_numbers(look.gradient_norms));
    ratios.push_back(short_numbers(look.update_ratios));
    entropy.push_back(short_numbers(entropies));
    saturation.push_back(short_numbers(saturations));
    silent.push_back(short_numbers(look.silent));
  }
  return json;
}

Diagnosis diagnosis_from_json(const nlohmann::json& json, const std::string& where) try {
  if (!json.is_object()) throw Error(where, "expected an object of looks");
  Diagnosis diagnosis;
  diagnosis.stride = whole<long>(json.at("stride"), where, "\"stride\"", 1, kMostStride);
  const nlohmann::json& steps = list(json.at("steps"), "the column \"steps\" of the looks", where);
  const std::size_t size = steps.size();
  const Column norms(json, "gradient_norms", size, where), ratios(json, "update_ratios", size, where),
      entropy(json, "entropy", size, where), saturation(json, "saturation", size, where),
      silent(json, "silent_units", size, where);
  long before = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Look look{.step = whole<long>(steps[i], where, "a step that was looked at", 1, kMostSteps),
              .gradient_norms = norms.row(i, kMostFloat),
              .update_ratios = ratios.row(i, kMostFloat),
              .heads = {},
              .silent = silent.row(i, 1)};
    if (look.step <= before) throw Error(where, "the steps of the looks are out of order");
    before = look.step;
    const std::vector<float> entropies = entropy.row(i, 1), saturations = saturation.row(i, 1);
    if (entropies.size() != saturations.size())
      throw Error(where, "the columns \"entropy\" and \"saturation\" tell of unequal numbers of heads");
    for (std::size_t head = 0; head < entropies.size(); ++head)
      look.heads.push_back({entropies[head], saturations[head]});
    diagnosis.looks.push_back(std::move(look));
  }
  return diagnosis;
} catch (const nlohmann::json::exception& error) {
  throw Error(where, "the looks are not as this program writes them (" + in_words(error) + ")");
}

}  // namespace glassformer
