#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/format/sentence_numbers.h"
#include "app/panels/new_model_form.h"
#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/presets.h"

namespace glassformer {

namespace {

constexpr long kManyPairs = 10000;  // enough for a model of real text

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// To four digits: a field is no place for more than a person would type.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double power = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * power) / power;
}

// A number as typed; throws a sentence that names the field.
double number_in(const NewModelForm& form, const NumberField& field) {
  const std::string& text = form.numbers.at(field.name);
  const std::optional<double> value = typed_number(text);
  if (!value || *value < 0) throw Error(label_of(field), "“" + text + "” is no number from 0 on");
  if (*value > 1e12) throw Error(label_of(field), "“" + text + "” is too large; at most 10¹²");
  return *value;
}

template <size_t N>
double number_named(const NewModelForm& form, const std::array<NumberField, N>& fields,
                    std::string_view name) {
  for (const NumberField& field : fields)
    if (name == field.name) return number_in(form, field);
  return 0;
}

template <size_t N>
int whole_named(const NewModelForm& form, const std::array<NumberField, N>& fields, std::string_view name) {
  for (const NumberField& field : fields)
    if (name == field.name) return whole_in(form, field);
  return 0;
}

bool yes(const NewModelForm& form, const char* name) {
  return form.choices.at(name) == 1;
}

// In full, so that the run's record finds it from anywhere; what is in it shows when the run begins.
std::string vectors_file(const NewModelForm& form, const NumberField& field) {
  const auto typed = form.files.find(field.name);
  if (typed == form.files.end() || typed->second.empty()) return {};
  const std::filesystem::path path = expanded(typed->second);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none))
    throw Error(field.words, "there is no file “" + typed->second + "”");
  return std::filesystem::absolute(path).lexically_normal().string();
}

// "pairs.tsv", "train.en and train.fr"
std::string file_names(const DataSource& source) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  for (const std::string* one : {&source.corpus, &source.grammar})
    if (!one->empty()) return name(*one);
  return name(source.source) + " and " + name(source.target);
}

// To the last digit where the field is unchanged: the command line suggests the same.
double as_suggested(const NewModelForm& form, const char* name) {
  const auto exact = form.suggested.find(name);
  const bool kept =
      exact != form.suggested.end() && form.numbers.at(name) == shortest(rounded(exact->second));
  return kept ? exact->second : number_named(form, kTraining, name);
}

}  // namespace

std::string label_of(const NumberField& field) {
  const std::string_view words = field.words;
  return std::string(words.substr(0, words.find(" (")));
}

int whole_in(const NewModelForm& form, const NumberField& field) {
  const double value = number_in(form, field);
  if (value <= 2e9 && value == std::floor(value)) return static_cast<int>(value);
  throw Error(label_of(field),
              "“" + form.numbers.at(field.name) +
                  (value > 2e9 ? "” is too large; at most 2 000 000 000" : "” is no whole number"));
}

std::string data_kind(const NewModelForm& form) {
  if (form.data == 0) return "grammar";
  const auto task = static_cast<size_t>(form.data) - 1;
  if (task < toy_tasks().size()) return toy_task_name(toy_tasks()[task]);
  return form.own.training.grammar.empty() ? "corpus" : "grammar";
}

std::string as_on_screen(std::string sentence) {
  for (const char* start : {"model: ", "training: "})
    if (sentence.starts_with(start)) sentence.erase(0, std::string_view(start).size());
  const auto replace = [&](std::string_view name, const std::string& label) {
    const auto in_word = [&](size_t at) {
      return at < sentence.size() &&
             (std::isalnum(static_cast<unsigned char>(sentence[at])) || sentence[at] == '_');
    };
    for (size_t at = sentence.find(name); at != std::string::npos; at = sentence.find(name, at)) {
      const bool whole = (at == 0 || !in_word(at - 1)) && !in_word(at + name.size());
      if (whole) sentence.replace(at, name.size(), label);
      at += whole ? label.size() : 1;
    }
  };
  // A name that is also a plain word ("steps") is one only where the sentence begins.
  const auto put_labels = [&](std::span<const NumberField> fields) {
    for (const NumberField& field : fields) {
      const std::string_view name = field.name;
      if (sentence.starts_with(name) || name.find('_') != std::string_view::npos)
        replace(name, label_of(field));
    }
  };
  put_labels(kSizes);
  put_labels(kTraining);
  for (const ChoiceField& field : structure_choices())
    if (std::string_view(field.name).find('_') != std::string_view::npos) replace(field.name, field.words);
  return numbers_on_screen(sentence);
}

std::vector<std::string> data_names(const NewModelForm& form) {
  std::vector<std::string> names{"English–French grammar"};
  for (const ToyTask task : toy_tasks()) names.push_back("Task: " + toy_task_name(task));
  if (form.has_own) names.push_back(file_names(form.own.training));
  return names;
}

DataOptions data_of(const NewModelForm& form) {
  DataOptions data;
  const int own = 1 + static_cast<int>(toy_tasks().size());
  if (form.data == own) {
    data = form.own;
  } else if (form.data == 0) {
    data.training.grammar = program_file(kGrammar).string();
  } else {
    data.training.task = toy_task_name(toy_tasks()[static_cast<size_t>(form.data - 1)]);
  }
  if (form.data != own || whole_named(form, kData, "pairs") > 0)
    data.training.pairs = whole_named(form, kData, "pairs");
  data.pieces = whole_named(form, kData, "pieces");
  data.seed = static_cast<std::uint64_t>(whole_named(form, kData, "data_seed"));
  const int kind = form.choices.at("tokenizer");
  data.tokenizer.reset();
  if (kind > 0) data.tokenizer = static_cast<TokenizerKind>(kind - 1);
  data.shared_vocabulary = yes(form, "shared_vocabulary");
  data.source_embedding = vectors_file(form, kVectors[0]);
  data.target_embedding = vectors_file(form, kVectors[1]);
  return data;
}

Config config_of(const NewModelForm& form) {
  const auto whole = [&](const char* name) { return whole_named(form, kSizes, name); };
  Config c;
  c.d_model = whole("d_model");
  c.heads = whole("heads");
  c.d_ff = whole("d_ff");
  c.encoder_layers = whole("encoder_layers");
  c.decoder_layers = whole("decoder_layers");
  c.max_length = whole("max_length");
  c.dropout = number_named(form, kSizes, "dropout");
  if (!form.numbers.at("attention_dropout").empty())
    c.attention_dropout = number_named(form, kSizes, "attention_dropout");
  c.norm = static_cast<NormPlace>(form.choices.at("norm"));
  c.norm_kind = static_cast<NormKind>(form.choices.at("norm_kind"));
  c.final_norm = yes(form, "final_norm");
  c.feed_forward = static_cast<FeedForwardKind>(form.choices.at(kFeedForwardChoice));
  c.activation = static_cast<Activation>(form.choices.at("activation"));
  c.positions = static_cast<PositionKind>(form.choices.at("positions"));
  c.sharing = static_cast<Sharing>(form.choices.at("sharing"));
  c.scale_embeddings = yes(form, "scale_embeddings");
  c.embedding_norm = yes(form, "embedding_norm");
  c.attention_scale = yes(form, "attention_scale");
  c.attention_activation = static_cast<AttentionActivation>(form.choices.at("attention_activation"));
  c.attention_bias = yes(form, "attention_bias");
  c.output_bias = yes(form, "output_bias");
  c.source_eos = yes(form, "source_eos");
  return c;
}

constexpr std::array kSchedules{"noam", "constant", "linear", "cosine"};

TrainingOptions training_of(const NewModelForm& form) {
  const auto number = [&](const char* name) { return number_named(form, kTraining, name); };
  const auto whole = [&](const char* name) { return whole_named(form, kTraining, name); };
  TrainingOptions o;
  o.steps = whole("steps");
  o.epochs = number("epochs");
  o.minutes = number("minutes");
  o.batch_tokens = whole("batch_tokens");
  o.schedule = kSchedules[static_cast<size_t>(form.choices.at("schedule"))];
  o.warmup = whole("warmup");
  o.factor = as_suggested(form, "factor");
  o.peak = as_suggested(form, "peak");
  o.smoothing = number("smoothing");
  o.clip = number("clip");
  o.seed = static_cast<std::uint64_t>(whole("seed"));
  o.validate_every = whole("validate_every");
  o.patience = whole("patience");
  o.average = std::max(1, whole("average"));
  static constexpr std::array kFrozen{"", "source", "target", "source,target"};
  o.freeze = kFrozen[static_cast<size_t>(form.choices.at("freeze"))];
  o.unit_embeddings = yes(form, "unit_embeddings");
  o.zero_pad = yes(form, "zero_pad");
  o.extra_padding = whole("extra_padding");
  const auto seeing = static_cast<size_t>(form.choices.at("unmasked_padding"));
  if (seeing > 0) o.unmasked_padding = who_sees_padding()[seeing];
  return o;
}

// What the size is good for, on the data that are chosen.
std::string note_of(const NewModelForm& form) {
  const Preset& preset = presets()[static_cast<size_t>(form.preset)];
  if (form.data == 0 && preset.name == "tiny") return "learns the English-French grammar in minutes";
  const bool own = form.data > static_cast<int>(toy_tasks().size());
  if (own && preset.name == "tiny") return "for some hundred sentence pairs";
  if (form.data != 0 && preset.name == "small")
    return "for some thousand sentence pairs; more than a task needs";
  return std::string(preset.note);
}

// Pieces that the data will have, as far as is known before it is read.
int guessed_vocabulary(const NewModelForm& form, const DataPreview* preview, bool source) {
  const double pieces = number_named(form, kData, "pieces");
  if (pieces > 0) return static_cast<int>(pieces);
  if (form.has_own && form.data == 1 + static_cast<int>(toy_tasks().size()) && preview && preview->data) {
    const DataReport& report = preview->data->report;
    // One vocabulary for both will be a new one.
    const long both = std::max(report.source.vocabulary, report.target.vocabulary);
    return static_cast<int>(yes(form, "shared_vocabulary") ? both
                            : source                       ? report.source.vocabulary
                                                           : report.target.vocabulary);
  }
  if (form.data > static_cast<int>(toy_tasks().size()))
    return source ? form.own_vocabularies.first : form.own_vocabularies.second;
  if (form.data == 0) return yes(form, "shared_vocabulary") ? 3700 : source ? 1500 : 2300;
  switch (toy_tasks()[static_cast<size_t>(form.data - 1)]) {
    case ToyTask::add:
      return source ? 15 : 14;
    case ToyTask::dates:
      return source ? 39 : 15;
    case ToyTask::recall:
      return source ? 33 : 12;
    case ToyTask::symbols:
      return 14;
    default:
      return 24;
  }
}

// What was typed before stays, unless other data have been read since.
void NewModelForm::start(const DataPreview* preview) {
  timing->measure_again();
  error.clear();
  recurrent = false;
  const PreparedData* read = preview && !preview->reading ? preview->data.get() : nullptr;
  const bool same_data =
      read == started_with.lock().get() && (!read || to_json(preview->options) == to_json(own));
  if (!numbers.empty() && same_data) return;
  if (read) started_with = preview->data;
  has_own = preview && !preview->reading && preview->data && !preview->options.training.empty();
  own_vocabularies = {};
  if (has_own) {
    own = preview->options;
    own_tokens = read->report.pass_tokens();
    data = 1 + static_cast<int>(toy_tasks().size());
    if (preview->data->report.kept >= kManyPairs)
      preset = static_cast<int>(std::ranges::find(presets(), true, &Preset::for_text) - presets().begin());
  }
  for (const ChoiceField& field : structure_choices()) choices.try_emplace(field.name, 0);
  for (const char* first : {"tokenizer", "shared_vocabulary", "schedule"}) choices.try_emplace(first, 0);
  choices.try_emplace("recurrent_attention", 1);
  for (const char* on :
       {"scale_embeddings", "attention_scale", "attention_bias", "output_bias", "source_eos"})
    if (numbers.empty()) choices[on] = 1;
  numbers.try_emplace("recurrent_width", "64");
  numbers.try_emplace("recurrent_layers", "1");
  numbers.try_emplace("recurrent_steps", "0");
  numbers.try_emplace("pairs", "0");
  numbers.try_emplace("pieces", "0");
  numbers.try_emplace("data_seed", "1");
  numbers.try_emplace("max_length", "64");
  if (has_own) {
    files = {{"source_vectors", own.source_embedding}, {"target_vectors", own.target_embedding}};
    choices["tokenizer"] = own.tokenizer ? 1 + static_cast<int>(*own.tokenizer) : 0;
    numbers["pieces"] = std::to_string(own.pieces);
    numbers["data_seed"] = std::to_string(own.seed);
  }
  take_preset();
}

void NewModelForm::fit_to_steps() {
  const std::optional<std::int64_t> steps = typed_whole(numbers["steps"]);
  if (numbers["warmup"] != fitted || !steps) return;
  TrainingOptions options = usual;
  if (*steps > 0) fit_warmup(*steps, options);
  numbers["warmup"] = fitted = std::to_string(options.warmup);
  suggested["factor"] = options.factor;
  numbers["factor"] = shortest(rounded(options.factor));
}

void NewModelForm::fit_to_feed_forward() {
  const FeedForwardKind before = feed_forward;
  feed_forward = static_cast<FeedForwardKind>(choices[kFeedForwardChoice]);
  const std::optional<std::int64_t> hidden = typed_whole(numbers["d_ff"]);
  if (hidden && *hidden > 0 && *hidden <= 1 << 18)  // the most that a configuration may have
    numbers["d_ff"] = std::to_string(hidden_width_for(feed_forward, before, static_cast<int>(*hidden)));
}

// Sizes of the preset, and the training that suits them on the chosen data.
void NewModelForm::take_preset() {
  const std::string kind = data_kind(*this);
  const Preset& chosen = presets()[static_cast<size_t>(preset)];
  const Config c = suggested_config(kind, chosen);
  numbers["d_model"] = std::to_string(c.d_model);
  numbers["heads"] = std::to_string(c.heads);
  numbers["d_ff"] = std::to_string(c.d_ff), feed_forward = c.feed_forward;
  fit_to_feed_forward();
  numbers["encoder_layers"] = std::to_string(c.encoder_layers);
  numbers["decoder_layers"] = std::to_string(c.decoder_layers);
  numbers["dropout"] = shortest(c.dropout);
  numbers["attention_dropout"] = c.attention_dropout < 0 ? "" : shortest(c.attention_dropout);
  choices["norm"] = static_cast<int>(c.norm);
  choices["final_norm"] = c.final_norm ? 1 : 0;
  choices["positions"] = static_cast<int>(c.positions);
  choices["sharing"] = static_cast<int>(c.sharing);
  choices["shared_vocabulary"] = chosen.for_text || (kind == "corpus" && own.shared_vocabulary) ? 1 : 0;
  const TrainingOptions o = suggested_options(kind, c, chosen, kind == "corpus" ? own_tokens : 0);
  numbers["steps"] = std::to_string(o.steps);
  numbers["epochs"] = shortest(o.epochs);
  numbers.try_emplace("minutes", "0");
  numbers.try_emplace("extra_padding", "0");
  numbers["batch_tokens"] = std::to_string(o.batch_tokens);
  usual = o;
  numbers["warmup"] = fitted = std::to_string(o.warmup);
  suggested = {{"factor", o.factor}, {"peak", o.peak}};
  for (const auto& [name, exact] : suggested) numbers[name] = shortest(rounded(exact));
  numbers["smoothing"] = shortest(o.smoothing);
  numbers["clip"] = shortest(o.clip);
  numbers.try_emplace("seed", std::to_string(o.seed));
  numbers["validate_every"] = std::to_string(o.validate_every);
  numbers["patience"] = std::to_string(o.patience);
  numbers["average"] = std::to_string(o.average);
  choices["schedule"] = static_cast<int>(std::ranges::find(kSchedules, o.schedule) - kSchedules.begin());
}

}  // namespace glassformer
