#include <algorithm>
#include <optional>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"

namespace glassformer {

namespace fs = std::filesystem;

bool browser_dialog(ui::Ui& ui, Session& session, FileBrowser& browser, Point window) {
  using Purpose = FileBrowser::Purpose;
  const Purpose purpose = browser.purpose;
  const char* title = purpose == Purpose::open_model   ? "Open model"
                      : purpose == Purpose::save_model ? "Save model"
                                                       : "Open corpus";
  const DialogBox dialog = begin_dialog(ui, window, title, {820, 620});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  Rect body = dialog.body;
  bool close = dialog.closed;
  const auto leave_with = [&](Command command) {
    session.settings().last_folder = browser.folder.string();
    ui.push(std::move(command));
    close = true;
  };
  const auto open_file = [&](const std::string& path) {
    DataOptions data;
    if (browser.pair && browser.first.empty()) {
      browser.first = path;
      return;
    }
    if (!browser.pair) {
      data.training.corpus = path;
    } else {
      data.training.source = browser.first;
      data.training.target = path;
    }
    leave_with(ReadData{data});
  };

  // What it wants, in words.
  const std::string wants =
      browser.listing                  ? "A run that was made here goes on with Train, where it was."
      : purpose == Purpose::open_model ? "A model is a folder with config.json and weights.safetensors."
      : purpose == Purpose::save_model ? "The model is written into a new folder here."
      : !browser.pair
          ? "One file, source and target of a line separated by a tab. Two aligned files: switch below."
      : browser.first.empty()
          ? "Two files whose lines belong together. First the source side."
          : "Now the target side, line by line with " + fs::path(browser.first).filename().string() + ".";
  body.y += paragraph(canvas, {body.x, body.y - 8}, body.width, wants, styles::caption(t));
  body.height = dialog.body.bottom() - body.y;

  if (purpose == Purpose::open_model) {
    int page = browser.listing ? 0 : 1;
    ui.Segmented({body.x, body.y, std::min(360.0f, body.width), 34}, "Look in",
                 {"Runs and models", "Folders"}, page);
    browser.listing = page == 0;
    body.y += 44;
    body.height -= 44;
  }
  if (browser.listing) {
    const std::string folder =
        model_lines(ui, browser, {body.x, body.y, body.width, dialog.body.bottom() - body.y - 44});
    if (!folder.empty()) {
      ui.push(OpenModel{folder});
      close = true;
    }
    const float width = ui.button_width("Cancel");
    if (ui.Button({dialog.body.right() - width, dialog.body.bottom() - 34, width, 32}, "Cancel"))
      close = true;
    end_dialog(ui);
    return close;
  }

  // Path, up, home.
  if (ui.IconButton({body.x, body.y + 2, 36, 32}, ui::Icon::up, "Folder above"))
    browser.enter(browser.folder.parent_path());
  if (ui.TextField({body.x + 44, body.y, body.width - 44, 36}, "Folder or file", browser.path_text,
                   {.focus = std::exchange(browser.focus_path, false)}) == ui::FieldEvent::entered) {
    browser.focus_path = true;  // the next name can be typed at once
    const fs::path typed = expanded(browser.path_text);
    std::error_code ignored;
    if (fs::is_regular_file(typed, ignored) && purpose == Purpose::open_corpus)
      open_file(typed.string());
    else if (purpose == Purpose::open_model && is_model_folder(typed))
      leave_with(OpenModel{typed.string()});
    else
      browser.enter(typed);
  }
  float top = body.y + 46;
  if (!browser.error.empty()) {
    const float used =
        paragraph(canvas, {body.x, top}, body.width, browser.error, {.size = 12, .color = t.wrong});
    ui.note({body.x, top, body.width, used}, "browser error", browser.error);
    top += used + 6;
  }

  // Lately opened, at the left where there is room.
  const float foot = 44, list_height = dialog.body.bottom() - top - foot;
  float list_x = body.x;
  const auto& recent =
      purpose == Purpose::open_corpus ? session.settings().recent_corpora : session.settings().recent_models;
  if (body.width > 560 && !recent.empty()) {
    canvas.text({body.x, top + 10}, "Recent", styles::section(t));
    float y = top + 26;
    for (const std::string& path : recent) {
      if (y + 28 > top + list_height) break;
      const Rect row{body.x - 8, y, 168, 28};
      const ui::Response response = ui.area(row, "recent: " + path, "item");
      ui.tooltip(row, path);
      if (response.hovered) canvas.rectangle(row, {.fill = t.hover, .radius = 4});
      const std::string words = fs::path(path).filename().empty() ? path : fs::path(path).filename().string();
      canvas.text({row.x + 8, row.center().y}, elided(canvas, words, styles::body(t), 152), styles::body(t));
      if (response.clicked) {
        if (purpose == Purpose::open_corpus)
          open_file(path);
        else if (purpose == Purpose::open_model)
          leave_with(OpenModel{path});
        else
          browser.enter(fs::path(path).parent_path());
      }
      y += 28;
    }
    list_x += 176;
  }

  // The folder's content.
  const Rect list{list_x, top, dialog.body.right() - list_x, list_height};
  canvas.rectangle(list, {.fill = t.paper, .outline = t.border, .radius = 6});
  const Rect rows = ui.begin_scroll(list.inset(1), "files",
                                    {list.width - 2, static_cast<float>(browser.entries.size()) * 28 + 8});
  std::optional<fs::path> enter;
  for (size_t i = 0; i < browser.entries.size(); ++i) {
    const FileBrowser::Entry& entry = browser.entries[i];
    const Rect row{rows.x + 4, rows.y + 4 + static_cast<float>(i) * 28, rows.width - 16, 28};
    if (row.bottom() < list.y - 40 || row.y > list.bottom() + 40) {
      ui.note(row, entry.name, "");
      continue;
    }
    const bool usable = entry.folder || purpose == Purpose::open_corpus;
    ui::Response response;
    if (usable) response = ui.area(row, entry.name, "item");
    if (response.hovered) canvas.rectangle(row, {.fill = t.hover, .radius = 4});
    const Color color = usable ? t.ink : t.faint_text;
    ui::draw_icon(canvas, entry.folder ? ui::Icon::folder : ui::Icon::file, {row.x + 14, row.center().y},
                  color);
    const std::string note = entry.model ? "model" : entry.size;
    const float room = row.width - 44 - ui.text_width(note, 12);
    canvas.text({row.x + 30, row.center().y},
                elided(canvas, entry.name, {.size = 14, .color = color}, room - 8),
                {.size = 14, .color = color});
    canvas.text({row.right() - 8, row.center().y}, note, styles::right(styles::caption(t)));
    if (!response.clicked) continue;
    const fs::path path = browser.folder / entry.name;
    if (entry.model && purpose == Purpose::open_model)
      leave_with(OpenModel{path.string()});
    else if (entry.folder)
      enter = path;
    else if (purpose == Purpose::open_corpus)
      open_file(path.string());
  }
  if (browser.entries.empty())
    canvas.text({list.x + 16, list.y + 22}, "This folder is empty.", styles::caption(t));
  ui.end_scroll();
  if (enter) {
    browser.enter(*enter);
    ui.scroll_to("files", {});
    ui.ask_frame(0);
  }

  // What stands at the foot depends on what is wanted.
  const float y = dialog.body.bottom() - 34;
  const float cancel = ui.button_width("Cancel");
  float right = dialog.body.right();
  if (purpose == Purpose::save_model) {
    const float save = ui.button_width("Save here");
    // What stands there already is looked at by the session, which asks before it replaces a model.
    if (ui.PrimaryButton({right - save, y, save, 32}, "Save here",
                         {.enabled = !browser.name.empty(), .id = "Save the model"}))
      leave_with(SaveModel{.folder = (browser.folder / browser.name).string()});
    right -= save + 8;
  } else if (purpose == Purpose::open_model) {
    const bool here = is_model_folder(browser.folder);
    const float open = ui.button_width("Open this folder");
    if (ui.PrimaryButton({right - open, y, open, 32}, "Open this folder", {.enabled = here}))
      leave_with(OpenModel{browser.folder.string()});
    right -= open + 8;
    if (!here) {
      const std::string words = "No model in this folder. Choose one marked “model”.";
      const Rect place{dialog.body.x, y + 5, right - cancel - 16 - dialog.body.x, 40};
      paragraph(canvas, {place.x, place.y}, place.width, words, styles::caption(t));
      ui.note(place, "no model here", words);
    }
  }
  if (ui.Button({right - cancel, y, cancel, 32}, "Cancel")) close = true;
  right -= cancel + 16;
  if (purpose == Purpose::save_model) {
    const Rect field{dialog.body.x, y - 2, std::min(280.0f, right - dialog.body.x), 36};
    if (ui.TextField(field, "Name of the folder", browser.name, {.hint = "my-model"}) != ui::FieldEvent::none)
      browser.error.clear();
  } else if (purpose == Purpose::open_corpus) {
    bool pair = browser.pair;
    if (ui.Switch({dialog.body.x, y + 7}, "Two files", pair)) {
      browser.pair = pair;
      browser.first.clear();
    }
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
