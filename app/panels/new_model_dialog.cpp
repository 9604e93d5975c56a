#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/widgets/number_format.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/presets.h"

namespace glassformer {

namespace {

constexpr const char* kGrammar = "assets/grammars/english-french.grammar";

struct NumberField {
  const char* name;
  const char* words;
};
constexpr std::array kData{NumberField{"pairs", "Pairs (0: what suits)"},
                           NumberField{"pieces", "Vocabulary (0: what suits)"}};
constexpr std::array kSizes{NumberField{"d_model", "Width d"},
                            NumberField{"heads", "Heads"},
                            NumberField{"d_ff", "Hidden width f"},
                            NumberField{"encoder_layers", "Encoder layers"},
                            NumberField{"decoder_layers", "Decoder layers"},
                            NumberField{"max_length", "Longest sequence"},
                            NumberField{"dropout", "Dropout"}};
constexpr std::array kTraining{NumberField{"steps", "Steps (0: no end)"},
                               NumberField{"batch_tokens", "Tokens in a batch"},
                               NumberField{"warmup", "Warm-up steps"},
                               NumberField{"factor", "Factor (noam)"},
                               NumberField{"peak", "Peak rate (others)"},
                               NumberField{"smoothing", "Label smoothing"},
                               NumberField{"clip", "Clip gradients at (0: no)"},
                               NumberField{"seed", "Seed"},
                               NumberField{"validate_every", "Validate every (0: auto)"},
                               NumberField{"patience", "Patience (0: no)"},
                               NumberField{"average", "Average the last"}};

struct ChoiceField {
  const char* name;
  const char* words;
  std::vector<std::string> choices;
};

std::vector<ChoiceField> structure_choices() {
  return {{"norm", "LayerNorm", {"after the sum (paper)", "before the block"}},
          {"final_norm", "Norm after each stack", {"no", "yes"}},
          {"activation", "Activation", {"relu", "gelu", "swish"}},
          {"positions", "Positions", {"sinusoidal", "learned", "none"}},
          {"sharing", "Shared embeddings", {"none", "output", "all three"}},
          {"scale_embeddings", "Embeddings times √d", {"no", "yes"}},
          {"embedding_norm", "Norm after embedding", {"no", "yes"}},
          {"attention_scale", "Scores divided by √k", {"no", "yes"}},
          {"attention_bias", "Attention biases", {"no", "yes"}},
          {"output_bias", "Output bias", {"no", "yes"}},
          {"source_eos", "Source ends in <eos>", {"no", "yes"}}};
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// A number as typed; throws a sentence that names the field.
double number_in(const NewModelForm& form, const NumberField& field) {
  const std::string& text = form.numbers.at(field.name);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0 ||
      value > 1e12)
    throw Error(field.words, "“" + text + "” is no number from 0 on");
  return value;
}

template <size_t N>
double number_named(const NewModelForm& form, const std::array<NumberField, N>& fields,
                    std::string_view name) {
  for (const NumberField& field : fields)
    if (name == field.name) return number_in(form, field);
  return 0;
}

bool yes(const NewModelForm& form, const char* name) {
  return form.choices.at(name) == 1;
}

std::vector<std::string> data_names(const NewModelForm& form) {
  std::vector<std::string> names{"English–French grammar"};
  for (const ToyTask task : toy_tasks()) names.push_back("Task: " + toy_task_name(task));
  if (form.has_own) names.push_back("My file");
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
  if (form.data != own || number_named(form, kData, "pairs") > 0)
    data.training.pairs = static_cast<long>(number_named(form, kData, "pairs"));
  data.pieces = static_cast<int>(number_named(form, kData, "pieces"));
  const int kind = form.choices.at("tokenizer");
  if (kind > 0) data.tokenizer = static_cast<TokenizerKind>(kind - 1);
  data.shared_vocabulary = yes(form, "shared_vocabulary");
  return data;
}

Config config_of(const NewModelForm& form) {
  const auto whole = [&](const char* name) { return static_cast<int>(number_named(form, kSizes, name)); };
  Config c;
  c.d_model = whole("d_model");
  c.heads = whole("heads");
  c.d_ff = whole("d_ff");
  c.encoder_layers = whole("encoder_layers");
  c.decoder_layers = whole("decoder_layers");
  c.max_length = whole("max_length");
  c.dropout = number_named(form, kSizes, "dropout");
  c.norm = static_cast<NormPlace>(form.choices.at("norm"));
  c.final_norm = yes(form, "final_norm");
  c.activation = static_cast<Activation>(form.choices.at("activation"));
  c.positions = static_cast<PositionKind>(form.choices.at("positions"));
  c.sharing = static_cast<Sharing>(form.choices.at("sharing"));
  c.scale_embeddings = yes(form, "scale_embeddings");
  c.embedding_norm = yes(form, "embedding_norm");
  c.attention_scale = yes(form, "attention_scale");
  c.attention_bias = yes(form, "attention_bias");
  c.output_bias = yes(form, "output_bias");
  c.source_eos = yes(form, "source_eos");
  return c;
}

TrainingOptions training_of(const NewModelForm& form) {
  static constexpr std::array kSchedules{"noam", "constant", "linear", "cosine"};
  const auto number = [&](const char* name) { return number_named(form, kTraining, name); };
  TrainingOptions o;
  o.steps = static_cast<long>(number("steps"));
  o.batch_tokens = static_cast<int>(number("batch_tokens"));
  o.schedule = kSchedules[static_cast<size_t>(form.choices.at("schedule"))];
  o.warmup = static_cast<long>(number("warmup"));
  o.factor = number("factor");
  o.peak = number("peak");
  o.smoothing = number("smoothing");
  o.clip = number("clip");
  o.seed = static_cast<std::uint64_t>(number("seed"));
  o.validate_every = static_cast<long>(number("validate_every"));
  o.patience = static_cast<int>(number("patience"));
  o.average = std::max(1, static_cast<int>(number("average")));
  return o;
}

// Pieces that the data will have, as far as is known before it is read.
int guessed_vocabulary(const NewModelForm& form, const DataPreview* preview, bool source) {
  if (form.has_own && form.data == 1 + static_cast<int>(toy_tasks().size()) && preview && preview->data)
    return static_cast<int>(source ? preview->data->report.source.vocabulary
                                   : preview->data->report.target.vocabulary);
  const double pieces = number_named(form, kData, "pieces");
  if (pieces > 0) return static_cast<int>(pieces);
  if (form.data == 0) return 1000;
  return form.data == 4 ? 15 : form.data == 5 ? 40 : 24;
}

}  // namespace

void NewModelForm::start(const DataPreview* preview) {
  error.clear();
  has_own = preview && !preview->reading && preview->data && !preview->options.training.empty();
  if (has_own) {
    own = preview->options;
    data = 1 + static_cast<int>(toy_tasks().size());
  }
  for (const ChoiceField& field : structure_choices()) choices.try_emplace(field.name, 0);
  choices.try_emplace("tokenizer", 0);
  choices.try_emplace("shared_vocabulary", 0);
  choices.try_emplace("schedule", 0);
  for (const char* on :
       {"scale_embeddings", "attention_scale", "attention_bias", "output_bias", "source_eos"})
    if (numbers.empty()) choices[on] = 1;
  numbers.try_emplace("pairs", "0");
  numbers.try_emplace("pieces", "0");
  numbers.try_emplace("max_length", "64");
  take_preset();
}

// Sizes of the preset, and the training that suits them on the chosen data.
void NewModelForm::take_preset() {
  const Config c = with_preset(Config{}, presets()[static_cast<size_t>(preset)]);
  numbers["d_model"] = std::to_string(c.d_model);
  numbers["heads"] = std::to_string(c.heads);
  numbers["d_ff"] = std::to_string(c.d_ff);
  numbers["encoder_layers"] = std::to_string(c.encoder_layers);
  numbers["decoder_layers"] = std::to_string(c.decoder_layers);
  numbers["dropout"] = shortest(c.dropout);
  const int tasks = static_cast<int>(toy_tasks().size());
  const std::string kind = data == 0       ? "grammar"
                           : data <= tasks ? toy_task_name(toy_tasks()[static_cast<size_t>(data - 1)])
                                           : "corpus";
  const TrainingOptions o = suggested_options(kind, c);
  numbers["steps"] = std::to_string(o.steps);
  numbers["batch_tokens"] = std::to_string(o.batch_tokens);
  numbers["warmup"] = std::to_string(o.warmup);
  numbers["factor"] = shortest(o.factor);
  numbers["peak"] = shortest(o.peak);
  numbers["smoothing"] = shortest(o.smoothing);
  numbers["clip"] = shortest(o.clip);
  numbers.try_emplace("seed", std::to_string(o.seed));
  numbers["validate_every"] = std::to_string(o.validate_every);
  numbers["patience"] = std::to_string(o.patience);
  numbers["average"] = std::to_string(o.average);
  choices["schedule"] = o.schedule == "constant" ? 1
                        : o.schedule == "linear" ? 2
                        : o.schedule == "cosine" ? 3
                                                 : 0;
}

bool new_model_dialog(ui::Ui& ui, Session& session, NewModelForm& form, Point window) {
  const DialogBox dialog = begin_dialog(
      ui, window, "New model", {form.every_option ? 900.0f : 620.0f, form.every_option ? 760.0f : 460.0f});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  const float foot = body.bottom() - 34;
  bool close = dialog.closed;

  // Fields in one column, or two where there is room.
  const int columns = form.every_option && body.width > 700 ? 2 : 1;
  const float column = (body.width - static_cast<float>(columns - 1) * 48) / static_cast<float>(columns);
  const float content = form.every_option ? (columns == 2 ? 1030.0f : 1560.0f) : 240.0f;
  const Rect area = ui.begin_scroll({body.x - 8, body.y, body.width + 24, foot - 72 - body.y},
                                    "new model form", {body.width + 8, content});
  float x = area.x + 8, y = area.y;
  const auto place = [&](const char* words) {
    canvas.text({x, y + 18}, elided(canvas, words, styles::caption(t), column * 0.46f), styles::caption(t));
    const Rect rect{x + column * 0.48f, y, column * 0.52f, 34};
    y += 40;
    return rect;
  };
  const auto heading = [&](const char* words) {
    canvas.text({x, y + 16}, words, styles::heading(t));
    y += 34;
  };
  const auto combo = [&](const char* name, const char* words, const std::vector<std::string>& choices) {
    return ui.Combo(place(words), words, choices, form.choices[name]);
  };
  const auto numbers = [&](std::span<const NumberField> fields) {
    for (const NumberField& field : fields) {
      const Rect rect = place(field.words);
      const bool wrong = form.error.starts_with(field.words);
      if (ui.TextField(rect, field.words, form.numbers[field.name],
                       {.error = wrong ? form.error : "", .mono = true}) != ui::FieldEvent::none)
        form.error.clear();
    }
  };

  if (form.every_option) heading("Data");
  if (ui.Combo(place("Learns from"), "Learns from", data_names(form), form.data)) form.take_preset();
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  if (!form.every_option) {
    if (ui.Combo(place("Size"), "Size", names, form.preset)) form.take_preset();
    paragraph(canvas, {x + column * 0.48f, y}, column * 0.52f,
              presets()[static_cast<size_t>(form.preset)].note, styles::caption(t));
    y += 44;
    canvas.text({x, y + 12}, "Another file: File, Open corpus…, or drop it on the window.",
                styles::caption(t));
    y += 30;
  } else {
    numbers(kData);
    combo("tokenizer", "Cut into", {"what suits", "pieces, BPE", "pieces, unigram", "words", "characters"});
    combo("shared_vocabulary", "One vocabulary for both", {"no", "yes"});
    y += 8;
    heading("Model");
    if (ui.Combo(place("Size"), "Size", names, form.preset)) form.take_preset();
    numbers(kSizes);
    if (columns == 2)
      x = area.x + 8 + column + 48, y = area.y;
    else
      y += 8;
    heading("Training");
    combo("schedule", "Schedule", {"noam", "constant", "linear", "cosine"});
    numbers(kTraining);
    if (columns == 1) y += 8;
  }
  if (form.every_option) {
    heading("Structure");
    for (const ChoiceField& field : structure_choices()) combo(field.name, field.words, field.choices);
  }
  ui.end_scroll();

  // What it will be, or what is wrong with it.
  std::string summary;
  bool valid = false;
  try {
    Config config = config_of(form);
    config.source_vocab = guessed_vocabulary(form, session.preview(), true);
    config.target_vocab = guessed_vocabulary(form, session.preview(), false);
    check(config);
    const TrainingOptions training = training_of(form);
    check(training);
    data_of(form);
    const double weights = static_cast<double>(parameter_count(config));
    // Weights, gradients and Adam's two moments are four numbers a weight; activations about 20 d a token and
    // layer.
    const double layers = config.encoder_layers + config.decoder_layers;
    const double memory =
        weights * 16 + training.batch_tokens * layers * (20.0 * config.d_model + 2.0 * config.d_ff) * 4;
    // Six operations a weight and token; about 40 thousand million of them a second on two cores.
    const double seconds = 6 * weights * training.batch_tokens * 1000 / 40e9;
    summary = "About " + format_count(static_cast<long long>(weights)) + " weights · " +
              format_short(memory / 1e6) + " MB while training · " + format_short(seconds) +
              " s for 1 000 steps, roughly";
    valid = true;
    if (form.error.find(':') != std::string::npos) form.error.clear();
  } catch (const Error& error) {
    form.error = error.what();
  }
  const Rect line{body.x, foot - 60, body.width, 48};
  paragraph(canvas, {line.x, line.y}, line.width, valid ? summary : form.error,
            valid ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note(line, "new model summary", valid ? summary : form.error);

  const float train = ui.button_width("Train it", ui::Icon::play), make = ui.button_width("Make it");
  float right = body.right();
  const bool run = ui.PrimaryButton({right - train, foot, train, 32}, "Train it",
                                    {.icon = ui::Icon::play, .enabled = valid});
  right -= train + 8;
  const bool only = ui.Button({right - make, foot, make, 32}, "Make it",
                              {.enabled = valid, .tooltip = "Fresh weights; T trains them"});
  if (ui.LinkButton({body.x, foot + 6}, form.every_option ? "Fewer options" : "Every option…"))
    form.every_option = !form.every_option;
  if (run || only) {
    ui.push(NewRun{.config = config_of(form), .data = data_of(form), .training = training_of(form)});
    if (run) ui.push(Train{});
    ui.push(OpenView{"training"});
    close = true;
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
