#include "app/panels/stage.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/describe.h"
#include "app/format/number_format.h"
#include "app/lessons/page_in_words.h"
#include "app/panels/comparing.h"
#include "app/panels/inspector_panel.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/notices.h"
#include "app/panels/styles.h"
#include "app/panels/top_bar.h"
#include "app/panels/what_if_strip.h"
#include "app/widgets/formula.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

// The notices that belong on the stage, the one to be shown first: errors before the rest, then the newest.
// What is wrong with the sentence is under its field, unless the bar is too low for that.
std::vector<Place> stage_notices(const std::vector<Notice>& notices, bool sentence_bar_has_room) {
  std::vector<Place> errors, others;
  for (size_t i = notices.size(); i-- > 0;) {
    const Notice& each = notices[i];
    if (each.place == Place::sentence && each.error && sentence_bar_has_room) continue;
    (each.error ? errors : others).push_back(each.place);
  }
  errors.insert(errors.end(), others.begin(), others.end());
  return errors;
}

// The first of them, and how many are behind it. Returns the height used.
float waiting_notices(ui::Ui& ui, const PanelInput& in, const Rect& area) {
  std::vector<Place> waiting = stage_notices(in.session.notices(), in.layout.bottom == BottomSize::full);
  if (in.session.watched()) std::erase(waiting, Place::sentence);  // it is of the open model
  if (waiting.empty()) return 0;
  float used =
      draw_notice(ui, in, waiting.front(), {area.x + kPadding, area.y + 6, area.width - 2 * kPadding, 0});
  if (const size_t behind = waiting.size() - 1; behind > 0) {
    const std::string words =
        std::to_string(behind) + (behind == 1 ? " more notice" : " more notices") + " behind it.";
    const Rect line{area.x + kPadding + 12, area.y + used, area.width - 2 * kPadding - 24, 16};
    ui.canvas().text({line.x, line.center().y}, words, styles::caption(in.theme));
    ui.note(line, "notices behind", words);
    used += line.height;
  }
  return used;
}

// After 0.2 s of work a thin bar says so; the last picture stays.
void draw_working(ui::Ui& ui, const PanelInput& in, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const float width = area.width - 2 * kPadding;
  const auto share = static_cast<float>(std::fmod(in.session.working_seconds() * 0.5, 1.0));
  canvas.rectangle({area.x + kPadding, area.y + 2, width, 3}, {.fill = in.theme.sunken, .radius = 1});
  canvas.rectangle({area.x + kPadding + share * width * 0.8f, area.y + 2, width * 0.2f, 3},
                   {.fill = in.theme.ink, .radius = 1});
  ui.note({area.x + kPadding, area.y, width, 5}, "working", "computing the sentence");
}

void nothing_yet(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  if (in.session.working() || rect.height < 60) return;
  Canvas& canvas = ui.canvas();
  if (in.session.snapshot()) {
    canvas.text({rect.x, rect.y + 14}, "No sentence yet", styles::title(in.theme));
    canvas.text(
        {rect.x, rect.y + 44},
        in.session.tokenizers().source
            ? "Type one below and press Enter: its translation and every number on the way appear here."
            : "This model has no vocabulary: type the numbers of its words below, and press Enter.",
        styles::body_second(in.theme));
    return;
  }
  canvas.text({rect.x, rect.y + 14}, "No model is open", styles::title(in.theme));
  canvas.text({rect.x, rect.y + 44}, "Open one, or make a new one and watch it learn.",
              styles::body_second(in.theme));
  float x = rect.x;
  const float open = ui.button_width("Open model…"), fresh = ui.button_width("New model…");
  if (PrimaryButton(ui, {x, rect.y + 72, fresh, 32}, "New model…", {.id = "New model on the stage"}))
    ui.push(OpenDialog{"new model"});
  x += fresh + 12;
  if (Button(ui, {x, rect.y + 72, open, 32}, "Open model…", {.id = "Open model on the stage"}))
    ui.push(OpenDialog{"open model"});
}

}  // namespace

void draw_stage(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  if (in.layout.map.width > 0)
    canvas.line({rect.x - 0.5f, rect.y}, {rect.x - 0.5f, in.layout.sentence.y}, {.color = in.theme.border});
  draw_breadcrumb(ui, in, {rect.x, rect.y, rect.width, kBreadcrumb});
  const Rect area =
      draw_stage_state(ui, in, {rect.x, rect.y + kBreadcrumb, rect.width, rect.height - kBreadcrumb});
  if (!in.input || !in.view || area.height < 20) return nothing_yet(ui, in, area.inset(kPadding));
  if (const Compared* compared = in.session.compared())
    return in.comparing.draw(ui, in, *in.input, *compared, area);
  draw_picture(ui, *in.view, *in.input, area);
  in.lessons.offer_all(ui, area);
}

Rect draw_stage_state(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Rect area = rect;
  if (!in.session.scene().what_if.empty()) {
    draw_what_if_strip(ui, in, {area.x + kPadding, area.y + 6, area.width - 2 * kPadding, kWhatIfStrip});
    area.y += kWhatIfStrip + 8, area.height -= kWhatIfStrip + 8;
  }
  const float used = waiting_notices(ui, in, area);
  area.y += used, area.height -= used;
  if (in.session.working() && in.session.working_seconds() > 0.2) draw_working(ui, in, area);
  if (in.session.working() || in.session.notice_pending()) ui.ask_frame(0.1);
  return area;
}

void draw_picture(ui::Ui& ui, View& view, const ViewInput& input, const Rect& area, PictureOptions options) {
  Canvas& canvas = ui.canvas();
  const Point least = view.minimum_size(input);
  const bool scrolls = area.width < least.x || area.height < least.y;
  Rect content = area;
  if (scrolls)
    content = ui.scroll.begin(area, options.scroll,
                              {std::max(least.x, area.width), std::max(least.y, area.height)});
  try {
    view.picture(canvas, input, content);
    ui.of_view(true);
    if (options.controls) view.controls(ui, input, content);
    ui.of_view(false);
    if (view.traits().busy) ui.ask_frame(0.05);
  } catch (const std::exception& error) {
    ui.of_view(false);
    const std::string words = failure_words(error);
    canvas.rectangle(content, {.fill = ui.theme().paper});
    paragraph(canvas, {content.x, content.y}, content.width, words, styles::body(ui.theme()));
    ui.note(content, "stage error", words);
  }
  if (scrolls) ui.scroll.end();
}

namespace {

constexpr std::array<std::string_view, 4> kSettings = {"segmented", "switch", "slider", "combo"};
constexpr std::string_view kCompared = "Compared";  // how two are shown, beside the view

}  // namespace

void ViewControls::frame(ui::Ui& ui, const std::string& view) {
  Settings settings;
  for (const ui::Widget& each : ui.registry().all())
    if ((each.of_view || each.label == kCompared) && each.enabled &&
        std::ranges::find(kSettings, each.kind) != kSettings.end())
      settings.emplace_back(each.label, each.value);
  if (!open_.empty() && !settings.empty()) shown_[open_] = std::move(settings);
  if (open_ == view) return;
  ui.by_name.forget();  // of a view that is left
  open_ = view;
  const auto waiting = waiting_.extract(view);
  if (waiting.empty()) return;
  for (const auto& [control, value] : waiting.mapped()) ui.by_name.set(control, value);
}

void ViewControls::hand_over(const Settings& later) {
  waiting_.clear();
  for (const auto& [control, value] : later) {
    const std::size_t slash = control.find('/');
    waiting_[control.substr(0, slash)].emplace_back(control.substr(slash + 1), value);
  }
}

ViewControls::Settings ViewControls::all(const std::string& open) const {
  Settings all;
  if (const auto found = shown_.find(open); found != shown_.end()) all = found->second;
  const auto put = [&](const auto& views, const auto& but) {
    for (const auto& [view, settings] : views)
      if (view != open && !but.contains(view))
        for (const auto& [control, value] : settings) all.emplace_back(view + "/" + control, value);
  };
  put(shown_, waiting_);
  put(waiting_, std::map<std::string, Settings>{});
  return all;
}

Selection in_layer_of(Selection base, const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  const bool of_stack = read && (in_layer(read->block) || read->block == BlockKind::final_norm);
  const bool encoder = of_stack && read->encoder, was_encoder = base.kind == AttentionKind::encoder;
  // A parameter of cross-attention leaves the decoder's attention as it is.
  const bool moves = read && !(is_parameter(read->value) && read->block == BlockKind::cross_attention);
  if (const auto attention = moves ? attention_of(*read) : std::nullopt) {
    base = of_kind(std::move(base), *attention);
  } else if (encoder != was_encoder) {
    base = of_kind(std::move(base), encoder ? AttentionKind::encoder : AttentionKind::cross);
  }
  if (read && in_layer(read->block)) base.layer = read->layer;
  return base;
}

Selection selection_of(const Session& session, AttentionKind kind) {
  const Selection s = of_kind(session.pinned(), kind);
  return session.shown_steps() > 0 && !s.query ? at_step(s, session.shown_steps() - 1) : s;
}

void go_deeper(ui::Ui& ui, const PanelInput& in) {
  if (in.input && in.view && in.view->key(ViewKey::enter, *in.input, ui.commands())) return;
  Selection s = in.session.pinned();
  const bool number = in.input && s.cell && cell_to_work_out(*in.view, *in.input);
  if (in.view_name != "attention") return ui.push(OpenView{number ? "cell" : "attention"});
  if (s.head >= 0) return ui.push(OpenView{"head"});
  s.head = 0;
  s.cell.reset();
  ui.push(SetPin{s});
}

void go_up(ui::Ui& ui, const PanelInput& in, int levels) {
  Commands wanted;
  if (in.input && in.view && in.view->key({ViewKey::backspace, levels}, *in.input, wanted)) {
    const bool leaves =
        in.view_name == "cell" && levels == 1 && !wanted.empty() && !wanted.back().is<SetPin>();
    if (leaves && !in.before_cell.empty() && in.before_cell != "walk")
      wanted.back() = OpenView{in.before_cell};
    for (Command& each : wanted) ui.push(std::move(each));
    return;
  }
  Selection s = in.session.pinned();
  if (in.view_name != "attention") return ui.push(OpenView{"attention"});
  if (s.cell || s.query || s.key) return ui.push(ClearPin{});
  if (s.head < 0) return;
  s.head = -1;
  ui.push(SetPin{s});
}

void open_attention(ui::Ui& ui, const PanelInput& in, AttentionKind kind) {
  const Snapshot* const snapshot = in.session.snapshot();
  if (!snapshot) return;
  Selection s = selection_of(in.session, kind);
  const int layers =
      kind == AttentionKind::encoder ? snapshot->config.encoder_layers : snapshot->config.decoder_layers;
  s.layer = std::clamp(s.layer, 0, std::max(0, layers - 1));
  ui.push(SetPin{s});
  if (in.view->traits().shows_block)
    ui.push(OpenStep{.cell = {attention_value(kind, s.layer, ValueKind::output), {}}, .pin = false});
  else if (!in.view->traits().follows_kind)
    ui.push(OpenView{"attention"});
}

void choose_head(ui::Ui& ui, const PanelInput& in, int head) {
  const Snapshot* const snapshot = in.session.snapshot();
  if (!snapshot || head >= snapshot->config.heads) return;
  Selection s = in.session.pinned();
  s.head = head;
  s.cell.reset();
  ui.push(SetPin{s});
}

bool turn_layer(ui::Ui& ui, const PanelInput& in, int by) {
  const Snapshot* snapshot = in.session.snapshot();
  if (!snapshot) return false;
  Selection s = in.session.pinned();
  const Config& config = snapshot->config;
  const int layers = s.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
  const int layer = std::clamp(s.layer + by, 0, std::max(0, layers - 1));
  if (layer == s.layer) return false;
  s.layer = layer;
  s.cell.reset();
  ui.push(SetPin{s});
  return true;
}

namespace {

// A copy that measures nothing: what takes seconds, the head report, says what is known of it.
std::unique_ptr<View> as_on_screen(const View& view) {
  std::unique_ptr<View> copy = view.clone();
  copy->stop_with(std::make_shared<const std::atomic<bool>>(true));
  return copy;
}

}  // namespace

void copy_shown(ui::Ui& ui, const PanelInput& in, InspectorPanel& inspector, const std::string& what) {
  const std::optional<ViewInput>& input = in.input;
  if (!input || !in.view) return;
  std::string text;
  if (what == "sentence") {
    text = (input->result.scene.sentences.empty() ? std::string()
                                                  : input->result.scene.sentences.front().source) +
           "\t" + input->result.translation;
  } else if (what == "formula") {
    if (const auto shown = inspector.page(in))
      for (const InspectorSection& section : shown->sections)
        for (const Formula& formula : section.formulas) text += formula_as_text(formula) + "\n";
  } else {
    // Tab-separated, as spreadsheets take it.
    const std::vector<NumberTable> tables =
        shown_numbers(*as_on_screen(*in.view), in.comparing.shown_input(in.session, *input));
    if (tables.empty()) return;
    text = to_csv(table_of(tables.front()), "\n", '\t');
  }
  if (!text.empty()) ui.push(CopyText{to_file_text(text)});
}

std::string stage_words(const PanelInput& in) {
  const std::string words = in.input && in.view ? text_of(described(*as_on_screen(*in.view), *in.input))
                                                : "Nothing is shown yet.\n";
  const TakenLesson* const lesson = in.lessons.taken();
  return lesson ? page_in_words(*lesson) + "\n" + words : words;
}

}  // namespace glassformer
