#include "app/panels/sentence_bar.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/lessons/session_text.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/notices.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

std::string sentence_label(const std::string& language, const char* otherwise) {
  return language == otherwise || language.empty()
             ? std::string(otherwise == std::string("source") ? "Source" : "Target") + " sentence"
             : language + " sentence";
}

std::string ids_wanted(const PanelInput& in) {
  const int words = in.session.snapshot() ? in.session.snapshot()->config.source_vocab : 1;
  return "numbers from 0 to " + std::to_string(words - 1);
}

}  // namespace

bool SentenceBar::draw(ui::Ui& ui, const PanelInput& in) {
  Canvas& canvas = ui.canvas();
  const Layout& layout = in.layout;
  const Rect& bar = layout.sentence;
  if (layout.panels.words)
    canvas.line({bar.x, bar.y + 0.5f}, {bar.right(), bar.y + 0.5f}, {.color = in.theme.border});
  forget_other_model(in);
  take_over_scene(ui, in);
  sent_ = false;
  // The first screen has the field on its stage.
  if (layout.panels.quiet || !layout.panels.words) return false;
  if (layout.bottom == BottomSize::one_row) {
    source_field(ui, in, {12, bar.y, layout.left - 12, bar.height}, true);
    return sent_;
  }
  const bool low = layout.bottom == BottomSize::low;
  if (!low) {
    canvas.line({layout.left - 0.5f, bar.y}, {layout.left - 0.5f, bar.bottom()}, {.color = in.theme.border});
    if (layout.inspector_place == InspectorPlace::column)
      canvas.line({layout.right + 0.5f, bar.y}, {layout.right + 0.5f, bar.bottom()},
                  {.color = in.theme.border});
  }
  source_field(ui, in, {kPadding, bar.y, layout.left - 2 * kPadding, bar.height}, low);
  return sent_;
}

// Words that were meant for one model, sent or not, are not another's.
void SentenceBar::forget_other_model(const PanelInput& in) {
  const auto& vocabulary = in.session.tokenizers().target;
  if (vocabulary == vocabulary_) return;
  vocabulary_ = vocabulary;
  target_.clear();
  target_shown_.clear();
  target_open_ = false;
}

bool SentenceBar::wide_field(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  forget_other_model(in);
  take_over_scene(ui, in);
  sent_ = false;
  Canvas& canvas = ui.canvas();
  const std::string label = sentence_label(in.session.title().source_language, "source");
  field(ui, in, rect, label);
  const float words = ui.text_width("translates", 12), key = ui.text_width("Enter", 12) + 12;
  if (rect.width > 420) {
    draw_keycap(canvas, {rect.right() - words - key - 24, rect.center().y}, "Enter");
    canvas.text({rect.right() - words - 16, rect.center().y}, "translates", styles::caption(in.theme));
  }
  return sent_;
}

// Enter sends what is in it; Esc brings back what was translated.
void SentenceBar::field(ui::Ui& ui, const PanelInput& in, const Rect& rect, const std::string& label) {
  const auto problem = std::ranges::find(in.session.notices(), Place::sentence, &Notice::place);
  const bool wrong = problem != in.session.notices().end() && problem->error;
  const ui::FieldEvent event =
      TextField(ui, rect, label, source_,
                {.hint = in.session.tokenizers().source ? "type a sentence" : ids_wanted(in),
                 .error = wrong ? problem->text : "",
                 // Named anew once a model is there.
                 .focus = in.session.snapshot() && std::exchange(focus_source_, false),
                 .stays = true});
  if (event == ui::FieldEvent::changed && wrong) in.session.dismiss(Place::sentence);
  if (event == ui::FieldEvent::left) source_ = source_shown_;
  if (event == ui::FieldEvent::entered && is_session_link(source_)) {
    link_ = std::exchange(source_, source_shown_);
  } else if (event == ui::FieldEvent::entered) {
    ui.push(SetSource{source_});
    source_shown_ = source_;
    sent_ = true;
  }
}

// The Scene's sentence is in the field until the person types.
void SentenceBar::take_over_scene(ui::Ui& ui, const PanelInput& in) {
  const Scene& scene = in.session.scene();
  const bool none = scene.sentences.empty();
  const std::string now = none ? std::string() : scene.sentences.front().source;
  // A model that nothing was typed for waits for it.
  const bool waited = std::exchange(waits_, in.session.snapshot() && now.empty());
  if (waits_ && !waited) focus_source_ = true;
  if (now != source_shown_) {
    // What is being typed stays. A field that has the keyboard takes other words only when it gets it anew.
    const bool typed = source_ != source_shown_;
    const auto field = ui.find(sentence_label(in.session.title().source_language, "source"));
    if (!typed && field && field->focused) ui.focus.on(""), focus_source_ = true;
    if (!typed && waited) focus_source_ = false;  // somebody else brought one: letters are keys again
    if (!ui.field_active() || !typed) source_ = now;
    source_shown_ = now;
  }
  const std::string target = none ? std::string() : scene.sentences.front().target.value_or("");
  if (target != target_shown_) {
    target_ = target_shown_ = target;
    // One that is being typed keeps its field.
    const auto field = ui.find(kTargetField);
    if (!target.empty() || !field || !field->focused) target_open_ = !target.empty();
  }
}

void SentenceBar::source_field(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool low) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::string other =
      in.session.title().target_language == "target" ? "target" : in.session.title().target_language;
  const bool one_row = in.layout.bottom == BottomSize::one_row;
  const auto problem = std::ranges::find(in.session.notices(), Place::sentence, &Notice::place);
  const bool wrong = problem != in.session.notices().end() && problem->error;
  const bool two = target_open_ && !low;
  const std::string label = sentence_label(in.session.title().source_language, "source"),
                    heading = low && target_open_ ? "The " + other + " it should write" : label;

  float y = rect.y + (one_row ? 10 : two ? 24 : low ? 34 : 36);
  if (!one_row)
    canvas.text({rect.x, rect.y + (two ? 13 : 22)}, elided(canvas, heading, styles::caption(t), rect.width),
                styles::caption(t));
  const Rect place{rect.x, y, rect.width, two ? 30.0f : 36.0f};

  // On a low bar one field serves both sides.
  if (low && target_open_) {
    const bool focus = focus_source_ || focus_target_;
    focus_source_ = focus_target_ = false;
    target_event(ui, TextField(ui, place, kTargetField, target_,
                               {.hint = "the " + other + " it should write",
                                .error = wrong ? problem->text : "",
                                .focus = focus,
                                .stays = true}));
    if (!one_row && LinkButton(ui, {rect.x, rect.y + 78}, "Back to the source")) close_target(ui);
    return;
  }
  field(ui, in, place, label);
  if (one_row) return;
  if (low) {
    const std::string words = in.opened.source_strip ? "shows the output words" : "shows the source words";
    const float key = draw_keycap(canvas, {rect.x, rect.y + 88}, "W");
    canvas.text({rect.x + key + 8, rect.y + 88},
                elided(canvas, words, styles::caption(t), rect.width - key - 8), styles::caption(t));
    if (ui.area({rect.x, rect.y + 76, rect.width, 24}, words, "button").clicked)
      in.opened.source_strip = !in.opened.source_strip;
    return;
  }

  if (two) {
    canvas.text({rect.x, rect.y + 68},
                elided(canvas, "The " + other + " it should write", styles::caption(t), rect.width),
                styles::caption(t));
    const Rect second{rect.x, rect.y + 80, rect.width, 30};
    const ui::FieldOptions more{
        .hint = "type it and press Enter", .focus = std::exchange(focus_target_, false), .stays = true};
    target_event(ui, TextField(ui, second, kTargetField, target_, more));
    if (LinkButton(ui, {rect.x, rect.y + 124}, "Let the model write it")) close_target(ui);
    return;
  }
  if (wrong) {
    draw_notice(ui, in, Place::sentence, {rect.x, rect.y + 78, rect.width, 0});
    return;
  }
  // Where the keyboard is, unless in another field: what is typed goes into this one, or every letter is a
  // key of the picture.
  float x = rect.x;
  const std::optional<ui::Widget> own = ui.find(label);
  const bool typing = own && own->focused;
  for (const auto& [key, words] :
       typing ? std::vector<std::array<const char*, 2>>{{"Enter", "translates"}, {"Esc", "leaves the field"}}
              : std::vector<std::array<const char*, 2>>{{"/", "types here"}, {"?", "shows all keys"}}) {
    if (x + ui.text_width(key, 12) + ui.text_width(words, 12) + 24 > rect.right()) break;
    x += draw_keycap(canvas, {x, rect.y + 96}, key) + 8;
    canvas.text({x, rect.y + 96}, words, styles::caption(t));
    x += canvas.measure(words, styles::caption(t)).x + 14;
  }
  if (!in.layout.hidden.target && LinkButton(ui, {rect.x, rect.y + 120}, "Set the " + other + " yourself…")) {
    edit_target(in.result ? in.result->translation : "");
    ui.ask_frame(0);
  }
}

void SentenceBar::target_event(ui::Ui& ui, ui::FieldEvent event) {
  if (event == ui::FieldEvent::entered) send_target(ui);
  if (event == ui::FieldEvent::left && !target_shown_.empty()) target_ = target_shown_;
}

void SentenceBar::send_target(ui::Ui& ui) {
  ui.push(SetTarget{target_.empty() ? std::nullopt : std::optional<std::string>(target_)});
  target_shown_ = target_;
}

void SentenceBar::close_target(ui::Ui& ui) {
  target_open_ = false;
  target_.clear();
  target_shown_.clear();
  ui.push(SetTarget{std::nullopt});
  ui.ask_frame(0);
}

// The field opens with these words, where nothing was typed yet, and takes the keyboard.
void SentenceBar::edit_target(const std::string& words) {
  target_open_ = focus_target_ = true;
  if (target_.empty()) target_ = words;
}

}  // namespace glassformer
