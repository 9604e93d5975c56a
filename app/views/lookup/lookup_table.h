// The picture that the facts and a row of attention share: one line a fact, with its key under the query, its
// score, what a hard and a soft lookup take of it, and its value over the two answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "engine/layers/soft_lookup.h"

namespace glassformer {

struct LookupLine {
  std::string name;
  double score = 0;  // −∞: hidden by a mask
  double hard = 0, soft = 0;
  bool lit = false;  // pinned or under the mouse: its name is outlined as a key
};

struct LookupTable {
  std::vector<LookupLine> lines;
  std::string name_title;                // "fact"
  std::string query_title = "query";     // or who asks
  std::string key_title, value_title;    // behind the badges: "hour", "guests"
  std::string score_formula;             // "Q · K / √8"
  double score_limit = 0;                // end of the scores' colours; 0: plain numbers
  std::string hard_answer, soft_answer;  // "argmax takes lunch"
  std::string soft_name = "softmax";
  // What stands in the cells of the key's and the value's column. Key: a line, -1 the query. Value: a line,
  // then argmax's answer, then softmax's.
  std::function<void(const Rect&cell, int line)> draw_key, draw_value;
};

struct LookupWidths {
  float name = 76, key = 44, score = 56, hard = 56, value = 52;  // the softmax column takes the rest
};

struct LookupTableLayout {
  Rect name, key, score, hard, soft, value;  // columns, from the head to the last answer
  float head = 24, row_height = 24;
  int lines = 0;
  float bottom() const { return name.bottom(); }
  Rect line(int line) const;  // -1: the query's; lines and lines + 1: the answers'
  Rect cell(const Rect& column, int line) const;
};

// Rows are as high as the area allows, from 20 to 42.
LookupTableLayout layout_lookup_table(const Rect& area, int lines, const LookupWidths& widths);
float lookup_table_height(int lines);  // the least
void draw_lookup_table(Canvas& canvas, const LookupTableLayout& layout, const LookupTable& table);

// The temperature with its value and its two ends; on screen a slider stands on its track, whose place is the
// logarithm of the temperature to base 10.
inline constexpr double kColdest = -2, kHottest = 3;
inline constexpr float kTemperatureHeight = 60;
void draw_temperature(Canvas& canvas, const Rect& area, double temperature);
Rect temperature_track(const Rect& area);

// A slider that a file shows where the screen has a live one.
void draw_still_slider(Canvas& canvas, const Rect& track, double share);

// What a lookup means for training: its answer, how steeply it depends on the query, and in words. Three
// lines of words take 102 px.
struct LookupVerdict {
  std::string soft_name = "softmax";
  bool soft = false;
  std::string answer;  // empty: none shown
  std::string slope;   // "slope 0"
  std::string words;
};
void draw_verdict(Canvas& canvas, const Rect& area, const LookupVerdict& verdict);

}  // namespace glassformer
