#include "app/canvas/textures.h"

#include <GL/gl.h>

namespace glassformer {
namespace {

constexpr long kKeptFrames = 120;

std::uint64_t key_of(int rows, int columns, std::span<const Color> colors) {
  // FNV-1a over whole colours.
  std::uint64_t hash = 1469598103934665603ull;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ull; };
  mix(static_cast<std::uint64_t>(rows));
  mix(static_cast<std::uint64_t>(columns));
  for (Color c : colors) {
    mix(static_cast<std::uint64_t>(c.r) | static_cast<std::uint64_t>(c.g) << 8 |
        static_cast<std::uint64_t>(c.b) << 16 | static_cast<std::uint64_t>(c.a) << 24);
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

Textures::~Textures() {
  for (const auto& [key, entry] : entries_) glDeleteTextures(1, &entry.name);
}

void Textures::begin_frame() {
  ++frame_;
  std::erase_if(entries_, [this](const auto& item) {
    if (frame_ - item.second.last_frame < kKeptFrames) return false;
    glDeleteTextures(1, &item.second.name);
    return true;
  });
}

unsigned Textures::upload(int rows, int columns, std::span<const Color> colors) {
  Entry& entry = entries_[key_of(rows, columns, colors)];
  entry.last_frame = frame_;
  if (entry.name != 0) return entry.name;
  GLint bound = 0, alignment = 4, row_length = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  glGetIntegerv(GL_UNPACK_ROW_LENGTH, &row_length);
  glGenTextures(1, &entry.name);
  glBindTexture(GL_TEXTURE_2D, entry.name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, colors.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, row_length);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  return entry.name;
}

}  // namespace glassformer
