#include "app/fonts/baked_fonts.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostRuns = 40;  // sizes that are baked; more are scaled from the nearest
constexpr int kOversample = 2;  // glyphs are between whole pixels, so they are rasterized twice as wide

// The sizes of the look, in effective pixels. Others are baked when a picture asks for them.
struct Size {
  Font font;
  float em;
};
constexpr Size kSizes[] = {{Font::regular, 14},  {Font::regular, 12},  {Font::regular, 10},
                           {Font::semibold, 18}, {Font::semibold, 14}, {Font::semibold, 12},
                           {Font::mono, 28},     {Font::mono, 14},     {Font::mono, 12},
                           {Font::mono, 11}};

// Signs that the program writes, beside ASCII; other letters are baked for the words at hand.
constexpr char32_t kWordSigns[] =
    U"àâçéèêëîïôùûüÉÀŒœŸ–—‘’“”…·×÷−±→←↑↓≤≥≈√∞∑Σ∂∇∈⊙ᵀ⁰¹²³⁴⁵⁶⁷⁸⁹⁻½′βεαημσθλδγφΦ•%°□\u2009\u202F\u00A0";
constexpr char32_t kNumberSigns[] = U"−×÷·…→←√∞∑Σ∂ᵀ⁰¹²³⁴⁵⁶⁷⁸⁹⁻≤≥≈±βε–□\u2009\u202F\u00A0éèà";

std::vector<char> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

constexpr char32_t kBox = U'□';  // in the place of what the atlas cannot hold: no question mark

bool can_bake(char32_t c) {
  return c >= 32 && c <= IM_UNICODE_CODEPOINT_MAX && c != kReplacement;
}

}  // namespace

struct BakedFonts::Run {
  Font font = Font::regular;
  float em = 0;  // device pixels as baked
  ImFont* im_font = nullptr;
  float baseline = 0;  // below the top of ImGui's line
  // What the caller asked for when it is not what was baked.
  float factor = 1;
};

struct BakedFonts::Data {
  explicit Data(FontFiles files) : faces(std::move(files)) {}

  FontFaces faces;
  float scale = 1;
  bool stale = true;
  std::deque<Run> runs;                              // baked; addresses stay
  std::map<std::pair<int, int>, Run> asked;          // by font and em in 1/64 pixels
  std::set<std::pair<int, int>> extra_sizes;         // font, em in 1/64 effective pixels
  std::array<std::set<char32_t>, kFontCount> signs;  // to be baked
  std::map<std::string, std::vector<char>> bytes;    // of font files
  std::deque<std::vector<ImWchar>> ranges;           // must outlive the atlas
  Hatch hatch;

  const std::vector<char>& file_bytes(const std::string& path) {
    auto [entry, fresh] = bytes.try_emplace(path);
    if (fresh) entry->second = read_bytes(path);
    return entry->second;
  }

  // The signs of a font by the file that has them.
  std::vector<std::vector<ImWchar>> ranges_by_file(Font font) {
    std::vector<std::vector<ImWchar>> by_file;
    for (char32_t c : signs[static_cast<std::size_t>(font)]) {
      const FontFaces::Glyph glyph = faces.glyph(font, c);
      if (glyph.file < 0) continue;
      const auto file = static_cast<std::size_t>(glyph.file);
      if (by_file.size() <= file) by_file.resize(file + 1);
      std::vector<ImWchar>& range = by_file[file];
      const auto code = static_cast<ImWchar>(c);
      if (!range.empty() && range.back() + 1 == code) {
        range.back() = code;
      } else {
        range.insert(range.end(), {code, code});
      }
    }
    return by_file;
  }

  Run add_run(ImFontAtlas& atlas, Font font, float em, const std::vector<std::vector<ImWchar>*>& by_file) {
    Run run{.font = font, .em = em};
    for (std::size_t file = 0; file < by_file.size(); ++file) {
      if (by_file[file]->size() < 3) continue;
      const FontFile& source = faces.files().chains[static_cast<std::size_t>(font)][file];
      const std::vector<char>& data = file_bytes(source.path);
      if (data.empty()) continue;
      ImFontConfig config;
      config.FontData = const_cast<char*>(data.data());
      config.FontDataSize = static_cast<int>(data.size());
      config.FontDataOwnedByAtlas = true;  // else the atlas would copy it for every size; see release_input
      config.FontNo = source.index;
      config.SizePixels = em * faces.line_ratio(font, static_cast<int>(file));
      config.OversampleH = em > 24 ? 1 : kOversample;
      config.OversampleV = 1;
      config.MergeMode = run.im_font != nullptr;
      config.GlyphRanges = by_file[file]->data();
      ImFont* added = atlas.AddFont(&config);
      if (!run.im_font) run.im_font = added;
    }
    return run;
  }

  // The atlas forgets the font files, which are ours.
  void release_input(ImFontAtlas& atlas) {
    for (ImFontConfig& config : atlas.ConfigData) {
      if (config.FontDataOwnedByAtlas && !is_embedded(config)) config.FontData = nullptr;
    }
    atlas.ClearInputData();
    bytes.clear();
  }
  bool is_embedded(const ImFontConfig& config) const {
    return std::none_of(bytes.begin(), bytes.end(),
                        [&](const auto& file) { return file.second.data() == config.FontData; });
  }

  void draw_hatch(ImFontAtlas& atlas, int rect_id) {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    const ImFontAtlasCustomRect* rect = atlas.GetCustomRectByIndex(rect_id);
    const float line = std::max(1.0f, std::round(scale));
    for (int y = 0; y < hatch.tile; ++y) {
      for (int x = 0; x < hatch.tile; ++x) {
        const int along = (x + y) % hatch.period;
        const auto distance = static_cast<float>(std::min(along, hatch.period - along)) / std::sqrt(2.0f);
        const float cover = std::clamp(line / 2 + 0.5f - distance, 0.0f, 1.0f);
        pixels[(rect->Y + y) * width + rect->X + x] = static_cast<unsigned char>(cover * 255 + 0.5f);
      }
    }
    hatch.texel_u = 1.0f / static_cast<float>(width);
    hatch.texel_v = 1.0f / static_cast<float>(height);
    hatch.u0 = static_cast<float>(rect->X) * hatch.texel_u;
    hatch.v0 = static_cast<float>(rect->Y) * hatch.texel_v;
  }

  void note_missing(Font font, char32_t c) {
    if (!can_bake(c) || faces.glyph(font, c).file < 0) return;
    if (signs[static_cast<std::size_t>(font)].insert(c).second) stale = true;
  }
};

BakedFonts::BakedFonts(FontFiles files) : data_(std::make_unique<Data>(std::move(files))) {
  for (std::size_t font = 0; font < kFontCount; ++font) {
    std::set<char32_t>& signs = data_->signs[font];
    for (char32_t c = 32; c < 127; ++c) signs.insert(c);
    const bool mono = static_cast<Font>(font) == Font::mono;
    for (const char32_t* c = mono ? kNumberSigns : kWordSigns; *c; ++c) signs.insert(*c);
  }
}

BakedFonts::~BakedFonts() = default;

void BakedFonts::bake(float scale, const std::function<void()>& renew_texture) {
  Data& data = *data_;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  data.scale = scale;
  data.stale = false;
  data.runs.clear();
  data.asked.clear();
  data.ranges.clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  atlas.TexDesiredWidth = scale > 1.6f ? 2048 : 1024;

  // One list of signs per font and file, shared by all sizes.
  std::array<std::vector<std::vector<ImWchar>*>, kFontCount> by_file;
  for (std::size_t font = 0; font < kFontCount; ++font) {
    for (std::vector<ImWchar>& range : data.ranges_by_file(static_cast<Font>(font))) {
      range.push_back(0);
      data.ranges.push_back(std::move(range));
      by_file[font].push_back(&data.ranges.back());
    }
  }
  const auto add = [&](Font font, float em) {
    Run run = data.add_run(atlas, font, em * scale, by_file[static_cast<std::size_t>(font)]);
    if (run.im_font) data.runs.push_back(run);
  };
  for (const Size& size : kSizes) add(size.font, size.em);
  for (const auto& [font, em] : data.extra_sizes) add(static_cast<Font>(font), static_cast<float>(em) / 64);
  if (data.runs.empty()) atlas.AddFontDefault();

  // The hatch of masked cells lies in the same texture.
  data.hatch.period = std::max(3, static_cast<int>(std::lround(5 * scale)));
  data.hatch.tile = data.hatch.period * (64 / data.hatch.period + 2);
  const int rect = atlas.AddCustomRectRegular(data.hatch.tile, data.hatch.tile);
  atlas.Build();
  data.draw_hatch(atlas, rect);
  data.release_input(atlas);
  for (Run& run : data.runs) {
    run.baseline = std::round(run.im_font->Ascent);
    // Fields are drawn by Dear ImGui, which has a question mark for the signs it lacks.
    if (auto* const box = run.im_font->FindGlyphNoFallback(static_cast<ImWchar>(kBox))) {
      run.im_font->FallbackChar = static_cast<ImWchar>(kBox);
      run.im_font->FallbackGlyph = box;
      run.im_font->FallbackAdvanceX = box->AdvanceX;
    }
  }
  ImGui::GetIO().FontDefault = atlas.Fonts.front();
  if (renew_texture) renew_texture();
}

bool BakedFonts::wants_baking() const {
  return data_->stale;
}

void BakedFonts::want(std::string_view utf8) {
  for (std::size_t i = 0; i < utf8.size();) {
    const char32_t c = next_code_point(utf8, i);
    data_->note_missing(Font::regular, c);
    data_->note_missing(Font::semibold, c);
  }
}

float BakedFonts::scale() const {
  return data_->scale;
}
FontFaces& BakedFonts::faces() {
  return data_->faces;
}
const BakedFonts::Hatch& BakedFonts::hatch() const {
  return data_->hatch;
}

ImFont* BakedFonts::im_font(Font font, float size) {
  const Run& nearest = run(font, size * data_->scale);
  return nearest.im_font ? nearest.im_font : ImGui::GetIO().Fonts->Fonts.front();
}

const BakedFonts::Run& BakedFonts::run(Font font, float em_px) {
  Data& data = *data_;
  const std::pair<int, int> key{static_cast<int>(font), static_cast<int>(std::lround(em_px * 64))};
  const auto known = data.asked.find(key);
  if (known != data.asked.end()) return known->second;

  // The smallest baked size that is no smaller, else the largest.
  Run best{.font = font, .em = em_px};
  for (const Run& run : data.runs) {
    if (run.font != font) continue;
    const bool enough = run.em >= em_px - 0.01f, best_enough = best.im_font && best.em >= em_px - 0.01f;
    if (!best.im_font || (enough ? (!best_enough || run.em < best.em) : (!best_enough && run.em > best.em)))
      best = run;
  }
  if (best.im_font && std::abs(best.em - em_px) > 0.05f) {
    best.factor = em_px / best.em;
    const int em = static_cast<int>(std::lround(em_px / data.scale * 64));
    if (data.runs.size() + data.extra_sizes.size() < kMostRuns &&
        data.extra_sizes.insert({key.first, em}).second) {
      data.stale = true;
    }
  }
  return data.asked.emplace(key, best).first->second;
}

bool BakedFonts::quad(const Run& run, char32_t code_point, Quad& quad) {
  if (!run.im_font) return false;
  const bool boxed =
      code_point >= 32 && !can_bake(code_point) && faces().glyph(run.font, code_point).file >= 0;
  const ImFontGlyph* glyph =
      can_bake(code_point) || boxed
          ? run.im_font->FindGlyphNoFallback(static_cast<ImWchar>(boxed ? kBox : code_point))
          : nullptr;
  if (!glyph) {
    if (code_point < 32) return false;
    data_->note_missing(run.font, code_point);
    return false;
  }
  if (!glyph || !glyph->Visible) return false;
  quad = {glyph->X0 * run.factor,
          (glyph->Y0 - run.baseline) * run.factor,
          glyph->X1 * run.factor,
          (glyph->Y1 - run.baseline) * run.factor,
          glyph->U0,
          glyph->V0,
          glyph->U1,
          glyph->V1};
  return true;
}

}  // namespace glassformer
