#include "app/lessons/staged_page.h"

#include <algorithm>
#include <functional>

#include "app/lessons/counting_lines.h"
#include "app/lessons/hand_in.h"
#include "app/lessons/kept_means.h"
#include "app/lessons/pin_line.h"
#include "app/lessons/scene_lines.h"
#include "app/lessons/session_text.h"
#include "app/reading/change_offers.h"
#include "app/session/change_words.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/paths.h"
#include "app/session/recurrent_desk.h"
#include "app/session/recurrent_reader.h"
#include "app/session/run_scene.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

int index_below(const std::string& text, int count, const std::string& what) {
  const long number = whole_number(text, what, 1);
  if (number > count) throw Mismatch(what + " 1 to " + std::to_string(count), "“" + text + "”");
  return static_cast<int>(number) - 1;
}

std::vector<SentencePair> held_out_of(const OpenedModel& model) {
  if (!model.data || !read_unasked(*model.data, model.folder))
    throw Mismatch("a model whose data are recorded, for its held-out sentences", "none");
  std::vector<SentencePair> held_out = plain_pairs(*model.data).validation;
  if (held_out.empty()) throw Mismatch("held-out sentences", "none");
  return held_out;
}

// Views that show no sentence need one all the same, to have something computed: where neither the data nor
// the run have kept any, the first words of the vocabulary.
SceneSentence any_sentence(const OpenedModel& model) {
  if (!model.held_out.empty()) return {model.held_out.front().pair.source, std::nullopt, std::nullopt};
  std::vector<int> ids;
  for (int id = kSpecials; id < std::min(kSpecials + 3, model.snapshot.config.source_vocab); ++id)
    ids.push_back(id);
  if (model.tokenizers.source) return {model.tokenizers.source->decode(ids), std::nullopt, std::nullopt};
  std::string text;
  for (const int id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return {text, std::nullopt, std::nullopt};
}

std::string drawn_sentence(const OpenedModel& model, const std::string& student) {
  const std::vector<SentencePair> held_out = held_out_of(model);
  return held_out[drawn_by(student, held_out.size())].source;
}

}  // namespace

ViewInput StagedPage::input() const {
  return {.result = *result,
          .snapshot = *result->snapshot,
          .tokenizers = model->tokenizers,
          .run = run,
          .pinned = selection,
          .shown = selection,
          .source_language = model->title.source_language,
          .target_language = model->title.target_language,
          .recurrent = recurrent_look(),
          .recurrent_reading = recurrent_reading,
          .recurrent_run = recurrent};
}

RecurrentLook StagedPage::recurrent_look() const {
  if (!recurrent_reading || !recurrent_reading->scene) return {};
  return {.scene = recurrent_reading->scene, .pin = {}, .own = true};
}

Value fact_of(const View* view, const ViewInput& input, const std::string& name) {
  std::string known = "open";
  if (view)
    for (const ViewFact& fact : view->facts(input)) {
      if (fact.name == name) return fact.word.empty() ? one_number(fact.number) : one_word(fact.word);
      known += ", " + fact.name;
    }
  throw Mismatch("what this view tells (" + known + ") behind view", "“" + name + "”");
}

std::size_t drawn_by(const std::string& name, std::size_t count) {
  return static_cast<std::size_t>(text_hash(name) % count);
}

std::string folder_of_model(const std::string& name) {
  const std::string folder = resolved("models/" + name);
  return std::filesystem::exists(folder) ? folder : resolved(expanded(name));
}

std::string model_line(const std::string& folder) {
  const std::filesystem::path path = plain_path(folder);
  std::string name = path.filename().string();
  return !name.empty() && plain_path(folder_of_model(name)) == path ? name : path.string();
}

std::shared_ptr<const OpenedModel> LessonStage::model_named(const std::string& name) {
  auto& model = models_[name];
  if (!model) model = std::make_shared<const OpenedModel>(open_model(folder_of_model(name)));
  return model;
}

namespace {

// "block 3": the view, and at which of its steps it is.
std::string view_named(const std::string& line) {
  const std::string name = line.substr(0, line.find(' '));
  std::string known;
  for (const ViewEntry& entry : view_table()) {
    if (name == entry.name) return name;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Mismatch("a view (" + known + ")", "“" + name + "”");
}

// The control that is at that step, and where; nothing: none is named.
std::optional<std::pair<std::string, std::string>> step_of_view(const std::string& line) {
  const std::size_t behind = line.find(' ');
  if (behind == std::string::npos) return std::nullopt;
  const std::string name = line.substr(0, behind);
  if (name != "head" && name != "block") throw Mismatch("a view (only head and block have steps)", line);
  const long step = whole_number(line.substr(behind + 1), "step", 1);
  return std::pair{std::string(name == "head" ? "Head" : "Block") + " step", std::to_string(step - 1)};
}

using Models = std::function<std::shared_ptr<const OpenedModel>(const std::string& name)>;

// One page being set up, a step after another; each says which line it is at.
class SettingUp {
 public:
  SettingUp(const std::vector<SceneLine>& lines, StagedPage& page) : lines_(lines), page_(page) {}

  int line() const { return line_; }

  void scene(const std::string& student) {
    const OpenedModel& model = *page_.model;
    Scene scene = first_scene(first_sentences(model), page_.run.live.smoothing);
    if (const SceneLine* source = at("source")) {
      const bool drawn = !source->literal && source->value.starts_with(kHeldOutBy);
      scene.sentences.front() = {drawn ? drawn_sentence(model, student) : source->value, std::nullopt,
                                 std::nullopt};
    } else if (scene.sentences.front().source.empty()) {
      scene.sentences.front() = any_sentence(model);
    }
    if (const auto batch = lines_.every("batch"); !batch.empty()) {
      scene.sentences.resize(1);
      for (const SceneLine* each : batch) {
        line_ = each->line;
        scene.sentences.push_back(batch_sentence(each->value));
      }
    }
    if (const SceneLine* target = at("target")) scene.sentences.front().target = target->value;
    if (const SceneLine* decode = at("decode")) scene.decode = decode_options(decode->value);
    if (const SceneLine* seed = at("seed"); seed && !decode_names_seed())
      scene.decode.seed = static_cast<std::uint64_t>(whole_number(seed->value, "seed"));
    const std::shared_ptr<const Snapshot> shown = weights();
    at("source");
    page_.result = run_scene(shown, model.tokenizers, scene);
  }

  // Its values have to be there before the changes that take them.
  bool takes_from_other() {
    const SceneLine* line = at("what-if");
    return line && line->value.find("from other") != std::string::npos;
  }

  void changes() {
    const SceneLine* line = at("what-if");
    if (!line || line->value == "none") return;
    const OpenedModel& model = *page_.model;
    const ChangeWords words = change_words(*page_.result, model.tokenizers);
    Scene scene = page_.result->scene;
    const ChangeFit fit{*model.snapshot.weights, static_cast<int>(words.source.size()),
                        static_cast<int>(words.target_in.size())};
    scene.what_if = fitting_what_if(line->value, words, fit);
    if (wants(scene.what_if, Replacement::other)) {
      if (!page_.other) throw Mismatch("a compared Scene for “from other”", "none");
      for (const Change& change : scene.what_if.changes) {
        if (change.by != Replacement::other) continue;
        // What goes in at a part of the places alone is shown by the strip.
        Change everywhere = change;
        if (change.row == kEverywhere) everywhere.row = 0;
        const std::string why = why_not_from_second(*page_.result, page_.other.get(), everywhere);
        if (!why.empty()) throw Error("what-if", "“" + text_of(change, words) + "”: " + why);
      }
      scene.substitutes.other = page_.other->trace;
    }
    if (wants(scene.what_if, Replacement::mean))
      scene.substitutes.means = means_of(model, *page_.result->untouched_snapshot);
    page_.result = run_scene(page_.result->untouched_snapshot, model.tokenizers, scene, {}, page_.result);
  }

  void fingerprint() {
    if (at("fingerprint")) page_.fingerprint = weights_fingerprint(*page_.result->untouched_snapshot);
  }

  void kind_and_layer() {
    const Config& config = page_.model->snapshot.config;
    Selection& selection = page_.selection;
    if (const SceneLine* kind = at("kind")) selection.kind = attention_kind(kind->value);
    const int layers =
        selection.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
    selection.layer = layers - 1;
    if (const SceneLine* layer = at("layer")) selection.layer = index_below(layer->value, layers, "layer");
  }

  void head() {
    const int heads = page_.model->snapshot.config.heads;
    if (const SceneLine* head = at("head"))
      page_.selection.head = head->value == "mean" ? -1 : index_below(head->value, heads, "head");
  }

  void opened_view() {
    if (const SceneLine* view = at("view")) {
      page_.view = view_named(view->value);
      if (auto step = step_of_view(view->value)) page_.settings.push_back(std::move(*step));
    }
  }

  void pin() {
    const SceneLine* const pin = at("pin");
    if (pin && pin->value != "none") pin_as(pin->value, *page_.result, page_.selection);
  }

  void trainings(LessonRuns& runs, const std::atomic<bool>& stopped, LessonProgress& progress) {
    const SceneLine* seed = at("seed");
    const auto number = seed ? static_cast<std::uint64_t>(whole_number(seed->value, "seed")) : 1;
    for (const SceneLine* each : lines_.every("train")) {
      line_ = each->line;
      runs.train(each->value, number, stopped, progress);
    }
    page_.runs = runs;
  }

  void recurrent() {
    const SceneLine* line = at("recurrent");
    if (!line) return;
    const std::string folder = resolved(expanded(line->value));
    if (!std::filesystem::is_directory(folder)) throw Mismatch("the recurrent model’s folder", "none there");
    page_.recurrent = std::make_shared<const RecurrentRunState>(opened_recurrent(folder));
    page_.recurrent_reading = std::make_shared<const RecurrentReading>(
        recurrent_reading(*page_.recurrent, page_.result->scene.sentences.front().source));
  }

  // Once all else is there.
  void view() {
    std::unique_ptr<View> view;
    for (const ViewEntry& entry : view_table())
      if (entry.name == page_.view) view = entry.make();
    for (const SceneLine* each : lines_.every("set")) {
      line_ = each->line;
      auto setting = control_and_value(each->value);
      if (of_other_view(setting.first)) {
        page_.later.push_back(std::move(setting));
        continue;
      }
      if (view) view->set(setting.first, setting.second);
      page_.settings.push_back(std::move(setting));
    }
    page_.drawn = std::move(view);
  }

  void comparison(const Models& models) {
    const SceneLine* line = at("compare");
    if (!line || line->value == "none") return;
    const SceneResult& first = *page_.result;
    const OpenedModel& model = *page_.model;
    page_.compared = other_of(line->value);
    Scene scene = first.scene;
    if (std::get_if<OtherUntouched>(&*page_.compared)) {
      page_.other = first.plain ? first.plain : page_.result;
    } else if (const auto* sentence = std::get_if<OtherSentence>(&*page_.compared)) {
      scene.sentences.front() = {sentence->source, std::nullopt, std::nullopt};
      page_.other = run_scene(first.untouched_snapshot, model.tokenizers, scene);
    } else if (const auto* step = std::get_if<OtherStep>(&*page_.compared)) {
      page_.other = same_words_by(model, kept(step->step));
    } else if (const auto* another = std::get_if<OtherModel>(&*page_.compared)) {
      page_.other_model = models(another->folder);
      page_.other =
          same_words_by(*page_.other_model, std::make_shared<const Snapshot>(page_.other_model->snapshot));
    }
  }

 private:
  const SceneLine* at(const std::string& keyword) {
    const SceneLine* found = lines_.find(keyword);
    if (found) line_ = found->line;
    return found;
  }

  static bool of_other_view(const std::string& control) {
    const std::size_t slash = control.find('/');
    return slash != std::string::npos && std::ranges::any_of(view_table(), [&](const ViewEntry& entry) {
             return control.substr(0, slash) == entry.name;
           });
  }

  bool decode_names_seed() const {
    const SceneLine* decode = lines_.find("decode");
    return decode && decode->value.find("seed") != std::string::npos;
  }

  // The means that its changes put in are those of its own weights.
  std::shared_ptr<const SceneResult> same_words_by(const OpenedModel& model,
                                                   const std::shared_ptr<const Snapshot>& weights) {
    Scene scene = on_same_words(*page_.result);
    if (wants(scene.what_if, Replacement::mean)) scene.substitutes.means = means_of(model, *weights);
    return run_scene(weights, model.tokenizers, scene);
  }

  std::shared_ptr<const Snapshot> kept(long step) {
    const auto nearest_kept = nearest(page_.model->history, step);
    if (!nearest_kept) throw Mismatch("a model with kept steps", "one without");
    return nearest_kept->snapshot();
  }

  std::shared_ptr<const Snapshot> weights() {
    const SceneLine* step = at("step");
    if (step && whole_number(step->value, "step") != page_.model->snapshot.step)
      return kept(whole_number(step->value, "step"));
    return std::make_shared<const Snapshot>(page_.model->snapshot);
  }

  CountingLines lines_;
  StagedPage& page_;
  int line_ = 1;
};

}  // namespace

std::optional<StagedPage> LessonStage::page(const std::vector<SceneLine>& lines,
                                            std::vector<LessonError>& errors, bool partly) {
  StagedPage page;
  progress_.begin({}, 0);
  const Models models = [this](const std::string& name) { return model_named(name); };
  SettingUp work(lines, page);
  const SceneLine* const model = CountingLines(lines).find("model");
  try {
    try {
      page.model = model_named(model ? model->value : "english-french");
    } catch (const std::exception& error) {
      throw Mismatch("a model", failure_words(error));
    }
    page.run = recorded_run(*page.model);
    work.scene(student_);
    work.fingerprint();
    const auto attempt = [&](const auto& part) {
      try {
        part();
      } catch (const std::exception& error) {
        if (!partly) throw;
        errors.push_back({work.line(), failure_words(error)});
      }
    };
    attempt([&] {
      if (work.takes_from_other()) work.comparison(models);
      work.changes();
    });
    for (const auto part : {&SettingUp::kind_and_layer, &SettingUp::head, &SettingUp::opened_view,
                            &SettingUp::pin, &SettingUp::recurrent, &SettingUp::view})
      attempt([&] { (work.*part)(); });
    attempt([&] { work.comparison(models); });
    attempt([&] { work.trainings(runs_, stopped_, progress_); });
    page.result = with_gradients(*page.result);
    return page;
  } catch (const std::exception& error) {
    errors.push_back({.line = page.model ? work.line()
                              : model    ? model->line
                                         : 1,
                      .problem = failure_words(error)});
    return std::nullopt;
  }
}

}  // namespace glassformer
