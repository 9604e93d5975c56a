#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace glassformer {
namespace {

// Signs, digits and symbols past ASCII, by first and last code point.
constexpr std::array<std::pair<char32_t, char32_t>, 51> kSigns = {
    {{0x80, 0xA9},      {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},
     {0xF7, 0xF7},      {0x2C2, 0x2C5},   {0x2D2, 0x2DF},   {0x37E, 0x37E},   {0x384, 0x385},
     {0x387, 0x387},    {0x55A, 0x55F},   {0x589, 0x58F},   {0x5BE, 0x5BE},   {0x5C0, 0x5C0},
     {0x5C3, 0x5C3},    {0x5F3, 0x60F},   {0x61B, 0x61F},   {0x660, 0x66D},   {0x6D4, 0x6D4},
     {0x6F0, 0x6F9},    {0x964, 0x970},   {0x9E6, 0x9EF},   {0xBE6, 0xBFA},   {0xC66, 0xC7F},
     {0xE3F, 0xE3F},    {0xE4F, 0xE5B},   {0x1040, 0x104F}, {0x1680, 0x1680}, {0x17E0, 0x180A},
     {0x1FFD, 0x200B},  {0x200E, 0x2070}, {0x2074, 0x207E}, {0x2080, 0x208E}, {0x20A0, 0x20C0},
     {0x2100, 0x2BFF},  {0x2E00, 0x2E2E}, {0x2E30, 0x3004}, {0x3007, 0x3029}, {0x3030, 0x3030},
     {0x303D, 0x303F},  {0x30FB, 0x30FB}, {0x3200, 0x33FF}, {0xFD3E, 0xFD4F}, {0xFE10, 0xFE19},
     {0xFE30, 0xFE6B},  {0xFEFF, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF},
     {0x1F000, 0x1FAFF}}};

// Capital letters past ASCII in runs: every `stride`-th code point from first to last has its small letter
// `offset` further on.
struct CaseRun {
  char32_t first, last;
  int stride, offset;
};
constexpr std::array<CaseRun, 180> kCaseRuns = {
    {{0xC0, 0xD6, 1, 32},         {0xD8, 0xDE, 1, 32},         {0x100, 0x12E, 2, 1},
     {0x132, 0x136, 2, 1},        {0x139, 0x147, 2, 1},        {0x14A, 0x176, 2, 1},
     {0x178, 0x178, 1, -121},     {0x179, 0x17D, 2, 1},        {0x181, 0x181, 1, 210},
     {0x182, 0x184, 2, 1},        {0x186, 0x186, 1, 206},      {0x187, 0x187, 1, 1},
     {0x189, 0x18A, 1, 205},      {0x18B, 0x18B, 1, 1},        {0x18E, 0x18E, 1, 79},
     {0x18F, 0x18F, 1, 202},      {0x190, 0x190, 1, 203},      {0x191, 0x191, 1, 1},
     {0x193, 0x193, 1, 205},      {0x194, 0x194, 1, 207},      {0x196, 0x196, 1, 211},
     {0x197, 0x197, 1, 209},      {0x198, 0x198, 1, 1},        {0x19C, 0x19C, 1, 211},
     {0x19D, 0x19D, 1, 213},      {0x19F, 0x19F, 1, 214},      {0x1A0, 0x1A4, 2, 1},
     {0x1A6, 0x1A6, 1, 218},      {0x1A7, 0x1A7, 1, 1},        {0x1A9, 0x1A9, 1, 218},
     {0x1AC, 0x1AC, 1, 1},        {0x1AE, 0x1AE, 1, 218},      {0x1AF, 0x1AF, 1, 1},
     {0x1B1, 0x1B2, 1, 217},      {0x1B3, 0x1B5, 2, 1},        {0x1B7, 0x1B7, 1, 219},
     {0x1B8, 0x1B8, 1, 1},        {0x1BC, 0x1BC, 1, 1},        {0x1C4, 0x1C4, 1, 2},
     {0x1C5, 0x1C5, 1, 1},        {0x1C7, 0x1C7, 1, 2},        {0x1C8, 0x1C8, 1, 1},
     {0x1CA, 0x1CA, 1, 2},        {0x1CB, 0x1DB, 2, 1},        {0x1DE, 0x1EE, 2, 1},
     {0x1F1, 0x1F1, 1, 2},        {0x1F2, 0x1F4, 2, 1},        {0x1F6, 0x1F6, 1, -97},
     {0x1F7, 0x1F7, 1, -56},      {0x1F8, 0x21E, 2, 1},        {0x220, 0x220, 1, -130},
     {0x222, 0x232, 2, 1},        {0x23A, 0x23A, 1, 10795},    {0x23B, 0x23B, 1, 1},
     {0x23D, 0x23D, 1, -163},     {0x23E, 0x23E, 1, 10792},    {0x241, 0x241, 1, 1},
     {0x243, 0x243, 1, -195},     {0x244, 0x244, 1, 69},       {0x245, 0x245, 1, 71},
     {0x246, 0x24E, 2, 1},        {0x370, 0x372, 2, 1},        {0x376, 0x376, 1, 1},
     {0x37F, 0x37F, 1, 116},      {0x386, 0x386, 1, 38},       {0x388, 0x38A, 1, 37},
     {0x38C, 0x38C, 1, 64},       {0x38E, 0x38F, 1, 63},       {0x391, 0x3A1, 1, 32},
     {0x3A3, 0x3AB, 1, 32},       {0x3CF, 0x3CF, 1, 8},        {0x3D8, 0x3EE, 2, 1},
     {0x3F4, 0x3F4, 1, -60},      {0x3F7, 0x3F7, 1, 1},        {0x3F9, 0x3F9, 1, -7},
     {0x3FA, 0x3FA, 1, 1},        {0x3FD, 0x3FF, 1, -130},     {0x400, 0x40F, 1, 80},
     {0x410, 0x42F, 1, 32},       {0x460, 0x480, 2, 1},        {0x48A, 0x4BE, 2, 1},
     {0x4C0, 0x4C0, 1, 15},       {0x4C1, 0x4CD, 2, 1},        {0x4D0, 0x52E, 2, 1},
     {0x531, 0x556, 1, 48},       {0x10A0, 0x10C5, 1, 7264},   {0x10C7, 0x10C7, 1, 7264},
     {0x10CD, 0x10CD, 1, 7264},   {0x13A0, 0x13EF, 1, 38864},  {0x13F0, 0x13F5, 1, 8},
     {0x1C90, 0x1CBA, 1, -3008},  {0x1CBD, 0x1CBF, 1, -3008},  {0x1E00, 0x1E94, 2, 1},
     {0x1E9E, 0x1E9E, 1, -7615},  {0x1EA0, 0x1EFE, 2, 1},      {0x1F08, 0x1F0F, 1, -8},
     {0x1F18, 0x1F1D, 1, -8},     {0x1F28, 0x1F2F, 1, -8},     {0x1F38, 0x1F3F, 1, -8},
     {0x1F48, 0x1F4D, 1, -8},     {0x1F59, 0x1F5F, 2, -8},     {0x1F68, 0x1F6F, 1, -8},
     {0x1F88, 0x1F8F, 1, -8},     {0x1F98, 0x1F9F, 1, -8},     {0x1FA8, 0x1FAF, 1, -8},
     {0x1FB8, 0x1FB9, 1, -8},     {0x1FBA, 0x1FBB, 1, -74},    {0x1FBC, 0x1FBC, 1, -9},
     {0x1FC8, 0x1FCB, 1, -86},    {0x1FCC, 0x1FCC, 1, -9},     {0x1FD8, 0x1FD9, 1, -8},
     {0x1FDA, 0x1FDB, 1, -100},   {0x1FE8, 0x1FE9, 1, -8},     {0x1FEA, 0x1FEB, 1, -112},
     {0x1FEC, 0x1FEC, 1, -7},     {0x1FF8, 0x1FF9, 1, -128},   {0x1FFA, 0x1FFB, 1, -126},
     {0x1FFC, 0x1FFC, 1, -9},     {0x2126, 0x2126, 1, -7517},  {0x212A, 0x212A, 1, -8383},
     {0x212B, 0x212B, 1, -8262},  {0x2132, 0x2132, 1, 28},     {0x2160, 0x216F, 1, 16},
     {0x2183, 0x2183, 1, 1},      {0x24B6, 0x24CF, 1, 26},     {0x2C00, 0x2C2F, 1, 48},
     {0x2C60, 0x2C60, 1, 1},      {0x2C62, 0x2C62, 1, -10743}, {0x2C63, 0x2C63, 1, -3814},
     {0x2C64, 0x2C64, 1, -10727}, {0x2C67, 0x2C6B, 2, 1},      {0x2C6D, 0x2C6D, 1, -10780},
     {0x2C6E, 0x2C6E, 1, -10749}, {0x2C6F, 0x2C6F, 1, -10783}, {0x2C70, 0x2C70, 1, -10782},
     {0x2C72, 0x2C72, 1, 1},      {0x2C75, 0x2C75, 1, 1},      {0x2C7E, 0x2C7F, 1, -10815},
     {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},      {0x2CF2, 0x2CF2, 1, 1},
     {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},      {0xA722, 0xA72E, 2, 1},
     {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},      {0xA77D, 0xA77D, 1, -35332},
     {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},      {0xA78D, 0xA78D, 1, -42280},
     {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},      {0xA7AA, 0xA7AA, 1, -42308},
     {0xA7AB, 0xA7AB, 1, -42319}, {0xA7AC, 0xA7AC, 1, -42315}, {0xA7AD, 0xA7AD, 1, -42305},
     {0xA7AE, 0xA7AE, 1, -42308}, {0xA7B0, 0xA7B0, 1, -42258}, {0xA7B1, 0xA7B1, 1, -42282},
     {0xA7B2, 0xA7B2, 1, -42261}, {0xA7B3, 0xA7B3, 1, 928},    {0xA7B4, 0xA7C2, 2, 1},
     {0xA7C4, 0xA7C4, 1, -48},    {0xA7C5, 0xA7C5, 1, -42307}, {0xA7C6, 0xA7C6, 1, -35384},
     {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},      {0xA7D6, 0xA7D8, 2, 1},
     {0xA7F5, 0xA7F5, 1, 1},      {0xFF21, 0xFF3A, 1, 32},     {0x10400, 0x10427, 1, 40},
     {0x104B0, 0x104D3, 1, 40},   {0x10570, 0x1057A, 1, 39},   {0x1057C, 0x1058A, 1, 39},
     {0x1058C, 0x10592, 1, 39},   {0x10594, 0x10595, 1, 39},   {0x10C80, 0x10CB2, 1, 64},
     {0x118A0, 0x118BF, 1, 32},   {0x16E40, 0x16E5F, 1, 32},   {0x1E900, 0x1E921, 1, 34}}};

constexpr char32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kDottedI = 0x130;

char32_t shifted(char32_t code_point, int offset) {
  return static_cast<char32_t>(static_cast<int>(code_point) + offset);
}

bool has_case(char32_t code_point) {
  if (to_lower(code_point) != code_point || (code_point >= 'a' && code_point <= 'z')) return true;
  return std::any_of(kCaseRuns.begin(), kCaseRuns.end(), [&](const CaseRun& run) {
    const char32_t capital = shifted(code_point, -run.offset);
    return capital >= run.first && capital <= run.last &&
           (capital - run.first) % static_cast<char32_t>(run.stride) == 0;
  });
}

struct Decoded {
  char32_t code_point;
  std::size_t length;
  bool valid;
};

// The well-formed byte sequences of the Unicode standard: the second byte's bounds rule out overlong forms,
// surrogates and values past U+10FFFF.
Decoded decode(std::string_view text, std::size_t start) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(start);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;
  char32_t value = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    value = lead & 0x1Fu;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    value = lead & 0x0Fu;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    value = lead & 0x07u;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {kReplacement, 1, false};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (start + i >= text.size() || byte(start + i) < low || byte(start + i) > high)
      return {kReplacement, i, false};
    value = (value << 6) | (byte(start + i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {value, length, true};
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const Decoded decoded = decode(text, position);
  position += decoded.length;
  return decoded.code_point;
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) result.push_back(next_code_point(text, i));
  return result;
}

void append_utf8(std::string& text, char32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) code_point = kReplacement;
  const auto add = [&](char32_t byte) {
    text.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
  };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | (code_point >> 6));
    add(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    add(0xE0 | (code_point >> 12));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  } else {
    add(0xF0 | (code_point >> 18));
    add(0x80 | ((code_point >> 12) & 0x3F));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  }
}

std::string to_utf8(const std::vector<char32_t>& code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t c : code_points) append_utf8(text, c);
  return text;
}

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Decoded decoded = decode(text, i);
    if (!decoded.valid) return i;
    i += decoded.length;
  }
  return std::string_view::npos;
}

bool is_blank(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const auto sign = std::ranges::lower_bound(kSigns, c, {}, &std::pair<char32_t, char32_t>::second);
  return sign == kSigns.end() || c < sign->first;
}

char32_t to_lower(char32_t code_point) {
  if (code_point < 0x80) return code_point >= 'A' && code_point <= 'Z' ? code_point + 32 : code_point;
  const auto after = std::upper_bound(kCaseRuns.begin(), kCaseRuns.end(), code_point,
                                      [](char32_t c, const CaseRun& run) { return c < run.first; });
  if (after == kCaseRuns.begin()) return code_point;
  const CaseRun& run = *(after - 1);
  if (code_point > run.last || (code_point - run.first) % static_cast<char32_t>(run.stride) != 0)
    return code_point;
  return shifted(code_point, run.offset);
}

std::string to_lower(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  const auto letter_at = [&](std::size_t ahead) {
    return ahead < text.size() && has_case(next_code_point(text, ahead));
  };
  char32_t last = 0;  // before this one
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (c == kSigma && has_case(last) && !letter_at(i)) {
      append_utf8(lower, kFinalSigma);
    } else if (c == kDottedI) {
      lower += "i\u0307";
    } else {
      append_utf8(lower, to_lower(c));
    }
    last = c;
  }
  return lower;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    if (is_blank(next_code_point(text, i))) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      words.back().append(text.substr(start, i - start));
      inside = true;
    }
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  std::size_t first = std::string_view::npos, end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    if (is_blank(next_code_point(text, i))) continue;
    if (first == std::string_view::npos) first = start;
    end = i;
  }
  return first == std::string_view::npos ? std::string_view() : text.substr(first, end - first);
}

}  // namespace glassformer
