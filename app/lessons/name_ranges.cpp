#include "app/lessons/name_ranges.h"

#include <algorithm>
#include <array>

#include "app/session/run_scene.h"
#include "app/views/view_table.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

ValueRange range_of_value(ValueKind kind) {
  if (kind == ValueKind::weights) return {0, 1};
  if (kind == ValueKind::log_probabilities) return {-kNoEnd, 0};
  return {};
}

ValueRange range_of(const PageNames& names, const std::string& before, const std::string& name) {
  constexpr std::array kNotNegative{"loss",       "batch_loss", "nll",       "entropy",
                                    "muted_loss", "rate",       "curve.loss"};
  if (before == "gradient" || before == "update") return {};
  if (before == "run") return {0, name.ends_with(".exact") ? 1 : kNoEnd};
  if (name == "weights" || name == "p_asked") return {0, 1};
  if (name == "log_p") return {-kNoEnd, 0};
  if (std::ranges::find(kNotNegative, name) != kNotNegative.end()) return {0, kNoEnd};
  if (before == "study" || name == "parameters" || name.starts_with("config.")) {
    const Value value = names.named(before, name);
    if (!value.is_words()) return {value.numbers.front(), value.numbers.front()};
  }
  const auto value = read_name(name);
  return value ? range_of_value(value->value) : ValueRange{};
}

bool is_open_part(const Config& config, const std::string& word) {
  for (const ViewEntry& entry : view_table())
    if (word == entry.name) return true;
  for (const auto& [kind, layers] :
       {std::pair{"encoder ", config.encoder_layers}, std::pair{"decoder ", config.decoder_layers},
        std::pair{"cross ", config.decoder_layers}})
    for (int layer = 1; layer <= layers; ++layer)
      if (word == kind + std::to_string(layer)) return true;
  return false;
}

bool is_in_vocabulary(const Tokenizer* tokenizer, const Config& config, int size, const std::string& word) {
  for (int id = 0; id < size; ++id)
    if (word_of(tokenizer, config, id) == word) return true;
  return false;
}

bool may_be_word(const StagedPage& page, const std::string& name, const std::string& word) {
  const Config& config = page.model->snapshot.config;
  const Tokenizers& tokenizers = page.model->tokenizers;
  if (name == "view.open") return is_open_part(config, word);
  if (name == "output" || name == "asked" || name == "reads")
    return is_in_vocabulary(tokenizers.target.get(), config, config.target_vocab, word);
  return true;
}

// Of sentences and of the tables that they make.
std::vector<double> lengths_of(const Config& config, const std::string& name) {
  constexpr std::array<std::string_view, 6> kSentences{"pieces", "ids",    "reads",
                                                       "asked",  "output", "p_asked"};
  const double longest = config.max_length;
  if (std::ranges::find(kSentences, name) != kSentences.end()) return {longest};
  const auto kind = kind_in_head(name);
  if (!kind) return {};
  const bool of_pairs =
      *kind == ValueKind::weights || *kind == ValueKind::scores || *kind == ValueKind::dot_products;
  return {longest, of_pairs ? longest : static_cast<double>(config.head_width())};
}

}  // namespace

NameRanges names_on_stage(const PageNames& names) {
  return {.numbers = [&](const std::string& before,
                         const std::string& name) { return range_of(names, before, name); },
          .words = [&](const std::string& name,
                       const std::string& word) { return may_be_word(names.page(), name, word); },
          .lengths =
              [&](const std::string& name) { return lengths_of(names.page().model->snapshot.config, name); }};
}

}  // namespace glassformer
