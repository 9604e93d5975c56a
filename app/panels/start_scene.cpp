#include "app/panels/start_scene.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

std::vector<std::string> without_end(std::vector<std::string> words) {
  if (!words.empty() && words.back() == "<eos>") words.pop_back();
  return words;
}

// The words written, and those read, by the last column of `table` the end of the sentence: where a word is
// written that reads the end most, the end is one of them.
void take_words(StartScene& scene, const AttentionTable& table, std::vector<std::string> reads,
                std::vector<std::string> writes) {
  const auto rows = std::min(writes.size(), static_cast<std::size_t>(table.rows));
  auto columns = std::min(without_end(reads).size(), static_cast<std::size_t>(table.columns));
  const auto reads_end = [&](int row) {
    for (int column = 0; column < static_cast<int>(columns); ++column)
      if (table.at(row, column) >= table.at(row, static_cast<int>(columns))) return false;
    return true;
  };
  const auto has_end = columns < reads.size() && static_cast<int>(columns) < table.columns;
  for (int row = 0; has_end && row < static_cast<int>(rows); ++row)
    if (reads_end(row)) {
      ++columns;
      break;
    }
  reads.resize(columns);
  writes.resize(rows);
  for (const std::string& word : reads) scene.reads.push_back(plain_word(word));
  scene.writes = std::move(writes);
  for (int row = 0; row < static_cast<int>(rows); ++row)
    for (int column = 0; column < static_cast<int>(columns); ++column)
      scene.weights.push_back(table.at(row, column));
}

// Of the links that are not straight, or else of all; of those to the end only where there is no other.
void point_at_heaviest(StartScene& scene) {
  for (const bool crossing : {true, false}) {
    double most = 0;
    const auto keys = std::max<std::ptrdiff_t>(1, std::ssize(scene.reads) - (scene.shows_end() ? 1 : 0));
    for (int query = 0; query < std::ssize(scene.writes); ++query)
      for (int key = 0; key < keys; ++key)
        if ((query != key) == crossing && scene.weight(query, key) > most)
          most = scene.weight(query, key), scene.query = query, scene.key = key;
    if (most > 0.5 || (!crossing && most > 0)) return;
  }
}

std::optional<StartScene::Reader> reader_of_a_word(const StartScene& scene, const ViewInput& input) {
  std::optional<StartScene::Reader> best;
  const Config& config = input.snapshot.config;
  for (int layer = 0; layer < config.decoder_layers; ++layer)
    for (int head = 0; head < config.heads; ++head) {
      if (layer == scene.head.layer && head == scene.head.head) continue;
      const AttentionTable table = attention_table(*input.result.trace, scene.head.kind, layer, head, 0);
      for (int key = 0; key + 1 < std::ssize(scene.reads); ++key) {
        const auto weight = static_cast<double>(table.at(scene.query, key));
        if (!best || weight > best->weight) best = {layer, head, key, weight};
      }
    }
  return best;
}

std::string named(const std::string& language, const char* otherwise) {
  return language == otherwise ? std::string() : language;
}

}  // namespace

void follow(StartScene& scene, const Selection& at) {
  const auto queries = static_cast<int>(scene.writes.size()), keys = static_cast<int>(scene.reads.size());
  const bool one = at.kind == scene.head.kind && at.layer == scene.head.layer && at.head == scene.head.head &&
                   at.sentence == 0;
  const bool row = one && at.query && *at.query < queries, column = one && at.key && *at.key < keys;
  if (!row && !column) return point_at_heaviest(scene);
  if (row) scene.query = *at.query;
  scene.key = column ? *at.key : scene.most_read();
  if (!row)
    for (int query = 0; query < queries; ++query)
      if (scene.weight(query, scene.key) > scene.weight(scene.query, scene.key)) scene.query = query;
}

double StartScene::weight(int row, int column) const {
  return static_cast<double>(
      weights[static_cast<std::size_t>(row) * reads.size() + static_cast<std::size_t>(column)]);
}

std::string StartScene::title() const {
  if (source_language.empty() || target_language.empty())
    return "Type a sentence and see what the model reads for each word it writes";
  const bool vowel = std::string_view("aeiouAEIOU").find(source_language[0]) != std::string_view::npos;
  return std::string("Type ") + (vowel ? "an " : "a ") + source_language +
         " sentence and see what the model reads for each " + target_language + " word";
}

std::string StartScene::sentence() const {
  const int most = most_read();
  if (weight(query, most) > weight(query, key))
    return "To write **" + writes[static_cast<std::size_t>(query)] + "** the model gave **" +
           reads[static_cast<std::size_t>(key)] + "** " + format_percent(weight(query, key), 1) +
           " of the attention of this head, and **" + reads[static_cast<std::size_t>(most)] + "** the most.";
  return "To write **" + writes[static_cast<std::size_t>(query)] + "** the model read " +
         (reads_end() ? "the **end** of the sentence" : "**" + reads[static_cast<std::size_t>(key)] + "**") +
         ": " + format_percent(weight(query, key), 1) + " of the attention of this head.";
}

bool StartScene::shows_end() const {
  return !reads.empty() && reads.back() == plain_word("<eos>");
}

int StartScene::most_read() const {
  int most = 0;
  for (int other = 1; other < std::ssize(reads); ++other)
    if (weight(query, other) > weight(query, most)) most = other;
  return most;
}

bool StartScene::reads_end() const {
  return shows_end() && key + 1 == std::ssize(reads);
}

std::string StartScene::short_title() const {
  return "See what is read for each " + (target_language.empty() ? "" : target_language + " ") + "word";
}

std::string StartScene::short_sentence() const {
  return "**" + writes[static_cast<std::size_t>(query)] + "** read " +
         (reads_end() ? "the sentence’s **end**" : "**" + reads[static_cast<std::size_t>(key)] + "**") +
         ", " + format_percent(weight(query, key), 1);
}

std::string StartScene::caption() const {
  if (word_reader)
    return "(end) is the mark behind the last word. Another head reads a word here: " +
           layer_words(word_reader->layer) + " head " + std::to_string(word_reader->head + 1) + " read “" +
           reads[static_cast<std::size_t>(word_reader->key)] + "”, " +
           format_percent(word_reader->weight, 1) + ".";
  return "A ribbon is attention: thicker is more. A head is one way of reading; of " + std::to_string(heads) +
         " this is one. Point at a word to follow it.";
}

StartScene start_scene(const ViewInput& input) {
  const Config& config = input.snapshot.config;
  StartScene scene{.head = {.kind = AttentionKind::cross, .layer = config.decoder_layers - 1, .head = 0},
                   .heads = (config.encoder_layers + 2 * config.decoder_layers) * config.heads,
                   .reads = {},
                   .writes = {},
                   .weights = {},
                   .source_language = named(source_language(input), "source"),
                   .target_language = named(target_language(input), "target")};
  const AttentionTable table =
      attention_table(*input.result.trace, scene.head.kind, scene.head.layer, scene.head.head, 0);
  take_words(scene, table, source_words(input, 0), without_end(target_out_words(input, 0)));
  if (!scene.weights.empty()) follow(scene, input.shown);
  if (scene.reads_end()) scene.word_reader = reader_of_a_word(scene, input);
  return scene;
}

}  // namespace glassformer
