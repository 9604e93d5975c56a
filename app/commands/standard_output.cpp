#include "app/commands/standard_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>

#include "engine/math/error.h"

namespace glassformer {
namespace {

constexpr std::size_t kHeldBytes = 65536;

}  // namespace

StandardOutput::StandardOutput() : held_(kHeldBytes), before_(std::cout.rdbuf(this)) {
  setp(held_.data(), held_.data() + held_.size());
  std::cout.exceptions(std::ios::badbit);
}

StandardOutput::~StandardOutput() {
  std::cout.exceptions(std::ios::goodbit);
  std::cout.rdbuf(before_);
}

void StandardOutput::finish() {
  if (!failed_) write_out();
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  if (failed_) return traits_type::eof();
  write_out();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int StandardOutput::sync() {
  if (!failed_) write_out();
  return 0;
}

void StandardOutput::write_out() {
  for (const char* next = pbase(); next < pptr();) {
    const ssize_t written = write(STDOUT_FILENO, next, static_cast<std::size_t>(pptr() - next));
    if (written >= 0) {
      next += written;
      continue;
    }
    if (errno == EINTR) continue;
    const int reason = errno;
    failed_ = true;
    setp(nullptr, nullptr);
    std::cerr.tie(nullptr);  // it would flush the broken stream, and throw, before it reports it
    if (reason == EPIPE) throw OutputUnread();
    throw Error("standard output", std::string("what is printed cannot be written (") +
                                       std::strerror(reason) + "); make room, or send it elsewhere");
  }
  setp(held_.data(), held_.data() + held_.size());
}

void keep_standard_files_apart() {
  // The lowest free number is taken each time: the one just looked at.
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

}  // namespace glassformer
