#include "app/views/what_if/change_field.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/session/change_words.h"
#include "app/views/common/stage_text.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/printable.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

constexpr const char* kBetween = "   ";

// Places are told by the words that stand there without the changes.
const SceneResult& plain_result(const WhatIfScene& scene) {
  return scene.input.result.plain ? *scene.input.result.plain : scene.input.result;
}

ChangeWords words_to_read(const WhatIfScene& scene) {
  return change_words(plain_result(scene), scene.input.tokenizers);
}

// A part of a sentence as one: "This model has 4 heads; there is no head 9."
std::string as_sentence(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words.ends_with('.') ? words : words + ".";
}

// As a source with such words is told of.
std::string about_unknown(const WhatIfScene& scene, const std::string& text) {
  const Config& config = scene.input.snapshot.config;
  const UnknownWords found = unknown_words(text, words_to_read(scene), scene.input.tokenizers);
  const std::string source = unknown_words_sentence(found.source, format_count(config.source_vocab)),
                    target = unknown_words_sentence(found.target, format_count(config.target_vocab));
  return source + (source.empty() || target.empty() ? "" : " ") + target;
}

std::string why_not(const WhatIfScene& scene, const Change& change) {
  const SceneResult& plain = plain_result(scene);
  const std::string wrong = misfit(change, {*scene.plain.model, static_cast<int>(plain.source_words.size()),
                                            static_cast<int>(plain.target_in_words.size())});
  if (!wrong.empty() || change.by != Replacement::other) return wrong;
  return why_not_from_second(plain, scene.input.other, change);
}

}  // namespace

std::vector<std::string> change_examples(const WhatIfScene& scene) {
  const int layer = scene.plain.model->config.decoder_layers - 1;
  const auto reads = static_cast<int>(scene.plain.target_in.size()),
             keys = static_cast<int>(scene.plain.source.size());
  std::vector<Change> changes{mute_head(AttentionKind::cross, layer, 0)};
  changes.back().by = Replacement::mean;
  changes.push_back(mute_head(AttentionKind::cross, layer, 0));
  changes.back().kind = ChangeKind::set_weight;
  changes.back().row = std::min(1, reads - 1);
  changes.back().column = std::min(1, keys - 1);
  changes.back().amount = 0.5;
  if (keys > 2) {
    changes.push_back(change_of(ChangeKind::swap_words));
    changes.back().row = 0;
    changes.back().column = 1;
  }
  changes.push_back(change_of(ChangeKind::edit_parameter));
  changes.back().parameter = written({BlockKind::feed_forward, ValueKind::weight1, false, layer});
  changes.back().row = 0;
  changes.back().column = 1;
  changes.back().amount = 0.3;
  const ChangeWords words = words_to_read(scene);
  std::vector<std::string> texts;
  for (const Change& change : changes) texts.push_back(text_of(change, words));
  return texts;
}

WhatIf with_typed(const WhatIfScene& scene, const std::string& text) {
  const WhatIf read = read_what_if(text, words_to_read(scene));
  constexpr const char* kWhere = "what-if";
  if (read.empty()) throw Error(kWhere, "there is no change in it");
  WhatIf next = open_changes(scene.input);
  for (const Change& change : read.changes) {
    if (const std::string wrong = why_not(scene, change); !wrong.empty()) throw Error(kWhere, wrong);
    next.set(change, true);
  }
  if (next == open_changes(scene.input)) throw Error(kWhere, "it is in force already");
  return next;
}

void ChangeField::enter(ui::Ui& ui, const WhatIfScene& scene) {
  try {
    ui.push(SetWhatIf{with_typed(scene, text_)});
    unknown_ = about_unknown(scene, text_);
    text_.clear();
    error_.clear();
  } catch (const Error& error) {
    const std::string words = message_text(error.what());
    const std::size_t where = words.find(": ");
    error_ = as_sentence(where == std::string::npos ? words : words.substr(where + 2));
  }
}

void ChangeField::draw(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene) {
  const std::vector<std::string> examples = change_examples(scene);
  const ui::FieldEvent event =
      ui.TextField(at.field, "Change in words", text_,
                   {.hint = "or type it, as " + examples.back(), .error = error_, .stays = true});
  if (event == ui::FieldEvent::changed || event == ui::FieldEvent::left) error_.clear(), unknown_.clear();
  if (event == ui::FieldEvent::left) text_.clear();
  if (event == ui::FieldEvent::entered) enter(ui, scene);

  Canvas& canvas = ui.canvas();
  TextStyle style = caption_style(canvas);
  const Rect line{at.field.x, at.field.bottom() + 2, at.field.width, 16};
  if (!error_.empty()) {
    style.color = ui.theme().wrong;
    canvas.text({line.x, line.center().y}, elided(canvas, error_, style, line.width), style);
    ui.tooltip(line, error_);
    return ui.note(line, "change not read", error_);
  }
  if (!unknown_.empty()) {
    canvas.text({line.x, line.center().y}, elided(canvas, unknown_, style, line.width), style);
    ui.tooltip(line, unknown_);
    return ui.note(line, "unknown words of the change", unknown_);
  }
  // As many examples as there is room for.
  std::string help = "Enter adds it, as on the command line:";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::string more = help + (i == 0 ? " " : kBetween) + examples[i];
    if (canvas.measure(more, style).x > line.width) continue;
    help = more;
  }
  canvas.text({line.x, line.center().y}, elided(canvas, help, style, line.width), style);
  ui.note(line, "how changes are written", help);
}

}  // namespace glassformer
