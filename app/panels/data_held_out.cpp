#include <filesystem>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"

namespace glassformer {

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
    if (ui.Button(button(kChoose), kChoose, {.id = what + " file"})) ui.push(OpenDialog{dialog});
    right -= 8;
    const bool own = without.validation != options.validation || without.leave_out != options.leave_out;
    if (own && ui.Button(button("None"), "None", {.id = "No " + what + " file"}))
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

  const auto tell = [&](const std::string& words, const TextStyle& style) {
    if (words.empty()) return;
    ui.note({top.x, y, width, 16}, "kept apart, note", words);
    y += paragraph(ui.canvas(), {top.x, y}, width, words, style) + 2;
  };
  if (!preview.error.empty() && preview.error != form.error) {
    tell(preview.error, {.size = 12, .color = t.wrong});
  } else {
    tell(rejected_words(report), styles::caption(t));
    for (const std::string& note : report.validation_notes) tell(note, styles::caption(t));
  }
  return y + 8;
}

}  // namespace glassformer
