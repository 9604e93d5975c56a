#include "app/session/recurrent_reader.h"

#include <algorithm>
#include <utility>

#include "engine/math/error.h"
#include "engine/math/ready.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

std::shared_ptr<const RecurrentScene> scene_of(const RecurrentRunState& state, std::vector<int> source) {
  const auto model = state.looked_at ? state.looked_at->snapshot()->weights : state.model;
  const RecurrentConfig& config = model->config;
  if (config.source_eos) source.push_back(config.eos_id);
  const std::vector<int> written = decode(*model, {source}, {}).front().ids;
  std::vector<int> read{config.bos_id};
  for (const int id : written)
    if (id != config.eos_id && std::ssize(read) < config.max_length) read.push_back(id);
  auto scene = std::make_shared<RecurrentScene>();
  scene->name = "“" + state.name + "”";
  scene->model = model;
  if (state.curves) scene->step = state.shown_step();
  scene->trace = trace(*model, source, read);
  for (const int id : source) scene->reads.push_back(state.tokenizers.source->piece(id));
  for (const int id : read) scene->writes.push_back(state.tokenizers.target->piece(id));
  return scene;
}

RecurrentReading read_typed(const RecurrentRunState& state, const std::string& typed) {
  using Of = RecurrentReading::Of;
  const Tokenizer& tokenizer = *state.tokenizers.source;
  const RecurrentConfig& config = state.model->config;
  const auto most = static_cast<std::size_t>(config.max_length - (config.source_eos ? 1 : 0));
  if (const std::string problem = far_too_long(typed.size(), most); !problem.empty())
    return {.scene = {}, .problem = problem};

  RecurrentReading reading{.scene = {}, .problem = {}};
  const auto pieces_of = [&](const std::string& text) { return tokenizer.encode(readable(tokenizer, text)); };
  std::vector<Piece> pieces = pieces_of(typed);
  const bool unknown = std::ranges::any_of(pieces, &Piece::unknown);
  if (unknown) reading.of = Of::unknown;
  if ((unknown || pieces.empty()) && !state.sample.empty()) {
    reading.of = unknown ? Of::instead : Of::nothing_typed;
    pieces = pieces_of(state.sample);
  }
  if (pieces.size() > most) {
    pieces.resize(most);
    reading.of = Of::cut;
  }
  if (pieces.empty()) return {.scene = {}, .problem = "Type a sentence: it is read here."};
  std::vector<int> source;
  for (const Piece& piece : pieces) source.push_back(piece.id);
  reading.scene = scene_of(state, std::move(source));
  return reading;
}

}  // namespace

RecurrentReading recurrent_reading(const RecurrentRunState& state, const std::string& typed) {
  try {
    return read_typed(state, typed);
  } catch (const std::exception& error) {
    return {.scene = {}, .problem = failure_words(error)};
  }
}

bool RecurrentReader::update(const std::shared_ptr<const RecurrentRunState>& state,
                             const std::string& typed) {
  bool changed = false;
  if (state && (state->folder != folder_ || state->name != name_)) {
    folder_ = state->folder;
    name_ = state->name;
    outdated_ = work_.valid();
    changed = shown_ != nullptr;
    shown_.reset();
    weights_.reset();
  }
  if (work_.valid()) {
    if (!is_ready(work_)) return changed;
    RecurrentReading made = work_.get();
    if (!std::exchange(outdated_, false)) {
      shown_ = std::make_shared<const RecurrentReading>(std::move(made));
      changed = true;
    }
  }
  if (!state || !state->model) return changed;
  const std::shared_ptr<const void> weights =
      state->looked_at ? std::shared_ptr<const void>(state->looked_at) : state->model;
  if (weights == weights_ && typed == typed_) return changed;
  weights_ = weights;
  typed_ = typed;
  work_ = std::async(std::launch::async, [state, typed, wake = wake_] {
    RecurrentReading made = recurrent_reading(*state, typed);
    if (wake) wake();
    return made;
  });
  return changed;
}

}  // namespace glassformer
