#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/number_row.h"
#include "app/panels/styles.h"
#include "app/session/run_record.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

struct LearningField {
  NumberRow row;
  std::string LearningForm::*text;
  double LiveSettings::*value;  // null: not of the run but of how it is kept
};
constexpr LearningField kFields[] = {
    {{"Learning rate ×", "times what the schedule gives"}, &LearningForm::rate, &LiveSettings::rate_scale},
    {kDropoutRow, &LearningForm::dropout, &LiveSettings::dropout},
    {kSmoothingRow, &LearningForm::smoothing, &LiveSettings::smoothing},
    {kClipRow, &LearningForm::clip, &LiveSettings::clip},
    {{"Look back, MB", "for the steps of each run; 0: no more", kMostHistory + 1.0, true},
     &LearningForm::history,
     nullptr}};

}  // namespace

void LearningForm::start(Session& session) {
  const LiveSettings& now = session.run().live;
  for (const LearningField& field : kFields)
    this->*field.text = as_typed(field.value ? now.*field.value : session.settings().history_mb);
}

bool learning_dialog(ui::Ui& ui, Session& session, LearningForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Change the learning", {520, 418});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body =
      ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - 84}, "learning form",
                      {outer.width + 16, kNumberRow * static_cast<float>(std::size(kFields))});
  LiveSettings wanted = session.run().live;
  int history = session.settings().history_mb;
  std::string error;
  bool entered = false;
  Rect place{body.x + 8, body.y, outer.width, kNumberRow};
  for (const LearningField& field : kFields) {
    const TypedNumber typed = number_row(ui, place, field.row, form.*field.text, error);
    entered = entered || typed.entered;
    if (typed.value && field.value)
      wanted.*field.value = *typed.value;
    else if (typed.value)
      history = static_cast<int>(*typed.value);
    place.y += kNumberRow;
  }
  ui.scroll.end();

  const bool going = can_be_changed(session.run());
  const std::string words =
      !error.empty() ? error
      : !going       ? "No run is going on: press Train first."
               : "From the next step on; marked on the curves and kept with the run. The memory counts at "
                 "once, for every run.";
  const float foot = outer.bottom() - 34;
  paragraph(canvas, {outer.x, foot - 42}, outer.width, words,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({outer.x, foot - 42, outer.width, 32}, "learning note", words);

  const bool learns = wanted != session.run().live, keeps = history != session.settings().history_mb;
  const bool ready = error.empty() && going && (learns || keeps);
  const DialogAnswer answer =
      dialog_answer(ui, outer, "Change", {.enabled = ready, .id = "Change the learning"}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go && keeps) ui.push(KeepHistory{history});
  if (answer == DialogAnswer::go && learns)
    ui.push(SetLearning{.rate_scale = wanted.rate_scale,
                        .dropout = wanted.dropout,
                        .smoothing = wanted.smoothing,
                        .clip = wanted.clip});
  return answer != DialogAnswer::none || dialog.closed;
}

// Model, Start over…: the same recipe from step 0, and what is kept of what there is.
namespace {

std::string what_is_kept(const Session& session) {
  const std::string folder = session.open_folder(), name = std::filesystem::path(folder).filename().string();
  if (session.run().step == 0) return "Nothing was learned yet that could be lost.";
  const std::string step = "step " + format_count(session.run().step);
  if (session.run().phase == RunPhase::none)
    return "“" + name + "”, of " + step + ", stays as it is; File opens it again.";
  if (folder.empty())
    return "This run, of " + step + ", is kept nowhere: save it first, by File, Save model.";
  return "This run, of " + step + ", is kept: Model, Runs… opens “" + run_in_words(name) + "” again.";
}

}  // namespace

bool start_over_dialog(ui::Ui& ui, Session& session, StartOverForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Start over", {520, 304});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  float y = body.y;
  y += paragraph(canvas, {body.x, y}, body.width,
                 "From random weights at step 0, by the same recipe: data, pieces, sizes, learning. Train "
                 "then takes "
                 "the first steps.",
                 styles::body(t)) +
       12;
  Segmented(ui, {body.x, y, std::min(260.0f, body.width), 32}, "Seed", {"Same seed", "New seed"}, form.seed);
  y += 44;
  const char* const about =
      form.seed == 0 ? "The same random weights and the same order of the data: the same curve again."
                     : "Other random weights and another order: what differs is chance.";
  y += paragraph(canvas, {body.x, y}, body.width, about, styles::caption(t)) + 8;
  const std::string kept = what_is_kept(session);
  paragraph(canvas, {body.x, y}, body.width, kept, styles::caption(t));
  ui.note({body.x, y, body.width, 32}, "what is kept", kept);
  const DialogAnswer answer = dialog_answer(ui, body, "Start over", {.id = "Start over from step 0"});
  end_dialog(ui);
  if (answer == DialogAnswer::go) ui.push(ResetTraining{.new_seed = form.seed == 1});
  return answer != DialogAnswer::none || dialog.closed;
}

namespace {

constexpr NumberRow kFactor{"Factor", "of the noam schedule"}, kPeak{"Peak rate", "of the schedule"},
    kWarmup{"Warm-up steps", "the schedule begins anew", 1e9, true},
    kSeed{"Seed", "of the order of the data and the dropout", 2e9, true};

bool is_noam(const TrainingOptions& training) {
  return training.schedule == "noam";
}

}  // namespace

// As that step was learned, so that what is not touched stays as at that step.
void ForkForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  possible = recipe && session.looked_back();
  if (!possible) return;
  step = *session.looked_back();
  fork.training = recipe->training;
  const RunState& run = session.run();
  const LiveSettings now = run.curves ? settings_at(*run.curves, run.live, step) : run.live;
  fork.training.smoothing = now.smoothing;
  fork.training.clip = now.clip;
  double& top = is_noam(fork.training) ? fork.training.factor : fork.training.peak;
  top *= now.rate_scale;
  fork.dropout = now.dropout;
  rate = as_typed(top);
  warmup = as_typed(static_cast<double>(fork.training.warmup));
  dropout = as_typed(now.dropout);
  smoothing = as_typed(now.smoothing);
  clip = as_typed(now.clip);
  seed = as_typed(static_cast<double>(fork.training.seed));
}

bool fork_dialog(ui::Ui& ui, ForkForm& form, Point window) {
  const std::string title =
      form.possible ? "Train a copy from step " + format_count(form.step) : "Train a copy";
  const DialogBox dialog = begin_dialog(ui, window, title, {520, 476});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  if (!form.possible)
    return end_dialog_with(
        ui, dialog, "Drag the training slider to an earlier step of a run first: the copy begins there.");

  constexpr float kFoot = 100;
  const Rect body = ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - kFoot},
                                    "fork form", {outer.width + 16, kNumberRow * 6});
  Rect place{body.x + 8, body.y, outer.width, kNumberRow};
  std::string error;
  bool entered = false;
  const auto typed = [&](const NumberRow& row, std::string& text, auto& into) {
    const TypedNumber number = number_row(ui, place, row, text, error);
    entered = entered || number.entered;
    if (number.value) into = static_cast<std::remove_reference_t<decltype(into)>>(*number.value);
    place.y += kNumberRow;
  };
  ForkRun& fork = form.fork;
  const bool noam = is_noam(fork.training);
  typed(noam ? kFactor : kPeak, form.rate, noam ? fork.training.factor : fork.training.peak);
  typed(kWarmup, form.warmup, fork.training.warmup);
  typed(kDropoutRow, form.dropout, fork.dropout);
  typed(kSmoothingRow, form.smoothing, fork.training.smoothing);
  typed(kClipRow, form.clip, fork.training.clip);
  typed(kSeed, form.seed, fork.training.seed);
  ui.scroll.end();
  try {
    check(fork.training);
  } catch (const std::exception& wrong) {
    if (error.empty()) error = failure_words(wrong);
  }

  const std::string words =
      !error.empty()
          ? error
          : "The copy has the weights of this step; Adam's moments and the schedule begin anew. It "
            "learns by these settings, and the run it comes from stays as it is.";
  const float foot = outer.bottom() - 34;
  paragraph(canvas, {outer.x, foot - 54}, outer.width, words,
            error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({outer.x, foot - 54, outer.width, 44}, "fork note", words);
  const DialogAnswer answer = dialog_answer(ui, outer, "Train the copy", {.enabled = error.empty()}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    ui.push(fork);
    ui.push(OpenView{"training"});
  }
  return answer != DialogAnswer::none || dialog.closed;
}

namespace {

constexpr float kVariantRow = 30, kAboutLeft = 262;

bool was_changed(const RunState& run) {
  return run.curves &&
         std::ranges::any_of(run.curves->marks, [](const RunMark& mark) { return mark.change.has_value(); });
}

// Which of those that learn is to end, where there is no place for another.
void draw_those_to_end(ui::Ui& ui, const Rect& body, const RunsBeside& beside) {
  const Theme& t = ui.theme();
  const float button = ui.button_width("End it");
  float y = body.y;
  for (const RunBeside* const each : beside) {
    ui.canvas().text({body.x, y + 16},
                     elided(ui.canvas(), each->title(), styles::body(t), body.width - button - 140),
                     styles::body(t));
    TextStyle step = styles::caption(t);
    step.x = AlignX::right;
    ui.canvas().text({body.right() - button - 16, y + 16}, "step " + format_count(each->run.step), step);
    if (Button(ui, {body.right() - button, y, button, 32}, "End it",
               {.id = "End " + each->title(), .tooltip = "It stays among the runs"}))
      ui.push(EndVariant{each->id});
    y += 44;
  }
}

}  // namespace

void VariantForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  all = recipe ? variations(recipe->config, recipe->training) : std::vector<Variation>();
  chosen = 0;
  typed.clear();
  if (!recipe) return;
  const NewRun base = with_vocabularies(*recipe, session);
  config = base.config;
  training = base.training;
}

bool variant_dialog(ui::Ui& ui, Session& session, VariantForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Train a variant beside this run", {780, 620});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  if (form.all.empty()) return end_dialog_with(ui, dialog, kNothingToVary);

  if (const RunsBeside beside = session.beside(); all_places_taken(beside)) {
    const std::string refused = session.why_no_variant();
    paragraph(canvas, {body.x, body.y}, body.width, refused + " It stays among the runs.",
              styles::body_second(t));
    ui.note({body.x, body.y, body.width, 24}, "variant note", refused);
    draw_those_to_end(ui, {body.x, body.y + 56, body.width, body.height - 56}, beside);
    end_dialog(ui);
    return dialog.closed;
  }

  // One thing each; what it is about is said once.
  constexpr float kFoot = 160;
  const Rect list{body.x, body.y, body.width, body.height - kFoot};
  canvas.rectangle(list, {.fill = t.paper, .outline = t.border, .radius = 6});
  const Rect rows = ui.scroll.begin(list.inset(1), "variations",
                                    {list.width - 2, kVariantRow * static_cast<float>(form.all.size()) + 8});
  for (size_t i = 0; i < form.all.size(); ++i) {
    const Variation& one = form.all[i];
    const Rect row{rows.x + 4, rows.y + 4 + kVariantRow * static_cast<float>(i), rows.width - 16,
                   kVariantRow};
    const std::string label = "variation: " + one.about + ": " + one.name;
    const ui::Response response = ui.area(row, label, "item");
    const bool chosen = static_cast<int>(i) == form.chosen;
    if (chosen || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
    if (chosen) ui.mark_selected(label);
    if (response.clicked) form.chosen = static_cast<int>(i);
    if (i == 0 || form.all[i - 1].about != one.about)
      canvas.text({row.x + 12, row.center().y}, one.about, styles::body_second(t));
    canvas.text(
        {row.x + kAboutLeft, row.center().y},
        elided(canvas, one.name, chosen ? styles::heading(t) : styles::body(t), row.width - kAboutLeft - 8),
        chosen ? styles::heading(t) : styles::body(t));
  }
  ui.scroll.end();

  TextField(ui, {body.x, list.bottom() + 12, body.width, 36}, "Settings of one's own", form.typed,
            {.hint = "or several, with any value: layers = 3, dropout = 0.3", .mono = true});
  Variation one = form.all[static_cast<size_t>(form.chosen)];
  std::string refused = session.why_no_variant();
  if (!form.typed.empty()) {
    try {
      one = variation_by(form.config, form.training, form.typed);
    } catch (const std::exception& wrong) {
      refused = failure_words(wrong);
    }
  }
  std::string words =
      one.shows +
      " It starts from step 0, on the same data, and shares the machine with what learns already." +
      (was_changed(session.run()) ? " What was changed on the way of this run is changed there at the same "
                                    "steps."
                                  : "");
  if (!refused.empty()) words = refused;
  const float about = list.bottom() + 60;
  paragraph(canvas, {body.x, about}, body.width, words, styles::caption(t));
  ui.note({body.x, about, body.width, 50}, "variant note", words);
  const bool recurrent = LinkButton(ui, {body.x, body.bottom() - 28}, "A recurrent model…",
                                    {.tooltip = "On the same data, beside the Transformer"});
  if (recurrent) ui.push(OpenDialog{"new recurrent model"});
  const DialogAnswer answer =
      dialog_answer(ui, body, "Train it beside",
                    {.enabled = refused.empty(), .id = "Train the variant", .tooltip = refused});
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    ui.push(TrainVariant{one});
    ui.push(OpenView{"training"});
  }
  return recurrent || answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
