#include <algorithm>
#include <cmath>

#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

const char* block_word(AttentionKind block) {
  switch (block) {
    case AttentionKind::encoder:
      return "encoder";
    case AttentionKind::decoder:
      return "decoder";
    case AttentionKind::cross:
      return "cross";
  }
  return "";
}

const char* sub_block_word(SubBlock block) {
  switch (block) {
    case SubBlock::encoder_self:
      return "encoder self-attention";
    case SubBlock::encoder_feed_forward:
      return "encoder feed-forward";
    case SubBlock::decoder_self:
      return "masked self-attention";
    case SubBlock::cross:
      return "cross-attention";
    case SubBlock::decoder_feed_forward:
      return "decoder feed-forward";
  }
  return "";
}

// Each change in words, with what is left when it is taken back.
struct Change {
  std::string words;
  WhatIf without;
};

std::vector<Change> changes_of(const WhatIf& now) {
  std::vector<Change> changes;
  const auto flag = [&](bool WhatIf::*member, const char* words) {
    if (!(now.*member)) return;
    WhatIf without = now;
    without.*member = false;
    changes.push_back({words, without});
  };
  for (size_t i = 0; i < now.muted_heads.size(); ++i) {
    const MutedHead& head = now.muted_heads[i];
    WhatIf without = now;
    without.muted_heads.erase(without.muted_heads.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back({std::string(block_word(head.block)) + " layer " + std::to_string(head.layer + 1) +
                           ", head " + std::to_string(head.head + 1) + " muted",
                       without});
  }
  for (size_t i = 0; i < now.muted_sub_blocks.size(); ++i) {
    const MutedSubBlock& block = now.muted_sub_blocks[i];
    WhatIf without = now;
    without.muted_sub_blocks.erase(without.muted_sub_blocks.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back(
        {std::string(sub_block_word(block.block)) + " " + std::to_string(block.layer + 1) + " muted",
         without});
  }
  for (size_t i = 0; i < now.edited_rows.size(); ++i) {
    const EditedRow& row = now.edited_rows[i];
    WhatIf without = now;
    without.edited_rows.erase(without.edited_rows.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back({std::string(block_word(row.block)) + " layer " + std::to_string(row.layer + 1) +
                           ", head " + std::to_string(row.head + 1) + ", row " + std::to_string(row.query) +
                           " edited",
                       without});
  }
  flag(&WhatIf::drop_causal_mask, "causal mask off");
  flag(&WhatIf::drop_padding_mask, "padding mask off");
  flag(&WhatIf::drop_scale, "scores not divided by √k");
  flag(&WhatIf::drop_positions, "positions off");
  return changes;
}

// The notices that belong on the stage, the one to be shown first: errors before the rest, then the newest.
// What is wrong with the sentence stands under its field, unless the bar is too low for that.
std::vector<Place> stage_notices(const std::vector<Notice>& notices, bool sentence_bar_has_room) {
  std::vector<Place> errors, others;
  for (size_t i = notices.size(); i-- > 0;) {
    const Notice& each = notices[i];
    if (each.place == Place::sentence && each.error && sentence_bar_has_room) continue;
    (each.error ? errors : others).push_back(each.place);
  }
  errors.insert(errors.end(), others.begin(), others.end());
  return errors;
}

}  // namespace

void Shell::stage(const Rect& rect) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  if (layout_.map.width > 0)
    canvas.line({rect.x - 0.5f, rect.y}, {rect.x - 0.5f, layout_.sentence.y}, {.color = theme_.border});
  Rect area = rect;
  breadcrumb({area.x, area.y, area.width, kBreadcrumb});
  area.y += kBreadcrumb, area.height -= kBreadcrumb;
  if (!session_.scene().what_if.empty()) {
    what_if_strip({area.x + kPadding, area.y + 6, area.width - 2 * kPadding, kWhatIfStrip});
    area.y += kWhatIfStrip + 8, area.height -= kWhatIfStrip + 8;
  }
  const std::vector<Place> waiting = stage_notices(session_.notices(), layout_.bottom == BottomSize::full);
  if (!waiting.empty()) {
    float used = notice(waiting.front(), {area.x + kPadding, area.y + 6, area.width - 2 * kPadding, 0});
    if (const size_t behind = waiting.size() - 1; behind > 0) {
      const std::string words =
          std::to_string(behind) + (behind == 1 ? " more notice" : " more notices") + " behind it.";
      const Rect line{area.x + kPadding + 12, area.y + used, area.width - 2 * kPadding - 24, 16};
      canvas.text({line.x, line.center().y}, words, styles::caption(theme_));
      ui.note(line, "notices behind", words);
      used += line.height;
    }
    area.y += used, area.height -= used;
  }

  // After 0.2 s of work a thin bar says so; the last picture stays.
  if (session_.working() && session_.working_seconds() > 0.2) {
    const float width = area.width - 2 * kPadding;
    const auto share = static_cast<float>(std::fmod(session_.working_seconds() * 0.5, 1.0));
    canvas.rectangle({area.x + kPadding, area.y + 2, width, 3}, {.fill = theme_.sunken, .radius = 1});
    canvas.rectangle({area.x + kPadding + share * width * 0.8f, area.y + 2, width * 0.2f, 3},
                     {.fill = theme_.ink, .radius = 1});
    ui.note({area.x + kPadding, area.y, width, 5}, "working", "computing the sentence");
  }
  if (session_.working() || session_.will_tell()) ui.ask_frame(0.1);

  const auto input = view_input();
  View* view = current_view();
  if (!input || !view || area.height < 20) return nothing_yet(area.inset(kPadding));
  if (const Compared* compared = session_.compared()) return compared_stage(*input, *compared, area);
  one_picture(*view, *input, area, "stage", true);
}

// The view has margins of its own; it scrolls where it needs more than there is.
void Shell::one_picture(View& view, const ViewInput& input, const Rect& area, const char* name,
                        bool controls) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Point least = view.minimum_size(input);
  const bool scrolls = area.width < least.x || area.height < least.y;
  Rect content = area;
  if (scrolls)
    content = ui.begin_scroll(area, name, {std::max(least.x, area.width), std::max(least.y, area.height)});
  try {
    view.picture(canvas, input, content);
    if (controls) view.controls(ui, input, content);
    if (view.busy()) ui.ask_frame(0.05);
  } catch (const std::exception& error) {
    const std::string words = failure_words(error);
    canvas.rectangle(content, {.fill = theme_.paper});
    paragraph(canvas, {content.x, content.y}, content.width, words, styles::body(theme_));
    ui.note(content, "stage error", words);
  }
  if (scrolls) ui.end_scroll();
}

void Shell::nothing_yet(const Rect& rect) {
  if (session_.working() || rect.height < 60) return;
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  if (session_.snapshot()) {
    canvas.text({rect.x, rect.y + 14}, "No sentence yet", styles::title(theme_));
    canvas.text({rect.x, rect.y + 44},
                "Type one below and press Enter: its translation and every number on the way appear here.",
                styles::body_second(theme_));
    return;
  }
  canvas.text({rect.x, rect.y + 14}, "No model is open", styles::title(theme_));
  canvas.text({rect.x, rect.y + 44}, "Open one, or make a new one and watch it learn.",
              styles::body_second(theme_));
  float x = rect.x;
  const float open = ui.button_width("Open model…"), fresh = ui.button_width("New model…");
  if (ui.PrimaryButton({x, rect.y + 72, fresh, 32}, "New model…", {.id = "New model on the stage"}))
    ui.push(OpenDialog{"new model"});
  x += fresh + 12;
  if (ui.Button({x, rect.y + 72, open, 32}, "Open model…", {.id = "Open model on the stage"}))
    ui.push(OpenDialog{"open model"});
}

void Shell::breadcrumb(const Rect& rect) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  canvas.line({rect.x, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  const float y = rect.center().y;
  const auto input = view_input();
  View* view = current_view();

  // Save figure stands at the right end; a moment after copying or saving it says so there.
  float right = rect.right() - kPadding;
  if (input) {
    const float width = std::ceil(ui.text_width("Save figure", 12)) + 26;
    const Rect save{right - width, y - 16, width, 32};
    const ui::Response response = ui.area(save, "Save figure", "button");
    ui.tooltip(save, "PNG, SVG, PDF or CSV (S)");
    const Color color = response.hovered ? t.ink : t.second_text;
    canvas.text({save.x, y}, "Save figure", {.size = 12, .color = color});
    ui::draw_icon(canvas, ui::Icon::save, {right - 8, y}, color);
    if (response.clicked) ui.push(OpenDialog{"save figure"});
    right = save.x - 16;
  }
  // Where no line under the stage leads to the inspector, this does.
  if (input && layout_.inspector_place == InspectorPlace::hidden) {
    const float width = ui.text_width("Inspector", 12);
    if (ui.LinkButton({right - width, y - 10}, "Inspector",
                      {.tooltip = "What a number is and how it was computed (I)"}))
      inspector_open_ = !inspector_open_;
    right -= width + 16;
  }
  const bool saving = !figures_.empty();
  if (saving || time_ < said_until_) {
    const std::string words =
        elided(canvas, saving ? "saving…" : said_, styles::caption(t), rect.width * 0.5f);
    canvas.text({right, y}, words, styles::right(styles::caption(t)));
    ui.note({right - 80, y - 10, 80, 20}, "said", saving ? words : said_);
    right -= ui.text_width(words, 12) + 16;
    ui.ask_frame(saving ? 0.2 : said_until_ - time_);
  }

  std::vector<std::string> parts{"Model"};
  if (input && view)
    for (std::string& part : view->path(*input)) parts.push_back(std::move(part));
  // Too long a path loses its beginning.
  size_t first = 0;
  const auto width_from = [&](size_t from) {
    float width = 0;
    for (size_t i = from; i < parts.size(); ++i)
      width += ui.text_width(parts[i], 14, i + 1 == parts.size() ? Font::semibold : Font::regular) + 22;
    return width;
  };
  while (first + 1 < parts.size() && width_from(first) > right - rect.x - kPadding) ++first;
  float x = rect.x + kPadding;
  for (size_t i = first; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const float width = ui.text_width(parts[i], 14, last ? Font::semibold : Font::regular);
    if (last) {
      canvas.text({x, y}, elided(canvas, parts[i], styles::heading(t), right - x), styles::heading(t));
    } else {
      const ui::Response response =
          ui.area({x - 4, y - 14, width + 8, 28}, "breadcrumb: " + parts[i], "button");
      canvas.text({x, y}, parts[i], response.hovered ? styles::body(t) : styles::body_second(t));
      if (response.clicked) go_up(static_cast<int>(parts.size() - 1 - i));
    }
    x += width + 11;
    if (!last) ui::draw_icon(canvas, ui::Icon::chevron, {x, y}, t.second_text);
    x += 11;
  }
  std::string whole;
  for (const std::string& part : parts) whole += (whole.empty() ? "" : " > ") + part;
  ui.note({rect.x, rect.y, right - rect.x, rect.height}, "breadcrumb", whole);
}

void Shell::what_if_strip(const Rect& rect) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  canvas.rectangle(rect, {.fill = t.panel, .outline = t.reference, .outline_width = 2, .radius = 6});
  const float y = rect.center().y;
  canvas.text({rect.x + 16, y}, "Changed", {.font = Font::semibold, .size = 14, .color = t.reference});
  const float undo = ui.button_width("Undo all");
  const float keycap = rect.width > 480 ? 64.0f : 0;
  float right = rect.right() - 12;
  if (keycap > 0) {
    draw_keycap(canvas, {right - 50, y}, "hold O");
    ui.tooltip({right - 50, y - 10, 50, 20}, "While O is held, the untouched model is shown");
    right -= keycap;
  }
  if (ui.QuietButton({right - undo, y - 16, undo, 32}, "Undo all")) ui.push(SetWhatIf{});
  right -= undo + 8;

  float x = rect.x + 16 + ui.text_width("Changed", 14, Font::semibold) + 16;
  const std::vector<Change> changes = changes_of(session_.scene().what_if);
  for (size_t i = 0; i < changes.size(); ++i) {
    const TextStyle style{.size = 14, .color = t.ink};
    const float width = std::ceil(canvas.measure(changes[i].words, style).x) + 44;
    if (x + width > right) {
      canvas.text({x, y}, "+ " + std::to_string(changes.size() - i) + " more", styles::caption(t));
      break;
    }
    const Rect chip{x, y - 14, width, 28};
    canvas.rectangle(chip, {.fill = t.sunken, .outline = t.border, .radius = 6});
    canvas.text({chip.x + 12, y}, changes[i].words, style);
    const Rect cross{chip.right() - 28, y - 14, 28, 28};
    const ui::Response response = ui.area(cross, "undo: " + changes[i].words, "button");
    ui::draw_icon(canvas, ui::Icon::close, cross.center(), response.hovered ? t.ink : t.second_text);
    if (response.clicked) ui.push(SetWhatIf{changes[i].without});
    x += width + 8;
  }
}

}  // namespace glassformer
