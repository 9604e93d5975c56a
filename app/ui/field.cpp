#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <cmath>

#include "app/canvas/screen_canvas.h"
#include "app/fonts/baked_fonts.h"
#include "app/ui/ui.h"
#include "app/ui/wide_letters.h"
#include "engine/text/unicode.h"

namespace glassformer::ui {

namespace {

constexpr float kSide = 12;          // from the frame to the text
constexpr float kCapitals = 0.727f;  // height of a capital, in em
constexpr std::size_t kMostLetters = 10'000;
constexpr double kCutSaid = 8;  // seconds that a cut is shown
constexpr const char* kCutWords = "cut after 10 000 letters";

ImVec4 vec4(Color c) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255,
          static_cast<float>(c.a) / 255};
}

// Keeps a field's text within the limit while Dear ImGui edits it.
int keep_short(ImGuiInputTextCallbackData* data) {
  const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  std::size_t letters = 0, end = 0;
  while (end < text.size() && letters < kMostLetters) {
    next_code_point(text, end);
    ++letters;
  }
  if (end == text.size()) return 0;
  data->DeleteChars(static_cast<int>(end), data->BufTextLen - static_cast<int>(end));
  *static_cast<bool*>(data->UserData) = true;
  return 0;
}

}  // namespace

// Dear ImGui edits the text (cursor, selection, clipboard, input methods); the frame is ours.
FieldEvent TextField(Ui& ui, const Rect& rect, std::string_view label, std::string& text,
                     const FieldOptions& options) {
  const Theme& t = ui.theme();
  const float scale = ui.screen().scale();
  const std::string id = "##" + std::string(label);
  const bool reachable =
      options.enabled && (ui.mouse_over(rect) || ui.focus.field_ == label || options.focus ||
                          ImGui::GetActiveID() == ImGui::GetID(id.c_str()));

  // Esc leaves the field; the caller may bring back what was in it.
  const bool mine = ImGui::GetActiveID() == ImGui::GetID(id.c_str());
  const bool left = mine && key_pressed(Key::escape);
  // Whoever took the focus since the last frame has the keyboard.
  const bool taken = mine && ui.focus.label_ != label;
  if (mine && (left || ui.focus.release_field_ || taken)) ImGui::ClearActiveID();
  if (mine) ui.focus.release_field_ = false;
  if (left) ui.focus.label_.clear();  // Esc ends on the stage

  const bool active_before = ImGui::GetActiveID() == ImGui::GetID(id.c_str());
  const Color outline = !options.error.empty() ? t.wrong : active_before ? t.ink : t.control;
  ui.screen().rectangle(rect, {.fill = options.enabled ? t.paper : t.sunken,
                               .outline = outline,
                               .outline_width = active_before || !options.error.empty() ? 2.0f : 1.0f,
                               .radius = 6});
  const TextStyle style{.font = options.mono ? Font::mono : Font::regular, .size = 14, .color = t.faint_text};
  if (text.empty() && !options.hint.empty())
    ui.screen().text({rect.x + kSide, rect.center().y},
                     elided(ui.screen(), options.hint, style, rect.width - 2 * kSide), style);

  // The text is where the canvas would put it: capitals centred on the field's middle.
  ImFont* font = ui.screen().fonts().im_font(style.font, style.size);
  ImGui::PushFont(font);
  const float baseline = rect.center().y * scale + kCapitals * style.size * scale / 2;
  const float top = std::round(baseline - font->Ascent * (ImGui::GetFontSize() / font->FontSize));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {kSide * scale, std::max(0.0f, top - rect.y * scale)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, {0, 0, 0, 0});
  ImGui::PushStyleColor(ImGuiCol_Text, vec4(options.enabled ? t.ink : t.faint_text));
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, vec4(t.control.with_alpha(0.7f)));
  ImGui::SetCursorScreenPos({rect.x * scale, rect.y * scale});
  ImGui::SetNextItemWidth((rect.width - kSide + 2) * scale);
  if (!reachable) ImGui::BeginDisabled();
  if (options.focus || ui.focus.field_ == label) {
    ImGui::SetKeyboardFocusHere();
    ui.focus.field_.clear();
    ui.focus.label_.clear();
    ui.field_active_ = true;  // a letter typed until it has it is none of a shortcut
    ui.ask_frame(0);
  }
  const std::string before = text;
  std::string narrow = narrow_letters(text);
  bool entered = false, cut = false;
  {
    const NarrowClipboard clipboard;
    entered = ImGui::InputText(id.c_str(), &narrow,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                                   ImGuiInputTextFlags_CallbackEdit,
                               keep_short, &cut);
  }
  text = wide_letters(narrow);
  // Letters that were not baked are there in the next frame.
  const BakedFonts::Run& run = ui.screen().fonts().run(style.font, style.size * scale);
  for (std::size_t i = 0; i < text.size();) {
    BakedFonts::Quad unused{};
    ui.screen().fonts().quad(run, next_code_point(text, i), unused);
  }
  const bool active = ImGui::IsItemActive();
  if (!reachable) ImGui::EndDisabled();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (cut)
    ImGui::GetStateStorage()->SetFloat(ImGui::GetID(id.c_str()),
                                       static_cast<float>(ui.frame_.time + kCutSaid));
  const double cut_left = ImGui::GetStateStorage()->GetFloat(ImGui::GetID(id.c_str())) - ui.frame_.time;
  if (cut_left > 0) {
    const TextStyle said{.size = 12, .color = t.wrong};
    const std::string words = elided(ui.screen(), kCutWords, said, rect.width - 2 * kSide);
    const float width = ui.screen().measure(words, said).x;
    const Rect box{rect.right() - width - kSide, rect.y + 2, width + kSide - 2, rect.height - 4};
    ui.screen().rectangle(box, {.fill = t.paper});
    ui.screen().text({box.x, rect.center().y}, words, said);
    ui.note(box, std::string(label) + ": cut", kCutWords);
    ui.ask_frame(cut_left);
  }

  if (active) {
    ui.focus.label_ = label;  // Tab continues from here
    ui.field_active_ = true;
  } else if (ui.focus.label_ == label && (active_before || left)) {
    ui.focus.label_.clear();
  }
  ui.record(label, "field", rect,
            {.value = text, .enabled = options.enabled, .focused = active, .focusable = options.enabled});
  if (ui.mouse_over(rect)) ui.hot_ = label, ui.hot_rect_ = ui.scroll.seen(rect);
  if (left) return FieldEvent::left;
  if (entered && options.stays) {
    ui.focus.field_ = label;
    ui.field_active_ = true;
    ui.ask_frame(0);
  }
  if (entered) return FieldEvent::entered;
  return text != before ? FieldEvent::changed : FieldEvent::none;
}

}  // namespace glassformer::ui
