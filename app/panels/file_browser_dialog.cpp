#include <algorithm>
#include <optional>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/import/foreign_model.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

using Purpose = FileBrowser::Purpose;

constexpr float kFileRow = 28, kBrowserFoot = 44;
constexpr float kRecentWidth = 168;

const char* title_of(Purpose purpose) {
  if (purpose == Purpose::open_model) return "Open model";
  if (purpose == Purpose::keep_run) return "Keep the run in another folder";
  if (purpose == Purpose::choose_validation) return "Validate with";
  if (purpose == Purpose::choose_test) return "Test with";
  if (purpose == Purpose::open_session) return "Open session";
  if (purpose == Purpose::import_model) return "Open a model from elsewhere";
  if (purpose == Purpose::find_model) return "Find the model";
  return purpose == Purpose::save_model ? "Save model" : "Open corpus";
}

// What it wants, in words.
std::string wants(const FileBrowser& browser) {
  if (browser.listing)
    return "A run that was made here goes on with Train, where it was; a recurrent model stands beside it.";
  if (browser.purpose == Purpose::open_session)
    return "A session is a file that ends in .glassformer; it names a model and what was seen of it.";
  if (browser.purpose == Purpose::import_model)
    return "A state dict of PyTorch (.pt, .bin), .safetensors, Marian's .npz, or a folder of MarianMT. "
           "Nothing in "
           "it is run.";
  if (browser.purpose == Purpose::open_model || browser.purpose == Purpose::find_model)
    return "A model is a folder with config.json and weights.safetensors.";
  if (browser.purpose == Purpose::save_model) return "The model is written into a new folder here.";
  if (browser.purpose == Purpose::keep_run)
    return "All of the run is written into a new folder here, and kept there from now on.";
  if (browser.purpose == Purpose::choose_test)
    return "A table of pairs. No sentence whose source stands in it is learned from or validates.";
  if (!browser.pair)
    return "One table: tab-separated, CSV, JSON lines or TMX, also packed. Two aligned files: switch below.";
  if (browser.first.empty()) return "Two files whose lines belong together. First the source side.";
  return "Now the target side, line by line with " + fs::path(browser.first).filename().string() + ".";
}

// The dialog from top to bottom; what was chosen leaves it as a Command and closes it.
class BrowserDialog {
 public:
  BrowserDialog(ui::Ui& ui, Session& session, FileBrowser& browser, const DialogBox& dialog)
      : ui_(ui),
        session_(session),
        browser_(browser),
        purpose_(browser.purpose),
        whole_(dialog.body),
        top_(dialog.body.y),
        close_(dialog.closed) {}

  // True when it is to be closed.
  bool show();

 private:
  void leave_with(Command command);
  void leave_choosing(const std::string& path);
  void take_model(const std::string& folder);
  void open_file(const std::string& path);
  void listing();
  void path();
  void go_to(const fs::path& typed);
  float recent(float height);
  void content(const Rect& list);
  void entry(const FileBrowser::Entry& entry, const Rect& row);
  void foot();
  float choose_here(float right, float y, float cancel);

  ui::Ui& ui_;
  Session& session_;
  FileBrowser& browser_;
  const Purpose purpose_;
  const bool opens_file_ = purpose_ == Purpose::open_corpus || purpose_ == Purpose::choose_validation ||
                           purpose_ == Purpose::choose_test || purpose_ == Purpose::open_session ||
                           purpose_ == Purpose::import_model;
  const bool opens_model_ = purpose_ == Purpose::open_model || purpose_ == Purpose::find_model;
  const bool names_folder_ = purpose_ == Purpose::save_model || purpose_ == Purpose::keep_run;
  const Rect whole_;
  float top_;  // of what is still to be drawn
  bool close_;
  std::optional<fs::path> enter_;  // a folder that was clicked
  const Theme& t_ = ui_.theme();
};

bool BrowserDialog::show() {
  top_ += paragraph(ui_.canvas(), {whole_.x, top_ - 8}, whole_.width, wants(browser_), styles::caption(t_));
  if (purpose_ == Purpose::open_model) {
    int page = browser_.listing ? 0 : 1;
    Segmented(ui_, {whole_.x, top_, std::min(360.0f, whole_.width), 34}, "Look in",
              {"Runs and models", "Folders"}, page);
    browser_.listing = page == 0;
    top_ += 44;
  }
  path();
  if (browser_.listing) {
    listing();
    return close_;
  }
  const float height = whole_.bottom() - top_ - kBrowserFoot, left = whole_.x + recent(height);
  content({left, top_, whole_.right() - left, height});
  foot();
  return close_;
}

// A model that is opened, or only looked for.
void BrowserDialog::take_model(const std::string& folder) {
  if (purpose_ == Purpose::open_model) return leave_with(OpenModel{folder});
  leave_choosing(folder);
}

void BrowserDialog::leave_choosing(const std::string& path) {
  session_.settings().last_folder = browser_.folder.string();
  browser_.chosen = path;
  close_ = true;
}

void BrowserDialog::leave_with(Command command) {
  session_.settings().last_folder = browser_.folder.string();
  ui_.push(std::move(command));
  close_ = true;
}

void BrowserDialog::open_file(const std::string& path) {
  if (purpose_ == Purpose::open_session || purpose_ == Purpose::import_model) return leave_choosing(path);
  if (browser_.pair && browser_.first.empty()) {
    browser_.first = path;
    return;
  }
  DataOptions data = browser_.data;
  if (purpose_ == Purpose::choose_test) {
    data.leave_out = path;
    return leave_with(ReadData{data});
  }
  DataSource chosen;
  if (!browser_.pair) {
    chosen.corpus = path;
  } else {
    chosen.source = browser_.first;
    chosen.target = path;
  }
  (purpose_ == Purpose::choose_validation ? data.validation : data.training) = chosen;
  leave_with(ReadData{data});
}

// Runs and models that are known, instead of folders.
void BrowserDialog::listing() {
  const std::string folder =
      model_lines(ui_, browser_, {whole_.x, top_, whole_.width, whole_.bottom() - top_ - kBrowserFoot});
  if (!folder.empty()) {
    ui_.push(OpenModel{folder});
    close_ = true;
  }
  const float width = ui_.button_width("Cancel");
  if (Button(ui_, {whole_.right() - width, whole_.bottom() - 34, width, 32}, "Cancel")) close_ = true;
}

// What is opened from here is opened; of any other path the folder is looked into.
void BrowserDialog::go_to(const fs::path& typed) {
  std::error_code ignored;
  browser_.focus_path = true;  // the next name can be typed at once
  if (fs::is_regular_file(typed, ignored) && opens_file_) {
    open_file(typed.string());
  } else if (opens_model_ && is_model_folder(typed)) {
    take_model(typed.string());
  } else if (purpose_ == Purpose::open_model && may_hold_foreign_model(typed.string())) {
    leave_choosing(typed.string());
  } else {
    browser_.enter(typed);
    browser_.listing = browser_.listing && !browser_.error.empty();
  }
}

// Path and the folder above; what is wrong with the one that was asked for.
void BrowserDialog::path() {
  float left = whole_.x;
  if (!browser_.listing) {
    if (IconButton(ui_, {left, top_ + 2, 36, 32}, ui::Icon::up, "Folder above"))
      browser_.enter(browser_.folder.parent_path());
    left += 44;
  }
  if (TextField(ui_, {left, top_, whole_.right() - left, 36}, "Folder or file", browser_.path_text,
                {.focus = std::exchange(browser_.focus_path, false)}) == ui::FieldEvent::entered)
    go_to(expanded(browser_.path_text));
  top_ += 46;
  if (browser_.error.empty()) return;
  const float used = paragraph(ui_.canvas(), {whole_.x, top_}, whole_.width, browser_.error,
                               {.size = 12, .color = t_.wrong});
  ui_.note({whole_.x, top_, whole_.width, used}, "browser error", browser_.error);
  top_ += used + 6;
}

// Lately opened, at the left where there is room; returns the width it takes.
float BrowserDialog::recent(float height) {
  const Settings& settings = session_.settings();
  const auto& recent = purpose_ == Purpose::open_session   ? settings.recent_sessions
                       : purpose_ == Purpose::import_model ? std::vector<std::string>()
                       : opens_file_                       ? settings.recent_corpora
                                                           : settings.recent_models;
  if (whole_.width <= 560 || recent.empty()) return 0;
  Canvas& canvas = ui_.canvas();
  canvas.text({whole_.x, top_ + 10}, "Recent", styles::section(t_));
  float y = top_ + 26;
  std::string chosen;
  for (const std::string& path : recent) {
    if (y + kFileRow > top_ + height) break;
    const Rect row{whole_.x - 8, y, kRecentWidth, kFileRow};
    const ui::Response response = ui_.area(row, "recent: " + path, "item");
    ui_.tooltip(row, path);
    if (response.hovered) canvas.rectangle(row, {.fill = t_.hover, .radius = 4});
    const std::string words = fs::path(path).filename().empty() ? path : fs::path(path).filename().string();
    canvas.text({row.x + 8, row.center().y}, elided(canvas, words, styles::body(t_), kRecentWidth - 16),
                styles::body(t_));
    if (response.clicked) chosen = path;
    y += kFileRow;
  }
  if (!chosen.empty() && opens_file_) open_file(chosen);
  if (!chosen.empty() && opens_model_) take_model(chosen);
  if (!chosen.empty() && names_folder_) browser_.enter(fs::path(chosen).parent_path());
  return kRecentWidth + 8;
}

void BrowserDialog::content(const Rect& list) {
  Canvas& canvas = ui_.canvas();
  canvas.rectangle(list, {.fill = t_.paper, .outline = t_.border, .radius = 6});
  const Rect rows = ui_.scroll.begin(
      list.inset(1), "files", {list.width - 2, static_cast<float>(browser_.entries.size()) * kFileRow + 8});
  for (size_t i = 0; i < browser_.entries.size(); ++i) {
    const FileBrowser::Entry& each = browser_.entries[i];
    const Rect row{rows.x + 4, rows.y + 4 + static_cast<float>(i) * kFileRow, rows.width - 16, kFileRow};
    if (row.bottom() < list.y - 40 || row.y > list.bottom() + 40) {
      ui_.note(row, each.name, "");
    } else {
      entry(each, row);
    }
  }
  if (browser_.entries.empty())
    canvas.text({list.x + 16, list.y + 22}, "This folder is empty.", styles::caption(t_));
  ui_.scroll.end();
  if (!enter_) return;
  browser_.enter(*enter_);
  ui_.scroll.to("files", {});
  ui_.ask_frame(0);
}

void BrowserDialog::entry(const FileBrowser::Entry& entry, const Rect& row) {
  Canvas& canvas = ui_.canvas();
  const bool usable = entry.folder || opens_file_;
  ui::Response response;
  if (usable) response = ui_.area(row, entry.name, "item");
  if (response.hovered) canvas.rectangle(row, {.fill = t_.hover, .radius = 4});
  const TextStyle style{.size = 14, .color = usable ? t_.ink : t_.faint_text};
  ui::draw_icon(canvas, entry.folder ? ui::Icon::folder : ui::Icon::file, {row.x + 14, row.center().y},
                style.color);
  const std::string note = entry.model ? "model" : entry.size;
  const float room = row.width - 44 - ui_.text_width(note, 12);
  canvas.text({row.x + 30, row.center().y}, elided(canvas, entry.name, style, room - 8), style);
  canvas.text({row.right() - 8, row.center().y}, note, styles::right(styles::caption(t_)));
  if (!response.clicked) return;
  const fs::path path = browser_.folder / entry.name;
  if (entry.model && opens_model_)
    take_model(path.string());
  else if (entry.folder)
    enter_ = path;
  else if (opens_file_)
    open_file(path.string());
}

// What is there depends on what is wanted.
void BrowserDialog::foot() {
  const float y = whole_.bottom() - 34, cancel = ui_.button_width("Cancel");
  float right = choose_here(whole_.right(), y, cancel);
  if (Button(ui_, {right - cancel, y, cancel, 32}, "Cancel")) close_ = true;
  right -= cancel + 16;
  if (names_folder_) {
    const Rect field{whole_.x, y - 2, std::min(280.0f, right - whole_.x), 36};
    if (TextField(ui_, field, "Name of the folder", browser_.name, {.hint = "my-model"}) !=
        ui::FieldEvent::none)
      browser_.error.clear();
  } else if (opens_file_ && purpose_ != Purpose::choose_test && purpose_ != Purpose::open_session &&
             purpose_ != Purpose::import_model) {
    bool pair = browser_.pair;
    if (Switch(ui_, {whole_.x, y + 7}, "Two files", pair)) {
      browser_.pair = pair;
      browser_.first.clear();
    }
  }
}

// The button that takes this folder, where one can be taken; returns what is left of the row.
float BrowserDialog::choose_here(float right, float y, float cancel) {
  if (names_folder_) {
    const float save = ui_.button_width("Save here");
    const std::string folder = (browser_.folder / expanded(browser_.name)).string();
    const bool run = purpose_ == Purpose::keep_run;
    // What is there already is looked at by the session, which asks before it replaces a model.
    if (PrimaryButton(ui_, {right - save, y, save, 32}, "Save here",
                      {.enabled = !browser_.name.empty(), .id = run ? "Save the run" : "Save the model"}))
      leave_with(run ? Command(KeepRunsIn{folder}) : Command(SaveModel{.folder = folder}));
    return right - save - 8;
  }
  if (purpose_ == Purpose::import_model) {
    const float width = ui_.button_width("Read this folder");
    if (PrimaryButton(ui_, {right - width, y, width, 32}, "Read this folder"))
      leave_choosing(browser_.folder.string());
    return right - width - 8;
  }
  if (!opens_model_) return right;
  const bool here = is_model_folder(browser_.folder);
  const float open = ui_.button_width("Open this folder");
  if (PrimaryButton(ui_, {right - open, y, open, 32}, "Open this folder", {.enabled = here}))
    take_model(browser_.folder.string());
  right -= open + 8;
  if (!here) {
    const std::string words = "No model in this folder. Choose one marked “model”.";
    const Rect place{whole_.x, y + 5, right - cancel - 16 - whole_.x, 40};
    paragraph(ui_.canvas(), {place.x, place.y}, place.width, words, styles::caption(t_));
    ui_.note(place, "no model here", words);
  }
  return right;
}

}  // namespace

bool browser_dialog(ui::Ui& ui, Session& session, FileBrowser& browser, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, title_of(browser.purpose), {820, 620});
  const bool close = BrowserDialog(ui, session, browser, dialog).show();
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
