#include <algorithm>
#include <exception>
#include <future>
#include <tuple>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

std::string size_words(std::uintmax_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  if (bytes < 1'000'000) return std::to_string(bytes / 1000) + " kB";
  return format_fixed(static_cast<double>(bytes) / 1e6, 1) + " MB";
}

}  // namespace

bool is_model_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "config.json", ignored) && fs::exists(folder / "weights.safetensors", ignored);
}

void FileBrowser::start(Purpose why, const Settings& settings) {
  const std::string& at = settings.last_folder;
  purpose = why;
  listing = why == Purpose::open_model;
  focus_path = why != Purpose::save_model && why != Purpose::keep_run;
  const bool listing_still = being_listed.valid() &&  // asked for by a browser that was closed at once
                             !is_ready(being_listed);
  if (listing && !listing_still) {
    being_listed = std::async(
        std::launch::async, [recent = settings.recent_models] { return list_models(runs_folder(), recent); });
  }
  first.clear();
  chosen.clear();
  data = {};
  if (why == Purpose::choose_test || why == Purpose::open_session) pair = false;  // it is one file
  error.clear();
  name = why == Purpose::save_model ? "my-model" : "";
  std::error_code ignored;
  const fs::path wanted = at.empty() ? fs::path(expanded("~")) : fs::path(at);
  folder.clear();
  enter(fs::is_directory(wanted, ignored) ? wanted : fs::path("/"));
}

void FileBrowser::enter(const fs::path& to) {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(to, problem);
  fs::directory_iterator all(real, problem);
  if (problem) {
    error = "“" + to.string() + "” cannot be read: " + problem.message() + ".";
    return;
  }
  error.clear();
  folder = real;
  path_text = folder.string();
  entries.clear();
  for (; all != fs::directory_iterator(); all.increment(problem)) {
    if (problem) break;
    Entry entry{.name = all->path().filename().string()};
    if (entry.name.starts_with(".")) continue;
    std::error_code ignored;
    entry.folder = all->is_directory(ignored);
    if (entry.folder) {
      entry.model = is_model_folder(all->path());
    } else {
      const auto bytes = all->file_size(ignored);
      if (!ignored) entry.size = size_words(bytes);
    }
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::tuple(!a.folder, a.name) < std::tuple(!b.folder, b.name);
  });
}

namespace {

constexpr float kLine = 48, kBrowserHeading = 34;

const char* heading_of(ListedModel::Kind kind) {
  switch (kind) {
    case ListedModel::Kind::run:
      return "Runs made here";
    case ListedModel::Kind::recent:
      return "Opened lately";
    case ListedModel::Kind::bundled:
      break;
  }
  return "With the program";
}

void take_list(ui::Ui& ui, FileBrowser& browser) {
  if (!browser.being_listed.valid()) return;
  if (!is_ready(browser.being_listed)) {
    ui.ask_frame(0.05);
    return;
  }
  try {
    browser.listed = browser.being_listed.get();
  } catch (const std::exception& error) {
    browser.error = failure_words(error);
  }
}

float content_height(const std::vector<ListedModel>& listed) {
  float height = 8;
  for (size_t i = 0; i < listed.size(); ++i) {
    if (i == 0 || listed[i].kind != listed[i - 1].kind) height += kBrowserHeading;
    height += kLine;
  }
  return height;
}

}  // namespace

std::string model_lines(ui::Ui& ui, FileBrowser& browser, const Rect& list) {
  take_list(ui, browser);
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  canvas.rectangle(list, {.fill = t.paper, .outline = t.border, .radius = 6});
  const Rect rows =
      ui.scroll.begin(list.inset(1), "models", {list.width - 2, content_height(browser.listed)});
  std::string chosen;
  float y = rows.y + 4;
  for (size_t i = 0; i < browser.listed.size(); ++i) {
    const ListedModel& model = browser.listed[i];
    if (i == 0 || model.kind != browser.listed[i - 1].kind) {
      canvas.text({rows.x + 16, y + 20}, heading_of(model.kind), styles::section(t));
      y += kBrowserHeading;
    }
    const Rect row{rows.x + 4, y, rows.width - 16, kLine};
    y += kLine;
    if (row.bottom() < list.y || row.y > list.bottom()) {
      ui.note(row, "model: " + model.folder, model.name);
      continue;
    }
    const ui::Response response = ui.area(row, "model: " + model.folder, "item");
    ui.tooltip(row, model.folder);
    ui.note(row, "model: " + model.folder, model.name + ": " + model.details);
    if (response.hovered) canvas.rectangle(row, {.fill = t.hover, .radius = 4});
    const float date = ui.text_width(model.date, 12);
    canvas.text({row.x + 12, row.y + 15},
                elided(canvas, model.name, styles::heading(t), row.width - date - 44), styles::heading(t));
    canvas.text({row.right() - 12, row.y + 15}, model.date, styles::right(styles::caption(t)));
    canvas.text({row.x + 12, row.y + 34}, elided(canvas, model.details, styles::caption(t), row.width - 24),
                styles::caption(t));
    if (response.clicked) chosen = model.folder;
  }
  if (browser.listed.empty()) {
    const char* words =
        browser.being_listed.valid() ? "Reading…" : "No run was made here yet: look in the folders.";
    canvas.text({list.x + 16, list.y + 22}, words, styles::caption(t));
  }
  ui.scroll.end();
  return chosen;
}

}  // namespace glassformer
