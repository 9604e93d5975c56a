#include "engine/text/huggingface_stage.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "engine/text/categories.h"
#include "engine/text/precompiled_charsmap.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

namespace {

std::string in_form(const std::string& text, int options) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &made,
                                             static_cast<utf8proc_option_t>(UTF8PROC_STABLE | options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  return size < 0 ? text : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

template <class Keep>
std::string only(const std::string& text, Keep keep) {
  std::string result;
  for (const char32_t sign : code_points(text))
    if (keep(sign)) append_utf8(result, sign);
  return result;
}

// Sign by sign: a sigma at the end of a word is one like the others.
std::string in_lower_case(const std::string& text) {
  constexpr char32_t kDottedI = 0x130;
  std::string lower;
  for (const char32_t sign : code_points(text)) {
    if (sign == kDottedI)
      lower += "i\u0307";
    else
      append_utf8(lower, to_lower(sign));
  }
  return lower;
}

// What the library cleans away: more than BERT's own program.
bool is_cleaned_away(char32_t sign) {
  const bool stays = sign == '\t' || sign == '\n' || sign == '\r';
  return !stays && (is_bert_dropped(sign) || is_private(sign));
}

std::string as_bert_reads(const std::string& text, bool clean, bool chinese) {
  std::string result;
  for (const char32_t sign : code_points(text)) {
    if (clean && is_cleaned_away(sign)) continue;
    const bool apart = chinese && is_chinese(sign);
    if (apart) result += ' ';
    append_utf8(result, clean && is_white_space(sign) ? U' ' : sign);
    if (apart) result += ' ';
  }
  return result;
}

Normalizer bert_normalizer(const nlohmann::json& json) {
  const bool clean = flag_of(json, "clean_text", true), chinese = flag_of(json, "handle_chinese_chars", true),
             lower = flag_of(json, "lowercase", true), strip = flag_of(json, "strip_accents", lower);
  return [=](std::string text) {
    text = as_bert_reads(text, clean, chinese);
    if (strip)
      text = only(in_form(text, UTF8PROC_DECOMPOSE), [](char32_t sign) { return !is_plain_mark(sign); });
    return lower ? in_lower_case(text) : text;
  };
}

}  // namespace

Normalizer read_normalizer(const nlohmann::json& json, const std::string& where) {
  if (json.is_null()) return [](std::string text) { return text; };
  const std::string type = stage_type(json, where);
  if (type == "Sequence") {
    const auto stages = read_stages<Normalizer>(
        parts_of(json, "normalizers", where), [&](const auto& part) { return read_normalizer(part, where); });
    return [stages](std::string text) {
      for (const Normalizer& stage : stages) text = stage(std::move(text));
      return text;
    };
  }
  constexpr int kCompose = UTF8PROC_COMPOSE, kDecompose = UTF8PROC_DECOMPOSE, kCompat = UTF8PROC_COMPAT;
  constexpr std::pair<std::string_view, int> kForms[] = {
      {"NFC", kCompose}, {"NFD", kDecompose}, {"NFKC", kCompose | kCompat}, {"NFKD", kDecompose | kCompat}};
  for (const auto& [name, options] : kForms)
    if (type == name) return [options = options](const std::string& text) { return in_form(text, options); };
  if (type == "Lowercase") return in_lower_case;
  if (type == "StripAccents")
    return [](const std::string& text) { return only(text, [](char32_t sign) { return !is_mark(sign); }); };
  if (type == "BertNormalizer") return bert_normalizer(json);
  if (type == "Prepend")
    return [mark = text_of(json, "prepend", "▁")](const std::string& text) {
      return text.empty() ? text : mark + text;
    };
  if (type == "Replace")
    return [from = plain_pattern(json, where), to = text_of(json, "content", "")](const std::string& text) {
      return replaced(text, from, to);
    };
  if (type == "Precompiled")
    return [map = std::make_shared<PrecompiledCharsmap>(text_of(json, "precompiled_charsmap", ""), where)](
               const std::string& text) { return map->normalized(text); };
  refuse_stage("normalizer", type, where);
}

}  // namespace glassformer::huggingface
