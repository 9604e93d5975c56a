#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

constexpr std::size_t kColumnsShown = 6;
constexpr float kColumnRow = 22, kColumnGap = 10;

// "2 fr", "3 The cat sleeps."
std::string column_words(const ReadColumns& columns, std::size_t column) {
  const std::vector<std::string>& named = columns.names.empty() ? columns.first.front() : columns.names;
  const std::string name = column < named.size() ? named[column] : "";
  return std::to_string(column + 1) + (name.empty() ? "" : " " + name);
}

// The two that are read, and the first of the others, as far as they can be distinguished.
std::vector<std::size_t> shown_columns(const ReadColumns& columns) {
  std::vector<std::size_t> shown{columns.source, columns.target};
  for (std::size_t i = 0; i < columns.count && shown.size() < kColumnsShown; ++i)
    if (i != columns.source && i != columns.target) shown.push_back(i);
  std::ranges::sort(shown);
  return shown;
}

// The first lines as in the file; what is read is darker and has more room.
float first_lines(ui::Ui& ui, const ReadColumns& columns, Point top, float width) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<std::size_t> shown = shown_columns(columns);
  const auto is_read = [&](std::size_t column) {
    return column == columns.source || column == columns.target;
  };
  const float parts = 2 * 3 + static_cast<float>(shown.size() - 2);
  const float part = (width - kColumnGap * static_cast<float>(shown.size() - 1)) / parts;
  float x = top.x;
  for (const std::size_t column : shown) {
    const float room = is_read(column) ? 3 * part : part;
    const TextStyle head = styles::section(t);
    const std::string name = column == columns.source ? "source" : column == columns.target ? "target" : "";
    canvas.text({x, top.y + 10}, elided(canvas, name.empty() ? std::to_string(column + 1) : name, head, room),
                head);
    TextStyle style = styles::caption(t);
    if (is_read(column)) style.color = t.ink;
    for (std::size_t i = 0; i < columns.first.size(); ++i) {
      const std::vector<std::string>& row = columns.first[i];
      const float y = top.y + kColumnRow * static_cast<float>(i + 1);
      if (column < row.size()) canvas.text({x, y + 10}, elided(canvas, row[column], style, room), style);
    }
    x += room + kColumnGap;
  }
  float y = top.y;
  for (const std::vector<std::string>& row : columns.first) {
    y += kColumnRow;
    const auto cell = [&](std::size_t column) { return column < row.size() ? row[column] : ""; };
    ui.note({top.x, y, width, kColumnRow},
            "first line " + std::to_string(std::lround((y - top.y) / kColumnRow)),
            cell(columns.source) + " | " + cell(columns.target));
  }
  return y + kColumnRow + 6;
}

}  // namespace

float data_columns(ui::Ui& ui, const DataForm& form, const DataPreview& preview, Point top, float width) {
  const ReadColumns& columns = form.data->report.columns;
  if (columns.count <= 2 || columns.first.empty()) return top.y;
  const Theme& t = ui.theme();
  ui.canvas().text({top.x, top.y + 10}, "Columns of the table", styles::heading(t));
  float y = top.y + 26;
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < columns.count; ++i) choices.push_back(column_words(columns, i));
  int source = static_cast<int>(columns.source), target = static_cast<int>(columns.target);
  const auto choose = [&](const char* label, int& chosen, int& other) {
    const int before = chosen;
    ui.canvas().text({top.x, y + 18}, label, styles::caption(t));
    const bool changed = Combo(ui, {top.x + width * 0.4f, y, width * 0.6f, 34}, label, choices, chosen);
    y += 40;
    if (changed && chosen == other) other = before;
    return changed;
  };
  bool changed = choose("Source column", source, target);
  changed = choose("Target column", target, source) || changed;
  if (changed) {
    DataOptions options = preview.options;
    options.training.choices.columns = std::to_string(source + 1) + "," + std::to_string(target + 1);
    ui.push(ReadData{std::move(options)});
  }
  return first_lines(ui, columns, {top.x, y + 2}, width) + 10;
}

namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string validation_words(const DataSource& validation) {
  if (validation.empty()) return "split off the data";
  if (validation.source.empty()) return file_name(validation.corpus);
  return file_name(validation.source) + ", " + file_name(validation.target);
}

std::string rejected_words(const DataReport& report) {
  const auto& rejected = report.validation_rejected;
  if (rejected.empty()) return {};
  return format_count(static_cast<long long>(rejected.size())) + " of " +
         format_count(report.validation_lines) + " lines to validate with were rejected, the first is line " +
         format_count(rejected[0].line) + ": " + rejected[0].reason + ".";
}

}  // namespace

float held_out_files(ui::Ui& ui, const DataForm& form, const DataPreview& preview, Point top, float width) {
  const Theme& t = ui.theme();
  const DataOptions& options = preview.options;
  const DataReport& report = form.data->report;
  float y = top.y;
  ui.canvas().text({top.x, y + 10}, "Kept apart", styles::heading(t));
  y += 26;
  // A file of one's own, how another is chosen, and the way back.
  const auto row = [&](const char* label, const std::string& words, const char* dialog, DataOptions without) {
    float right = top.x + width;
    const auto button = [&](const char* text) {
      const float room = ui.button_width(text);
      right -= room;
      return Rect{right, y + 2, room, 32};
    };
    constexpr const char* kChoose = "File…";
    const std::string what = label;
    if (Button(ui, button(kChoose), kChoose, {.id = what + " file"})) ui.push(OpenDialog{dialog});
    right -= 8;
    const bool own = without.validation != options.validation || without.leave_out != options.leave_out;
    if (own && Button(ui, button("None"), "None", {.id = "No " + what + " file"}))
      ui.push(ReadData{std::move(without)});
    const float left = top.x + width * 0.28f;
    ui.canvas().text({top.x, y + 18}, label, styles::caption(t));
    ui.canvas().text({left, y + 18}, elided(ui.canvas(), words, styles::caption(t), right - 8 - left),
                     styles::caption(t));
    ui.note({left, y + 8, right - 8 - left, 20}, "data: " + what, words);
    y += 40;
  };
  DataOptions split = options, trained = options;
  split.validation = {};
  trained.leave_out.clear();
  row("Validation", validation_words(options.validation), "open validation", std::move(split));
  row("Test", options.leave_out.empty() ? "none" : file_name(options.leave_out) + ", never learned from",
      "open test", std::move(trained));

  const auto show = [&](const std::string& words, const TextStyle& style) {
    if (words.empty()) return;
    ui.note({top.x, y, width, 16}, "kept apart, note", words);
    y += paragraph(ui.canvas(), {top.x, y}, width, words, style) + 2;
  };
  if (!preview.error.empty() && preview.error != form.error) {
    show(preview.error, {.size = 12, .color = t.wrong});
  } else {
    show(rejected_words(report), styles::caption(t));
    for (const std::string& note : report.validation_notes) show(note, styles::caption(t));
  }
  return y + 8;
}

}  // namespace glassformer
