#include "app/lessons/session_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "app/lessons/lesson_reader.h"
#include "app/lessons/pin_line.h"
#include "app/lessons/quoted_text.h"
#include "app/lessons/scene_lines.h"
#include "app/lessons/session_setup.h"
#include "app/session/paths.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::string_view kHead = "glassformer", kVersion = "session 1";
constexpr std::array<std::string_view, 17> kSessionWords = {
    "model", "fingerprint", "source", "target",  "step",      "view",  "kind", "layer", "head",
    "pin",   "what-if",     "decode", "compare", "recurrent", "batch", "set",  "window"};
constexpr std::size_t kMostErrors = 6, kMostSettings = 2000, kMostBatch = 15;
constexpr std::string_view kSource = "source ", kStep = "step ", kModel = "model ";

// As it is, or in quotation marks where it would be read otherwise.
std::string line_value(const std::string& text) {
  const bool unquoted =
      !text.empty() && text.front() != '"' && trimmed(text) == text && !text.starts_with("from held-out") &&
      first_invalid_utf8(text) == std::string::npos &&
      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  return unquoted ? text : as_quoted(text);
}

std::string plain_value(const std::string& text, bool& was_quoted) {
  was_quoted = text.starts_with('"');
  if (!was_quoted) return text;
  std::string_view rest = text;
  std::string plain = take_quoted(rest);
  if (!trimmed(rest).empty())
    throw Mismatch("nothing behind the quotation mark", "“" + std::string(trimmed(rest)) + "”");
  return plain;
}

std::string compare_text(const Other& other) {
  if (const auto* step = std::get_if<OtherStep>(&other))
    return std::string(kStep) + std::to_string(step->step);
  if (const auto* sentence = std::get_if<OtherSentence>(&other))
    return std::string(kSource) + line_value(sentence->source);
  if (const auto* model = std::get_if<OtherModel>(&other))
    return std::string(kModel) + line_value(model->folder);
  return std::get_if<OtherUntouched>(&other) ? "untouched" : "";
}

bool is_plain_text(std::string_view keyword) {
  return keyword == "source" || keyword == "target" || keyword == "model" || keyword == "recurrent";
}

std::string line_text(const SceneLine& line) {
  return line.keyword + " " + (is_plain_text(line.keyword) ? line_value(line.value) : line.value);
}

// The pieces of a link text as lines of a file. Whatever carried it may have broken it anew.
std::string lines_of_link(std::string_view link) {
  std::string text = std::string(kHead) + " ";
  link.remove_prefix(kLinkStart.size());
  for (std::size_t i = 0; i < link.size(); ++i) {
    const char c = link[i];
    if (c == '\r') continue;
    if (c == '\n') {
      text += ' ';
    } else if (c != ';') {
      text += c;
    } else if (i + 1 < link.size() && link[i + 1] == ';') {
      text += ';', ++i;
    } else {
      text += '\n';
      while (i + 1 < link.size() && (link[i + 1] == ' ' || link[i + 1] == '\n' || link[i + 1] == '\r')) ++i;
    }
  }
  return text;
}

void check_window(const std::string& text) {
  constexpr std::array<std::string_view, 4> kPanels{"map", "inspector", "training", "words"};
  const std::vector<std::string> words = words_of_line(text);
  if (words.front() != "quiet" && words.front() != "whole")
    throw Mismatch("quiet or whole", "“" + words.front() + "”");
  for (std::size_t i = 1; i < words.size(); ++i)
    if (std::ranges::find(kPanels, words[i]) == kPanels.end())
      throw Mismatch("map, inspector, training or words", "“" + words[i] + "”");
}

class SessionReader {
 public:
  ReadSession read(const std::string& text) {
    const std::vector<LessonLine> all = lesson_lines(text);
    for (const LessonLine& line : all) {
      try {
        if (&line == &all.front())
          head(line);
        else
          take(line);
      } catch (const Mismatch& mismatch) {
        complain(line.number, mismatch.what());
      }
      if (foreign_) break;
    }
    if (all.empty()) complain(1, "expected glassformer session 1, got nothing");
    if (!foreign_ && !all.empty() && !seen_.contains("source"))
      complain(all.back().number, "expected source and a sentence, got none");
    if (!session_.errors.empty()) session_.lines.clear();
    return std::move(session_);
  }

 private:
  void complain(int line, std::string problem) { session_.errors.push_back({line, std::move(problem)}); }

  // What does not begin so is none, and nothing more is said of it.
  void head(const LessonLine& line) {
    if (line.keyword == kHead && line.value == kVersion) return;
    foreign_ = true;
    const bool newer = line.keyword == kHead && line.value.starts_with("session ");
    std::string got = line.keyword + (line.value.empty() ? "" : " " + line.value);
    if (got.size() > 40) got = "other text";
    throw Mismatch("glassformer session 1", newer ? "“" + got + "”, of a newer program" : "“" + got + "”");
  }

  void take(const LessonLine& line) {
    const std::string& word = line.keyword;
    if (std::ranges::find(kSessionWords, word) == kSessionWords.end()) {
      const std::string_view meant = nearest_word(word, kSessionWords);
      throw Mismatch(meant.empty() ? "a keyword such as model, source or view" : std::string(meant),
                     "“" + word.substr(0, 40) + "”");
    }
    const bool several = word == "set" || word == "batch";
    if (!several && !seen_.insert(word).second) throw Mismatch("one " + word, "another");
    SceneLine read = scene_line(line);
    if (is_plain_text(word)) read.value = plain_value(read.value, read.literal);
    if (word == "decode") decode_options(read.value);
    if (word == "window") check_window(read.value);
    if (word == "set") {
      control_and_value(read.value);
      if (++settings_ > kMostSettings) throw Mismatch("at most 2000 set lines", "another");
    }
    if (word == "compare") other_of(read.value);
    if (word == "batch") {
      batch_sentence(read.value);
      if (++batch_ > kMostBatch) throw Mismatch("at most 15 batch lines", "another");
    }
    session_.lines.push_back(std::move(read));
  }

  ReadSession session_;
  std::set<std::string, std::less<>> seen_;
  std::size_t settings_ = 0, batch_ = 0;
  bool foreign_ = false;
};

}  // namespace

std::vector<SceneLine> session_lines(const SessionState& state) {
  std::vector<SceneLine> lines;
  const auto put = [&](const char* keyword, std::string value) {
    const int number = static_cast<int>(lines.size()) + 2;
    lines.push_back(
        {.line = number, .keyword = keyword, .value = std::move(value), .literal = is_plain_text(keyword)});
  };
  put("model", state.model);
  if (!state.fingerprint.empty()) put("fingerprint", state.fingerprint);
  if (state.step) put("step", std::to_string(*state.step));
  put("source", state.source);
  if (state.target) put("target", *state.target);
  for (const SceneSentence& each : state.batch) put("batch", batch_text(each));
  put("view", state.view);
  const Selection& selection = state.selection;
  put("kind", attention_text(selection.kind));
  put("layer", std::to_string(selection.layer + 1));
  put("head", selection.head < 0 ? "mean" : std::to_string(selection.head + 1));
  if (std::string pin = pin_text(selection); !pin.empty()) put("pin", std::move(pin));
  if (!state.what_if.empty()) put("what-if", state.what_if);
  if (state.other)
    if (std::string other = compare_text(*state.other); !other.empty()) put("compare", std::move(other));
  if (!state.recurrent.empty()) put("recurrent", state.recurrent);
  put("decode", decode_text(state.decode));
  if (!state.window.empty()) put("window", state.window);
  for (const auto& [control, value] : state.settings) put("set", control_text(control, value));
  return lines;
}

std::string session_file(const std::vector<SceneLine>& lines) {
  std::string text = std::string(kHead) + " " + std::string(kVersion) + "\n";
  for (const SceneLine& line : lines) text += line_text(line) + "\n";
  return text;
}

std::string session_link(const std::vector<SceneLine>& lines) {
  std::string text = std::string(kLinkStart) + std::string(kVersion);
  for (const SceneLine& line : lines) {
    text += "; ";
    for (const char c : line_text(line)) text += c == ';' ? ";;" : std::string(1, c);
  }
  return text;
}

bool is_session_link(std::string_view text) {
  return trimmed(text).starts_with(kLinkStart);
}

ReadSession read_session(std::string_view text) {
  if (text.size() > static_cast<std::size_t>(kMostSessionBytes))
    return {{}, {{1, "expected at most 1 MB, got " + std::to_string(text.size() / 1'000'000) + " MB"}}};
  std::string decoded;
  if (const auto problem = decode_lines(text, decoded)) return {{}, {*problem}};
  return SessionReader().read(is_session_link(decoded) ? lines_of_link(trimmed(decoded)) : decoded);
}

std::string batch_text(const SceneSentence& sentence) {
  return as_quoted(sentence.source) + (sentence.reference ? " " + as_quoted(*sentence.reference) : "");
}

SceneSentence batch_sentence(const std::string& text) {
  std::string_view rest = text;
  const auto next = [&] {
    if (!rest.starts_with('"')) throw Mismatch("a sentence in quotation marks", "“" + text + "”");
    std::string plain = take_quoted(rest);
    rest = trimmed(rest);
    return plain;
  };
  SceneSentence sentence{next(), std::nullopt, std::nullopt};
  if (!rest.empty()) sentence.reference = next();
  if (!rest.empty()) throw Mismatch("nothing behind the translation", "“" + std::string(rest) + "”");
  return sentence;
}

Other other_of(const std::string& text) {
  bool literal = false;
  if (text == "untouched") return OtherUntouched{};
  if (text.starts_with(kSource)) return OtherSentence{plain_value(text.substr(kSource.size()), literal)};
  if (text.starts_with(kStep)) return OtherStep{whole_number(text.substr(kStep.size()), "step")};
  if (text.starts_with(kModel)) return OtherModel{plain_value(text.substr(kModel.size()), literal)};
  throw Mismatch("untouched, “source TEXT”, “step N” or “model NAME”", "“" + text + "”");
}

int option_line(std::string_view keyword) {
  return -1 - static_cast<int>(std::ranges::find(kSessionWords, keyword) - kSessionWords.begin());
}

namespace {

std::string option_of(int line, const std::string& problem) {
  const std::string_view word = kSessionWords.at(static_cast<std::size_t>(-1 - line));
  if (word == "pin") return problem.find("columns") == std::string::npos ? "--query" : "--key";
  return word == "step"      ? "--at-step"
         : word == "compare" ? "--against"
         : word == "set"     ? "--as"
                             : "--" + std::string(word);
}

// What the engine complains of names its place by itself.
std::string error_line(const LessonError& error, const std::string& name) {
  const std::string& problem = error.problem;
  if (error.line >= 0) return name + ":" + std::to_string(error.line) + ": " + problem;
  return (problem.starts_with("expected ") ? option_of(error.line, problem) + ": " : "") + problem;
}

}  // namespace

std::string error_list(const std::vector<LessonError>& errors, const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < std::min(errors.size(), kMostErrors); ++i)
    text += (i == 0 ? "" : "\n") + error_line(errors[i], name);
  if (errors.size() > kMostErrors) text += "\n… and " + std::to_string(errors.size() - kMostErrors) + " more";
  return text;
}

const SceneLine* find_line(const std::vector<SceneLine>& lines, std::string_view keyword) {
  const auto found = std::ranges::find(lines, keyword, &SceneLine::keyword);
  return found == lines.end() ? nullptr : &*found;
}

namespace {

constexpr std::array<std::string_view, 5> kOfModel = {"model", "step", "layer", "head", "pin"};
constexpr const char* kOthersStay = " The other lines can be shown with another model.";

bool of_model(const std::vector<SceneLine>& lines, int line) {
  return std::ranges::any_of(lines, [&](const SceneLine& each) {
    return each.line == line && std::ranges::find(kOfModel, each.keyword) != kOfModel.end();
  });
}

bool names_model(const SceneLine& line) {
  return line.keyword == "model" || line.keyword == "compare" || line.keyword == "recurrent";
}

}  // namespace

void find_model_beside(std::vector<SceneLine>& lines, const std::string& file) {
  for (SceneLine& line : lines) {
    const std::string of_model = line.keyword == "compare" ? "model " : "";
    if (!names_model(line) || !line.value.starts_with(of_model + "./")) continue;
    line.value =
        of_model + (std::filesystem::absolute(file).parent_path() / line.value.substr(of_model.size()))
                       .lexically_normal()
                       .string();
  }
}

void name_model_beside(std::vector<SceneLine>& lines, const std::string& file) {
  const std::filesystem::path place = std::filesystem::absolute(file);
  for (SceneLine& line : lines) {
    const std::string of_model = line.keyword == "compare" ? "model " : "";
    if (!names_model(line) || !line.value.starts_with(of_model + "/")) continue;
    const std::filesystem::path folder = line.value.substr(of_model.size());
    const std::string name = folder.filename().string(), stem = place.stem().string();
    if (plain_path(folder.parent_path()) == plain_path(place.parent_path()) &&
        (name.starts_with(stem + "-step-") || name.starts_with(stem + "-other-step-") ||
         name.starts_with(stem + "-recurrent-step-")))
      line.value = of_model + "./" + name;
  }
}

SessionSetUp set_up_session(LessonStage& stage, const std::vector<SceneLine>& lines, bool any_weights,
                            const std::string& name, const std::string& file) {
  SessionProblem problem{.name = name, .lines = lines};
  const SceneLine* const model = find_line(lines, "model");
  if (model && !std::filesystem::is_directory(folder_of_model(model->value))) {
    const bool option = model->line < 0;
    problem.text = (option ? "--model" : file + ":" + std::to_string(model->line)) + ": the model “" +
                   model->value + "” is not here." + (option ? "" : kOthersStay);
    problem.of_model = true;
    return {nullptr, problem};
  }
  std::vector<LessonError> errors;
  auto page = stage.page(lines, errors);
  if (!page) {
    problem.text = error_list(errors, file);
    problem.of_model = !errors.empty() && of_model(lines, errors.front().line);
    return {nullptr, problem};
  }
  const SceneLine* const fingerprint = find_line(lines, "fingerprint");
  if (fingerprint && !any_weights && page->fingerprint != fingerprint->value) {
    problem.text = file + ":" + std::to_string(fingerprint->line) + ": the weights of “" +
                   (model ? model->value : "english-french") +
                   "” are not those that it was saved with: its numbers will be others.";
    problem.of_model = problem.of_weights = true;
    return {nullptr, problem};
  }
  return {std::make_shared<const StagedPage>(std::move(*page)), std::nullopt};
}

}  // namespace glassformer
