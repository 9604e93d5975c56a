#include "app/figure/figure.h"

#include <algorithm>
#include <filesystem>

#include "app/canvas/file_canvas.h"
#include "app/canvas/svg_canvas.h"
#include "app/figure/describe.h"
#include "app/figure/web_page.h"
#include "app/format/number_format.h"
#include "app/format/part_names.h"
#include "app/views/common/page.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr float kSmallest = 200, kLargest = 8000;
constexpr double kMostPixels = 200e6;
constexpr double kPixelsPerCm = 96 / 2.54, kDotsPerCm = 300 / 2.54;
constexpr double kNarrowest = 5, kWidest = 40;  // cm of print

std::string ending(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return extension;
}

void check(const FigureRequest& request) {
  const auto fits = [](float length) { return length >= kSmallest && length <= kLargest; };
  if (!fits(request.size.x) || !fits(request.size.y)) {
    throw Error("figure", "width and height must lie between 200 and 8000 pixels");
  }
  if (request.print_cm != 0 && !(request.print_cm >= kNarrowest && request.print_cm <= kWidest))
    throw Error("figure", "the width of print must lie between 5 and 40 cm");
  if (!(request.scale >= 1 && request.scale <= 4))
    throw Error("figure", "the scale must lie between 1 and 4");
  if (double(request.size.x) * double(request.size.y) * request.scale * request.scale > kMostPixels) {
    throw Error("figure",
                "the picture would have more than 200 million pixels; take a smaller size or scale");
  }
}

void check_panel(const FigureContent& content) {
  if (content.panel.empty()) return;
  if (content.second) throw Error("panel", "of two compared Scenes the whole picture alone is saved");
  const std::vector<std::string> panels = content.view->traits().panels;
  if (std::ranges::find(panels, content.panel) != panels.end()) return;
  std::string names;
  for (const std::string& each : panels) names += (names.empty() ? "" : ", ") + each;
  throw Error("panel", panels.empty() ? std::string("this view is one picture; leave the panel out")
                                      : "this view has no panel “" + content.panel + "”; it has: " + names);
}

// So many effective pixels that type of 12 is of 9 points on paper. The height follows the width.
FigureRequest as_wide_as_print(FigureRequest request) {
  const float width = std::max(kSmallest, static_cast<float>(std::round(request.print_cm * kPixelsPerCm)));
  request.size = {width, std::max(kSmallest, std::round(request.size.y * width / request.size.x))};
  return request;
}

// In a column of print, two that have no room side by side are one above the other.
bool is_stacked(const FigureContent& content, const FigureRequest& request) {
  return content.second && request.print_cm > 0 &&
         stacks(content.view->minimum_size(content.input()), content.second->as,
                as_wide_as_print(request).size.x);
}

// A view that needs more than was asked for gets it: on screen it would scroll.
FigureRequest roomy(const FigureContent& content, FigureRequest request) {
  if (!content.panel.empty() && request.print_cm <= 0) {
    // A page is a whole picture, as the view that opens with another one.
    const std::unique_ptr<View> page = content.view->clone();
    if (dynamic_cast<const PagedView*>(page.get()) == nullptr || !page->open_panel(content.panel))
      return request;
    const Point least = page->minimum_size(content.input());
    request.size = {std::max(request.size.x, std::min(least.x, kLargest)),
                    std::max(request.size.y, std::min(least.y, kLargest))};
    return request;
  }
  // In a column of print a part is as high as its view needs to be, if that is not much more than its width.
  if (!content.panel.empty()) {
    const float least = std::min(content.view->minimum_size(content.input()).y, 1.15f * request.size.x);
    request.size.y = std::max(request.size.y, std::round(least));
    return request;
  }
  Point least = content.view->minimum_size(content.input());
  if (content.second)
    least = is_stacked(content, request) ? stacked_size(least, {})
                                         : comparison_minimum(least, content.second->as);
  request.size = {std::max(request.size.x, std::min(least.x, kLargest)),
                  std::max(request.size.y, std::min(least.y, kLargest))};
  return request;
}

void draw_content(Canvas& canvas, const Rect& area, const FigureContent& content) {
  ViewInput input = content.input();
  input.dark_theme = canvas.theme().dark;
  if (!content.panel.empty()) {
    content.view->panel(content.panel, canvas, input, area);
  } else if (content.second) {
    draw_comparison(canvas, area, content.second->as, *content.view, *content.second->view, input,
                    content.second->compared);
  } else {
    content.view->picture(canvas, input, area);
  }
}

std::string without_end(std::string line) {
  line.pop_back();
  return line;
}

// As a caption is printed.
std::string caption_line(const std::string& text) {
  return printable(to_file_text(text)) + "\n";
}

// A request whose size is settled, on the surface that its file's ending asks for.
std::string picture_bytes(const PlainFigure& figure, FigureRequest request) {
  if (request.print_cm > 0)
    request.scale = std::clamp(request.print_cm * kDotsPerCm / static_cast<double>(request.size.x), 1.0, 4.0);
  check(request);
  const std::string kind = ending(request.path);
  Theme theme = request.white ? light_theme() : figure.theme;
  if (request.white) theme.paper = theme.panel;  // what is laid behind words must not show
  std::string title = caption_line(figure.caption);
  title.pop_back();  // its line end
  const FigureOptions options{.size = request.size,
                              .white = request.white,
                              .title = title,
                              .description = printable(figure.description),
                              .print_cm = request.print_cm};
  const auto drawn = [&](auto&& canvas) {
    figure.draw(canvas, {0, 0, request.size.x, request.size.y});
    return canvas.finish();
  };
  if (kind == ".svg") return drawn(SvgCanvas(theme, figure.fonts, options));
  if (kind == ".pdf") return drawn(FileCanvas(FileKind::pdf, theme, figure.fonts, options));
  if (kind == ".png")
    return drawn(FileCanvas(FileKind::png, theme, figure.fonts, options, static_cast<float>(request.scale)));
  if (kind == ".csv") return csv_text(figure.tables);
  if (kind == ".txt") return figure.text.empty() ? caption_line(figure.caption) : figure.text;
  throw Error(request.path, "a figure's name ends in " + picture_endings() +
                                ", .html, .csv or .txt; this one ends in “" + kind + "”");
}

// Of both Scenes one after the other, or of what the one picture shows.
std::vector<NumberTable> tables_of(const FigureContent& content) {
  std::vector<NumberTable> tables =
      shown_numbers(*with_panel(*content.view, content.panel), content.shown_input());
  if (!content.second || content.second->as != ComparedAs::both) return tables;
  const Compared& compared = content.second->compared;
  for (NumberTable& table : tables) table.title += ", " + compared.first_name;
  for (NumberTable& table : content.second->view->numbers(second_input(content.input(), compared))) {
    table.title += ", " + compared.second_name;
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

ViewInput FigureContent::input() const {
  ViewInput input =
      view_input(*this, *result,
                 {.pinned = selection, .shown = selection, .reduced_motion = true, .dark_theme = theme.dark});
  // What is still being read will not be there in time.
  input.training_text_state = training_text ? TextState::there : TextState::unknown;
  input.covered = covered;
  return input;
}

std::string csv_text(const std::vector<NumberTable>& tables) {
  std::string text;
  for (const NumberTable& numbers : tables) {
    Table table = table_of(numbers);
    table.columns.front() = to_file_text(table.title);
    text += (text.empty() ? "" : "\r\n") + to_csv(table, "\r\n");
  }
  return text;
}

ViewInput FigureContent::shown_input() const {
  return second ? compared_input(input(), second->compared, second->as) : input();
}

std::string caption_text(const PlainFigure& figure) {
  return caption_line(figure.caption);
}

std::string shown_words(const FigureContent& content) {
  const ViewInput input = content.shown_input();
  std::string text = shown_caption(*with_panel(*content.view, content.panel), input);
  if (content.view->traits().of_recurrent) return text;
  if (!content.panel.empty()) text += " Shown alone: " + part_words(content.panel) + ".";
  return text;
}

std::string caption_text(const FigureContent& content, const FigureRequest& request) {
  const ViewInput input = content.shown_input();
  const auto quoted_translation = [](const SceneResult& result) {
    return "\"" + result.scene.sentences.front().source + "\" -> \"" + result.translation + "\"";
  };
  std::string text = shown_words(content);
  const ViewTraits traits = content.view->traits();
  if (traits.of_recurrent || !traits.numbers_from.empty()) return caption_line(text);
  text += " Model: " + content.model_name + ", step " + std::to_string(input.snapshot.step);
  if (!input.run.data_name.empty()) {
    text += "; data: " + input.run.data_name + ", seed " + std::to_string(input.run.options.seed);
  }
  text += ". Sentence: " + quoted_translation(input.result) + ".";
  if (content.second) {
    const Compared& two = content.second->compared;
    const ComparedAs as = content.second->as;
    const bool first = as == ComparedAs::both || as == ComparedAs::first;
    const bool stacked = is_stacked(content, request);
    text += as == ComparedAs::both ? (stacked ? " Above: " : " Left: ") : " Shown: ";
    text += first ? two.first_name : two.second_name;
    if (as == ComparedAs::difference)
      text += ", " + quoted_translation(*two.second) + ", less " + two.first_name + ".";
    else
      text += (as == ComparedAs::both ? (stacked ? "; below: " : "; right: ") : "; compared with ") +
              (first ? two.second_name : two.first_name) + ", " +
              quoted_translation(first ? *two.second : *two.first) + ".";
  }
  return caption_line(text);
}

Description described(const FigureContent& content) {
  check_panel(content);
  Description words = described(*with_panel(*content.view, content.panel), content.shown_input());
  if (!content.second) return words;
  const Compared& two = content.second->compared;
  std::string which = "Two are compared, " + two.first_name + " and " + two.second_name + "; ";
  switch (content.second->as) {
    case ComparedAs::both:
    case ComparedAs::first:
      which += "what follows is told of the first.";
      break;
    case ComparedAs::second:
      which += "what follows is told of the second.";
      break;
    case ComparedAs::difference:
      which += "the numbers are those of the second less those of the first.";
      break;
  }
  words.sentences.insert(words.sentences.begin(), which);
  return words;
}

std::string figure_bytes(const FigureContent& content, const FigureRequest& asked) {
  check(asked);
  check_panel(content);
  content.view->finish(content.input());  // its size may hang on it
  const FigureRequest request = roomy(content, asked.print_cm > 0 ? as_wide_as_print(asked) : asked);
  const std::string kind = ending(request.path);
  if (kind == ".html" && !content.view->traits().shows_weights)
    throw Error(request.path, "a web page shows the heads of the attention; choose the view attention");
  if (kind == ".html")
    return attention_web_page(content.shown_input(), without_end(caption_text(content, asked)));
  const Description words = kind == ".svg" || kind == ".txt" ? described(content) : Description();
  return picture_bytes(
      {.draw = [&](Canvas& canvas, const Rect& area) { draw_content(canvas, area, content); },
       .caption = without_end(caption_text(content, asked)),
       .tables = kind == ".csv" ? tables_of(content) : std::vector<NumberTable>(),
       .text = kind == ".txt" ? text_of(words) : "",
       .description = kind == ".svg" ? alternative_text(words) : "",
       .theme = content.theme,
       .fonts = content.fonts},
      request);
}

std::string picture_endings() {
  return writes_pdf() ? ".png, .svg, .pdf" : ".png, .svg";
}

std::string figure_bytes(const PlainFigure& figure, const FigureRequest& asked) {
  check(asked);
  return picture_bytes(figure, asked.print_cm > 0 ? as_wide_as_print(asked) : asked);
}

std::string caption_path(const std::string& figure) {
  return std::filesystem::path(figure).replace_extension(".caption.txt").string();
}

void write_with_caption(const std::string& path, std::string_view bytes, const std::string& caption) {
  check_named_after(caption_path(path));
  write_atomically(path, bytes);
  write_named_after(caption_path(path), caption);
}

void save_figure(const PlainFigure& figure, const FigureRequest& request) {
  write_with_caption(request.path, figure_bytes(figure, request), caption_text(figure));
}

void save_figure(const FigureContent& content, const FigureRequest& request) {
  // First the picture: what it waits for, the caption speaks of.
  const std::string bytes = figure_bytes(content, request);
  write_with_caption(request.path, bytes, caption_text(content, request));
}

}  // namespace glassformer
