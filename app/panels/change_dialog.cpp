// Model, Change one thing…: what, and then where.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/number_row.h"
#include "app/panels/styles.h"
#include "app/panels/train_words.h"
#include "app/reading/run_schedule.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

enum class When { any_time, copy, from_0 };

// What one value becomes in each of the three places; null: it cannot be there.
struct Thing {
  const char *name, *range, *words;
  When when;
  double (*value)(const ChangeForm&);
  void (*here)(LearningWish&, double);
  void (*set)(Config&, TrainingOptions&, double);
  const char* about = nullptr;  // else one of the variations about this
};

const std::array kThings{
    Thing{"Learning rate", "times what the schedule gives",
          "How far each step moves the weights, times the rate that the schedule gives.", When::any_time,
          [](const ChangeForm& form) { return form.now.rate_scale; },
          [](LearningWish& wish, double value) { wish.rate_scale = value; },
          [](Config&, TrainingOptions& training, double value) {
            training.peak *= value, training.factor *= value;
          }},
    Thing{
        "Dropout", "0 to below 1",
        "Share of the numbers that is dropped at random while it learns, so that it relies on no single one.",
        When::any_time, [](const ChangeForm& form) { return form.now.dropout; },
        [](LearningWish& wish, double value) { wish.dropout = value; },
        [](Config& config, TrainingOptions&, double value) { config.dropout = value; }},
    Thing{"Label smoothing", "0 to below 1",
          "Share of the target that is spread over all words, so that it is never asked to be certain.",
          When::any_time, [](const ChangeForm& form) { return form.now.smoothing; },
          [](LearningWish& wish, double value) { wish.smoothing = value; },
          [](Config&, TrainingOptions& training, double value) { training.smoothing = value; }},
    Thing{"Clip gradients at", "their largest length; 0: never",
          "A gradient that is longer is shortened to this length before the step.", When::any_time,
          [](const ChangeForm& form) { return form.now.clip; },
          [](LearningWish& wish, double value) { wish.clip = value; },
          [](Config&, TrainingOptions& training, double value) { training.clip = value; }},
    Thing{"Warm-up", "steps", "Steps over which the rate rises from 0 to its peak.", When::copy,
          [](const ChangeForm& form) { return static_cast<double>(form.base.training.warmup); }, nullptr,
          [](Config&, TrainingOptions& training, double value) { training.warmup = std::lround(value); }},
    Thing{"Seed", "a whole number",
          "Of the random weights, the order of the data and the dropout: what differs by it alone is chance.",
          When::copy, [](const ChangeForm& form) { return static_cast<double>(form.base.training.seed); },
          nullptr,
          [](Config&, TrainingOptions& training, double value) {
            training.seed = static_cast<std::uint64_t>(value);
          }},
    Thing{"Positions", "", "", When::from_0, nullptr, nullptr, nullptr, "Positions"},
    Thing{"Layer norm", "", "", When::from_0, nullptr, nullptr, nullptr, "Layer norm"},
    Thing{"Kind of norm", "", "", When::from_0, nullptr, nullptr, nullptr, "Kind of norm"},
    Thing{"Feed-forward", "", "", When::from_0, nullptr, nullptr, nullptr, "Feed-forward"},
    Thing{"Heads", "", "", When::from_0, nullptr, nullptr, nullptr, "Heads"},
    Thing{"Mask of the future", "", "", When::from_0, nullptr, nullptr, nullptr, "Mask of the future"}};

bool whole_number(const Thing& thing) {
  return thing.when == When::copy;
}

std::vector<Variation> choices_of(const ChangeForm& form, const Thing& thing) {
  std::vector<Variation> all;
  for (const Variation& one : form.all)
    if (thing.about && one.about == thing.about) all.push_back(one);
  return all;
}

// The current state, for its line in the list.
std::string now_of(const ChangeForm& form, const Thing& thing) {
  if (thing.value) return (thing.value == kThings[0].value ? "× " : "") + as_typed(thing.value(form));
  const Config& config = form.base.config;
  const std::string_view about = thing.about;
  if (about == "Positions") return std::string(position_traits(config.positions).name);
  if (about == "Layer norm") return config.norm == NormPlace::post ? "post" : "pre";
  if (about == "Kind of norm") return std::string(norm_traits(config.norm_kind).name);
  if (about == "Feed-forward") return std::string(feed_forward_traits(config.feed_forward).name);
  if (about == "Heads") return std::to_string(config.heads);
  return form.base.training.mask_future ? "on" : "off";
}

// The value that is wanted, or why there is none.
struct Wanted {
  std::optional<double> value;
  std::optional<Variation> beside;
  std::string problem;
};

Wanted wanted_of(const ChangeForm& form) {
  const Thing& thing = kThings[static_cast<size_t>(form.thing)];
  if (thing.about) {
    const std::vector<Variation> all = choices_of(form, thing);
    if (all.empty())
      return {.value = {}, .beside = {}, .problem = "There is nothing else that this model could have."};
    return {.value = {},
            .beside = all[static_cast<size_t>(std::clamp(form.choice, 0, static_cast<int>(all.size()) - 1))],
            .problem = ""};
  }
  Wanted wanted;
  wanted.value = typed_number(form.typed);
  if (!wanted.value || *wanted.value < 0 ||
      (whole_number(thing) && *wanted.value != std::floor(*wanted.value)) || *wanted.value >= 2e9) {
    wanted.value.reset();
    wanted.problem = "“" + form.typed + "” is not " +
                     (whole_number(thing) ? "a whole number from 0 on" : "a number from 0 on") + ".";
    return wanted;
  }
  if (*wanted.value == thing.value(form)) wanted.problem = "That is what it is now.";
  Variation one{.about = thing.name,
                .name = as_typed(*wanted.value),
                .shows = "",
                .config = form.base.config,
                .training = form.base.training};
  if (form.thing == 0) one.name = "× " + one.name;
  one.shows = "What differs in the curves comes from this.";
  thing.set(one.config, one.training, *wanted.value);
  try {
    check(one.training);
    check(first_settings(one.config, one.training));
  } catch (const std::exception& wrong) {
    wanted.problem = failure_words(wrong);
  }
  wanted.beside = std::move(one);
  return wanted;
}

// Empty: it can be changed there.
std::string why_not(const Session& session, const ChangeForm& form, ChangePlace place) {
  const Thing& thing = kThings[static_cast<size_t>(form.thing)];
  switch (place) {
    case ChangePlace::here: {
      if (thing.when != When::any_time) return "what has begun keeps it";
      const TrainWould would = session.train_would();
      const bool continues = can_be_changed(session.run()) || would == TrainWould::resume ||
                             would == TrainWould::begin || would == TrainWould::fresh;
      return continues ? "" : "no run is there to go on with";
    }
    case ChangePlace::copy:
      if (thing.when == When::from_0) return "weights that were learned without it do not fit";
      return form.fork ? "" : "drag the training slider there first";
    case ChangePlace::beside:
      return session.why_no_variant();
  }
  return {};
}

std::string about_place(const Session& session, const ChangeForm& form, ChangePlace place) {
  switch (place) {
    case ChangePlace::here: {
      if (session.would_fine_tune()) return "it learns on slowly, in a new run; marked on its curves";
      return "it goes on from step " + format_count(resume_step(session)) + "; marked on its curves";
    }
    case ChangePlace::copy:
      return "with the weights of step " + format_count(form.step) + "; the run itself stays as it is";
    case ChangePlace::beside:
      return "both learn from the same data; two curves in one chart";
  }
  return {};
}

constexpr const char* kPlaces[] = {"In this run, from now on", "In a copy, from an earlier step",
                                   "Beside it, from step 0"};
constexpr const char* kWhens[] = {"At any time", "In a copy, or from step 0", "From step 0 alone"};

void go(ui::Ui& ui, const Session& session, const ChangeForm& form, const Wanted& wanted) {
  const Thing& thing = kThings[static_cast<size_t>(form.thing)];
  switch (form.place) {
    case ChangePlace::here: {
      LearningWish wish;
      thing.here(wish, *wanted.value);
      if (!session.training()) ui.push(Train{});
      ui.push(wish);
      break;
    }
    case ChangePlace::copy: {
      ForkRun fork = *form.fork;
      // × the rate of the schedule itself: the copied run's is scaled already.
      fork.training.peak = form.base.training.peak, fork.training.factor = form.base.training.factor;
      Config config = form.base.config;
      config.dropout = fork.dropout;
      thing.set(config, fork.training, *wanted.value);
      fork.dropout = config.dropout;
      ui.push(fork);
      break;
    }
    case ChangePlace::beside:
      ui.push(TrainVariant{*wanted.beside});
      break;
  }
  ui.push(OpenView{"training"});
}

// " The peak of its schedule, 0.0014, is then 0.00035."
std::string resulting_rate(const ChangeForm& form, double value) {
  const double highest = form.place == ChangePlace::here ? form.highest : form.highest_anew;
  return " The peak of its schedule, " + format_short(highest) + ", is then " +
         format_short(highest * value) + ".";
}

void choose_thing(ChangeForm& form, int thing) {
  form.thing = thing;
  form.choice = 0;
  const Thing& one = kThings[static_cast<size_t>(thing)];
  form.typed = one.value ? as_typed(one.value(form)) : "";
  form.focus = one.value != nullptr;
}

// The first place where it can be.
void choose_place(const Session& session, ChangeForm& form) {
  if (why_not(session, form, form.place).empty()) return;
  for (const ChangePlace place : {ChangePlace::here, ChangePlace::copy, ChangePlace::beside})
    if (why_not(session, form, place).empty()) return void(form.place = place);
}

void draw_things(ui::Ui& ui, const Session& session, ChangeForm& form, const Rect& list) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  constexpr float kRow = 30, kHeading = 34;
  const float height = kRow * static_cast<float>(kThings.size()) + 3 * kHeading;
  const Rect rows = ui.scroll.begin(list, "things", {list.width, height});
  float y = rows.y;
  for (std::size_t i = 0; i < kThings.size(); ++i) {
    const Thing& thing = kThings[i];
    if (i == 0 || kThings[i - 1].when != thing.when) {
      canvas.text({rows.x + 12, y + 20}, kWhens[static_cast<int>(thing.when)], styles::section(t));
      y += kHeading;
    }
    const Rect row{rows.x, y, rows.width - 8, kRow};
    const std::string label = std::string("thing: ") + thing.name;
    const ui::Response response = ui.area(row, label, "item");
    const bool chosen = form.thing == static_cast<int>(i);
    if (chosen || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 6});
    if (chosen) ui.mark_selected(label);
    if (response.clicked) choose_thing(form, static_cast<int>(i)), choose_place(session, form);
    canvas.text({row.x + 12, row.center().y}, thing.name, chosen ? styles::heading(t) : styles::body(t));
    canvas.text({row.right() - 12, row.center().y}, now_of(form, thing),
                styles::right(styles::faint_number(t)));
    y += kRow;
  }
  ui.scroll.end();
}

// Its value; returns where that ends, and whether Enter was pressed in it.
float draw_value(ui::Ui& ui, ChangeForm& form, const Rect& right, const Wanted& wanted, bool& entered) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Thing& thing = kThings[static_cast<size_t>(form.thing)];
  canvas.text({right.x, right.y + 12}, thing.name, styles::heading(t));
  canvas.text({right.right(), right.y + 12}, "now " + now_of(form, thing), styles::right(styles::caption(t)));
  std::string words = thing.words;
  if (thing.about) {
    std::vector<std::string> names;
    for (const Variation& one : choices_of(form, thing)) names.push_back(one.name);
    if (!names.empty())
      Combo(ui, {right.x, right.y + 30, std::min(right.width, 260.0f), 36}, "New value", names, form.choice);
    if (wanted.beside) words = wanted.beside->shows;
  } else {
    entered = TextField(ui, {right.x, right.y + 30, 120, 36}, "New value", form.typed,
                        {.error = wanted.value ? "" : wanted.problem,
                         .mono = true,
                         .focus = std::exchange(form.focus, false)}) == ui::FieldEvent::entered;
    canvas.text({right.x + 136, right.y + 48},
                elided(canvas, thing.range, styles::caption(t), right.width - 136), styles::caption(t));
  }
  if (form.thing == 0 && wanted.value) words += resulting_rate(form, *wanted.value);
  const bool wrong = !wanted.problem.empty() && form.typed != now_of(form, thing) &&
                     wanted.problem != "That is what it is now.";
  if (wrong) words = wanted.problem;
  const TextStyle style = wrong ? TextStyle{.size = 12, .color = t.wrong} : styles::caption(t);
  const float height = paragraph(canvas, {right.x, right.y + 80}, right.width, words, style);
  ui.note({right.x, right.y + 80, right.width, height}, "change note",
          wanted.problem.empty() ? words : wanted.problem);
  return right.y + 80 + std::max(height, 36.0f);
}

void draw_places(ui::Ui& ui, const Session& session, ChangeForm& form, Point at, float width) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  canvas.text({at.x, at.y + 8}, "Where", styles::heading(t));
  float y = at.y + 26;
  for (int i = 0; i < 3; ++i) {
    const auto place = static_cast<ChangePlace>(i);
    const std::string why = why_not(session, form, place);
    const bool can = why.empty(), chosen = can && form.place == place;
    const std::string words = can ? about_place(session, form, place) : why;
    const TextStyle caption{.size = 12, .color = can ? t.second_text : t.faint_text};
    const float height = 26 + paragraph_height(canvas, width - 30, words, caption) + 8;
    const Rect row{at.x, y, width, height};
    if (can) {
      const ui::Response response = ui.area(row, kPlaces[i], "choice");
      if (response.clicked) form.place = place;
      if (chosen) ui.mark_selected(kPlaces[i]);
    }
    canvas.circle({at.x + 9, y + 13}, 8, {},
                  {.color = can ? t.ink : t.faint_text, .width = chosen ? 2.0f : 1.0f});
    if (chosen) canvas.circle({at.x + 9, y + 13}, 4, t.ink, {});
    TextStyle name = chosen ? styles::heading(t) : styles::body(t);
    if (!can) name.color = t.faint_text;
    canvas.text({at.x + 30, y + 13}, kPlaces[i], name);
    paragraph(canvas, {at.x + 30, y + 24}, width - 30, words, caption);
    ui.note({at.x + 30, y + 24, width - 30, height - 26}, std::string("about: ") + kPlaces[i], words);
    y += height + 4;
  }
}

}  // namespace

void ChangeForm::start(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  *this = {};
  possible = recipe.has_value();
  if (!possible) return;
  base = with_vocabularies(*recipe, session);
  now = session.run().live;
  RunState anew;
  anew.options = base.training;
  highest = run_schedule(session.run(), base.config).peak_rate();
  highest_anew = run_schedule(anew, base.config).peak_rate();
  step = session.looked_back().value_or(session.run().step);
  all = variations(base.config, base.training);
  ForkForm copy;
  copy.start(session);
  if (copy.possible) fork = copy.fork;
  if (fork) place = ChangePlace::copy;
  choose_thing(*this, thing);
  choose_place(session, *this);
}

bool change_dialog(ui::Ui& ui, Session& session, ChangeForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Change one thing", {720, 604});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  if (!form.possible) return end_dialog_with(ui, dialog, kNothingToVary);
  const Rect inside = ui.scroll.begin({body.x - 12, body.y, body.width + 24, body.height - 52}, "change",
                                      {std::max(580.0f, body.width + 24), 470});
  const float half = std::round(inside.width * 0.45f);
  draw_things(ui, session, form, {inside.x, inside.y, half - 12, 412});
  const float links = inside.y + 424;
  const bool options = LinkButton(ui, {inside.x + 12, links}, "All options…",
                                  {.tooltip = "Every variation of the run, and settings of one’s own"});
  const float several = ui.text_width("Try several values…", 12);
  const bool trials = LinkButton(ui, {inside.x + half - 24 - several, links}, "Try several values…",
                                 {.tooltip = "In the background, one after another"});
  canvas.line({inside.x + half, inside.y}, {inside.x + half, inside.y + 450}, {.color = t.border});
  const Wanted wanted = wanted_of(form);
  bool entered = false;
  const Rect right{inside.x + half + 24, inside.y, inside.width - half - 36, 400};
  const float below = draw_value(ui, form, right, wanted, entered);
  draw_places(ui, session, form, {right.x, below + 16}, right.width);
  ui.scroll.end();

  const std::string why = why_not(session, form, form.place);
  const bool ready = wanted.problem.empty() && why.empty();
  const char* const words = form.place == ChangePlace::here   ? "Continue training"
                            : form.place == ChangePlace::copy ? "Train the copy"
                                                              : "Train it beside";
  const DialogAnswer answer = dialog_answer(
      ui, body, words, {.enabled = ready, .id = "Change it", .tooltip = ready ? "" : wanted.problem + why},
      entered);
  end_dialog(ui);
  if (options) ui.push(OpenDialog{"variant"});
  if (trials) ui.push(OpenDialog{"trials"});
  if (answer == DialogAnswer::go) go(ui, session, form, wanted);
  return options || trials || answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
