#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/decode/decode.h"

namespace glassformer {

namespace {

constexpr float kStart = 54, kLastNote = 78;  // <bos>; the score behind a last word
constexpr float kNode = 26, kLeastLane = 46, kMostLane = 58;
constexpr float kLeastColumn = 68, kMostColumn = 100;
constexpr float kTightColumn = 40;  // in a file whose size was chosen before the search had ended
constexpr float kLeastWidth = 780;  // the title beside the choice of a page
constexpr float kMostTable = 940;
constexpr float kControls = 44, kSteps = 28, kBelowTree = 60, kBelowAlone = 40, kTableHead = 56,
                kTableRow = 22;

float table_height(const DecodeScene& scene) {
  return kTableHead + kTableRow * static_cast<float>(finished_rows(scene)) + 28;
}

}  // namespace

DecodeLayout layout_decode(const Rect& area, const DecodeScene& scene) {
  const Rect content = stage_content(area);
  DecodeLayout at;
  at.controls = {content.x, content.y - 4, content.width, 32};
  at.steps = {content.x, content.y + kControls - 8, content.width, kSteps};
  at.start = kStart;
  const float columns = static_cast<float>(std::max(scene.tree.columns, 1));
  at.column = std::clamp((content.width - kStart - kLastNote) / columns, kTightColumn, kMostColumn);
  const float table = table_height(scene), top = at.steps.bottom();
  const float lanes = static_cast<float>(scene.tree.lanes);
  at.lane = std::clamp((content.bottom() - table - kBelowTree - top) / lanes, kLeastLane, kMostLane);
  at.tree = {content.x, top, content.width, at.lane * lanes};
  at.folded = at.tree.bottom() + 10;
  at.legend = at.folded + 26;
  const float after = at.tree.bottom() + kBelowTree;
  // A tree may be wider than the stage; what it found is to be read without scrolling.
  at.table = {content.x, after, std::min(content.width, std::max(kMostTable, table_wants(scene))), table};
  return at;
}

DecodeLayout layout_tree_alone(const Rect& inner, DecodeScene& scene, float head) {
  const float wide = inner.width - kStart - kLastNote, high = inner.height - head - kSteps - kBelowAlone;
  const DecodeTree all = std::move(scene.tree);
  scene.tree =
      part_of_tree(all, scene.explained.value_or(0), std::max(1, static_cast<int>(wide / kLeastColumn)),
                   std::max(1, static_cast<int>(high / kLeastLane)));
  if (scene.explained)
    scene.explained = scene.tree.find(all.nodes[static_cast<std::size_t>(*scene.explained)].place);
  DecodeLayout at;
  at.first_step = scene.tree.first;
  at.start = kStart;
  at.controls = {inner.x, inner.y, inner.width, head};
  at.steps = {inner.x, inner.y + head, inner.width, kSteps};
  at.column =
      std::clamp(wide / static_cast<float>(std::max(scene.tree.columns, 1)), kTightColumn, kMostColumn);
  const auto lanes = static_cast<float>(scene.tree.lanes);
  at.lane = std::clamp(high / lanes, kLeastLane, kMostLane);
  at.tree = {inner.x, at.steps.bottom(), inner.width, at.lane * lanes};
  at.folded = at.tree.bottom() + 8;
  at.legend = at.folded + 22;
  return at;
}

Point decode_minimum(const DecodeScene& scene) {
  const float columns = static_cast<float>(std::max(scene.tree.columns, 1));
  const float width = 2 * kStagePadding + kStart + kLastNote + columns * kLeastColumn;
  const float height = kStageTop + kControls - 8 + kSteps +
                       kLeastLane * static_cast<float>(scene.tree.lanes) + kBelowTree + table_height(scene) +
                       12;
  return {std::max(kLeastWidth, width), std::max(460.0f, height)};
}

Rect DecodeLayout::node(int lane_index, int column_index) const {
  const float x = tree.x + start + 18 + column * static_cast<float>(column_index - first_step);
  const float y = tree.y + lane * static_cast<float>(lane_index) + 4;
  return {x, y, column - 22, kNode};
}

Rect DecodeLayout::first() const {
  return {tree.x, tree.y + 4, start, kNode};
}

namespace {

bool is_live(const DecodeScene& scene, int index) {
  return scene.visible(index);
}

void draw_link(Canvas& canvas, const Rect& from, const Rect& to, const Stroke& stroke) {
  const Point a{from.right(), from.center().y}, b{to.x, to.center().y};
  if (std::abs(a.y - b.y) < 0.5f) return canvas.line(a, b, stroke);
  // Down close to the word it leaves, then across: other branches are further to the right.
  const float bend = std::min(14.0f, (b.x - a.x) / 2);
  canvas.cubic(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b, stroke);
}

void draw_links(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene) {
  const Theme& theme = canvas.theme();
  // The winner's last, so that they lie on top.
  for (const bool winner : {false, true})
    for (int i = 0; i < static_cast<int>(scene.tree.nodes.size()); ++i) {
      const TreeNode& node = scene.tree.nodes[static_cast<std::size_t>(i)];
      if (node.winner != winner || !is_live(scene, i)) continue;
      const TreeNode* parent =
          node.parent < 0 ? nullptr : &scene.tree.nodes[static_cast<std::size_t>(node.parent)];
      const Rect from = parent ? at.node(parent->lane, parent->place.step) : at.first();
      const Rect to = at.node(node.lane, node.place.step);
      const double p = scene.probability(i);
      const float width = std::max(1.5f, static_cast<float>(9 * (std::isfinite(p) ? p : 0)));
      draw_link(canvas, from, to, {.color = winner ? theme.ink : theme.control, .width = width});
      if (node.greedy)
        canvas.circle({to.x - 7, to.center().y}, 4, theme.paper, {.color = theme.ink, .width = 1.5f});
    }
}

void draw_bar(Canvas& canvas, Point at) {
  canvas.line({at.x, at.y - 8}, {at.x, at.y + 8}, {.color = canvas.theme().ink, .width = 2});
}

// In the first of these ways that finds room left of `end`; the tooltip and the inspector say all of it.
void write_cut(Canvas& canvas, const std::vector<std::vector<std::string>>& ways, Point at, float end) {
  constexpr float kLine = 14;
  const TextStyle style = caption_style(canvas);
  for (const std::vector<std::string>& lines : ways) {
    const bool fits = std::ranges::all_of(
        lines, [&](const std::string& line) { return at.x + canvas.measure(line, style).x <= end; });
    if (!fits) continue;
    float y = at.y - kLine * static_cast<float>(lines.size() - 1) / 2;
    for (const std::string& line : lines) canvas.text({at.x, y}, line, style), y += kLine;
    return;
  }
}

void draw_node(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene, int index) {
  const Theme& theme = canvas.theme();
  const TreeNode& node = scene.tree.nodes[static_cast<std::size_t>(index)];
  const Rect box = at.node(node.lane, node.place.step);
  const bool ends = scene.at(index).fate == BeamFate::finished;
  const bool special = ends;
  canvas.rectangle(box, {.fill = theme.paper,
                         .outline = node.winner ? theme.ink : theme.control,
                         .outline_width = node.winner ? 2.0f : 1.0f,
                         .radius = 5,
                         .dashed = special});
  if (scene.explained == index)
    canvas.rectangle(box.inset(-3), {.outline = scene.pinned ? theme.query : theme.second_text,
                                     .outline_width = scene.pinned ? 2.0f : 1.0f,
                                     .radius = 7});
  const TextStyle word{.font = node.winner ? Font::semibold : Font::regular,
                       .size = 12,
                       .color = node.stub ? theme.second_text : theme.ink,
                       .x = AlignX::center};
  canvas.text(box.center(), elided(canvas, scene.word(index), word, box.width - 6), word);
  TextStyle number = index_style(canvas);
  number.size = 11;
  number.x = AlignX::center;
  canvas.text({box.center().x, box.bottom() + 8}, format_small_probability(scene.probability(index)), number);

  // What became of it.
  const Point behind{box.right() + 9, box.center().y};
  if (node.finish) {
    const BeamFinish& finish = scene.record().finished[static_cast<std::size_t>(*node.finish)];
    TextStyle score{.font = Font::mono, .size = 12, .color = theme.ink};
    canvas.text({behind.x - 2, behind.y},
                std::to_string(*node.finish + 1) + ". " + format_fixed(finish.score, 2), score);
  } else if (const std::string cut = cut_words(scene, index); !cut.empty()) {
    const bool next_hides = scene.input.shown_steps >= 0 && node.place.step + 1 >= scene.input.shown_steps;
    if (!node.stub && next_hides) return;
    if (!node.stub && std::ranges::any_of(scene.tree.nodes, [&](const TreeNode& each) {
          return each.parent == index && each.lane == node.lane;
        }))
      return;  // a stub stays in its lane, and says why
    draw_bar(canvas, {behind.x - 2, behind.y});
    write_cut(canvas, cut_lines(scene, index), {behind.x + 6, behind.y}, at.tree.right());
  }
}

void draw_columns(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene) {
  TextStyle style = caption_style(canvas);
  style.x = AlignX::center;
  if (scene.tree.first == 0) canvas.text({at.first().center().x, at.steps.center().y - 2}, "start", style);
  canvas.text({at.tree.x, at.folded}, "folded", caption_style(canvas));
  TextStyle count = index_style(canvas);
  count.x = AlignX::center;
  for (int column = 0; column < scene.tree.columns; ++column) {
    const int step = scene.tree.first + column;
    const float x = at.node(0, step).center().x;
    canvas.text({x, at.steps.center().y - 2}, "step " + std::to_string(step + 1), style);
    const int folded = scene.tree.folded[static_cast<std::size_t>(column)];
    if (scene.input.shown_steps < 0 || step < scene.input.shown_steps)
      canvas.text({x, at.folded}, folded > 0 ? "+" + std::to_string(folded) : "·", count);
  }
}

// As many of its parts as there is room for, from the left.
void draw_legend(Canvas& canvas, const DecodeLayout& at) {
  const Theme& theme = canvas.theme();
  const TextStyle style = caption_style(canvas);
  const float y = at.legend;
  float x = at.tree.x;
  const auto say = [&](std::string_view text, float mark, auto&& draw) {
    const float width = canvas.measure(text, style).x;
    if (x + mark + width > at.tree.right()) return;
    draw(Point{x, y});
    canvas.text({x + mark, y}, text, style);
    x += mark + width + 22;
  };
  const auto stroke = [&](Color color) {
    return [&canvas, color](Point p) { canvas.line(p, {p.x + 24, p.y}, {.color = color, .width = 6}); };
  };
  say("the winner", 32, stroke(theme.ink));
  say("kept at that step", 32, stroke(theme.control));
  say("cut", 10, [&](Point p) { draw_bar(canvas, {p.x + 2, p.y}); });
  say("greedy’s choice", 16, [&](Point p) {
    canvas.circle({p.x + 5, p.y}, 4, theme.paper, {.color = theme.ink, .width = 1.5f});
  });
  say("folded: kept, but under 2 % as probable as the best", 0, [](Point) {});
  say("under a word: its probability", 0, [](Point) {});
}

}  // namespace

void draw_tree(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene) {
  const Theme& theme = canvas.theme();
  draw_columns(canvas, at, scene);
  draw_links(canvas, at, scene);
  const Rect first = at.first();
  canvas.rectangle(first, {.fill = theme.paper, .outline = theme.control, .radius = 5, .dashed = true});
  canvas.text(first.center(), scene.tree.first == 0 ? start_word(scene.input) : "…",
              {.size = 12, .color = theme.second_text, .x = AlignX::center});
  for (int i = 0; i < static_cast<int>(scene.tree.nodes.size()); ++i)
    if (is_live(scene, i)) draw_node(canvas, at, scene, i);
  draw_legend(canvas, at);
}

}  // namespace glassformer
