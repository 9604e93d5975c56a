// Everything on screen but the pictures themselves, panel by panel, and the keyboard. It draws from the
// Session and answers with Commands; what only concerns the screen (which view is open, which drawer) it
// keeps itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/comparing.h"
#include "app/panels/decode_controls.h"
#include "app/panels/dialogs.h"
#include "app/panels/double_click.h"
#include "app/panels/figure_writer.h"
#include "app/panels/inspector_panel.h"
#include "app/panels/layout.h"
#include "app/panels/lecture.h"
#include "app/panels/lesson_desk.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/map.h"
#include "app/panels/panel_input.h"
#include "app/panels/report_desk.h"
#include "app/panels/sentence_bar.h"
#include "app/panels/session_desk.h"
#include "app/panels/session_forms.h"
#include "app/panels/start_page.h"
#include "app/panels/token_strips.h"
#include "app/panels/top_bar.h"
#include "app/panels/training_slider.h"
#include "app/panels/view_shelf.h"
#include "app/panels/watch_page.h"
#include "app/session/session.h"
#include "app/views/common/view.h"

namespace glassformer {

struct ShellOptions {
  double monitor_scale = 1;          // used until the person chooses another
  std::optional<double> scale;       // of the command line
  std::optional<std::string> theme;  // "light" or "dark", of the command line
  std::optional<bool> quiet;  // begins with the first screen, or the whole window; absent: as last time
  std::string view = "attention";
  std::string session;         // a .glassformer file or a link text to begin with; empty: none
  std::string lesson;          // a number in the list or a .lesson file to begin with; empty: none
  bool lecture = false;        // lecture mode from the start
  std::function<void()> wake;  // called by a worker when a figure is written
};

// A rectangle of the background in effective pixels: cleared, not drawn, because blending large areas costs
// most of a frame on software OpenGL.
struct Backdrop {
  Rect rect;
  Color color;
};

class Shell {
 public:
  Shell(Session& session, ShellOptions options);
  ~Shell();

  // The whole screen, between ui.begin_frame and ui.end_frame.
  void frame(ui::Ui& ui, Point window, double time);
  // The screen's own commands; the session carries out the others.
  void apply(const Commands& commands, double time);
  // Files that were dropped on the window: a model folder, a session or a corpus.
  Commands dropped(const std::vector<std::string>& paths);
  const std::vector<Backdrop>& backdrops() const { return backdrops_; }

  double scale() const;
  double own_scale() const;      // outside of a lecture
  float least_type() const;      // of a lecture, in em
  void set_scale(double scale);  // 1 to 2.5
  const Theme& theme() const { return theme_; }
  void set_theme(bool dark);
  const std::string& open_view() const { return view_; }
  LessonGuide& lessons() { return lessons_; }
  View* view() { return views_.view(view_); }  // null: there are no views
  const std::string& dialog() const { return dialogs_.open; }
  // A figure or a report is on its way to a file.
  bool writing() const { return figures_.writing() || reports_.writing(); }
  // A page of a lesson that was turned to shows its own picture, whatever the mouse at this place lies over,
  // until that moves or is used.
  bool mouse_rests(Point at, bool used);
  // As a session that is opened, of which nothing is said.
  void bring(std::shared_ptr<const StagedPage> page, const std::string& window) {
    desk_.bring(std::move(page), window);
  }
  bool opening_session() const { return sessions_.opening(); }
  bool wants_close() const { return wants_close_; }    // File, Quit
  bool close_anyway() const { return close_anyway_; }  // although something is not saved: the person said so
  // The person is leaving, and something of a run would be lost.
  void ask_before_closing();

 private:
  // The parts of a frame (shell.cpp).
  PanelInput panel_input();
  void choose_result(ui::Ui& ui);
  void take_written_figures();
  void ask_for_gradients(ui::Ui& ui);
  void follow_computing(const PanelInput& in);
  void follow_lesson();
  void panels(ui::Ui& ui, const PanelInput& in);
  void stage(ui::Ui& ui, const PanelInput& in);
  void draw_open_stage(ui::Ui& ui, const PanelInput& in);
  bool lesson_list(ui::Ui& ui, const PanelInput& in);
  void right_column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer);
  void drawers(ui::Ui& ui, const PanelInput& in);
  void dialogs(ui::Ui& ui);
  void say(std::string text);
  void say_if(std::string text);  // unless it is empty

  // What is open.
  void begin_panels();
  OpenPanels panels_now() const;
  bool quiet() const { return panels_now().quiet; }
  void set_quiet(bool quiet);
  void set_lecture(bool on);
  void watch_one();
  void stop_watching();
  void take_lesson(std::size_t lesson, std::size_t page = 0);
  void save_figure_to(const SaveFigure& what);

  // What the person asks for (shell_input.cpp).
  void show_view(const std::string& name);
  void go_back(ui::Ui& ui, const PanelInput& in);
  void show_step(const OpenStep& open);
  void describe_view(bool views);
  void toggle_inspector();
  void take_next_lesson();
  void take_found(ui::Ui& ui, const PanelInput& in);
  void chosen(ui::Ui& ui, const PanelInput& in, const std::string& what);  // in a menu
  void keyboard(ui::Ui& ui, const PanelInput& in);
  void start_keys(ui::Ui& ui);
  void stage_keys(ui::Ui& ui, const PanelInput& in);
  void key_letter(ui::Ui& ui, const PanelInput& in, char letter);

  Session& session_;
  ShellOptions options_;
  Theme theme_;
  std::vector<Backdrop> backdrops_;

  // This frame.
  ui::Ui* ui_ = nullptr;
  Layout layout_;
  double time_ = 0;
  Point pixels_;           // of the window
  std::string computing_;  // the value whose making the stage shows
  std::shared_ptr<const SceneResult> result_;
  std::shared_ptr<const Shown> shown_;

  // The panels.
  TopBar top_bar_;
  MapPanel map_;
  InspectorPanel inspector_;
  Lecture lecture_;
  bool dark_before_ = false;      // the lecture
  OpenPanels open_, watch_open_;  // while a model is watched: its own, begun with nothing
  StartPage start_;
  WatchPage watch_;
  SentenceBar sentence_;
  TokenStrips strips_;
  DecodeControls decoding_;
  TrainingSlider slider_;
  Dialogs dialogs_;

  // What they share.
  std::string view_;
  ViewShelf views_;
  Comparing comparing_;
  LessonGuide lessons_;
  SessionDesk desk_;
  SessionForms sessions_;
  ReportDesk reports_;
  LessonDesk lesson_desk_;
  Opened opened_;
  Said said_;

  // The views that led to the open one, each with what was pinned when it was left.
  struct VisitedView {
    std::string view;
    Selection pinned;
    std::string source, folder;  // the sentence and the model that the pin belongs to
  };
  VisitedView here() const;
  std::vector<VisitedView> way_;
  bool going_back_ = false;
  std::string before_cell_;  // the view that led to the cell view
  DoubleClick clicks_;
  struct Wanted {
    int gradients = -1;  // of this sentence; -1: none
    bool moments = false, text = false;
  };
  Wanted wanted_;  // that the session was asked for
  FigureWriter figures_;
  bool wants_close_ = false, close_anyway_ = false;
};

}  // namespace glassformer
