#include "engine/text/huggingface_added.h"

#include <algorithm>

#include "engine/text/categories.h"
#include "engine/text/huggingface_stage.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

namespace {

constexpr int kLastId = 1'000'000;

std::size_t first_byte(std::string_view text) {
  return static_cast<unsigned char>(text.front());
}

// Where the last sign of a text that has one begins.
std::size_t last_sign(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) --at;
  return at;
}

bool is_inside_word(std::string_view before, std::string_view after) {
  std::size_t last = before.empty() ? 0 : last_sign(before), next = 0;
  return (!before.empty() && is_word_sign(next_code_point(before, last))) ||
         (!after.empty() && is_word_sign(next_code_point(after, next)));
}

std::size_t blank_bytes_at_end(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t begin = last_sign(text.substr(0, end));
    std::size_t at = begin;
    if (!is_white_space(next_code_point(text, at))) break;
    end = begin;
  }
  return text.size() - end;
}
std::size_t blank_bytes_at_start(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!is_white_space(next_code_point(text, at))) return begin;
  }
  return text.size();
}

}  // namespace

std::vector<AddedToken> read_added(const nlohmann::json& json, const std::string& where) {
  std::vector<AddedToken> tokens;
  const auto found = json.find("added_tokens");
  if (found == json.end() || found->is_null()) return tokens;
  if (!found->is_array()) throw Error(where, "added_tokens must be a list");
  for (const nlohmann::json& each : *found) {
    const std::string content = text_of(each, "content", "");
    if (content.empty()) throw Error(where, "an added token has no content");
    const nlohmann::json id = each.value("id", nlohmann::json());
    tokens.push_back({.content = content,
                      .id = whole<int>(id, where, "the id of " + shown(content), 0, kLastId),
                      .special = flag_of(each, "special", false),
                      .takes_left = flag_of(each, "lstrip", false),
                      .takes_right = flag_of(each, "rstrip", false),
                      .single_word = flag_of(each, "single_word", false),
                      .normalized = flag_of(each, "normalized", false)});
  }
  return tokens;
}

AddedFinder::AddedFinder(const std::vector<AddedToken>& tokens) {
  for (const AddedToken& token : tokens)
    if (!token.content.empty()) by_first_byte_[first_byte(token.content)].push_back(token);
  for (std::vector<AddedToken>& each : by_first_byte_)
    std::ranges::stable_sort(each, std::ranges::greater(),
                             [](const AddedToken& token) { return token.content.size(); });
}

const AddedToken* AddedFinder::longest_at_start(std::string_view text) const {
  const std::vector<AddedToken>& tokens = by_first_byte_[first_byte(text)];
  const auto found =
      std::ranges::find_if(tokens, [&](const AddedToken& token) { return text.starts_with(token.content); });
  return found == tokens.end() ? nullptr : &*found;
}

std::vector<AddedFinder::Stretch> AddedFinder::cut(std::string_view text) const {
  std::vector<Stretch> stretches;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at_start(text.substr(at));
    if (!token) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + token->content.size();
    at = end;
    if (token->single_word && is_inside_word(text.substr(0, begin), text.substr(end))) continue;
    if (token->takes_left && begin > done) begin -= blank_bytes_at_end(text.substr(done, begin - done));
    if (token->takes_right) end += blank_bytes_at_start(text.substr(end));
    if (begin > done) stretches.push_back({text.substr(done, begin - done), nullptr});
    stretches.push_back({{}, token});
    done = end;
  }
  if (done < text.size()) stretches.push_back({text.substr(done), nullptr});
  return stretches;
}

}  // namespace glassformer::huggingface
