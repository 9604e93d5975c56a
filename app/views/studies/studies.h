// Studies: what tutorials claim of Transformers, what one would expect, and what runs over several seeds say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reading/background.h"
#include "app/session/kept_studies.h"
#include "app/session/program_process.h"
#include "app/ui/ui.h"
#include "app/views/common/page.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

// One study, its results, and all that is computed of them.
struct StudyEntry {
  std::string title;    // its file's name where it cannot be read
  std::string problem;  // why it or its results cannot be read, a sentence; empty: they were
  KeptStudy kept = {};
  std::vector<RuleResult> rules = {};
  std::vector<std::vector<StudyMean>> means = {};  // of a measure and a setting
  Verdict verdict = Verdict::open;
  std::optional<std::vector<Verdict>> here = {};  // of the runs made here, by rule; nothing: none yet
  std::vector<std::pair<std::string, std::string>> models = {};  // of them: setting and seed, and the folder
  std::string cannot_run = {};                                   // why not, a sentence; empty: it can

  bool readable() const { return !kept.study.measures.empty(); }
  bool run() const { return !kept.runs.empty(); }
  std::vector<Verdict> verdicts() const { return rule_verdicts(kept.study, kept.runs); }
};
using StudyList = std::vector<StudyEntry>;          // never empty
StudyList read_studies(const std::string& folder);  // empty: those that come with the program
// The view sets it like a control, though it has none: another folder of them.
inline constexpr const char* kStudiesFolder = "Folder of studies";

struct StudyDot {
  std::size_t band = 0, run = 0;
  double value = 0;  // not finite: there is none
};

struct StudyScene {
  std::shared_ptr<const StudyList> all;
  std::size_t chosen = 0, measure = 0;
  std::optional<std::size_t> hovered;  // of the dots
  float stage = 0;                     // width in the last frame; 0: none yet
  bool only_means = false;             // of measures of heads, where there is no room for all

  const StudyEntry& entry() const { return (*all)[chosen]; }
  const Study& study() const { return entry().kept.study; }
  const StudyMeasure& shown() const { return study().measures[measure]; }
  std::vector<StudyBand> bands() const;
  const StudyMean& mean(const StudyBand& band) const {
    return entry().means[band.number.measure][band.number.setting];
  }
  const std::string& words() const { return picture_words(study(), measure); }
  std::vector<StudyDot> dots() const;                // run by run
  std::string number(double value) const;            // "0.512", "41.2 %"
  std::string dot_words(const StudyDot& dot) const;  // "heads 4, seed 3: 0.512"
};

// What of a page is where, below claim and verdict.
struct StudyLayout {
  Rect heading;  // with room for the choice of a measure
  Rect figure;   // or the table
};
StudyLayout layout_study(Canvas& canvas, const Rect& area, const StudyScene& scene);
// The height of what is above the figure, at the most, on a stage so wide.
float study_head_height(const StudyScene& scene, float width);

// The dots: a row a band.
struct DotLayout {
  Rect plot;
  Axis axis;
  float pitch = 0, names = 0;
  float x(double value) const;
  float y(std::size_t band) const { return plot.y + pitch * (static_cast<float>(band) + 0.5f); }
};
DotLayout layout_dots(const Canvas& canvas, const Rect& area, const StudyScene& scene);
// Nothing where it has no number.
std::optional<Point> dot_place(const DotLayout& at, const StudyScene& scene, const StudyDot& dot);

std::string titled(const Study& study);  // "Warm-up:", "Which heads can go?"
std::string expectation_words(const Study& study);
std::string measure_words(const StudyMeasure& measure);  // "exact match, %"
void draw_study_head(Canvas& canvas, const Rect& area, const StudyScene& scene);
void draw_study_dots(Canvas& canvas, const Rect& area, const StudyScene& scene);
// The dots, fewer rows where there is no room for all, and below them what each rule says, where that has
// room.
void draw_study_part(Canvas& canvas, const Rect& area, const StudyScene& scene);
void draw_study_table(Canvas& canvas, const Rect& area, const StudyScene& scene);
float study_table_width(const StudyScene& scene);

// A study that is run here, beside the window.
struct StudyWork {
  std::string study;                        // its name
  std::unique_ptr<ProgramProcess> process;  // null: none runs
  std::string problem;                      // of the last one, a sentence; empty: it came to its end
};
constexpr float kRunRow = 32;       // height
constexpr float kLeastPitch = 20;   // of two rows of dots
void look_here(StudyEntry& entry);  // for runs made here
// True when a run has ended: what is here is to be looked for anew.
bool run_controls(ui::Ui& ui, const Rect& row, const StudyScene& scene, StudyWork& work);

}  // namespace glassformer
