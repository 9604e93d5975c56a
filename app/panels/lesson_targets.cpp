#include "app/panels/lesson_targets.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/lessons/scene_lines.h"
#include "app/panels/sentence_bar.h"
#include "app/views/common/step_transport.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

// As pictures and the map label their parts.
std::string head_part(const Selection& open) {
  const char* const kind = open.kind == AttentionKind::encoder   ? "encoder"
                           : open.kind == AttentionKind::decoder ? "decoder"
                                                                 : "cross";
  return std::string(kind) + " " + layer_words(open.layer) + " head " +
         (open.head < 0 ? "mean" : std::to_string(open.head + 1));
}

std::string cell_part(const Selection& open, int query, int key) {
  return head_part(open) + " query " + std::to_string(query) + " key " + std::to_string(key);
}

// The steps of the open head draw the same numbers as D, S, S′ and A.
void add_cell(std::vector<std::string>& parts, const Selection& open, int query, int key) {
  parts.push_back(cell_part(open, query, key));
  for (const char* const symbol : {"D", "S", "S′", "A"})
    parts.push_back(std::string("head ") + symbol + " " + std::to_string(query) + " " + std::to_string(key));
}

// "cross 2", "encoder feed-forward 1"
std::string block_part(const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  const bool encoder = words[0] == "encoder", feed_forward = words[1] == "feed-forward";
  const std::string block = feed_forward          ? "feed-forward"
                            : words[0] == "cross" ? "cross-attention"
                            : encoder             ? "self-attention"
                                                  : "masked self-attention";
  return std::string("map: ") + (encoder ? "encoder" : "decoder") + " layer " + words.back() + " " + block;
}

const std::vector<std::string>& rows_of(const StagedPage& page) {
  const bool encoder = page.selection.kind == AttentionKind::encoder;
  return encoder ? page.result->source_words : page.result->target_in_words;
}

const std::vector<std::string>& columns_of(const StagedPage& page) {
  const bool own = page.selection.kind == AttentionKind::decoder;
  return own ? page.result->target_in_words : page.result->source_words;
}

// The labels of all its parts.
std::vector<std::string> parts_of(const LessonTarget& target, const StagedPage& page) {
  const std::vector<std::string> words = words_of_line(target.value);
  const Selection& open = page.selection;
  const auto rows = static_cast<int>(rows_of(page).size()),
             columns = static_cast<int>(columns_of(page).size());
  std::vector<std::string> parts;
  if (target.kind == "row") {
    const int row = place_in(target.value, rows_of(page), "rows");
    for (int column = 0; column < columns; ++column) add_cell(parts, open, row, column);
  } else if (target.kind == "column") {
    const int column = place_in(target.value, columns_of(page), "columns");
    for (int row = 0; row < rows; ++row) add_cell(parts, open, row, column);
  } else if (target.kind == "cell" && words.size() == 2) {
    add_cell(parts, open, place_in(words[0], rows_of(page), "rows"),
             place_in(words[1], columns_of(page), "columns"));
  } else if (target.kind == "head") {
    Selection head = open;
    head.head = static_cast<int>(whole_number(target.value, "head", 1)) - 1;
    parts.push_back(head_part(head));
  } else if (target.kind == "block") {
    parts.push_back(block_part(words));
  } else if (target.kind == "chip" && words.size() == 2) {
    const bool source = words[0] == "source";
    const auto& chips = source ? page.result->source_words : page.result->target_out_words;
    parts.push_back(words[0] + " chip " + std::to_string(place_in(words[1], chips, "chips")));
  } else if (target.kind == "control") {
    if (target.value == "source")
      parts.push_back(page.model->title.source_language + " sentence");
    else if (target.value == "target")  // the field, or what opens it
      parts = {kTargetField, "Set the " + page.model->title.target_language + " yourself…"};
    else
      parts.push_back(target.value == "slider" ? "training slider" : target.value);
  }
  return parts;
}

// Those on the screen.
std::vector<Rect> places_of(ui::Ui& ui, const LessonTarget& target, const StagedPage& page) {
  std::vector<Rect> places;
  try {
    const auto foot = ui.find(kStageFoot);
    for (const std::string& part : parts_of(target, page)) {
      const auto found = ui.find(part);
      if (!found) continue;
      Rect place = found->visible;
      if (foot && found->kind == "picture") place.height = std::min(place.bottom(), foot->rect.y) - place.y;
      if (place.width > 0 && place.height > 0) places.push_back(place);
    }
  } catch (const Mismatch&) {
    // It names what this Scene does not have.
  }
  return places;
}

Rect around(const std::vector<Rect>& places) {
  Rect all = places.front();
  for (const Rect& each : places) {
    const float right = std::max(all.right(), each.right()), bottom = std::max(all.bottom(), each.bottom());
    all.x = std::min(all.x, each.x), all.y = std::min(all.y, each.y);
    all.width = right - all.x, all.height = bottom - all.y;
  }
  return all;
}

}  // namespace

std::optional<Rect> outline_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page) {
  const std::vector<Rect> places = places_of(ui, target, page);
  if (places.empty()) return std::nullopt;
  // Cells of a table are close: what is beside them stays to be read.
  const bool cells = target.kind == "row" || target.kind == "column" || target.kind == "cell";
  const Rect outline = around(places).inset(cells ? -1 : -7);
  ui.canvas().rectangle(outline, {.outline = ui.theme().ink, .outline_width = 2, .radius = 6});
  ui.note(outline, "pointed at: " + target.kind, target.value);
  return outline;
}

void focus_slider(ui::Ui& ui, const LessonPage& page) {
  if (!page.question || !page.question->does) return;
  for (const LessonTarget& target : page.points)
    if (const auto control = ui.find(target.value); control && control->kind == "slider")
      return ui.focus.on(target.value);
}

void dash_place(ui::Ui& ui, const StagedPage& page) {
  const Selection& pin = page.selection;
  if (!pin.query) return;
  const std::string row = std::to_string(*pin.query);
  const LessonTarget place{.kind = pin.key ? "cell" : "row",
                           .value = pin.key ? row + " " + std::to_string(*pin.key) : row};
  const std::vector<Rect> places = places_of(ui, place, page);
  if (places.empty()) return;
  const Rect outline = around(places).inset(-1);
  ui.canvas().rectangle(
      outline, {.outline = ui.theme().second_text, .outline_width = 1.5f, .radius = 4, .dashed = true});
  ui.note(outline, "place before", place.value);
}

void reveal_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page) {
  try {
    for (const std::string& part : parts_of(target, page))
      if (ui.scroll.reveal(part)) return;
  } catch (const Mismatch&) {
    // It names what this Scene does not have.
  }
}

std::vector<Point> leader_between(const ui::Ui& ui, const Rect& outline, const Rect& question) {
  constexpr float kBefore = 10, kAside = 12, kClear = 2;
  const Point end{question.x - kBefore, question.y + 10};
  if (outline.right() >= end.x - 2 * kBefore) return {};
  std::vector<Rect> parts;
  for (const std::string& label : ui.labels()) {
    const auto widget = ui.find(label);
    if (!widget || widget->visible.width <= 0 || widget->kind == "text" || widget->kind == "area") continue;
    // Large ones are grounds, not parts.
    if (widget->visible.width < 400 && widget->visible.height < 300) parts.push_back(widget->visible);
  }
  // Words keep clear as well.
  for (const Rect& text : ui.text_places())
    if (text.x < end.x) parts.push_back(text);
  const auto clear = [&](const std::vector<Point>& way) {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      const Rect line{std::min(way[i].x, way[i + 1].x) - kClear, std::min(way[i].y, way[i + 1].y) - kClear,
                      std::abs(way[i].x - way[i + 1].x) + 2 * kClear,
                      std::abs(way[i].y - way[i + 1].y) + 2 * kClear};
      for (const Rect& part : parts) {
        const bool meets = part.x < line.right() && line.x < part.right() && part.y < line.bottom() &&
                           line.y < part.bottom();
        const bool own = part.x >= outline.x - kClear && part.right() <= outline.right() + kClear &&
                         part.y >= outline.y - kClear && part.bottom() <= outline.bottom() + kClear;
        if (meets && !own) return false;
      }
    }
    return true;
  };
  // Straight out to the right, else up or down first and then over.
  const float turn = end.x - kAside;
  const Point right{outline.right(), outline.center().y};
  std::vector<std::vector<Point>> ways{{right, {turn, right.y}, {turn, end.y}, end}};
  for (const float far : {24.0f, 40.0f, 64.0f, 96.0f}) {
    const float x = outline.right() - kAside;
    ways.push_back({{x, outline.y}, {x, outline.y - far}, {turn, outline.y - far}, {turn, end.y}, end});
    ways.push_back({{x, outline.bottom()},
                    {x, outline.bottom() + far},
                    {turn, outline.bottom() + far},
                    {turn, end.y},
                    end});
  }
  const auto found = std::ranges::find_if(ways, clear);
  return found == ways.end() ? std::vector<Point>() : *found;
}

void cover_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  for (const Rect& place : places_of(ui, target, page)) {
    canvas.rectangle(place, {.fill = t.sunken, .outline = t.border});
    canvas.text(place.center(), "?", {.size = 14, .color = t.second_text, .x = AlignX::center});
    ui.veil(place, "covered until the question is answered");
    ui.note(place, "covered: " + target.kind, target.value);
  }
}

std::optional<int> row_of_target(const std::vector<LessonTarget>& targets, const StagedPage& page) {
  for (const LessonTarget& target : targets) {
    const std::vector<std::string> words = words_of_line(target.value);
    if (target.kind == "row") return place_in(target.value, rows_of(page), "rows");
    if (target.kind == "cell" && words.size() == 2) return place_in(words[0], rows_of(page), "rows");
  }
  return std::nullopt;
}

}  // namespace glassformer
