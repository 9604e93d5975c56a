// What the dialogs that save and open a session know while they are open.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/session_setup.h"
#include "app/lessons/session_text.h"
#include "app/lessons/shown_model.h"
#include "app/panels/scene_bringer.h"
#include "app/panels/stage.h"
#include "app/session/session.h"
#include "app/ui/ui.h"

namespace glassformer {

struct SessionForm {
  // Saving.
  std::vector<std::pair<std::string, std::string>> rows;  // {"Sentence", "the tired girl"}
  std::vector<std::string> lines;                         // of the file
  std::string file;                                       // as typed
  std::string error;                                      // why it was not saved, or cannot be
  std::string replaces;  // what is there already, in a sentence; saving again replaces it
  bool possible = false;
  bool copies = false;  // weights go beside the file, as no folder has them
  // Opening.
  std::string link;
  std::optional<SessionProblem> problem;
  bool opening = false;  // it is being read

  bool focus = false;  // the field takes the keyboard in the next frame
  // Asked for in this frame.
  enum class Wish { none, save, open_file, open_link, browse, find_model, use_bundled, use_anyway };
  Wish wish = Wish::none;
};

// The session that the window shows: saved as a file, copied as a link text, opened again, and gone back
// from. What is read is set up on a worker; the window changes when all of it is ready.

class SessionDesk {
 public:
  explicit SessionDesk(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~SessionDesk();

  // Once a frame, before the view is drawn.
  void frame(ui::Ui& ui, Session& session, const std::string& view);

  // What is shown, as a session's lines. Throws Error with a sentence when it is none. `keep` is asked for
  // what a model line says of a model whose weights are in no folder; `role`: "model" or "other".
  using Keep = std::function<std::string(const ShownModel& model, const std::string& role)>;
  std::vector<SceneLine> lines(const Session& session, const std::string& view, const Keep& keep) const;
  // By the folder that is open, whatever weights it has: to come back to.
  std::vector<SceneLine> lines_to_return(const Session& session, const std::string& view) const;
  // Throws Error as well when it is of weights that no folder has: a text carries none.
  std::string link(const Session& session, const std::string& view) const;

  // Under the name it has; without one, or when somebody else changed that file, false: it has to be asked
  // for. Else as `said` says.
  bool save(Session& session, const std::string& view, std::string& said);
  // Under the name in the form, whose error or question is set when it was not saved.
  bool save_as(Session& session, const std::string& view, SessionForm& form);
  void fill(SessionForm& form, Session& session, const std::string& view) const;

  // A file's path or a link text. What is wrong comes out of take_problem().
  void open(Session& session, const std::string& view, const std::string& what);
  // The lines that could not be opened, with another model (its folder; empty: the bundled one), or whatever
  // its weights.
  void open_with(Session& session, const std::string& view, const SessionProblem& problem,
                 const std::string& folder);
  void open_anyway(Session& session, const std::string& view, const SessionProblem& problem);
  // What lines_to_return() gave earlier; without a name. Nothing happens while something is opened.
  void restore(Session& session, const std::string& view, const std::vector<SceneLine>& lines);
  // A page that was set up elsewhere, with the panels of a session's window line; without a name.
  void bring(std::shared_ptr<const StagedPage> page, const std::string& window);
  void go_back(Session& session, const std::string& view);  // to what was there before it was opened
  std::optional<SessionProblem> take_problem() { return std::exchange(problem_, std::nullopt); }
  // What is shown of the window, as SessionState::window has it: a session keeps it, and brings it back.
  void set_window(std::string words) { window_ = std::move(words); }
  std::optional<std::string> take_window() { return std::exchange(brought_window_, std::nullopt); }
  bool opening() const { return work_.valid() || bringer_.busy(); }

  const std::string& name() const { return name_; }  // "tired-girl"; empty: none
  bool changed() const { return changed_; }          // since it was saved or opened
  bool can_go_back() const { return !before_.empty(); }
  std::string take_said() { return std::exchange(said_, {}); }  // of what was opened last, once

 private:
  void begin(Session& session, const std::string& view, std::vector<SceneLine> lines, bool any_weights);
  void look_for_changes(ui::Ui& ui, const Session& session, const std::string& view);
  std::string state(const Session& session, const std::string& view) const;  // to notice a change by
  void write(Session& session, const std::string& view, const std::string& file);

  std::function<void()> wake_;
  ViewControls controls_;
  SceneBringer bringer_;
  std::shared_ptr<LessonStage> stage_;
  std::future<SessionSetUp> work_;
  std::optional<SessionProblem> problem_;
  std::string coming_name_, coming_file_, coming_text_;
  std::vector<SceneLine> coming_before_;

  std::string name_, file_, said_;
  std::string written_;            // what is in the file, as far as this program knows
  std::string as_saved_;           // state() then; empty: to be taken once all is still
  std::vector<SceneLine> before_;  // what was shown before the session was opened
  bool changed_ = false;
  double looked_at_ = 0;  // s, of the program's clock
  int still_ = 0;         // frames since something moved
  std::string window_, coming_window_;
  std::optional<std::string> brought_window_;
};

}  // namespace glassformer
