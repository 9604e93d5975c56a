#include "app/views/forcing/forcing.h"

#include <algorithm>

#include "app/reading/scene_words.h"
#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

namespace {

double mean_of(const std::vector<double>& log_p) {
  double sum = 0;
  for (const double each : log_p) sum -= each;
  return log_p.empty() ? 0 : sum / static_cast<double>(log_p.size());
}

// Whether these are the words that the model wrote. Where it came to no end, so many as fit.
bool same_words(std::vector<int> set, std::vector<int> written, int eos) {
  if (!set.empty() && set.back() == eos) set.pop_back();
  const bool ended = !written.empty() && written.back() == eos;
  if (!written.empty() && (ended || written.size() == set.size() + 1)) written.pop_back();
  return set == written;
}

std::shared_ptr<const FreeRun> own_words(const ViewInput& input, ForcingCache& cache,
                                         const std::vector<int>& right, bool at_once) {
  const ForcingKey key{input.result.untouched_snapshot, input.result.trace};
  const Scene& scene = input.result.scene;
  const double words = 2 * static_cast<double>(right.size()) + 8;
  const bool small = static_cast<double>(parameter_count(input.snapshot.config)) * words < 2e8;
  const auto found = cache.get(
      key, at_once || small,
      [key, what_if = scene.what_if, substitutes = scene.substitutes, right,
       source = input.result.trace->source.front()] {
        return run_free(ChangedModel<float>(*key.model->weights, what_if, substitutes), source, right);
      });
  // The words of another sentence are no company for these.
  return found.current ? found.value : nullptr;
}

}  // namespace

int ForcingScene::places() const {
  return std::max(rights(), own ? static_cast<int>(own->ids.size()) : 0);
}

std::string ForcingScene::word(int id) const {
  return target_word(input, id);
}

// An unknown word as typed.
std::string ForcingScene::right_word(int at) const {
  const int id = right[static_cast<std::size_t>(at)];
  const Tokenizer* tokenizer = input.tokenizers.target.get();
  if (tokenizer && id == tokenizer->special().unk)
    return input.result.target_out_words[static_cast<std::size_t>(at)];
  return word(id);
}

std::string ForcingScene::read_given(int at) const {
  return at == 0 ? start_word(input) : right_word(at - 1);
}

std::string ForcingScene::read_own(int at) const {
  return at == 0 ? start_word(input) : word(own->ids[static_cast<std::size_t>(at) - 1]);
}

bool ForcingScene::given_right(int at) const {
  return given[static_cast<std::size_t>(at)] == right[static_cast<std::size_t>(at)];
}

bool ForcingScene::own_right(int at) const {
  return at < rights() && own->ids[static_cast<std::size_t>(at)] == right[static_cast<std::size_t>(at)];
}

double ForcingScene::mean_given() const {
  return mean_of(given_log_p);
}

double ForcingScene::mean_own() const {
  return mean_of(own->right_log_probabilities);
}

int ForcingScene::own_places() const {
  return static_cast<int>(own->right_log_probabilities.size());
}

ForcingScene forcing_scene(const ViewInput& input, ForcingCache& cache, bool at_once) {
  ForcingScene scene{.input = input,
                     .known = input.result.target_origin != TargetOrigin::model_output,
                     .own = {},
                     .right = {},
                     .given = {},
                     .given_log_p = {},
                     .parts = {}};
  if (!scene.known) return scene;
  const Trace& trace = *input.result.trace;
  scene.right = trace.target_out.front();
  scene.own_accepted = input.result.target_origin == TargetOrigin::typed &&
                       same_words(scene.right, input.result.decoding.ids, input.snapshot.config.eos_id);
  scene.own = own_words(input, cache, scene.right, at_once);
  const Plane log_p = trace.plane(output_value(ValueKind::log_probabilities));
  for (int place = 0; place < scene.rights(); ++place) {
    int best = 0;
    for (int id = 1; id < log_p.columns; ++id)
      if (log_p(place, id) > log_p(place, best)) best = id;
    scene.given.push_back(best);
    scene.given_log_p.push_back(
        static_cast<double>(log_p(place, scene.right[static_cast<std::size_t>(place)])));
  }
  scene.ahead = reads_ahead(input.result.scene.what_if);
  const int written = scene.own ? static_cast<int>(scene.own->ids.size()) : 0;
  for (int place = 0; scene.own && place < scene.places() && !scene.parts; ++place) {
    const auto at = static_cast<std::size_t>(place);
    if (place >= written || !scene.own_right(place) || (scene.ahead && scene.given[at] != scene.own->ids[at]))
      scene.parts = place;
  }
  scene.pinned = input.pinned.query && *input.pinned.query < scene.rights();
  scene.place = scene.pinned ? *input.pinned.query : std::min(scene.parts.value_or(0), scene.rights() - 1);
  return scene;
}

std::string parting_words(const ForcingScene& scene) {
  if (!scene.parts)
    return scene.own_accepted
               ? "What was set is what it writes on its own: the two never part, right or wrong."
               : "On its own it writes every word right: the two never part.";
  const int at = *scene.parts, after = scene.rights() - at - 1;
  if (at >= scene.rights())
    return "Up to the end it writes every " + scene.called() + " word; then it goes on.";
  if (at >= static_cast<int>(scene.own->ids.size())) return "On its own no more words fit.";
  const std::string own = scene.word(scene.own->ids[static_cast<std::size_t>(at)]);
  if (scene.ahead) {
    const std::string given = scene.word(scene.given[static_cast<std::size_t>(at)]);
    const std::string lead =
        "Given all words at once a place may see those behind it; on its own it has none. ";
    if (given == own) return lead + "Both write “" + own + "” in place of “" + scene.right_word(at) + "”.";
    return lead + "It writes “" + given + "” given them, “" + own + "” on its own.";
  }
  if (after == 0) return "In place of “" + scene.right_word(at) + "” it writes “" + own + "”.";
  int given_right = 0, own_right = 0;
  for (int place = at + 1; place < scene.rights(); ++place) {
    given_right += scene.given_right(place) ? 1 : 0;
    own_right += place < static_cast<int>(scene.own->ids.size()) && scene.own_right(place) ? 1 : 0;
  }
  const auto of_all = [&](int count) {
    if (after == 1) return std::string(count == 1 ? "the word after it" : "not the word after it");
    return count == after ? "all " + std::to_string(after) + " words after it"
                          : std::to_string(count) + " of the " + std::to_string(after) + " words after it";
  };
  return "Given “" + scene.right_word(at) + "”, it writes " + of_all(given_right) + " right; with its own “" +
         own + "”, " + of_all(own_right) + ".";
}

Selection selecting_place(const ForcingScene& scene, int place) {
  Selection selection = scene.input.pinned;
  selection.query = place;
  selection.key.reset();
  selection.more_queries.clear();
  selection.more_keys.clear();
  selection.sentence = 0;
  selection.cell = CellRef{output_value(ValueKind::log_probabilities),
                           {0, place, scene.right[static_cast<std::size_t>(place)]}};
  return selection;
}

}  // namespace glassformer
