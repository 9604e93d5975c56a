#include "app/views/masks/masks.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kIdRow = 24, kTensorHead = 44, kTensorGap = 14, kSentenceLabel = 56;
constexpr float kWidestId = 44, kShapesGap = 40, kShapesWidth = 400, kShapeRow = 142, kBoxRoom = 72;
constexpr float kSmallStage = 940;
constexpr float kLossText = 84, kWayRow = 20, kWay = 24 + 4 * kWayRow + 16;

float id_width(const BatchTensors& batch, float room) {
  int largest = 0, columns = 1;
  for (const IdTensor& tensor : batch.tensors) {
    columns = std::max(columns, tensor.length());
    for (const auto& row : tensor.ids)
      for (const int id : row) largest = std::max(largest, id);
  }
  const auto digits = static_cast<float>(std::to_string(largest).size() + (largest > 999 ? 1 : 0));
  const float least = 7.3f * digits + 8;
  return std::clamp(std::floor(room / static_cast<float>(columns)), least, std::max(kWidestId, least));
}

struct BatchLayout {
  float cell = 0;             // width of an id
  std::vector<Rect> tensors;  // cells alone
  Point loss;
  float loss_width = 0;
  Rect way, shapes;
};

BatchLayout layout_batch(const Rect& area, const BatchTensors& batch) {
  const Rect content = stage_content(area);
  int columns = 1;
  for (const IdTensor& tensor : batch.tensors) columns = std::max(columns, tensor.length());
  BatchLayout at;
  const float beside = content.width - kShapesGap - kShapesWidth - kSentenceLabel;
  const float least = id_width(batch, 0) * static_cast<float>(columns);
  const bool is_beside = beside >= std::max(least, 280.0f);
  at.cell = id_width(batch, is_beside ? beside : content.width - kSentenceLabel);
  float y = content.y;
  for (const IdTensor& tensor : batch.tensors) {
    y += kTensorHead;
    const float height = kIdRow * static_cast<float>(tensor.ids.size());
    at.tensors.push_back(
        {content.x + kSentenceLabel, y, at.cell * static_cast<float>(tensor.length()), height});
    y += height + kTensorGap;
  }
  at.loss = {content.x, y + 4};
  at.loss_width = is_beside ? beside + kSentenceLabel : content.width;
  at.way = {content.x, at.loss.y + kLossText, at.loss_width, kWay};
  at.shapes = is_beside ? Rect{content.right() - kShapesWidth, content.y, kShapesWidth, 3 * kShapeRow + 28}
                        : Rect{content.x, at.way.bottom(), content.width, 3 * kShapeRow + 28};
  return at;
}

void draw_ids(Canvas& canvas, const Rect& cells, float width, const IdTensor& tensor,
              const Selection& shown) {
  const Theme& theme = canvas.theme();
  const std::vector<int> shape{static_cast<int>(tensor.ids.size()), tensor.length()};
  const TextStyle mono{.font = Font::mono, .size = 14, .color = theme.ink};
  canvas.text({cells.x - kSentenceLabel, cells.y - 30}, tensor.name, mono);
  canvas.text({cells.x - kSentenceLabel + canvas.measure(tensor.name, mono).x + 12, cells.y - 30},
              format_shape(shape), caption_style(canvas));
  TextStyle index = index_style(canvas);
  index.size = 11;
  index.x = AlignX::center;
  for (int column = 0; column < tensor.length(); ++column)
    canvas.text({cells.x + (static_cast<float>(column) + 0.5f) * width, cells.y - 9}, std::to_string(column),
                index);
  for (std::size_t row = 0; row < tensor.ids.size(); ++row) {
    const float y = cells.y + kIdRow * static_cast<float>(row);
    const bool open = static_cast<int>(row) == shown.sentence;
    TextStyle label = caption_style(canvas);
    if (open) label = {.font = Font::semibold, .size = 12, .color = theme.ink};
    canvas.text({cells.x - kSentenceLabel, y + kIdRow / 2}, "row " + std::to_string(row), label);
    for (int column = 0; column < tensor.length(); ++column) {
      const Rect cell{cells.x + width * static_cast<float>(column), y, width - 1, kIdRow - 1};
      const bool padding = column >= tensor.real[row];
      if (padding && tensor.in_loss)
        canvas.rectangle(cell, {.fill = theme.sunken, .hatch = theme.control});
      else
        canvas.rectangle(cell, {.fill = padding ? theme.sunken : theme.panel, .outline = theme.border});
      if (padding && tensor.answers) continue;
      const std::string id = format_count(tensor.ids[row][static_cast<std::size_t>(column)]);
      TextStyle style{.font = Font::mono,
                      .size = 12,
                      .color = padding ? theme.faint_text : theme.ink,
                      .x = AlignX::center};
      if (padding && tensor.in_loss) {
        const float wide = canvas.measure(id, style).x + 6;
        canvas.rectangle({cell.center().x - wide / 2, cell.y + 4, wide, cell.height - 8},
                         {.fill = theme.sunken});
      }
      canvas.text(cell.center(), id, style);
    }
  }
}

HitGrid live_ids(const Rect& cells, const IdTensor& tensor, const Selection& before) {
  HitGrid grid{
      .rect = cells, .rows = static_cast<int>(tensor.ids.size()), .columns = tensor.length(), .cell = {}};
  grid.cell = [kept = std::make_shared<const IdTensor>(tensor), before](int row, int column) {
    Selection selection = before;
    selection.sentence = row;
    selection.query.reset();
    selection.key.reset();
    selection.cell.reset();
    const auto& words = kept->words[static_cast<std::size_t>(row)];
    const bool padding = column >= kept->real[static_cast<std::size_t>(row)];
    const std::string id =
        std::to_string(kept->ids[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
    HitRegion hit;
    hit.label = std::string(kept->name) + " row " + std::to_string(row) + " place " + std::to_string(column);
    hit.click = SetPin{selection};
    hit.menu = hit.click;
    hit.tooltip = padding && kept->answers ? std::string("nothing is asked for here")
                  : padding ? std::string("<pad>") + (kept->in_loss ? ", ignored by the loss" : "")
                            : "“" + words[static_cast<std::size_t>(column)] + "”";
    return hit;
  };
  return grid;
}

// A tensor as a stack of sheets, one a sentence: rows x columns of the last two axes.
void draw_sheets(Canvas& canvas, const Rect& room, int sheets, int rows, int columns, float unit) {
  const Theme& theme = canvas.theme();
  const int shown = std::min(sheets, 4);
  const float width = std::max(10.0f, unit * static_cast<float>(columns)),
              height = std::max(7.0f, unit * static_cast<float>(rows));
  const float shift = 4, all = shift * static_cast<float>(shown - 1);
  const float x = room.center().x - (width + all) / 2, y = room.center().y - (height + all) / 2;
  for (int sheet = shown - 1; sheet >= 0; --sheet) {
    const float off = shift * static_cast<float>(sheet);
    canvas.rectangle({std::round(x + off), std::round(y + all - off), std::round(width), std::round(height)},
                     {.fill = theme.panel, .outline = theme.second_text});
  }
}

void draw_shape_way(Canvas& canvas, const Rect& area, const BatchTensors& batch) {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, {area.x, area.y, area.width, 24}, "From ids to logits",
               {.note = "d = " + std::to_string(batch.width) + ", h = " + std::to_string(batch.heads) +
                        ", k = " + std::to_string(batch.head_width)});
  float y = area.y + 24 + kWayRow / 2;
  for (const auto& [name, numbers, letters] : shape_way(batch)) {
    canvas.text({area.x, y}, name, caption_style(canvas));
    canvas.text({area.x + 96, y}, numbers, {.font = Font::mono, .size = 12, .color = theme.ink});
    y += kWayRow;
  }
}

void draw_shapes(Canvas& canvas, const Rect& area, const BatchTensors& batch) {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, {area.x, area.y, area.width, 24}, "One mask for all heads",
               {.note = "B sentences, H heads"});
  const float third = area.width / 3;
  for (std::size_t i = 0; i < batch.shapes.size(); ++i) {
    const MaskShapes& shapes = batch.shapes[i];
    const float y = area.y + 28 + kShapeRow * static_cast<float>(i);
    canvas.text({area.x, y + 12}, shapes.name, {.size = 12, .color = theme.ink});
    const auto longest = static_cast<float>(std::max({shapes.result[2], shapes.result[3], 1}));
    const float unit = std::min(6.0f, (kBoxRoom - 14) / longest);
    const auto box = [&](int column, const std::vector<int>& shape, const std::string& letters,
                         const char* what) {
      const Rect room{area.x + third * static_cast<float>(column), y + 24, third, kBoxRoom};
      const int sheets = shape.size() == 4 ? shape[0] : 1;
      draw_sheets(canvas, room, sheets, shape[shape.size() - 2], shape.back(), unit);
      TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::center};
      TextStyle caption = caption_style(canvas);
      caption.x = AlignX::center;
      const float x = room.center().x;
      canvas.text({x, room.bottom() + 10}, shape_text(shape), mono);
      canvas.text({x, room.bottom() + 27}, std::string(what) + " " + letters, caption);
    };
    TextStyle sign{.size = 14, .color = theme.second_text, .x = AlignX::center};
    box(0, shapes.padding, shapes.padding_letters, "padding");
    if (!shapes.causal.empty()) {
      box(1, shapes.causal, shapes.causal_letters, "causal");
      canvas.text({area.x + third, y + 24 + kBoxRoom / 2}, "and", sign);
    }
    const float from = shapes.causal.empty() ? area.x + third : area.x + 2 * third - 20;
    draw_arrow(canvas, {from, y + 24 + kBoxRoom / 2}, {area.x + 2 * third + 6, y + 24 + kBoxRoom / 2},
               {theme.second_text, 1.5f});
    box(2, shapes.result, shapes.letters, "all");
  }
}

}  // namespace

void draw_batch_page(Canvas& canvas, const Rect& area, const ViewInput& input) {
  const Theme& theme = canvas.theme();
  const BatchTensors batch = batch_tensors(input);
  const BatchLayout at = layout_batch(area, batch);
  for (std::size_t i = 0; i < batch.tensors.size(); ++i) {
    draw_ids(canvas, at.tensors[i], at.cell, batch.tensors[i], input.shown);
    canvas.hit_grid(live_ids(at.tensors[i], batch.tensors[i], input.pinned));
  }
  // The legend, and what the loss counts.
  const TextStyle small{.size = 12, .color = theme.ink};
  const Rect grey{at.loss.x, at.loss.y, 16, 16}, ignored{at.loss.x + 96, at.loss.y, 16, 16};
  canvas.rectangle(grey, {.fill = theme.sunken, .outline = theme.border});
  canvas.text({grey.right() + 8, grey.center().y}, "padding", small);
  canvas.rectangle(ignored, {.fill = theme.sunken, .hatch = theme.control});
  canvas.text({ignored.right() + 8, ignored.center().y}, "ignored by the loss", small);
  TextStyle words = small;
  words.y = AlignY::top;
  paragraph(canvas, {at.loss.x, at.loss.y + 24}, at.loss_width, batch_loss_words(batch), words);
  draw_shape_way(canvas, at.way, batch);
  draw_shapes(canvas, at.shapes, batch);
}

Point batch_minimum(const ViewInput& input) {
  const BatchTensors batch = batch_tensors(input);
  int columns = 1;
  for (const IdTensor& tensor : batch.tensors) columns = std::max(columns, tensor.length());
  const float ids = id_width(batch, 0) * static_cast<float>(columns),
              width = std::max(600.0f, 2 * kStagePadding + kSentenceLabel + ids),
              beside = 2 * kStagePadding + kSentenceLabel + std::max(ids, 280.0f) + kShapesGap + kShapesWidth;
  const auto height = [&](float wide) {
    const BatchLayout at = layout_batch({0, 0, wide, 0}, batch);
    return std::max(at.shapes.bottom(), at.way.bottom()) + 12;
  };
  // So high that the shapes fit below where they do not fit beside on a stage of a small window.
  return beside <= kSmallStage ? Point{beside, height(beside)} : Point{width, height(width)};
}

}  // namespace glassformer
