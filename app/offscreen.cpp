#include "app/offscreen.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <chrono>
#include <thread>
#include <utility>

#include "app/gl_context.h"
#include "app/imgui_setup.h"
#include "app/offscreen_keys.h"
#include "app/ui/wide_letters.h"

namespace glassformer {

using Clock = std::chrono::steady_clock;

struct OffscreenProgram::State {
  explicit State(const OffscreenOptions& options)
      : draws(options.draws), gl(static_cast<int>(options.size.x), static_cast<int>(options.size.y)) {
    context_seconds = std::chrono::duration<double>(Clock::now() - began).count();
    ImGui::CreateContext();
    set_up_imgui();
    ImGuiIO& io = ImGui::GetIO();
    io.SetClipboardTextFn = [](void* user, const char* text) { static_cast<State*>(user)->clipboard = text; };
    io.GetClipboardTextFn = [](void* user) { return static_cast<State*>(user)->clipboard.c_str(); };
    io.ClipboardUserData = this;
    io.DisplaySize = {options.size.x, options.size.y};
#if IMGUI_VERSION_NUM < 18700
    for (const auto& [key, glfw] : {std::pair{ImGuiKey_Tab, GLFW_KEY_TAB},
                                    {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                    {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                    {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                    {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                    {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                    {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                    {ImGuiKey_Home, GLFW_KEY_HOME},
                                    {ImGuiKey_End, GLFW_KEY_END},
                                    {ImGuiKey_Insert, GLFW_KEY_INSERT},
                                    {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                    {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                    {ImGuiKey_Space, GLFW_KEY_SPACE},
                                    {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                    {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                    {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
                                    {ImGuiKey_A, GLFW_KEY_A},
                                    {ImGuiKey_C, GLFW_KEY_C},
                                    {ImGuiKey_V, GLFW_KEY_V},
                                    {ImGuiKey_X, GLFW_KEY_X},
                                    {ImGuiKey_Y, GLFW_KEY_Y},
                                    {ImGuiKey_Z, GLFW_KEY_Z}})
      io.KeyMap[key] = glfw;
#endif
    ImGui_ImplOpenGL3_Init("#version 330 core");
    program = std::make_unique<Program>(ProgramOptions{.session = {.model = options.model,
                                                                   .corpus = options.corpus,
                                                                   .keep_settings = options.keep_settings,
                                                                   .keep_runs = options.keep_runs,
                                                                   .threads = options.threads},
                                                       .shell = {.scale = options.scale,
                                                                 .theme = options.dark ? "dark" : "light",
                                                                 .quiet = options.quiet,
                                                                 .view = options.view,
                                                                 .session = options.session,
                                                                 .lesson = options.lesson}});
  }

  ~State() {
    program.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
  }

  void frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0f / 60;
    time += 1.0 / 60;
    program->prepare([] {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    });
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const auto start = Clock::now();
    program->frame({io.DisplaySize.x, io.DisplaySize.y}, time);
    ImGui::Render();
    build_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (draws) draw(true);
  }

  // The frame that was built last.
  void draw(bool only_changes) {
    gl.bind();
    ImDrawData& data = *ImGui::GetDrawData();
    if (program->clear(data, gl.width(), gl.height(), only_changes)) ImGui_ImplOpenGL3_RenderDrawData(&data);
  }

  void key(int glfw, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(imgui_key(glfw), down);
    if (glfw == GLFW_KEY_LEFT_CONTROL) io.AddKeyEvent(ImGuiMod_Ctrl, down);
    if (glfw == GLFW_KEY_LEFT_SHIFT) io.AddKeyEvent(ImGuiMod_Shift, down);
#else
    io.KeysDown[glfw] = down;
    if (glfw == GLFW_KEY_LEFT_CONTROL) io.KeyCtrl = down;
    if (glfw == GLFW_KEY_LEFT_SHIFT) io.KeyShift = down;
#endif
  }

  void mouse(Point effective) {
    ImGuiIO& io = ImGui::GetIO();
    const float scale = program->fonts().scale();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(effective.x * scale, effective.y * scale);
#else
    io.MousePos = {effective.x * scale, effective.y * scale};
#endif
  }

  void button(bool down, int which = 0) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseButtonEvent(which, down);
#else
    io.MouseDown[which] = down;
#endif
  }

  Clock::time_point began = Clock::now();
  double context_seconds = 0;
  bool draws;
  GlContext gl;
  std::unique_ptr<Program> program;
  std::string clipboard;
  double time = 0, build_seconds = 0;
};

OffscreenProgram::OffscreenProgram(const OffscreenOptions& options)
    : state_(std::make_unique<State>(options)) {
  frame(2);
}
OffscreenProgram::~OffscreenProgram() = default;

Program& OffscreenProgram::program() {
  return *state_->program;
}

void OffscreenProgram::frame(int count) {
  for (int i = 0; i < count; ++i) state_->frame();
}

bool OffscreenProgram::wait(const std::function<bool()>& condition, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  frame();
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    frame();
  }
  return true;
}

bool OffscreenProgram::settle(double seconds) {
  frame(2);
  const bool done =
      wait([this] { return program().settled() || (session().training() && !session().working()); }, seconds);
  frame(3);
  return done;
}

bool OffscreenProgram::visible(const std::string& label) {
  const auto widget = find(label);
  return widget && widget->visible.width > 0 && widget->visible.height > 0;
}

bool OffscreenProgram::hover(const std::string& label) {
  auto widget = find(label);
  if (!widget) return false;
  const auto whole = [](const ui::Widget& w) {
    return w.visible.width >= w.rect.width * 0.5f && w.visible.height >= w.rect.height * 0.5f &&
           w.visible.width > 0;
  };
  if (!whole(*widget)) {
    program().ui().scroll.reveal(label);
    frame(2);
    widget = find(label);
    if (!widget || widget->visible.width <= 0 || widget->visible.height <= 0) return false;
  }
  move(widget->visible.center());
  return true;
}

bool OffscreenProgram::click(const std::string& label, bool control) {
  const auto widget = find(label);
  if (!widget || !widget->enabled || !hover(label)) return false;
  if (control) state_->key(GLFW_KEY_LEFT_CONTROL, true), frame();
  state_->button(true);
  frame();
  state_->button(false);
  // As many frames as the window gives an event, then those that are asked for at once.
  frame(2);
  for (int i = 0; i < 8 && program().wanted_frame() == 0; ++i) frame();
  if (control) state_->key(GLFW_KEY_LEFT_CONTROL, false), frame();
  return true;
}

bool OffscreenProgram::right_click(const std::string& label) {
  const auto widget = find(label);
  if (!widget || !widget->enabled || !hover(label)) return false;
  constexpr int kRight = 1;
  state_->button(true, kRight);
  frame();
  state_->button(false, kRight);
  frame(3);
  return true;
}

bool OffscreenProgram::type(const std::string& field, const std::string& text) {
  if (!click(field)) return false;
  state_->key(GLFW_KEY_LEFT_CONTROL, true);
  frame();
  state_->key(GLFW_KEY_A, true);
  frame();
  state_->key(GLFW_KEY_A, false);
  frame();
  state_->key(GLFW_KEY_LEFT_CONTROL, false);
  frame();
  if (text.empty()) {
    press(ui::Key::backspace);
    return true;
  }
  ImGui::GetIO().AddInputCharactersUTF8(ui::narrow_letters(text).c_str());
  frame(2);
  return true;
}

void OffscreenProgram::press(ui::Key key, bool down_only) {
  const Chord chord = chord_of(key);
  if (chord.control) state_->key(GLFW_KEY_LEFT_CONTROL, true), frame();
  if (chord.shift) state_->key(GLFW_KEY_LEFT_SHIFT, true), frame();
  state_->key(chord.key, true);
  frame();
  if (!down_only) release(key);
}

void OffscreenProgram::release(ui::Key key) {
  const Chord chord = chord_of(key);
  state_->key(chord.key, false);
  frame();
  if (chord.shift) state_->key(GLFW_KEY_LEFT_SHIFT, false), frame();
  if (chord.control) state_->key(GLFW_KEY_LEFT_CONTROL, false), frame();
  frame();
}

void OffscreenProgram::press(char letter, bool down_only) {
  const int glfw = letter >= 'a' && letter <= 'z' ? GLFW_KEY_A + (letter - 'a') : 0;
  if (glfw != 0) state_->key(glfw, true);
  ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
  frame();
  if (glfw != 0 && !down_only) state_->key(glfw, false);
  frame(2);
}

void OffscreenProgram::release(char letter) {
  if (letter >= 'a' && letter <= 'z') state_->key(GLFW_KEY_A + (letter - 'a'), false);
  frame(2);
}

void OffscreenProgram::move(Point at) {
  state_->mouse(at);
  frame(2);
}

void OffscreenProgram::scroll(Point at, float lines) {
  move(at);
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseWheelEvent(0, lines);
#else
  io.MouseWheel += lines;
#endif
  frame(2);
}

void OffscreenProgram::resize(Point pixels) {
  state_->gl.resize(static_cast<int>(pixels.x), static_cast<int>(pixels.y));
  ImGui::GetIO().DisplaySize = {pixels.x, pixels.y};
  frame(3);
}

std::string OffscreenProgram::text(const std::string& label) {
  const auto widget = find(label);
  return widget ? widget->value : std::string();
}

std::vector<Color> OffscreenProgram::pixels(bool anew) {
  const bool draws = std::exchange(state_->draws, false);
  frame();
  state_->draw(!anew);
  state_->draws = draws;
  return state_->gl.pixels();
}

Point OffscreenProgram::size() const {
  return {static_cast<float>(state_->gl.width()), static_cast<float>(state_->gl.height())};
}

std::string OffscreenProgram::clipboard() const {
  return state_->clipboard;
}
double OffscreenProgram::build_seconds() const {
  return state_->build_seconds;
}
double OffscreenProgram::context_seconds() const {
  return state_->context_seconds;
}

void OffscreenProgram::finish_drawing() {
  glFinish();
}

}  // namespace glassformer
