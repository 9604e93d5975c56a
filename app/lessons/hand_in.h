// What a student hands in after a lesson: a small file with the answers given beside those of the engine. No
// server and no accounts: what is worth a mark is computed anew (app/lessons/graded_hand_in.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/snapshot.h"

namespace glassformer {

inline constexpr int kHandInFormat = 2;  // 1: pages without their numbers

struct HandedPage {
  int number = 0;  // in the lesson, from 1; 0: the file does not say
  std::string title;
  std::string question;  // in the lesson's own language
  std::string sentence;  // that the model read
  std::string given;     // the last answer of one's own; empty: none, or something that was to be done
  std::string engine;    // what the engine gave; empty: something was to be done
  int tries = 0;
  bool right = false, shown = false;  // by oneself; after "Show the answer"
};

struct HandIn {
  int format = kHandInFormat;  // of the file that it was read from
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
// Throws Error: a sentence with `where` in front. At most 200 pages, a name of at most 200 letters; whoever
// reads the file bounds its length.
HandIn hand_in_from_text(std::string_view text, const std::string& where);

// A number for weights, to check whether a session finds those that it was saved with.

// Sixteen hexadecimal digits, of the name, the shape and every number of each tensor. Of the weights and not
// of the data they learned from: one run's data are the same at every step, and two runs' may be, while the
// numbers that a session shows are the weights' alone. Reads them all: 0.1 s for 60 million.
std::string weights_fingerprint(const Snapshot& snapshot);

}  // namespace glassformer
