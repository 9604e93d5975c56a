// `glassformer train` as a process of its own: several runs learn at once, and one that fails, or needs more
// memory than there is, takes none of the others along.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glassformer {

class TrainProcess {
 public:
  // What is left of it: its exit status (128 and more: it was killed by that signal), what it printed, and
  // the sentence that it ended with.
  struct End {
    int status = 0;
    std::string output, sentence;
  };

  // The arguments follow "glassformer train". Throws Error when no process can be started.
  explicit TrainProcess(const std::vector<std::string>& arguments);
  ~TrainProcess();  // stops it, and waits until its state is saved
  TrainProcess(const TrainProcess&) = delete;
  TrainProcess& operator=(const TrainProcess&) = delete;

  void stop();                 // asks it to save and end
  std::optional<End> ended();  // nothing while it runs

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  static std::string text_of(std::FILE* file);
  End end_with(int status);

  File output_, messages_;
  pid_t process_ = -1;
};

}  // namespace glassformer
