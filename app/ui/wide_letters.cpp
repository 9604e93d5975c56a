#include "app/ui/wide_letters.h"

#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/text/unicode.h"

namespace glassformer::ui {

namespace {

constexpr char32_t kFirstStand = 0xA000, kLastStand = 0xA48F, kLastNarrow = 0xFFFF;

// Yi syllables, which hardly anybody types here; Dear ImGui takes none for private use.
bool is_stand_in(char32_t letter) {
  return letter >= kFirstStand && letter <= kLastStand;
}

// Those that were met, in the order of the letters that replace them. On the thread of the window alone.
std::vector<char32_t>& met() {
  static std::vector<char32_t> letters;
  return letters;
}

// Text without such a letter is not touched, whatever its bytes are.
template <class Concerns, class Change>
std::string changed(std::string_view text, const Concerns& concerns, const Change& change) {
  const std::vector<char32_t> letters = code_points(text);
  if (std::ranges::none_of(letters, concerns)) return std::string(text);
  std::string result;
  for (const char32_t letter : letters) append_utf8(result, change(letter));
  return result;
}

// Text that was copied elsewhere, and what a field copies.
const char* (*read_clipboard)(void* user) = nullptr;
void (*write_clipboard)(void* user, const char* text) = nullptr;

}  // namespace

char32_t narrow_letter(char32_t letter) {
  // A stand-in that is typed has another that replaces it: else it would come out as what it replaces.
  if (sizeof(ImWchar) > 2 || (letter <= kLastNarrow && !is_stand_in(letter))) return letter;
  std::vector<char32_t>& letters = met();
  auto found = std::ranges::find(letters, letter);
  if (found == letters.end()) {
    if (letters.size() > kLastStand - kFirstStand) return kReplacement;
    found = letters.insert(letters.end(), letter);
  }
  return kFirstStand + static_cast<char32_t>(found - letters.begin());
}

std::string narrow_letters(std::string_view text) {
  return changed(
      text, [](char32_t letter) { return letter > kLastNarrow || is_stand_in(letter); }, narrow_letter);
}

std::string wide_letters(std::string_view text) {
  const auto is_met_stand_in = [](char32_t letter) {
    return is_stand_in(letter) && letter - kFirstStand < met().size();
  };
  return changed(text, is_met_stand_in, [&](char32_t letter) {
    return is_met_stand_in(letter) ? met()[letter - kFirstStand] : letter;
  });
}

std::string one_line(std::string_view text) {
  const auto cuts = [](char32_t letter) {
    return (letter >= '\t' && letter <= '\r') || letter == 0x85 || letter == 0x2028 || letter == 0x2029;
  };
  const std::vector<char32_t> letters = code_points(text);
  if (std::ranges::none_of(letters, cuts)) return std::string(text);
  std::string line;
  bool blank = false;
  for (const char32_t letter : letters) {
    if (cuts(letter)) {
      blank = true;
      continue;
    }
    if (std::exchange(blank, false) && letter != ' ' && !line.empty() && line.back() != ' ') line += ' ';
    append_utf8(line, letter);
  }
  return line;
}

// Later versions of Dear ImGui keep the clipboard elsewhere.
#if IMGUI_VERSION_NUM < 19110
NarrowClipboard::NarrowClipboard() {
  ImGuiIO& io = ImGui::GetIO();
  read_clipboard = io.GetClipboardTextFn;
  write_clipboard = io.SetClipboardTextFn;
  io.GetClipboardTextFn = [](void* user) {
    static std::string text;
    const char* const copied = read_clipboard(user);
    text = copied ? narrow_letters(one_line(copied)) : "";
    return text.c_str();
  };
  io.SetClipboardTextFn = [](void* user, const char* text) {
    write_clipboard(user, wide_letters(text).c_str());
  };
}

NarrowClipboard::~NarrowClipboard() {
  ImGui::GetIO().GetClipboardTextFn = read_clipboard;
  ImGui::GetIO().SetClipboardTextFn = write_clipboard;
}
#else
NarrowClipboard::NarrowClipboard() = default;
NarrowClipboard::~NarrowClipboard() = default;
#endif

}  // namespace glassformer::ui
