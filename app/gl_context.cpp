#include "app/gl_context.h"

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr const char* kWhere = "drawing without a display";

[[noreturn]] void fail(const std::string& what) {
  throw Error(kWhere, what + "; install libegl1, libegl-mesa0 and libgl1-mesa-dri");
}

// A function of libEGL, which is opened when it is wanted: the window does without.
template <class Function>
Function* egl(const char* name) {
  static void* const library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const found = library ? dlsym(library, name) : nullptr;
  if (!found) fail("there is no libEGL here");
  return reinterpret_cast<Function*>(found);
}

}  // namespace

GlContext::GlContext(int width, int height) {
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      egl<decltype(eglGetProcAddress)>("eglGetProcAddress")("eglGetPlatformDisplayEXT"));
  if (!get_display) fail("EGL knows no platforms here");
  display_ = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  EGLint major = 0, minor = 0;
  if (!display_ || !egl<decltype(eglInitialize)>("eglInitialize")(display_, &major, &minor))
    fail("EGL offers no surfaceless display");
  if (!egl<decltype(eglBindAPI)>("eglBindAPI")(EGL_OPENGL_API)) fail("EGL offers no OpenGL");
  constexpr std::array<EGLint, 3> kConfig{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  egl<decltype(eglChooseConfig)>("eglChooseConfig")(display_, kConfig.data(), &config, 1, &count);
  constexpr std::array<EGLint, 7> kContext{EGL_CONTEXT_MAJOR_VERSION,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           3,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_NONE};
  context_ = egl<decltype(eglCreateContext)>("eglCreateContext")(display_, count > 0 ? config : nullptr,
                                                                 EGL_NO_CONTEXT, kContext.data());
  const auto make_current = egl<decltype(eglMakeCurrent)>("eglMakeCurrent");
  if (!context_ || !make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    fail("OpenGL 3.3 is not to be had");
  glGenFramebuffers(1, &frame_);
  glGenTextures(1, &texture_);
  resize(width, height);
}

GlContext::~GlContext() {
  glDeleteFramebuffers(1, &frame_);
  glDeleteTextures(1, &texture_);
  egl<decltype(eglMakeCurrent)>("eglMakeCurrent")(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  egl<decltype(eglDestroyContext)>("eglDestroyContext")(display_, context_);
  egl<decltype(eglTerminate)>("eglTerminate")(display_);
}

void GlContext::resize(int width, int height) {
  width_ = width;
  height_ = height;
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error(kWhere, "a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                            " pixels is too large for OpenGL here; make it smaller");
}

void GlContext::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, frame_);
}

std::vector<Color> GlContext::pixels() const {
  bind();
  const auto w = static_cast<size_t>(width_), h = static_cast<size_t>(height_);
  std::vector<Color> read(w * h);
  static_assert(sizeof(Color) == 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
  // OpenGL counts rows from below.
  for (size_t y = 0; y < h / 2; ++y)
    std::swap_ranges(read.begin() + static_cast<std::ptrdiff_t>(y * w),
                     read.begin() + static_cast<std::ptrdiff_t>((y + 1) * w),
                     read.begin() + static_cast<std::ptrdiff_t>((h - 1 - y) * w));
  for (Color& c : read) c.a = 255;
  return read;
}

}  // namespace glassformer
