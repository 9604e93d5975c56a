// All runs of the session in one list: the open one, those that learn beside it, those that wait until the
// one that is being prepared is ready, and those that could not be saved.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/session/run.h"

namespace glassformer {

class Runs {
 public:
  explicit Runs(std::function<void()> wake);

  Run& open() const;                     // always there
  Run* beside(int id = 0) const;         // 0: the newest of them; null: none
  std::vector<Run*> all_beside() const;  // oldest first
  std::vector<Run*> all_trials() const;  // oldest first
  const Run* pending() const;            // null: none waits
  bool pending_in(const std::string& folder) const;

  // A thread for the run, kept in its folder from now on.
  void begin(Run& run, RunThread::Make make, bool running);
  Run& add_beside();  // in the lowest place that is free: there has to be one
  Run& add_trial();
  Run& add_watched();    // there is none
  Run* watched() const;  // null: none is
  // What is open waits until the next one is ready to learn; with `beside` those beside it as well. An open
  // run that is itself being prepared has not begun: it ends, and what waits keeps waiting.
  void set_aside();
  void set_all_beside_aside();
  // Those that wait are not wanted any more: they are saved and end. Returns their folders.
  std::vector<std::string> end_pending();
  // What waits is open again, in place of the one that is being prepared. False when nothing waits.
  bool take_back();
  void end_open();            // its record stays
  void end_beside(Run& run);  // or a trial
  void end_all_beside();
  void clear_open();  // and nothing is known of a run

  // For all that learn, and those to come: `history` bytes for the open one, half as much for each beside it.
  void keep_history(std::size_t bytes);
  void want_moments(bool wanted);
  void pause();
  void catch_up();  // those that come back from waiting get the two settings above, and continue

  // Runs that end are saved on their own threads, and the screen does not wait for them.
  std::vector<std::shared_future<std::string>> saves_into(const std::string& folder) const;
  bool ending() const { return !endings_.empty(); }
  // True when some have ended. What could not be saved is in the list again; of other failures a sentence
  // each.
  bool take_ended(std::vector<std::string>& problems);

  std::vector<Run*> unsaved() const;  // open, beside, ended, in this order
  std::vector<Run*> ended_unsaved() const;
  std::unique_ptr<Run> remove(Run& run);
  void follow_folder(const std::string& from,
                     const std::string& to);  // what they began from; empty: it is gone

  // Both wait. Pending runs are saved; false when one could not be. All others, and those that are ending.
  bool finish_saving_pending();
  void finish_saving();
  // Ends all but the pending ones, and waits: a sentence for each that could not be saved.
  std::vector<std::string> close();

 private:
  Run* first(RunPlace place) const;
  std::vector<Run*> all(RunPlace place) const;
  void end(Run& run);

  struct Ending {
    std::shared_future<std::string> ended;      // a sentence when something could not be saved
    std::string folder;                         // which it holds until it has ended
    bool saves = false;                         // it is past its preparing
    std::shared_ptr<std::unique_ptr<Run>> run;  // with its thread when it could not be saved
  };

  std::function<void()> wake_;
  std::size_t history_ = 0;
  int last_id_ = 0;
  bool moments_ = false;
  std::vector<std::unique_ptr<Run>> all_;
  std::vector<Ending> endings_;
};

}  // namespace glassformer
