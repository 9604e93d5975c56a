// A session: what the window shows, as Scene lines led by "glassformer session 1". It names the weights and
// holds none.
//
//   glassformer session 1                   glassformer:session 1; model english-french; fingerprint ...
//   model english-french
//   fingerprint ae75a5627ba9b9fb            The same lines in one are a link text, a semicolon that belongs
//   source the tired girl sees a red car    to a value written twice.
//   view attention
//   kind cross
//   ...
//
// "batch "SENTENCE" "TRANSLATION"" is a further sentence of the batch, "recurrent FOLDER" the recurrent model
// beside, "window quiet map" the first screen with the map unfolded. "set VIEW/CONTROL VALUE" is a control of
// a view that is not the open one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/scene/command.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace glassformer {

inline constexpr std::string_view kSessionEnding = ".glassformer", kLinkStart = "glassformer:";
inline constexpr long kMostSessionBytes = 1'000'000;

struct SessionState {
  std::string model;        // a bundled model's name, or a folder
  std::string fingerprint;  // weights_fingerprint of what is shown; empty: not given
  std::string source;
  std::optional<std::string> target;      // where it was typed
  std::vector<SceneSentence> batch = {};  // behind it, where opening the model does not bring the same
  std::optional<long> step;               // an earlier one that is looked back at
  std::string view;
  Selection selection;  // of the first sentence
  std::string what_if;  // as engine/model/what_if/change_text.h writes changes; empty: none
  DecodeOptions decode;
  std::optional<Other> other = {};                                 // of a comparison
  std::string recurrent = {};                                      // folder of the recurrent model beside it
  std::vector<std::pair<std::string, std::string>> settings = {};  // {"Head as", "Ribbons"}
  std::string window = {};  // "quiet" or "whole", then the panels that are not folded; empty: whole, all
};

// In this order, texts as they are and not as a file writes them; `line` counts from 2. A comparison with a
// variant that trains is left out: no file holds it.
std::vector<SceneLine> session_lines(const SessionState& state);
std::string session_file(const std::vector<SceneLine>& lines);
std::string session_link(const std::vector<SceneLine>& lines);
bool is_session_link(std::string_view text);

struct ReadSession {
  std::vector<SceneLine> lines;  // none when there are errors
  std::vector<LessonError> errors;
};
// A file or a link text, whichever it is, with all that is wrong with it.
ReadSession read_session(std::string_view text);
// A batch line's value: a sentence and, where it is known, its translation. Reading throws Mismatch.
std::string batch_text(const SceneSentence& sentence);
SceneSentence batch_sentence(const std::string& text);
// The Other that the value of a compare line names, which may be none of a session's. Throws Mismatch.
Other other_of(const std::string& text);
// The number of the line that an option of the command line replaces; errors name the option instead.
int option_line(std::string_view keyword);
// "tired-girl.glassformer:3: expected encoder, decoder or cross, got “both”", a line each, the first few.
std::string error_list(const std::vector<LessonError>& errors, const std::string& name);
// Of that keyword; null: there is none.
const SceneLine* find_line(const std::vector<SceneLine>& lines, std::string_view keyword);

}  // namespace glassformer
