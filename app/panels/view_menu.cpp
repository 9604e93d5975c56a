// The View menu: the views under six questions, what was found while letters are typed, and how everything
// looks.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/find.h"
#include "app/panels/layout.h"
#include "app/panels/styles.h"
#include "app/panels/top_bar.h"
#include "app/views/view_table.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr const char* kFindField = "Find";
constexpr float kMargin = 24, kFieldHeight = 36, kFootRow = 44, kQuestion = 28, kBetweenGroups = 14,
                kCloseGroups = 12, kFoundRow = 36, kWide = 900;

// The views in columns, those of one question together.
struct Columns {
  int count = 0;
  float row = 0;       // height of one
  bool worded = true;  // each with its words; else those of the chosen one alone
  float height = 0;    // of the longest
  struct Place {
    int column;
    float y;
    bool begins;  // a question
  };
  std::vector<Place> places;
};

bool begins_question(std::size_t i) {
  return i == 0 || std::string_view(view_table()[i].question) != view_table()[i - 1].question;
}

// Three columns of two questions that begin side by side, or two of three.
Columns columns_of(int count, float row, bool worded) {
  Columns c{.count = count, .row = row, .worded = worded};
  std::vector<int> sizes;
  for (std::size_t i = 0; i < view_table().size(); ++i) {
    if (begins_question(i)) sizes.push_back(0);
    ++sizes.back();
  }
  const float gap = count == 3 ? kBetweenGroups : kCloseGroups;
  const auto height = [&](int views) { return kQuestion + static_cast<float>(views) * row + gap; };
  const int questions = static_cast<int>(sizes.size()), bands = (questions + count - 1) / count;
  std::vector<float> tops(sizes.size());
  if (count == 3) {
    float y = 0;
    for (int band = 0; band < bands; ++band) {
      float most = 0;
      for (int q = band * count; q < std::min(questions, (band + 1) * count); ++q) {
        tops[static_cast<size_t>(q)] = y;
        most = std::max(most, height(sizes[static_cast<size_t>(q)]));
      }
      y += most;
    }
    c.height = y;
  } else {
    for (int column = 0; column < count; ++column) {
      float y = 0;
      for (int q = column * bands; q < std::min(questions, (column + 1) * bands); ++q) {
        tops[static_cast<size_t>(q)] = y;
        y += height(sizes[static_cast<size_t>(q)]);
      }
      c.height = std::max(c.height, y - gap);
    }
  }
  int question = -1;
  float y = 0;
  for (std::size_t i = 0; i < view_table().size(); ++i) {
    const bool begins = begins_question(i);
    if (begins) y = tops[static_cast<size_t>(++question)] + kQuestion;
    c.places.push_back({count == 3 ? question % count : question / bands, y, begins});
    y += row;
  }
  return c;
}

class ViewMenu {
 public:
  ViewMenu(ui::Ui& ui, Session& session, FindForm& form, Point window)
      : ui_(ui), session_(session), form_(form), window_(window), t_(ui.theme()), wide_(window.x >= kWide) {}

  bool draw() {
    const float width = std::min(wide_ ? 992.0f : 640.0f, window_.x - 16);
    const float top = wide_ ? kTopBar + 4 : 8, room = window_.y - top - 8;
    foot_ = kFootRow * static_cast<float>(foot_rows(width));
    const float around = kFieldHeight + 2 * 16 + foot_ + 8;
    columns_ = columns_of(3, 42, true);
    if (!wide_ || columns_.height + around > room) {
      columns_ = columns_of(wide_ ? 3 : 2, 24, false);
      words_ = 28;
    }
    const float height = std::min(around + words_ + columns_.height, room);
    box_ = {std::clamp(16.0f, 8.0f, std::max(8.0f, window_.x - 8 - width)), top, width, height};

    ui_.begin_layer({0, 0, window_.x, window_.y}, true);
    const bool outside =
        ui_.area({0, 0, window_.x, window_.y}, "Close the View menu", "button", false).clicked;
    ui_.area(box_, "views", "area", false);
    ui_.canvas().rectangle(box_, {.fill = t_.panel, .outline = t_.control, .radius = 8});
    const Rect field{box_.x + kMargin, box_.y + 16, box_.width - 2 * kMargin, kFieldHeight};
    const bool closed = type(field);
    const Rect list{box_.x + 12, field.bottom() + 8, box_.width - 24,
                    box_.bottom() - foot_ - field.bottom() - 8};
    if (form_.typed.empty())
      views(list);
    else
      finds(list);
    foot({box_.x, box_.bottom() - foot_, box_.width, foot_});
    form_.mouse = ui_.mouse().value_or(form_.mouse);
    ui_.end_layer();
    return closed || outside || form_.chosen.has_value();
  }

 private:
  int listed() const { return static_cast<int>(form_.typed.empty() ? view_table().size() : hits_.size()); }
  bool mouse_moved() const {
    const std::optional<Point> now = ui_.mouse();
    return now && (now->x != form_.mouse.x || now->y != form_.mouse.y);
  }

  // The field and the keys; true: Esc closes.
  bool type(const Rect& field) {
    const ui::FieldEvent event = TextField(
        ui_, field, kFindField, form_.typed,
        {.hint = wide_ ? "Type a few letters: a view, a lesson, a change, a command" : "Type a few letters",
         .focus = std::exchange(form_.focus, false)});
    if (form_.typed.empty()) draw_keycap(ui_.canvas(), {field.right() - 66, field.center().y}, "Ctrl+K");
    if (event == ui::FieldEvent::changed) form_.row = form_.typed.empty() ? open_row() : 0;
    if (event == ui::FieldEvent::left) {
      if (form_.typed.empty()) return true;
      form_.typed.clear();
      form_.row = open_row();
      form_.focus = true;
      ui_.ask_frame(0);
    }
    hits_ = form_.typed.empty() ? std::vector<const Findable*>() : found(form_.all, form_.typed);
    const int by = (ui_.pressed(ui::Key::down) ? 1 : 0) - (ui_.pressed(ui::Key::up) ? 1 : 0);
    if (listed() > 0) form_.row = (form_.row + by + listed()) % listed();
    stepped_ = by != 0;
    if (event != ui::FieldEvent::entered) return false;
    if (listed() > 0)
      choose(form_.row);
    else
      form_.focus = true;
    return false;
  }

  int open_row() const {
    const auto views = view_table();
    const auto open = std::ranges::find(views, form_.view, &ViewEntry::name);
    return open == views.end() ? 0 : static_cast<int>(open - views.begin());
  }

  void choose(int row) {
    const auto i = static_cast<size_t>(row);
    form_.chosen = form_.typed.empty() ? form_.all.at(i).item : hits_.at(i)->item;
    ui_.ask_frame(0);
  }

  // A line that answers to the mouse; lit when it is the chosen one.
  void line(const Rect& rect, int row, const std::string& name, bool checked) {
    const ui::Response response = ui_.area(rect, name, "item", false);
    if (response.hovered && mouse_moved()) form_.row = row;
    if (form_.row == row) ui_.canvas().rectangle(rect.inset(1), {.fill = t_.hover, .radius = 6});
    if (checked) ui_.mark_selected(name);
    if (response.clicked) choose(row);
  }

  void views(Rect list) {
    list.height -= words_;
    const Rect rows = ui_.scroll.begin(list, "view list", {list.width, columns_.height});
    const float width = rows.width / static_cast<float>(columns_.count);
    Canvas& canvas = ui_.canvas();
    for (std::size_t i = 0; i < columns_.places.size(); ++i) {
      const ViewEntry& entry = view_table()[i];
      const Columns::Place& place = columns_.places[i];
      const Rect rect{rows.x + static_cast<float>(place.column) * width, rows.y + place.y, width - 8,
                      columns_.row};
      if (place.begins)
        canvas.text({rect.x + 12, rect.y - 12},
                    elided(canvas, entry.question, styles::section(t_), width - 16), styles::section(t_));
      const bool open = form_.view == entry.name;
      line(rect, static_cast<int>(i), entry.title, open);
      if (stepped_ && form_.row == static_cast<int>(i)) bring_into_sight(rect, rows, list);
      const TextStyle name = open ? styles::heading(t_) : styles::body(t_);
      const float y = columns_.worded ? rect.y + 13 : rect.center().y;
      canvas.text({rect.x + 12, y}, entry.title, name);
      if (open) ui::draw_icon(canvas, ui::Icon::tick, {rect.right() - 16, rect.center().y}, t_.ink);
      if (!columns_.worded) continue;
      canvas.text({rect.x + 12, rect.y + 30}, elided(canvas, entry.words, styles::caption(t_), width - 44),
                  styles::caption(t_));
      ui_.note({rect.x + 12, rect.y + 22, width - 44, 16}, std::string("words of ") + entry.title,
               entry.words);
    }
    ui_.scroll.end();
    if (words_ == 0) return;
    const ViewEntry& lit = view_table()[static_cast<size_t>(std::min(form_.row, listed() - 1))];
    const std::string words = std::string(lit.title) + ": " + lit.words;
    canvas.text({list.x + 12, list.bottom() + words_ / 2},
                elided(canvas, words, styles::caption(t_), list.width - 24), styles::caption(t_));
    ui_.note({list.x + 12, list.bottom(), list.width - 24, words_}, std::string("words of ") + lit.title,
             lit.words);
  }

  void bring_into_sight(const Rect& rect, const Rect& rows, const Rect& list) {
    const float at = ui_.scroll.of("view list").y, top = rect.y - rows.y - kQuestion,
                bottom = rect.bottom() - rows.y;
    if (top < at || bottom > at + list.height)
      ui_.scroll.to("view list", {0, std::max(0.0f, top < at ? top : bottom - list.height)});
  }

  // As many as there is room for; the chosen one always among them.
  void finds(const Rect& list) {
    Canvas& canvas = ui_.canvas();
    if (hits_.empty()) {
      const std::string none = "Nothing here has these letters in its name or its words.";
      canvas.text({list.x + 12, list.y + 24}, none, styles::body_second(t_));
      ui_.note({list.x + 12, list.y + 12, list.width - 24, 24}, "nothing found", none);
      return;
    }
    const int room = std::max(1, static_cast<int>((list.height - 24) / (kFoundRow + 4)));
    const int from = std::clamp(form_.row - room + 1, 0, std::max(0, listed() - room));
    float y = list.y + 4;
    for (int i = from; i < std::min(listed(), from + room); ++i) {
      const Findable& one = *hits_[static_cast<size_t>(i)];
      const bool begins = i == from || one.group != hits_[static_cast<size_t>(i - 1)]->group;
      if (begins && i > from) {
        canvas.line({list.x + 12, y + 4}, {list.right() - 12, y + 4}, {.color = t_.border});
        y += 8;
      }
      hit({list.x, y, list.width, kFoundRow}, i, one, begins);
      y += kFoundRow;
    }
    if (const int more = listed() - std::min(listed(), from + room); more > 0)
      canvas.text({list.x + 24 + group_width(), y + 12}, "and " + std::to_string(more) + " more",
                  styles::caption(t_));
  }

  float group_width() const { return wide_ ? 96.0f : 76.0f; }

  void hit(const Rect& row, int i, const Findable& one, bool begins) {
    Canvas& canvas = ui_.canvas();
    const float left = row.x + 12 + group_width(), y = row.center().y;
    const Rect rect{left, row.y, row.right() - left, row.height};
    if (begins) canvas.text({row.x + 12, y}, one.group, styles::section(t_));
    line(rect, i, one.item.label, one.item.checked);
    const std::string note = one.item.keys.empty() ? one.item.note : one.item.keys;
    float right = rect.right() - 12;
    if (!note.empty()) {
      canvas.text({right, y}, note, styles::right(styles::caption(t_)));
      right -= ui_.text_width(note, 12) + 16;
    }
    const float name = std::min(wide_ ? 250.0f : 200.0f, right - left - 12);
    canvas.text({left + 12, y}, elided(canvas, one.item.label, styles::body(t_), name - 12),
                styles::body(t_));
    const float words = left + 12 + std::max(name, std::min(ui_.text_width(one.item.label), name - 12) + 12);
    if (right - words > 80)
      canvas.text({words, y}, elided(canvas, one.words, styles::caption(t_), right - words),
                  styles::caption(t_));
    ui_.note({words, row.y, std::max(0.0f, right - words), row.height}, "words of " + one.item.label,
             one.words);
  }

  // What is in the foot, each with its width.
  std::vector<float> foot_widths() {
    const float caps = wide_ ? 1.0f : 0.0f;
    return {ui_.button_width("In words") + caps * 60, ui_.button_width("Lecture mode") + caps * 30,
            42 + ui_.text_width("Dark") + 20, 42 + ui_.text_width("No motion") + 20,
            ui_.text_width("Text") + 32 + 12 + ui_.text_width("250 %") + 32 + 24};
  }

  int foot_rows(float width) {
    int rows = 1;
    float x = 2 * kMargin;
    for (const float each : foot_widths()) {
      if (x + each > width && x > 2 * kMargin) ++rows, x = 2 * kMargin;
      x += each;
    }
    return rows;
  }

  void foot(const Rect& foot) {
    Canvas& canvas = ui_.canvas();
    canvas.line({foot.x, foot.y}, {foot.right(), foot.y}, {.color = t_.border});
    float x = foot.x + kMargin - 12, y = foot.y + kFootRow / 2;
    const std::vector<float> widths = foot_widths();
    const auto place = [&](std::size_t i) {
      if (x + widths[i] > foot.right() - kMargin + 12 && x > foot.x + kMargin)
        x = foot.x + kMargin - 12, y += kFootRow;
      return std::exchange(x, x + widths[i]);
    };
    const auto button = [&](std::size_t i, const char* label, const char* key, ui::MenuItem item) {
      const float at = place(i), width = ui_.button_width(label);
      if (QuietButton(ui_, {at, y - 16, width, 32}, label)) form_.chosen = std::move(item);
      if (wide_) draw_keycap(canvas, {at + width - 4, y}, key);
    };
    button(0, "In words", "Ctrl+D", {.label = "In words", .command = OpenDialog{"describe"}});
    button(1, "Lecture mode", "F5", {.label = "Lecture mode"});
    bool dark = session_.settings().dark, still = session_.settings().reduced_motion;
    if (Switch(ui_, {place(2) + 12, y - 9}, "Dark", dark)) form_.look = "Dark";
    if (Switch(ui_, {place(3) + 12, y - 9}, "No motion", still)) session_.settings().reduced_motion = still;
    text_size(place(4), y, foot.right() - kMargin);
  }

  void text_size(float x, float y, float right) {
    const float width = ui_.text_width("Text") + 12 + 32 + 12 + ui_.text_width("250 %") + 12 + 32;
    if (wide_) x = right - width;
    Canvas& canvas = ui_.canvas();
    canvas.text({x, y}, "Text", styles::body_second(t_));
    x += ui_.text_width("Text") + 12;
    if (Button(ui_, {x, y - 16, 32, 32}, "−", {.id = "Smaller text", .tooltip = "Ctrl −"}))
      form_.look = "smaller";
    x += 32 + 6 + ui_.text_width("250 %") / 2;
    canvas.text({x, y}, std::to_string(static_cast<int>(std::lround(form_.scale * 100))) + " %",
                styles::center(styles::body(t_)));
    x += ui_.text_width("250 %") / 2 + 6;
    if (Button(ui_, {x, y - 16, 32, 32}, "+", {.id = "Larger text", .tooltip = "Ctrl +"}))
      form_.look = "larger";
  }

  ui::Ui& ui_;
  Session& session_;
  FindForm& form_;
  Point window_;
  const Theme& t_;
  bool wide_;
  Rect box_;
  float foot_ = 0, words_ = 0;
  Columns columns_;
  std::vector<const Findable*> hits_;
  bool stepped_ = false;  // with an arrow, in this frame
};

}  // namespace

bool view_menu(ui::Ui& ui, Session& session, FindForm& form, Point window) {
  return ViewMenu(ui, session, form, window).draw();
}

}  // namespace glassformer
