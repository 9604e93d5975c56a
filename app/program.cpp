#include "app/program.h"

#include <GL/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>

#include "app/canvas/textures.h"

namespace glassformer {

namespace {

// One window of Dear ImGui over everything, without its own background: what it would draw is cleared
// instead.
constexpr ImGuiWindowFlags kRootFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                        ImGuiWindowFlags_NoScrollWithMouse;

// The first shows what a command has changed, the second what was laid out by the heights of the first.
constexpr int kFramesAfterCommand = 2;

}  // namespace

Program::Program(ProgramOptions options)
    : session_(std::move(options.session)),
      shell_(session_, std::move(options.shell)),
      fonts_(find_font_files()),
      textures_(std::make_unique<Textures>()) {}

Program::~Program() = default;

bool Program::prepare(const std::function<void()>& renew_texture) {
  const bool changed = session_.begin_frame();
  const auto scale = static_cast<float>(shell_.scale());
  if (!baked_ || scale != fonts_.scale() || fonts_.wants_baking()) {
    fonts_.bake(scale, renew_texture);
    changed_.forget();
    baked_ = true;
    return true;
  }
  return changed;
}

void Program::frame(Point pixels, double time) {
  textures_->begin_frame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({pixels.x, pixels.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0f);
  ImGui::Begin("Glassformer", nullptr, kRootFlags);
  const float scale = fonts_.scale();
  const Point window{pixels.x / scale, pixels.y / scale};
  const Theme theme = shell_.theme();
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 mouse = io.MousePos;
  const bool used = std::ranges::any_of(io.MouseDown, std::identity()) || io.MouseWheel != 0 ||
                    std::ranges::any_of(io.MouseReleased, std::identity());
  if (shell_.mouse_rests({mouse.x / scale, mouse.y / scale}, used)) io.MousePos = {-FLT_MAX, -FLT_MAX};
  ui_.begin_frame({.list = ImGui::GetWindowDrawList(),
                   .theme = &theme,
                   .fonts = &fonts_,
                   .textures = textures_.get(),
                   .window = window,
                   .least_type = shell_.least_type(),
                   .time = time});
  io.MousePos = mouse;
  shell_.frame(ui_, window, time);
  ui_.end_frame();
  ImGui::End();
  ImGui::PopStyleVar(3);

  Commands commands = std::move(waiting_);
  waiting_.clear();
  for (Command& command : ui_.commands()) commands.push_back(std::move(command));
  if (again_ > 0) --again_;
  if (std::any_of(commands.begin(), commands.end(),
                  [](const Command& command) { return !command.is<SetHover>(); }))
    again_ = kFramesAfterCommand;
  session_.apply(commands);
  shell_.apply(commands, time);
}

std::vector<Backing> Program::backings(int width, int height) const {
  std::vector<Backing> backings{{{0, 0, width, height}, shell_.theme().paper}};
  const auto pixel = [this](float at) { return static_cast<int>(std::lround(at * fonts_.scale())); };
  for (const Backdrop& area : shell_.backdrops())
    backings.push_back(
        {{pixel(area.rect.x), pixel(area.rect.y), pixel(area.rect.right()), pixel(area.rect.bottom())},
         area.color});
  return backings;
}

bool Program::clear(ImDrawData& data, int width, int height, bool keeps_picture) {
  const std::vector<Backing> all = backings(width, height);
  std::vector<PixelRect> parts{{0, 0, width, height}};
  if (keeps_picture) {
    parts = changed_.next(width, height, all, data);
    keep_only(data, parts);
  } else {
    changed_.forget();
  }
  glViewport(0, 0, width, height);
  glEnable(GL_SCISSOR_TEST);
  for (const PixelRect& part : parts) {
    for (const Backing& backing : all) {
      const PixelRect rect = backing.rect.cut(part);
      if (rect.empty()) continue;
      const auto share = [](std::uint8_t value) { return static_cast<float>(value) / 255; };
      glScissor(rect.left, height - rect.bottom, rect.right - rect.left, rect.bottom - rect.top);
      glClearColor(share(backing.color.r), share(backing.color.g), share(backing.color.b), 1);
      glClear(GL_COLOR_BUFFER_BIT);
    }
  }
  glDisable(GL_SCISSOR_TEST);
  return !parts.empty();
}

double Program::wanted_frame() const {
  if (again_ > 0 || fonts_.wants_baking()) return 0;
  return ui_.wanted_frame();
}

bool Program::settled() const {
  const DataPreview* preview = session_.preview();
  return !session_.working() && !fonts_.wants_baking() && !session_.training() &&
         session_.run().phase != RunPhase::preparing && !(preview && preview->reading) && !shell_.writing() &&
         !shell_.opening_session();
}

bool Program::may_close() {
  if (shell_.close_anyway() || session_.finish_saving()) return true;
  shell_.ask_before_closing();
  return false;
}

void Program::dropped(const std::vector<std::string>& paths) {
  for (Command& command : shell_.dropped(paths)) waiting_.push_back(std::move(command));
}

}  // namespace glassformer
