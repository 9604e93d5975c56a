#include "app/panels/start_scene.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"

namespace glassformer {

namespace {

std::vector<std::string> without_end(std::vector<std::string> words) {
  if (!words.empty() && words.back() == "<eos>") words.pop_back();
  return words;
}

// Of the links that are not straight, or else of all.
void point_at_heaviest(StartScene& scene) {
  for (const bool crossing : {true, false}) {
    double most = 0;
    for (int query = 0; query < std::ssize(scene.writes); ++query)
      for (int key = 0; key < std::ssize(scene.reads); ++key)
        if ((query != key) == crossing && scene.weight(query, key) > most)
          most = scene.weight(query, key), scene.query = query, scene.key = key;
    if (most > 0.5 || (!crossing && most > 0)) return;
  }
}

// A word written leads to the one it reads most, a word read to the one that reads it most.
void follow(StartScene& scene, const Selection& at) {
  const auto queries = static_cast<int>(scene.writes.size()), keys = static_cast<int>(scene.reads.size());
  const bool one = at.kind == scene.head.kind && at.layer == scene.head.layer && at.head == scene.head.head &&
                   at.sentence == 0;
  const bool row = one && at.query && *at.query < queries, column = one && at.key && *at.key < keys;
  if (!row && !column) return point_at_heaviest(scene);
  if (row) scene.query = *at.query;
  if (column) scene.key = *at.key;
  if (!column)
    for (int key = 0; key < keys; ++key)
      if (scene.weight(scene.query, key) > scene.weight(scene.query, scene.key)) scene.key = key;
  if (!row)
    for (int query = 0; query < queries; ++query)
      if (scene.weight(query, scene.key) > scene.weight(scene.query, scene.key)) scene.query = query;
}

std::string named(const std::string& language, const char* otherwise) {
  return language == otherwise ? std::string() : language;
}

}  // namespace

double StartScene::weight(int row, int column) const {
  return static_cast<double>(
      weights[static_cast<std::size_t>(row) * reads.size() + static_cast<std::size_t>(column)]);
}

std::string StartScene::title() const {
  if (source_language.empty() || target_language.empty())
    return "Type a sentence and see what each word of the output read";
  const bool vowel = std::string_view("aeiouAEIOU").find(source_language[0]) != std::string_view::npos;
  return std::string("Type ") + (vowel ? "an " : "a ") + source_language + " sentence and see what each " +
         target_language + " word read";
}

std::string StartScene::sentence() const {
  return "To write **" + writes[static_cast<std::size_t>(query)] + "** this head read **" +
         reads[static_cast<std::size_t>(key)] + "** with " + format_fixed(weight(query, key), 3) +
         " of its attention.";
}

std::string StartScene::short_title() const {
  return "See what each " + (target_language.empty() ? std::string() : target_language + " ") + "word read";
}

std::string StartScene::short_sentence() const {
  return "**" + writes[static_cast<std::size_t>(query)] + "** read **" +
         reads[static_cast<std::size_t>(key)] + "**, " + format_fixed(weight(query, key), 3);
}

StartScene start_scene(const ViewInput& input) {
  const Config& config = input.snapshot.config;
  StartScene scene{.head = {.kind = AttentionKind::cross, .layer = config.decoder_layers - 1, .head = 0},
                   .heads = (config.encoder_layers + 2 * config.decoder_layers) * config.heads,
                   .reads = without_end(source_words(input, 0)),
                   .writes = without_end(target_out_words(input, 0)),
                   .weights = {},
                   .source_language = named(source_language(input), "source"),
                   .target_language = named(target_language(input), "target")};
  const AttentionTable table =
      attention_table(*input.result.trace, scene.head.kind, scene.head.layer, scene.head.head, 0);
  const auto rows = std::min<std::size_t>(scene.writes.size(), static_cast<std::size_t>(table.rows));
  const auto columns = std::min<std::size_t>(scene.reads.size(), static_cast<std::size_t>(table.columns));
  scene.writes.resize(rows);
  scene.reads.resize(columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      scene.weights.push_back(table.at(static_cast<int>(row), static_cast<int>(column)));
  if (rows > 0 && columns > 0) follow(scene, input.shown);
  return scene;
}

std::string start_words(const ViewInput& input) {
  StartScene scene = start_scene(input);
  const SceneResult& result = input.result;
  std::string words = scene.title() + "\n";
  words += "“" + result.scene.sentences.front().source + "” → “" + result.translation + "”\n";
  const std::string where = ", layer " + std::to_string(scene.head.layer + 1) + " head " +
                            std::to_string(scene.head.head + 1) + " read ";
  for (int query = 0; query < std::ssize(scene.writes) && !scene.reads.empty(); ++query) {
    Selection row = scene.head;
    row.query = query;
    follow(scene, row);
    words += "to write " + scene.writes[static_cast<std::size_t>(query)] + where +
             scene.reads[static_cast<std::size_t>(scene.key)] + ", " +
             format_fixed(scene.weight(query, scene.key), 3) + "\n";
  }
  return words;
}

}  // namespace glassformer
