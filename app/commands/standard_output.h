// Everything that is printed arrives, or the program says that it did not.
#pragma once

#include <ostream>
#include <streambuf>
#include <vector>

namespace glassformer {

// While it lives, std::cout writes through it to standard output. The first write that the system refuses (a
// full disk, a closed output) throws Error out of the statement that prints, so that a long stream stops
// there; what is held back is forgotten. A reader that has gone away (`head`) ends the program by SIGPIPE, or
// throws OutputUnread where that signal is ignored.
class StandardOutput : std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  void finish();  // the last of it; throws as printing does

 private:
  int_type overflow(int_type c) override;
  int sync() override;
  void write_out();

  std::vector<char> held_;
  std::streambuf* before_;
  bool failed_ = false;
};

// Nobody reads what is printed any more: no fault, and nothing to say about it.
struct OutputUnread {};

// Takes the numbers of standard input, output and error where the program was started without them, so that
// no file it opens gets one of them; reading and writing them fails as before.
void keep_standard_files_apart();

}  // namespace glassformer
