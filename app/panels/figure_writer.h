// Figures on their way to files. Each is drawn from values held fast, on a worker: the screen stays live.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <span>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/scene/command.h"
#include "app/session/session.h"

namespace glassformer {

// The path, or with a number after its name, "attention-2.png", when a file is there or the caption of
// another figure, which says something else, would be its own.
std::string free_path(const std::filesystem::path& wanted, std::span<const std::string> taken,
                      const std::string& caption);

class FigureWriter {
 public:
  // `wake` is called by the worker when the figure is written.
  void start(FigureContent content, const SaveFigure& what, Point stage, std::function<void()> wake);
  void start(PlainFigure figure, const SaveFigure& what, Point size, std::function<void()> wake);
  std::vector<Notice> take_written();  // what became of those that are done
  bool writing() const { return !figures_.empty(); }

 private:
  std::vector<std::string> taken() const;
  struct Figure {
    std::string path;
    std::future<Notice> done;
  };
  std::vector<Figure> figures_;
};

}  // namespace glassformer
