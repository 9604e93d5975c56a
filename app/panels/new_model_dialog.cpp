#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/format/number_format.h"
#include "app/panels/new_model_form.h"
#include "app/panels/styles.h"
#include "app/panels/train_words.h"
#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/text/printable.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/presets.h"

namespace glassformer {

namespace {

// What a model takes, roughly.
struct Cost {
  double weights = 0;
  double memory = 0;  // bytes, while training
};

Cost cost_of(const Config& config, const TrainingOptions& training) {
  Cost cost{.weights = static_cast<double>(parameter_count(config))};
  // Weights, gradients and Adam's two moments are four numbers a weight; activations about 20 d a token and
  // layer.
  const double layers = config.encoder_layers + config.decoder_layers;
  // Padding that is put behind sentences comes on top; of ten words, which most of these data have about.
  const double tokens = training.batch_tokens * (1 + training.extra_padding / 10.0);
  cost.memory =
      cost.weights * 16 +
      tokens * layers *
          (20.0 * config.d_model + feed_forward_traits(config.feed_forward).matrices * double(config.d_ff)) *
          4;
  return cost;
}

// Of one's own data that were read, the pieces must not be fewer than their text allows.
void check_pieces(const NewModelForm& form, const DataPreview* preview) {
  const DataOptions data = data_of(form);
  const bool own = form.has_own && form.data == 1 + static_cast<int>(toy_tasks().size());
  if (!own || !preview || !preview->data || data.pieces == 0) return;
  const PreparedData& read = *preview->data;
  const long smallest =
      std::max(read.report.source.smallest_vocabulary, read.report.target.smallest_vocabulary);
  if (cuts_into_pieces(read.kind) && cuts_into_pieces(data.tokenizer.value_or(read.kind)) &&
      data.pieces < smallest)
    throw Error("Vocabulary", "this text allows no fewer than " + std::to_string(smallest) + " pieces");
}

// By steps, or by passes over data whose length is known; 0: nobody knows before they are read, or there is
// no end.
long planned_steps(const NewModelForm& form, const TrainingOptions& training) {
  const bool own = form.has_own && form.data == 1 + static_cast<int>(toy_tasks().size());
  const double passes = own ? training.epochs : 0;
  const long of_passes =
      std::lround(passes * std::ceil(static_cast<double>(form.own_tokens) / training.batch_tokens));
  if (training.steps > 0 && of_passes > 0) return std::min(training.steps, of_passes);
  return training.steps > 0 ? training.steps : of_passes;
}

// As measured on this machine just now.
std::string time_words(std::optional<double> step, long steps) {
  const std::string all = format_count(steps) + " steps";
  if (!step) return "measuring how long " + all + " take…";
  return all + " in about " + format_duration(*step * static_cast<double>(steps)) + ", as fast as it is now";
}

// What it will be. Throws Error that says what is wrong with the form.
std::string summary_of(const NewModelForm& form, const DataPreview* preview) {
  if (form.recurrent) return recurrent_summary(form, preview);
  Config config = config_of(form);
  config.source_vocab = guessed_vocabulary(form, preview, true);
  config.target_vocab = guessed_vocabulary(form, preview, false);
  check(config);
  const TrainingOptions training = training_of(form);
  check(training);
  data_of(form);
  check_pieces(form, preview);
  const Cost cost = cost_of(config, training);
  check_memory(cost.memory, "a smaller width, fewer layers or a smaller batch");
  const long steps = planned_steps(form, training);
  return "About " + format_count(static_cast<long long>(cost.weights)) + " weights · " +
         memory_words(cost.memory) + " while training · " +
         time_words(form.timing->of(config, training), steps > 0 ? steps : 1000);
}

// The fields, names left and values right, in columns.
class Fields {
 public:
  Fields(ui::Ui& ui, NewModelForm& form, Point top_left, float column)
      : ui_(ui), form_(form), top_(top_left.y), column_(column), x_(top_left.x), y_(top_left.y) {}

  void few() {
    architecture();
    if (form_.recurrent) return recurrent();
    chosen_data();
    size();
    const TextStyle note = styles::caption(ui_.theme());
    const float used =
        paragraph(ui_.canvas(), {x_ + column_ * 0.48f, y_}, column_ * 0.52f, note_of(form_), note);
    y_ += std::max(44.0f, used + 10);
    ui_.canvas().text({x_, y_ + 12}, "Another file: File, Open corpus…, or drop it on the window.", note);
    y_ += 24;
  }

  void all(int columns) {
    heading("Data");
    chosen_data();
    numbers(kData);
    combo("tokenizer", "Cut into",
          {"what suits", "pieces, BPE", "pieces, unigram", "pieces, WordPiece", "words", "characters"});
    combo("shared_vocabulary", "One vocabulary for both", {"no", "yes"});
    vectors();
    y_ += 8;
    heading("Model");
    architecture();
    size();
    numbers(kSizes);
    if (columns == 2)
      x_ += column_ + kBetweenColumns, first_bottom_ = y_, y_ = top_;
    else
      y_ += 8;
    heading("Training");
    combo("schedule", "Schedule", {"noam", "constant", "linear", "cosine"});
    numbers(kTraining);
    if (columns == 1) y_ += 8;
    heading("Since 2017");
    for (const ChoiceField& field : structure_choices()) {
      if (*field.since_2017 == '\0') continue;
      combo(field.name, field.words, field.choices);
      note(field.since_2017);
    }
    heading("Structure");
    for (const ChoiceField& field : structure_choices()) {
      if (*field.since_2017 != '\0') continue;
      combo(field.name, field.words, field.choices);
      if (field.name == std::string_view("freeze")) note(frozen_as_drawn(form_));
      if (field.name == std::string_view("activation") && kind().gated)
        note("Not used: a " + std::string(kind().name) + " has a swish of its own.");
    }
  }

  // What all of them take, downwards.
  float height() const { return std::round(std::max(first_bottom_, y_) - top_); }

  static constexpr float kBetweenColumns = 48;

 private:
  void architecture() {
    int chosen = form_.recurrent ? 1 : 0;
    const std::vector<std::string> kinds{"Transformer", "recurrent"};
    if (Combo(ui_, place("Architecture"), "Architecture", kinds, chosen)) form_.recurrent = chosen == 1;
  }

  void recurrent() {
    chosen_data();
    const ChoiceField attention = recurrent_attention();
    combo(attention.name, attention.words, attention.choices);
    numbers(kRecurrent);
  }

  const FeedForwardTraits& kind() const { return feed_forward_traits(form_.feed_forward); }

  void note(const std::string& words) {
    if (words.empty()) return;
    y_ += paragraph(ui_.canvas(), {x_, y_}, column_, words, styles::caption(ui_.theme())) + 10;
  }

  void heading(const char* words) {
    ui_.canvas().text({x_, y_ + 16}, words, styles::heading(ui_.theme()));
    y_ += 34;
  }

  // Writes the name and gives the place of the value.
  Rect place(const char* words) {
    const TextStyle style = styles::caption(ui_.theme());
    ui_.canvas().text({x_, y_ + 18}, elided(ui_.canvas(), words, style, column_ * 0.46f), style);
    const Rect rect{x_ + column_ * 0.48f, y_, column_ * 0.52f, 34};
    y_ += 40;
    return rect;
  }

  void combo(const char* name, const char* words, const std::vector<std::string>& choices) {
    const bool changed = Combo(ui_, place(words), words, choices, form_.choices[name]);
    if (changed && name == std::string_view(kFeedForwardChoice)) form_.fit_to_feed_forward();
  }

  void chosen_data() {
    if (Combo(ui_, place("Learns from"), "Learns from", data_names(form_), form_.data)) form_.take_preset();
  }

  void size() {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.emplace_back(preset.name);
    if (Combo(ui_, place("Size"), "Size", names, form_.preset)) form_.take_preset();
  }

  void numbers(std::span<const NumberField> fields) {
    for (const NumberField& field : fields) {
      const bool wrong = form_.error.starts_with(label_of(field));
      if (TextField(ui_, place(field.words), field.words, form_.numbers[field.name],
                    {.error = wrong ? form_.error : "", .mono = true}) == ui::FieldEvent::none)
        continue;
      form_.error.clear();
      if (field.name == std::string_view("steps")) form_.fit_to_steps();
    }
  }

  void vectors() {
    for (const NumberField& field : kVectors) {
      const bool wrong = form_.error.starts_with(field.words);
      if (TextField(ui_, place(field.words), field.words, form_.files[field.name],
                    {.hint = "a file, as of GloVe", .error = wrong ? form_.error : ""}) !=
          ui::FieldEvent::none)
        form_.error.clear();
    }
  }

  ui::Ui& ui_;
  NewModelForm& form_;
  const float top_, column_;
  float x_, y_;
  float first_bottom_ = 0;  // of the first of two columns
};

}  // namespace

std::string frozen_as_drawn(const NewModelForm& form) {
  const auto lacks = [&](std::size_t side) {
    const auto typed = form.files.find(kVectors[side].name);
    return typed == form.files.end() || typed->second.empty();
  };
  const bool one = form.choices.at("sharing") == 2;  // matrix: the vectors of either side are its
  const int frozen = one && !(lacks(0) && lacks(1)) ? 0 : form.choices.at("freeze");  // 3: both
  const bool source = (frozen & 1) != 0 && lacks(0), target = (frozen & 2) != 0 && lacks(1);
  if (!source && !target) return {};
  const std::string which = source && target ? "embeddings stay"
                            : source         ? "source embedding stays"
                                             : "target embedding stays";
  return "Without vectors the " + which + " at the random numbers that training begins with.";
}

bool new_model_dialog(ui::Ui& ui, Session& session, NewModelForm& form, Point window) {
  const DialogBox dialog = begin_dialog(
      ui, window, "New model", form.every_option && !form.recurrent ? Point{900, 760} : Point{620, 450});
  const Rect body = dialog.body;
  const float foot = body.bottom() - 34;
  bool close = dialog.closed;

  // Fields in one column, or two where there is room.
  const bool all = form.every_option && !form.recurrent;
  const int columns = all && body.width > 700 ? 2 : 1;
  const float column =
      (body.width - static_cast<float>(columns - 1) * Fields::kBetweenColumns) / static_cast<float>(columns);
  const Rect area = ui.scroll.begin({body.x - 8, body.y, body.width + 24, foot - 72 - body.y},
                                    "new model form", {body.width + 8, form.height});
  Fields fields(ui, form, {area.x + 8, area.y}, column);
  if (all)
    fields.all(columns);
  else
    fields.few();
  ui.scroll.end();
  // Known only after drawing: the next frame has it.
  if (fields.height() != form.height) ui.ask_frame(0);
  form.height = fields.height();

  // What it will be, or what is wrong with it.
  std::string summary;
  try {
    summary = summary_of(form, session.preview());
    form.error.clear();
  } catch (const Error& error) {
    form.error = as_on_screen(message_text(error.what()));
  }
  const bool valid = form.error.empty();
  if (summary.ends_with("…")) ui.ask_frame(0.1);  // it is being measured
  const auto learning = session.recurrent_run();
  const bool taken = form.recurrent && learning && (learning->preparing || learning->running);
  if (taken) summary = "A recurrent model learns already. Stop it in Before attention, Own model.";
  const Rect line{body.x, foot - 60, body.width, 48};
  paragraph(ui.canvas(), {line.x, line.y}, line.width, valid ? summary : form.error,
            valid ? styles::caption(ui.theme()) : TextStyle{.size = 12, .color = ui.theme().wrong});
  ui.note(line, "new model summary", valid ? summary : form.error);

  const float train = ui.button_width("Train it", ui::Icon::play), make = ui.button_width("Make it");
  float right = body.right();
  const bool run = PrimaryButton(ui, {right - train, foot, train, 32}, "Train it",
                                 {.icon = ui::Icon::play, .enabled = valid && !taken});
  right -= train + 8;
  const bool only = !form.recurrent && Button(ui, {right - make, foot, make, 32}, "Make it",
                                              {.enabled = valid, .tooltip = "Fresh weights; T trains them"});
  if (!form.recurrent && LinkButton(ui, {body.x, foot + 6}, all ? "Fewer options" : "Every option…"))
    form.every_option = !form.every_option;
  if (run && form.recurrent) {
    ui.push(TrainRecurrent{recurrent_of(form)});
    ui.push(OpenView{"bottleneck", "Page", "Own model"});
    close = true;
  } else if (run || only) {
    ui.push(NewRun{.config = config_of(form), .data = data_of(form), .training = training_of(form)});
    if (run) ui.push(Train{});
    ui.push(OpenView{"training"});
    close = true;
  }
  end_dialog(ui);
  return close;
}

namespace {

// With what suits the data, as `glassformer train --architecture recurrent` has it.
TrainingOptions suiting(const NewModelForm& form, int width) {
  const std::string kind = data_kind(form);
  const bool small_data = kind != "corpus" && kind != "grammar";
  Config wide;
  wide.d_model = width;
  const long tokens = kind == "corpus" ? form.own_tokens : 0;
  return suggested_recurrent_options(
      suggested_options(kind, wide, preset(small_data ? "tiny" : "small"), tokens));
}

}  // namespace

ChoiceField recurrent_attention() {
  return {"recurrent_attention", "Attention", {"none: one vector", "additive (Bahdanau)", "dot (Luong)"}};
}

// On the data of the run that it is to be compared with, where those are known. Its vocabularies say what a
// corpus has that was not looked at here.
void NewModelForm::start_recurrent(const DataPreview* preview, const std::optional<DataOptions>& run_data,
                                   const Tokenizers& tokenizers) {
  start(preview);
  recurrent = true;
  if (!run_data) return;
  const DataSource& from = run_data->training;
  const std::vector<ToyTask> tasks = toy_tasks();
  const auto task = std::ranges::find(tasks, from.task, toy_task_name);
  if (!from.task.empty() && task != tasks.end()) {
    data = 1 + static_cast<int>(task - tasks.begin());
  } else if (std::error_code none; !from.grammar.empty() &&
                                   std::filesystem::equivalent(from.grammar, program_file(kGrammar), none)) {
    data = 0;
  } else {
    own = *run_data;
    own_tokens = 0;
    own_vocabularies = {tokenizers.source ? tokenizers.source->size() : 0,
                        tokenizers.target ? tokenizers.target->size() : 0};
    has_own = true;
    data = 1 + static_cast<int>(tasks.size());
  }
  numbers["pairs"] = std::to_string(std::max(0l, static_cast<long>(from.pairs)));
  numbers["pieces"] = std::to_string(run_data->pieces);
  numbers["data_seed"] = std::to_string(run_data->seed);
  choices["tokenizer"] = run_data->tokenizer ? 1 + static_cast<int>(*run_data->tokenizer) : 0;
  take_preset();
  choices["shared_vocabulary"] = run_data->shared_vocabulary ? 1 : 0;
}

NewRecurrentRun recurrent_of(const NewModelForm& form) {
  NewRecurrentRun run;
  run.data = data_of(form);
  run.config.width = whole_in(form, kRecurrent[0]);
  run.config.layers = whole_in(form, kRecurrent[1]);
  run.config.recurrent_attention =
      static_cast<RecurrentAttention>(form.choices.at(recurrent_attention().name));
  run.training = suiting(form, run.config.width);
  if (const int steps = whole_in(form, kRecurrent[2]); steps > 0) {
    run.training.steps = steps;
    run.training.epochs = 0;
    fit_warmup(steps, run.training);
  }
  return run;
}

std::string recurrent_summary(const NewModelForm& form, const DataPreview* preview) {
  NewRecurrentRun run = recurrent_of(form);
  run.config.source_vocab = guessed_vocabulary(form, preview, true);
  run.config.target_vocab = guessed_vocabulary(form, preview, false);
  const bool known = run.config.source_vocab > 0 && run.config.target_vocab > 0;
  if (!known) run.config.source_vocab = run.config.target_vocab = 5;  // to check the rest
  check(run.config);
  // Four numbers a weight: itself, its gradient and the two moments of Adam; some ten a unit, token and
  // layer.
  const double units = 2.0 * run.config.layers * run.config.width * run.training.batch_tokens;
  check_memory(16.0 * static_cast<double>(parameter_count(run.config)) + 40 * units,
               "a smaller width or fewer layers");
  return (known ? "About " + format_count(static_cast<long long>(parameter_count(run.config))) + " weights. "
                : std::string()) +
         "It learns beside the Transformer and is kept: Before attention shows how it learns, "
         "Attention and One cell its numbers, Open model lists it.";
}

}  // namespace glassformer
