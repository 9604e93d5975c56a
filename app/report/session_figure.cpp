#include "app/report/session_figure.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/format/part_names.h"
#include "app/inspector/inspector.h"
#include "app/lessons/quoted_text.h"
#include "app/lessons/session_setup.h"
#include "app/lessons/session_text.h"
#include "app/report/pinned_places.h"
#include "app/session/data_consent.h"
#include "app/session/paths.h"
#include "app/session/run_scene.h"
#include "app/session/unfamiliar_words.h"
#include "app/views/view_table.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

std::string name_of(const std::string& session) {
  return is_session_link(session) ? "link text" : std::filesystem::path(session).filename().string();
}

class Lines {
 public:
  explicit Lines(std::vector<SceneLine> lines) : lines_(std::move(lines)) {}

  bool has(std::string_view keyword, std::string_view value) const {
    const SceneLine* const line = find_line(lines_, keyword);
    return line && line->value == value;
  }
  void drop(std::string_view keyword) {
    std::erase_if(lines_, [&](const SceneLine& line) { return line.keyword == keyword; });
  }
  void add(const std::string& keyword, std::string value) {
    lines_.push_back(
        {.line = option_line(keyword), .keyword = keyword, .value = std::move(value), .literal = true});
  }
  void put(const std::string& keyword, std::string value) {
    if (value.empty()) return;
    drop(keyword);
    add(keyword, std::move(value));
  }
  // What the session knows of that view's controls, in place of the one it shows.
  void show(const std::string& view) {
    if (view.empty()) return;
    const SceneLine* const shown = find_line(lines_, "view");
    if (shown && shown->value == view) return;
    std::vector<SceneLine> its;
    for (const SceneLine& line : lines_) {
      const bool quoted = line.value.starts_with('"');
      const std::string start = view + "/";
      if (line.keyword != "set" || !line.value.substr(quoted ? 1 : 0).starts_with(start)) continue;
      SceneLine own = line;
      own.value.erase(quoted ? 1 : 0, start.size());
      its.push_back(std::move(own));
    }
    drop("set");
    put("view", view);
    lines_.insert(lines_.end(), its.begin(), its.end());
  }
  std::vector<SceneLine> all() && { return std::move(lines_); }

 private:
  std::vector<SceneLine> lines_;
};

// A folder that is there goes before a model of that name that comes along.
std::string model_value(const std::string& model) {
  const std::string folder = resolved(model);
  return std::filesystem::is_directory(folder) ? std::filesystem::absolute(folder).string() : model;
}

std::string compare_value(const std::string& against) {
  if (against.empty()) return {};
  if (const auto step = typed_whole(against)) return "step " + std::to_string(*step);
  return "model " + as_quoted(model_value(against));
}

}  // namespace

std::vector<SceneLine> read_session_lines(const std::string& session) {
  const bool link = is_session_link(session);
  ReadSession read = read_session(link ? session : read_file(expanded(session), kMostSessionBytes));
  if (!read.errors.empty()) throw Error("session", error_list(read.errors, name_of(session)));
  if (!link) find_model_beside(read.lines, expanded(session));
  return std::move(read.lines);
}

std::vector<SceneLine> lines_with(std::vector<SceneLine> session, const BesideSession& beside) {
  Lines lines(std::move(session));
  if (!beside.model.empty() || beside.at_step) lines.drop("fingerprint");
  if (!beside.model.empty()) lines.drop("step");
  if (!beside.source.empty())
    for (const char* of_sentence : {"target", "pin"}) lines.drop(of_sentence);
  // A pin is of the rows and columns of its own attention.
  if (!beside.kind.empty() && !lines.has("kind", beside.kind)) lines.drop("pin");
  if (!beside.model.empty()) lines.put("model", model_value(beside.model));
  lines.put("source", beside.source);
  lines.put("target", beside.target);
  lines.put("kind", beside.kind);
  lines.put("what-if", beside.what_if);
  if (beside.layer != 0) lines.put("layer", std::to_string(beside.layer));
  if (beside.head != 0) lines.put("head", std::to_string(beside.head));
  if (beside.at_step) lines.put("step", std::to_string(*beside.at_step));
  std::string pin;
  if (beside.query >= 0) pin += "query " + std::to_string(beside.query);
  if (beside.key >= 0) pin += (pin.empty() ? "key " : " key ") + std::to_string(beside.key);
  lines.put("pin", pin);
  lines.put("compare", compare_value(beside.against));
  lines.show(beside.view);
  if (!beside.as.empty()) lines.add("set", "Compared " + beside.as);
  return std::move(lines).all();
}

StagedPage staged_session(LessonStage& stage, const std::string& session,
                          const std::vector<SceneLine>& lines) {
  const SessionSetUp done = set_up_session(stage, lines, false, name_of(session), name_of(session));
  if (done.page) return *done.page;
  const std::string& text = done.problem->text;  // "a.glassformer:3: expected ...", "--layer: expected ..."
  const std::size_t place = text.find(": ");
  throw Error(text.substr(0, place), text.substr(place + 2));
}

std::unique_ptr<View> view_of(const StagedPage& page) {
  for (const ViewEntry& entry : view_table())
    if (page.view == entry.name) return entry.make();
  throw Error("view", "the session names none");
}

namespace {

void choose_kind(View& view, const std::string& kind, FigureContent& content) {
  Commands commands;
  view.key(kind == "encoder" ? 'e' : kind == "decoder" ? 'd' : 'x', content.input(), commands);
  for (const Command& command : commands)
    if (const auto* pin = command.get_if<SetPin>()) content.selection = pin->selection;
}

ComparedAs way_named(const std::string& words) {
  static constexpr std::pair<const char*, ComparedAs> kWays[] = {{"both", ComparedAs::both},
                                                                 {"first", ComparedAs::first},
                                                                 {"second", ComparedAs::second},
                                                                 {"difference", ComparedAs::difference}};
  for (const auto& [name, way] : kWays)
    if (to_lower(words) == name) return way;
  return ComparedAs::both;
}

// The second Scene, as it was shown beside the first; nothing: none was.
std::optional<FigureContent::Second> second_of(const StagedPage& page, const View& view,
                                               const std::shared_ptr<const SceneResult>& first) {
  if (!page.other) return std::nullopt;
  FigureContent::Second second{.view = view.clone(), .compared = {.first = first}};
  for (const auto& [control, value] : page.settings)
    if (control == "Compared") second.as = way_named(value);
  if (second.as == ComparedAs::difference && !view.traits().shows_difference) second.as = ComparedAs::both;
  const OpenedModel& other = page.other_model ? *page.other_model : *page.model;
  Compared& compared = second.compared;
  compared.second = with_leak(*page.other);
  if (view.traits().wants_gradients) compared.second = with_gradients(*compared.second);
  const auto step = [](const SceneResult& result) {
    return "step " + format_count(result.untouched_snapshot->step);
  };
  if (std::get_if<OtherUntouched>(&*page.compared)) {
    compared.first_name = "with the changes", compared.second_name = "untouched";
  } else if (std::get_if<OtherSentence>(&*page.compared)) {
    compared.first_name = "“" + first->scene.sentences.front().source + "”";
    compared.second_name = "“" + page.other->scene.sentences.front().source + "”";
  } else {
    const std::string own = page.other_model ? page.model->title.name + ", " : "",
                      another = page.other_model ? other.title.name + ", " : "";
    compared.first_name = own + step(*first);
    compared.second_name = another + step(*page.other);
  }
  compared.given_words = writes_own_words(*first) && !std::get_if<OtherSentence>(&*page.compared);
  compared.tokenizers = other.tokenizers;
  compared.run = recorded_run(other);
  if (std::get_if<OtherStep>(&*page.compared)) compared.looked_back = page.other->untouched_snapshot->step;
  compared.source_language = other.title.source_language;
  compared.target_language = other.title.target_language;
  return second;
}

}  // namespace

FigureContent figure_of(const StagedPage& page, View& view, const std::string& kind) {
  const OpenedModel& model = *page.model;
  FigureContent content;
  content.result = with_leak(*page.result);
  if (page.result->untouched_snapshot->step != model.snapshot.step)
    content.looked_back = page.result->untouched_snapshot->step;
  content.tokenizers = model.tokenizers;
  if (view.traits().wants_training_text && model.data && read_unasked(*model.data, model.folder)) {
    auto text = std::make_shared<const TrainingText>(training_text_of(*model.data, model.tokenizers));
    if (!text->empty()) content.training_text = std::move(text);
  }
  content.run = recorded_run(model);
  content.recurrent = page.recurrent_look();
  content.recurrent_reading = page.recurrent_reading;
  content.recurrent_run = page.recurrent;
  content.model_name = model.title.name;
  content.source_language = model.title.source_language;
  content.target_language = model.title.target_language;
  content.theme = light_theme();
  content.fonts = find_font_files();
  content.selection = page.selection;
  content.selection.cell = selected_cell(content.selection);  // as when it is clicked
  if (!kind.empty()) choose_kind(view, kind, content);
  check_places(content.selection, *content.result);
  return content;
}

void put_view(FigureContent& content, const StagedPage& page, const View& view, const std::string& panel) {
  content.view = view.clone();
  content.panel = part_named(panel);
  content.second = second_of(page, view, content.result);
}

FigureContent session_figure(const StagedPage& page, const std::string& kind, const std::string& panel,
                             std::unique_ptr<View> view) {
  if (!view) {
    view = view_of(page);
    for (const auto& [control, value] : page.settings) view->set(control, value);
  }
  FigureContent content = figure_of(page, *view, kind);
  put_view(content, page, *view, panel);
  return content;
}

}  // namespace glassformer
