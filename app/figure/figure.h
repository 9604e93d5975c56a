// Figures for reports: a view's picture as PNG, SVG or PDF, its numbers as CSV, and a caption beside each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/describe.h"
#include "app/fonts/font_files.h"
#include "app/theme/theme.h"
#include "app/views/common/comparison.h"
#include "app/views/common/view.h"

namespace glassformer {

struct FigureRequest {
  // .png, .svg, .pdf, .csv, .txt: the picture in words, or .html: the heads of an attention as a page
  std::string path;
  Point size = {1000, 704};  // effective pixels; a view that needs more gets it
  double scale = 2;          // device pixels in one effective pixel, 1 to 4; PNG alone
  bool white = true;         // white background and the light theme's ink; else the theme's own paper
  // The width of a column of print, 5 to 40: type of 12 becomes 9 points, or smaller where the view needs
  // more room; a PNG has 300 dots an inch. 0: by size and scale.
  double print_cm = 0;
};

// Everything a picture is drawn from, held so that a worker can draw it while the screen stays live.
struct FigureContent : Shown {
  std::shared_ptr<const View> view;
  Selection selection;
  Theme theme;
  FontFiles fonts;
  // Of a comparison; absent: one Scene is drawn.
  struct Second {
    ComparedAs as = ComparedAs::both;
    std::shared_ptr<const View> view;  // shows the other Scene
    Compared compared;                 // both there
  };
  std::optional<Second> second = {};
  std::optional<CoveredRow> covered = {};  // by a page of a lesson
  std::string panel = {};  // one of ViewTraits::panels alone; empty: the whole picture. Not of a comparison

  ViewInput input() const;        // of the first; refers to this object
  ViewInput shown_input() const;  // of a difference, or of the second where it alone is drawn
};

// A picture that is of no view: the curves of the kept runs.
struct PlainFigure {
  std::function<void(Canvas&, const Rect&)> draw;  // called on a worker
  std::string caption;
  std::vector<NumberTable> tables;  // of the CSV
  std::string text = {};            // of the .txt; empty: the caption
  std::string description = {};     // in an SVG, for whoever cannot see it
  Theme theme;
  FontFiles fonts;
};
// ".png, .svg, .pdf", or the first two in a build without Cairo.
std::string picture_endings();
std::string figure_bytes(const PlainFigure& figure, const FigureRequest& request);
void save_figure(const PlainFigure& figure, const FigureRequest& request);

// The view in words; of two that are compared, of which one that is.
Description described(const FigureContent& content);

// The file's bytes. Throws Error on an unknown ending, on a panel that the view does not have, and on a size
// or scale out of range.
std::string figure_bytes(const FigureContent& content, const FigureRequest& request);

// NAME.caption.txt, beside the figure NAME.png.
std::string caption_path(const std::string& figure);

// The file and its caption: Error, and neither is written, when somebody's file has the caption's name.
void write_with_caption(const std::string& path, std::string_view bytes, const std::string& caption);
// Writes the file and its caption. Throws Error when the folder cannot be written.
void save_figure(const FigureContent& content, const FigureRequest& request);

// What the picture shows, the part of a panel too, and which two are compared: a caption's first sentences.
std::string shown_words(const FigureContent& content);
// Model, corpus, step, seed, selection and sentence, in two sentences, ASCII signs where the screen has
// others.
std::string caption_text(const FigureContent& content, const FigureRequest& request = {});
std::string caption_text(const PlainFigure& figure);

// One table after another, RFC 4180; a number that there is not is an empty cell.
std::string csv_text(const std::vector<NumberTable>& tables);

}  // namespace glassformer
