#include "engine/text/ready_data.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"

namespace glassformer {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RejectedLine, line, reason, excerpt)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReadColumns, count, names, first, source, target)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SideReport, lengths, shortest, longest, mean, median, percentile_95,
                                   tokens, unknown, validation_tokens, validation_unknown, vocabulary,
                                   smallest_vocabulary, vocabulary_used, distinct_words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DataReport, name, lines, kept, rejected, notes, columns, validation_name,
                                   validation_lines, validation_rejected, validation_notes, source, target)

namespace {

using nlohmann::json;

constexpr long kMostReadyBytes = 256L << 20;

std::string file_hash(const std::string& path) {
  return path.empty() ? std::string() : hash_digits(text_hash(read_file(path, kMostReadyBytes)));
}

std::string pieces_hash(const std::shared_ptr<const Tokenizer>& tokenizer) {
  return tokenizer ? hash_digits(text_hash(tokenizer->bytes())) : std::string();
}

void append(std::string& lines, const std::vector<int>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0) lines += ' ';
    lines += std::to_string(ids[i]);
  }
}

// A line a pair: both texts, both sides' ids.
void append(std::string& lines, const DataPart& part) {
  for (std::size_t i = 0; i < part.pairs.size(); ++i) {
    lines += part.pairs[i].source + '\t' + part.pairs[i].target + '\t';
    append(lines, part.encoded[i].source);
    lines += '\t';
    append(lines, part.encoded[i].target);
    lines += '\n';
  }
}

// The next field of the text, which ends before `end`. Throws Error where there is none.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = text.find(end);
  if (length == std::string_view::npos) throw Error("ready data", "a line is cut short");
  const std::string_view field = text.substr(0, length);
  text.remove_prefix(length + 1);
  return field;
}

std::vector<int> ids_of(std::string_view text, int vocabulary) {
  std::vector<int> ids;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int id = -1;
    const auto [after, failed] = std::from_chars(at, end, id);
    if (failed != std::errc() || id < 0 || id >= vocabulary) throw Error("ready data", "an id is none");
    ids.push_back(id);
    at = after == end ? end : after + 1;
  }
  return ids;
}

DataPart take_part(std::string_view& lines, std::size_t pairs, const Tokenizers& tokenizers) {
  constexpr std::size_t kLeastLine = 4;  // three tabs and the end
  DataPart part;
  if (pairs > lines.size() / kLeastLine) throw Error("ready data", "there are fewer pairs than it says");
  part.pairs.reserve(pairs);
  part.encoded.reserve(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::string_view source = take(lines, '\t'), target = take(lines, '\t');
    part.pairs.push_back({std::string(source), std::string(target)});
    std::vector<int> source_ids = ids_of(take(lines, '\t'), tokenizers.source->size());
    part.encoded.push_back({std::move(source_ids), ids_of(take(lines, '\n'), tokenizers.target->size())});
  }
  return part;
}

std::string hash_of(const json& head, std::string_view lines) {
  return hash_digits(text_hash(lines, text_hash(head.dump())));
}

// Before numbers become whole ones: the library turns any into them. The mean alone is none.
void check_whole(const json& value, const std::string& name = {}) {
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() >> 62 != 0;
  if ((value.is_number_float() && name != "mean") || too_large)
    throw Error("ready data", name + " is not whole");
  if (!value.is_structured()) return;  // the library lets one value hold itself
  for (const auto& [key, part] : value.items()) check_whole(part, value.is_object() ? key : name);
}

}  // namespace

std::string ready_key(const DataOptions& options, const Tokenizers& tokenizers) {
  DataOptions plain = options;
  std::string files;
  for (DataSource* each : {&plain.training, &plain.validation})
    for (std::string* path : {&each->grammar, &each->corpus, &each->source, &each->target})
      *path = file_hash(*path);
  plain.leave_out = file_hash(plain.leave_out);
  return to_json(plain).dump() + ' ' + pieces_hash(tokenizers.source) + ' ' + pieces_hash(tokenizers.target);
}

void write_ready_data(const PreparedData& data, const std::string& key, const std::string& path) {
  std::string lines;
  for (const DataPart* part : {&data.training, &data.validation, &data.test}) append(lines, *part);
  json head = {{"key", key},
               {"pairs", {data.training.pairs.size(), data.validation.pairs.size(), data.test.pairs.size()}},
               {"report", data.report}};
  head["hash"] = hash_of(head, lines);
  AtomicFile file(path);
  file.write(head.dump() + '\n');
  file.write(lines);
  file.commit();
}

std::optional<PreparedData> read_ready_data(const std::string& path, const std::string& key,
                                            const Tokenizers& tokenizers) {
  if (!tokenizers.source || !tokenizers.target) return std::nullopt;
  try {
    const std::string bytes = read_file(path, kMostReadyBytes);
    std::string_view lines = bytes;
    json head = parse_json(take(lines, '\n'), path);
    const json hash = head.at("hash");
    head.erase("hash");
    if (head.at("key") != key || hash != hash_of(head, lines)) return std::nullopt;
    check_whole(head);
    const auto pairs = head.at("pairs").get<std::array<std::size_t, 3>>();
    PreparedData data;
    data.training = take_part(lines, pairs[0], tokenizers);
    data.validation = take_part(lines, pairs[1], tokenizers);
    data.test = take_part(lines, pairs[2], tokenizers);
    if (!lines.empty()) return std::nullopt;
    data.tokenizers = tokenizers;
    data.kind = tokenizers.source->kind();
    data.report = head.at("report").get<DataReport>();
    return data;
  } catch (const std::exception&) {
    return std::nullopt;  // it is made again
  }
}

}  // namespace glassformer
