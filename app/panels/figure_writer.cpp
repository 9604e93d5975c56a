#include "app/panels/figure_writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

Notice written(FigureContent& content, const FigureRequest& request) {
  content.fonts = find_font_files();
  try {
    save_figure(content, request);
  } catch (const std::exception& error) {
    return {.place = Place::figure,
            .error = true,
            .text = failure_words(error),
            .action = "Choose another place",
            .command = OpenDialog{"save figure"}};
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

void FigureWriter::start(FigureContent content, const SaveFigure& what, Point stage,
                         std::function<void()> wake) {
  std::vector<std::string> taken;
  for (const Figure& figure : figures_) taken.push_back(figure.path);
  const FigureRequest request{.path = free_path(what.path, taken, caption_text(content)),
                              .size = {std::max(1000.0f, stage.x), std::max(704.0f, stage.y)},
                              .scale = what.scale,
                              .white = what.white,
                              .print_cm = what.print_cm};
  auto work = [content = std::move(content), request, wake = std::move(wake)]() mutable {
    Notice notice = written(content, request);
    if (wake) wake();
    return notice;
  };
  figures_.push_back({request.path, std::async(std::launch::async, std::move(work))});
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
