#include "app/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/figure.h"
#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/widgets/marks.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace fs = std::filesystem;

void Dialogs::show(const std::string& name, Session& session, const std::string& view) {
  const Settings& settings = session.settings();
  open = name;
  if (name != "keep run") closing = false;
  if (name == "open model") browser.start(FileBrowser::Purpose::open_model, settings);
  if (name == "open corpus") browser.start(FileBrowser::Purpose::open_corpus, settings);
  if (name == "save model") browser.start(FileBrowser::Purpose::save_model, settings);
  if (name == "keep run") {
    browser.start(FileBrowser::Purpose::keep_run, settings);
    if (const auto unsaved = session.unsaved(); !unsaved.empty())
      browser.name = fs::path(unsaved.front().folder).filename().string();
  }
  if (name == "new model") form.start(session.preview());
  if (name == "runs") runs.start();
  if (name == "compare") compare.start(session);
  if (name == "variant") variant.start(session);
  if (name == "learning") learning.start(session);
  if (name == "fork") fork.start(session);
  if (name == "save figure") {
    if (figure.folder.empty())
      figure.folder = settings.last_folder.empty() ? expanded("~") : settings.last_folder;
    figure.name = view;
  }
}

void Dialogs::leave() {
  const bool asking = open == "runs" && runs.asking != RunsForm::Asking::nothing;
  runs.asking = RunsForm::Asking::nothing;
  if (!asking) open.clear();
}

DialogBox begin_dialog(ui::Ui& ui, Point window, std::string_view title, Point size) {
  const float width = std::min(size.x, window.x - 24), height = std::min(size.y, window.y - 24);
  const Rect box{std::round((window.x - width) / 2), std::round((window.y - height) / 2), width, height};
  ui.begin_layer(box, true);
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  // A wide quiet edge sets it off from what lies below; there are no shadows.
  canvas.rectangle(box.inset(-8), {.fill = t.control.with_alpha(0.35f), .radius = 12});
  canvas.rectangle(box, {.fill = t.panel, .outline = t.control, .radius = 8});
  DialogBox dialog;
  canvas.text({box.x + 24, box.y + 32}, elided(canvas, title, styles::title(t), width - 96),
              styles::title(t));
  if (ui.IconButton({box.right() - 52, box.y + 16, 32, 32}, ui::Icon::close, "Close the dialog",
                    {.tooltip = "Esc"}))
    dialog.closed = true;
  dialog.body = {box.x + 24, box.y + 60, width - 48, height - 60 - 20};
  ui.note({box.x, box.y, width, 56}, "dialog", title);
  return dialog;
}

void end_dialog(ui::Ui& ui) {
  ui.end_layer();
}

DialogAnswer dialog_answer(ui::Ui& ui, const Rect& body, const std::string& words,
                           const ui::ButtonOptions& options, bool entered) {
  const float foot = body.bottom() - 34, width = ui.button_width(words), cancel = ui.button_width("Cancel");
  const bool go = ui.PrimaryButton({body.right() - width, foot, width, 32}, words, options);
  const bool leave = ui.Button({body.right() - width - 8 - cancel, foot, cancel, 32}, "Cancel");
  if (go || (entered && options.enabled)) return DialogAnswer::go;
  return leave ? DialogAnswer::leave : DialogAnswer::none;
}

void Shell::dialogs() {
  if (dialogs_.open.empty()) return;
  const Point window = layout_.window;
  const std::string name = dialogs_.open;
  bool close = false;
  if (name == "open model" || name == "open corpus" || name == "save model" || name == "keep run")
    close = browser_dialog(*ui_, session_, dialogs_.browser, window);
  else if (name == "new model")
    close = new_model_dialog(*ui_, session_, dialogs_.form, window);
  else if (name == "data")
    close = data_dialog(*ui_, session_, dialogs_.data, window);
  else if (name == "runs")
    close = runs_dialog(*ui_, session_, dialogs_.runs, window);
  else if (name == "compare")
    close = compare_dialog(*ui_, session_, dialogs_.compare, window);
  else if (name == "variant")
    close = variant_dialog(*ui_, session_, dialogs_.variant, window);
  else if (name == "learning")
    close = learning_dialog(*ui_, session_, dialogs_.learning, window);
  else if (name == "fork")
    close = fork_dialog(*ui_, dialogs_.fork, window);
  else if (name == "unsaved")
    close = unsaved();
  else if (name == "save figure")
    close = figure_dialog(*ui_, dialogs_.figure, window);
  else if (name == "keys")
    close = keys_dialog(*ui_, window);
  else if (name == "about")
    close = about_dialog(*ui_, window);
  else
    close = true;
  if (close) {
    dialogs_.open.clear();
    ui_->ask_frame(0);
  }
}

bool Shell::unsaved() {
  const UnsavedAnswer answer = unsaved_dialog(*ui_, session_, dialogs_.closing, layout_.window);
  const bool again = answer == UnsavedAnswer::try_again;
  if (answer == UnsavedAnswer::close_anyway) wants_close_ = close_anyway_ = true;
  if (again && dialogs_.closing) wants_close_ = true;  // which saves
  if (again && !dialogs_.closing) ui_->push(SaveRuns{});
  return answer != UnsavedAnswer::none && !again;
}

// The person is leaving, and something of a run would be lost.
void Shell::ask_before_closing() {
  wants_close_ = false;
  if (session_.unsaved().empty()) return;  // a notice tells of what else was not saved
  dialogs_.show("unsaved", session_, view_);
  dialogs_.closing = true;
  ui_->ask_frame(0);
}

std::string free_path(const fs::path& wanted, std::span<const std::string> taken,
                      const std::string& caption) {
  std::error_code failed;
  fs::path path = wanted;
  const auto says_the_same = [&](const std::string& file) {
    try {
      return read_file(file, static_cast<long>(caption.size())) == caption;
    } catch (const Error&) {
      return false;
    }
  };
  const auto in_use = [&] {
    const std::string beside = caption_path(path.string());
    return fs::exists(path, failed) || (fs::exists(beside, failed) && !says_the_same(beside)) ||
           std::ranges::find(taken, beside, caption_path) != taken.end();
  };
  for (int number = 2; in_use(); ++number)
    path = wanted.parent_path() /
           (wanted.stem().string() + "-" + std::to_string(number) + wanted.extension().string());
  return path.string();
}

bool figure_dialog(ui::Ui& ui, FigureForm& form, Point window) {
  static constexpr std::array kEndings{".png", ".svg", ".pdf", ".csv"};
  const DialogBox dialog = begin_dialog(ui, window, "Save figure", {520, 400});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body = ui.begin_scroll({outer.x - 8, outer.y, outer.width + 16, outer.height - 48},
                                    "figure form", {outer.width + 16, 270});
  const float x = body.x + 8, width = outer.width;
  float y = body.y;
  const auto label = [&](const char* words) {
    canvas.text({x, y + 16}, words, styles::caption(t));
    return x + 96;
  };
  float at = label("Format");
  ui.Segmented({at, y, width - 96, 34}, "Format", {"PNG", "SVG", "PDF", "CSV"}, form.format);
  y += 46;
  at = label("Size");
  if (form.format == 0) {
    ui.Segmented({at, y, width - 96, 34}, "Size", {"1×", "2×", "3×", "4×"}, form.scale);
  } else {
    canvas.text({at, y + 16},
                form.format == 3 ? "the numbers, in full" : "lines and text stay lines and text",
                styles::caption(t));
  }
  y += 46;
  if (form.format != 3) {
    ui.Switch({at, y + 7}, "On white", form.white);
    y += 40;
  }
  at = label("Folder");
  ui.TextField({at, y, width - 96, 36}, "Folder", form.folder, {.hint = "~/Pictures"});
  y += 46;
  at = label("Name");
  const bool entered = ui.TextField({at, y, width - 96, 36}, "Name", form.name, {.hint = "attention"}) ==
                       ui::FieldEvent::entered;
  y += 44;
  canvas.text({at, y + 8}, "a caption goes beside it; an older picture of that name is kept",
              styles::caption(t));
  ui.end_scroll();

  std::string file = form.name;
  const std::string ending = kEndings[static_cast<size_t>(form.format)];
  if (!file.ends_with(ending)) file += ending;
  const bool ready = !form.name.empty() && !form.folder.empty();
  const DialogAnswer answer =
      dialog_answer(ui, outer, "Save", {.enabled = ready, .id = "Save the figure"}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go)
    ui.push(SaveFigure{.path = (fs::path(expanded(form.folder)) / file).string(),
                       .scale = form.scale + 1.0,
                       .white = form.white});
  return answer != DialogAnswer::none || dialog.closed;
}

bool keys_dialog(ui::Ui& ui, Point window) {
  struct Line {
    std::vector<const char*> keys;
    const char* what;
  };
  const std::vector<Line> lines{{{"E", "D", "X"}, "encoder, decoder, cross-attention"},
                                {{"1–8", "0"}, "one head, the mean of all"},
                                {{"↑", "↓"}, "layer"},
                                {{"Enter", "Backspace"}, "deeper (also a double click), up"},
                                {{"Space"}, "play: the output word by word, the Walk step by step"},
                                {{"←", "→"}, "one word back, on; in the Walk one step"},
                                {{"Shift+←", "Shift+→"}, "Walk: a block back, on; block, cell: next number"},
                                {{"B"}, "in the Walk: the next step of the way back"},
                                {{"Home", "End"}, "first word, all words; first step, last step"},
                                {{"T"}, "train, pause"},
                                {{"N"}, "one training step"},
                                {{"[", "]"}, "back, on through the steps of the training"},
                                {{"C"}, "compare with another step, sentence, run; back to one"},
                                {{"S"}, "save figure"},
                                {{"Ctrl+Z", "Ctrl+Shift+Z"}, "undo, redo a change"},
                                {{"Ctrl+C"}, "copy the matrix"},
                                {{"Ctrl+O"}, "open a model"},
                                {{"Ctrl +", "Ctrl −"}, "larger, smaller text"},
                                {{"Ctrl+Q"}, "quit; a run that is going on is kept"},
                                {{"O"}, "hold: the untouched model, while something is changed"},
                                {{"W"}, "source or output words, in a low window"},
                                {{"M", "I"}, "map, inspector, in a narrow window"},
                                {{"Ctrl+click"}, "selects more words, or takes one out again"},
                                {{"/"}, "into the sentence field; Enter translates"},
                                {{"Tab"}, "from control to control"},
                                {{"Esc"}, "leaves the field, closes, then clears the pin, back to now"},
                                {{"?"}, "this sheet"}};
  const DialogBox dialog = begin_dialog(ui, window, "Keys", {620, 748});
  const Rect view{dialog.body.x, dialog.body.y, dialog.body.width + 16, dialog.body.height};
  const Rect body =
      ui.begin_scroll(view, "keys", {dialog.body.width, static_cast<float>(lines.size()) * 28 + 4});
  float y = body.y + 14;
  const float column = std::min(200.0f, dialog.body.width * 0.45f);
  for (const Line& line : lines) {
    float x = body.x;
    for (const char* key : line.keys) x += draw_keycap(ui.canvas(), {x, y}, key) + 6;
    const float from = std::max(body.x + column, x + 10);
    ui.canvas().text(
        {from, y},
        elided(ui.canvas(), line.what, styles::body(ui.theme()), body.x + dialog.body.width - from),
        styles::body(ui.theme()));
    y += 28;
  }
  ui.end_scroll();
  end_dialog(ui);
  return dialog.closed;
}

namespace {

constexpr std::array kAbout{
    "Glassformer makes the encoder-decoder Transformer of “Attention Is All You Need” see-through. Every "
    "number on screen was computed by the model that is open; only the café of the Lookup view is an "
    "example.",
    "Words of any script can be typed and show when a font for them is installed. Letters are set one by "
    "one: scripts that join their letters or run from right to left, such as Arabic, keep their letters but "
    "not their joints and order.",
    "The paper: Vaswani et al., 2017, arxiv.org/abs/1706.03762."};

}  // namespace

bool about_dialog(ui::Ui& ui, Point window) {
  const Theme& t = ui.theme();
  // As high as its words are.
  float height = 24;
  for (const char* words : kAbout)
    height +=
        paragraph_height(ui.canvas(), std::min(560.0f, window.x - 24) - 56, words, styles::body(t)) + 10;
  const DialogBox dialog = begin_dialog(ui, window, "About Glassformer", {560, height + 80});
  Canvas& canvas = ui.canvas();
  const Rect view{dialog.body.x, dialog.body.y, dialog.body.width + 16, dialog.body.height};
  const Rect body = ui.begin_scroll(view, "about", {dialog.body.width, height});
  float y = body.y;
  const float width = dialog.body.width - 8;
  for (const char* words : kAbout) {
    y += paragraph(canvas, {body.x, y}, width, words, styles::body(t)) + 10;
  }
  canvas.text({body.x, y + 8}, std::string("Version ") + GLASSFORMER_VERSION, styles::caption(t));
  ui.end_scroll();
  end_dialog(ui);
  return dialog.closed;
}

}  // namespace glassformer
