// A command of this program as a separate process: several runs learn at once, and one that fails, or needs
// more memory than there is, takes none of the others along.
#pragma once

#include <sys/types.h>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glassformer {

class ProgramProcess {
 public:
  // What is left of it: its exit status (128 and more: it was killed by that signal), what it printed, and
  // the sentence that it ended with.
  struct End {
    int status = 0;
    std::string output, sentence;
    std::vector<std::string> notes;  // of the data and the options, such as a warm-up that is too long
  };

  // The arguments follow "glassformer". Throws Error when no process can be started. "/proc/self/exe" is
  // this program, also when it was built anew meanwhile.
  explicit ProgramProcess(const std::vector<std::string>& arguments,
                          const std::string& program = "/proc/self/exe");
  ~ProgramProcess();  // stops it, and waits until its state is saved
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;

  void stop();                 // asks it to save and end
  std::optional<End> ended();  // nothing while it runs
  // Of its messages, up to now, the last that contains this; empty: there is none.
  std::string last_line(const std::string& with = "") const;

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
