// The dialogs and what they remember while they are open. Each lies over the window as a modal layer; what
// they are asked for leaves them as Commands.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/panels/change_form.h"
#include "app/panels/find.h"
#include "app/panels/import_form.h"
#include "app/panels/report_form.h"
#include "app/panels/session_desk.h"
#include "app/panels/step_timing.h"
#include "app/session/model_list.h"
#include "app/session/run_scoring.h"
#include "app/session/run_table.h"
#include "app/session/session.h"
#include "app/ui/ui.h"

namespace glassformer {

// Folders and files of this machine, with what was opened lately at the side.
struct FileBrowser {
  enum class Purpose {
    open_model,
    open_corpus,
    choose_validation,
    choose_test,
    save_model,
    keep_run,
    open_session,
    find_model,
    import_model
  };
  struct Entry {
    std::string name;
    bool folder = false;
    bool model = false;  // a checkpoint folder
    std::string size;
  };

  Purpose purpose = Purpose::open_model;
  std::filesystem::path folder;
  std::vector<Entry> entries;
  std::string path_text;    // what the path field says
  bool focus_path = false;  // it takes the keyboard in the next frame
  std::string name;         // of the folder to save
  bool pair = false;        // two aligned files instead of one
  std::string first;        // the source side of the pair, once chosen
  DataOptions data;         // that a validation or test file is chosen for
  std::string error;
  std::string chosen;  // of open_session, find_model and import_model, in this frame

  // Of "open model": the runs made here and other models, beside the folders.
  bool listing = false;
  std::future<std::vector<ListedModel>> being_listed;
  std::vector<ListedModel> listed;

  void start(Purpose why, const Settings& settings);
  void enter(const std::filesystem::path& to);  // reads the folder; keeps the old one on an error
};

bool is_model_folder(const std::filesystem::path& folder);

// Runs and models as a list of lines that open them; returns the folder of the one that was clicked.
std::string model_lines(ui::Ui& ui, FileBrowser& browser, const Rect& list);

// Every option of a new model as typed.
struct NewModelForm {
  int data = 0;  // 0 the grammar, then the five tasks, last the person's own file
  int preset = 1;
  std::map<std::string, std::string> numbers;  // by option name
  std::map<std::string, double> suggested;     // of fields that show fewer digits than it has
  std::map<std::string, int> choices;
  std::map<std::string, std::string> files;  // as typed, by option name
  DataOptions own;                           // a file that was previewed
  long own_tokens = 0;                       // of one pass over it
  bool has_own = false;
  std::pair<int, int> own_vocabularies = {};  // of a run's data, not looked at here; 0: not known
  bool every_option = false;
  bool recurrent = false;  // what came before the Transformer; it has its own fields
  float height = 0;        // of the fields that were shown last
  std::string error;

  std::weak_ptr<const PreparedData> started_with;  // that file's data

  TrainingOptions usual;  // that the size was suggested with
  std::shared_ptr<StepTiming> timing = std::make_shared<StepTiming>();
  std::string fitted;  // the warm-up as the form wrote it: it follows the steps until somebody types another

  FeedForwardKind feed_forward = FeedForwardKind::plain;  // that the hidden width is for

  void start(const DataPreview* preview);
  // On the data of a run, read with these.
  void start_recurrent(const DataPreview* preview, const std::optional<DataOptions>& run_data,
                       const Tokenizers& tokenizers);
  void take_preset();
  void fit_to_steps();         // once they are typed
  void fit_to_feed_forward();  // a hidden width of about as many weights, once its kind is chosen
};

// How the data that are looked at shall be cut, as typed.
struct DataForm {
  std::string pieces, error;
  // As last read: still shown when another cut of them is refused.
  std::shared_ptr<const PreparedData> data;
  DataSource source;     // of them
  bool waiting = false;  // for another cut
  float height = 0;      // of what was shown last

  void take(const DataPreview* preview);
  bool knows(const DataPreview& preview) const;  // what there is to show
  // False, with an error, when no number from the smallest on is typed; 0 when nothing is.
  bool take_pieces(long smallest, int& wanted);
};

struct FigureForm {
  int format = 0;  // png, svg, pdf, csv, and of heads html
  int scale = 1;   // 1x to 4x
  int print = 0;   // as on screen, 8 cm, 16 cm
  int what = 0;    // the whole view, or one of these parts of it
  std::vector<std::string> panels;
  bool of_runs = false;              // the chart of the kept runs
  bool of_heads = false;             // the view shows an attention: a web page can be saved
  std::optional<SaveFigure> wanted;  // of that chart, asked for in this frame
  bool white = true;
  bool focus = false;  // the name takes the keyboard in the next frame
  std::string folder, name;
};

// What may be changed while a run trains, of the learning and of what is kept, as typed.
struct LearningForm {
  std::string rate, dropout, smoothing, clip, history;

  void start(Session& session);
};

// What a copy of the run, begun at the step that is looked at, learns by.
struct ForkForm {
  bool possible = false;  // an earlier step is looked at
  long step = 0;
  std::string rate, warmup, dropout, smoothing, clip, seed;  // as typed
  ForkRun fork;

  void start(const Session& session);
};

// The runs that are kept, read away from the screen, again and again while the dialog is open.
struct RunsForm {
  struct Read {
    std::vector<KeptRun> runs;  // the newest first
    std::vector<RunDifference> different;
    std::string problem;
  };
  std::future<Read> reading;
  std::chrono::steady_clock::time_point read_at{};  // when that began
  bool again = false;                               // what is being read is out of date
  bool read_once = false;
  Read read;
  std::string chosen;               // the folder of the run; empty: the first
  std::set<std::string> selected;   // folders of others, whose curves are to be seen with it
  std::string filter;               // as typed
  int grouped = 0;                  // 1: runs that differ in their seeds alone are one line
  int scale = 0;                    // of the chart: 1: logarithmic
  std::string sorted_by;            // a heading; empty: the newest first
  bool falling = false;             // the largest first
  std::vector<RunRow> rows;         // what the table shows, the newest first
  std::future<std::string> noting;  // a note is being written; what went wrong
  bool changing = false;            // the session gives a run another name, or deletes it
  std::unique_ptr<RunScoring> scoring = std::make_unique<RunScoring>();  // also while the dialog is closed
  RunScoring::Progress progress;                                         // as of this frame
  RunScores scores;                                                      // of read.runs, likewise
  int test_of = 0;                                                       // 1: a file of one's own
  std::string test_file;                                                 // as typed
  // What is being asked about the chosen one: whether it is to be deleted, its new name, a note; or what
  // all are to be scored on.
  enum class Asking { nothing, deletion, name, note, test_set } asking = Asking::nothing;
  bool focus = false;
  std::string typed, error;

  void start();
  void choose(const std::string& folder);
  void make_rows();
};

// What the open Scene is to be compared with, as typed.
struct CompareForm {
  std::string step, variant_step, sentence;
  int variant = 0;  // which of those beside the run: RunBeside::id
  FileBrowser models;

  void start(Session& session);
  void choose(const RunBeside& run);  // with a step halfway on
};

// Which one thing a second run is to do differently.
// The recipe with the vocabularies of what is open, where the run has not made its own yet.
NewRun with_vocabularies(NewRun recipe, const Session& session);

struct VariantForm {
  std::vector<Variation> all;
  int chosen = 0;
  std::string typed;  // settings of one's own, in place of what is chosen
  Config config;      // of the run
  TrainingOptions training;

  void start(const Session& session);
};

// Settings to be tried: what varies, a row each, and how long, as typed.
struct TrialsForm {
  struct Row {
    int setting = 0;  // of the list; 0: none
    std::string values;
  };
  std::array<Row, 4> rows;
  std::vector<std::string> settings;  // "heads", "warmup"
  std::string seeds, steps;
  int at_once = 0;  // 1: two
  bool possible = false;
  NewRun base;
  double seconds_per_step = 0;  // 0: not known

  void start(const Session& session);
};

// The open view in words, as of when the dialog was opened.
struct DescribeForm {
  std::string text;
  std::string path, problem, said;  // where to save it, why not, and that it was
  float height = 0;                 // of the text, in the last frame
};

enum class UnsavedAnswer { none, leave, try_again, close_anyway };

// All of them: dialogs.cpp has the table of their names.
struct Dialogs {
  std::string open;                            // the name of the one that is open; empty: none
  bool closing = false;                        // the person was leaving when "unsaved" opened
  UnsavedAnswer answer = UnsavedAnswer::none;  // given in this frame
  FileBrowser browser;
  DataForm data;
  NewModelForm form;
  FigureForm figure;
  LearningForm learning;
  RunsForm runs;
  CompareForm compare;
  VariantForm variant;
  ForkForm fork;
  TrialsForm trials;
  DescribeForm describe;
  SessionForm session_form;
  ReportForm report;
  FindForm find;
  ChangeForm change;
  StartOverForm start_over;
  ImportForm import_form;

  void show(const std::string& name, Session& session, const std::string& view);
  void show_import(const std::string& path);              // of a model of another program
  void draw(ui::Ui& ui, Session& session, Point window);  // the one that is open
  void leave();                                           // Esc: what is being asked first, then the dialog
};

// The frame that all dialogs share. Between begin and end everything drawn belongs to the dialog.
struct DialogBox {
  Rect body;            // inside the margins, under the title
  bool closed = false;  // by its cross
};
DialogBox begin_dialog(ui::Ui& ui, Point window, std::string_view title, Point size);
void end_dialog(ui::Ui& ui);
// A dialog that can only say why it offers nothing. True when it is to be closed.
bool end_dialog_with(ui::Ui& ui, const DialogBox& dialog, std::string_view why);
inline constexpr std::string_view kNothingToVary =
    "This model came without a record of its training data, so there is no run to vary. Choose New model and "
    "train one.";

// The two buttons at the foot of a dialog: `words` does what it is for, as Enter in a field does where
// `entered`, and Cancel leaves it.
enum class DialogAnswer { none, go, leave };
DialogAnswer dialog_answer(ui::Ui& ui, const Rect& body, const std::string& words,
                           const ui::ButtonOptions& options, bool entered = false,
                           const std::string& leave = "Cancel");  // empty: one button alone

// Each draws one dialog and returns true when it is to be closed.
bool browser_dialog(ui::Ui& ui, Session& session, FileBrowser& browser, Point window);
bool new_model_dialog(ui::Ui& ui, Session& session, NewModelForm& form, Point window);
bool data_dialog(ui::Ui& ui, Session& session, DataForm& form, Point window);
// Its part for a table of more than two columns: which two are read, and the first lines. Returns where it
// ends.
float data_columns(ui::Ui& ui, const DataForm& form, const DataPreview& preview, Point top, float width);
// And which files of one's own validate and test.
float held_out_files(ui::Ui& ui, const DataForm& form, const DataPreview& preview, Point top, float width);
bool runs_dialog(ui::Ui& ui, Session& session, RunsForm& form, Point window);
bool learning_dialog(ui::Ui& ui, Session& session, LearningForm& form, Point window);
bool compare_dialog(ui::Ui& ui, Session& session, CompareForm& form, Point window);
bool fork_dialog(ui::Ui& ui, ForkForm& form, Point window);
bool change_dialog(ui::Ui& ui, Session& session, ChangeForm& form, Point window);
bool start_over_dialog(ui::Ui& ui, Session& session, StartOverForm& form, Point window);
bool variant_dialog(ui::Ui& ui, Session& session, VariantForm& form, Point window);
bool trials_dialog(ui::Ui& ui, Session& session, TrialsForm& form, Point window);
// Of runs that could not be saved; `closing`: the person was leaving.
UnsavedAnswer unsaved_dialog(ui::Ui& ui, const Session& session, bool closing, Point window);
bool describe_dialog(ui::Ui& ui, DescribeForm& form, Point window);
bool save_session_dialog(ui::Ui& ui, SessionForm& form, Point window);
bool open_session_dialog(ui::Ui& ui, Session& session, SessionForm& form, Point window);
bool report_dialog(ui::Ui& ui, ReportForm& form, Point window);
bool figure_dialog(ui::Ui& ui, FigureForm& form, Point window);
bool parts_dialog(ui::Ui& ui, Point window);  // names every part of the screen, where it is
bool keys_dialog(ui::Ui& ui, Point window);
bool about_dialog(ui::Ui& ui, Point window);

}  // namespace glassformer
