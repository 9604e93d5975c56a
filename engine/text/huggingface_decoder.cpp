#include "engine/text/huggingface_stage.h"

#include <cstdlib>
#include <optional>

namespace glassformer::huggingface {

namespace {

std::string without_blanks_before_signs(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kRules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kRules) text = replaced(text, from, to);
  return text;
}

PieceDecoder word_piece_decoder(const nlohmann::json& json) {
  const std::string prefix = text_of(json, "prefix", "##");
  const bool clean = flag_of(json, "cleanup", true);
  return [=](Words pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      std::string& piece = pieces[i];
      if (i > 0) piece = piece.starts_with(prefix) ? piece.substr(prefix.size()) : " " + piece;
      if (clean) piece = without_blanks_before_signs(piece);
    }
    return pieces;
  };
}

// Marks are blanks, but in the first piece, which loses them all.
PieceDecoder metaspace_decoder(const nlohmann::json& json, const std::string& where) {
  const std::string mark = sign_of(json, "replacement", "▁", where);
  const bool prepends = prepend_scheme(json) != "never";
  return [=](Words pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      pieces[i] = replaced(pieces[i], mark, i == 0 && prepends ? "" : " ");
    return pieces;
  };
}

PieceDecoder suffix_decoder(const nlohmann::json& json, const std::string& where) {
  const std::string suffix = text_of(json, "suffix", "</w>");
  if (suffix.empty()) throw Error(where, "its BPEDecoder has an empty suffix, which is not read");
  return [=](Words pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      pieces[i] = replaced(pieces[i], suffix, i + 1 < pieces.size() ? " " : "");
    return pieces;
  };
}

// "<0xE2>" is a byte; bytes that are no text become U+FFFD each.
std::optional<char> byte_piece(const std::string& piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || !piece.ends_with('>')) return std::nullopt;
  char* end = nullptr;
  const std::string digits = piece.substr(3, 2);
  const long byte = std::strtol(digits.c_str(), &end, 16);
  return *end == 0 ? std::optional(static_cast<char>(byte)) : std::nullopt;
}
Words with_bytes(const Words& pieces) {
  Words result;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (first_invalid_utf8(bytes) == std::string::npos)
      result.push_back(bytes);
    else
      for (std::size_t i = 0; i < bytes.size(); ++i) result.emplace_back("\xEF\xBF\xBD");
    bytes.clear();
  };
  for (const std::string& piece : pieces) {
    if (const auto byte = byte_piece(piece)) {
      bytes += *byte;
      continue;
    }
    flush();
    result.push_back(piece);
  }
  flush();
  return result;
}

PieceDecoder strip_decoder(const nlohmann::json& json, const std::string& where) {
  const std::string sign = sign_of(json, "content", " ", where);
  const auto count = [&](const char* key) {
    return json.contains(key) ? whole<long>(json[key], where, std::string(key) + " of its Strip") : 0;
  };
  const long start = count("start"), stop = count("stop");
  return [=](Words pieces) {
    for (std::string& piece : pieces) {
      std::string_view rest = piece;
      for (long i = 0; i < start && rest.starts_with(sign); ++i) rest.remove_prefix(sign.size());
      for (long i = 0; i < stop && rest.ends_with(sign); ++i) rest.remove_suffix(sign.size());
      piece = std::string(rest);
    }
    return pieces;
  };
}

}  // namespace

PieceDecoder read_piece_decoder(const nlohmann::json& json, const std::string& where) {
  if (json.is_null())
    return [](Words pieces) {
      for (std::size_t i = 1; i < pieces.size(); ++i) pieces[i].insert(0, " ");
      return pieces;
    };
  const std::string type = stage_type(json, where);
  if (type == "Sequence") {
    const auto stages = read_stages<PieceDecoder>(
        parts_of(json, "decoders", where), [&](const auto& part) { return read_piece_decoder(part, where); });
    return [stages](Words pieces) {
      for (const PieceDecoder& stage : stages) pieces = stage(std::move(pieces));
      return pieces;
    };
  }
  if (type == "ByteLevel")
    return [](Words pieces) {
      for (std::string& piece : pieces) piece = bytes_of_signs(piece);
      return pieces;
    };
  if (type == "Fuse") return [](const Words& pieces) { return Words{joined(pieces)}; };
  if (type == "ByteFallback") return with_bytes;
  if (type == "WordPiece") return word_piece_decoder(json);
  if (type == "Metaspace") return metaspace_decoder(json, where);
  if (type == "BPEDecoder") return suffix_decoder(json, where);
  if (type == "Strip") return strip_decoder(json, where);
  if (type == "Replace")
    return [from = plain_pattern(json, where), to = text_of(json, "content", "")](Words pieces) {
      for (std::string& piece : pieces) piece = replaced(piece, from, to);
      return pieces;
    };
  refuse_stage("decoder", type, where);
}

}  // namespace glassformer::huggingface
