// Everything on screen but the pictures themselves: bars, map, breadcrumb, inspector, dialogs, and the
// keyboard. It draws from the Session and answers with Commands; what only concerns the screen (which view is
// open, which drawer, a half-typed sentence) it keeps itself.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/panels/layout.h"
#include "app/panels/map.h"
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/common/comparison.h"
#include "app/views/common/view.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

struct ShellOptions {
  double monitor_scale = 1;          // used until the person chooses another
  std::optional<double> scale;       // of the command line
  std::optional<std::string> theme;  // "light" or "dark", of the command line
  std::string view = "attention";
  std::function<void()> wake;  // called by a worker when a figure is written
};

// A rectangle of the background in effective pixels: cleared, not drawn, because blending large areas costs
// most of a frame on software OpenGL.
struct Backdrop {
  Rect rect;
  Color color;
};

struct StepTrack;

class Shell {
 public:
  Shell(Session& session, ShellOptions options);
  ~Shell();

  // The whole screen, between ui.begin_frame and ui.end_frame.
  void frame(ui::Ui& ui, Point window, double time);
  // The screen's own commands; the session carries out the others.
  void apply(const Commands& commands, double time);
  // Files that were dropped on the window: a model folder or a corpus.
  Commands dropped(const std::vector<std::string>& paths);
  const std::vector<Backdrop>& backdrops() const { return backdrops_; }

  double scale() const;
  void set_scale(double scale);  // 1 to 2.5
  const Theme& theme() const { return theme_; }
  void set_theme(bool dark);
  const std::string& open_view() const { return view_; }
  View* view() { return current_view(); }
  const std::string& dialog() const { return dialogs_.open; }
  bool writing() const { return !figures_.empty(); }   // a figure is on its way to a file
  bool wants_close() const { return wants_close_; }    // File, Quit
  bool close_anyway() const { return close_anyway_; }  // although something is not saved: the person said so
  void ask_before_closing();

 private:
  View* current_view();
  void show_view(const std::string& view);
  void show_step(const OpenStep& open);
  void picked(const SetPin& pin);
  std::optional<ViewInput> view_input();

  void top_bar();  // top_bar.cpp
  float train_buttons(const Rect& bar, bool narrow);
  float progress_in_bar(float right, float y);
  float menus(float x);  // menus.cpp: the right end
  void one_menu(float x);
  void chosen(const std::string& what);
  void map_column(const Rect& rect, bool drawer);  // map.cpp
  void map_rail(const Rect& rect);
  MapDiagram unfolded_map(const Config& config, const Rect& rect) const;
  void draw_map(const MapDiagram& map, const Config& config);
  void open_map_item(const MapItem& item);
  void open_map_view(const MapItem& item);
  CellRef first_cell(const MapItem& item) const;
  bool map_item_open(const MapItem& item);
  bool cell_outside_attention() const;
  CellRef map_cell(const MapItem& item) const;
  void one_picture(View& view, const ViewInput& input, const Rect& area, const char* name, bool controls);
  void compared_stage(const ViewInput& first, const Compared& compared, Rect area);  // compared_stage.cpp
  View* second_view();
  std::vector<ComparedAs> ways_to_compare(const Compared& compared);
  ViewInput shown_input(const ViewInput& first);
  ViewInput explained_input(const ViewInput& first);
  void note_side(const ComparisonLayout& layout);
  void start_or_stop_comparing();
  void stage(const Rect& rect);  // stage.cpp
  void breadcrumb(const Rect& rect);
  void what_if_strip(const Rect& rect);
  void nothing_yet(const Rect& rect);
  void inspector(const Rect& rect, bool drawer);  // inspector_panel.cpp
  void inspector_line(const Rect& rect);
  float inspector_page(const InspectorPage& page, const Rect& rect);
  std::optional<InspectorPage> page();
  std::optional<InspectorPage> page_of(const ViewInput& input);
  std::optional<CellRef> cell_to_work_out(const ViewInput& input);
  void sentence_bar();  // sentence_bar.cpp
  void source_field(const Rect& rect, bool low);
  void token_strips(const Rect& rect, bool one);  // token_strips.cpp
  void token_strip(bool is_source, const Rect& rect, const std::vector<TokenChip>& chips,
                   TokenStripOptions options);
  std::vector<TokenChip> source_chips() const;
  std::vector<TokenChip> output_chips() const;
  static bool pieces_split(const std::vector<Piece>& pieces);
  bool output_is_free() const;
  std::optional<double> right_probability(int row) const;
  void decode_controls(const Rect& rect, bool low);
  void transport(Point at, float gap);  // decode_controls.cpp
  void search_choice(const Rect& rect);
  void decode_options();
  std::string words_of(const Hypothesis& hypothesis) const;
  void play();
  void go_on_playing();
  void target_event(ui::FieldEvent event);
  void send_target();
  void close_target();
  void training_slider();  // training_slider.cpp
  void slider_side(const Rect& rect);
  float slider_buttons(Point right_end);
  void play_button(const Rect& rect);
  bool slide(const StepTrack& track, long newest);
  void show_next_kept(int by);
  float notice(Place place, const Rect& rect);  // notices.cpp: the height used
  void keyboard();                              // keyboard.cpp
  void key_letter(char letter);
  Selection selection_of(AttentionKind kind) const;
  void step_decoding(int by);
  void go_up(int levels = 1);
  void go_deeper();
  void change_layer(int by);
  void dialogs();  // dialogs.cpp
  bool unsaved();
  void save_figure_to(const SaveFigure& what);
  void copy(const std::string& what);
  void say(std::string text);

  Session& session_;
  ShellOptions options_;
  Theme theme_;
  std::vector<Backdrop> backdrops_;

  // This frame.
  ui::Ui* ui_ = nullptr;
  Layout layout_;
  double time_ = 0;
  std::string computing_;              // the value whose making the stage shows
  std::optional<CellRef> worked_out_;  // what the inspector explains, when the cell view can take it apart
  std::shared_ptr<const SceneResult> result_;
  std::shared_ptr<const SceneResult> untouched_;  // of result_, while O is held
  std::shared_ptr<const SceneResult> untouched_of_;

  // From frame to frame.
  std::string view_;
  std::string before_cell_;        // the view that led to the cell view
  std::optional<CellRef> picked_;  // by the last click
  double picked_at_ = 0;
  bool picked_twice_ = false;
  std::map<std::string, std::unique_ptr<View>> views_;
  std::map<std::string, std::unique_ptr<View>> second_views_;  // of the other Scene, beside the first
  ComparedAs compared_as_ = ComparedAs::both;                  // as was asked for
  ComparedAs shown_as_ = ComparedAs::both;                     // as was possible in this frame
  bool over_second_ = false, pinned_in_second_ = false;        // where the mouse is, where it pinned
  std::string source_, source_shown_;  // typed; the Scene's when it was last taken over
  std::string target_, target_shown_;
  bool target_open_ = false;
  bool focus_source_ = false, focus_target_ = false;
  int revealed_source_ = -1, revealed_output_ = -1;  // chips that long strips were scrolled to
  bool source_strip_ = false;                        // the one strip of a low window shows the source
  bool map_open_ = false, inspector_open_ = false;
  bool walk_map_ = false;                         // the map stands where the Walk's steps would
  std::optional<int> map_encoder_, map_decoder_;  // layers unfolded by hand
  std::string map_shows_;                         // the step's value that the map was last scrolled to
  bool full_value_ = false;
  float inspector_height_ = 0;
  bool decode_open_ = false, decode_changed_ = false;
  std::optional<DecodeOptions> decode_edit_;
  bool playing_ = false;
  double next_step_at_ = 0;
  int gradients_of_ = -1;  // sentence whose gradients were asked for; -1: none
  bool wants_moments_ = false;
  std::string said_;  // "Copied", for a moment
  double said_until_ = 0;
  double trained_at_ = -1;             // when a run was last seen at it
  std::optional<double> replay_from_;  // the training is played since then
  Dialogs dialogs_;
  struct WrittenFigure {
    std::string path;
    std::future<Notice> done;
  };
  std::vector<WrittenFigure> figures_;  // being written
  bool wants_close_ = false, close_anyway_ = false;
};

}  // namespace glassformer
