// What a student hands in after a lesson: a small file with the answers given beside those of the engine, and
// the table of a class that a teacher makes of many. No server and no accounts: the file is worth what its
// sender is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct HandedPage {
  std::string title;
  std::string question;  // in the lesson's own language
  std::string sentence;  // that the model read
  std::string given;     // the last answer of one's own; empty: none, or something that was to be done
  std::string engine;    // what the engine gave; empty: something was to be done
  int tries = 0;
  bool right = false, shown = false;  // by oneself; after "Show the answer"
};

struct HandIn {
  std::string student;
  std::string lesson;             // its title
  std::string file;               // its file's name
  std::string lesson_hash;        // of the file's text, hash_digits
  std::string model;              // its title, of the page that was open
  std::string model_hash;         // weights_fingerprint() of it
  std::string program;            // "glassformer 0.1.0"
  std::string handed_in;          // "2026-11-26 14:30"
  double minutes = 0;             // since the lesson was opened
  std::vector<HandedPage> pages;  // that ask something

  int right() const;
};

std::string hand_in_text(const HandIn& handed);
// Throws Error: a sentence with `where` in front. At most 200 pages; whoever reads the file bounds its
// length.
HandIn hand_in_from_text(std::string_view text, const std::string& where);

// The class as a table, a row a file: who, which lesson, how many right, tries, minutes, hashes; then 1 or 0
// a question. Lessons of other texts have other hashes, and may have fewer questions: their cells stay empty.
std::string class_table(const std::vector<HandIn>& all);

}  // namespace glassformer
