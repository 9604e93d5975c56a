#include <algorithm>
#include <utility>

#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

std::string sentence_label(const std::string& language, const char* otherwise) {
  return language == otherwise || language.empty()
             ? std::string(otherwise == std::string("source") ? "Source" : "Target") + " sentence"
             : language + " sentence";
}

}  // namespace

void Shell::sentence_bar() {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Rect bar = layout_.sentence;
  canvas.line({bar.x, bar.y + 0.5f}, {layout_.window.x, bar.y + 0.5f}, {.color = theme_.border});

  // The Scene's sentence stands in the field until the person types.
  const Scene& scene = session_.scene();
  const std::string now = scene.sentences.empty() ? std::string() : scene.sentences.front().source;
  if (now != source_shown_) {
    source_shown_ = now;
    if (!ui.field_active()) source_ = now;
  }
  const std::string target =
      scene.sentences.empty() ? std::string() : scene.sentences.front().target.value_or("");
  if (target != target_shown_) {
    target_ = target_shown_ = target;
    target_open_ = target_open_ || !target.empty();
  }

  if (layout_.bottom == BottomSize::one_row) {
    source_field({12, bar.y, layout_.left - 12, bar.height}, true);
    const float button = 36;
    const Rect decode{bar.right() - 12 - button, bar.y + 12, button, 32};
    if (ui.IconButton(decode, ui::Icon::play, "Decoding", {.tooltip = "Decoding: step, search, options"}))
      decode_open_ = !decode_open_;
    if (result_) {
      const float room = decode.x - layout_.left - 24;
      const std::string text = "→ " + result_->translation;
      TextStyle style = styles::body(theme_);
      if (canvas.measure(text, style).x > room) style.size = 12;
      canvas.text({layout_.left + 12, bar.center().y}, elided(canvas, text, style, room), style);
      ui.tooltip({layout_.left + 12, bar.y, room, bar.height}, result_->translation);
      ui.note({layout_.left + 12, bar.y + 18, room, 20}, "translation", result_->translation);
    }
  } else {
    const bool low = layout_.bottom == BottomSize::low;
    if (!low) {
      canvas.line({layout_.left - 0.5f, bar.y}, {layout_.left - 0.5f, bar.bottom()},
                  {.color = theme_.border});
      if (layout_.inspector_place == InspectorPlace::column)
        canvas.line({layout_.right + 0.5f, bar.y}, {layout_.right + 0.5f, bar.bottom()},
                    {.color = theme_.border});
    }
    source_field({kPadding, bar.y, layout_.left - 2 * kPadding, bar.height}, low);
    const float left = low ? layout_.left : layout_.left + kPadding;
    token_strips({left, bar.y, (low ? layout_.right - 16 : layout_.right - kPadding) - left, bar.height},
                 low);
    decode_controls({low ? layout_.right : layout_.right + kPadding, bar.y,
                     bar.right() - kPadding - (low ? layout_.right : layout_.right + kPadding), bar.height},
                    low);
  }
  if (decode_open_) decode_options();
}

void Shell::source_field(const Rect& rect, bool low) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  const std::string label = sentence_label(session_.title().source_language, "source");
  const std::string other =
      session_.title().target_language == "target" ? "target" : session_.title().target_language;
  const bool one_row = layout_.bottom == BottomSize::one_row;
  const auto problem = std::ranges::find(session_.notices(), Place::sentence, &Notice::place);
  const bool wrong = problem != session_.notices().end() && problem->error;
  const bool two = target_open_ && !low;

  float y = rect.y + (one_row ? 10 : two ? 24 : low ? 34 : 36);
  if (!one_row)
    canvas.text({rect.x, rect.y + (two ? 13 : 22)}, elided(canvas, label, styles::caption(t), rect.width),
                styles::caption(t));
  ui::FieldOptions options{.hint = "type a sentence",
                           .error = wrong ? problem->text : "",
                           .focus = std::exchange(focus_source_, false)};
  const Rect field{rect.x, y, rect.width, two ? 30.0f : 36.0f};

  // On a low bar one field serves both sides.
  if (low && target_open_) {
    options.hint = "the " + other + " it should write";
    options.focus = options.focus || std::exchange(focus_target_, false);
    target_event(ui.TextField(field, "Target sentence", target_, options));
    if (!one_row && ui.LinkButton({rect.x, rect.y + 78}, "Back to the source")) close_target();
    return;
  }
  const ui::FieldEvent event = ui.TextField(field, label, source_, options);
  if (event == ui::FieldEvent::changed && wrong) session_.dismiss(Place::sentence);
  if (event == ui::FieldEvent::left) source_ = source_shown_;  // what was translated
  if (event == ui::FieldEvent::entered) {
    ui.push(SetSource{source_});
    source_shown_ = source_;
    playing_ = false;
  }
  if (one_row) return;
  if (low) {
    const std::string words = source_strip_ ? "shows the output words" : "shows the source words";
    const float key = draw_keycap(canvas, {rect.x, rect.y + 88}, "W");
    canvas.text({rect.x + key + 8, rect.y + 88},
                elided(canvas, words, styles::caption(t), rect.width - key - 8), styles::caption(t));
    if (ui.area({rect.x, rect.y + 76, rect.width, 24}, words, "button").clicked)
      source_strip_ = !source_strip_;
    return;
  }

  if (two) {
    canvas.text({rect.x, rect.y + 68},
                elided(canvas, "The " + other + " it should write", styles::caption(t), rect.width),
                styles::caption(t));
    const Rect second{rect.x, rect.y + 80, rect.width, 30};
    const ui::FieldOptions more{.hint = "type it and press Enter",
                                .focus = std::exchange(focus_target_, false)};
    target_event(ui.TextField(second, "Target sentence", target_, more));
    if (ui.LinkButton({rect.x, rect.y + 124}, "Let the model write it")) close_target();
    return;
  }
  if (wrong) {
    notice(Place::sentence, {rect.x, rect.y + 78, rect.width, 0});
    return;
  }
  const float key = draw_keycap(canvas, {rect.x, rect.y + 96}, "Enter");
  canvas.text({rect.x + key + 10, rect.y + 96}, "translates", styles::caption(t));
  if (ui.LinkButton({rect.x, rect.y + 120}, "Set the " + other + " yourself…")) {
    target_open_ = focus_target_ = true;
    if (target_.empty() && result_) target_ = result_->translation;
    ui.ask_frame(0);
  }
}

void Shell::target_event(ui::FieldEvent event) {
  if (event == ui::FieldEvent::entered) send_target();
  if (event == ui::FieldEvent::left && !target_shown_.empty()) target_ = target_shown_;
}

void Shell::send_target() {
  ui_->push(SetTarget{target_.empty() ? std::nullopt : std::optional<std::string>(target_)});
  target_shown_ = target_;
}

void Shell::close_target() {
  target_open_ = false;
  target_.clear();
  target_shown_.clear();
  ui_->push(SetTarget{std::nullopt});
  ui_->ask_frame(0);
}

}  // namespace glassformer
