#include <algorithm>
#include <cmath>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/widgets/number_format.h"

namespace glassformer {

namespace {

// Name left, two values right: one for each side.
struct Table {
  ui::Ui& ui;
  float x, y, width;
  void row(const std::string& name, const std::string& source, const std::string& target, bool head = false) {
    Canvas& canvas = ui.canvas();
    const Theme& t = ui.theme();
    const TextStyle number = head ? styles::section(t) : styles::number(t);
    const float middle = x + width * 0.72f;
    canvas.text({x, y + 12}, elided(canvas, name, styles::caption(t), width * 0.46f), styles::caption(t));
    canvas.text({middle, y + 12}, source, styles::right(number));
    canvas.text({x + width, y + 12}, target, styles::right(number));
    if (!head) ui.note({x, y, width, 24}, "data: " + name, target.empty() ? source : source + " | " + target);
    y += 24;
  }
};

// Sentence lengths as thin bars, the shortest and the longest named under their own.
void lengths(ui::Ui& ui, const Rect& rect, const SideReport& side, const char* name) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  constexpr long kMostBars = 79;
  const long longest = std::min(side.longest, kMostBars);
  const float floor = rect.bottom() - 18, height = floor - rect.y - 22;
  const float pitch =
      std::max(2.0f, std::floor(rect.width / static_cast<float>(std::max<long>(longest + 1, 8))));
  long most = 1;
  const auto sentences = [&](long n) {
    const auto at = static_cast<size_t>(n);
    return at < side.lengths.size() ? side.lengths[at] : 0;
  };
  for (long n = 1; n <= longest; ++n) most = std::max(most, sentences(n));
  for (long n = 1; n <= longest; ++n) {
    const float h = std::ceil(height * static_cast<float>(sentences(n)) / static_cast<float>(most));
    if (h > 0)
      canvas.rectangle({rect.x + static_cast<float>(n - 1) * pitch, floor - h, pitch - 1, h},
                       {.fill = t.second_text});
  }
  canvas.line({rect.x, floor + 0.5f}, {rect.right(), floor + 0.5f}, {.color = t.border});

  // What is counted, and where it begins and ends.
  std::string words = "pieces in a sentence";
  if (side.shortest == side.longest)
    words = "every sentence has " + format_count(side.longest) + (side.longest == 1 ? " piece" : " pieces");
  else if (longest < side.longest)
    words += ", the longest " + format_count(side.longest);
  canvas.text({rect.x, rect.y + 8}, name, styles::section(t));
  canvas.text({rect.right(), rect.y + 8}, words, styles::right(styles::caption(t)));
  float taken = rect.x - 8;
  std::string ends;
  for (const long n : {side.shortest, longest}) {
    if (n > longest) continue;
    const std::string text = format_count(n);
    const float width = canvas.measure(text, styles::faint_number(t)).x;
    const float x = std::max(rect.x, rect.x + (static_cast<float>(n) - 0.5f) * pitch - width / 2);
    if (x < taken + 8) continue;
    canvas.text({x, floor + 10}, text, styles::faint_number(t));
    taken = x + width;
    ends += (ends.empty() ? "" : " to ") + text;
  }
  ui.note(rect, name, words + ": " + ends);
}

}  // namespace

bool data_dialog(ui::Ui& ui, Session& session, Point window) {
  const DataPreview* preview = session.preview();
  const Theme& t = ui.theme();
  // A refusal needs no more room than its words.
  const bool refused = preview && !preview->reading && !preview->error.empty();
  const float width = std::min(refused ? 640.0f : 900.0f, window.x - 24);
  const float refusal =
      refused ? paragraph_height(ui.canvas(), width - 80, preview->error, styles::body(t)) + 24 : 0;
  const DialogBox dialog =
      begin_dialog(ui, window, "Data to learn from", {width, refused ? refusal + 80 + 16 + 34 : 680});
  Canvas& canvas = ui.canvas();
  const Rect body = dialog.body;
  bool close = dialog.closed;
  const float foot = body.bottom() - 34;
  const float cancel = ui.button_width("Cancel"), use = ui.button_width("Use it for a new model…"),
              other = ui.button_width("Choose another…");

  if (!preview) {
    canvas.text({body.x, body.y + 10}, "No data was chosen yet.", styles::body(t));
  } else if (preview->reading) {
    canvas.text({body.x, body.y + 10}, preview->stage.empty() ? "reading" : preview->stage, styles::body(t));
    canvas.rectangle({body.x, body.y + 32, body.width, 4}, {.fill = t.control, .radius = 2});
    canvas.rectangle(
        {body.x, body.y + 32, body.width * static_cast<float>(std::clamp(preview->progress, 0.0, 1.0)), 4},
        {.fill = t.ink, .radius = 2});
    if (ui.Button({body.right() - cancel, foot, cancel, 32}, "Cancel")) {
      ui.push(CancelReading{});
      close = true;
    }
    ui.ask_frame(0.1);
  } else if (!preview->error.empty()) {
    const Rect box{body.x, body.y, body.width, refusal};
    canvas.rectangle(box, {.fill = t.wrong_tint, .outline = t.wrong, .radius = 6});
    paragraph(canvas, {box.x + 16, box.y + 12}, box.width - 32, preview->error, styles::body(t));
    ui.note(box, "data error", preview->error);
    if (ui.Button({body.right() - other, foot, other, 32}, "Choose another…"))
      ui.push(OpenDialog{"open corpus"});
  } else if (preview->data) {
    const PreparedData& data = *preview->data;
    const DataReport& report = data.report;
    const bool wide = body.width > 640;
    const float column = wide ? (body.width - 40) / 2 : body.width;
    const float rejected_rows = static_cast<float>(std::min<size_t>(report.rejected.size(), 400)) * 24;
    const float left_height = 24.0f * 13 + 260 + static_cast<float>(report.notes.size()) * 40;
    const float right_height =
        60 + rejected_rows + static_cast<float>(std::min<size_t>(data.training.pairs.size(), 6)) * 44 + 60;
    const Rect view{body.x - 8, body.y, body.width + 24, foot - 12 - body.y};
    const Rect area = ui.begin_scroll(
        view, "data preview",
        {body.width + 8, wide ? std::max(left_height, right_height) : left_height + right_height});
    const float x = area.x + 8;

    Table table{ui, x, area.y, column};
    canvas.text({x, table.y + 10}, elided(canvas, report.name, styles::heading(t), column),
                styles::heading(t));
    table.y += 26;
    table.row("lines read", format_count(report.lines), "");
    table.row("kept", format_count(report.kept), "");
    table.row("rejected", format_count(static_cast<long long>(report.rejected.size())), "");
    table.row("to learn from", format_count(static_cast<long long>(data.training.pairs.size())), "");
    table.row("held out", format_count(static_cast<long long>(data.validation.pairs.size())), "");
    table.y += 8;
    table.row("", "source", "target", true);
    table.row("pieces: " + tokenizer_name(data.kind), format_count(report.source.vocabulary),
              format_count(report.target.vocabulary));
    table.row("pieces that occur", format_count(report.source.vocabulary_used),
              format_count(report.target.vocabulary_used));
    table.row("mean length", format_fixed(report.source.mean, 1), format_fixed(report.target.mean, 1));
    table.row("longest", format_count(report.source.longest), format_count(report.target.longest));
    table.row("known, to learn from", format_percent(report.source.coverage(), 1),
              format_percent(report.target.coverage(), 1));
    table.row("known, held out", format_percent(report.source.validation_coverage(), 1),
              format_percent(report.target.validation_coverage(), 1));
    table.y += 10;
    lengths(ui, {x, table.y, column, 90}, report.source, "Source lengths");
    lengths(ui, {x, table.y + 104, column, 90}, report.target, "Target lengths");
    table.y += 206;
    for (const std::string& note : report.notes)
      table.y += paragraph(canvas, {x, table.y}, column, note, styles::caption(t)) + 2;

    const float rx = wide ? x + column + 40 : x;
    float y = wide ? area.y : table.y + 16;
    canvas.text({rx, y + 10}, "Some of it", styles::heading(t));
    y += 26;
    for (size_t i = 0; i < std::min<size_t>(data.training.pairs.size(), 6); ++i) {
      const SentencePair& pair = data.training.pairs[i];
      canvas.text({rx, y + 8}, elided(canvas, pair.source, styles::caption(t), column), styles::caption(t));
      canvas.text({rx, y + 26}, elided(canvas, pair.target, {.size = 12, .color = t.ink}, column),
                  {.size = 12, .color = t.ink});
      y += 44;
    }
    canvas.text({rx, y + 18}, report.rejected.empty() ? "No line was rejected" : "Rejected lines",
                styles::heading(t));
    y += 34;
    for (size_t i = 0; i < std::min<size_t>(report.rejected.size(), 400); ++i) {
      const RejectedLine& line = report.rejected[i];
      const std::string number = format_count(line.line);
      const std::string words = line.reason + (line.excerpt.empty() ? "" : ": " + line.excerpt);
      canvas.text({rx + 44, y + 10}, number, styles::right(styles::faint_number(t)));
      canvas.text({rx + 54, y + 10}, elided(canvas, words, styles::caption(t), column - 54),
                  styles::caption(t));
      ui.note({rx, y, column, 22}, "rejected line " + std::to_string(line.line), line.reason);
      y += 24;
    }
    ui.end_scroll();

    if (ui.PrimaryButton({body.right() - use, foot, use, 32}, "Use it for a new model…",
                         {.id = "Use the data"}))
      ui.push(OpenDialog{"new model"});
    if (ui.Button({body.right() - use - 8 - other, foot, other, 32}, "Choose another…"))
      ui.push(OpenDialog{"open corpus"});
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
