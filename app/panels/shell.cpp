#include "app/panels/shell.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/figure/figure.h"
#include "app/panels/styles.h"
#include "app/views/view_table.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// The selection in the layer of this value, and on its attention where it lies in one.
Selection in_layer_of(Selection base, const std::string& name) {
  const bool encoder = name.starts_with("encoder."), was_encoder = base.kind == AttentionKind::encoder;
  const std::optional<ValueName> read = read_name(name);
  // A parameter of cross-attention leaves the decoder's attention as it is.
  const bool tells = read && !(is_parameter(read->value) && read->block == BlockKind::cross_attention);
  if (const auto attention = tells ? attention_of(*read) : std::nullopt) {
    base = of_kind(std::move(base), *attention);
  } else if (encoder != was_encoder) {
    base = of_kind(std::move(base), encoder ? AttentionKind::encoder : AttentionKind::cross);
  }
  if (read && in_layer(read->block)) base.layer = read->layer;
  return base;
}

}  // namespace

Shell::Shell(Session& session, ShellOptions options)
    : session_(session), options_(std::move(options)), view_(options_.view) {
  const bool dark = options_.theme ? *options_.theme == "dark" : session_.settings().dark;
  theme_ = dark ? dark_theme() : light_theme();
  if (view_table().empty()) return;
  const auto known = std::ranges::any_of(view_table(), [&](const ViewEntry& e) { return view_ == e.name; });
  if (!known) view_ = view_table().front().name;
  if (session_.preview()) dialogs_.open = "data";
}

Shell::~Shell() = default;

double Shell::scale() const {
  if (options_.scale) return std::clamp(*options_.scale, 1.0, 4.0);
  const double kept = session_.settings().scale;
  return std::clamp(kept > 0 ? kept : options_.monitor_scale, 1.0, 2.5);
}

void Shell::set_scale(double scale) {
  options_.scale.reset();
  session_.settings().scale = std::clamp(scale, 1.0, 2.5);
}

void Shell::set_theme(bool dark) {
  session_.settings().dark = dark;
  theme_ = dark ? dark_theme() : light_theme();
}

View* Shell::current_view() {
  auto& made = views_[view_];
  if (!made)
    for (const ViewEntry& entry : view_table())
      if (view_ == entry.name) made = entry.make();
  return made.get();
}

std::optional<ViewInput> Shell::view_input() {
  if (!result_ || !result_->trace || !result_->snapshot) return std::nullopt;
  return ViewInput{.result = *result_,
                   .snapshot = *result_->snapshot,
                   .tokenizers = session_.tokenizers(),
                   .run = session_.run(),
                   .pinned = session_.pinned(),
                   .shown = session_.shown(),
                   .hovering = session_.hovering(),
                   .looked_back = session_.looked_back(),
                   .shown_steps = session_.shown_steps(),
                   .source_language = session_.title().source_language,
                   .target_language = session_.title().target_language,
                   .beside = session_.beside(),
                   .reduced_motion = session_.settings().reduced_motion,
                   .dark_theme = theme_.dark};
}

void Shell::frame(ui::Ui& ui, Point window, double time) {
  ui_ = &ui;
  time_ = time;
  layout_ = layout_for(window);
  result_ = session_.result();

  // What is compared is shown as the pair that it is, until the next pair is there.
  const Compared* const compared = session_.compared();
  if (compared && compared->second) result_ = compared->first;
  if (!compared) compared_as_ = ComparedAs::both;

  // While O is held the untouched model stands in.
  if (result_ && result_->untouched != result_->trace && result_->untouched && ui.held('o')) {
    if (untouched_of_ != result_) {
      auto plain = std::make_shared<SceneResult>(*result_);
      plain->trace = plain->untouched;
      plain->gradients = plain->untouched_gradients;
      plain->scene.what_if = {};
      untouched_ = std::move(plain);
      untouched_of_ = result_;
    }
    result_ = untouched_;
    ui.ask_frame(0.1);
  }

  std::erase_if(figures_, [&](WrittenFigure& figure) {
    if (figure.done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    Notice done = figure.done.get();
    if (done.error) {
      session_.notify(std::move(done));
    } else {
      session_.dismiss(Place::figure);
      say(std::move(done.text));
    }
    return true;
  });

  // Gradients are made while a view shows them.
  const bool gradients = current_view() != nullptr && current_view()->wants_gradients();
  const int wanted = gradients ? session_.pinned().sentence : -1;
  if (wanted != gradients_of_) ui.push(WantGradients{wanted});
  gradients_of_ = wanted;
  const bool moments = current_view() != nullptr && current_view()->wants_moments();
  if (moments != wants_moments_) ui.push(WantMoments{moments});
  wants_moments_ = moments;
  const auto input = view_input();
  std::string computing = input && current_view() ? current_view()->computing(*input) : std::string();
  // The map follows the Walk: a layer unfolded by hand stays open until the next step.
  if (computing != computing_) map_encoder_.reset(), map_decoder_.reset();
  computing_ = std::move(computing);

  backdrops_ = {
      {layout_.top_bar, theme_.panel}, {layout_.sentence, theme_.panel}, {layout_.slider, theme_.panel}};
  top_bar();
  if (layout_.map.width > 0) {
    if (layout_.map_place == MapPlace::rail)
      map_rail(layout_.map);
    else
      map_column(layout_.map, false);
  }
  stage(layout_.stage);
  if (layout_.inspector.width > 0) {
    if (layout_.inspector_place == InspectorPlace::line)
      inspector_line(layout_.inspector);
    else
      inspector(layout_.inspector, false);
  }
  sentence_bar();
  training_slider();

  // Drawers of small windows.
  if (layout_.map_place == MapPlace::rail || layout_.map_place == MapPlace::hidden) {
    if (map_open_) {
      ui.begin_layer(layout_.map_drawer, false);
      ui.canvas().rectangle(layout_.map_drawer, {.fill = theme_.paper});
      map_column(layout_.map_drawer, true);
      ui.end_layer();
    }
  } else {
    map_open_ = false;
  }
  if (layout_.inspector_place != InspectorPlace::column) {
    if (inspector_open_) {
      ui.begin_layer(layout_.inspector_drawer, false);
      ui.canvas().rectangle(layout_.inspector_drawer, {.fill = theme_.paper});
      inspector(layout_.inspector_drawer, true);
      ui.end_layer();
    }
  } else {
    inspector_open_ = false;
  }
  dialogs();
  keyboard();
}

void Shell::apply(const Commands& commands, double time) {
  time_ = time;
  for (const Command& command : commands) {
    command.visit(Overloaded{
        [&](const OpenView& open) {
          for (const ViewEntry& entry : view_table())
            if (open.view == entry.name) show_view(open.view);
          if (layout_.map_place == MapPlace::hidden) map_open_ = false;
        },
        [&](const OpenStep& open) { show_step(open); }, [&](const SetPin& pin) { picked(pin); },
        [&](const OpenDialog& open) { dialogs_.show(open.name, session_, view_); },
        [&](const SaveFigure& what) { save_figure_to(what); },
        [&](const CopyText& what) {
          ImGui::SetClipboardText(what.text.c_str());
          say("Copied");
        },
        [&](const ReadData&) { dialogs_.show("data", session_, view_); },
        // Who was leaving leaves when that has succeeded.
        [&](const KeepRunsIn&) { wants_close_ = wants_close_ || dialogs_.closing; }, [](const auto&) {}});
  }
}

// A double click on a number leads deeper, as Enter does.
void Shell::picked(const SetPin& pin) {
  constexpr double kDoubleClick = 0.4;  // s
  const std::optional<CellRef>& cell = pin.selection.cell;
  const bool twice = cell && cell == picked_ && time_ - picked_at_ < kDoubleClick;
  picked_twice_ = picked_twice_ || twice;
  pinned_in_second_ = over_second_;
  picked_ = twice ? std::nullopt : cell;
  picked_at_ = time_;
}

// A pinned number that the new view does not show is let go; its words stay lit.
void Shell::show_view(const std::string& view) {
  if (view_ == view) return;
  picked_.reset();
  picked_twice_ = false;  // the click that opened it is spent
  if (view == "cell") before_cell_ = view_;
  view_ = view;
  Selection pin = session_.pinned();
  if (pin.cell && !current_view()->shows(*pin.cell)) pin.cell.reset();
  if (pin.sentence != 0 && !current_view()->shows_batch()) {
    pin = {.kind = pin.kind, .layer = pin.layer, .head = pin.head};
  }
  if (pin != session_.pinned()) session_.apply({SetPin{pin}});
}

// To the step of the Walk; from the map also to the place in the open block.
void Shell::show_step(const OpenStep& open) {
  const int sentence = session_.pinned().sentence;
  const bool stays = !open.pin && current_view()->shows_block();
  if (!stays) show_view("walk");
  Selection selection = stays ? in_layer_of(session_.pinned(), open.cell.name) : session_.pinned();
  selection.sentence = sentence;
  selection = open.pin ? selecting(selection, open.cell) : selection;
  if (!open.pin) selection.cell.reset();
  session_.apply({SetPin{selection}});
  if (View* view = current_view()) view->open_cell(open.cell);
}

void Shell::say(std::string text) {
  said_ = std::move(text);
  said_until_ = time_ + 2 + 0.05 * static_cast<double>(said_.size());  // long enough to be read
}

// The picture is drawn from values held fast, on a worker: the screen goes on.
void Shell::save_figure_to(const SaveFigure& what) {
  View* view = current_view();
  if (!view || !result_) return;
  FigureContent content{.view = view->clone(),
                        .result = result_,
                        .tokenizers = session_.tokenizers(),
                        .run = session_.run(),
                        .selection = session_.pinned(),
                        .looked_back = session_.looked_back(),
                        .shown_steps = session_.shown_steps(),
                        .model_name = session_.title().name,
                        .source_language = session_.title().source_language,
                        .target_language = session_.title().target_language,
                        .theme = theme_};
  if (session_.beside()) content.beside = *session_.beside();
  if (const Compared* compared = session_.compared(); compared && compared->second)
    content.second = {.as = shown_as_,
                      .view = second_view() ? second_view()->clone() : view->clone(),
                      .compared = *compared};
  std::vector<std::string> taken;
  for (const WrittenFigure& figure : figures_) taken.push_back(figure.path);
  FigureRequest request{
      .path = free_path(what.path, taken, caption_text(content)),
      .size = {std::max(1000.0f, layout_.stage.width), std::max(704.0f, layout_.stage.height)},
      .scale = what.scale,
      .white = what.white};
  figures_.push_back({request.path, std::async(std::launch::async, [content = std::move(content), request,
                                                                    wake = options_.wake]() mutable {
                        content.fonts = find_font_files();
                        Notice notice{.place = Place::figure, .text = "Saved " + request.path + "."};
                        try {
                          save_figure(content, request);
                        } catch (const std::exception& error) {
                          notice = {.place = Place::figure,
                                    .error = true,
                                    .text = failure_words(error),
                                    .action = "Choose another place",
                                    .command = OpenDialog{"save figure"}};
                        }
                        if (wake) wake();
                        return notice;
                      })});
}

Commands Shell::dropped(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (paths.empty()) return {};
  fs::path first = paths.front();
  if (fs::is_regular_file(first, ignored) &&
      (first.filename() == "config.json" || first.extension() == ".safetensors"))
    first = first.parent_path();
  if (fs::is_directory(first, ignored)) return {OpenModel{first.string()}};
  DataOptions data;
  if (paths.size() >= 2) {
    data.training.source = paths[0];
    data.training.target = paths[1];
  } else {
    data.training.corpus = paths[0];
  }
  return {ReadData{data}};
}

}  // namespace glassformer
