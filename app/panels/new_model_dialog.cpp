#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/panels/new_model_form.h"
#include "app/panels/styles.h"
#include "app/widgets/number_format.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/presets.h"

namespace glassformer {

namespace {

std::string memory_words(double bytes) {
  return bytes < 1e9 ? format_short(bytes / 1e6) + " MB" : format_count(std::llround(bytes / 1e9)) + " GB";
}

// Bytes; 0 where the system does not say.
double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

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
      const bool wrong = form.error.starts_with(label_of(field));
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
    const float used =
        paragraph(canvas, {x + column * 0.48f, y}, column * 0.52f, note_of(form), styles::caption(t));
    y += std::max(44.0f, used + 10);
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
    // Six operations a weight and token of its side; words are looked up. Some 30 thousand million of them a
    // second on each core.
    const int looked_up = (config.sharing == Sharing::all ? 0 : config.source_vocab) +
                          (config.sharing == Sharing::none ? config.target_vocab : 0);
    const double seconds = 6 * (weights - 1.0 * looked_up * config.d_model) * training.batch_tokens / 2 *
                           1000 / (30e9 * std::max(1u, std::thread::hardware_concurrency()));
    summary = "About " + format_count(static_cast<long long>(weights)) + " weights · " +
              memory_words(memory) + " while training · " + format_duration(seconds) +
              " for 1 000 steps, roughly";
    const double here = machine_memory();
    if (here > 0 && memory > here)
      throw Error("model", "This model needs about " + memory_words(memory) + ", and the machine has " +
                               memory_words(here) +
                               "; choose a smaller width, fewer layers or a smaller batch");
    valid = true;
    form.error.clear();
  } catch (const Error& error) {
    form.error = as_on_screen(error.what());
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
