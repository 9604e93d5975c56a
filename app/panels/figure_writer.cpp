#include "app/panels/figure_writer.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <type_traits>
#include <utility>

#include "app/canvas/file_canvas.h"
#include "app/format/part_names.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

std::string caption_of(const FigureContent& content) {
  return caption_text(content);
}
std::string caption_of(const PlainFigure& figure) {
  return caption_text(figure);
}

template <class Content>
Notice written(Content& content, const FigureRequest& request) {
  content.fonts = find_font_files();
  try {
    save_figure(content, request);
  } catch (const std::exception& error) {
    return {.place = Place::figure,
            .error = true,
            .text = failure_words(error),
            .action = "Choose another place",
            .command = OpenDialog{std::is_same_v<Content, PlainFigure> ? "save runs figure" : "save figure"}};
  }
  return {.place = Place::figure, .text = "Saved " + request.path + "."};
}

}  // namespace

std::string free_path(const std::filesystem::path& wanted, std::span<const std::string> taken,
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

namespace {

// Away from the screen, under a name that is free.
template <class Content>
std::pair<std::string, std::future<Notice>> begun(Content content, FigureRequest request,
                                                  std::span<const std::string> taken,
                                                  std::function<void()> wake) {
  request.path = free_path(request.path, taken, caption_of(content));
  auto work = [content = std::move(content), request, wake = std::move(wake)]() mutable {
    Notice notice = written(content, request);
    if (wake) wake();
    return notice;
  };
  return {request.path, std::async(std::launch::async, std::move(work))};
}

FigureRequest request_of(const SaveFigure& what, Point size) {
  return {
      .path = what.path, .size = size, .scale = what.scale, .white = what.white, .print_cm = what.print_cm};
}

}  // namespace

std::vector<std::string> FigureWriter::taken() const {
  std::vector<std::string> paths;
  for (const Figure& figure : figures_) paths.push_back(figure.path);
  return paths;
}

void FigureWriter::start(FigureContent content, const SaveFigure& what, Point stage,
                         std::function<void()> wake) {
  const Point size{std::max(1000.0f, stage.x), std::max(704.0f, stage.y)};
  auto [path, done] = begun(std::move(content), request_of(what, size), taken(), std::move(wake));
  figures_.push_back({std::move(path), std::move(done)});
}

void FigureWriter::start(PlainFigure figure, const SaveFigure& what, Point size, std::function<void()> wake) {
  auto [path, done] = begun(std::move(figure), request_of(what, size), taken(), std::move(wake));
  figures_.push_back({std::move(path), std::move(done)});
}

std::vector<Notice> FigureWriter::take_written() {
  std::vector<Notice> notices;
  std::erase_if(figures_, [&](Figure& figure) {
    if (!is_ready(figure.done)) return false;
    notices.push_back(figure.done.get());
    return true;
  });
  return notices;
}

namespace fs = std::filesystem;

bool figure_dialog(ui::Ui& ui, FigureForm& form, Point window) {
  std::vector<std::string> formats{"PNG", "SVG", "CSV"}, endings{".png", ".svg", ".csv"};
  if (writes_pdf()) formats.insert(formats.begin() + 2, "PDF"), endings.insert(endings.begin() + 2, ".pdf");
  if (form.of_heads && !form.of_runs) formats.emplace_back("Web page"), endings.emplace_back(".html");
  form.format = std::min(form.format, static_cast<int>(formats.size()) - 1);
  const bool choice = !form.of_runs && !form.panels.empty();
  const float rows = choice ? 342.0f : 296.0f;
  const DialogBox dialog = begin_dialog(ui, window, "Save figure", {520, rows + 130});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body = ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - 48},
                                    "figure form", {outer.width + 16, rows});
  const float x = body.x + 8, width = outer.width;
  float y = body.y;
  const auto label = [&](const char* words) {
    canvas.text({x, y + 16}, words, styles::caption(t));
    return x + 96;
  };
  float at = label("Format");
  Segmented(ui, {at, y, width - 96, 34}, "Format", formats, form.format);
  y += 46;
  const std::string ending = endings[static_cast<std::size_t>(form.format)];
  // For a report type has to come out in print size: the picture is made for a column's width.
  const bool png = ending == ".png", page = ending == ".html";
  const bool picture = !page && ending != ".csv";
  if (picture && choice) {
    at = label("What");
    std::vector<std::string> choices{"the whole view"};
    std::ranges::transform(form.panels, std::back_inserter(choices), part_words);
    Combo(ui, {at, y, width - 96, 36}, "What", choices, form.what);
    y += 46;
  }
  if (picture) {
    at = label("Width");
    Segmented(ui, {at, y, width - 96, 34}, "Width", {"as on screen", "8 cm", "16 cm"}, form.print);
    y += 46;
  }
  at = label("Size");
  if (png && form.print == 0) {
    Segmented(ui, {at, y, width - 96, 34}, "Size", {"1×", "2×", "3×", "4×"}, form.scale);
  } else {
    const char* const words = page       ? "every head, to look at in a browser"
                              : !picture ? "the numbers, in full"
                              : png      ? "300 dots an inch, for a column of print"
                                         : "lines and text stay lines and text";
    canvas.text({at, y + 16}, words, styles::caption(t));
  }
  y += 46;
  if (picture) {
    Switch(ui, {at, y + 7}, "On white", form.white);
    y += 40;
  }
  at = label("Folder");
  TextField(ui, {at, y, width - 96, 36}, "Folder", form.folder, {.hint = "~/Pictures"});
  y += 46;
  at = label("Name");
  const bool entered =
      TextField(ui, {at, y, width - 96, 36}, "Name", form.name,
                {.hint = "attention", .focus = std::exchange(form.focus, false)}) == ui::FieldEvent::entered;
  y += 44;
  canvas.text({at, y + 8}, "a caption goes beside it; an older picture of that name is kept",
              styles::caption(t));
  ui.scroll.end();

  std::string file = expanded(form.name);
  if (!file.ends_with(ending)) file += ending;
  const bool ready = !form.name.empty() && !form.folder.empty();
  const DialogAnswer answer =
      dialog_answer(ui, outer, "Save", {.enabled = ready, .id = "Save the figure"}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go) {
    const SaveFigure wanted{.path = (fs::path(expanded(form.folder)) / file).string(),
                            .scale = form.scale + 1.0,
                            .print_cm = !picture ? 0.0 : 8.0 * form.print,
                            .white = form.white,
                            .panel = !picture || form.what == 0
                                         ? std::string()
                                         : form.panels.at(static_cast<size_t>(form.what - 1))};
    if (form.of_runs)
      form.wanted = wanted;
    else
      ui.push(wanted);
  }
  return answer != DialogAnswer::none || dialog.closed;
}

}  // namespace glassformer
