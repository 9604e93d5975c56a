#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/widgets/piece_lines.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

// Name left, two values right: one for each side.
struct SidesTable {
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

constexpr long kMostBars = 80;  // the last is that of all lengths from there on

// How many sentences each bar counts; bars[n - 1] is that of n pieces.
std::vector<long> bars_of(const SideReport& side) {
  std::vector<long> bars(static_cast<size_t>(std::clamp(side.longest, 1L, kMostBars)));
  for (size_t n = 1; n < side.lengths.size(); ++n) bars[std::min(n, bars.size()) - 1] += side.lengths[n];
  return bars;
}

// Sentence lengths as thin bars, the shortest and the longest named under their own.
void lengths(ui::Ui& ui, const Rect& rect, const SideReport& side, const char* name) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<long> bars = bars_of(side);
  const long longest = static_cast<long>(bars.size());
  const float floor = rect.bottom() - 18, height = floor - rect.y - 22;
  const float pitch =
      std::max(2.0f, std::floor(rect.width / static_cast<float>(std::max<long>(longest + 1, 8))));
  const long most = std::max(1L, std::ranges::max(bars));
  for (long n = 1; n <= longest; ++n) {
    const long sentences = bars[static_cast<size_t>(n - 1)];
    const float h = std::ceil(height * static_cast<float>(sentences) / static_cast<float>(most));
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
    std::string text = format_count(n);
    if (n == longest && longest < side.longest) text += " and longer: " + format_count(bars.back());
    const float width = canvas.measure(text, styles::faint_number(t)).x;
    const float x = std::clamp(rect.x + (static_cast<float>(n) - 0.5f) * pitch - width / 2, rect.x,
                               std::max(rect.x, rect.right() - width));
    if (x < taken + 8) continue;
    canvas.text({x, floor + 10}, text, styles::faint_number(t));
    taken = x + width;
    ends += (ends.empty() ? "" : " to ") + text;
  }
  ui.note(rect, name, words + ": " + ends);
}

// That the text allows in pieces of that kind, of both sides; 0: not known.
long smallest_of(const PreparedData& data, TokenizerKind kind) {
  if (kind != data.kind) return 0;
  return std::max(data.report.source.smallest_vocabulary, data.report.target.smallest_vocabulary);
}

// "This text allows no fewer than 84."
std::string smallest_words(const PreparedData& data, TokenizerKind kind) {
  if (!cuts_into_pieces(kind)) return "The most frequent are kept; empty: all.";
  const long smallest = smallest_of(data, kind);
  if (smallest == 0) return "Empty: as many as suit.";
  return "This text allows no fewer than " + format_count(smallest) + "; empty: as many as suit.";
}

// What was read and counted, downwards from `top`; returns where it ends.
float figures(ui::Ui& ui, const PreparedData& data, Point top, float width) {
  const Theme& t = ui.theme();
  const DataReport& report = data.report;
  const SideReport &source = report.source, &target = report.target;
  ui.canvas().text({top.x, top.y + 10}, elided(ui.canvas(), report.name, styles::heading(t), width),
                   styles::heading(t));
  SidesTable table{ui, top.x, top.y + 26, width};
  const auto both = [&](const std::string& name, const auto& words) {
    table.row(name, words(source), words(target));
  };
  table.row("lines read", format_count(report.lines), "");
  table.row("kept", format_count(report.kept), "");
  table.row("rejected", format_count(static_cast<long long>(report.rejected.size())), "");
  table.row("to learn from", format_count(static_cast<long long>(data.training.pairs.size())), "");
  table.row("held out", format_count(static_cast<long long>(data.validation.pairs.size())), "");
  table.y += 8;
  table.row("", "source", "target", true);
  both("pieces: " + tokenizer_name(data.kind),
       [](const SideReport& s) { return format_count(s.vocabulary); });
  both("smallest vocabulary possible",
       [](const SideReport& s) { return format_count(s.smallest_vocabulary); });
  both("pieces that occur", [](const SideReport& s) { return format_count(s.vocabulary_used); });
  both("mean length", [](const SideReport& s) { return format_fixed(s.mean, 1); });
  both("longest", [](const SideReport& s) { return format_count(s.longest); });
  both("known, to learn from", [](const SideReport& s) { return format_percent(s.coverage(), 1); });
  both("known, held out", [](const SideReport& s) { return format_percent(s.validation_coverage(), 1); });
  table.y += 10;
  lengths(ui, {top.x, table.y, width, 90}, source, "Source lengths");
  lengths(ui, {top.x, table.y + 104, width, 90}, target, "Target lengths");
  table.y += 206;
  for (const std::string& note : report.notes)
    table.y += paragraph(ui.canvas(), {top.x, table.y}, width, note, styles::caption(t)) + 2;
  return table.y;
}

// How sentences become pieces, to be changed: the data are then read once more. What was refused stays as it
// was asked for, with the reason.
float cutting(ui::Ui& ui, DataForm& form, const DataPreview& preview, Point top, float width) {
  const Theme& t = ui.theme();
  const PreparedData& data = *form.data;
  const TokenizerKind asked = preview.options.tokenizer.value_or(data.kind);
  const float value = top.x + width * 0.4f, room = width * 0.6f;
  float y = top.y;
  const auto name = [&](const char* words) {
    ui.canvas().text({top.x, y + 18}, words, styles::caption(t));
    const Rect rect{value, y, room, 34};
    y += 40;
    return rect;
  };
  const auto cut_again = [&](DataOptions options) {
    form.waiting = true;
    ui.push(ReadData{std::move(options)});
  };

  ui.canvas().text({top.x, y + 10}, "Cut into pieces", styles::heading(t));
  y += 26;
  int kind = static_cast<int>(asked);
  const std::vector<std::string> kinds{"BPE", "unigram", "WordPiece", "words", "characters"};
  if (Combo(ui, name("Pieces are"), "Pieces are", kinds, kind)) {
    DataOptions options = preview.options;
    options.tokenizer = static_cast<TokenizerKind>(kind);
    options.pieces = 0;
    cut_again(std::move(options));
  }
  const ui::FieldEvent event = TextField(ui, name("How many"), "How many pieces", form.pieces,
                                         {.hint = "as many as suit", .error = form.error, .mono = true});
  if (event == ui::FieldEvent::changed) form.error.clear();
  if (event == ui::FieldEvent::entered) {
    DataOptions options = preview.options;
    if (form.take_pieces(smallest_of(data, asked), options.pieces)) cut_again(std::move(options));
  }
  const std::string hint = "Enter cuts anew. " + smallest_words(data, asked);
  y += paragraph(ui.canvas(), {value, y - 2}, room, form.error.empty() ? hint : form.error,
                 form.error.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong});
  ui.note({value, y - 16, room, 16}, "how many pieces, note", form.error.empty() ? hint : form.error);
  y += 10;
  bool shared = preview.options.shared_vocabulary;
  if (Switch(ui, {value, y}, "One vocabulary for both", shared)) {
    DataOptions options = preview.options;
    options.shared_vocabulary = shared;
    cut_again(std::move(options));
  }
  return y + 40;
}

// Some sentences from all over the data as they are cut.
float examples(ui::Ui& ui, const PreparedData& data, Point top, float width) {
  constexpr std::size_t kExamples = 6;
  const std::vector<SentencePair>& pairs = data.training.pairs;
  const std::size_t count = std::min(kExamples, pairs.size());
  float y = top.y;
  for (std::size_t i = 0; i < count; ++i) {
    const SentencePair& pair = pairs[(2 * i + 1) * pairs.size() / (2 * count)];
    std::string cut;
    for (const bool source : {true, false}) {
      const std::vector<Piece> pieces =
          source ? data.tokenizers.source->encode(pair.source) : data.tokenizers.target->encode(pair.target);
      const PieceLines lines = layout_piece_lines(ui.canvas(), {top.x, y}, width, pieces);
      draw_piece_lines(ui.canvas(), lines, pieces);
      y += lines.height + 4;
      for (const Piece& piece : pieces) cut += (cut.empty() ? "" : "|") + piece.text;
    }
    ui.note({top.x, y - 28, width, 24}, "example " + std::to_string(i + 1), cut);
    y += 10;
  }
  return y;
}

float rejected_lines(ui::Ui& ui, const std::vector<RejectedLine>& rejected, Point top, float width) {
  constexpr std::size_t kMost = 400;
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  canvas.text({top.x, top.y + 10}, rejected.empty() ? "No line was rejected" : "Rejected lines",
              styles::heading(t));
  float y = top.y + 26;
  for (std::size_t i = 0; i < std::min(rejected.size(), kMost); ++i) {
    const RejectedLine& line = rejected[i];
    const std::string words = line.reason + (line.excerpt.empty() ? "" : ": " + line.excerpt);
    canvas.text({top.x + 44, y + 10}, format_count(line.line), styles::right(styles::faint_number(t)));
    canvas.text({top.x + 54, y + 10}, elided(canvas, words, styles::caption(t), width - 54),
                styles::caption(t));
    ui.note({top.x, y, width, 22}, "rejected line " + std::to_string(line.line), line.reason);
    y += 24;
  }
  return y;
}

void reading(ui::Ui& ui, const DataPreview& preview, const Rect& body) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  canvas.text({body.x, body.y + 10}, preview.stage.empty() ? "reading" : preview.stage, styles::body(t));
  const float done = static_cast<float>(std::clamp(preview.progress, 0.0, 1.0));
  canvas.rectangle({body.x, body.y + 32, body.width, 4}, {.fill = t.control, .radius = 2});
  canvas.rectangle({body.x, body.y + 32, body.width * done, 4}, {.fill = t.ink, .radius = 2});
  ui.ask_frame(0.1);
}

// In two columns where there is room.
void found(ui::Ui& ui, DataForm& form, const DataPreview& preview, const Rect& body) {
  const PreparedData& data = *form.data;
  const bool wide = body.width > 640;
  const float column = wide ? (body.width - 40) / 2 : body.width;
  const Rect view{body.x - 8, body.y, body.width + 24, body.height};
  const Rect area = ui.scroll.begin(view, "data preview", {body.width + 8, form.height});
  const float x = area.x + 8;
  const float left = figures(ui, data, {x, area.y}, column);

  const float right = wide ? x + column + 40 : x;
  float y = wide ? area.y : left + 16;
  y = data_columns(ui, form, preview, {right, y}, column);
  y = held_out_files(ui, form, preview, {right, y}, column);
  y = cutting(ui, form, preview, {right, y}, column);
  y = examples(ui, data, {right, y}, column);
  y = rejected_lines(ui, data.report.rejected, {right, y + 6}, column);
  ui.scroll.end();

  // Known only after drawing: the next frame has it.
  const float height = std::max(left, y) + 8 - area.y;
  if (height != form.height) ui.ask_frame(0);
  form.height = height;
}

}  // namespace

void DataForm::take(const DataPreview* preview) {
  if (!preview) *this = {};
  if (!preview || preview->reading) return;
  const bool refused = !preview->data && waiting;
  waiting = false;
  if (!refused && (!preview->data || preview->data == data)) return;
  pieces = preview->options.pieces > 0 ? std::to_string(preview->options.pieces) : "";
  error = preview->error;
  if (refused) return;
  data = preview->data;
  source = preview->options.training;
}

bool DataForm::knows(const DataPreview& preview) const {
  return preview.data || (data && preview.options.training == source);
}

bool DataForm::take_pieces(long smallest, int& wanted) {
  constexpr int kLargest = 1'000'000;
  const std::optional<long> number = typed_whole(pieces);
  if (pieces.empty()) {
    error.clear();
  } else if (!number || *number < smallest || *number > kLargest) {
    error = "How many must be a whole number from " + format_count(smallest) + " to " +
            format_count(kLargest) + ", or empty.";
    return false;
  }
  wanted = static_cast<int>(number.value_or(0));
  return true;
}

bool data_dialog(ui::Ui& ui, Session& session, DataForm& form, Point window) {
  const DataPreview* preview = session.preview();
  form.take(preview);
  const Theme& t = ui.theme();
  // A refusal needs no more room than its words.
  const bool wrong = preview && !preview->reading && !preview->error.empty();
  const bool known = preview && form.knows(*preview);
  const bool refused = wrong && !known;
  const float width = std::min(refused ? 640.0f : 900.0f, window.x - 24);
  const float refusal =
      refused ? paragraph_height(ui.canvas(), width - 80, preview->error, styles::body(t)) + 24 : 0;
  const DialogBox dialog =
      begin_dialog(ui, window, "Data to learn from", {width, refused ? refusal + 80 + 16 + 34 : 680});
  const Rect body = dialog.body;
  bool close = dialog.closed;
  const float foot = body.bottom() - 34;
  float end = body.right();
  const auto place = [&](const char* words) {
    const float button = ui.button_width(words);
    end -= button + 8;
    return Rect{end + 8, foot, button, 32};
  };
  const auto choose_another = [&] {
    constexpr const char* kAnother = "Choose another…";
    if (Button(ui, place(kAnother), kAnother)) ui.push(OpenDialog{"open corpus"});
  };

  // What was asked of the tokenizer may be what is wrong: first the size, then the kind of pieces.
  const auto cut_as_it_suits = [&] {
    constexpr const char* kSuiting = "Cut as it suits";
    DataOptions suiting = preview->options;
    if (!suiting.tokenizer && suiting.pieces == 0) return;
    if (!Button(ui, place(kSuiting), kSuiting)) return;
    if (suiting.pieces == 0) suiting.tokenizer.reset();
    suiting.pieces = 0;
    form.waiting = true;
    ui.push(ReadData{suiting});
  };

  // So may be the columns that were chosen.
  const auto columns_as_found = [&] {
    constexpr const char* kAsFound = "Columns as found";
    DataOptions found = preview->options;
    if (found.training.choices.columns.empty() || !Button(ui, place(kAsFound), kAsFound)) return;
    found.training.choices.columns.clear();
    ui.push(ReadData{found});
  };

  if (!preview) {
    ui.canvas().text({body.x, body.y + 10}, "No data was chosen yet.", styles::body(t));
  } else if (preview->reading) {
    reading(ui, *preview, body);
    if (Button(ui, place("Cancel"), "Cancel")) {
      ui.push(CancelReading{});
      close = true;
    }
  } else if (refused) {
    const Rect box{body.x, body.y, body.width, refusal};
    ui.canvas().rectangle(box, {.fill = t.wrong_tint, .outline = t.wrong, .radius = 6});
    paragraph(ui.canvas(), {box.x + 16, box.y + 12}, box.width - 32, preview->error, styles::body(t));
    ui.note(box, "data error", preview->error);
    choose_another();
    cut_as_it_suits();
    columns_as_found();
  } else if (known) {
    found(ui, form, *preview, {body.x, body.y, body.width, foot - 12 - body.y});
    constexpr const char* kCutFirst = "First have the data read in a way that is possible";
    constexpr const char* kUse = "Use it for a new model…";
    if (PrimaryButton(ui, place(kUse), kUse,
                      {.enabled = !wrong, .id = "Use the data", .tooltip = wrong ? kCutFirst : ""}))
      ui.push(OpenDialog{"new model"});
    choose_another();
    if (wrong) cut_as_it_suits();
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
