#include "app/window.h"

#include <GL/gl.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include "app/imgui_setup.h"
#include "app/program.h"
#include "app/session/paths.h"
#include "app/stop_signals.h"
#include "app/window_events.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr double kMovingFrame = 1.0 / 30;  // between frames while something moves
constexpr double kAnswer = 0.5;            // after input, what it led to is drawn without delay
constexpr double kOfLate = 0.25;           // how much the newest frame counts in what a frame takes

double monitor_scale() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  float x = 1, y = 1;
  if (monitor) glfwGetMonitorContentScale(monitor, &x, &y);
  return std::clamp(static_cast<double>(std::max(x, y)), 1.0, 2.5);
}

// As large as last time, but never larger than the monitor's free part.
void first_size(const Settings& settings, double scale, int& width, int& height) {
  const bool kept = settings.window_width > 0 && settings.window_height > 0;
  width = kept ? settings.window_width : static_cast<int>(1600 * scale);
  height = kept ? settings.window_height : static_cast<int>(1000 * scale);
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, most_width = 0, most_height = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
    if (most_width > 200 && most_height > 200) {
      width = std::min(width, most_width);
      height = std::min(height, most_height);
    }
  }
}

bool draws_in_software() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name ? name : "";
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

// Shows the picture. OpenGL promises nothing of what then is in the buffer, but in software it can be the
// picture still: true when a row across the panels says so.
bool show_and_look(GLFWwindow* window, int width, int height) {
  const auto middle = [&] {
    std::vector<unsigned char> row(static_cast<size_t>(width) * 4);
    glReadPixels(0, height / 2, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, row.data());
    return row;
  };
  const std::vector<unsigned char> drawn = middle();
  glfwSwapBuffers(window);
  return middle() == drawn &&
         std::adjacent_find(drawn.begin(), drawn.end(), std::not_equal_to<>()) != drawn.end();
}

class Window {
 public:
  explicit Window(const WindowOptions& options, const Settings& settings) {
    const double scale = options.scale > 0 ? options.scale : monitor_scale();
    int width = 1600, height = 1000;
    first_size(settings, scale, width, height);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, settings.maximized ? GLFW_TRUE : GLFW_FALSE);
    // Nothing here is deep; in software a depth buffer makes clearing a panel ten times as slow.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "glassformer");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glassformer");
    window_ = glfwCreateWindow(width, height, "Glassformer", nullptr, nullptr);
    if (!window_) return;
    glfwSetWindowSizeLimits(window_, 480, 360, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, &happened);
    watch_window(window_);
    ImGui::CreateContext();
    set_up_imgui();
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    watch_keyboard(window_);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }

  ~Window() {
    if (!window_) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* get() const { return window_; }

  void draw(Program& program) {
    program.prepare([] {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    });
    feed_keyboard(window_);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    feed_mouse(window_);
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    program.frame({size.x, size.y}, glfwGetTime());
    ImGui::Render();
    if (has_events_left()) ask_for_frame(window_);
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    ImDrawData& data = *ImGui::GetDrawData();
    const bool keeps_picture = keeps_picture_ && !std::exchange(happened.uncovered, false);
    if (!program.clear(data, width, height, keeps_picture)) return;
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    if (std::exchange(first_, false) && draws_in_software()) {
      keeps_picture_ = show_and_look(window_, width, height);
    } else {
      glfwSwapBuffers(window_);
    }
  }

  Happened happened;

 private:
  GLFWwindow* window_ = nullptr;
  bool first_ = true, keeps_picture_ = false;
};

// When frames were drawn, in seconds.
struct Frames {
  double last = -1, asked_for = -1;  // ended; the last that input asked for
  double takes = 0;                  // of a core, of late
};

// Of this thread.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Until an event, a timer of the screen, or a worker's knock. What a worker brings is drawn at once when a
// person may wait for it, else now and then, and seldom enough not to slow down a training.
void wait(Window& window, const Program& program, const StopSignals& signals, const Frames& frames) {
  const double wanted = program.wanted_frame();
  // Never less than 0: time passes between two questions.
  const auto left = [&](double interval) { return std::max(0.0, interval - (glfwGetTime() - frames.last)); };
  if (wanted >= 0) {
    const double interval = std::max(wanted, kMovingFrame);
    glfwWaitEventsTimeout(left(interval));
    if (window.happened.frames > 0 || left(interval) <= 0) return;
  } else {
    glfwWaitEvents();
  }
  double pause = unasked_interval(program.training() ? frames.takes : 0);
  if (frames.last - frames.asked_for < kAnswer) pause = kMovingFrame;
  if (wanted >= 0) pause = std::min(pause, std::max(wanted, kMovingFrame));
  while (window.happened.frames == 0 && !signals.asked() && left(pause) > 0)
    glfwWaitEventsTimeout(left(pause));
}

void remember_window(GLFWwindow* window, Settings& settings) {
  settings.maximized = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
  if (!settings.maximized) glfwGetWindowSize(window, &settings.window_width, &settings.window_height);
}

void report_saving(Window& window, Program& program) {
  if (!program.session().keeps_run()) return;
  program.session().notify({.place = Place::training,
                            .text = "Saving the run. The next start offers to go on with it.",
                            .action = "",
                            .command = {}});
  window.draw(program);
}

void finish_figures(Window& window, Program& program) {
  while (program.shell().writing()) {
    window.draw(program);
    glfwWaitEventsTimeout(kMovingFrame);
  }
}

// What a person would lose is made safe while the window says so; what cannot be is asked about.
bool may_close(Window& window, Program& program) {
  finish_figures(window, program);
  report_saving(window, program);
  return program.may_close();
}

// Frames only when something changes: input, a worker's result, a timer of the screen. Until it is to end.
void run(Window& window, Program& program, const StopSignals& signals) {
  Happened& happened = window.happened;
  Frames frames;
  while (true) {
    const bool asked_for = happened.frames > 0;
    if (asked_for) --happened.frames;
    if (std::exchange(happened.resized, false)) remember_window(window.get(), program.session().settings());
    const double start = processor_seconds();
    window.draw(program);
    frames.last = glfwGetTime();
    frames.takes = std::lerp(frames.takes, processor_seconds() - start, kOfLate);
    if (asked_for) frames.asked_for = frames.last;
    if (signals.asked()) break;
    if (glfwWindowShouldClose(window.get()) || program.wants_close()) {
      if (may_close(window, program)) break;
      glfwSetWindowShouldClose(window.get(), GLFW_FALSE);
      happened.frames = std::max(happened.frames, 1);
    }

    if (happened.frames > 0) {
      glfwPollEvents();
    } else {
      wait(window, program, signals, frames);
    }
    if (!happened.dropped.empty()) program.dropped(std::exchange(happened.dropped, {}));
  }
}

// Whatever is still being computed for the screen. Nobody is there to be asked when a signal ends the
// program.
[[noreturn]] void end(Window& window, Program& program, const StopSignals& signals) {
  const bool keeps_run = program.session().keeps_run();
  if (signals.asked()) {
    finish_figures(window, program);
    report_saving(window, program);
  }
  remember_window(window.get(), program.session().settings());
  const std::string problem = program.session().close();
  if (!problem.empty()) {
    std::cerr << "glassformer: " << message_text(problem) << "\n";
  } else if (keeps_run) {
    std::cerr << "glassformer: the run is saved; the next start offers to go on with it.\n";
  }
  glfwHideWindow(window.get());
  glfwPollEvents();
  std::_Exit(problem.empty() ? 0 : 1);
}

std::string last_glfw_error() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "no reason was given";
}

}  // namespace

int run_window(const WindowOptions& options) {
  // OpenGL in software draws on this thread: with its own threads a frame was seen to wait for seconds
  // while training begins on every core.
  setenv("LP_NUM_THREADS", "0", 0);
  const StopSignals signals([] { glfwPostEmptyEvent(); });
  glfwSetErrorCallback([](int, const char*) {});
  if (!glfwInit()) {
    std::cerr << "glassformer: no window could be opened, because no display was found (" << last_glfw_error()
              << "); start it in a desktop session, or use `glassformer render`.\n";
    return 1;
  }
  int code = 0;
  {
    const Settings settings = read_settings(settings_file());
    Window window(options, settings);
    if (!window.get()) {
      std::cerr << "glassformer: no window could be opened, because OpenGL 3.3 is not to be had here ("
                << last_glfw_error() << "); install libgl1-mesa-dri.\n";
      code = 1;
    } else {
      ProgramOptions with{
          .session = {.model = options.model, .corpus = options.corpus, .wake = [] { glfwPostEmptyEvent(); }},
          .shell = {
              .monitor_scale = monitor_scale(),
              .theme = options.theme,
              .quiet = options.model.empty() && options.corpus.empty() ? std::nullopt : std::optional(false),
              .session = options.session,
              .lesson = options.lesson,
              .lecture = options.lecture,
              .wake = [] { glfwPostEmptyEvent(); }}};
      if (options.scale > 0) with.shell.scale = options.scale;
      Program program(std::move(with));
      run(window, program, signals);
      end(window, program, signals);
    }
  }
  glfwTerminate();
  return code;
}

}  // namespace glassformer
