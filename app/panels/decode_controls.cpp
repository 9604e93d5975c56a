#include "app/panels/decode_controls.h"

#include <imgui.h>

#include <algorithm>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/panels/token_strips.h"
#include "engine/model/sentence_loss.h"

namespace glassformer {

namespace {

constexpr double kStepSeconds = 0.8;  // of playing the output word by word

const char* search_word(Search search) {
  switch (search) {
    case Search::greedy:
      return "Greedy";
    case Search::beam:
      return "Beam";
    case Search::sampling:
      return "Sample";
  }
  return "";
}

std::string options_words(const DecodeOptions& o) {
  if (o.search == Search::beam) return "K " + std::to_string(o.beam) + ", α " + format_fixed(o.alpha, 1);
  std::string words = "temperature " + format_fixed(o.temperature, 1);
  if (o.top_k > 0) words += ", k " + std::to_string(o.top_k);
  if (o.top_p < 1) words += ", p " + format_fixed(o.top_p, 2);
  return words;
}

// A sentence that the beam kept, as text.
std::string words_of(const PanelInput& in, const Hypothesis& hypothesis) {
  std::vector<int> ids = hypothesis.ids;
  const Config& config = in.result->snapshot->config;
  if (!ids.empty() && ids.back() == config.eos_id) ids.pop_back();
  if (const auto& tokenizer = in.session.tokenizers().target) return tokenizer->decode(ids);
  std::string text;
  for (const int id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

// The layer of the options, filled from the top; the widgets say whether something has changed.
struct DecodeOptionsLayer {
  ui::Ui& ui;
  const Theme& theme;
  Rect box;
  float y;
  bool changed = false;

  double slider(const char* label, double value, const ui::SliderOptions& options, const std::string& shown) {
    ui.canvas().text({box.x + 16, y + 16}, label, styles::caption(theme));
    ui.canvas().text({box.right() - 16, y + 16}, shown, styles::right(styles::number(theme)));
    changed = Slider(ui, {box.x + 116, y, box.width - 116 - 76, 32}, label, value, options) || changed;
    y += 44;
    return value;
  }
  void beam(DecodeOptions& edit) {
    edit.beam = static_cast<int>(
        slider("Beam K", edit.beam, {.minimum = 1, .maximum = 16, .step = 1}, std::to_string(edit.beam)));
    edit.alpha = slider("Length α", edit.alpha, {.minimum = 0, .maximum = 2, .step = 0.1},
                        format_fixed(edit.alpha, 1));
  }
  void sampling(DecodeOptions& edit) {
    edit.temperature = slider("Temperature", edit.temperature, {.minimum = 0.1, .maximum = 2, .step = 0.1},
                              format_fixed(edit.temperature, 1));
    edit.top_k = static_cast<int>(slider("Top k", edit.top_k, {.minimum = 0, .maximum = 50, .step = 1},
                                         edit.top_k == 0 ? "all" : std::to_string(edit.top_k)));
    edit.top_p = slider("Top p", edit.top_p, {.minimum = 0.05, .maximum = 1, .step = 0.05},
                        format_fixed(edit.top_p, 2));
    if (Button(ui, {box.x + 16, y, box.width - 32, 32}, "Draw another sample")) {
      edit.seed += 1;
      changed = true;
    }
  }
  // What the beam kept, best first.
  void kept(const PanelInput& in, size_t count) {
    Canvas& canvas = ui.canvas();
    canvas.text({box.x + 16, y + 8}, "Sentences kept, best first", styles::section(theme));
    canvas.text({box.right() - 16, y + 8}, "score", styles::right(styles::caption(theme)));
    y += 20;
    for (size_t i = 0; i < count; ++i) {
      const Hypothesis& one = in.result->decoding.hypotheses[i];
      const std::string score = format_fixed(one.score, 2), text = words_of(in, one);
      const float room = box.width - 32 - canvas.measure(score, styles::number(theme)).x - 12;
      const TextStyle style{.font = i == 0 ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
      canvas.text({box.x + 16, y + 12}, elided(canvas, text, style, room), style);
      canvas.text({box.right() - 16, y + 12}, score, styles::right(styles::number(theme)));
      const Rect line{box.x + 16, y, box.width - 32, 24};
      ui.tooltip(line, text);
      ui.note(line, "hypothesis " + std::to_string(i + 1), text);
      y += 24;
    }
  }
};

// How many of the sentences that the beam kept are listed.
size_t kept_hypotheses(const PanelInput& in, Search search) {
  constexpr size_t kMost = 6;
  return search == Search::beam && in.result ? std::min(kMost, in.result->decoding.hypotheses.size()) : 0;
}

Rect decode_options_box(const PanelInput& in, Search search) {
  const size_t kept = kept_hypotheses(in, search);
  const bool small = in.layout.bottom != BottomSize::full;
  const int rows = search == Search::beam ? 2 : search == Search::sampling ? 3 : 0;
  const float extra = search == Search::sampling ? 44.0f
                      : kept > 0                 ? 32.0f + 24.0f * static_cast<float>(kept)
                                                 : 0;
  const float width = std::min(320.0f, in.layout.window.x - 16);
  const float height = 52 + (small ? 48.0f : 0) + (in.layout.bottom == BottomSize::one_row ? 44.0f : 0) +
                       static_cast<float>(rows) * 44 + extra + 8;
  return {in.layout.window.x - width - 8, std::max(4.0f, in.layout.sentence.y - 8 - height), width, height};
}

// What the output of the untouched model scores, beside that of the changed one. Returns the end of the line.
float untouched_score(ui::Ui& ui, const PanelInput& in, Point at) {
  Canvas& canvas = ui.canvas();
  const std::string number = format_fixed(in.result->plain->decoding.score, 2);
  canvas.text(at, "untouched", styles::caption(in.theme));
  const float x = at.x + ui.text_width("untouched", 12) + 8;
  canvas.text({x, at.y}, number, styles::faint_number(in.theme));
  ui.note({x, at.y - 10, 60, 20}, "untouched score", number);
  return x + canvas.measure(number, styles::faint_number(in.theme)).x + 14;
}

}  // namespace

Rect decode_button(const Rect& bar) {
  constexpr float kButton = 36;
  return {bar.right() - 12 - kButton, bar.y + 12, kButton, 32};
}

void DecodeControls::draw(ui::Ui& ui, const PanelInput& in) {
  const Layout& layout = in.layout;
  const Rect& bar = layout.sentence;
  if (layout.hidden.decoding) return;
  if (layout.bottom == BottomSize::one_row) {
    if (IconButton(ui, decode_button(bar), ui::Icon::play, "Decoding",
                   {.tooltip = "Decoding: step, search, options"}))
      in.opened.decoding = !in.opened.decoding;
  } else {
    const bool low = layout.bottom == BottomSize::low;
    const float left = low ? layout.right : layout.right + kPadding;
    controls(ui, in, {left, bar.y, bar.right() - kPadding - left, bar.height}, low);
  }
  if (in.opened.decoding) options(ui, in);
}

void DecodeControls::controls(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool low) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const DecodeOptions& now = in.session.scene().decode;
  const int total = in.result ? static_cast<int>(in.result->target_out_words.size()) : 0;
  const int steps = in.session.shown_steps() < 0 ? total : std::min(in.session.shown_steps(), total);
  const std::string slash = total > 9 && !low ? "/" : " / ";  // both numbers must fit
  const std::string count = std::to_string(steps) + slash + std::to_string(total);
  const std::string said = std::to_string(steps) + " / " + std::to_string(total);

  if (low) {
    transport(ui, in, {rect.right() - 5 * 32 - 4 * 6, rect.y + 36}, 6);
    const std::string words = std::string(search_word(now.search)) + ", " + count;
    const float width = ui.text_width(words, 12);
    if (LinkButton(ui, {rect.right() - width, rect.y + 78}, words, {.id = "Decoding"}))
      in.opened.decoding = !in.opened.decoding;
    ui.note({rect.right() - width, rect.y + 78, width, 20}, "decode step", said);
    return;
  }
  canvas.text({rect.x, rect.y + 22}, "Decoding", styles::caption(t));
  search_choice(ui, in, {rect.x, rect.y + 36, std::min(236.0f, rect.width), 36});
  transport(ui, in, {rect.x, rect.y + 90}, rect.width < 260 ? 4.0f : 8.0f);
  const bool tight = rect.width < 260;
  const float after = rect.x + (tight ? 5 * 32 + 4 * 4 + 10 : 5 * 36 + 4 * 8 + 12);
  canvas.text({after, rect.y + 106}, elided(canvas, count, styles::faint_number(t), rect.right() - after),
              styles::faint_number(t));
  ui.note({after, rect.y + 96, 60, 20}, "decode step", said);

  float x = rect.x;
  const float y = rect.y + 138;
  if (in.result) {
    const bool all = steps >= total;
    std::string words = all ? "log p" : "log p so far";
    std::string number =
        format_fixed(all ? in.result->decoding.score
                         : log_probability_so_far(in.result->decoding.log_probabilities, steps),
                     2);
    if (!output_is_free(in.result)) {
      words = all ? "given the right words: loss" : "given the right words: loss so far";
      number = format_loss(all ? in.result->trace->sentence_loss.front()
                               : loss_so_far(*in.result->trace, 0, steps));
      ui.note({x, y - 10, rect.width, 20}, "loss of the sentence", number);
    } else {
      if (now.search == Search::beam && all) words = "score";
      ui.note({x, y - 10, rect.width, 20}, words, number);
    }
    canvas.text({x, y}, words, styles::caption(t));
    x += ui.text_width(words, 12) + 8;
    canvas.text({x, y}, number, styles::faint_number(t));
    x += canvas.measure(number, styles::faint_number(t)).x + 14;
    if (in.result->plain && all && output_is_free(in.result)) x = untouched_score(ui, in, {x, y});
  }
  if (now.search == Search::greedy) {
    const bool changed = in.result && in.result->plain;
    if (!changed && output_is_free(in.result) && x + ui.text_width("one word at a time", 12) < rect.right())
      canvas.text({x, y}, "one word at a time", styles::caption(t));
  } else {
    const std::string words = elided(canvas, options_words(now) + "…", styles::caption(t), rect.right() - x);
    if (LinkButton(ui, {x, y - 10}, words, {.id = "Decoding options"}))
      in.opened.decoding = !in.opened.decoding;
  }
}

void DecodeControls::search_choice(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  int chosen = static_cast<int>(in.session.scene().decode.search);
  if (Segmented(ui, rect, "Search", {"Greedy", "Beam", "Sample"}, chosen)) {
    DecodeOptions options = in.session.scene().decode;
    // A beam that nobody has set is the model's.
    const DecodeOptions usual;
    if (in.result && options.alpha == usual.alpha && options.penalty == usual.penalty) {
      options.penalty = in.result->snapshot->config.length_penalty;
      options.alpha = usual_alpha(options.penalty);
    }
    options.search = static_cast<Search>(chosen);
    ui.push(SetDecode{options});
    playing_ = false;
  }
}

// First, back, play, next, last: through the output, word by word.
void DecodeControls::transport(ui::Ui& ui, const PanelInput& in, Point at, float gap) {
  const bool narrow = gap < 8;
  const float width = narrow ? 32.0f : 36.0f;
  float x = at.x;
  const bool any = in.result != nullptr && !in.result->target_out_words.empty();
  const auto button = [&](ui::Icon icon, const char* name) {
    const bool used = IconButton(ui, {x, at.y, width, 32}, icon, name, {.enabled = any});
    x += width + gap;
    return used;
  };
  if (button(ui::Icon::first, "First word")) step_decoding(ui, in, -1'000'000);
  if (button(ui::Icon::back, "Word back")) step_decoding(ui, in, -1);
  if (button(playing_ ? ui::Icon::pause : ui::Icon::play, playing_ ? "Stop playing" : "Play")) play(ui, in);
  if (button(ui::Icon::next, "Next word")) step_decoding(ui, in, 1);
  if (button(ui::Icon::last, "Last word")) step_decoding(ui, in, 1'000'000);
}

void DecodeControls::play(ui::Ui& ui, const PanelInput& in) {
  playing_ = !playing_;
  if (!playing_ || !in.result) return;
  const int total = static_cast<int>(in.result->target_out_words.size());
  if (in.session.shown_steps() < 0 || in.session.shown_steps() >= total) ui.push(ShowDecodeStep{1});
  next_step_at_ = in.time + kStepSeconds;
  ui.ask_frame(kStepSeconds);
}

void step_decoding(ui::Ui& ui, const PanelInput& in, int by) {
  if (!in.result) return;
  const int total = static_cast<int>(in.result->target_out_words.size());
  const int now = in.session.shown_steps() < 0 ? total : in.session.shown_steps();
  if (total > 0) ui.push(ShowDecodeStep{std::clamp(now + by, 1, total)});
}

void DecodeControls::continue_playing(ui::Ui& ui, const PanelInput& in) {
  if (!playing_ || !in.result) return;
  if (in.time >= next_step_at_) {
    const int total = static_cast<int>(in.result->target_out_words.size());
    step_decoding(ui, in, 1);
    if (in.session.shown_steps() < 0 || in.session.shown_steps() + 1 >= total) playing_ = false;
    next_step_at_ = in.time + kStepSeconds;
  }
  ui.ask_frame(std::max(0.01, next_step_at_ - in.time));
}

// The panel over the decode controls: how many hypotheses, how bold the samples.
void DecodeControls::options(ui::Ui& ui, const PanelInput& in) {
  if (!edit_) edit_ = in.session.scene().decode;
  DecodeOptions& edit = *edit_;
  const Search search = in.session.scene().decode.search;
  edit.search = search;
  const Rect box = decode_options_box(in, search);
  ui.begin_layer(box, false);
  ui.canvas().rectangle(box, {.fill = in.theme.panel, .outline = in.theme.control, .radius = 8});
  ui.canvas().text({box.x + 16, box.y + 26}, "Decoding", styles::heading(in.theme));
  if (IconButton(ui, {box.right() - 44, box.y + 10, 32, 32}, ui::Icon::close, "Close decoding options"))
    in.opened.decoding = false;
  DecodeOptionsLayer layer{.ui = ui, .theme = in.theme, .box = box, .y = box.y + 52};
  if (in.layout.bottom != BottomSize::full) {
    search_choice(ui, in, {box.x + 16, layer.y, box.width - 32, 36});
    layer.y += 48;
  }
  if (in.layout.bottom == BottomSize::one_row) {
    transport(ui, in, {box.x + 16, layer.y}, 8);
    layer.y += 44;
  }
  if (search == Search::beam) layer.beam(edit);
  if (search == Search::sampling) layer.sampling(edit);
  if (const size_t kept = kept_hypotheses(in, search); kept > 0) layer.kept(in, kept);
  // One change for the whole drag, so that one undo takes it back.
  changed_ = changed_ || layer.changed;
  if (changed_ && !ImGui::IsMouseDown(0)) {
    ui.push(SetDecode{edit});
    changed_ = false;
  } else if (!changed_ && !ImGui::IsMouseDown(0)) {
    edit = in.session.scene().decode;
  }
  ui.end_layer();
}

}  // namespace glassformer
