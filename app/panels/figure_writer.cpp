#include "app/panels/figure_writer.h"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/failure.h"

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
    if (figure.done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    notices.push_back(figure.done.get());
    return true;
  });
  return notices;
}

}  // namespace glassformer
